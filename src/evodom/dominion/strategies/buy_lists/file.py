"""How a strategy file says a buy list: ``buy``, rules in the language of `conditions`, and more of `BuyList`."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.buy_lists.buy_list import BuyList, card_tables, encode
from evodom.dominion.strategies.buy_lists.rules import PLAY_NO_CURSES, PLAY_SPARE, PLAY_USUAL, decode, format_rule
from evodom.dominion.strategies.columns import EARLY
from evodom.dominion.strategies.model import Strategy
from evodom.dominion.strategies.toml import read_card_table, read_flag, read_number, table_lines, text
from evodom.errors import UsageError, short

__all__ = ["KEYS", "cards", "dump", "encode", "read"]

KEYS = tuple(each.name for each in fields(BuyList))

TABLES: dict[str, tuple[str, int | None]] = {
    "play": ("play", PLAY_USUAL),
    "play_with_spare_actions": ("play", PLAY_SPARE),
    "play_without_curses": ("play", PLAY_NO_CURSES),
    "worth_in_hand": ("worth_in_hand", None),
    "worth_owning": ("worth_owning", None),
    "worth_while_wanted": ("worth_while_wanted", None),
}
"""The tables by card, and where they stand in the record; a number of its own in ``play`` overrides the next two."""

NUMBERS = ("trash_below", "coin_floor", "discard_to")


def read(said: Mapping[str, Any]) -> BuyList:
    """Return the buy list of a file's fields."""
    buy = said.get("buy")
    if not isinstance(buy, list) or not buy:
        raise UsageError(f'buy is {short(buy)}. Allowed: a list of rules such as "Gold if total_money > 9".')
    for nth, rule in enumerate(buy, 1):
        try:
            _ = BuyList((rule,)).rules
        except UsageError as error:
            raise UsageError(f"buy, rule {nth}: {error}") from None
    check = read_flag("endgame_check", said.get("endgame_check", False))
    more: dict[str, Any] = {key: read_card_table(key, said[key], float_allowed=False) for key in TABLES if key in said}
    more |= {key: read_number(key, said[key], float_allowed=False) for key in NUMBERS if key in said}
    return BuyList(tuple(buy), endgame_check=check, **more)


def cards(buy_list: BuyList) -> Sequence[str]:
    """Return the cards that the rules of a list name."""
    return buy_list.cards


def dump(strategy: Strategy, kingdom: Kingdom) -> list[str]:
    """Return the lines of a file: the rules, and where a list differs from what is usual."""
    names = kingdom.names
    buy_list = BuyList(
        tuple(format_rule(rule) for rule in decode(strategy, kingdom)),
        bool(strategy.endgame_check),
        trash_below=int(strategy.trash_below[EARLY]),
        coin_floor=int(strategy.coin_floor),
        discard_to=int(strategy.discard_to),
    )
    # One after the other: a number of its own in `play` takes those of the next two tables away.
    for key, (column, row) in TABLES.items():
        usual = card_tables(buy_list, names)[column, row]
        own = strategy[column] if row is None else strategy[column][row]
        different = {name: int(own[pile]) for pile, name in enumerate(names) if own[pile] != usual[pile]}
        buy_list = replace(buy_list, **{key: different})  # type: ignore[arg-type]
    lines = ["buy = [", *(f"    {text(rule)}," for rule in buy_list.buy), "]"]
    lines += ["endgame_check = true"] if buy_list.endgame_check else []
    usual_list = BuyList(())
    lines += [
        f"{key} = {getattr(buy_list, key)}" for key in NUMBERS if getattr(buy_list, key) != getattr(usual_list, key)
    ]
    return lines + [line for key in TABLES for line in table_lines(key, getattr(buy_list, key))]
