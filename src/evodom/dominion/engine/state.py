"""Define the record of a game (STATE) and the primitives that move cards between its rows and frames on its stack.

``cards[row, pile]`` counts the cards of each pile in each zone. Every card is in exactly one row or among the known
cards of a deck (``top``). Shuffling is deferred. A deck is the multiset of its unseen cards (the rows from DECK) below
a stack of cards that its owner knows (``top``). An unseen card is sampled when it is drawn. The games have the same
distribution as with a shuffled deck, and the record contains no hidden order.
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
"""Maximum number of known cards on a deck. If a game exceeds it, the deepest known card becomes unseen."""

MAX_DEPTH = 32
"""Maximum number of frames on the stack. Ten Throne Rooms on a Spy with six players need half of it."""


EVERYBODY = (1 << MAX_SEATS) - 1
"""The mask of all seats."""

PHASE_NAMES = ("action", "treasure", "buy", "cleanup")

END_NAMES = ("playing", "Provinces", "empty piles", "cut", "overflow")

Streams = npt.NDArray[np.uint64]
Bytes = npt.NDArray[np.uint8]


class State(Protocol):
    """A record of STATE: one game. ``n_cards`` and ``mask`` are the size and the piles of each row of ``cards``."""

    chance: Streams
    """Random stream of each seat's deck."""
    choices: Streams
    """Random stream of each seat's strategy.

    It is separate from ``chance``, so that two strategies can be compared with common random numbers.
    """
    cards: Numbers
    """(N_ROWS, N_PILES): number of cards of each pile in each row of a zone."""
    n_cards: Numbers
    mask: Masks
    top: Numbers
    """Piles of the known cards on each deck, the deepest first."""
    n_top: Numbers
    seen: Bytes
    """For each known card on a deck: mask of the seats that saw it put there. The owner is always included."""
    unseen_discards: Numbers
    """Cards of each discard pile that were discarded face down since the last shuffle."""
    owned: Numbers
    """Cards that each seat owns, in all zones."""
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
    """Coins for the first Treasure of each pile played this turn."""
    bonus_piles: int
    treasures_played: int
    """Mask of the Treasures played this turn."""
    discount: Numbers
    """Reduction of the cost of each pile this turn."""
    discounted: int
    """Mask of the piles with a discount."""
    decider: int
    """Seat of the pending Decision; NONE if no Decision is pending."""
    asking: int
    """Row of the Effect of the pending Decision."""
    legal: int
    """Mask of the legal answers."""
    depth: int
    """Number of frames on the stack."""
    stack: Numbers
    """Frames, with the columns of `Frame`."""
    chosen: int
    n_chosen: int
    unaffected: int
    """Mask of the seats that revealed a Reaction to the Attack being resolved."""
    auto_treasures: int
    """Mask of the seats whose Treasures are played automatically."""
    intent: int
    """Memory of a strategy for its next Decision."""

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
    """Recompute ``n_cards`` and ``mask`` from ``cards``."""
    state.n_cards[:] = state.cards.sum(axis=1)
    state.mask[:] = ((state.cards > 0).astype(np.int64) << np.arange(N_PILES)).sum(axis=1)


def check_room(ended: int | npt.NDArray[np.integer[Any]]) -> None:
    """Raise EvodomError if a game has ended because its stack was full."""
    if np.any(np.equal(ended, Ending.OVERFLOW)):
        raise EvodomError(f"more than {MAX_DEPTH} cards would be resolved at once. Play without one of the cards.")


@kernel
def bit(pile: int) -> Any:
    """Return the mask of a pile. Without compilation, a shift of an int32 would lose piles above 31."""
    return np.int64(1) << np.int64(pile)


@kernel
def n_bits(mask: int) -> int:
    """Return the number of piles in a mask. The loop compiles to one instruction."""
    n = 0
    while mask != 0:
        mask &= mask - 1
        n += 1
    return n


@kernel
def lowest_pile(mask: int) -> int:
    """Return the lowest pile of a nonempty mask. Counting bits takes a fifth of the time of a search loop."""
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
    """Remove card number ``nth`` of a row, counted from 0 in pile order, and return its pile."""
    pile = 0
    while nth >= state.cards[row, pile]:
        nth -= state.cards[row, pile]
        pile += 1
    take(state, row, pile)
    return pile


@kernel
def push(state: State, first: int, end: int, seat: int) -> None:
    """Push a frame for ``seat`` with the rows from ``first`` up to, not including, ``end``.

    If the stack is full, end the game with OVERFLOW.
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
    """Remove the top frame. If it was triggered, restore ``chosen`` and ``n_chosen``."""
    frame = state.depth - 1
    if state.stack[frame, Frame.N_CHOSEN] != FRESH:
        state.chosen = state.stack[frame, Frame.CHOSEN]
        state.n_chosen = state.stack[frame, Frame.N_CHOSEN]
    state.depth = frame


@kernel
def seed_streams(state: State, seed: np.uint64) -> None:
    """Initialise all random streams of a game from one seed (uint64)."""
    state.chance[0] = seed
    for seat in range(MAX_SEATS):
        state.choices[seat] = next_word(state.chance, 0)
    for seat in range(MAX_SEATS - 1, -1, -1):
        state.chance[seat] = next_word(state.chance, 0)


@kernel
def begin_turn(state: State, seat: int) -> None:
    """Begin a turn of ``seat`` with one Action, one Buy and no coins."""
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
    """Reset the bonuses and discounts of a turn."""
    state.bonus_piles = state.discounted = 0
    for pile in range(N_PILES):
        state.bonus[pile] = 0
        state.discount[pile] = 0
