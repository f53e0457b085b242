"""What has changed in the rules of Slay the Spire's fights as they are played here.

A network saved under other rules plays under these only when asked (`evodom runs adopt`). So whoever changes what a
card, an enemy, a relic or a potion does adds a few words here; tests/test_rules_history.py notices a changed row.
"""

from evodom.runs.lifecycle import RulesVersion

RULES = RulesVersion("Slay the Spire's fights")
