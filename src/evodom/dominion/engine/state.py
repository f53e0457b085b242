"""The record of a game (STATE), and kernels that move its cards and change its stack.

``cards[row, pile]`` counts the cards of each pile in each zone. Every card is in exactly one row, or among the known
cards of a deck.

Shuffling is deferred. A deck consists of unseen cards without an order (the rows from DECK) and a stack of cards that
its owner knows (``known``). The unseen cards lie below the stack, and in runs between its cards (``unseen_above``). An
unseen card is sampled when it is drawn. Games have the same distribution as with shuffled decks, and the record
contains no hidden order.
"""

from typing import Annotated, Any, Protocol

import numpy as np
import numpy.typing as npt

from evodom.dominion.effects.ops import NOT_STARTED, Ending, Frame, Later, Phase, Zone
from evodom.dominion.engine.rules import MAX_SEATS, N_PILES, NONE, Mask, Masks, Numbers
from evodom.errors import EvodomError
from evodom.jit.dtypes import Record, record_dtype
from evodom.jit.kernel import cold_kernel, kernel, next_word

N_ROWS = Zone.TRASH + 1
MAX_KNOWN = 64
"""Maximum number of known cards on a deck. If a game exceeds it, the deepest known card becomes unseen."""

MAX_PASSES = 64
"""Maximum number of entries of `State.passes`. If a game exceeds it, the oldest entry is dropped."""

MAX_DEPTH = 64
"""Maximum number of frames on the stack. Twenty King's Courts on an Attack with six players need 47."""

MAX_LATER = 40
"""Maximum number of entries of `State.later`."""

N_EVENT_COLUMNS = 8

MAX_EVENTS = 2048
"""Maximum number of events in a log. The engine stops when half of them are written, before the next Effect."""

ALL_SEATS = (1 << MAX_SEATS) - 1

PHASE_NAMES = tuple(phase.name.lower() for phase in Phase)

END_NAMES = ("playing", "Provinces", "empty piles", "cut", "overflow", "Colonies")

Streams = npt.NDArray[np.uint64]
Bytes = npt.NDArray[np.uint8]
ShortNumbers = npt.NDArray[np.int16]


class State(Record, Protocol):
    """A record of STATE: one game."""

    deck_streams: Annotated[Streams, MAX_SEATS]
    """Random stream of each seat's deck."""
    strategy_streams: Annotated[Streams, MAX_SEATS]
    """Random stream of each seat's strategy. Because it is separate, strategies can be compared with equal decks."""
    cards: Annotated[Numbers, (N_ROWS, N_PILES)]
    """Number of cards by row of a zone and pile."""
    n_cards: Annotated[Numbers, N_ROWS]
    """Number of cards in each row."""
    piles_in: Annotated[Masks, N_ROWS]
    """Mask of the piles with cards in each row."""
    known: Annotated[Bytes, (MAX_SEATS, MAX_KNOWN)]
    """Piles of the known cards on each deck, the deepest first."""
    n_known: Annotated[Numbers, MAX_SEATS]
    known_by: Annotated[Bytes, (MAX_SEATS, MAX_KNOWN)]
    """For each known card on a deck: mask of the seats that saw it put there, including the owner."""
    unseen_above: Annotated[ShortNumbers, (MAX_SEATS, MAX_KNOWN)]
    """For each known card on a deck: number of unseen cards directly above it."""
    unseen_discards: Annotated[Numbers, (MAX_SEATS, N_PILES)]
    """Number of cards in each discard pile that were discarded face down since the last shuffle."""
    owned: Annotated[Numbers, (MAX_SEATS, N_PILES)]
    """Cards that each seat owns, in all zones."""
    vp_tokens: Annotated[Numbers, MAX_SEATS]
    turns: Annotated[Numbers, MAX_SEATS]
    """Number of turns that each seat has begun. Extra turns do not count."""
    extra_turn: int
    """1 if an extra turn of the active seat follows."""
    is_extra: int
    """1 during an extra turn."""
    n_empty: int
    """Number of empty Supply piles."""
    gains_left: int
    """Cached result of `turn.gains_to_end`; 0 if the Supply has changed since."""
    ended: int
    """The number of an `Ending`; PLAYING during the game."""
    active: int
    """Seat whose turn it is."""
    phase: int
    actions: int
    actions_played: int
    """Plays of Actions this turn. Repeated plays count before they begin (`counts.n_waiting_plays` subtracts them)."""
    buys: int
    coins: int
    bonus: Annotated[Numbers, N_PILES]
    """For each pile: coins that Merchants add when the first Treasure of the pile is played this turn."""
    bonus_piles: Mask
    """Mask of the piles with a bonus."""
    treasures_played: Mask
    """Mask of the Treasures played this turn."""
    discount: Annotated[Numbers, N_PILES]
    """Reduction of the cost of each pile this turn."""
    discounted: Mask
    """Mask of the piles with a discount."""
    plays_this_turn: Annotated[Bytes, N_PILES]
    """For each card of `Rules.counted_plays`: plays this turn that still watch for gains."""
    named: Mask
    """Mask of the cards named this turn that may not be gained (War Chest)."""
    gained: Annotated[Masks, MAX_SEATS]
    """For each seat: mask of the piles of `Rules.watched` gained in its latest turn."""
    victories_gained: int
    """Victory cards of `Rules.watched` that the active seat has gained in this Buy phase."""
    staying: Annotated[Bytes, (MAX_SEATS, N_PILES)]
    """Number of cards in play of each seat that stay in play at its next clean-up."""
    later: Annotated[ShortNumbers, (MAX_LATER, len(Later))]
    """Effects that cards keep for the next turn of their player, the oldest first, with the columns of `Later`."""
    n_later: int
    decider: int
    """Seat of the pending Decision; NONE if no Decision is pending."""
    asked_effect: int
    """Index in `Rules.effects` of the Effect of the pending Decision."""
    legal: Mask
    """Mask of the legal answers: piles, PASS, and options from FIRST_OPTION on."""
    depth: int
    """Number of frames on the stack."""
    stack: Annotated[ShortNumbers, (MAX_DEPTH, len(Frame))]
    """Frames of the cards being resolved, with the columns of `Frame`. The last frame is resolved next."""
    chosen: int
    """Pile of the last card chosen in the current play, NONE if no card was chosen. Following Effects refer to it."""
    n_chosen: int
    """Number of cards of the latest choice in the current play."""
    chosen_cost: int
    """Total cost of the cards that the latest choice has trashed. Costs are those at the time of the choice."""
    unaffected: int
    """Mask of the seats that are unaffected by the Attack of the current play."""
    gain_was_moved: int
    """1 if a card that watches for gains has moved the card gained last."""
    auto_treasures: int
    """Mask of the seats whose plain Treasures are played without a Decision."""
    planned_gain: int
    """Pile that a strategy will gain for the card it trashes now, or NONE. The engine does not read it."""
    passed: Annotated[Numbers, MAX_SEATS]
    """For each seat: pile of the card chosen to pass, NONE without a card."""
    passes: Annotated[Bytes, (MAX_PASSES, 3)]
    """The latest cards passed: giver, receiver and pile. Other seats did not see them. Two players need no entries."""
    n_passes: int
    log: Annotated[int, "<i8"]
    """Address of the event log, int64 (MAX_EVENTS, N_EVENT_COLUMNS). 0 without a log."""
    n_events: int
    cause: int
    """Index in `Rules.effects` of the Effect that is being resolved; NONE for the procedure of a turn."""


STATE = record_dtype(State, "<i4")


class States(Protocol):
    """An array of STATE."""

    def __getitem__(self, index: int) -> State:
        """Return a record of the array."""

    def __setitem__(self, index: int, state: State) -> None:
        """Copy a record into the array."""

    def __len__(self) -> int:
        """Return the number of records."""


def recount_rows(state: State) -> None:
    """Recompute ``n_cards`` and ``piles_in`` from ``cards``, and reset ``gains_left``."""
    state.gains_left = 0
    state.n_cards[:] = state.cards.sum(axis=1)
    state.piles_in[:] = ((state.cards > 0).astype(np.int64) << np.arange(N_PILES)).sum(axis=1)


def check_overflow(ended: int | npt.NDArray[np.integer[Any]]) -> None:
    """Raise EvodomError if one of the endings is OVERFLOW: the stack or ``later`` of a game was full."""
    if np.any(np.equal(ended, Ending.OVERFLOW)):
        raise EvodomError(
            f"more than {MAX_DEPTH} unfinished plays, or {MAX_LATER} kinds of Effects for the next turn. "
            "Play without one of the cards."
        )


@kernel
def bit(pile: int) -> Any:
    """Return the mask of a pile. It is an int64, because an int32 overflows above pile 31 in uncompiled kernels."""
    return np.int64(1) << np.int64(pile)


@kernel
def n_bits(mask: int) -> int:
    """Return the number of bits in a mask. LLVM compiles the loop to one instruction."""
    n = 0
    while mask != 0:
        mask &= mask - 1
        n += 1
    return n


@kernel
def lowest_pile(mask: int) -> int:
    """Return the lowest pile of a nonempty mask. Counting bits is five times as fast as a loop over piles."""
    return n_bits((mask & -mask) - 1)


@kernel
def row_of(zone: int, seat: int) -> int:
    """Return the row of ``cards`` of a zone for a seat."""
    return zone + seat if zone < Zone.REVEALED else zone


@kernel
def deck_size(state: State, seat: int) -> int:
    """Return the number of cards in a deck."""
    size: int = state.n_cards[Zone.DECK + seat] + state.n_known[seat]
    return size


@kernel
def put(state: State, row: int, pile: int) -> None:
    """Add a card of ``pile`` to a row."""
    state.cards[row, pile] += 1
    state.n_cards[row] += 1
    state.piles_in[row] |= bit(pile)


@kernel
def take(state: State, row: int, pile: int) -> None:
    """Remove a card of ``pile`` from a row."""
    left = state.cards[row, pile] - 1
    state.cards[row, pile] = left
    state.n_cards[row] -= 1
    if left == 0:
        state.piles_in[row] &= ~bit(pile)


@kernel
def empty_into(state: State, source: int, target: int) -> None:
    """Move all cards of one row to another."""
    if state.n_cards[source] == 0:
        return
    piles = state.piles_in[source]
    while piles != 0:
        pile = lowest_pile(piles)
        piles &= piles - 1
        state.cards[target, pile] += state.cards[source, pile]
        state.cards[source, pile] = 0
    state.n_cards[target] += state.n_cards[source]
    state.piles_in[target] |= state.piles_in[source]
    state.n_cards[source] = 0
    state.piles_in[source] = 0


@kernel
def take_nth(state: State, row: int, nth: int) -> int:
    """Remove card number ``nth`` of a row, counted from 0 in pile order, and return its pile."""
    pile = 0
    while nth >= state.cards[row, pile]:
        nth -= state.cards[row, pile]
        pile += 1
    take(state, row, pile)
    return pile


@kernel
def push(state: State, first: int, end: int, seat: int) -> None:
    """Push a frame in which ``seat`` resolves the Effects from ``first`` to before ``end``.

    It belongs to the same play as the frame below.
    """
    push_frame(state, first, end, seat, state.stack[state.depth - 1, Frame.ROOT], 0)


@kernel
def push_play(state: State, first: int, end: int, seat: int, pile: int, place: int, play: int) -> None:
    """Push the frame of a play: ``seat`` plays a card of ``pile``. ``place`` is the card's zone, or NONE.

    ``play`` is the column `Frame.PLAY`. The frame saves the choice and the mask ``unaffected`` of the outer play.
    """
    push_frame(state, first, end, seat, state.depth, play)
    frame = state.depth - 1
    state.stack[frame, Frame.PILE] = pile
    state.stack[frame, Frame.PLACE] = place
    state.stack[frame, Frame.CHOSEN] = state.chosen
    state.stack[frame, Frame.N_CHOSEN] = state.n_chosen
    state.stack[frame, Frame.CHOSEN_COST] = state.chosen_cost
    state.stack[frame, Frame.UNAFFECTED] = state.unaffected
    state.stack[frame, Frame.PLAYS_LEFT] = 0


@kernel
def push_frame(state: State, first: int, end: int, seat: int, root: int, play: int) -> None:
    """Push a frame. If the stack is full, end the game with OVERFLOW."""
    frame = state.depth
    if frame == MAX_DEPTH:
        state.ended = Ending.OVERFLOW
        return
    state.stack[frame, Frame.NEXT] = first
    state.stack[frame, Frame.END] = end
    state.stack[frame, Frame.SEAT] = seat
    state.stack[frame, Frame.CARDS_LEFT] = NOT_STARTED
    state.stack[frame, Frame.ROOT] = root
    state.stack[frame, Frame.PLAY] = play
    state.depth = frame + 1


@kernel
def pop(state: State) -> None:
    """Remove the top frame. At the end of a play, restore the choice and the mask ``unaffected`` of the outer play."""
    frame = state.depth - 1
    if state.stack[frame, Frame.ROOT] == frame:
        state.chosen = state.stack[frame, Frame.CHOSEN]
        state.n_chosen = state.stack[frame, Frame.N_CHOSEN]
        state.chosen_cost = state.stack[frame, Frame.CHOSEN_COST]
        state.unaffected = state.stack[frame, Frame.UNAFFECTED]
    state.depth = frame


@kernel
def player_of(state: State, frame: int) -> int:
    """Return the seat that plays the card of a frame. In an Attack the seat of the frame may be an opponent."""
    seat: int = state.stack[state.stack[frame, Frame.ROOT], Frame.SEAT]
    return seat


@cold_kernel
def lose_track(state: State, frame: int) -> None:
    """Set PLACE to NONE in the frames of all remaining plays of a card, because the card was moved."""
    root = state.stack[frame, Frame.ROOT]
    for below in range(root - state.stack[root, Frame.PLAYS_LEFT], root + 1):
        state.stack[below, Frame.PLACE] = NONE


@cold_kernel
def hide_passes(state: State, viewer: int, sign: int) -> None:
    """Let cards whose pass ``viewer`` has not seen count as the giver's in ``owned``. ``sign`` -1 undoes the change."""
    for index in range(state.n_passes):
        giver, receiver, pile = state.passes[index, 0], state.passes[index, 1], state.passes[index, 2]
        if viewer not in (giver, receiver):
            state.owned[giver, pile] += sign
            state.owned[receiver, pile] -= sign


@kernel
def seed_streams(state: State, seed: np.uint64) -> None:
    """Initialise all random streams of a game from one seed (uint64)."""
    state.deck_streams[0] = seed
    for seat in range(MAX_SEATS):
        state.strategy_streams[seat] = next_word(state.deck_streams, 0)
    for seat in range(MAX_SEATS - 1, -1, -1):
        state.deck_streams[seat] = next_word(state.deck_streams, 0)


@kernel
def begin_turn(state: State, seat: int) -> None:
    """Begin a turn of ``seat`` with one Action, one Buy and no coins."""
    state.active = seat
    state.turns[seat] += 1
    state.phase = Phase.ACTION
    state.actions = 1
    state.actions_played = 0
    state.buys = 1
    state.coins = 0
    state.treasures_played = 0
    if state.bonus_piles | state.discounted != 0:
        reset_bonuses(state)


@cold_kernel
def reset_bonuses(state: State) -> None:
    """Reset the bonuses and discounts of a turn."""
    state.bonus_piles = state.discounted = 0
    for pile in range(N_PILES):
        state.bonus[pile] = 0
        state.discount[pile] = 0
