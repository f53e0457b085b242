"""Whoever changes what a card, an enemy, a relic or a potion does notes a new version of the rules."""

import json

import pytest

from tests.rules_history import FILE, rows

KNOWN = json.loads(FILE.read_text(encoding="utf-8"))
NOW = rows()

ADVICE = (
    "If strategies found before would play otherwise now, say in history.py of this game what changed. In any case "
    "write tests/data/rules.json anew: python -m tests.rules_history"
)


@pytest.mark.parametrize("game", NOW)
def test_rows_are_those_of_this_version_of_the_rules(game):
    known, now = KNOWN[game]["rows"], NOW[game]["rows"]

    assert NOW[game]["version"] == KNOWN[game]["version"], ADVICE
    assert {name for name in now if now[name] != known.get(name)} == set(), ADVICE
    assert set(known) == set(now), ADVICE
