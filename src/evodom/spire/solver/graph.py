"""The graph of a fight: its records, its arrays, which grow within a limit of memory, and the arrays to work in.

A *row* of the graph is a position in which chance is about to decide: what cards are drawn, or which of several things
happens. It has *hands*: what chance may decide, each a *turn*: a decision of the player. A turn has *lines*: all that
the player can do until something is revealed. A line has *edges*: the rows that it may lead to, with their chances.

Where nothing in a fight reads the player's HP, a row stands for all HP at once: its record has `PLENTY` of them, and
the rows have an array of values, by HP. Elsewhere the HP are part of the record, and there is one value."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from evodom.errors import EvodomError
from evodom.jit.dtypes import record_dtype
from evodom.spire.engine.layout import FIGHT, N_KINDS, NONE, Dice, Numbers, Words
from evodom.spire.engine.moves import N_MOVES

Floats: TypeAlias = npt.NDArray[np.float64]
Records: TypeAlias = npt.NDArray[np.void]

PLENTY = 16_000
"""More HP than a fight can cost."""

MAX_DRAWN = 10
MAX_PILE = 255
"""The most cards of a pile that are drawn from."""

N_WORDS = FIGHT.itemsize // 8
MASK_WORDS = (N_WORDS + 63) // 64
"""The words that say which words of a packed record are not 0."""

TURN, DRAW, OVER = range(3)
"""What a position is: a decision, a draw of cards that is about to happen, or the end of the fight."""

DONE, MORE, NO_ROWS, NO_TURNS, NO_HANDS, NO_EDGES, NO_SLOTS, NARROW, NO_ROOM, NO_LINES, NO_NODES, NO_ENDS = range(12)
TOO_RANDOM, SPILLED, TOO_MANY = 12, 13, 14
"""How a task ends: done, to be called again, out of some room, or with a fight that cannot be solved."""

DEAD = -1
"""The target of an edge that no HP outlive; below it are the ends of the fight, -2 for the first."""


class SolverRecord(Protocol):
    """A record of WORK: what the solver works on, how large the graph is, and room to work in."""

    free: int  # whether a row stands for all HP
    dominates: int  # whether less HP of the single enemy is always at least as good
    plain: int  # whether several enemies are compared, and put in order (see `plain`)
    exhumes: int  # whether anything reads the exhaust pile
    mark: int
    more: int  # whether more starts are to come
    top: int  # the first free outcome
    n_lines: int
    n_rows: int
    n_rows_indexed: int
    n_turns: int
    n_turns_indexed: int
    n_ends: int
    n_slots: int
    free_slot: int
    highest: int  # no row waits with more HP
    stamp: int
    n_hands: Annotated[int, "<i8"]
    n_edges: Annotated[int, "<i8"]
    n_plays: Annotated[int, "<i8"]
    n_back: Annotated[int, "<i8"]  # edges to rows that come before them
    key: Annotated[Words, 2]
    moves: Annotated[Numbers, N_MOVES]
    pile: Annotated[Numbers, N_KINDS]
    hand: Annotated[Numbers, N_KINDS]
    ways: Annotated[Floats, (MAX_PILE + 1, MAX_DRAWN + 1)]


WORK = record_dtype(SolverRecord, "<i4")


class OutcomeRecord(Protocol):
    """A position that may come: its chance, the HP and the potions that the way to it costs, and what kind it is."""

    weight: float
    loss: int
    used: int
    kind: int


OUTCOME = record_dtype(OutcomeRecord, "<i4")

NODE = np.dtype((np.record, [("key", "<u8", (2,)), ("loss", "<i4"), ("used", "<i4")]))
"""A position within a turn."""

ROW = np.dtype(
    (
        np.record,
        [
            ("key", "<u8", (2,)),
            ("hand", "<i8"),  # its first hand
            ("n_hands", "<i4"),  # 0 if it is not expanded
            ("hp", "<i2"),  # the most HP with which it is reached, 0 if it is not
            ("kind", "<i2"),
            ("slot", "<i4"),  # its packed record, until it is expanded
            ("before", "<i4"),  # its neighbours among those that wait with as many HP
            ("after", "<i4"),
        ],
    )
)
"""A row of the graph."""

HAND = np.dtype((np.record, [("weight", "<f8"), ("turn", "<i4")]))


class TurnRecord(Protocol):
    """A turn: its edges."""

    key: Annotated[Words, 2]
    edge: Annotated[int, "<i8"]
    n: int


TURN_ROW = record_dtype(TurnRecord, "<i4")


class EdgeRecord(Protocol):
    """What may come of a line."""

    weight: float
    target: Annotated[int, "<i4"]  # a row, DEAD, or an end of the fight
    loss: int
    used: Annotated[int, "<i1"]  # potions
    last: Annotated[int, "<i1"]  # whether it is the last one of its line


EDGE = record_dtype(EdgeRecord, "<i2")

END = np.dtype((np.record, [("over", "<i4"), ("hp", "<i4"), ("left", "<i4"), ("gained", "<i4")]))
"""How a fight may end, where the HP are part of it: those of the player, and those that are left after it."""

STEP = np.dtype((np.record, [("row", "<i4"), ("hand", "<i4"), ("edge", "<i4")]))
"""A row that is being put in order, and how far."""


# What the kernels take. They take arrays out of a tuple one by one, only those they need: each
# costs a count of its references.


class TurnBuffers(NamedTuple):
    """The positions that a row or a turn leads to (`words`, `states`, `outcomes`), and those within the turn."""

    words: Words
    states: Records
    outcomes: Records
    own_words: Words
    own_states: Records
    nodes: Records
    slots: Numbers
    lines: Numbers


class GraphArrays(NamedTuple):
    """The graph of a fight, its indexes, and the rows that wait to be expanded."""

    rows: Records
    row_index: Numbers
    turns: Records
    turn_index: Numbers
    hands: Records
    edges: Records
    packed: Words
    heads: Numbers
    ends: Records


class ValueArrays(NamedTuple):
    """The values of rows by HP, their order, the payoffs of ends, and the probabilities of the best play."""

    values: Floats
    firsts: Numbers
    sequence: Numbers
    marks: Numbers
    stack: Records
    paid: Floats
    best: Floats
    sums: Floats
    total: Floats
    mass: Floats
    results: Floats


class FightStart(NamedTuple):
    """The rows of the enemies by place, their HP (0 where they are rolled), and the tape of openings."""

    group: Numbers
    known_hp: Numbers
    opening: Dice


class SolverArrays(NamedTuple):
    """Everything that a task works on."""

    start: FightStart
    room: TurnBuffers
    graph: GraphArrays
    plan: ValueArrays
    work: SolverRecord
    dice: Dice


GIBIBYTE = 1 << 30

LARGE = 1 << 26
"""An array of more bytes grows by half, a smaller one to twice its size."""

_GROWS = {
    NO_ROWS: ("rows",),
    NO_TURNS: ("turns",),
    NO_HANDS: ("hands",),
    NO_EDGES: ("edges",),
    NO_SLOTS: ("packed",),
    NO_ROOM: ("words", "outcomes"),
    NO_LINES: ("lines",),
    NO_NODES: ("own_words", "nodes"),
    NO_ENDS: ("ends",),
}
"""Which arrays have to grow when a task has ended so: they stay equally long, the first takes the most room."""


class FightTooLarge(EvodomError):
    """A fight has more positions than the limits allow."""


class Graph:
    """Rows, turns, hands and edges; and room for the positions of one row, of one turn, and of the rows that wait.

    It takes no more than `memory` bytes and `positions` rows, None for no limit; beyond it raises `FightTooLarge`.
    """

    def __init__(self, most_hp: int, memory: int | None, positions: int | None) -> None:
        self._memory, self._positions = memory, positions
        self.rows = np.zeros(1 << 10, ROW)
        self.turns = np.zeros(1 << 12, TURN_ROW)
        self.row_index = np.full(1 << 11, NONE, np.int32)
        self.turn_index = np.full(1 << 13, NONE, np.int32)
        self.hands = np.zeros(1 << 12, HAND)
        self.edges = np.zeros(1 << 15, EDGE)
        self.packed = np.zeros((1 << 10, 48), np.uint64)
        self.heads = np.full(most_hp + 1, NONE, np.int32)
        self.ends = np.zeros(1 << 10, END)
        self.words = np.zeros((1 << 10, N_WORDS), np.uint64)
        self.outcomes = np.zeros(1 << 10, OUTCOME)
        self.own_words = np.zeros((1 << 8, N_WORDS), np.uint64)
        self.nodes = np.zeros(1 << 8, NODE)
        self.slots = np.zeros((1 << 10, 2), np.int64)
        self.lines = np.zeros(1 << 10, np.int32)
        self.largest = 0
        self.plan(0)

    def clear(self, work: SolverRecord) -> None:
        """Forget the graph."""
        for name in ("n_rows", "n_rows_indexed", "n_turns", "n_turns_indexed", "n_slots", "n_hands", "n_edges"):
            setattr(work, name, 0)
        work.free_slot, work.highest, work.n_ends = NONE, 0, 0
        self.row_index[:] = self.turn_index[:] = self.heads[:] = NONE

    def arrays(self) -> GraphArrays:
        """Return the graph as the kernels take it."""
        return GraphArrays(*(getattr(self, name) for name in GraphArrays._fields))

    def room(self) -> TurnBuffers:
        """Return the room to work in as the kernels take it."""
        states, own_states = self.words.view(FIGHT)[:, 0], self.own_words.view(FIGHT)[:, 0]
        return TurnBuffers(
            self.words, states, self.outcomes, self.own_words, own_states, self.nodes, self.slots, self.lines
        )

    def plan(self, n_rows: int) -> None:
        """Make room to solve the first so many rows: their values, by HP, one row after the other."""
        hp = self.rows["hp"][:n_rows].astype(np.int64)
        self._check(n_rows * (8 + 4 + 1 + STEP.itemsize) + int(hp.sum()) * 8)
        self.firsts = np.cumsum(hp) - hp
        self.values = np.zeros(int(hp.sum()))
        self.order = np.zeros(n_rows, np.int32)
        self.marks = np.zeros(n_rows, np.int8)
        self.stack = np.zeros(n_rows, STEP)
        self.mass = np.zeros(0)

    def plan_to_follow(self) -> None:
        """Make room for the probability of each row, by HP."""
        self._check(self.values.nbytes)
        self.mass = np.zeros(len(self.values))

    @property
    def n_bytes(self) -> int:
        """The bytes that the graph takes, with room to grow."""
        return sum(array.nbytes for array in (*self.arrays(), *self.room()))

    def grow(self, ended: int, work: SolverRecord) -> None:
        """Make more of the room of which a task had not enough."""
        if ended == NO_ROWS and self._positions is not None and work.n_rows >= self._positions:
            raise FightTooLarge(f"more than {self._positions:,} positions, the number allowed")
        if ended == NARROW:
            self._check(2 * self.packed.nbytes)
            self.packed = np.pad(self.packed, ((0, 0), (0, self.packed.shape[1])))
            return
        n = self._next_length(_GROWS[ended][0])
        for name in _GROWS[ended]:
            self._lengthen(name, n)
        if ended == NO_ROWS:
            self.row_index = self._index(len(self.rows))
            work.n_rows_indexed = 0
        elif ended == NO_TURNS:
            self.turn_index = self._index(len(self.turns))
            work.n_turns_indexed = 0
        elif ended == NO_NODES:
            self.slots = np.zeros((4 * len(self.nodes), 2), np.int64)

    def _next_length(self, name: str) -> int:
        """Return how long an array becomes that is too short."""
        array = getattr(self, name)
        n = len(array) + (len(array) if array.nbytes < LARGE else len(array) // 2)
        if name == "rows" and self._positions is not None:
            n = min(n, max(self._positions, len(array) + 1))
        return n

    def _lengthen(self, name: str, n: int) -> None:
        """Make an array so long."""
        array = getattr(self, name)
        self._check(array.nbytes // len(array) * n)
        more = np.zeros((n, *array.shape[1:]), array.dtype)
        more[: len(array)] = array
        setattr(self, name, more)

    def _index(self, n: int) -> Any:
        """Return an empty index of so many places, a power of 2 with room to spare."""
        n_places = 1 << (n + n // 2).bit_length()
        self._check(4 * n_places)
        return np.full(n_places, NONE, np.int32)

    def _check(self, more: int) -> None:
        """Raise `FightTooLarge` if so many bytes more are more than is allowed."""
        self.largest = max(self.largest, self.n_bytes + more)
        if self._memory is not None and self.n_bytes + more > self._memory:
            raise FightTooLarge(
                f"{(self.n_bytes + more) / GIBIBYTE:.1f} GiB of memory are needed by now, and "
                f"{self._memory / GIBIBYTE:.1f} GiB are allowed"
            )
