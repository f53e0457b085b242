"""What has changed in the rules of Dominion as they are played here.

A strategy saved under other rules plays under these only when asked (`evodom runs adopt`). So whoever changes what a
card does, or how a turn goes, adds a few words here; tests/test_rules_history.py notices a changed card.
"""

from evodom.versions import Rules

RULES = Rules("Dominion")
