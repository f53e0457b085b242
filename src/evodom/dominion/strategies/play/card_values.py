"""The published play values of cards: a table of the numbers that buy lists use where nothing else is given.

The values are from published simulations of buy lists. Some cards have fitted values instead: Remodel, Artisan, Crystal
Ball, War Chest and the cards of the first edition. A card without a row has the defaults of `CardValues` and of its
class. Values computed from the state (`hand_values`, `deck_values`) replace the values of the table.
"""

from dataclasses import dataclass

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
    "Copper": CardValues(hand=15),
    "Silver": CardValues(hand=20),
    "Gold": CardValues(hand=24),
    "Estate": CardValues(hand=9, deck_if_wanted=35),
    "Duchy": CardValues(hand=8, deck_if_wanted=40),
    "Province": CardValues(hand=7, deck=60),
    "Curse": CardValues(hand=10, deck=0),
    "Platinum": CardValues(hand=33),
    "Colony": CardValues(hand=6, deck=70),
    "Cellar": CardValues(hand=17, play=16),
    "Chapel": CardValues(hand=18, play=37),
    "Moat": CardValues(hand=23, play=33),
    "Chancellor": CardValues(hand=18, play=28),
    "Harbinger": CardValues(hand=16, play=5),
    "Merchant": CardValues(hand=19, play=7),
    "Vassal": CardValues(hand=23, play=25),
    "Village": CardValues(hand=21, play=5),
    "Woodcutter": CardValues(hand=20, play=28),
    "Workshop": CardValues(hand=22, play=38),
    "Bureaucrat": CardValues(hand=20, play=29),
    "Feast": CardValues(hand=22, play=27),
    "Gardens": CardValues(hand=9),
    "Militia": CardValues(hand=25, play=30),
    "Moneylender": CardValues(hand=21, play=23),
    "Poacher": CardValues(hand=30, play=10),
    "Remodel": CardValues(hand=20, play=26),
    "Smithy": CardValues(hand=24, play=25, play_with_spare_actions=6),
    "Spy": CardValues(hand=23, play=9),
    "Thief": CardValues(hand=18, play=31),
    "Throne Room": CardValues(hand=22, play=7),
    "Bandit": CardValues(hand=23, play=23),
    "Council Room": CardValues(hand=27, play=25, play_with_spare_actions=6),
    "Festival": CardValues(hand=26, play=3),
    "Laboratory": CardValues(hand=40, play=8),
    "Library": CardValues(hand=30, play=20),
    "Market": CardValues(hand=30, play=13),
    "Mine": CardValues(hand=22, play=24),
    "Sentry": CardValues(hand=22, play=2),
    "Witch": CardValues(hand=40, play=18, play_without_curses=33),
    "Adventurer": CardValues(hand=24, play=22),
    "Artisan": CardValues(hand=26, play=19),
    "Courtyard": CardValues(hand=24, play=24),
    "Pawn": CardValues(hand=17, play=11),
    "Steward": CardValues(hand=22, play=27),
    "Bridge": CardValues(hand=25, play=25),
    "Duke": CardValues(hand=8),
    "Minion": CardValues(hand=40, play=17),
    "Patrol": CardValues(hand=32, play=19),
    "Torturer": CardValues(hand=27, play=20),
    "Farm": CardValues(hand=25),
    "Lurker": CardValues(hand=20, play=17),
    "Shanty Town": CardValues(hand=25, play=8),
    "Swindler": CardValues(hand=23, play=25),
    "Wishing Well": CardValues(hand=20, play=6),
    "Baron": CardValues(hand=25, play=22),
    "Conspirator": CardValues(hand=25, play=35),
    "Ironworks": CardValues(hand=24, play=25),
    "Masquerade": CardValues(hand=22, play=27),
    "Mill": CardValues(hand=16, play=5),
    "Mining Village": CardValues(hand=22, play=9),
    "Secret Passage": CardValues(hand=27, play=12),
    "Courtier": CardValues(hand=25, play=20),
    "Replace": CardValues(hand=25, play=30),
    "Trading Post": CardValues(hand=24, play=25),
    "Upgrade": CardValues(hand=22, play=16),
    "Diplomat": CardValues(hand=35, play=27),
    "Nobles": CardValues(hand=32, play=12),
    "Lookout": CardValues(hand=16, play=3),
    "Warehouse": CardValues(hand=18, play=10),
    "Cutpurse": CardValues(hand=25, play=32),
    "Bazaar": CardValues(hand=25, play=5),
    "Quarry": CardValues(hand=29),
    "Worker's Village": CardValues(hand=22, play=3),
    "Rabble": CardValues(hand=29, play=19),
    "Expand": CardValues(hand=25, play=30),
    "King's Court": CardValues(hand=34, play=5),
    "Haven": CardValues(hand=19, play=15),
    "Lighthouse": CardValues(hand=21, play=9),
    "Native Village": CardValues(hand=17, play=3),
    "Astrolabe": CardValues(hand=17),
    "Fishing Village": CardValues(hand=21, play=3),
    "Monkey": CardValues(hand=21, play=22),
    "Sea Chart": CardValues(hand=20, play=17),
    "Smugglers": CardValues(hand=22, play=30),
    "Blockade": CardValues(hand=22, play=38),
    "Caravan": CardValues(hand=27, play=8),
    "Island": CardValues(hand=22, play=37),
    "Sailor": CardValues(hand=22, play=17),
    "Salvager": CardValues(hand=22, play=25),
    "Tide Pools": CardValues(hand=27, play=8),
    "Treasure Map": CardValues(hand=35, play=20),
    "Corsair": CardValues(hand=28, play=19),
    "Merchant Ship": CardValues(hand=28, play=19),
    "Outpost": CardValues(hand=28, play=25),
    "Pirate": CardValues(hand=28, play=30),
    "Sea Witch": CardValues(hand=27, play=19),
    "Tactician": CardValues(hand=27, play=19),
    "Treasury": CardValues(hand=30, play=15),
    "Wharf": CardValues(hand=32, play=19),
    "Anvil": CardValues(hand=18),
    "Watchtower": CardValues(hand=25, play=27),
    "Bishop": CardValues(hand=25, play=22),
    "Clerk": CardValues(hand=25, play=27),
    "Investment": CardValues(hand=17),
    "Monument": CardValues(hand=26, play=22),
    "Tiara": CardValues(hand=27),
    "Charlatan": CardValues(hand=30, play=18),
    "City": CardValues(hand=30, play=5),
    "Collection": CardValues(hand=27),
    "Crystal Ball": CardValues(hand=22),
    "Magnate": CardValues(hand=24, play=25),
    "Mint": CardValues(hand=19, play=40),
    "Vault": CardValues(hand=26, play=20),
    "War Chest": CardValues(hand=18),
    "Grand Market": CardValues(hand=39, play=12),
    "Hoard": CardValues(hand=32),
    "Bank": CardValues(hand=30),
    "Forge": CardValues(hand=22, play=30),
    "Peddler": CardValues(hand=30, play=10),
}
"""The values of cards by name."""


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
