"""Strategies with a card less, with one more, or with one thing less to say."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from evodom.dominion.cards import CARDS
from evodom.dominion.engine.effects import Type
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.conditions import Rule, decode, encode, parse_condition
from evodom.dominion.strategies.record import ALWAYS, EARLY, KIND_MENU, LATE, Strategy

AHEAD = 20.0
"""A card that is put ahead of all others in a preference has so many times their weight."""

IsAsGood = Callable[[Strategy], bool]


def without(strategy: Strategy, card: str, kingdom: Kingdom) -> Strategy:
    """Return a strategy that does not want a card."""
    if strategy.kind == KIND_MENU:
        return _with_rules(strategy, [rule for rule in decode(strategy, kingdom) if rule.card != card], kingdom)
    pile = _pile(card, kingdom)
    changed = strategy.copy()
    changed.weights[:, pile] = 0.0
    changed.limits[pile] = 0
    return changed


def with_more(strategy: Strategy, card: str, n: int, kingdom: Kingdom) -> Strategy:
    """Return a strategy that buys up to ``n`` of a card before all that costs no more than it, but for greening."""
    cost = CARDS[card].cost
    if strategy.kind == KIND_MENU:
        rules = list(decode(strategy, kingdom))
        places = (n for n, rule in enumerate(rules) if CARDS[rule.card].cost <= cost and not _is_green(rule.card))
        place = next(places, len(rules))
        rules.insert(place, Rule(card, (parse_condition(f"count_in_deck({card}) < {n}"),)))
        return _with_rules(strategy, rules, kingdom)
    pile = _pile(card, kingdom)
    changed = strategy.copy()
    piles = kingdom.piles
    no_dearer = [each for each, other in enumerate(piles) if other.cost <= cost and not _is_green(other.name)]
    for phase in (EARLY, LATE):
        weights = changed.weights[phase][: len(piles)]
        behind = max(float(weights[no_dearer].max()), float(changed.pass_weights[phase]))
        behind = behind or float(weights[weights > 0.0].min(initial=1.0)) / AHEAD
        before = [float(weight) for weight in np.delete(weights, no_dearer) if weight > behind]
        changed.weights[phase, pile] = (behind * min(before)) ** 0.5 if before else AHEAD * behind
    changed.limits[pile] = n
    return changed


def simplified(strategy: Strategy, kingdom: Kingdom, is_as_good: IsAsGood) -> Strategy:
    """Return a strategy that leaves out all it can, one thing after the other, as long as ``is_as_good``."""
    if strategy.kind == KIND_MENU:
        return _simplified_menu(strategy, kingdom, is_as_good)
    return _simplified_preferences(strategy, len(kingdom.piles), is_as_good)


def _simplified_menu(strategy: Strategy, kingdom: Kingdom, is_as_good: IsAsGood) -> Strategy:
    rules = list(decode(strategy, kingdom))

    def holds_with(changed: Sequence[Rule]) -> bool:
        return bool(changed) and is_as_good(_with_rules(strategy, changed, kingdom))

    for place in reversed(range(len(rules))):
        fewer = rules[:place] + rules[place + 1 :]
        rules = fewer if holds_with(fewer) else rules
    for place in range(len(rules)):
        for condition in rules[place].conditions:
            left = tuple(other for other in rules[place].conditions if other is not condition)
            looser = [*rules[:place], replace(rules[place], conditions=left), *rules[place + 1 :]]
            rules = looser if holds_with(looser) else rules
    return _with_rules(strategy, rules, kingdom)


def _simplified_preferences(strategy: Strategy, n_piles: int, is_as_good: IsAsGood) -> Strategy:
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


def _with_rules(strategy: Strategy, rules: Sequence[Rule], kingdom: Kingdom) -> Strategy:
    changed = strategy.copy()
    for table in ("rules", "conditions", "terms"):
        changed[table][:] = 0
    encode(rules, kingdom, changed)
    return changed


def _is_green(card: str) -> bool:
    """Tell whether a card is wanted for its victory points."""
    return bool(CARDS[card].types & Type.VICTORY)


def _pile(card: str, kingdom: Kingdom) -> int:
    return kingdom.pile(card)
