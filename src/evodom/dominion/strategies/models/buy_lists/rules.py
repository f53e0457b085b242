"""The language of buy lists: conditions such as `count_in_deck(Smithy) < count_type_in_deck(Treasure) / 11`.

A condition compares two sums of quantities and numbers. It is stored as an exact inequality in integers, multiplied
out: 11 * count_in_deck(Smithy) < count_type_in_deck(Treasure). `encode_rules` writes rules into a strategy's record,
`decode` reads them.
"""

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import gcd, inf, lcm
from typing import Any

import numpy as np

from evodom.dominion.cards import find_card
from evodom.dominion.engine.compiler import pile_sizes
from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import IntArray
from evodom.dominion.strategies.models.buy_lists.columns import (
    ANY_NUMBER,
    ARGUMENT,
    COMPARISON,
    END_CONDITION,
    END_TERM,
    FIRST_CONDITION,
    FIRST_TERM,
    MAX_CONDITIONS,
    MAX_RULES,
    MAX_TERMS,
    OWNED_BELOW,
    PILE,
    PROVINCES_AT_MOST,
    QUANTITY,
    TABLES,
    TYPES,
    BuyListColumns,
)
from evodom.dominion.strategies.play.card_values import (
    DECK_VALUES,
    DECK_VALUES_IF_WANTED,
    HAND_VALUES,
    PLAY_ORDER,
    PLAY_ORDER_NO_CURSES,
    PLAY_ORDER_SPARE,
)
from evodom.dominion.strategies.play.option_values import OPTION_VALUES
from evodom.dominion.strategies.record import (
    ALL_PILES,
    COIN_FLOOR,
    COMPUTED,
    COMPUTED_VALUES,
    DECK,
    DISCARD_TO,
    HAND,
    PLAY,
    PUBLISHED_VALUES,
    TRASH_BELOW,
    Strategy,
    check_kingdom,
)
from evodom.errors import UsageError, did_you_mean, short

PLAY_USUAL, PLAY_SPARE, PLAY_NO_CURSES = 0, 1, 2
"""Rows of `Strategy.play`, orders of Actions: the usual order, the order with more than one Action left, and the order
without Curses, where 0 means the usual number.
"""

NO_ARGUMENT, OF_CARD, OF_TYPE = 0, 1, 2


class Quantity(IntEnum):
    """Quantities of conditions, as numbers in a record."""

    COUNT_IN_DECK = 0
    COUNT_IN_SUPPLY = 1
    COUNT_IN_HAND = 2
    COUNT_TYPE_IN_DECK = 3
    TOTAL_MONEY = 4
    TURN_NUMBER = 5
    GAINS_TO_END = 6
    EMPTY_PILES = 7
    CARDS_IN_DECK = 8
    VP = 9
    LEAD = 10
    COUNT_IN_PLAY = 11
    VP_TOKENS = 12
    COINS = 13
    BUYS = 14
    ACTION_PHASE = 15
    TERMINALS = 16
    OPPONENT_VP = 17
    AVAILABLE_MONEY = 18


_SIGNED = {quantity.name.lower() for quantity in (Quantity.VP, Quantity.LEAD, Quantity.OPPONENT_VP)}
"""Quantities that may be negative."""

_ARGUMENTS = {
    Quantity.COUNT_IN_DECK: OF_CARD,
    Quantity.COUNT_IN_SUPPLY: OF_CARD,
    Quantity.COUNT_IN_HAND: OF_CARD,
    Quantity.COUNT_IN_PLAY: OF_CARD,
    Quantity.COUNT_TYPE_IN_DECK: OF_TYPE,
}

QUANTITIES = {quantity.name.lower(): (quantity, _ARGUMENTS.get(quantity, NO_ARGUMENT)) for quantity in Quantity}
"""Quantities by their names in the language, with the kind of their arguments."""

COMPARISONS = {"<": 0b001, "<=": 0b011, ">": 0b100, ">=": 0b110, "==": 0b010, "!=": 0b101}
"""Comparisons as bits of the allowed results: less, equal, greater."""

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}

MAX_NUMBER = 1_000_000
"""The greatest factor or constant: sums stay far from the limits of 32 bits."""

_LONGEST_NUMBER = 12
"""Characters of a number in a condition: enough for MAX_NUMBER with decimals."""

_LONGEST_CONDITION = 2000
"""Characters of all conditions of a rule."""

MOST_CASES = 1000
"""Upper bound of the cases of a condition, so that nested parentheses cannot fill the memory."""

_SIGNS = {bits: sign for sign, bits in COMPARISONS.items()}
_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?!\w))|(?P<name>[A-Za-z_]\w*)|(?:<=|>=|==|!=|[-+*/()<>]))"
)
_ARGUMENT = re.compile(r"\s*\(([^()]*)\)")
_COMPARISON_OF = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="
}  # fmt: skip
_ALLOWED = "Allowed: comparisons such as 'count_in_deck(Smithy) < total_money / 11', with and, or and parentheses."

Operand = tuple[str, str]
"""A quantity and its argument ("count_in_deck", "Smithy"); ("", "") stands for the number 1."""

Sum = dict[Operand, Fraction]

Terms = tuple[tuple[Operand, int], ...]
"""Quantities with their factors."""

_PROVINCES_LEFT: Terms = ((("count_in_supply", "Province"), 1),)

_ONE: Operand = ("", "")


@dataclass(frozen=True, slots=True)
class Condition:
    """A sum of quantities with integer factors, compared with an integer; the first factor is positive."""

    terms: Terms
    comparison: str
    constant: int

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards it names."""
        return tuple(argument for (name, argument), _ in self.terms if QUANTITIES[name][1] == OF_CARD)


@dataclass(frozen=True, slots=True)
class Rule:
    """Buy ``card`` if all ``conditions`` hold."""

    card: str
    conditions: tuple[Condition, ...] = ()

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards it names, its own first."""
        return (self.card, *(name for condition in self.conditions for name in condition.cards))


Case = tuple[Condition, ...]
"""Conditions that all have to hold."""


def parse_rules(text: str) -> tuple[Rule, ...]:
    """Return the rules of a text, one for each case of its `or`. Raise UsageError for invalid text.

    "Duchy if A or B" is two rules in a row, "Duchy if A" and "Duchy if B": the list buys a Duchy if one of them holds.
    """
    if not isinstance(text, str):
        raise UsageError(f"a rule is {text!r}. Allowed: text such as 'Duchy if count_in_supply(Province) <= 4'.")
    card, *parts = " ".join(text.split()).split(" if ", maxsplit=1)
    if not card or card.split()[-1] == "if":
        raise UsageError(f"rule '{text}' needs a card before 'if' and a condition after it.")
    name = find_card(card).name
    cases = parse_cases(parts[0]) if parts else [()]
    if len(cases) > MAX_RULES:
        raise UsageError(f"rule '{text[:60]}' expands to {len(cases)} rules without 'or'. Allowed: up to {MAX_RULES}.")
    return tuple(Rule(name, case) for case in cases)


def parse_cases(text: str) -> list[Case]:
    """Return the cases of a condition, with `and`, `or` and parentheses expanded. Raise UsageError for invalid text.

    "(A or B) and C" has two cases: A and C, B and C. Quantities and numbers are replaced by names. The rest is a Python
    expression, parsed by Python's parser.
    """
    if len(text) > _LONGEST_CONDITION:
        raise UsageError(f"condition {short(text)} is {len(text)} characters long. Allowed: {_LONGEST_CONDITION}.")
    words: list[str] = []
    operands: dict[str, Sum] = {}
    place = 0
    while match := _TOKEN.match(text, place):
        word = match[0].strip()
        if match["number"] or match["name"] not in (None, "and", "or"):
            word = f"_{len(words)}"
            if match["number"]:
                operands[word] = _number(match["number"], text)
            else:
                key, place = _quantity(match["name"], text, match.end())
                operands[word] = {key: Fraction(1)}
        words.append(word)
        place = max(place, match.end())
    if rest := text[place:].strip():
        raise UsageError(f"condition '{text}' cannot be read from '{rest[:20]}' on. {_ALLOWED}")
    try:
        expression = ast.parse(" ".join(words), mode="eval").body
        return _cases(expression, operands, text)
    except (SyntaxError, RecursionError, MemoryError):
        raise UsageError(f"condition '{text}' cannot be read. {_ALLOWED}") from None


def _number(digits: str, text: str) -> Sum:
    if len(digits) > _LONGEST_NUMBER:
        raise UsageError(f"condition '{text}': {digits[:20]} is too long. Allowed: {_LONGEST_NUMBER} characters.")
    return {_ONE: Fraction(digits)}


def _quantity(name: str, text: str, place: int) -> tuple[Operand, int]:
    """Return a quantity with its argument, whose parentheses begin at ``place``, and the place behind it."""
    if name not in QUANTITIES:
        hint = did_you_mean(name, QUANTITIES) or f"Known: {', '.join(QUANTITIES)}."
        raise UsageError(f"condition '{text}': no quantity named '{name}'. {hint}")
    kind = QUANTITIES[name][1]
    if kind == NO_ARGUMENT:
        return (name, ""), place
    wanted = "a card" if kind == OF_CARD else f"one of {', '.join(TYPES)}"
    match = _ARGUMENT.match(text, place)
    argument = match[1].strip() if match else ""
    if kind == OF_CARD and match:
        return (name, find_card(argument).name), match.end()
    if not match or argument.capitalize() not in TYPES:
        found = f", got '{argument}'" if match else ""
        raise UsageError(f"condition '{text}': expected {wanted} in parentheses after {name}{found}.")
    return (name, argument.capitalize()), match.end()


def _cases(node: ast.expr, operands: Mapping[str, Sum], text: str) -> list[Case]:
    match node:
        case ast.BoolOp(op=ast.Or()):
            return _check_n_cases([case for value in node.values for case in _cases(value, operands, text)], text)
        case ast.BoolOp():
            found: list[Case] = [()]
            for value in node.values:
                pairs = product(found, _cases(value, operands, text))
                found = _check_n_cases([(*before, *case) for before, case in pairs], text)
            return found
        case ast.Compare(left=left, ops=[sign], comparators=[right]):
            difference = _add_scaled(_sum(left, operands, text), _sum(right, operands, text), -1)
            constant = -difference.pop(_ONE, Fraction(0))
            return [(_integer_condition(text, difference, _COMPARISON_OF[type(sign)], constant),)]
    raise UsageError(f"condition '{text}': expected a comparison ({', '.join(COMPARISONS)}). {_ALLOWED}")


def _check_n_cases(cases: list[Case], text: str) -> list[Case]:
    if len(cases) > MOST_CASES:
        given = text.strip()[:60]
        raise UsageError(f"'{given}' expands to {len(cases)} cases without 'or'. Allowed: up to {MOST_CASES}.")
    return cases


def _sum(node: ast.expr, operands: Mapping[str, Sum], text: str) -> Sum:
    """Return an expression of quantities, numbers, + - * and / as a sum of quantities with factors."""
    match node:
        case ast.Name(id=name):
            return operands[name]
        case ast.UnaryOp(op=sign, operand=operand):
            return _add_scaled({}, _sum(operand, operands, text), -1 if isinstance(sign, ast.USub) else 1)
        case ast.BinOp(left=first, op=ast.Add() | ast.Sub() as sign, right=second):
            factor = 1 if isinstance(sign, ast.Add) else -1
            return _add_scaled(_sum(first, operands, text), _sum(second, operands, text), factor)
        case ast.BinOp(left=first, op=sign, right=second):
            value, other = _sum(first, operands, text), _sum(second, operands, text)
            if isinstance(sign, ast.Mult) and set(value) <= {_ONE}:
                value, other = other, value
            if not set(other) <= {_ONE}:
                found = _format_term(next(iter(other)), 1)
                raise UsageError(f"condition '{text}': expected a number as factor or divisor, got '{found}'.")
            number = other.get(_ONE, Fraction(0))
            if isinstance(sign, ast.Div) and number == 0:
                raise UsageError(f"condition '{text}': expected a divisor that is not 0.")
            return _add_scaled({}, value, number if isinstance(sign, ast.Mult) else 1 / number)
    raise UsageError(f"condition '{text}': expected a number or one of {', '.join(QUANTITIES)}. {_ALLOWED}")


def format_rule(rule: Rule) -> str:
    """Return a rule as text that `parse_rules` reads."""
    conditions = " and ".join(format_condition(condition) for condition in rule.conditions)
    return f"{rule.card} if {conditions}" if conditions else rule.card


def format_condition(condition: Condition) -> str:
    """Return a condition as text that `parse_cases` reads. Terms with a negative factor are on the right side."""
    left = [_format_term(key, factor) for key, factor in condition.terms if factor > 0]
    right = [_format_term(key, -factor) for key, factor in condition.terms if factor < 0]
    if condition.constant < 0:
        left.append(str(-condition.constant))
    elif condition.constant:
        right.append(str(condition.constant))
    right = right or ["0"]
    return f"{' + '.join(left)} {condition.comparison} {' + '.join(right)}"


def encode_rules(rules: Sequence[Rule], kingdom: Kingdom, strategy: Strategy) -> None:
    """Write rules into a record. Rules for cards outside the kingdom are left out; conditions count 0 of such cards.

    Raise UsageError for more rules, conditions or terms than a record has room for.
    """
    names, lists = kingdom.names, strategy["buy_lists"]
    rows: dict[str, list[Any]] = {name: [] for name in TABLES}
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
            rows["conditions"].append((COMPARISONS[condition.comparison], start, len(rows["terms"])))
            rows["constants"].append(condition.constant)
        rows["rules"].append((names.index(rule.card), first, len(rows["conditions"])))
        rows["bounds"].append(bounds_of_rule)
    for what, found in rows.items():
        if len(found) > len(lists[what]):
            raise UsageError(f"the buy list has {len(found)} {what}. Allowed: up to {len(lists[what])}.")
        lists[what][:] = 0
    for what, found in rows.items():
        for index, row in enumerate(found):
            lists[what][index] = row
    lists["n_rules"] = len(rows["rules"])
    lists["type_masks"] = type_masks(kingdom)


def type_masks(kingdom: Kingdom) -> list[int]:
    """Return the mask of the piles of each type."""
    return [sum(1 << pile for pile, card in enumerate(kingdom.piles) if kind & card.types) for kind in TYPES.values()]


def count_in_deck(card: str) -> Terms:
    """Return the terms that count the owned cards of a name."""
    return ((("count_in_deck", card), 1),)


def bounds(condition: Condition) -> tuple[int | None, int | None]:
    """Return the least and the greatest total allowed by a condition; None for no bound."""
    sign, constant = condition.comparison, condition.constant
    least = {">=": constant, ">": constant + 1, "==": constant}.get(sign)
    return least, {"<=": constant, "<": constant - 1, "==": constant}.get(sign)


def at_full_piles(rules: Sequence[Rule], kingdom: Kingdom, n_seats: int) -> tuple[Rule, ...]:
    """Return rules for one number of players: quantities are compared with full piles instead of the cards left.

    With two players, `gains_to_end <= 2/3 * count_in_supply(Estate)` becomes `gains_to_end <= 5`.
    """
    sizes = dict(zip(kingdom.names, pile_sizes(kingdom.piles, n_seats), strict=True))
    return tuple(
        replace(rule, conditions=tuple(_at_full_pile(condition, sizes) for condition in rule.conditions))
        for rule in rules
    )


def _at_full_pile(condition: Condition, sizes: Mapping[str, int]) -> Condition:
    match condition.terms:
        case ((operand, factor), (("count_in_supply", card), negative)) if negative < 0 and card in sizes:
            least, most = bounds(replace(condition, constant=condition.constant - negative * sizes[card]))
            if most is not None and least is None:
                return Condition(((operand, 1),), "<=", most // factor)
            if least is not None and most is None:
                return Condition(((operand, 1),), ">=", -(-least // factor))
    return condition


def owned_limit(condition: Condition, card: str) -> int | None:
    """Return the limit of owned cards that a condition sets for a card, or None for other conditions."""
    least, most = bounds(condition)
    is_limit = condition.terms == count_in_deck(card) and least is None and most is not None
    return max(0, (most or 0) + 1) if is_limit else None


def _split(rule: Rule) -> tuple[int, int, tuple[Condition, ...]]:
    """Return the two common conditions of a rule, owned cards and Provinces left, and its other conditions."""
    own_below = provinces_at_most = ANY_NUMBER
    others = rule.conditions
    if _is_bound(others, count_in_deck(rule.card), "<"):
        own_below, others = others[0].constant, others[1:]
    if _is_bound(others, _PROVINCES_LEFT, "<="):
        provinces_at_most, others = others[0].constant, others[1:]
    return own_below, provinces_at_most, others


def _is_bound(conditions: Sequence[Condition], terms: Terms, comparison: str) -> bool:
    """Return whether the first condition compares such terms with a number below ANY_NUMBER."""
    return (
        bool(conditions)
        and (conditions[0].terms, conditions[0].comparison) == (terms, comparison)
        and abs(conditions[0].constant) < ANY_NUMBER
    )


def _term_rows(condition: Condition, kingdom: Kingdom) -> list[tuple[int, int, int]]:
    """Return the terms of a condition as rows (quantity, argument, factor), without cards outside the kingdom."""
    names, types = kingdom.names, tuple(TYPES)
    rows: list[tuple[int, int, int]] = []
    for (name, argument), factor in condition.terms:
        number, kind = QUANTITIES[name]
        if kind == OF_CARD and argument in names:
            rows.append((number, names.index(argument), factor))
        elif kind == OF_TYPE:
            rows.append((number, types.index(argument), factor))
        elif kind == NO_ARGUMENT:
            rows.append((number, 0, factor))
    return rows


def decode(strategy: Strategy, kingdom: Kingdom) -> tuple[Rule, ...]:
    """Return the rules of a record. Raise UsageError for a strategy of another kingdom."""
    check_kingdom(strategy, kingdom.fingerprint)
    names, types = kingdom.names, tuple(TYPES)
    lists: BuyListColumns = strategy["buy_lists"]

    def term(place: int) -> tuple[Operand, int]:
        row = lists.terms[place]
        name = Quantity(int(row[QUANTITY])).name.lower()
        kind, number = QUANTITIES[name][1], int(row[ARGUMENT])
        argument = names[number] if kind == OF_CARD else types[number] if kind == OF_TYPE else ""
        return (name, argument), int(lists.factors[place])

    def condition(place: int) -> Condition:
        row = lists.conditions[place]
        terms = tuple(map(term, range(row[FIRST_TERM], row[END_TERM])))
        return Condition(terms, _SIGNS[int(row[COMPARISON])], int(lists.constants[place]))

    def rule(place: int) -> Rule:
        row, bounds_of_rule = lists.rules[place], lists.bounds[place]
        card = names[row[PILE]]
        leading = (
            (count_in_deck(card), "<", int(bounds_of_rule[OWNED_BELOW])),
            (_PROVINCES_LEFT, "<=", int(bounds_of_rule[PROVINCES_AT_MOST])),
        )
        said = [Condition(terms, sign, number) for terms, sign, number in leading if number != ANY_NUMBER]
        return Rule(card, (*said, *map(condition, range(row[FIRST_CONDITION], row[END_CONDITION]))))

    return tuple(map(rule, range(lists.n_rules)))


def effective_rules(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """Return the rules without unreachable and repeated ones, and without conditions that others imply.

    A rule is unreachable if its conditions contradict each other, or if one never holds, such as a limit of 0 owned
    cards. It is also unreachable if earlier rules for the same card together hold wherever it does. It is repeated if
    its conditions imply those of the next rule, and the next rule is for the same card.
    """
    kept: list[Rule] = []
    for rule in map(_with_needed_conditions, rules):
        region, same = _region(rule.card, rule.conditions), [other for other in kept if other.card == rule.card]
        if region is None or any(_covers(other, rule) for other in same):
            continue
        if not _is_covered(region, [_region(rule.card, other.conditions) or {} for other in same]):
            kept.append(rule)
    merged: list[Rule] = []
    for rule in reversed(kept):
        if not merged or not _covers(merged[-1], rule):
            merged.append(rule)
    return tuple(reversed(merged))


Range = tuple[float, float]
Region = dict[Terms | Condition, Range]
"""The totals at which a rule may hold: the range of each sum. A condition with `!=` is 0 or 1, false or true."""

_LEAST = {"turn_number": 1}
"""Minima of quantities that are never 0."""

MAX_PIECES = 64
"""Maximum number of parts into which rules divide the region of another. A rule with more counts as reachable."""


def _range(condition: Condition) -> tuple[Terms | Condition, Range]:
    """Return the sum of a condition, or a condition with `!=` itself, and the range in which it holds."""
    if condition.comparison == "!=":
        return condition, (1, 1)
    least, most = bounds(condition)
    return condition.terms, (-inf if least is None else least, inf if most is None else most)


def _possible_range(compared: Terms | Condition) -> Range:
    """Return the range of a sum without any condition."""
    if isinstance(compared, Condition):
        return 0, 1
    if any(factor < 0 or name in _SIGNED for (name, _), factor in compared):
        return -inf, inf
    return sum(factor * _LEAST.get(name, 0) for (name, _), factor in compared), inf


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


def is_sound(strategy: Strategy) -> bool:
    """Return whether all indices in the buy list of a record are valid, so that kernels can use it."""
    lists: BuyListColumns = strategy["buy_lists"]
    if not 0 <= lists.n_rules <= MAX_RULES:
        return False
    quantities, arguments = lists.terms[:, QUANTITY], lists.terms[:, ARGUMENT]

    def arguments_of(kind: int) -> IntArray:
        return arguments[np.isin(quantities, [number for number, other in QUANTITIES.values() if other == kind])]

    return bool(
        _within(lists.rules[:, PILE], N_MODEL_PILES - 1)
        and _within(lists.rules[:, [FIRST_CONDITION, END_CONDITION]], MAX_CONDITIONS)
        and _within(lists.conditions[:, [FIRST_TERM, END_TERM]], MAX_TERMS)
        and _within(arguments_of(OF_CARD), N_MODEL_PILES - 1)
        and _within(arguments_of(OF_TYPE), len(TYPES) - 1)
    )


def _within(numbers: IntArray, greatest: int) -> bool:
    return bool((numbers <= greatest).all())


def _format_term(key: Operand, factor: int) -> str:
    name, argument = key
    quantity = f"{name}({argument})" if argument else name
    return quantity if factor == 1 else f"{factor} * {quantity}"


def _integer_condition(text: str, terms: Sum, comparison: str, constant: Fraction) -> Condition:
    """Return a condition with its factors and constant multiplied out to the smallest integers."""
    terms = {key: factor for key, factor in terms.items() if factor}
    if not terms:
        raise UsageError(f"condition '{text}' compares nothing that changes. Known: {', '.join(QUANTITIES)}.")
    scale = lcm(*(number.denominator for number in (constant, *terms.values())))
    shared = gcd(*(int(number * scale) for number in (constant, *terms.values())))
    if next(iter(terms.values())) < 0:
        scale, comparison = -scale, _MIRRORED[comparison]
    signed = sorted(terms.items(), key=lambda term: term[1] * scale < 0)
    numbers = {key: int(factor * scale) // shared for key, factor in signed}
    limit = int(constant * scale) // shared
    if max(abs(limit), *map(abs, numbers.values())) > MAX_NUMBER:
        raise UsageError(f"condition '{text}' has too large a number. Allowed: up to {MAX_NUMBER} once multiplied out.")
    return Condition(tuple(numbers.items()), comparison, limit)


def _add_scaled(left: Sum, right: Sum, factor: int | Fraction) -> Sum:
    total = dict(left)
    for key, value in right.items():
        total[key] = total.get(key, Fraction(0)) + factor * value
    return total


def usual_numbers(play_values: int) -> dict[str, int]:
    """Return the default numbers of a file by key, for a named set of play values."""
    if play_values == PUBLISHED_VALUES:
        return {"trash_below": TRASH_BELOW, "coin_floor": COIN_FLOOR, "discard_to": DISCARD_TO}
    return {"trash_below": TRASH_BELOW, "coin_floor": COMPUTED, "discard_to": COMPUTED}


def computed_piles(names: Sequence[str], explicit: Collection[str]) -> int:
    """Return the mask of all piles but those of the cards with ``explicit`` values."""
    return ALL_PILES & ~sum(1 << pile for pile, name in enumerate(names) if name in explicit)


NEVER_PLAYED = 99
"""The number in `play` of a card that is not an Action."""


@dataclass(frozen=True)
class BuyList:
    """The content of a buy list. Cards outside a table have the values of the set ``play_values``.

    ``buy`` are rules as text, such as "Duchy if count_in_supply(Province) <= 4". The first rule that holds is followed.
    With ``endgame_check`` no gain ends the game if an opponent would win.
    """

    buy: tuple[str, ...]
    endgame_check: bool = False
    play_values: int = COMPUTED_VALUES
    play: dict[str, int] = field(default_factory=dict)
    play_with_spare_actions: dict[str, int] = field(default_factory=dict)
    play_without_curses: dict[str, int] = field(default_factory=dict)
    hand_value: dict[str, int] = field(default_factory=dict)
    deck_value: dict[str, int] = field(default_factory=dict)
    deck_value_if_wanted: dict[str, int] = field(default_factory=dict)
    trash_below: int | None = None
    coin_floor: int | None = None
    discard_to: int | None = None
    option_values: dict[str, float] = field(default_factory=dict)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The parsed rules, one for each case of an `or`. Raises UsageError for an invalid rule."""
        return tuple(rule for text in self.buy for rule in parse_rules(text))

    @property
    def cards(self) -> tuple[str, ...]:
        """All cards named in the rules, each once."""
        return tuple(dict.fromkeys(name for rule in self.rules for name in rule.cards))

    def encode(self, kingdom: Kingdom, strategy: Strategy) -> None:
        """Write the list into a blank record, without rules for cards outside the kingdom."""
        encode_rules(self.rules, kingdom, strategy)
        strategy["buy_lists"].endgame_check = self.endgame_check
        for (column, row), numbers in self.card_tables(kingdom.names).items():
            target = strategy[column] if row is None else strategy[column][row]
            target[: len(numbers)] = numbers
        strategy.option_values[:] = tuple((OPTION_VALUES | self.option_values).values())
        strategy.uses_card_values = 1
        strategy.play_values = self.play_values
        is_published = self.play_values == PUBLISHED_VALUES
        for key, usual in usual_numbers(self.play_values).items():
            number = getattr(self, key)
            strategy[key] = usual if number is None else number
        explicit = {HAND: self.hand_value, DECK: self.deck_value | self.deck_value_if_wanted}
        explicit[PLAY] = self.play | self.play_with_spare_actions
        for row, table in explicit.items():
            strategy.computed[row] = 0 if is_published else computed_piles(kingdom.names, table)

    def card_tables(self, names: Sequence[str]) -> Mapping[tuple[str, int | None], list[int]]:
        """Return the number of each named pile for each column and row of a record."""
        usual = PLAY_ORDER | self.play
        spare = usual | {name: n for name, n in PLAY_ORDER_SPARE.items() if name not in self.play}
        # A number in `play` overrides the next two tables.
        without_curses = {name: n for name, n in PLAY_ORDER_NO_CURSES.items() if name not in self.play}
        tables: dict[tuple[str, int | None], tuple[dict[str, int], int]] = {
            ("play", PLAY_USUAL): (usual, NEVER_PLAYED),
            ("play", PLAY_SPARE): (spare | self.play_with_spare_actions, NEVER_PLAYED),
            ("play", PLAY_NO_CURSES): (without_curses | self.play_without_curses, 0),
            ("hand_value", None): (HAND_VALUES | self.hand_value, 0),
            ("deck_value", None): (DECK_VALUES | self.deck_value, 0),
            ("deck_value_if_wanted", None): (DECK_VALUES_IF_WANTED | self.deck_value_if_wanted, 0),
        }
        return {place: [table.get(name, missing) for name in names] for place, (table, missing) in tables.items()}
