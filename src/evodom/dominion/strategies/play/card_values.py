"""The published play values of cards: a table of the numbers that buy lists use where nothing else is given.

The values are from published simulations of buy lists. Some cards have fitted values instead: Remodel, Artisan, Crystal
Ball, War Chest and the cards of the first edition. A card without a row has the defaults of `CardValues` and of its
class. Values computed from the state (`hand_values`, `deck_values`) replace the values of the table.
"""

import tomllib
from dataclasses import dataclass
from importlib.resources import files

from evodom.dominion.cards import ACTION, CARDS, Card


@dataclass(frozen=True, slots=True)
class CardValues:
    """The values of a card.

    - ``hand``: value in hand. The lowest is discarded first.
    - ``deck``: value in the deck. The lowest is trashed first. None: as ``hand``.
    - ``deck_if_wanted``: ``deck`` while a rule for the card holds.
    - ``play``: order of playing Actions, the lowest first. None: the order of its class in CLASS_PLAY_ORDER.
    - ``play_with_spare_actions``: replaces ``play`` while more than one Action is left.
    - ``play_without_curses``: replaces ``play`` once no Curses are left in the Supply.
    """

    hand: int = 20
    deck: int | None = None
    deck_if_wanted: int | None = None
    play: int | None = None
    play_with_spare_actions: int | None = None
    play_without_curses: int | None = None


CLASS_PLAY_ORDER = (10, 25, 30)
"""Default order of playing Actions: nonterminal, terminal draw, other terminal."""

USELESS = CardValues(hand=9)
"""The default of cards that do nothing in a turn."""

CARD_VALUES = {
    name: CardValues(**row)
    for name, row in tomllib.loads(files(__package__).joinpath("card_values.toml").read_text("utf-8")).items()
}
"""The values of cards by name: the rows of card_values.toml."""


def values_of(card: Card) -> CardValues:
    """Return the row of a card, or the defaults: a card that does nothing in a turn is discarded before others."""
    return CARD_VALUES.get(card.name, USELESS if card.is_useless else CardValues())


def _column(column: str) -> dict[str, int]:
    """Return a column of the table by name, without cards that lack a value."""
    return {name: n for name, card in CARDS.items() if (n := getattr(values_of(card), column)) is not None}


PLAY_ORDER = {
    name: CLASS_PLAY_ORDER[card.action_class] for name, card in CARDS.items() if ACTION in card.types
} | _column("play")
"""Order of playing Actions: the Action in hand with the lowest number is played first."""

PLAY_ORDER_SPARE = _column("play_with_spare_actions")
"""Numbers that replace those of PLAY_ORDER while more than one Action is left."""

PLAY_ORDER_NO_CURSES = _column("play_without_curses")
"""Numbers that replace those of PLAY_ORDER once no Curses are left in the Supply."""

HAND_VALUES = _column("hand")
"""Values of cards in hand: the lowest is discarded first."""

DECK_VALUES = HAND_VALUES | _column("deck")
"""Values of cards in the deck: the lowest is trashed first."""

DECK_VALUES_IF_WANTED = _column("deck_if_wanted")
"""Deck values of cards for which the conditions of a rule hold."""
