"""Write the rules of a buy list into a strategy's record (`encode_rules`), and read them (`decode`).

The columns are those of `columns`. `is_sound` checks the indices of a record from a file.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import IntArray
from evodom.dominion.strategies.models.buy_lists import columns as layout
from evodom.dominion.strategies.models.buy_lists import language
from evodom.dominion.strategies.record import Strategy, check_kingdom
from evodom.errors import UsageError

_SIGNS = {bits: sign for sign, bits in language.COMPARISONS.items()}

_PROVINCES_LEFT: language.Terms = ((("count_in_supply", "Province"), 1),)


def encode_rules(rules: Sequence[language.Rule], kingdom: Kingdom, strategy: Strategy) -> None:
    """Write rules into a record without those for cards outside the kingdom. Conditions count 0 of such cards.

    Raise UsageError for more rules, conditions or terms than a record has room for.
    """
    names, lists = kingdom.names, strategy["buy_lists"]
    rows: dict[str, list[Any]] = {name: [] for name in layout.TABLES}
    for rule in rules:
        if rule.card not in names:
            continue
        first = len(rows["conditions"])
        *bounds_of_rule, others = _split(rule)
        for condition in others:
            start = len(rows["terms"])
            for quantity, argument, factor in _term_rows(condition, kingdom):
                rows["terms"].append((quantity, argument))
                rows["factors"].append(factor)
            rows["conditions"].append((language.COMPARISONS[condition.comparison], start, len(rows["terms"])))
            rows["constants"].append(condition.constant)
        rows["rules"].append((names.index(rule.card), first, len(rows["conditions"])))
        rows["bounds"].append(bounds_of_rule)
    for table, found in rows.items():
        if len(found) > len(lists[table]):
            raise UsageError(f"the buy list has {len(found)} {table}. Allowed: up to {len(lists[table])}.")
        lists[table][:] = 0
    for table, found in rows.items():
        for index, row in enumerate(found):
            lists[table][index] = row
    lists["n_rules"] = len(rows["rules"])
    lists["type_masks"] = type_masks(kingdom)


def type_masks(kingdom: Kingdom) -> list[int]:
    """Return the mask of the piles of each type."""
    return [
        sum(1 << pile for pile, card in enumerate(kingdom.piles) if kind & card.types) for kind in layout.TYPES.values()
    ]


def _split(rule: language.Rule) -> tuple[int, int, tuple[language.Condition, ...]]:
    """Return a rule's bounds of owned cards and of Provinces left, and its other conditions."""
    own_below = provinces_at_most = layout.ANY_NUMBER
    others = rule.conditions
    if _is_bound(others, language.count_in_deck(rule.card), "<"):
        own_below, others = others[0].constant, others[1:]
    if _is_bound(others, _PROVINCES_LEFT, "<="):
        provinces_at_most, others = others[0].constant, others[1:]
    return own_below, provinces_at_most, others


def _is_bound(conditions: Sequence[language.Condition], terms: language.Terms, comparison: str) -> bool:
    """Return whether the first condition compares such terms with a number below ANY_NUMBER."""
    return (
        bool(conditions)
        and (conditions[0].terms, conditions[0].comparison) == (terms, comparison)
        and abs(conditions[0].constant) < layout.ANY_NUMBER
    )


def _term_rows(condition: language.Condition, kingdom: Kingdom) -> list[tuple[int, int, int]]:
    """Return the terms of a condition as rows (quantity, argument, factor), without cards outside the kingdom."""
    names, types = kingdom.names, tuple(layout.TYPES)
    rows: list[tuple[int, int, int]] = []
    for (name, argument), factor in condition.terms:
        number, kind = language.QUANTITIES[name]
        if kind == language.OF_CARD and argument in names:
            rows.append((number, names.index(argument), factor))
        elif kind == language.OF_TYPE:
            rows.append((number, types.index(argument), factor))
        elif kind == language.NO_ARGUMENT:
            rows.append((number, 0, factor))
    return rows


def decode(strategy: Strategy, kingdom: Kingdom) -> tuple[language.Rule, ...]:
    """Return the rules of a record. Raise UsageError for a strategy of another kingdom."""
    check_kingdom(strategy, kingdom.fingerprint)
    names, types = kingdom.names, tuple(layout.TYPES)
    lists: layout.BuyListColumns = strategy["buy_lists"]

    def term(place: int) -> tuple[language.Operand, int]:
        row = lists.terms[place]
        name = language.Quantity(int(row[layout.QUANTITY])).name.lower()
        kind, number = language.QUANTITIES[name][1], int(row[layout.ARGUMENT])
        argument = names[number] if kind == language.OF_CARD else types[number] if kind == language.OF_TYPE else ""
        return (name, argument), int(lists.factors[place])

    def condition(place: int) -> language.Condition:
        row = lists.conditions[place]
        terms = tuple(map(term, range(row[layout.FIRST_TERM], row[layout.END_TERM])))
        return language.Condition(terms, _SIGNS[int(row[layout.COMPARISON])], int(lists.constants[place]))

    def rule(place: int) -> language.Rule:
        row, bounds_of_rule = lists.rules[place], lists.bounds[place]
        card = names[row[layout.PILE]]
        leading = (
            (language.count_in_deck(card), "<", int(bounds_of_rule[layout.OWNED_BELOW])),
            (_PROVINCES_LEFT, "<=", int(bounds_of_rule[layout.PROVINCES_AT_MOST])),
        )
        leading_conditions = [
            language.Condition(terms, sign, number) for terms, sign, number in leading if number != layout.ANY_NUMBER
        ]
        return language.Rule(
            card, (*leading_conditions, *map(condition, range(row[layout.FIRST_CONDITION], row[layout.END_CONDITION])))
        )

    return tuple(map(rule, range(lists.n_rules)))


def is_sound(strategy: Strategy) -> bool:
    """Return whether all indices in the buy list of a record are valid, so that kernels can use it."""
    lists: layout.BuyListColumns = strategy["buy_lists"]
    if not 0 <= lists.n_rules <= layout.MAX_RULES:
        return False
    quantities, arguments = lists.terms[:, layout.QUANTITY], lists.terms[:, layout.ARGUMENT]

    def arguments_of(kind: int) -> IntArray:
        return arguments[
            np.isin(quantities, [number for number, other in language.QUANTITIES.values() if other == kind])
        ]

    return bool(
        _within(lists.rules[:, layout.PILE], N_MODEL_PILES - 1)
        and _within(lists.rules[:, [layout.FIRST_CONDITION, layout.END_CONDITION]], layout.MAX_CONDITIONS)
        and _within(lists.conditions[:, [layout.FIRST_TERM, layout.END_TERM]], layout.MAX_TERMS)
        and _within(arguments_of(language.OF_CARD), N_MODEL_PILES - 1)
        and _within(arguments_of(language.OF_TYPE), len(layout.TYPES) - 1)
    )


def _within(numbers: IntArray, maximum: int) -> bool:
    return bool((numbers <= maximum).all())
