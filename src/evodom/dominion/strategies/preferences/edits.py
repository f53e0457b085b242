"""Preferences without a card, with one more, or with fewer of their conditions."""

from typing import Any

import numpy as np

from evodom.dominion.cards import CARDS
from evodom.dominion.engine.effects import Type
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.columns import ALWAYS, EARLY, LATE
from evodom.dominion.strategies.model import IsAsGood, Strategy

AHEAD = 20.0
"""A card that is put ahead of all others in a preference has so many times their weight."""


def without(strategy: Strategy, card: str, kingdom: Kingdom) -> Strategy:
    """Return preferences that give a card no weight."""
    pile = kingdom.pile(card)
    changed = strategy.copy()
    changed.weights[:, pile] = 0.0
    changed.limits[pile] = 0
    return changed


def with_more(strategy: Strategy, card: str, n: int, kingdom: Kingdom) -> Strategy:
    """Return preferences for up to ``n`` of a card before all cards that cost no more, but not before dearer ones.

    Victory cards do not count: those are bought late for their points.
    """
    pile = kingdom.pile(card)
    changed = strategy.copy()
    cost = CARDS[card].cost
    no_dearer = list(kingdom.piles_where(lambda other: other.cost <= cost and Type.VICTORY not in other.types))
    for phase in (EARLY, LATE):
        weights = changed.weights[phase][: len(kingdom.piles)]
        behind = max(float(weights[no_dearer].max()), float(changed.pass_weights[phase]))
        behind = behind or float(weights[weights > 0.0].min(initial=1.0)) / AHEAD
        before = [float(weight) for weight in np.delete(weights, no_dearer) if weight > behind]
        changed.weights[phase, pile] = (behind * min(before)) ** 0.5 if before else AHEAD * behind
    changed.limits[pile] = n
    return changed


def simplified(strategy: Strategy, kingdom: Kingdom, is_as_good: IsAsGood) -> Strategy:
    """Return preferences without a second phase, cards and conditions, where these make the strategy no better."""
    n_piles = len(kingdom.piles)

    def tried(column: str, place: Any, value: Any) -> bool:
        """Write a value into a column; keep it, and return True, if that is as good."""
        nonlocal strategy
        changed = strategy.copy()
        changed[column][place] = value
        if np.array_equal(changed[column], strategy[column]) or not is_as_good(changed):
            return False
        strategy = changed
        return True

    phases = [[EARLY], [LATE]]
    for phase, other in ((EARLY, LATE), (LATE, EARLY)):
        alike = np.array_equal(strategy.weights[EARLY], strategy.weights[LATE])
        if alike or tried("weights", other, strategy.weights[phase]):
            phases = [[EARLY, LATE]]
            break
    for both in phases:
        tried("pass_weights", both, 0.0)
        for pile in np.argsort(strategy.weights[both[0]][:n_piles], kind="stable"):
            tried("weights", (both, int(pile)), 0.0)
    for column in ("limits", "from_left"):
        for pile in range(n_piles):
            tried(column, pile, ALWAYS)
    for column, nothing in (("terminals", ALWAYS), ("province_coins", 0)):
        changed = strategy.copy()
        changed[column] = nothing
        strategy = changed if is_as_good(changed) else strategy
    return strategy
