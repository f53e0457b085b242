"""`python -m tests.oracles.published FILE`."""

import sys

from tests.oracles.published import main

sys.exit(main(sys.argv[1:]))
