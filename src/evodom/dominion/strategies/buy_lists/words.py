"""A buy list in words: "2 Smithy", "Duchy once 5 gains end the game"."""

from collections.abc import Collection

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.buy_lists.rules import (
    COMPARISONS,
    Condition,
    Rule,
    decode,
    effective_rules,
    format_condition,
    format_rule,
)
from evodom.dominion.strategies.model import Strategy
from evodom.dominion.strategies.traits import Traits
from evodom.dominion.strategies.wording import BuyOrder, Wording, counted, plural

BUYING = "At each buy it takes the first that can be had and whose condition holds."

_NOUNS = {"gains_to_end": "gain", "cards_in_deck": "card", "empty_piles": "pile"}

_UP_TO = {
    "count_in_supply": "once {what} {verb} left",
    "turn_number": "until turn {n}",
    "gains_to_end": "once {what} {end} the game",
    "total_money": "while the deck has at most ${n}",
    "count_in_deck": "while owning at most {what}",
    "cards_in_deck": "while owning at most {what}",
    "empty_piles": "while at most {what} {verb} empty",
}
"""What a quantity of at most n means."""

_FEWER = {"<": "fewer", "<=": "no more"}
"""How many of a card, compared with another."""

_FROM = {
    "count_in_supply": "while {what} {verb} left",
    "turn_number": "from turn {n}",
    "gains_to_end": "before {what} {end} the game",
    "total_money": "once the deck has ${n}",
    "count_in_deck": "once owning {what}",
    "cards_in_deck": "once owning {what}",
    "empty_piles": "once {what} {verb} empty",
}
"""What a quantity of at least n means."""


def traits(strategy: Strategy, kingdom: Kingdom, owned: Collection[str]) -> Traits:
    """Return the rules of a list for the cards it owns; those that can never be the first are left out."""
    rules = [rule for rule in effective_rules(decode(strategy, kingdom)) if rule.card in owned]
    return Traits(BUYING, rules=[format_rule(rule) for rule in rules])


def in_words(strategy: Strategy, kingdom: Kingdom) -> Wording:
    """Return a buy list in words, a line for each rule."""
    return Wording((BuyOrder("", tuple(rule_in_words(rule) for rule in decode(strategy, kingdom))),))


def rule_in_words(rule: Rule) -> str:
    """Return a rule in words; a number before a card is how many to own at most."""
    limit: int | None = None
    said: list[str] = []
    for condition in rule.conditions:
        own = _limit(condition, rule.card)
        if own is None:
            said.append(condition_in_words(condition))
        else:
            limit = own if limit is None else min(limit, own)
    head = rule.card if limit is None else f"{limit} {rule.card}"
    return ", ".join([head, *said]) if len(said) > 1 else " ".join([head, *said])


def condition_in_words(condition: Condition) -> str:
    """Return a condition in words, or as a strategy file says it where there are no shorter ones."""
    if words := _ratio_in_words(condition) or _comparison_in_words(condition):
        return words
    if len(condition.terms) == 1:
        (((name, argument), factor),) = condition.terms
        if name == "count_in_supply" and factor == 1 and _is_none(condition):
            return f"once all {plural(argument or '')} are gone"
        least, most = _bounds(condition.comparison, condition.constant)
        table = _FROM if most is None else _UP_TO
        if factor == 1 and (least is None) != (most is None) and name in table:
            n = least if most is None else most
            what = counted(n or 0, argument or _NOUNS.get(name, ""))
            verb, end = ("is", "ends") if n == 1 else ("are", "end")
            return table[name].format(n=n, what=what, verb=verb, end=end)
    return f"if {format_condition(condition)}"


def _ratio_in_words(condition: Condition) -> str:
    """Return "one for every 11 Treasures" for what compares a card with as large a share of something else, or ""."""
    if len(condition.terms) != 2 or condition.constant or condition.comparison != "<":
        return ""
    ((own, _), factor), ((name, argument), other) = condition.terms
    if own != "count_in_deck" or other != -1 or name not in ("count_type_in_deck", "total_money"):
        return ""
    return f"one for every ${factor} of the deck" if name == "total_money" else f"one for every {factor} {argument}s"


def _comparison_in_words(condition: Condition) -> str:
    """Return "while fewer Smithies than Villages" for what compares the numbers of two cards owned, or ""."""
    if len(condition.terms) != 2 or condition.constant or condition.comparison not in _FEWER:
        return ""
    ((own, one), factor), ((name, another), other) = condition.terms
    if (own, name, factor, other) != ("count_in_deck", "count_in_deck", 1, -1):
        return ""
    return f"while {_FEWER[condition.comparison]} {plural(one or '')} than {plural(another or '')}"


def _is_none(condition: Condition) -> bool:
    """Tell whether a quantity has to be 0."""
    return (condition.comparison in ("==", "<=") and condition.constant == 0) or (
        condition.comparison == "<" and condition.constant == 1
    )


def _bounds(sign: str, constant: int) -> tuple[int | None, int | None]:
    """Return the least and the most of what a comparison with a whole number allows, None for no bound."""
    bits = COMPARISONS[sign]
    equal = bool(bits & COMPARISONS["=="])
    if bits & COMPARISONS["<"] and not bits & COMPARISONS[">"]:
        return None, constant if equal else constant - 1
    if bits & COMPARISONS[">"] and not bits & COMPARISONS["<"]:
        return constant if equal else constant + 1, None
    return (constant, constant) if equal else (None, None)


def _limit(condition: Condition, card: str) -> int | None:
    """Return how many of a card a condition lets one own, None if it is about something else."""
    if condition.terms != ((("count_in_deck", card), 1),):
        return None
    least, most = _bounds(condition.comparison, condition.constant)
    return None if least is not None or most is None else most + 1
