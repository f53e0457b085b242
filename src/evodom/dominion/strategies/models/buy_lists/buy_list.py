"""Define `BuyList`, the content of a buy list in a strategy file: its rules and its values for the play of cards."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies import record
from evodom.dominion.strategies.models.buy_lists.encoding import encode_rules
from evodom.dominion.strategies.models.buy_lists.language import Rule, parse_rules
from evodom.dominion.strategies.play import card_values
from evodom.dominion.strategies.play.menu_weights import OPTION_VALUES


def default_numbers(play_values: int) -> dict[str, int]:
    """Return the default numbers of a file by key, for a named set of play values."""
    if play_values == record.PUBLISHED_VALUES:
        return {"trash_below": record.TRASH_BELOW, "coin_floor": record.COIN_FLOOR, "discard_to": record.DISCARD_TO}
    return {"trash_below": record.TRASH_BELOW, "coin_floor": record.COMPUTED, "discard_to": record.COMPUTED}


def computed_piles(names: Sequence[str], explicit: Collection[str]) -> int:
    """Return the mask of all piles but those of the cards with ``explicit`` values."""
    return record.ALL_PILES & ~sum(1 << pile for pile, name in enumerate(names) if name in explicit)


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
    play_values: int = record.COMPUTED_VALUES
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

    def encode(self, kingdom: Kingdom, strategy: record.Strategy) -> None:
        """Write the list into a blank record, without rules for cards outside the kingdom."""
        encode_rules(self.rules, kingdom, strategy)
        strategy["buy_lists"].endgame_check = self.endgame_check
        for (column, row), numbers in self.card_tables(kingdom.names).items():
            target = strategy[column] if row is None else strategy[column][row]
            target[: len(numbers)] = numbers
        strategy.option_values[:] = tuple((OPTION_VALUES | self.option_values).values())
        strategy.uses_card_values = 1
        strategy.play_values = self.play_values
        is_published = self.play_values == record.PUBLISHED_VALUES
        for key, usual in default_numbers(self.play_values).items():
            number = getattr(self, key)
            strategy[key] = usual if number is None else number
        explicit = {record.HAND_ROW: self.hand_value, record.DECK_ROW: self.deck_value | self.deck_value_if_wanted}
        explicit[record.PLAY_ROW] = self.play | self.play_with_spare_actions
        for row, table in explicit.items():
            strategy.computed[row] = 0 if is_published else computed_piles(kingdom.names, table)

    def card_tables(self, names: Sequence[str]) -> Mapping[tuple[str, int | None], list[int]]:
        """Return the number of each named pile for each column and row of a record."""
        usual = card_values.PLAY_ORDER | self.play
        spare = usual | {name: n for name, n in card_values.PLAY_ORDER_SPARE.items() if name not in self.play}
        # A number in `play` overrides the next two tables.
        without_curses = {name: n for name, n in card_values.PLAY_ORDER_NO_CURSES.items() if name not in self.play}
        tables: dict[tuple[str, int | None], tuple[dict[str, int], int]] = {
            ("play", record.PLAY_USUAL): (usual, NEVER_PLAYED),
            ("play", record.PLAY_SPARE): (spare | self.play_with_spare_actions, NEVER_PLAYED),
            ("play", record.PLAY_NO_CURSES): (without_curses | self.play_without_curses, 0),
            ("hand_value", None): (card_values.HAND_VALUES | self.hand_value, 0),
            ("deck_value", None): (card_values.DECK_VALUES | self.deck_value, 0),
            ("deck_value_if_wanted", None): (card_values.DECK_VALUES_IF_WANTED | self.deck_value_if_wanted, 0),
        }
        return {place: [table.get(name, missing) for name in names] for place, (table, missing) in tables.items()}
