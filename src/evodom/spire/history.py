"""Version of the rules of Slay the Spire's fights, for fingerprints of networks.

A network saved under other rules plays under these only on request (`evodom runs adopt`). After a change to a card,
enemy, relic or potion, add a few words here; tests/test_rules_history.py detects changed rows.
"""

from evodom.runs.lifecycle import RulesVersion

RULES = RulesVersion("Slay the Spire's fights")
