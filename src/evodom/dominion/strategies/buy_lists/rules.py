"""The language of buy lists: conditions such as `count_in_deck(Smithy) < count_type_in_deck(Treasure) / 11`.

A condition compares two sums of quantities and numbers. It is stored as an exact inequality in integers, multiplied
out: 11 * count_in_deck(Smithy) < count_type_in_deck(Treasure). `encode_rules` writes rules into a strategy's record,
`decode` reads them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from itertools import product
from math import gcd, lcm
from typing import Any

import numpy as np

from evodom.dominion.cards import CARDS, find_card
from evodom.dominion.engine.effects import Type
from evodom.dominion.engine.rules import N_PILES
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.columns import check_kingdom
from evodom.dominion.strategies.model import Column, Strategy
from evodom.errors import UsageError

Case = tuple[str, ...]
"""Comparisons that all have to hold."""

MOST_CASES = 1000
"""More cases than any list has room for: a rule of many parentheses is refused before it fills the memory."""

_WORDS = re.compile(r"[()]|\b(?:and|or)\b")
_COMPARISON = re.compile(r"[<>=!]")


def cases_of(text: str) -> list[Case]:
    """Return the cases of a rule's conditions; raises UsageError for more than MOST_CASES."""
    parts = _split_at(text, "or")
    if len(parts) > 1:
        return _few([case for part in parts for case in cases_of(part)], text)
    parts = _split_at(text, "and")
    if len(parts) > 1:
        found: list[Case] = [()]
        for part in parts:
            found = _few([(*before, *case) for before, case in product(found, cases_of(part))], text)
        return found
    inside = _unwrapped(text)
    return cases_of(inside) if inside else [(text.strip(),)]


def _split_at(text: str, word: str) -> list[str]:
    """Return the parts of a text between the words ``word`` that stand in no parentheses."""
    parts, depth, start = [], 0, 0
    for found in _WORDS.finditer(text):
        depth += (found[0] == "(") - (found[0] == ")")
        if depth == 0 and found[0] == word:
            parts.append(text[start : found.start()])
            start = found.end()
    return [*parts, text[start:]]


def _unwrapped(text: str) -> str:
    """Return what stands in parentheses around a whole text with a comparison in it, else ""."""
    text = text.strip()
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and place < len(text) - 1:
            return ""
    wraps = text.startswith("(") and text.endswith(")") and _COMPARISON.search(text)
    return text[1:-1] if wraps else ""


def _few(cases: list[Case], text: str) -> list[Case]:
    if len(cases) > MOST_CASES:
        raise UsageError(f"'{text.strip()[:60]}' has {len(cases)} cases without 'or'. Allowed: up to {MOST_CASES}.")
    return cases


MAX_RULES, MAX_CONDITIONS, MAX_TERMS = 32, 64, 96
"""The room of a list: rules, conditions of them all, terms of those."""

PILE, FIRST_CONDITION, END_CONDITION, OWN_BELOW, PROVINCES_AT_MOST = range(5)
"""A rule: what it buys, its first condition and the one after its last, and two conditions that nearly all lists have:
to own fewer than so many of the pile, and to have at most so many Provinces left."""

COMPARISON, FIRST_TERM, END_TERM, CONSTANT = range(4)
"""A condition: the sum of its terms, from the first to before the one after its last, compared with a constant."""

QUANTITY, ARGUMENT, FACTOR = range(3)
"""A term: a quantity (see `conditions`) of a pile or a mask of piles, times a factor."""

ANY_NUMBER = 2_000_000
"""OWN_BELOW and PROVINCES_AT_MOST of a rule that does not ask for them: more than any number of a condition."""

PLAY_USUAL, PLAY_SPARE, PLAY_NO_CURSES = 0, 1, 2
"""Which number of an Action holds when: usually, with more than one Action left, without Curses left (unless 0)."""

COLUMNS: tuple[Column, ...] = (
    # The first rule whose pile can be had and whose conditions hold is followed.
    ("n_rules", "<i4"),
    ("rules", "<i4", (MAX_RULES, 5)),
    ("conditions", "<i4", (MAX_CONDITIONS, 4)),
    ("terms", "<i4", (MAX_TERMS, 3)),
    # With `endgame_check` nothing is bought or gained that ends the game lost. The Action with the lowest number is
    # played first. A card for which a rule holds is worth `worth_while_wanted` to own, unless that is 0. Cards worth at
    # most `discard_to` in hand are discarded where one may (Cellar, Sentry).
    ("endgame_check", "<i4"),
    ("play", "<i4", (3, N_PILES)),
    ("worth_while_wanted", "<i4", (N_PILES,)),
    ("discard_to", "<i4"),
)


COUNT_IN_DECK, COUNT_IN_SUPPLY, COUNT_IN_HAND, COUNT_TYPE_IN_DECK = 0, 1, 2, 3
TOTAL_MONEY, TURN_NUMBER, GAINS_TO_END, EMPTY_PILES, CARDS_IN_DECK, VP, LEAD = 4, 5, 6, 7, 8, 9, 10

NO_ARGUMENT, OF_CARD, OF_TYPE = 0, 1, 2

QUANTITIES = {
    "count_in_deck": (COUNT_IN_DECK, OF_CARD),
    "count_in_supply": (COUNT_IN_SUPPLY, OF_CARD),
    "count_in_hand": (COUNT_IN_HAND, OF_CARD),
    "count_type_in_deck": (COUNT_TYPE_IN_DECK, OF_TYPE),
    "total_money": (TOTAL_MONEY, NO_ARGUMENT),
    "turn_number": (TURN_NUMBER, NO_ARGUMENT),
    "gains_to_end": (GAINS_TO_END, NO_ARGUMENT),
    "empty_piles": (EMPTY_PILES, NO_ARGUMENT),
    "cards_in_deck": (CARDS_IN_DECK, NO_ARGUMENT),
    "vp": (VP, NO_ARGUMENT),
    "lead": (LEAD, NO_ARGUMENT),
}
"""What a condition can ask for: its number in a record, and what stands in its parentheses."""

COMPARISONS = {"<": 0b001, "<=": 0b011, ">": 0b100, ">=": 0b110, "==": 0b010, "!=": 0b101}
"""The comparisons with the bits of what they allow: to be less, equal, greater."""

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}

MAX_NUMBER = 1_000_000
"""The greatest factor or constant: sums stay far from the limits of 32 bits."""

TYPES = {kind.name.capitalize(): kind for kind in Type if kind.name}

_LONGEST_NUMBER = 12
"""Characters of a number in a condition: enough for MAX_NUMBER with decimals."""

_DEEPEST = 20
"""How many parentheses and signs may stand within each other."""

_SIGNS = {bits: sign for sign, bits in COMPARISONS.items()}
_NAMES = {number: name for name, (number, _) in QUANTITIES.items()}
_TOKEN = re.compile(r"\s*(?:(\d+\.?\d*|\.\d+)|([A-Za-z_]\w*)|(<=|>=|==|!=|[-+*/()<>]))")

Key = tuple[str, str]
"""A quantity and its argument ("count_in_deck", "Smithy"); ("", "") stands for the number 1."""

Sum = dict[Key, Fraction]

Terms = tuple[tuple[Key, int], ...]
"""Quantities with their factors."""

_PROVINCES_LEFT: Terms = ((("count_in_supply", "Province"), 1),)

_ONE: Key = ("", "")


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


def parse_rules(text: str) -> tuple[Rule, ...]:
    """Return the rules of a text, one for each case of its `or`; raises UsageError.

    "Duchy if A or B" is two rules in a row, "Duchy if A" and "Duchy if B": the list buys a Duchy if one of them holds.
    """
    if not isinstance(text, str):
        raise UsageError(f"a rule is {text!r}. Allowed: text such as 'Duchy if count_in_supply(Province) <= 4'.")
    card, *parts = re.split(r"\s+if\s+", text.strip(), maxsplit=1)
    if not card or card.split()[-1] == "if":
        raise UsageError(f"rule '{text}' says no condition after 'if', or no card before it.")
    name = find_card(card).name
    cases = cases_of(parts[0]) if parts else [()]
    if len(cases) > MAX_RULES:
        raise UsageError(f"rule '{text[:60]}' is {len(cases)} rules without 'or'. Allowed: up to {MAX_RULES}.")
    return tuple(Rule(name, tuple(parse_condition(condition) for condition in case)) for case in cases)


def format_rule(rule: Rule) -> str:
    """Return a rule as text that `parse_rules` reads."""
    conditions = " and ".join(format_condition(condition) for condition in rule.conditions)
    return f"{rule.card} if {conditions}" if conditions else rule.card


def parse_condition(text: str) -> Condition:
    """Return the condition of a text; a UsageError tells what is wrong, where, and what is allowed."""
    if not isinstance(text, str):
        raise UsageError(f"a condition is {text!r}. Allowed: text such as 'count_in_deck(Smithy) < 2'.")
    parser = _Parser(text)
    left = parser.sum()
    comparison = parser.take()
    if comparison not in COMPARISONS:
        raise parser.error(f"a comparison ({', '.join(COMPARISONS)})", comparison)
    right = parser.sum()
    if parser.peek():
        raise parser.error("the end of the condition", parser.take())
    difference = _added(left, right, -1)
    constant = -difference.pop(_ONE, Fraction(0))
    return _normal(text, difference, comparison, constant)


def format_condition(condition: Condition) -> str:
    """Return a condition as text that `parse_condition` reads: no minus sign, each quantity on the side it adds to."""
    left = [_term(key, factor) for key, factor in condition.terms if factor > 0]
    right = [_term(key, -factor) for key, factor in condition.terms if factor < 0]
    if condition.constant < 0:
        left.append(str(-condition.constant))
    elif condition.constant:
        right.append(str(condition.constant))
    right = right or ["0"]
    return f"{' + '.join(left)} {condition.comparison} {' + '.join(right)}"


def encode_rules(rules: Sequence[Rule], kingdom: Kingdom, strategy: Strategy) -> None:
    """Write rules into a record, but those for cards outside a kingdom, of which there are 0 for a condition too.

    Raises UsageError for more rules, conditions or terms than a record has room for.
    """
    names = kingdom.names
    table: dict[str, list[tuple[int, ...]]] = {"rules": [], "conditions": [], "terms": []}
    for rule in rules:
        if rule.card not in names:
            continue
        first = len(table["conditions"])
        own_below, provinces_at_most, others = _split(rule)
        for condition in others:
            start = len(table["terms"])
            table["terms"] += _term_rows(condition, kingdom)
            comparison = COMPARISONS[condition.comparison]
            table["conditions"].append((comparison, start, len(table["terms"]), condition.constant))
        end = len(table["conditions"])
        table["rules"].append((names.index(rule.card), first, end, own_below, provinces_at_most))
    for what, rows in table.items():
        if len(rows) > len(strategy[what]):
            raise UsageError(f"the buy list has {len(rows)} {what}. Allowed: up to {len(strategy[what])}.")
        for index, row in enumerate(rows):
            strategy[what][index] = row
    strategy.n_rules = len(table["rules"])


def _own(card: str) -> Terms:
    return ((("count_in_deck", card), 1),)


def _split(rule: Rule) -> tuple[int, int, tuple[Condition, ...]]:
    """Return what a rule begins with, so few of the card owned and so few Provinces left, and its other conditions."""
    own_below = provinces_at_most = ANY_NUMBER
    others = rule.conditions
    if others and (others[0].terms, others[0].comparison) == (_own(rule.card), "<"):
        own_below, others = others[0].constant, others[1:]
    if others and (others[0].terms, others[0].comparison) == (_PROVINCES_LEFT, "<="):
        provinces_at_most, others = others[0].constant, others[1:]
    return own_below, provinces_at_most, others


def _term_rows(condition: Condition, kingdom: Kingdom) -> list[tuple[int, ...]]:
    """Return the terms of a condition as (quantity, argument, factor); of a card outside the kingdom there are 0."""
    piles = kingdom.piles
    names = [card.name for card in piles]
    rows: list[tuple[int, ...]] = []
    for (name, argument), factor in condition.terms:
        number, kind = QUANTITIES[name]
        if kind == OF_CARD and argument in names:
            rows.append((number, names.index(argument), factor))
        elif kind == OF_TYPE:
            rows.append((number, sum(1 << p for p, card in enumerate(piles) if TYPES[argument] & card.types), factor))
        elif kind == NO_ARGUMENT:
            rows.append((number, 0, factor))
    return rows


def decode(strategy: Strategy, kingdom: Kingdom) -> tuple[Rule, ...]:
    """Return the rules of a record; raises UsageError for a strategy of another kingdom."""
    check_kingdom(strategy, kingdom.fingerprint)
    names = kingdom.names
    masks = {
        sum(1 << pile for pile, name in enumerate(names) if CARDS[name].types & kind): name
        for name, kind in reversed(TYPES.items())
    }

    def term(row: Any) -> tuple[Key, int]:
        name = _NAMES[int(row[QUANTITY])]
        kind, place = QUANTITIES[name][1], int(row[ARGUMENT])
        argument = names[place] if kind == OF_CARD else masks[place] if kind == OF_TYPE else ""
        return (name, argument), int(row[FACTOR])

    def condition(row: Any) -> Condition:
        terms = tuple(term(each) for each in strategy.terms[row[FIRST_TERM] : row[END_TERM]])
        return Condition(terms, _SIGNS[int(row[COMPARISON])], int(row[CONSTANT]))

    def rule(row: Any) -> Rule:
        card = names[row[PILE]]
        leading = ((_own(card), "<", int(row[OWN_BELOW])), (_PROVINCES_LEFT, "<=", int(row[PROVINCES_AT_MOST])))
        said = [Condition(terms, sign, number) for terms, sign, number in leading if number != ANY_NUMBER]
        others = strategy.conditions[row[FIRST_CONDITION] : row[END_CONDITION]]
        return Rule(card, (*said, *map(condition, others)))

    return tuple(rule(row) for row in strategy.rules[: strategy.n_rules])


def effective_rules(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """Return the rules without those that can never be the first to hold.

    A rule never is that wants fewer than none of its card, or that asks for all an earlier one of its card asks for.
    """
    kept: list[Rule] = []
    for rule in rules:
        hopeless = any(
            (each.terms, each.comparison) == (_own(rule.card), "<") and each.constant <= 0 for each in rule.conditions
        )
        said = set(rule.conditions)
        if not hopeless and not any(other.card == rule.card and said >= set(other.conditions) for other in kept):
            kept.append(rule)
    return tuple(kept)


def is_sound(strategy: Strategy) -> bool:
    """Tell whether all places that the buy list of a record names exist: kernels trust it."""
    n = int(strategy.n_rules)
    if not 0 <= n <= MAX_RULES:
        return False
    rules, conditions, terms = strategy.rules, strategy.conditions, strategy.terms
    card_terms = np.isin(terms[:, QUANTITY], [number for number, kind in QUANTITIES.values() if kind == OF_CARD])
    return bool(
        _within(rules[:, PILE], N_PILES - 1)
        and _within(rules[:, [FIRST_CONDITION, END_CONDITION]], MAX_CONDITIONS)
        and _within(conditions[:, [FIRST_TERM, END_TERM]], MAX_TERMS)
        and _within(terms[card_terms, ARGUMENT], N_PILES - 1)
    )


def _within(numbers: Any, greatest: int) -> bool:
    return bool(((numbers >= 0) & (numbers <= greatest)).all())


def _term(key: Key, factor: int) -> str:
    name, argument = key
    quantity = f"{name}({argument})" if argument else name
    return quantity if factor == 1 else f"{factor} * {quantity}"


def _normal(text: str, terms: Sum, comparison: str, constant: Fraction) -> Condition:
    """Multiply a condition out to the smallest integers."""
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


def _added(left: Sum, right: Sum, factor: int | Fraction) -> Sum:
    total = dict(left)
    for key, value in right.items():
        total[key] = total.get(key, Fraction(0)) + factor * value
    return total


class _Parser:
    """Reads a sum: terms with + and -, products and quotients with numbers, parentheses."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.depth = 0

    def error(self, wanted: str, got: str) -> UsageError:
        found = f"'{got}'" if got else "the end"
        return UsageError(f"condition '{self.text}': expected {wanted}, got {found}.")

    def peek(self) -> str:
        """Return the next token, "" at the end."""
        match = _TOKEN.match(self.text, self.place)
        return match[0].strip() if match else self.text[self.place :].strip()[:1]

    def take(self) -> str:
        """Return the next token and go on behind it."""
        token = self.peek()
        match = _TOKEN.match(self.text, self.place)
        self.place = match.end() if match else len(self.text)
        return token

    def sum(self) -> Sum:
        total = self.product()
        while self.peek() in ("+", "-"):
            sign = 1 if self.take() == "+" else -1
            total = _added(total, self.product(), sign)
        return total

    def product(self) -> Sum:
        value = self.factor()
        while self.peek() in ("*", "/"):
            operator = self.take()
            other = self.factor()
            if operator == "*" and set(value) <= {_ONE}:
                value, other = other, value
            if not set(other) <= {_ONE}:
                raise self.error("a number as factor or divisor", _term(next(iter(other)), 1))
            number = other.get(_ONE, Fraction(0))
            if operator == "/" and number == 0:
                raise self.error("a divisor that is not 0", "0")
            value = _added({}, value, number if operator == "*" else 1 / number)
        return value

    def factor(self) -> Sum:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.error(f"at most {_DEEPEST} parentheses and signs within each other", self.peek())
        value = self.quantity()
        self.depth -= 1
        return value

    def quantity(self) -> Sum:
        token = self.take()
        if token in ("-", "+"):
            return _added({}, self.factor(), -1 if token == "-" else 1)
        if token == "(":
            value = self.sum()
            if (closing := self.take()) != ")":
                raise self.error("')'", closing)
            return value
        if re.fullmatch(r"\d+\.?\d*|\.\d+", token):
            if len(token) > _LONGEST_NUMBER:
                raise self.error(f"a number of up to {_LONGEST_NUMBER} characters", token)
            return {_ONE: Fraction(token)}
        return {(token, self.argument(token)): Fraction(1)}

    def argument(self, name: str) -> str:
        """Return what stands in the parentheses of a quantity, or ""."""
        if name not in QUANTITIES:
            near = get_close_matches(name, QUANTITIES, n=1)
            if near:
                raise UsageError(f"condition '{self.text}': no quantity named '{name}'. Did you mean {near[0]}?")
            raise self.error(f"a number or one of {', '.join(QUANTITIES)}", name)
        kind = QUANTITIES[name][1]
        if kind == NO_ARGUMENT:
            return ""
        wanted = "a card in parentheses" if kind == OF_CARD else f"one of {', '.join(TYPES)} in parentheses"
        match = re.match(r"\s*\(([^()]*)\)", self.text[self.place :])
        if not match:
            raise self.error(f"{wanted} after {name}", self.peek())
        self.place += match.end()
        said = match[1].strip()
        if kind == OF_CARD:
            return find_card(said).name
        if said.capitalize() not in TYPES:
            raise self.error(wanted, said)
        return said.capitalize()
