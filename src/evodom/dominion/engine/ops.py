"""The numbers that the engine's kernels compare and index by: operations, zones, columns of Effects and frames."""

from enum import IntEnum

MAX_SEATS = 6


class Zone(IntEnum):
    """Where a card lies: the first of the zone's rows in the table of cards.

    A zone of the players has one row a seat, which `state.row_of` returns. The zones from REVEALED on exist once.
    """

    HAND = 0
    DECK = MAX_SEATS
    DISCARD = 2 * MAX_SEATS
    IN_PLAY = 3 * MAX_SEATS
    SET_ASIDE = 4 * MAX_SEATS
    REVEALED = 5 * MAX_SEATS
    SUPPLY = 5 * MAX_SEATS + 1
    TRASH = 5 * MAX_SEATS + 2
    DECK_TOP = 5 * MAX_SEATS + 3
    """No row: onto the deck, where its owner knows the card to be."""


class Op(IntEnum):
    """What an Effect does."""

    # Change what the turn has.
    ACTIONS = 0
    BUYS = 1
    COINS = 2
    BONUS = 3
    CHEAPER = 4
    # Take cards off a deck.
    CARDS = 5
    CARDS_PER_CHOSEN = 6
    REVEAL = 7
    REVEAL_UNTIL = 8
    # Move cards between zones.
    GAIN = 9
    MOVE_ALL = 10
    TRASH_THIS = 11
    # Have players, or cards, resolve rows of their own.
    EACH_PLAYER = 12
    PLAY_CHOSEN = 13
    # Stay on top of the stack and ask, or go on, more than once.
    CHOOSE = 14
    OFFER_REACTION = 15
    DRAW_UP_TO = 16
    # What a player may do in the phases of a turn.
    PLAY_ACTION = 17
    PLAY_TREASURE = 18
    BUY = 19


FIRST_DECK_OP, FIRST_ZONE_OP, FIRST_PLAYER_OP = Op.CARDS, Op.GAIN, Op.EACH_PLAYER
"""The first operation of each kind tells the kinds apart."""


class Count(IntEnum):
    """How many cards a choice asks for."""

    N = 0
    DOWN_TO = 1
    """All above ``n`` in hand."""
    ANY = 2
    EMPTY_PILES = 3
    """One for each empty Supply pile."""


class SeenBy(IntEnum):
    """Who sees the revealed cards while a row is resolved."""

    ALL = 0
    SEAT = 1
    """The seat of its frame."""
    ACTIVE = 2


class PhaseRow(IntEnum):
    """The first rows of every table of Effects: what a player may do in the phases of a turn."""

    PLAY_ACTION = 0
    PLAY_TREASURE = 1
    BUY = 2


class Column(IntEnum):
    """The columns of an encoded Effect."""

    OP = 0
    N = 1
    COUNT = 2
    SOURCE = 3
    TARGET = 4
    MASK = 5
    MAX_COST = 6
    PLUS = 7
    SAME = 8
    OPTIONAL = 9
    IF_CHOSEN = 10
    UNLESS_UNAFFECTED = 11
    OF_ACTIVE = 12
    SHOWN = 13
    SIZE = 14
    REVEALED_TO = 15


N_COLUMNS = len(Column)
NO_LIMIT = -1


class Frame(IntEnum):
    """The columns of a frame on the stack."""

    NEXT = 0
    END = 1
    SEAT = 2
    LEFT = 3
    """Choices left of a choice, or FRESH."""
    AGAIN = 4
    """Whether this is a card's second play."""
    CHOSEN = 5
    N_CHOSEN = 6
    """For a triggered frame: what was chosen when it began, restored when it ends. Otherwise N_CHOSEN is FRESH."""


FRESH = -1
"""Choices left of a choice that has not been asked yet."""


class Trigger(IntEnum):
    """What can happen to a card so that its owner resolves further Effects of it (see `Card.when`)."""

    GAINED = 0
    TRASHED = 1
    DISCARDED = 2
    """Discarded, but not in the clean-up, and not with the whole deck."""


class Phase(IntEnum):
    """The phases of a turn."""

    ACTION = 0
    TREASURE = 1
    BUY = 2
    CLEANUP = 3


class Ending(IntEnum):
    """Whether a game goes on, or how it ended."""

    PLAYING = 0
    PROVINCES = 1
    PILES = 2
    CUT = 3
    """A player would have taken more turns than the rules allow."""
    OVERFLOW = 4
    """More cards would have been resolved at once than there is room for: an error, not a result."""
