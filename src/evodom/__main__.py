"""`python -m evodom` is `evodom`."""

from evodom.start import main

main()
