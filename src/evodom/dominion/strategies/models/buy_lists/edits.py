"""Make all changes of one rule of a buy list: remove it, move it, change a condition, insert a rule of another list."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from evodom.dominion.cards import BASIC, CARDS
from evodom.dominion.effects.effect import Type
from evodom.dominion.engine.rules import ENDING_CARDS
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.models.buy_lists.encoding import decode
from evodom.dominion.strategies.models.buy_lists.language import Condition, Rule, count_in_deck
from evodom.dominion.strategies.models.buy_lists.model import rule_in_words, with_rules
from evodom.dominion.strategies.models.buy_lists.reachable import effective_rules
from evodom.dominion.strategies.record import Strategy
from evodom.errors import UsageError

LIMITS = (1, 2, 3)
"""Limits of owned cards that are tried in a rule without a limit."""

STEPS = (-4, -2, -1, 1, 2, 4)
"""Changes of a condition's constant that are tried."""

RuleChange = tuple[str, str, Strategy]
"""The card of the changed rule, the change in words, and the changed list."""


def rule_changes(strategy: Strategy, others: Sequence[Rule], kingdom: Kingdom) -> Iterator[RuleChange]:
    """Yield the changes of one rule of a buy list that may affect play. ``others`` are rules to insert."""
    rules = decode(strategy, kingdom)
    seen = {effective_rules(rules)}
    for card, words, changed in _changes(rules, others):
        effective = effective_rules(changed)
        if effective not in seen:
            seen.add(effective)
            with suppress(UsageError):  # a list has a maximum number of rules
                yield card, words, with_rules(strategy, effective, kingdom)


def lists_by_cost(strategy: Strategy, kingdom: Kingdom) -> Iterator[tuple[str, str, Strategy]]:
    """Yield the buy list with one rule moved below all rules for cards that cost more.

    The first two values are the moved card, and the most expensive card that it passes. Estates and Duchies stay in
    place. Victory cards except Province and Colony do not count as more expensive, since lists buy them late.
    """
    rules = decode(strategy, kingdom)
    cards = [CARDS[rule.card] for rule in rules]
    is_late = [Type.VICTORY in card.types and card.name not in ENDING_CARDS for card in cards]
    for place, (rule, card) in enumerate(zip(rules, cards, strict=True)):
        later = range(place + 1, len(rules))
        dearer = [other for other in later if cards[other].cost > card.cost and not is_late[other]]
        if dearer and not (is_late[place] and card in BASIC):
            changed = [*rules[:place], *rules[place + 1 : dearer[-1] + 1], rule, *rules[dearer[-1] + 1 :]]
            dearest = max(dearer, key=lambda other: cards[other].cost)
            yield rule.card, rules[dearest].card, with_rules(strategy, changed, kingdom)


def _changes(rules: Sequence[Rule], others: Sequence[Rule]) -> Iterator[tuple[str, str, list[Rule]]]:
    """Yield the card and the words of each change with the changed rules."""
    for place, rule in enumerate(rules):
        before, after, words = list(rules[:place]), list(rules[place + 1 :]), rule_in_words(rule)
        yield rule.card, f'remove "{words}"', before + after
        for changed in _changed_rules(rule, others):
            yield rule.card, f'replace "{words}" by "{rule_in_words(changed)}"', [*before, changed, *after]
        yield from _inserted("move", rule, before + after, place)
    for rule in others:
        yield from _inserted("add", rule, rules, len(rules))


def _inserted(verb: str, rule: Rule, rules: Sequence[Rule], origin: int) -> Iterator[tuple[str, str, list[Rule]]]:
    """Yield the rules with ``rule`` inserted at each index. ``origin`` is its old index, or the end for a new rule."""
    lines = [f'"{rule_in_words(other)}"' for other in rules]
    places = [
        *(f"above {line}" for line in lines[:origin]),
        "at the end",
        *(f"below {line}" for line in lines[origin:]),
    ]
    for number, place in enumerate(places):
        yield rule.card, f'{verb} "{rule_in_words(rule)}" {place}', [*rules[:number], rule, *rules[number:]]


def _changed_rules(rule: Rule, others: Sequence[Rule]) -> Iterator[Rule]:
    """Yield the other rules for its card, then the rule with a limit, without a condition, or with a new constant."""
    yield from (other for other in others if other.card == rule.card)
    limit = count_in_deck(rule.card)
    if not any(condition.terms == limit for condition in rule.conditions):
        yield from (replace(rule, conditions=(Condition(limit, "<", n), *rule.conditions)) for n in LIMITS)
    for number, condition in enumerate(rule.conditions):
        before, after = rule.conditions[:number], rule.conditions[number + 1 :]
        yield replace(rule, conditions=(*before, *after))
        for step in STEPS if len(condition.terms) == 1 else ():
            changed = replace(condition, constant=condition.constant + step)
            yield replace(rule, conditions=(*before, changed, *after))
