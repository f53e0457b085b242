"""A strategy as a player would write it down: "2 Smithy", "Duchy once 5 gains can end the game"."""

from dataclasses import dataclass

import numpy as np

from evodom.dominion.cards import PROVINCE
from evodom.dominion.engine.effects import Type
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.conditions import COMPARISONS, Condition, Rule, decode, format_condition
from evodom.dominion.strategies.record import (
    ALWAYS,
    EARLY,
    KIND_MENU,
    LATE,
    SWITCH_GAINS,
    SWITCH_PROVINCES,
    Strategy,
    check_kingdom,
)

LEAST_WEIGHT = 0.25
"""A card that weighs less than this share of what to pass weighs is left out: it is hardly ever bought."""


@dataclass(frozen=True, slots=True)
class BuyList:
    """What is bought first to last, each line in words; ``when`` it holds, "" for the whole game."""

    when: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wording:
    """A strategy in words: its lists, and what holds for all of them."""

    lists: tuple[BuyList, ...]
    notes: tuple[str, ...] = ()


def in_words(strategy: Strategy, kingdom: Kingdom) -> Wording:
    """Return a menu or a preference strategy in words; raises UsageError for one of another kingdom."""
    check_kingdom(strategy, kingdom.fingerprint)
    if strategy.kind == KIND_MENU:
        return Wording((BuyList("", tuple(rule_in_words(rule) for rule in decode(strategy, kingdom))),))
    return _preferences_in_words(strategy, kingdom)


def greening(strategy: Strategy, kingdom: Kingdom) -> tuple[str, ...]:
    """Return when Victory cards are bought: their lines, each with the time of its list unless another is earlier."""
    victories = [card.name for card in kingdom.piles if card.types & Type.VICTORY]
    found: dict[str, str] = {}
    for each in in_words(strategy, kingdom).lists:
        begins = f" {each.when}" if each.when and not each.when.startswith("until") else ""
        for line in each.lines:
            if any(name in (line, *line.split()[:2]) for name in victories):
                found.setdefault(line, line + begins)
    return tuple(found.values())


def rule_in_words(rule: Rule) -> str:
    """Return a rule of a menu in words; a number before a card is how many to own at most."""
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
    if words := _ratio_in_words(condition):
        return words
    if len(condition.terms) == 1:
        (((name, argument), factor),) = condition.terms
        least, most = _bounds(condition.comparison, condition.constant)
        table = _FROM if most is None else _UP_TO
        if factor == 1 and (least is None) != (most is None) and name in table:
            n = least if most is None else most
            what = _counted(n or 0, argument or _NOUNS.get(name, ""))
            return table[name].format(n=n, what=what, verb="is" if n == 1 else "are")
    return f"if {format_condition(condition)}"


_NOUNS = {"gains_to_end": "gain", "cards_in_deck": "card", "empty_piles": "pile"}

_UP_TO = {
    "count_in_supply": "once {what} {verb} left",
    "turn_number": "until turn {n}",
    "gains_to_end": "once {what} can end the game",
    "total_money": "while the deck has at most ${n}",
    "count_in_deck": "while owning at most {what}",
    "cards_in_deck": "while owning at most {what}",
    "empty_piles": "while at most {what} {verb} empty",
}
"""What a quantity of at most n means."""

_FROM = {
    "count_in_supply": "while {what} {verb} left",
    "turn_number": "from turn {n}",
    "gains_to_end": "before {what} can end the game",
    "total_money": "once the deck has ${n}",
    "count_in_deck": "once owning {what}",
    "cards_in_deck": "once owning {what}",
    "empty_piles": "once {what} {verb} empty",
}
"""What a quantity of at least n means."""


def _ratio_in_words(condition: Condition) -> str:
    """Return "one for every 11 Treasures" for what compares a card with as large a share of something else, or ""."""
    if len(condition.terms) != 2 or condition.constant or condition.comparison != "<":
        return ""
    ((own, _), factor), ((name, argument), other) = condition.terms
    if own != "count_in_deck" or other != -1 or name not in ("count_type_in_deck", "total_money"):
        return ""
    return f"one for every ${factor} of the deck" if name == "total_money" else f"one for every {factor} {argument}s"


def _counted(n: int, noun: str) -> str:
    """Return a number and its noun, in the plural unless there is one."""
    if n == 1 or noun.endswith("s"):
        return f"{n} {noun}"
    if noun.endswith("y"):
        return f"{n} {noun[:-1]}ies"
    return f"{n} {noun}{'es' if noun.endswith('ch') else 's'}"


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


# Preferences.


def _preferences_in_words(strategy: Strategy, kingdom: Kingdom) -> Wording:
    early, late = (_preferred(strategy, phase, kingdom) for phase in (EARLY, LATE))
    until, then = phases_in_words(strategy)
    lists = [BuyList("", early)] if early == late else [BuyList(until, early), BuyList(then, late)]
    return Wording(tuple(each for each in lists if each.lines), _terminals_in_words(strategy))


def conditions_in_words(strategy: Strategy, kingdom: Kingdom) -> tuple[str, ...]:
    """Return the conditions under which a preference strategy wants the cards it prefers, but for plain limits."""
    preferred = strategy.weights.max(axis=0) > 0.0
    said = []
    for pile, card in enumerate(kingdom.piles):
        words = _wanted_in_words(strategy, pile, card.name)
        if preferred[pile] and " once " in words:
            said.append(words)
    return (*said, *_terminals_in_words(strategy))


def _terminals_in_words(strategy: Strategy) -> tuple[str, ...]:
    if strategy.terminals >= ALWAYS:
        return ()
    more = f", one more for each {strategy.terminal_per} cards" if strategy.terminal_per else ""
    return (f"terminal Actions: {strategy.terminals} at a time{more}, and one more for each Village",)


def _preferred(strategy: Strategy, phase: int, kingdom: Kingdom) -> tuple[str, ...]:
    """Return the cards a phase prefers, the most preferred first; what is hardly bought is left out."""
    piles = kingdom.piles
    weights = strategy.weights[phase][: len(piles)]
    least = LEAST_WEIGHT * float(strategy.pass_weights[phase])
    order = [int(pile) for pile in np.argsort(-weights, kind="stable") if weights[pile] > least]
    return tuple(_wanted_in_words(strategy, pile, piles[pile].name) for pile in order)


def _wanted_in_words(strategy: Strategy, pile: int, card: str) -> str:
    limit, left = int(strategy.limits[pile]), int(strategy.from_left[pile])
    said = [card if limit >= ALWAYS else f"{limit} {card}"]
    if left < ALWAYS:
        said.append(f"once {_counted(left, 'gain')} can end the game")
    if pile == PROVINCE and strategy.province_coins > 0:
        said.append(f"once the deck has ${strategy.province_coins + 1}")
    return " ".join(said)


def phases_in_words(strategy: Strategy) -> tuple[str, str]:
    """Return when the early preference holds, and when the late one does."""
    left = int(strategy.switch_left)
    if strategy.switch_on == SWITCH_PROVINCES:
        near = f"{_counted(left, 'Province')} {'is' if left == 1 else 'are'} left"
    elif strategy.switch_on == SWITCH_GAINS:
        near = f"{_counted(left, 'gain')} can end the game"
    else:
        return f"until turn {int(strategy.switch)}", f"from turn {int(strategy.switch) + 1}"
    return f"until {near}", f"once {near}"
