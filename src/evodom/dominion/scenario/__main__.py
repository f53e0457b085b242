"""`python -m evodom.dominion.scenario FILE`."""

import sys

from evodom.dominion.scenario import main

sys.exit(main(sys.argv[1:]))
