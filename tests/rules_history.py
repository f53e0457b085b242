"""What the rows of every game say, in short, kept beside the version of its rules in tests/data/rules.json.

    python -m tests.rules_history

writes that file again: after a new card, and after a change that leaves the play of the others as it was.
"""

import json
from argparse import ArgumentParser, RawTextHelpFormatter
from dataclasses import fields
from enum import Enum
from hashlib import blake2b
from pathlib import Path
from typing import Any

from evodom.dominion import kingdom as dominion
from evodom.dominion.cards import CARDS, Card
from evodom.dominion.engine.effects import Effect
from evodom.spire import history as fights
from evodom.spire.content.cards import CARDS as SPIRE_CARDS
from evodom.spire.content.enemies import ENEMIES, MAX_ASCENSION, enemy_row
from evodom.spire.content.potions import POTIONS
from evodom.spire.content.relics import RELICS

FILE = Path(__file__).parent / "data" / "rules.json"


def rows() -> dict[str, dict[str, Any]]:
    """Return for each game the version of its rules and, by name, a digest of what each row says."""
    cards = {
        name: _digest(card.cost, card.types, *map(_said, _effects(card)), card.vp, card.vp_per, card.editions)
        for name, card in CARDS.items()
    }
    spire = {
        **{name: _digest(card) for name, card in SPIRE_CARDS.items()},
        **{name: _digest([enemy_row(name, level) for level in range(MAX_ASCENSION + 1)]) for name in ENEMIES},
        **{name: _digest(potion) for name, potion in POTIONS.items()},
        **{name: _digest(relic) for name, relic in RELICS.items()},
    }
    return {
        "Dominion": {"version": dominion.RULES.version, "rows": cards},
        "fights": {"version": fights.RULES.version, "rows": spire},
    }


def _effects(card: Card) -> list[Effect]:
    return [effect for program in (card.program, *card.triggered) for effect in program]


def _said(effect: Effect) -> list[tuple[str, object]]:
    """Return the fields of an Effect that differ from their defaults, operations and zones by name."""
    told = [(field.name, getattr(effect, field.name), field.default) for field in fields(effect)]
    return [
        (name, [*map(_said, value)] if name == "inner" else value.name if isinstance(value, Enum) else value)
        for name, value, default in told
        if value != default
    ]


def _digest(*values: object) -> str:
    return blake2b(repr(values).encode(), digest_size=5).hexdigest()


if __name__ == "__main__":
    ArgumentParser(
        prog="python -m tests.rules_history", description=__doc__, formatter_class=RawTextHelpFormatter
    ).parse_args()
    FILE.write_text(json.dumps(rows(), indent=1) + "\n", encoding="utf-8")
