"""A buy list as data: ordered rules of what to buy, and how it plays its cards where that is not as usual."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies import priorities
from evodom.dominion.strategies.buy_lists.rules import (
    PLAY_NO_CURSES,
    PLAY_SPARE,
    PLAY_USUAL,
    Rule,
    encode_rules,
    parse_rules,
)
from evodom.dominion.strategies.model import Strategy

NEVER_PLAYED = 99
"""The place in the order of play of a card that is no Action."""


@dataclass(frozen=True)
class BuyList:
    """What a buy list says; cards that a table does not name have the usual values.

    ``buy`` are rules as text, "Duchy if count_in_supply(Province) <= 4": the first that holds is bought. With
    ``endgame_check`` nothing is bought or gained that ends the game lost.
    """

    buy: tuple[str, ...]
    endgame_check: bool = False
    play: dict[str, int] = field(default_factory=dict)
    play_with_spare_actions: dict[str, int] = field(default_factory=dict)
    play_without_curses: dict[str, int] = field(default_factory=dict)
    worth_in_hand: dict[str, int] = field(default_factory=dict)
    worth_owning: dict[str, int] = field(default_factory=dict)
    worth_while_wanted: dict[str, int] = field(default_factory=dict)
    trash_below: int = priorities.TRASH_BELOW
    coin_floor: int = priorities.COIN_FLOOR
    discard_to: int = priorities.DISCARD_TO

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules, parsed, one for each case of an `or`; raises UsageError for one that cannot be."""
        return tuple(rule for text in self.buy for rule in parse_rules(text))

    @property
    def cards(self) -> tuple[str, ...]:
        """All cards its rules name, each once."""
        return tuple(dict.fromkeys(name for rule in self.rules for name in rule.cards))


def encode(buy_list: BuyList, kingdom: Kingdom, strategy: Strategy) -> None:
    """Write a buy list into a blank record; rules for cards outside the kingdom are left out."""
    encode_rules(buy_list.rules, kingdom, strategy)
    strategy.endgame_check = buy_list.endgame_check
    for (column, row), numbers in card_tables(buy_list, kingdom.names).items():
        target = strategy[column] if row is None else strategy[column][row]
        target[: len(numbers)] = numbers
    strategy.ranks_cards = 1
    strategy.trash_below[:] = buy_list.trash_below
    strategy.coin_floor, strategy.discard_to = buy_list.coin_floor, buy_list.discard_to


def card_tables(buy_list: BuyList, names: Sequence[str]) -> Mapping[tuple[str, int | None], list[int]]:
    """Return the numbers by card that stand in a record, by column and row of it, for the piles of these names."""
    usual = priorities.PLAY | buy_list.play
    spare = usual | {name: n for name, n in priorities.PLAY_WITH_SPARE_ACTIONS.items() if name not in buy_list.play}
    # A new number of its own holds whatever is left.
    spent = {name: n for name, n in priorities.PLAY_WITHOUT_CURSES.items() if name not in buy_list.play}
    tables: dict[tuple[str, int | None], tuple[dict[str, int], int]] = {
        ("play", PLAY_USUAL): (usual, NEVER_PLAYED),
        ("play", PLAY_SPARE): (spare | buy_list.play_with_spare_actions, NEVER_PLAYED),
        ("play", PLAY_NO_CURSES): (spent | buy_list.play_without_curses, 0),
        ("worth_in_hand", None): (priorities.DISCARD | buy_list.worth_in_hand, 0),
        ("worth_owning", None): (priorities.KEEP | buy_list.worth_owning, 0),
        ("worth_while_wanted", None): (priorities.KEEP_WANTED | buy_list.worth_while_wanted, 0),
    }
    return {place: [table.get(name, missing) for name in names] for place, (table, missing) in tables.items()}
