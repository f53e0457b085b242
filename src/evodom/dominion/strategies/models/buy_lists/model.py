"""Define the model of buy lists: follow the first rule whose card is available and whose conditions hold.

The model reads and writes strategy files, edits lists, and describes them: "Duchy once 5 more cards can end the game".
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, ClassVar

from evodom.dominion.cards import CARDS
from evodom.dominion.effects.effect import Type
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies import record
from evodom.dominion.strategies.base import BUY_LIST, Change, Genetics, IsAsGood, StrategyModel
from evodom.dominion.strategies.describe import (
    BuyOrder,
    BuyOrders,
    StrategyDescription,
    counted,
    end_near,
    numbers_in_words,
    plural,
)
from evodom.dominion.strategies.files import OPTIONS_FIELD, Field, explicit_options, table_lines
from evodom.dominion.strategies.models.buy_lists import genetics, language
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList, default_numbers
from evodom.dominion.strategies.models.buy_lists.changes import CHANGES
from evodom.dominion.strategies.models.buy_lists.columns import TABLES
from evodom.dominion.strategies.models.buy_lists.encoding import decode, encode_rules, is_sound
from evodom.dominion.strategies.models.buy_lists.reachable import effective_rules
from evodom.dominion.strategies.models.buy_lists.select import select_by_list
from evodom.dominion.strategies.play.card_values import DECK_VALUES, HAND_VALUES, PLAY_ORDER
from evodom.dominion.strategies.play.menu_weights import OPTION_VALUES
from evodom.errors import UsageError, errors_at, short
from evodom.files import toml_value

FIELDS = (
    Field("endgame_check", "buy_lists.endgame_check", is_flag=True),
    Field("play_values", "play_values", names=record.PLAY_VALUES),
    Field("play", "play", row=record.PLAY_USUAL, computed=record.PLAY_ROW),
    Field("play_with_spare_actions", "play", row=record.PLAY_SPARE),
    Field("play_without_curses", "play", row=record.PLAY_NO_CURSES),
    Field("hand_value", "hand_value", computed=record.HAND_ROW),
    Field("deck_value", "deck_value", computed=record.DECK_ROW),
    Field("deck_value_if_wanted", "deck_value_if_wanted"),
    Field("trash_below", "trash_below", row=record.EARLY),
    Field("coin_floor", "coin_floor"),
    Field("discard_to", "discard_to"),
    OPTIONS_FIELD,
)
"""Fields of a buy list other than its rules. An entry in ``play`` replaces those in the next two tables."""

TABLE_FIELDS = tuple(each for each in FIELDS if each.is_table)
NUMBER_FIELDS = tuple(each for each in FIELDS if not (each.shape or each.is_flag or each.names))

BUYING = "It buys the card of the first rule that it can afford and whose condition holds."

_NOUNS = {"gains_to_end": "more card", "cards_in_deck": "card", "empty_piles": "pile", "vp_tokens": "VP token"}
_NOUNS |= {"buys": "Buy", "terminals": "terminal Action", "excess_terminals": "terminal Action"}

_WORDS = {
    "count_in_supply": ("once {what} {verb} left", "while {what} {verb} left"),
    "turn_number": ("until turn {n}", "from turn {n}"),
    "gains_to_end": ("once {what} can end the game", "before {what} can end the game"),
    "total_money": ("while the deck has at most ${n}", "once the deck has ${n}"),
    "count_in_deck": ("while owning at most {what}", "once owning {what}"),
    "count_type_in_deck": ("while owning at most {what}", "once owning {what}"),
    "count_in_play": ("with at most {what} in play", "with {what} in play"),
    "cards_in_deck": ("while owning at most {what}", "once owning {what}"),
    "vp_tokens": ("while having at most {what}", "once having {what}"),
    "empty_piles": ("while at most {what} {verb} empty", "once {what} {verb} empty"),
    "coins": ("with at most ${n}", "with ${n}"),
    "buys": ("with at most {what} left", "with {what} left"),
    "terminals": ("while owning at most {what}", "once owning {what}"),
    "excess_terminals": (
        "while Villages support all but {n} terminal Actions",
        "with {n} unsupported terminal Actions",
    ),
    "opponent_vp": ("while no opponent has more than {n} VP", "once an opponent has {n} VP"),
    "available_money": ("while the deck without mats has at most ${n}", "once the deck without mats has ${n}"),
}
"""Words for a quantity that is at most n, and for a quantity that is at least n."""

_FEWER = {"<": "fewer", "<=": "no more"}
"""Words for a comparison of the numbers of two cards."""

_COMPARED = ("Curse", "Estate", "Copper", "Silver", "Gold")
"""Cards with which values of cards are compared in words, by rising value."""

_TRASHING, _DISCARDING = ("trashing", "trash", DECK_VALUES), ("discarding", "discard", HAND_VALUES)


class BuyListModel(StrategyModel):
    """Strategies that buy the card of the first rule that holds."""

    name = BUY_LIST
    is_stochastic = False
    select = staticmethod(select_by_list)
    identity_columns = tuple(f"buy_lists.{table}" for table in TABLES)
    genetics: ClassVar[Genetics | None] = genetics
    changes: ClassVar[Sequence[Change]] = CHANGES
    keys = tuple(each.name for each in fields(BuyList))
    identifying_key = "buy"

    def is_sound(self, strategy: record.Strategy) -> bool:
        """Return whether all indices in the buy list of a record are valid."""
        return is_sound(strategy)

    def read(self, fields: Mapping[str, object]) -> BuyList:
        """Return the buy list of a file's fields."""
        buy = fields.get("buy")
        if not isinstance(buy, list) or not buy:
            raise UsageError(f'buy is {short(buy)}. Allowed: a list of rules such as "Gold if total_money > 9".')
        for nth, rule in enumerate(buy, 1):
            with errors_at(f"buy, rule {nth}"):
                _ = BuyList((rule,)).rules
        more: dict[str, Any] = {each.key: each.read(fields[each.key]) for each in FIELDS if each.key in fields}
        return BuyList(tuple(buy), **more)

    def dump(self, strategy: record.Strategy, kingdom: Kingdom) -> list[str]:
        """Return the lines of a file: the rules, and all differences from the defaults."""
        lines = [
            "buy = [",
            *(f"    {toml_value(language.format_rule(rule))}," for rule in decode(strategy, kingdom)),
            "]",
        ]
        lines += ["endgame_check = true"] if strategy["buy_lists"].endgame_check else []
        lines += ['play_values = "published"'] if strategy.play_values == record.PUBLISHED_VALUES else []
        numbers, tables = explicit_play(strategy, kingdom)
        lines += [f"{key} = {n}" for key, n in numbers.items()]
        return lines + [line for key, table in tables.items() for line in table_lines(key, table)]

    def describe(self, strategy: record.Strategy, kingdom: Kingdom, owned: Collection[str]) -> StrategyDescription:
        """Return the rules of a list for the cards it owns, without unreachable rules."""
        rules = [rule for rule in effective_rules(decode(strategy, kingdom)) if rule.card in owned]
        return StrategyDescription(BUYING, rules=[language.format_rule(rule) for rule in rules])

    def describe_buys(self, strategy: record.Strategy, kingdom: Kingdom) -> BuyOrders:
        """Return a buy list in words: a line for each rule, and notes on explicit play values that may change play."""
        rules = decode(strategy, kingdom)
        lines = tuple(rule_in_words(rule) for rule in rules)
        numbers, tables = explicit_play(strategy, kingdom)
        notes = [_number_in_words(key, n) for key, n in numbers.items()]
        for key, table in tables.items():
            notes += _table_in_words(key, table, dict.fromkeys(rule.card for rule in rules))
        return BuyOrders((BuyOrder("", lines),), tuple(notes))

    def reachable(self, strategy: record.Strategy, kingdom: Kingdom) -> record.Strategy:
        """Return the list without unreachable rules."""
        return with_rules(strategy, effective_rules(decode(strategy, kingdom)), kingdom)

    def without_card(self, strategy: record.Strategy, card: str, kingdom: Kingdom) -> record.Strategy:
        """Return the list without the rules for a card."""
        return with_rules(strategy, [rule for rule in decode(strategy, kingdom) if rule.card != card], kingdom)

    def with_card(self, strategy: record.Strategy, card: str, n: int, kingdom: Kingdom) -> record.Strategy:
        """Return the list with a rule for up to ``n`` of a card, before all rules for cards that cost no more.

        Rules for Victory cards do not count: those are bought late for their points.
        """
        rules = list(decode(strategy, kingdom))
        places = (
            place
            for place, rule in enumerate(rules)
            if CARDS[rule.card].cost <= CARDS[card].cost and Type.VICTORY not in CARDS[rule.card].types
        )
        rules.insert(
            next(places, len(rules)), language.Rule(card, (language.Condition(language.count_in_deck(card), "<", n),))
        )
        return with_rules(strategy, rules, kingdom)

    def simplified(self, strategy: record.Strategy, kingdom: Kingdom, is_as_good: IsAsGood) -> record.Strategy:
        """Remove rules, then conditions, then terms one by one, wherever ``is_as_good`` accepts the result.

        Then try all rules again: without its conditions a rule can replace others. Unreachable rules and conditions
        that others imply are removed first and last.
        """
        rules = list(effective_rules(decode(strategy, kingdom)))

        def is_as_good_with(changed: Sequence[language.Rule]) -> bool:
            return bool(changed) and is_as_good(with_rules(strategy, changed, kingdom))

        def with_fewer_rules(left: list[language.Rule]) -> list[language.Rule]:
            for place in reversed(range(len(left))):
                fewer = left[:place] + left[place + 1 :]
                left = fewer if is_as_good_with(fewer) else left
            return left

        rules = before = with_fewer_rules(rules)
        for place in range(len(rules)):
            for condition in rules[place].conditions:
                kept = tuple(other for other in rules[place].conditions if other is not condition)
                looser = [*rules[:place], replace(rules[place], conditions=kept), *rules[place + 1 :]]
                rules = looser if is_as_good_with(looser) else rules
        for place in range(len(rules)):
            for number in range(len(rules[place].conditions)):
                for term in rules[place].conditions[number].terms:
                    shorter = [*rules[:place], _without_term(rules[place], number, term), *rules[place + 1 :]]
                    rules = shorter if shorter != rules and is_as_good_with(shorter) else rules
        rules = rules if rules == before else with_fewer_rules(list(effective_rules(rules)))
        return with_rules(strategy, rules, kingdom)

    def as_rules(self, strategy: record.Strategy, kingdom: Kingdom) -> tuple[str, ...]:
        """Return the rules as text, without unreachable rules."""
        return tuple(language.format_rule(rule) for rule in effective_rules(decode(strategy, kingdom)))


MODEL = BuyListModel()


def explicit_play(strategy: record.Strategy, kingdom: Kingdom) -> tuple[dict[str, int], dict[str, dict[str, float]]]:
    """Return the numbers and the tables of a file that differ from the defaults, by key."""
    play_values, names = int(strategy.play_values), kingdom.names
    usual_number = default_numbers(play_values)
    numbers = {each.key: int(each.numbers(strategy)) for each in NUMBER_FIELDS}
    buy_list, tables = BuyList((), play_values=play_values), dict[str, dict[str, float]]()
    # In this order: an entry in `play` removes entries of the next two tables.
    for each in TABLE_FIELDS:
        table = each.explicit_table(strategy, names, buy_list.card_tables(names)[each.column, each.row])
        buy_list = replace(buy_list, **{each.key: table})  # type: ignore[arg-type]
        tables |= {each.key: table} if table else {}
    tables |= {OPTIONS_FIELD.key: options} if (options := explicit_options(strategy)) else {}
    return {key: n for key, n in numbers.items() if n != usual_number[key]}, tables


def _number_in_words(key: str, n: int) -> str:
    """Return a number of the play in words."""
    if key == "coin_floor":
        return f"keep ${n} in the deck when Treasures are trashed"
    what, verb, values = _TRASHING if key == "trash_below" else _DISCARDING
    cheapest = _best_below(n + (key == "discard_to"), values)
    return f"where {what} is optional, {verb} {f'cards up to the value of {cheapest}' if cheapest else 'nothing'}"


def _best_below(n: float, values: Mapping[str, int]) -> str:
    """Return the last of the basic cards whose value is below a number; "" for none."""
    return next((card for card in reversed(_COMPARED) if values[card] < n), "")


def _table_in_words(key: str, table: Mapping[str, float], bought: Collection[str]) -> Iterator[str]:
    """Yield a table of the play in words. ``bought`` are the cards of the list, with which Actions are compared."""
    if key in ("deck_value", "hand_value"):
        what, verb, values = _TRASHING if key == "deck_value" else _DISCARDING
        for card, n in table.items():
            worse = _best_below(n, values | {card: record.UNLIMITED})
            yield f"when {what}, keep {card} rather than {worse}" if worse else f"{verb} {card} first"
    elif key == "play":
        order = {**PLAY_ORDER, **table}
        for card, n in table.items():
            others = [other for other in bought if other in PLAY_ORDER and other != card]
            usual = {other: PLAY_ORDER[card] < PLAY_ORDER[other] for other in others}
            for is_before, word in ((True, "before"), (False, "after")):
                # If both cards are in the table, the order is written once, for the first card.
                changed = [one for one in others if is_before or one not in table]
                changed = [one for one in changed if (n < order[one]) is is_before and usual[one] is not is_before]
                if changed:
                    yield f"play {card} {word} {' and '.join(changed)}"
    elif key == OPTIONS_FIELD.key:
        for is_less, word in ((False, "more"), (True, "less")):
            names = [name for name, n in table.items() if (n < OPTION_VALUES[name]) is is_less]
            if names:
                yield f"among the options of a card, weigh {' and '.join(names)} {word}"
    else:
        yield f"{key}: {numbers_in_words(table)}"


def rule_in_words(rule: language.Rule) -> str:
    """Return a rule in words. A number before the card is the limit of owned cards."""
    limit: int | None = None
    words: list[str] = []
    for condition in rule.conditions:
        own = language.owned_limit(condition, rule.card)
        if own is None:
            words.append(condition_in_words(condition))
        else:
            limit = own if limit is None else min(limit, own)
    head = rule.card if limit is None else f"{limit} {rule.card}"
    return ", ".join([head, *words]) if len(words) > 1 else " ".join([head, *words])


def condition_in_words(condition: language.Condition) -> str:
    """Return a condition in words, or in the language of strategy files if there are no words for it."""
    if words := _ratio_in_words(condition) or _comparison_in_words(condition):
        return words
    if len(condition.terms) == 1:
        (((name, argument), factor),) = condition.terms
        if name == "count_in_supply" and factor == 1 and _is_none(condition):
            return f"once all {plural(argument or '')} are gone"
        least, most = language.bounds(condition)
        if name == "gains_to_end" and most == 0:
            return f"once {end_near(0)}"
        if factor == 1 and (least is None) != (most is None) and name in _WORDS:
            n = least if most is None else most
            noun = f"{argument} card" if name == "count_type_in_deck" else argument or _NOUNS.get(name, "")
            if most == 0 and name in ("count_in_deck", "count_type_in_deck"):
                return f"while owning no {plural(noun)}"
            what = counted(n or 0, noun)
            return _WORDS[name][most is None].format(n=n, what=what, verb="is" if n == 1 else "are")
    return f"if {language.format_condition(condition)}"


def _ratio_in_words(condition: language.Condition) -> str:
    """Return "one for every 11 Treasures" for a limit that is a share of another quantity, else ""."""
    if len(condition.terms) != 2 or condition.constant or condition.comparison != "<":
        return ""
    ((first_quantity, _), factor), ((name, argument), second_factor) = condition.terms
    if first_quantity != "count_in_deck" or second_factor != -1 or name not in ("count_type_in_deck", "total_money"):
        return ""
    return f"one for every ${factor} of the deck" if name == "total_money" else f"one for every {factor} {argument}s"


def _comparison_in_words(condition: language.Condition) -> str:
    """Return "while fewer Smithies than Villages" for a comparison of two cards, else ""."""
    if len(condition.terms) != 2 or condition.constant or condition.comparison not in _FEWER:
        return ""
    ((quantity, card), factor), ((other_quantity, other_card), other_factor) = condition.terms
    if (quantity, other_quantity, factor, other_factor) != ("count_in_deck", "count_in_deck", 1, -1):
        return ""
    return f"while {_FEWER[condition.comparison]} {plural(card or '')} than {plural(other_card or '')}"


def _is_none(condition: language.Condition) -> bool:
    """Return whether a condition requires a quantity of 0."""
    return (condition.comparison in ("==", "<=") and condition.constant == 0) or (
        condition.comparison == "<" and condition.constant == 1
    )


def _without_term(rule: language.Rule, number: int, term: tuple[language.Operand, int]) -> language.Rule:
    """Return a rule without one term of a condition, or unchanged if the condition would have no terms left."""
    condition = rule.conditions[number]
    terms = tuple(other for other in condition.terms if other != term)
    if not terms or terms[0][1] < 0:
        return rule
    changed = replace(condition, terms=terms)
    return replace(rule, conditions=(*rule.conditions[:number], changed, *rule.conditions[number + 1 :]))


def with_rules(strategy: record.Strategy, rules: Sequence[language.Rule], kingdom: Kingdom) -> record.Strategy:
    changed = strategy.copy()
    encode_rules(rules, kingdom, changed)
    return changed
