"""Enumerations of the engine's kernels: operations, zones, columns of Effects and frames, phases, endings.

Open this module to look up a number of an encoded Effect, a stack frame or a row of cards.
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
    """Cards set aside within a play (Library), or for the owner's next turn with an entry of `State.later` (Haven)."""
    ISLAND_MAT = 5 * MAX_SEATS
    VILLAGE_MAT = 6 * MAX_SEATS
    """The mat of Native Village. Only the owner sees its cards."""
    REVEALED = 7 * MAX_SEATS
    SUPPLY = 7 * MAX_SEATS + 1
    TRASH = 7 * MAX_SEATS + 2
    DECK_TOP = 7 * MAX_SEATS + 3
    """Top of a deck. This zone has no row: the card becomes a known card of the deck (`State.known`)."""
    NEXT_HAND = 7 * MAX_SEATS + 4
    """Hand of the next player with cards. This zone has no row: cards stay in hand until all players have chosen."""
    THIS = 7 * MAX_SEATS + 5
    """The zone of the played card, or of the gained card for an Effect of a watch. `Frame.PLACE` has this zone."""


class Op(IntEnum):
    """Operation of an Effect. Operations of one kind are consecutive, so one comparison gives the kind."""

    # Change the turn or a score.
    ACTIONS = 0
    BUYS = 1
    COINS = 2
    BONUS = 3  # Add coins when the first Treasure of a pile is played (Merchant).
    CHEAPER = 4  # Reduce costs this turn (Bridge).
    VP = 5
    """Add VP tokens."""
    NOTE_NAME = 6
    """Add the chosen card to `State.named`."""
    EXTRA_TURN = 7
    STOP_WATCHING = 8
    """Subtract 1 from `State.plays_this_turn` of the played card: one of its plays stops watching."""
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
    DRAW_OR_SET_ASIDE = 21
    OPTIONS = 22
    PASS_CARDS = 23
    PLACE = 24
    GAINED = 25
    """Resolve the Effects of all cards that watch for a gain (`effect.Watch`)."""
    # Choices of the phases of a turn.
    START = 26
    PLAY_ACTION = 27
    PLAY_TREASURE = 28
    BUY = 29


FIRST_DECK_OP = Op.CARDS
"""First operation that takes cards off a deck."""

FIRST_ZONE_OP = Op.GAIN
"""First operation that moves cards between zones."""

FIRST_PLAYER_OP = Op.EACH_PLAYER
"""First operation that pushes frames or keeps Effects for a later turn."""

FIRST_ASKING_OP = Op.CHOOSE
"""First operation that stays on top of the stack for several steps."""


class ChoiceSize(IntEnum):
    """Rule for the number of cards of a choice."""

    N = 0
    """``n`` of the Effect."""
    DOWN_TO = 1
    """Hand size minus ``n``."""
    ANY = 2
    """Up to all cards of the source."""


class Count(IntEnum):
    """A number that the engine counts when it resolves an Effect. It is a factor of N, or the number of a condition.

    Some counts include only the piles of a mask. The mask of a factor is `Column.COUNT_MASK`. The mask of a condition
    is `Column.IF_MASK`.
    """

    NONE = 0
    CHOSEN = 1
    """Cards of the latest choice."""
    CHOSEN_OF = 2
    """1 if the mask contains the card chosen last, else 0."""
    CHOSEN_COST = 3
    """Cost in coins of the card chosen last."""
    CHOSEN_TYPES = 4
    """Number of types of the card chosen last."""
    HAND = 5
    """Cards of the mask in hand."""
    HAND_NAMES = 6
    """Different cards of the mask in hand."""
    IN_PLAY = 7
    """Cards of the mask in play."""
    EMPTY_PILES = 8
    """Empty Supply piles."""
    ACTIONS_PLAYED = 9
    """Plays of Actions that have begun this turn. With a Throne Room each play counts."""
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
    """Only the seat that played the card."""


class PhaseEffect(IntEnum):
    """Indices in `Rules.effects` of the choices of a turn's phases. They are the same in every kingdom."""

    PLAY_ACTION = 0
    PLAY_TREASURE = 1
    BUY = 2
    START = 3
    GAINED = 4
    """The only Effect of a gain's frame. It is no choice."""


class Decider(IntEnum):
    """Seat that makes a choice."""

    SEAT = 0
    """The seat of the frame."""
    PLAYER = 1
    """The seat that played the card."""
    LEFT = 2
    """The player to the left of the seat."""


class Column(IntEnum):
    """The columns of an encoded Effect. The columns read for every Effect come first and share a cache line."""

    OP = 0
    N = 1
    N_INNER = 2
    """Number of inner Effects at all depths. They follow in the table."""
    IF = 3
    """A `Count`: the Effect is resolved only if the count is from IF_MIN to IF_MAX. 0 for no condition."""
    COUNT = 4
    """A `Count` that multiplies N. 0 for a fixed N."""
    MASK = 5
    """Mask of the piles that the Effect may choose or move."""
    SOURCE = 6
    TARGET = 7
    CHOICE_SIZE = 8
    OPTIONAL = 9
    """0 for a mandatory choice, ALWAYS_OPTIONAL or ALL_OR_NONE. For LATER: 1 if the order of kept Effects matters."""
    EXTRA_COST = 10
    MAX_COST = 11
    EXACT = 12
    """EXACTLY, SUM, or 0 if MAX_COST and EXTRA_COST are upper limits."""
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
    """Divisor of the count of COUNT. The quotient is rounded down."""


N_COLUMNS = 24
"""Length of a row: whole cache lines of eight columns."""

ALWAYS_OPTIONAL = 1
"""Value of OPTIONAL: passing is always legal."""

ALL_OR_NONE = 2
"""Value of OPTIONAL: passing is legal before the first card is chosen."""

EXACTLY = 1
"""Value of EXACT: the card costs exactly MAX_COST, or EXTRA_COST more than the chosen card."""

SUM = 2
"""Value of EXACT: the card costs exactly EXTRA_COST more than all chosen cards together."""

NO_LIMIT = -1
"""Value of MAX_COST and EXTRA_COST without a limit."""

GAINS_NOTHING = -1
"""Value of `Rules.gain_cost` for a card that gains no card."""


class Frame(IntEnum):
    """The columns of a frame on the stack.

    The columns from PILE on belong to plays. A card that resolves its Effects for a `Trigger` counts as a play.
    """

    NEXT = 0
    """Index of the Effect to resolve next."""
    END = 1
    """Index after the last Effect."""
    SEAT = 2
    """Seat that resolves the Effects."""
    CARDS_LEFT = 3
    """Cards or options that may still be chosen, or NOT_STARTED. For Op.PLACE: cards above the first place."""
    ASKED_DISTANCE = 3
    """For OFFER_REACTION: distance from the seat that played the card to the seat asked, or NOT_STARTED."""
    ROOT = 4
    """Index of the frame of the play: the frame's own index, or a lower index for inner Effects."""
    PILE = 5
    """The played card."""
    PLACE = 6
    """The zone of the played card. NONE after another Effect has moved the card. The play then cannot move it."""
    PLAY = 7
    """0 for the first play of a card, 1 for the second, and so on; 0 in frames of inner Effects."""
    # The columns CHOSEN to UNAFFECTED save the fields of `State` of the same names. `pop` restores the fields.
    CHOSEN = 8
    N_CHOSEN = 9
    CHOSEN_COST = 10
    UNAFFECTED = 11
    OPTIONS = 12
    """For Op.OPTIONS: mask of the options chosen so far."""
    PLAYS_LEFT = 13
    """Number of further plays of the same card. Their frames are directly below."""
    STAYS = 14
    """1 if the played card stays in play at the next clean-up."""
    REPEATER = 15
    """Pile of a card such as Throne Room that plays this card several times and stays in play with it; else NONE."""
    REPEATER_LEFT = 16
    """PLAYS_LEFT of the card REPEATER. Its frames are below."""
    # The frame of a gain uses the following columns as counters (see `watchers`). STEP is the step to resolve next. It
    # was resolved TIMES_DONE times before. N_MERGED frames were merged into this frame and continue at MERGED_STEP.
    STEP = 3
    TIMES_DONE = 12
    MERGED_STEP = 15
    MERGED_TIMES_DONE = 14
    N_MERGED = 16


NOT_STARTED = -1
"""Value of CARDS_LEFT before the next Effect is started."""


class Later(IntEnum):
    """The columns of `State.later`: Effects that a played card keeps for its player's next turn."""

    SEAT = 0
    EFFECT = 1
    """Index of the LATER Effect. The engine resolves its inner Effects."""
    PILE = 2
    """The played card."""
    CARD = 3
    """Pile of the card that the played card has set aside, or NONE."""
    UNAFFECTED = 4
    """Mask of the seats that are unaffected by the play of an Attack."""
    DUE = 5
    """1 after the seat's next turn has begun, else 0."""
    TIMES = 6
    """Number of plays that share this entry: plays whose other columns are equal and whose CARD is NONE."""


class Moment(IntEnum):
    """Events that a `Watch` of a card in hand or in play waits for."""

    ATTACK = 0
    """Another player plays an Attack."""
    TREASURE = 1
    """Another player plays a Treasure."""
    GAIN = 2
    """A card was gained."""
    TURN = 3
    """The owner's turn begins."""


class Whose(IntEnum):
    """Players whose gains a card watches for, relative to the card's owner."""

    OWN = 0  # the owner
    RIGHT = 1  # the player to the owner's right
    OTHERS = 2
    ANY = 3


class WatchKind(IntEnum):
    """Kind of a watch for gains: the cards that watch. Kinds are resolved in this order."""

    HAND = 0
    """Cards in the hand of the player who gains."""
    THIS_TURN = 1
    """Cards played this turn."""
    ITSELF = 2
    """The gained card."""
    UNTIL_NEXT_TURN = 3
    """Cards played since the owner's last turn began."""
    ANY_HAND = 4
    """Cards in the hand of any player. The owner is asked again until they pass."""


class Watcher(IntEnum):
    """The columns of `Rules.watchers`. A row is a `Watch` for gains. Rows are in the order of resolution."""

    PILE = 0
    KIND = 1
    WHOSE = 2
    MASK = 3
    """Mask of the piles whose gains the card watches for."""
    FIRST = 4
    """Index of the first Effect."""
    END = 5
    """Index after the last Effect."""
    ASKS = 6
    """1 if the first Effect is a choice. A gain then resolves the Effects once, else once for each play of the card."""
    MOVES = 7
    """1 if an Effect moves the gained card."""
    BOUGHT = 8
    COPIES = 9
    """1 for a watch only for copies of the card set aside, if players gain them on their own turns (`Watch.copies`)."""
    BY_GAINER = 10
    """1 if the player who gained resolves the Effects, 0 if the card's owner does."""


class Trigger(IntEnum):
    """Events of a card. If the card has Effects for the event, its owner resolves them."""

    GAINED = 0
    TRASHED = 1
    DISCARDED = 2
    """An Effect discards the card. The clean-up and the discard of a whole deck are no such event."""
    ATTACK = 3
    """Another player plays an Attack while the card is in hand: its owner may reveal it."""
    END_OF_BUYS = 4
    """The Buy phase of its owner ends while the card is in play."""


class EventKind(IntEnum):
    """Kind of an event in the log. All but the first six move or show cards."""

    TURN = 0
    """A turn begins. The number is the number of the turn."""
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
    ARRIVE = 17
    """A card arrives in the zone that an earlier event has already shown. Logs omit this event."""
    OPTION = 18
    """An option or a place in a deck is chosen. The number is the option's, or the number of cards above the place."""
    NAME = 19
    """A card is named."""
    PASS = 20
    """A card goes to the hand of the next player with cards. Only these two seats see it."""
    VP = 21
    """A seat takes VP tokens. The number is their number."""
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
    """Before the Action phase: Effects that cards have kept for this turn."""


class Ending(IntEnum):
    """The reason of a game's end, or PLAYING."""

    PLAYING = 0
    PROVINCES = 1
    PILES = 2
    CUT = 3
    """The next player has already taken `Rules.max_turns` turns."""
    OVERFLOW = 4
    """The stack of frames was full. This is an error, not a result."""
    COLONIES = 5
