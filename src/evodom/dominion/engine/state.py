"""The game record: every card of a game in one table of counts, and the few primitives that move cards.

A state is one NumPy record of STATE. ``cards[row, pile]`` counts the cards of each pile in each zone, and every card is
in exactly one row or on a known deck top, so that column sums never change. Shuffling is deferred: a deck is the
multiset of its unseen cards (the rows from DECK) below a stack of cards its owner knows (``top``); an unseen card is
sampled when it is drawn, which gives the same games as a shuffled deck and leaves nothing hidden in the record.
"""

from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.ops import FRESH, Ending, Frame, Phase, Zone
from evodom.dominion.engine.rules import MAX_SEATS, N_PILES, Masks, Numbers
from evodom.errors import EvodomError
from evodom.jit.kernel import cold_kernel, kernel, next_word

N_ROWS = Zone.TRASH + 1
MAX_KNOWN = 64
"""Known cards on one deck. A game comes nowhere near; beyond it the deepest one counts as unseen again."""

MAX_DEPTH = 32
"""Cards being resolved at once: ten Throne Rooms in a row, on a Spy among six players, need half of it."""


EVERYBODY = (1 << MAX_SEATS) - 1
"""The mask of all seats."""

PHASE_NAMES = ("action", "treasure", "buy", "cleanup")

END_NAMES = ("playing", "Provinces", "empty piles", "cut", "overflow")

Streams = npt.NDArray[np.uint64]
Bytes = npt.NDArray[np.uint8]


class State(Protocol):
    """A record of STATE: one game. ``n_cards`` and ``mask`` follow the rows of ``cards``."""

    chance: Streams
    """Random streams by seat: what chance does to the seat's deck."""
    choices: Streams
    """Random streams by seat: what the strategy that decides for the seat draws.

    They are apart from ``chance``, so that two strategies can be compared with equal luck.
    """
    cards: Numbers
    """The cards of each pile in each row of a zone."""
    n_cards: Numbers
    mask: Masks
    top: Numbers
    """The known cards on each deck, the deepest first."""
    n_top: Numbers
    seen: Bytes
    """For each known card on a deck the mask of the seats that saw it put there. Its owner always knows it."""
    unseen_discards: Numbers
    """The cards of each discard pile that went there unseen since the last shuffle."""
    owned: Numbers
    """What each seat owns, in any zone."""
    turns: Numbers
    n_empty: int
    ended: int
    """An `Ending`."""
    active: int
    phase: int
    actions: int
    buys: int
    coins: int
    bonus: Numbers
    """Coins that the first Treasure of each pile brings."""
    bonus_piles: int
    treasures_played: int
    """Mask of the Treasures played this turn."""
    discount: Numbers
    """By how much the cost of each pile is reduced this turn."""
    discounted: int
    """Mask of the piles with a discount."""
    decider: int
    """The seat that the pending Decision asks; NONE for nobody."""
    asking: int
    """The row of the Effect that asks."""
    legal: int
    """Mask of the legal answers."""
    depth: int
    """Number of frames on the stack of what is being resolved."""
    stack: Numbers
    """Frames, with the columns of `Frame`."""
    chosen: int
    n_chosen: int
    unaffected: int
    """Mask of the seats that revealed a Reaction to the Attack being resolved."""
    auto_treasures: int
    """Mask of the seats whose Treasures are all played without asking."""
    intent: int
    """A strategy's note for its own next Decision."""

    def __getitem__(self, field: str) -> Any:
        """Return a field."""

    def __setitem__(self, field: str, value: object) -> None:
        """Set a field."""

    def copy(self) -> Self:
        """Return a copy."""

    def tobytes(self) -> bytes:
        """Return the bytes of the record."""


class States(Protocol):
    """An array of STATE."""

    def __getitem__(self, index: int) -> State:
        """Return a record of the array."""

    def __setitem__(self, index: int, state: State) -> None:
        """Copy a record into the array."""

    def __len__(self) -> int:
        """Return the number of records."""


STATE = np.dtype(
    (
        np.record,
        [
            ("chance", "<u8", (MAX_SEATS,)),
            ("choices", "<u8", (MAX_SEATS,)),
            ("cards", "<i4", (N_ROWS, N_PILES)),
            ("n_cards", "<i4", (N_ROWS,)),
            ("mask", "<i8", (N_ROWS,)),
            ("top", "<i4", (MAX_SEATS, MAX_KNOWN)),
            ("n_top", "<i4", (MAX_SEATS,)),
            ("seen", "<u1", (MAX_SEATS, MAX_KNOWN)),
            ("unseen_discards", "<i4", (MAX_SEATS, N_PILES)),
            ("owned", "<i4", (MAX_SEATS, N_PILES)),
            ("turns", "<i4", (MAX_SEATS,)),
            ("n_empty", "<i4"),
            ("ended", "<i4"),
            ("active", "<i4"),
            ("phase", "<i4"),
            ("actions", "<i4"),
            ("buys", "<i4"),
            ("coins", "<i4"),
            ("bonus", "<i4", (N_PILES,)),
            ("bonus_piles", "<i8"),
            ("treasures_played", "<i8"),
            ("discount", "<i4", (N_PILES,)),
            ("discounted", "<i8"),
            ("decider", "<i4"),
            ("asking", "<i4"),
            ("legal", "<i8"),
            ("depth", "<i4"),
            ("stack", "<i4", (MAX_DEPTH, len(Frame))),
            ("chosen", "<i4"),
            ("n_chosen", "<i4"),
            ("unaffected", "<i4"),
            ("auto_treasures", "<i4"),
            ("intent", "<i4"),
        ],
    )
)
"""One game; `State` describes the fields."""


def refresh(state: State) -> None:
    """Recompute what follows from ``cards``: sizes and masks of the rows."""
    state.n_cards[:] = state.cards.sum(axis=1)
    state.mask[:] = ((state.cards > 0).astype(np.int64) << np.arange(N_PILES)).sum(axis=1)


def check_room(ended: int | npt.NDArray[np.integer[Any]]) -> None:
    """Raise EvodomError if a game has ended because its stack was full."""
    if np.any(np.equal(ended, Ending.OVERFLOW)):
        raise EvodomError(f"more than {MAX_DEPTH} cards would be resolved at once. Play without one of the cards.")


@kernel
def bit(pile: int) -> Any:
    """Return the mask of a pile. A shift of an int32 would lose piles above 31 where kernels are not compiled."""
    return np.int64(1) << np.int64(pile)


@kernel
def n_bits(mask: int) -> int:
    """Return the number of piles in a mask. The compiler makes one instruction of the loop."""
    n = 0
    while mask != 0:
        mask &= mask - 1
        n += 1
    return n


@kernel
def lowest_pile(mask: int) -> int:
    """Return the lowest pile of a mask that has one. Counting the bits below it takes a fifth of a search's time."""
    return n_bits((mask & -mask) - 1)


@kernel
def row_of(zone: int, seat: int) -> int:
    """Return the row of ``cards`` of a zone for a seat."""
    return zone + seat if zone < Zone.REVEALED else zone


@kernel
def put(state: State, row: int, pile: int) -> None:
    """Add a card of ``pile`` to a row."""
    state.cards[row, pile] += 1
    state.n_cards[row] += 1
    state.mask[row] |= bit(pile)


@kernel
def take(state: State, row: int, pile: int) -> None:
    """Remove a card of ``pile`` from a row."""
    left = state.cards[row, pile] - 1
    state.cards[row, pile] = left
    state.n_cards[row] -= 1
    if left == 0:
        state.mask[row] &= ~bit(pile)


@kernel
def empty_into(state: State, source: int, target: int) -> None:
    """Move all cards of one row to another."""
    if state.n_cards[source] == 0:
        return
    for pile in range(N_PILES):
        state.cards[target, pile] += state.cards[source, pile]
        state.cards[source, pile] = 0
    state.n_cards[target] += state.n_cards[source]
    state.mask[target] |= state.mask[source]
    state.n_cards[source] = 0
    state.mask[source] = 0


@kernel
def take_nth(state: State, row: int, nth: int) -> int:
    """Remove the card of a row that is number ``nth``, counted from 0 in the order of piles, and return its pile."""
    pile = 0
    while nth >= state.cards[row, pile]:
        nth -= state.cards[row, pile]
        pile += 1
    take(state, row, pile)
    return pile


@kernel
def push(state: State, first: int, end: int, seat: int) -> None:
    """Put a frame on the stack: the rows from ``first`` to before ``end``, for ``seat``.

    A game whose stack is full ends there with OVERFLOW.
    """
    if state.depth == MAX_DEPTH:
        state.ended = Ending.OVERFLOW
        return
    state.stack[state.depth, Frame.NEXT] = first
    state.stack[state.depth, Frame.END] = end
    state.stack[state.depth, Frame.SEAT] = seat
    state.stack[state.depth, Frame.LEFT] = FRESH
    state.stack[state.depth, Frame.AGAIN] = 0
    state.stack[state.depth, Frame.N_CHOSEN] = FRESH
    state.depth += 1


@kernel
def pop(state: State) -> None:
    """Remove the top frame; after a triggered one, restore what had been chosen before."""
    frame = state.depth - 1
    if state.stack[frame, Frame.N_CHOSEN] != FRESH:
        state.chosen = state.stack[frame, Frame.CHOSEN]
        state.n_chosen = state.stack[frame, Frame.N_CHOSEN]
    state.depth = frame


@kernel
def seed_streams(state: State, seed: np.uint64) -> None:
    """Begin all random streams of a game anew; they follow from one seed (uint64)."""
    state.chance[0] = seed
    for seat in range(MAX_SEATS):
        state.choices[seat] = next_word(state.chance, 0)
    for seat in range(MAX_SEATS - 1, -1, -1):
        state.chance[seat] = next_word(state.chance, 0)


@kernel
def begin_turn(state: State, seat: int) -> None:
    """Give the turn to ``seat``: one Action, one Buy, no coins."""
    state.active = seat
    state.turns[seat] += 1
    state.phase = Phase.ACTION
    state.actions = 1
    state.buys = 1
    state.coins = 0
    state.treasures_played = 0
    if state.bonus_piles | state.discounted != 0:
        end_bonuses(state)


@cold_kernel
def end_bonuses(state: State) -> None:
    """Forget the bonuses and discounts of a turn."""
    state.bonus_piles = state.discounted = 0
    for pile in range(N_PILES):
        state.bonus[pile] = 0
        state.discount[pile] = 0
