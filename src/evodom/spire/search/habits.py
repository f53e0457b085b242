"""What playing a fight out needs to know of it: what cards and enemies do, as the playouts weigh it."""

from __future__ import annotations

from typing import Any

import numpy as np

from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.layout import N_FIGHTERS, N_INTENTS, N_KINDS, N_LINES, OP, TIMES, N
from evodom.spire.engine.moves import N_MOVES
from evodom.spire.rows.cards import ATTACK, POWER, SKILL, Card
from evodom.spire.rows.effects import OP_BITE, OP_BLOCK, OP_DIVIDE, OP_GIVE, OP_HIT

COSTLY, A_POWER, A_STATUS = 2.0, 2.0, 0.3
"""What each energy beyond the first adds to the weight of an Attack, which is 1 for a cost of 1; other weights."""

ORDERS = 2
"""Attacks are tried in so many orders: what makes Vulnerable first, or what does most for its cost."""

HABITS = np.dtype(
    (
        np.record,
        [
            ("weight", "<f8", (N_KINDS,)),
            ("skill", "<i4", (N_KINDS,)),
            ("blocks", "<i4", (N_KINDS,)),
            ("damage", "<i4", (N_KINDS, 2)),  # of an Attack, and how often it hits
            ("exposes", "<i4", (N_KINDS,)),  # whether it makes Vulnerable
            ("attacks", "<i4", (ORDERS, N_KINDS)),
            ("n_attacks", "<i4"),
            ("hits", "<i4", (N_INTENTS, 2)),  # the damage of an intent, and how often it hits
            ("needed_block", "<f8"),  # the weight of block while more damage is to come than there is block
            # To work in.
            ("weights", "<f8", (N_MOVES,)),  # of the legal moves
            ("left", "<i4", (N_FIGHTERS,)),  # what each enemy has left
        ],
    )
)
"""What playing out needs to know of a fight."""


def set_habits(habits: Any, game: SpireFight) -> None:
    """Fill in a record of HABITS for a fight."""
    habits.damage[:] = habits.exposes[:] = habits.attacks[:] = habits.hits[:] = 0
    kinds = game.rules.kinds
    for kind, card in enumerate(kinds):
        habits.skill[kind] = card.kind == SKILL
        habits.blocks[kind] = any(effect.op == OP_BLOCK for effect in card.effects) and card.kind == SKILL
        dear = 1.0 + COSTLY * max((card.cost or 0) - 1, 0)
        habits.weight[kind] = {ATTACK: dear, SKILL: 1.0, POWER: A_POWER}.get(card.kind, A_STATUS)
        habits.damage[kind] = _damage(card)
        habits.exposes[kind] = any(effect.op == OP_GIVE and effect.name == "Vulnerable" for effect in card.effects)

    def for_its_cost(kind: int) -> float:
        return -float(habits.damage[kind].prod()) / max(kinds[kind].cost or 0, 0.5)

    attacks = sorted((kind for kind in range(len(kinds)) if habits.damage[kind, 0] > 0), key=for_its_cost)
    habits.n_attacks = len(attacks)
    habits.attacks[0, : len(attacks)] = sorted(attacks, key=lambda kind: -int(habits.exposes[kind]))
    habits.attacks[1, : len(attacks)] = attacks
    rules = game.record
    for intent in range(len(game.rules.intents)):
        first = int(rules.intent_line[intent])
        for line in range(first, min(first + int(rules.intent_lines[intent]), N_LINES)):
            if rules.lines[line, OP] in (OP_HIT, OP_BITE, OP_DIVIDE):
                habits.hits[intent] = rules.lines[line, N], rules.lines[line, TIMES]


def _damage(card: Card) -> tuple[int, int]:
    """Return the damage of an Attack and how often it hits, 0 for what does none or is no Attack."""
    for effect in card.effects:
        if effect.op == OP_HIT and card.kind == ATTACK:
            return effect.n, effect.times
    return 0, 0
