"""`python -m evodom.dominion.matchups FILE`."""

import sys

from evodom.dominion.matchups import main

sys.exit(main(sys.argv[1:]))
