"""The graph of a fight and the room to work in: arrays that grow, within a limit of memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from evodom.errors import EvodomError
from evodom.spire.engine.layout import FIGHT, NONE
from evodom.spire.solver import layout as at
from evodom.spire.solver.layout import (
    EDGE,
    END,
    HAND,
    N_WORDS,
    NODE,
    OUTCOME,
    ROW,
    STEP,
    TURN_ROW,
    GraphArrays,
    SolverRecord,
    TurnBuffers,
)

GIBIBYTE = 1 << 30

LARGE = 1 << 26
"""An array of more bytes grows by half, a smaller one to twice its size."""

_GROWS = {
    at.NO_ROWS: ("rows",),
    at.NO_TURNS: ("turns",),
    at.NO_HANDS: ("hands",),
    at.NO_EDGES: ("edges",),
    at.NO_SLOTS: ("packed",),
    at.NO_ROOM: ("words", "outcomes"),
    at.NO_LINES: ("lines",),
    at.NO_NODES: ("own_words", "nodes"),
    at.NO_ENDS: ("ends",),
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
        if ended == at.NO_ROWS and self._positions is not None and work.n_rows >= self._positions:
            raise FightTooLarge(f"more than {self._positions:,} positions, the number allowed")
        if ended == at.NARROW:
            self._check(2 * self.packed.nbytes)
            self.packed = np.pad(self.packed, ((0, 0), (0, self.packed.shape[1])))
            return
        n = self._next_length(_GROWS[ended][0])
        for name in _GROWS[ended]:
            self._lengthen(name, n)
        if ended == at.NO_ROWS:
            self.row_index = self._index(len(self.rows))
            work.n_rows_indexed = 0
        elif ended == at.NO_TURNS:
            self.turn_index = self._index(len(self.turns))
            work.n_turns_indexed = 0
        elif ended == at.NO_NODES:
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
