"""`python -m evodom.matches.published FILE`."""

import sys

from evodom.matches.published import main

sys.exit(main(sys.argv[1:]))
