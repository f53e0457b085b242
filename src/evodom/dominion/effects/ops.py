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
    """Cards set aside within a play (Library), or until the owner's next turn: cards of entries of `State.later`."""
    ISLAND_MAT = 5 * MAX_SEATS
    VILLAGE_MAT = 6 * MAX_SEATS
    """The mat of Native Village. Only the owner sees its cards."""
    REVEALED = 7 * MAX_SEATS
    SUPPLY = 7 * MAX_SEATS + 1
    TRASH = 7 * MAX_SEATS + 2
    DECK_TOP = 7 * MAX_SEATS + 3
    """Top of a deck. It has no row: the card goes to the known cards, `State.known`."""
    NEXT_HAND = 7 * MAX_SEATS + 4
    """Hand of the next player with cards. It has no row: the card stays in hand until all players have chosen."""
    THIS = 7 * MAX_SEATS + 5
    """The place of the card of the play, or of the gained card while its gain is resolved (`Frame.PLACE`)."""


class Op(IntEnum):
    """Operation of an Effect. Operations of one kind are consecutive, so one comparison gives the kind."""

    # Change the turn or a score.
    ACTIONS = 0
    BUYS = 1
    COINS = 2
    BONUS = 3
    CHEAPER = 4
    VP = 5
    """Add VP tokens."""
    NOTE_NAME = 6
    """Add the chosen card to `State.named`."""
    EXTRA_TURN = 7
    USE_UP = 8
    """Use up one of the plays of `State.this_turn`."""
    # Take cards off a deck.
    CARDS = 9
    REVEAL = 10
    REVEAL_UNTIL = 11
    # Move cards between zones.
    GAIN = 12
    MOVE_ALL = 13
    MOVE_THIS = 14
    # Push frames for players or for a played card, or keep Effects for a later turn.
    EACH_PLAYER = 15
    PLAY_CHOSEN = 16
    GROUP = 17
    LATER = 18
    # Stay on top of the stack for several steps.
    CHOOSE = 19
    OFFER_REACTION = 20
    DRAW_UP_TO = 21
    OPTIONS = 22
    PASS_CARDS = 23
    PLACE = 24
    GAINED = 25
    """A card was gained: resolve the cards that watch for it."""
    # Choices of the phases of a turn.
    START = 26
    PLAY_ACTION = 27
    PLAY_TREASURE = 28
    BUY = 29


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
    REVEALED = 10
    """Revealed cards of the mask."""
    VICTORIES_GAINED = 11
    """Victory cards gained in this Buy phase."""
    EXTRA_TURNS = 12
    """1 during an extra turn, or if one follows, else 0."""


class Among(IntEnum):
    """A filter of a choice or a move that changes during the game."""

    ALL = 0
    CHOSEN = 1
    """The chosen card."""
    IN_PLAY = 2
    """Copies of cards that the seat has in play."""
    NOT_NAMED = 3
    """Cards not in `State.named`."""
    GAINED_BY_RIGHT = 4
    """Cards that the player to the right gained in their last turn."""


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
    START = 3
    GAINED = 4
    """Not a choice: the only Effect of the frame of a gain."""


class Decider(IntEnum):
    """Seat that makes a choice."""

    SEAT = 0
    """The seat of the frame."""
    PLAYER = 1
    """The player of the card."""
    LEFT = 2
    """The player to the left of the seat."""


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
    """1 or ALL_OR_NONE if no card may be chosen. In a row of LATER: 1 if the order among others due matters."""
    EXTRA_COST = 10
    MAX_COST = 11
    EXACT = 12
    """EXACTLY if MAX_COST or EXTRA_COST is the only cost allowed. SUM: EXTRA_COST more than all chosen cards."""
    AMONG = 13
    """An `Among`."""
    SKIP_UNAFFECTED = 14
    DECIDER = 15
    """A `Decider`."""
    FACE_UP = 16
    """1 if all seats see the cards that the Effect moves."""
    SEEN_BY = 17
    """A `SeenBy`."""
    COUNT_MASK = 18
    IF_MASK = 19
    IF_MIN = 20
    IF_MAX = 21
    COUNT_PER = 22
    """The count of COUNT is divided by this and rounded down."""


N_COLUMNS = 24
"""Length of a row: whole cache lines of eight columns."""

ALWAYS_OPTIONAL, ALL_OR_NONE = 1, 2
"""Values of OPTIONAL, which is 0 for a mandatory choice: passing is legal always, or before the first card."""

EXACTLY, SUM = 1, 2
"""Values of EXACT, which is 0 for costs up to a limit."""

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

    In a frame of PLACE: the number of cards above the first place that is offered. In a frame of GAINED: the step.
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
    CHOSEN_COST = 10
    UNAFFECTED = 11
    """The registers of `State` with these names, of the play around this one. `pop` restores them."""
    OPTIONS = 12
    """Mask of the options chosen so far in a frame of OPTIONS. In a frame of GAINED: times that a card was resolved."""
    LEFT = 13
    """Number of plays of the same card that follow. Their frames are directly below."""
    STAYS = 14
    """1 if the played card stays in play at the next clean-up."""
    PLAYER = 15
    """The card that plays this one several times and would stay in play with it, or NONE."""
    PLAYER_LEFT = 16
    """`LEFT` of that card. Its frames are below those of this card.

    In a frame of GAINED: number of merged frames that go on at the CARDS_LEFT of PLAYER and the OPTIONS of STAYS.
    """


FRESH = -1
"""Value of CARDS_LEFT in a frame whose next Effect has not been started."""


class Later(IntEnum):
    """The columns of `State.later`: Effects that a played card keeps for its player's next turn."""

    SEAT = 0
    EFFECT = 1
    """Index of the LATER Effect. Its inner Effects are resolved."""
    PILE = 2
    """The played card."""
    CARD = 3
    """Pile of the card that it has set aside, or NONE."""
    UNAFFECTED = 4
    """Mask of the seats that are unaffected by the play of an Attack."""
    DUE = 5
    """1 from the beginning of the seat's next turn on."""
    TIMES = 6
    """Number of plays. Equal entries without a card are one entry."""


class Moment(IntEnum):
    """Events for which cards in hand or in play watch."""

    ATTACK = 0
    """Another player plays an Attack."""
    TREASURE = 1
    """Another player plays a Treasure."""
    GAIN = 2
    """A card was gained."""
    TURN = 3
    """The owner's turn begins."""


class Whose(IntEnum):
    """Players whose gains a card watches for, as its owner sees them."""

    OWN = 0
    RIGHT = 1
    OTHERS = 2
    ANY = 3


class Where(IntEnum):
    """Where a card watches for a gain. Watches are resolved in this order, those with a question first."""

    HAND = 0
    """In hand, for own gains."""
    THIS_TURN = 1
    """Played this turn."""
    GAINED = 2
    """The gained card itself."""
    UNTIL_NEXT_TURN = 3
    """Played since the owner's last turn began."""
    ANY_HAND = 4
    """In hand, for gains of any player. The owner is asked again until they pass."""


class Watcher(IntEnum):
    """The columns of `Rules.watchers`: the cards that watch for gains, in the order of resolution."""

    PILE = 0
    WHERE = 1
    WHOSE = 2
    MASK = 3
    """Mask of the gained piles for which it watches."""
    FIRST = 4
    END = 5
    """Index of its first Effect, and the index after the last."""
    ASKS = 6
    """1 if it begins with a choice. It is then resolved once for a gain, else once for each play."""
    MOVES = 7
    """1 if it moves the gained card."""
    BOUGHT = 8
    COPIES = 9
    """1 if it watches for copies of its set-aside card, on the turn of the player who gains."""
    BY_GAINER = 10
    """1 if the player who gained resolves it."""


class Trigger(IntEnum):
    """Events of a card. If its row has Effects for the event, its owner resolves them."""

    GAINED = 0
    TRASHED = 1
    DISCARDED = 2
    """Not in the clean-up, and not with a whole deck."""
    ATTACK = 3
    """Another player plays an Attack while the card is in hand: its owner may reveal it."""
    END_OF_BUYS = 4
    """The Buy phase of its owner ends while the card is in play."""


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
    VP = 21
    """A seat takes VP tokens. The number is theirs."""
    MAT = 22
    """A card goes to a mat."""
    RESOLVE = 23
    """Effects that a card kept for this turn are resolved."""


class Phase(IntEnum):
    """The phases of a turn."""

    ACTION = 0
    TREASURE = 1
    BUY = 2
    CLEANUP = 3
    START = 4
    """Before the Action phase: the Effects that cards kept for this turn."""


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
