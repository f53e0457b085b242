"""The language of buy lists: conditions such as `count_in_deck(Smithy) < count_type_in_deck(Treasure) / 11`.

A condition compares two sums of quantities and numbers. It is stored as an inequality with integer factors:
11 * count_in_deck(Smithy) < count_type_in_deck(Treasure).
"""

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from fractions import Fraction
from itertools import product
from math import gcd, lcm

from evodom.dominion.cards import find_card
from evodom.dominion.engine.compiler import pile_sizes
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.models.buy_lists.columns import MAX_RULES, TYPES
from evodom.errors import UsageError, did_you_mean, short

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
    EXCESS_TERMINALS = 19


SIGNED = {
    quantity.name.lower() for quantity in (Quantity.VP, Quantity.LEAD, Quantity.OPPONENT_VP, Quantity.EXCESS_TERMINALS)
}
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
"""Maximum factor or constant. Sums stay far from the limits of 32 bits."""

_MAX_NUMBER_LENGTH = 12
"""Maximum length of a number in a condition. It is enough for MAX_NUMBER with decimals."""

_MAX_CONDITION_LENGTH = 2000
"""Maximum length of the text of all conditions of a rule."""

MAX_CASES = 1000
"""Maximum number of cases of a condition, so that nested parentheses cannot fill the memory."""

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

_ONE: Operand = ("", "")


@dataclass(frozen=True, slots=True)
class Condition:
    """A sum of quantities with integer factors, compared with an integer; the first factor is positive."""

    terms: Terms
    comparison: str
    constant: int

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that the condition names."""
        return tuple(argument for (name, argument), _ in self.terms if QUANTITIES[name][1] == OF_CARD)


@dataclass(frozen=True, slots=True)
class Rule:
    """Buy ``card`` if all ``conditions`` hold."""

    card: str
    conditions: tuple[Condition, ...] = ()

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that the rule names, the bought card first."""
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
    if len(text) > _MAX_CONDITION_LENGTH:
        raise UsageError(f"condition {short(text)} is {len(text)} characters long. Allowed: {_MAX_CONDITION_LENGTH}.")
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
        return _cases(ast.parse(" ".join(words), mode="eval").body, operands, text)
    except (SyntaxError, RecursionError, MemoryError):
        raise UsageError(f"condition '{text}' cannot be read. {_ALLOWED}") from None


def _number(digits: str, text: str) -> Sum:
    if len(digits) > _MAX_NUMBER_LENGTH:
        raise UsageError(f"condition '{text}': {digits[:20]} is too long. Allowed: {_MAX_NUMBER_LENGTH} characters.")
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
    if len(cases) > MAX_CASES:
        given = text.strip()[:60]
        raise UsageError(f"'{given}' expands to {len(cases)} cases without 'or'. Allowed: up to {MAX_CASES}.")
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


def count_in_deck(card: str) -> Terms:
    """Return the terms that count the owned cards of a name."""
    return ((("count_in_deck", card), 1),)


def bounds(condition: Condition) -> tuple[int | None, int | None]:
    """Return the minimum and the maximum total that a condition allows; None for no bound."""
    sign, constant = condition.comparison, condition.constant
    least = {">=": constant, ">": constant + 1, "==": constant}.get(sign)
    return least, {"<=": constant, "<": constant - 1, "==": constant}.get(sign)


def at_full_piles(rules: Sequence[Rule], kingdom: Kingdom, n_seats: int) -> tuple[Rule, ...]:
    """Return rules for ``n_seats`` players. Comparisons with the cards left in a pile become bounds for a full pile.

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
