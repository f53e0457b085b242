"""`python -m evodom` is `evodom`."""

from evodom.cli import main

main()
