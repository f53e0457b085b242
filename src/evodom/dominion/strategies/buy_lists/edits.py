"""Buy lists without a card, with one more, or with fewer rules and conditions."""

from collections.abc import Sequence
from dataclasses import replace

from evodom.dominion.cards import CARDS
from evodom.dominion.engine.effects import Type
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.buy_lists.rules import (
    Key,
    Rule,
    decode,
    effective_rules,
    encode_rules,
    format_rule,
    parse_condition,
)
from evodom.dominion.strategies.model import IsAsGood, Strategy


def without(strategy: Strategy, card: str, kingdom: Kingdom) -> Strategy:
    """Return the list without the rules for a card."""
    return _with_rules(strategy, [rule for rule in decode(strategy, kingdom) if rule.card != card], kingdom)


def with_more(strategy: Strategy, card: str, n: int, kingdom: Kingdom) -> Strategy:
    """Return the list with a rule for up to ``n`` of a card, before all rules for cards that cost no more.

    Rules for Victory cards do not count: those are bought late for their points.
    """
    rules = list(decode(strategy, kingdom))
    places = (
        place
        for place, rule in enumerate(rules)
        if CARDS[rule.card].cost <= CARDS[card].cost and Type.VICTORY not in CARDS[rule.card].types
    )
    rules.insert(next(places, len(rules)), Rule(card, (parse_condition(f"count_in_deck({card}) < {n}"),)))
    return _with_rules(strategy, rules, kingdom)


def simplified(strategy: Strategy, kingdom: Kingdom, is_as_good: IsAsGood) -> Strategy:
    """Return the list without the rules, then without the conditions and parts of sums, that make it no better."""
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
    for place in range(len(rules)):
        for number in range(len(rules[place].conditions)):
            for term in rules[place].conditions[number].terms:
                shorter = [*rules[:place], _without_term(rules[place], number, term), *rules[place + 1 :]]
                rules = shorter if shorter != rules and holds_with(shorter) else rules
    return _with_rules(strategy, rules, kingdom)


def as_rules(strategy: Strategy, kingdom: Kingdom) -> tuple[str, ...]:
    """Return the rules as text, without those that can never be the first to hold."""
    return tuple(format_rule(rule) for rule in effective_rules(decode(strategy, kingdom)))


def _without_term(rule: Rule, number: int, term: tuple[Key, int]) -> Rule:
    """Return a rule without one term of a condition's sum; as it is, if nothing to compare would be left."""
    condition = rule.conditions[number]
    terms = tuple(other for other in condition.terms if other != term)
    if not terms or terms[0][1] < 0:
        return rule
    changed = replace(condition, terms=terms)
    return replace(rule, conditions=(*rule.conditions[:number], changed, *rule.conditions[number + 1 :]))


def _with_rules(strategy: Strategy, rules: Sequence[Rule], kingdom: Kingdom) -> Strategy:
    changed = strategy.copy()
    for table in ("rules", "conditions", "terms"):
        changed[table][:] = 0
    encode_rules(rules, kingdom, changed)
    return changed
