"""Enumerations of the engine's kernels: operations, zones, columns of Effects and frames, phases, endings.

Open it to look up the meaning of a number in an encoded Effect, in a stack frame or in a row of cards.
"""

from enum import IntEnum

MAX_SEATS = 6


class Zone(IntEnum):
    """Zone of a card. The value is the first row of the zone in `State.cards`.

    Zones before REVEALED have one row per seat (see `state.row_of`). Zones from REVEALED on have a single row.
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
    """Top of a deck. It has no row: the card goes to the known cards, `State.known`."""
    NEXT_HAND = 5 * MAX_SEATS + 4
    """Hand of the next player with cards. It has no row: the card stays in hand until all players have chosen."""


class Op(IntEnum):
    """Operation of an Effect. Operations of one kind are consecutive, so one comparison gives the kind."""

    # Change Actions, Buys, coins or costs of the turn.
    ACTIONS = 0
    BUYS = 1
    COINS = 2
    BONUS = 3
    CHEAPER = 4
    # Take cards off a deck.
    CARDS = 5
    REVEAL = 6
    REVEAL_UNTIL = 7
    # Move cards between zones.
    GAIN = 8
    MOVE_ALL = 9
    TRASH_THIS = 10
    # Push frames for players or for a played card.
    EACH_PLAYER = 11
    PLAY_CHOSEN = 12
    GROUP = 13
    # Stay on top of the stack for several steps.
    CHOOSE = 14
    OFFER_REACTION = 15
    DRAW_UP_TO = 16
    OPTIONS = 17
    # Choices of the phases of a turn.
    PLAY_ACTION = 18
    PLAY_TREASURE = 19
    BUY = 20
    # These stay on top of the stack, too.
    PASS_CARDS = 21
    PLACE = 22


FIRST_DECK_OP, FIRST_ZONE_OP, FIRST_PLAYER_OP, FIRST_ASKING_OP = Op.CARDS, Op.GAIN, Op.EACH_PLAYER, Op.CHOOSE
"""First operation of each kind. Comparing an operation with them gives its kind. No card has the phases' choices."""


class ChoiceSize(IntEnum):
    """Rule for the number of cards of a choice."""

    N = 0
    """``n`` of the Effect."""
    DOWN_TO = 1
    """Hand size minus ``n``."""
    ANY = 2
    """Up to all cards of the source."""


class Count(IntEnum):
    """A number that is counted when an Effect is resolved: a factor of its ``n``, or its condition.

    "Of the mask" means of the piles in the mask of the count.
    """

    NONE = 0
    CHOSEN = 1
    """Cards of the latest choice."""
    CHOSEN_OF = 2
    """1 if the last card of the latest choice is of the mask, else 0."""
    CHOSEN_COST = 3
    """Cost of that card, in coins."""
    CHOSEN_TYPES = 4
    """Number of its types."""
    HAND = 5
    """Cards of the mask in hand."""
    HAND_NAMES = 6
    """Different cards of the mask in hand."""
    IN_PLAY = 7
    """Cards of the mask in play."""
    EMPTY_PILES = 8
    """Empty Supply piles."""
    ACTIONS_PLAYED = 9
    """Plays of Actions this turn that have begun. Each play of a Throned Action counts."""


class SeenBy(IntEnum):
    """Seats that see the cards in the zone REVEALED while an Effect is resolved."""

    ALL = 0
    SEAT = 1
    """Only the seat of the frame."""
    ACTIVE = 2
    """Only the player of the card."""


class PhaseEffect(IntEnum):
    """Indices in `Rules.effects` of the choices of a turn's phases. They are the same in every kingdom."""

    PLAY_ACTION = 0
    PLAY_TREASURE = 1
    BUY = 2


class Column(IntEnum):
    """The columns of an encoded Effect. The columns of every Effect come first and share a cache line."""

    OP = 0
    N = 1
    N_INNER = 2
    """Number of inner Effects, with those inside them. They follow in the table."""
    IF = 3
    """A `Count`: the Effect is resolved only if it is from IF_MIN to IF_MAX. 0 for no condition."""
    COUNT = 4
    """A `Count`: N is multiplied by it. 0 for a fixed N."""
    MASK = 5
    """Mask of the piles that the Effect may choose or move."""
    SOURCE = 6
    TARGET = 7
    CHOICE_SIZE = 8
    OPTIONAL = 9
    EXTRA_COST = 10
    MAX_COST = 11
    EXACT = 12
    """1 if MAX_COST or EXTRA_COST is the only cost allowed."""
    ONLY_CHOSEN = 13
    SKIP_UNAFFECTED = 14
    ACTIVE_DECIDES = 15
    FACE_UP = 16
    """1 if all seats see the cards that the Effect moves."""
    SEEN_BY = 17
    """A `SeenBy`."""
    COUNT_MASK = 18
    IF_MASK = 19
    IF_MIN = 20
    IF_MAX = 21


N_COLUMNS = 24
"""Length of a row: whole cache lines of eight columns."""

ALWAYS_OPTIONAL, ALL_OR_NONE = 1, 2
"""Values of OPTIONAL, which is 0 for a mandatory choice: passing is legal always, or before the first card."""

NO_LIMIT = -1
"""Value of MAX_COST and EXTRA_COST without a limit."""


class Frame(IntEnum):
    """The columns of a frame on the stack."""

    NEXT = 0
    """Index of the Effect to resolve next."""
    END = 1
    """Index after the last Effect."""
    SEAT = 2
    """Seat that resolves the Effects."""
    CARDS_LEFT = 3
    """Number of cards, or of options, that the choice in progress may still take, or FRESH.

    In a frame of PLACE: the number of cards above the first place that is offered.
    """
    LAST_ASKED = 3
    """The same column in a frame of OFFER_REACTION: distance from the card's player to the player asked, or FRESH."""
    ROOT = 4
    """Index of the frame of its play: its own index, or a lower index for inner Effects.

    A card that resolves its Effects for a `Trigger` counts as a play, too. The following columns belong to plays.
    """
    PILE = 5
    """The played card."""
    PLACE = 6
    """The zone of the played card, or NONE: it was moved, and the play has lost track of it."""
    PLAY = 7
    """0 for the first play of a card, 1 for the second, and so on; 0 in frames of inner Effects."""
    CHOSEN = 8
    N_CHOSEN = 9
    UNAFFECTED = 10
    """`State.chosen`, `State.n_chosen` and `State.unaffected` of the play around this one. `pop` restores them."""
    OPTIONS = 11
    """Mask of the options chosen so far in a frame of OPTIONS."""


FRESH = -1
"""Value of CARDS_LEFT in a frame whose next Effect has not been started."""


class Trigger(IntEnum):
    """Events of a card. If its `Card.when` has Effects for the event, its owner resolves them."""

    GAINED = 0
    TRASHED = 1
    DISCARDED = 2
    """Not in the clean-up, and not with a whole deck."""
    ATTACK = 3
    """Another player plays an Attack while the card is in hand: its owner may reveal it."""


class EventKind(IntEnum):
    """What happened in an event. All but the first six move or show cards."""

    TURN = 0
    """A turn begins. The number is the turn's."""
    COINS = 1
    """The Buy phase begins. The number is the available coins."""
    CLEAN_UP = 2
    END = 3
    SHUFFLE = 4
    DISCARD_DECK = 5
    """A deck is discarded unseen. The number is its size."""
    PLAY = 6
    REPLAY = 7
    BUY = 8
    """A gain in return for a Buy."""
    GAIN = 9
    TRASH = 10
    DISCARD = 11
    TOPDECK = 12
    TO_HAND = 13
    SET_ASIDE = 14
    DRAW = 15
    REVEAL = 16
    """Cards of a deck or a hand are shown to some or all seats."""
    SETTLE = 17
    """A card arrives in the zone that an earlier event named. It is not shown."""
    OPTION = 18
    """An option is chosen. The number is its place in the list, or the number of cards above a place in a deck."""
    NAME = 19
    """A card is named."""
    PASS = 20
    """A card goes to the hand of the next player with cards. Only these two seats see it."""


class Phase(IntEnum):
    """The phases of a turn."""

    ACTION = 0
    TREASURE = 1
    BUY = 2
    CLEANUP = 3


class Ending(IntEnum):
    """State of a game: PLAYING, or the reason of its end."""

    PLAYING = 0
    PROVINCES = 1
    PILES = 2
    CUT = 3
    """The next player has already taken `Rules.max_turns` turns."""
    OVERFLOW = 4
    """The stack of frames was full. This is an error, not a result."""
    COLONIES = 5
