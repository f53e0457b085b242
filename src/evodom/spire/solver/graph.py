"""Records and arrays of the solver's graph, which grows within a limit of memory.

Open it to look up a field of a node or edge, or the meaning of a task's return code. The graph has four kinds of
objects:

- A *row* is a chance node: a position in which chance decides next (a draw of cards, or another random result).
- A *hand* is an outcome of a row, with its probability. It leads to a turn.
- A *turn* is a decision node. Its options are *lines*: sequences of moves up to the next revealed information.
- An *edge* is an outcome of a line, with its probability. It leads to a row or to an end of the fight.

If nothing in a fight depends on the player's HP, a row covers all HP: its record has `PLENTY` HP, and its values form
an array by HP. Otherwise the HP are part of the record, and a row has one value.
"""

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
"""HP of the record of a row that covers all HP: more than a fight can cost."""

MAX_DRAWN = 10
MAX_PILE = 255
"""Maximum number of cards of a pile that is drawn from."""

N_WORDS = FIGHT.itemsize // 8
MASK_WORDS = (N_WORDS + 63) // 64
"""Number of mask words in a packed record; their bits mark its nonzero words."""

TURN, DRAW, OVER = range(3)
"""Kind of a position: a decision, a pending draw of cards, or the end of the fight."""

DONE, MORE, NO_ROWS, NO_TURNS, NO_HANDS, NO_EDGES, NO_SLOTS, NARROW, NO_ROOM, NO_LINES, NO_NODES, NO_ENDS = range(12)
TOO_RANDOM, SPILLED, TOO_MANY = 12, 13, 14
"""Return codes of a task: done, call again, an array is full, or the fight cannot be solved."""

DEAD = -1
"""Target of an edge on which no HP are left. Smaller numbers are ends of the fight, the first is -2."""


class SolverRecord(Protocol):
    """A record of WORK: properties of the fight, the size of the graph, and scratch space."""

    free: int  # whether a row covers all HP
    dominates: int  # whether less HP of the single enemy is always at least as good
    plain: int  # whether enemies are compared and sorted (see `dominance`)
    exhumes: int  # whether a card of the fight uses the exhaust pile
    mark: int
    more: int  # whether there are more initial states
    top: int  # the first free outcome
    n_lines: int
    n_rows: int
    n_rows_indexed: int
    n_turns: int
    n_turns_indexed: int
    n_ends: int
    n_slots: int
    free_slot: int
    highest: int  # upper bound of the HP of waiting rows
    stamp: int
    n_hands: Annotated[int, "<i8"]
    n_edges: Annotated[int, "<i8"]
    n_plays: Annotated[int, "<i8"]
    n_back: Annotated[int, "<i8"]  # back edges: edges to rows that are not finished, i.e. cycles
    key: Annotated[Words, 2]
    moves: Annotated[Numbers, N_MOVES]
    pile: Annotated[Numbers, N_KINDS]
    hand: Annotated[Numbers, N_KINDS]
    ways: Annotated[Floats, (MAX_PILE + 1, MAX_DRAWN + 1)]


WORK = record_dtype(SolverRecord, "<i4")


class OutcomeRecord(Protocol):
    """A position reached by an expansion: its probability, its kind, and the HP and potions used to reach it."""

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
            ("hand", "<i8"),  # first of its hands
            ("n_hands", "<i4"),  # 0 before it is expanded
            ("hp", "<i2"),  # most HP with which it is reached; 0 if it is not
            ("kind", "<i2"),
            ("slot", "<i4"),  # slot of its packed record, until it is expanded
            ("before", "<i4"),  # neighbours in the list of waiting rows with equal HP
            ("after", "<i4"),
        ],
    )
)
"""A row of the graph: a chance node."""

HAND = np.dtype((np.record, [("weight", "<f8"), ("turn", "<i4")]))


class TurnRecord(Protocol):
    """A turn, a decision node: the range of its edges."""

    key: Annotated[Words, 2]
    edge: Annotated[int, "<i8"]
    n: int


TURN_ROW = record_dtype(TurnRecord, "<i4")


class EdgeRecord(Protocol):
    """An outcome of a line."""

    weight: float
    target: Annotated[int, "<i4"]  # a row, DEAD, or an end of the fight (below DEAD)
    loss: int
    used: Annotated[int, "<i1"]  # potions
    last: Annotated[int, "<i1"]  # whether it is the last edge of its line


EDGE = record_dtype(EdgeRecord, "<i2")

END = np.dtype((np.record, [("over", "<i4"), ("hp", "<i4"), ("left", "<i4"), ("gained", "<i4")]))
"""An end of a fight, if HP are part of the record: the player's HP at the end, and those left after healing."""

STEP = np.dtype((np.record, [("row", "<i4"), ("hand", "<i4"), ("edge", "<i4")]))
"""Stack entry of the topological sort: a row and its next hand and edge."""


# Arguments of the kernels. A kernel unpacks only the arrays that it needs: each unpacked array
# costs a reference count.


class TurnBuffers(NamedTuple):
    """Buffers of one expansion: its outcomes (`words`, `states`, `outcomes`) and positions within the turn."""

    words: Words
    states: Records
    outcomes: Records
    own_words: Words
    own_states: Records
    nodes: Records
    slots: Numbers
    lines: Numbers


class GraphArrays(NamedTuple):
    """The graph of a fight, its indexes, and the rows waiting to be expanded."""

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
    """Values of rows by HP, the topological order, payoffs of ends, and probabilities under optimal play."""

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
    """Rows of the enemies by place, their HP (0: rolled), and the tape of initial states."""

    group: Numbers
    known_hp: Numbers
    opening: Dice


class SolverArrays(NamedTuple):
    """All arrays of a task."""

    start: FightStart
    room: TurnBuffers
    graph: GraphArrays
    plan: ValueArrays
    work: SolverRecord
    dice: Dice


GIBIBYTE = 1 << 30

LARGE = 1 << 26
"""Arrays above this size in bytes grow by half; smaller arrays double."""

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
"""Arrays to grow, by the task's return code. Arrays of one entry have equal lengths; the first is the largest."""


class FightTooLarge(EvodomError):
    """A fight has more positions than the limits allow."""


class Graph:
    """The graph of a fight, and buffers for one expansion and for waiting rows.

    Raise `FightTooLarge` beyond `memory` bytes or `positions` rows; None means no limit.
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
        """Remove all rows, turns, hands and edges; keep the arrays."""
        for name in ("n_rows", "n_rows_indexed", "n_turns", "n_turns_indexed", "n_slots", "n_hands", "n_edges"):
            setattr(work, name, 0)
        work.free_slot, work.highest, work.n_ends = NONE, 0, 0
        self.row_index[:] = self.turn_index[:] = self.heads[:] = NONE

    def arrays(self) -> GraphArrays:
        """Return the graph as an argument of kernels."""
        return GraphArrays(*(getattr(self, name) for name in GraphArrays._fields))

    def room(self) -> TurnBuffers:
        """Return the buffers as an argument of kernels."""
        states, own_states = self.words.view(FIGHT)[:, 0], self.own_words.view(FIGHT)[:, 0]
        return TurnBuffers(
            self.words, states, self.outcomes, self.own_words, own_states, self.nodes, self.slots, self.lines
        )

    def plan(self, n_rows: int) -> None:
        """Allocate the arrays to solve the first `n_rows` rows; their values are stored by HP, row after row."""
        hp = self.rows["hp"][:n_rows].astype(np.int64)
        self._check(n_rows * (8 + 4 + 1 + STEP.itemsize) + int(hp.sum()) * 8)
        self.firsts = np.cumsum(hp) - hp
        self.values = np.zeros(int(hp.sum()))
        self.order = np.zeros(n_rows, np.int32)
        self.marks = np.zeros(n_rows, np.int8)
        self.stack = np.zeros(n_rows, STEP)
        self.mass = np.zeros(0)

    def plan_to_follow(self) -> None:
        """Allocate the probability of each row, by HP."""
        self._check(self.values.nbytes)
        self.mass = np.zeros(len(self.values))

    @property
    def n_bytes(self) -> int:
        """Return the bytes allocated for the graph and its buffers."""
        return sum(array.nbytes for array in (*self.arrays(), *self.room()))

    def grow(self, ended: int, work: SolverRecord) -> None:
        """Enlarge the arrays that were full according to the return code `ended`."""
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
        """Return the next length of an array."""
        array = getattr(self, name)
        n = len(array) + (len(array) if array.nbytes < LARGE else len(array) // 2)
        if name == "rows" and self._positions is not None:
            n = min(n, max(self._positions, len(array) + 1))
        return n

    def _lengthen(self, name: str, n: int) -> None:
        """Extend an array to length `n`."""
        array = getattr(self, name)
        self._check(array.nbytes // len(array) * n)
        more = np.zeros((n, *array.shape[1:]), array.dtype)
        more[: len(array)] = array
        setattr(self, name, more)

    def _index(self, n: int) -> Any:
        """Return an empty index for `n` entries. Its length is a power of 2 and exceeds `n` by at least half."""
        n_places = 1 << (n + n // 2).bit_length()
        self._check(4 * n_places)
        return np.full(n_places, NONE, np.int32)

    def _check(self, more: int) -> None:
        """Raise `FightTooLarge` if `more` additional bytes exceed the limit of memory."""
        self.largest = max(self.largest, self.n_bytes + more)
        if self._memory is not None and self.n_bytes + more > self._memory:
            raise FightTooLarge(
                f"{(self.n_bytes + more) / GIBIBYTE:.1f} GiB of memory are needed by now, and "
                f"{self._memory / GIBIBYTE:.1f} GiB are allowed"
            )
