"""Remove the rules of a buy list that never apply, and the conditions that others imply (`effective_rules`).

A region is a set of totals, one for each sum that conditions compare. A rule that earlier rules cover is unreachable.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf

from evodom.dominion.strategies.models.buy_lists.language import COMPARISONS, SIGNED, Condition, Rule, Terms, bounds


def effective_rules(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """Return the rules without unreachable and repeated ones, and without conditions that others imply.

    A rule is unreachable if its conditions contradict each other, or if one never holds, such as a limit of 0 owned
    cards. It is also unreachable if earlier rules for the same card together hold wherever it does. It is repeated if
    its conditions imply those of the next rule, and the next rule is for the same card.
    """
    kept: list[Rule] = []
    for rule in map(_with_needed_conditions, rules):
        region, of_same_card = _region(rule.card, rule.conditions), [other for other in kept if other.card == rule.card]
        if region is None or any(_covers(other, rule) for other in of_same_card):
            continue
        if not _is_covered(region, [_region(rule.card, other.conditions) or {} for other in of_same_card]):
            kept.append(rule)
    merged: list[Rule] = []
    for rule in reversed(kept):
        if not merged or not _covers(merged[-1], rule):
            merged.append(rule)
    return tuple(reversed(merged))


Range = tuple[float, float]

Region = dict[Terms | Condition, Range]
"""The totals at which a rule may hold: the range of each sum. A condition with `!=` is 0 or 1, false or true."""

_MINIMA = {"turn_number": 1}
"""Minimum of each quantity that is never 0."""

MAX_PIECES = 64
"""Maximum number of parts of a region outside other regions. A rule whose region has more counts as reachable."""


def _range(condition: Condition) -> tuple[Terms | Condition, Range]:
    """Return the sum of a condition and its range. For `!=` return the condition, which must be 1 (true)."""
    if condition.comparison == "!=":
        return condition, (1, 1)
    least, most = bounds(condition)
    return condition.terms, (-inf if least is None else least, inf if most is None else most)


def _possible_range(compared: Terms | Condition) -> Range:
    """Return the range of a sum without any condition."""
    if isinstance(compared, Condition):
        return 0, 1
    if any(factor < 0 or name in SIGNED for (name, _), factor in compared):
        return -inf, inf
    return sum(factor * _MINIMA.get(name, 0) for (name, _), factor in compared), inf


def _region(card: str, conditions: Sequence[Condition]) -> Region | None:
    """Return the region of conditions while the card's pile has cards. Return None for an empty region."""
    found: Region = {((("count_in_supply", card), 1),): (1, inf)}
    for compared, (low, high) in map(_range, conditions):
        least, most = found.get(compared, _possible_range(compared))
        found[compared] = max(least, low), min(most, high)
    return found if all(least <= most for least, most in found.values()) else None


def _with_needed_conditions(rule: Rule) -> Rule:
    """Return a rule without conditions that always hold if the others do."""
    kept = rule.conditions
    for condition in rule.conditions:
        place = next(number for number, other in enumerate(kept) if other is condition)
        others = kept[:place] + kept[place + 1 :]
        compared, (low, high) = _range(condition)
        least, most = (_region(rule.card, others) or {}).get(compared, _possible_range(compared))
        if (low <= least and most <= high) or any(_implies(other, condition) for other in others):
            kept = others
    return replace(rule, conditions=kept)


def _is_covered(region: Region, others: Sequence[Region]) -> bool:
    """Return whether some regions together contain another."""
    left = [region]
    for other in others:
        left = [part for one in left for part in _outside(one, other)]
        if len(left) > MAX_PIECES:
            return False
    return not left


def _outside(region: Region, other: Region) -> Iterator[Region]:
    """Yield the parts of a region outside of another region."""
    for compared, (low, high) in other.items():
        least, most = region.get(compared, _possible_range(compared))
        if least < low:
            yield region | {compared: (least, min(most, low - 1))}
        if high < most:
            yield region | {compared: (max(least, high + 1), most)}
        if max(least, low) > min(most, high):
            return
        region = region | {compared: (max(least, low), min(most, high))}


def _covers(other: Rule, rule: Rule) -> bool:
    """Return whether two rules are for the same card, and the first holds wherever the second does."""
    return other.card == rule.card and all(
        any(_implies(mine, theirs) for mine in rule.conditions) for theirs in other.conditions
    )


def _holds(condition: Condition, total: int) -> bool:
    """Return whether a condition holds if its terms sum to a total."""
    difference = total - condition.constant
    result = "<" if difference < 0 else ">" if difference > 0 else "=="
    return bool(COMPARISONS[condition.comparison] & COMPARISONS[result])


def _implies(first: Condition, second: Condition) -> bool:
    """Return whether two conditions compare the same sum, and the second holds wherever the first does."""
    totals = (constant + step for constant in (first.constant, second.constant) for step in (-1, 0, 1))
    return first.terms == second.terms and all(_holds(second, n) for n in totals if _holds(first, n))
