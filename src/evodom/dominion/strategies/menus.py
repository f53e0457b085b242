"""A menu as data: ordered rules of what to buy, and how it plays its cards where that is not as usual."""

from dataclasses import dataclass, field
from functools import cached_property

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies import priorities
from evodom.dominion.strategies.conditions import Rule, encode, parse_rule
from evodom.dominion.strategies.record import (
    KIND_MENU,
    PLAY_NO_CURSES,
    PLAY_SPARE,
    PLAY_USUAL,
    Strategy,
    blank_strategies,
)

NEVER_PLAYED = 99
"""The place in the order of play of a card that is no Action."""


@dataclass(frozen=True)
class Menu:
    """What a menu strategy says; cards that a table does not name have the values of `priorities`.

    ``buy`` are rules as text, "Duchy if count_in_supply(Province) <= 4": the first that holds is bought. With
    ``endgame_check`` nothing is bought or gained that ends the game lost.
    """

    buy: tuple[str, ...]
    endgame_check: bool = False
    play: dict[str, int] = field(default_factory=dict)
    play_with_spare_actions: dict[str, int] = field(default_factory=dict)
    play_without_curses: dict[str, int] = field(default_factory=dict)
    discard: dict[str, int] = field(default_factory=dict)
    keep: dict[str, int] = field(default_factory=dict)
    keep_wanted: dict[str, int] = field(default_factory=dict)
    trash_below: int = priorities.TRASH_BELOW
    coin_floor: int = priorities.COIN_FLOOR
    discard_to: int = priorities.DISCARD_TO

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules, parsed; raises UsageError for one that cannot be."""
        return tuple(parse_rule(text) for text in self.buy)

    @property
    def cards(self) -> tuple[str, ...]:
        """All cards its rules name, each once."""
        return tuple(dict.fromkeys(name for rule in self.rules for name in rule.cards))


def menu_strategy(menu: Menu, kingdom: Kingdom) -> Strategy:
    """Return a menu as a record of STRATEGY; rules for cards outside the kingdom are left out."""
    names = kingdom.names
    strategy = blank_strategies(1, kingdom)[0]
    strategy.kind = KIND_MENU
    encode(menu.rules, kingdom, strategy)
    strategy.endgame_check = menu.endgame_check
    usual = priorities.PLAY | menu.play
    spare = usual | {name: n for name, n in priorities.PLAY_WITH_SPARE_ACTIONS.items() if name not in menu.play}
    # A new number of its own holds whatever is left.
    spent = {name: n for name, n in priorities.PLAY_WITHOUT_CURSES.items() if name not in menu.play}
    tables = {
        PLAY_USUAL: usual,
        PLAY_SPARE: spare | menu.play_with_spare_actions,
        PLAY_NO_CURSES: spent | menu.play_without_curses,
    }
    for row, table in tables.items():
        missing = 0 if row == PLAY_NO_CURSES else NEVER_PLAYED
        strategy.play[row, : len(names)] = [table.get(name, missing) for name in names]
    worths = {
        "use": priorities.DISCARD | menu.discard,
        "keep": priorities.KEEP | menu.keep,
        "keep_wanted": priorities.KEEP_WANTED | menu.keep_wanted,
    }
    for column, table in worths.items():
        strategy[column][: len(names)] = [table.get(name, 0) for name in names]
    strategy.weighs = 1
    strategy.trash_below[:] = menu.trash_below
    strategy.coin_floor, strategy.discard_to = menu.coin_floor, menu.discard_to
    return strategy
