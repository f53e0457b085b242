"""The graph of a fight and the room to work in: arrays that grow, within a limit of memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from evodom.errors import EvodomError
from evodom.spire.engine.layout import DICE, FIGHT, NONE
from evodom.spire.solver import layout as at
from evodom.spire.solver.layout import EDGE, END, HAND, N_WORDS, NODE, OUTCOME, ROW, TURN_ROW

GIBIBYTE = 1 << 30


class TooLarge(EvodomError):
    """A fight needs more memory than is allowed."""


STACK = np.dtype([("row", "<i4"), ("hand", "<i4"), ("edge", "<i4")])
_STACK: Any = np.dtype((np.record, STACK.descr))


class Graph:
    """Rows, turns, hands and edges; and rooms for the positions of one row, of one turn, and of the rows that wait."""

    def __init__(self, most_hp: int, memory: int | None) -> None:
        self._memory = memory
        self._most_hp = most_hp
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
        self.plan_of(0, 0)

    def clear(self, work: Any) -> None:
        """Forget the graph."""
        for name in ("n_rows", "n_rows_indexed", "n_turns", "n_turns_indexed", "n_slots", "n_hands", "n_edges"):
            work[name] = 0
        work.free_slot, work.highest, work.n_ends = NONE, 0, 0
        self.row_index[:] = self.turn_index[:] = self.heads[:] = NONE

    def arrays(self) -> tuple[Any, ...]:
        """Return the graph, as the kernels take it."""
        return (
            self.rows, self.row_index, self.turns, self.turn_index, self.hands, self.edges, self.packed, self.heads,
            self.ends,
        )  # fmt: skip

    def room(self) -> tuple[Any, ...]:
        """Return the room to work in, as the kernels take it."""
        states, own_states = self.words.view(FIGHT)[:, 0], self.own_words.view(FIGHT)[:, 0]
        return (
            self.words, states, self.outcomes, self.own_words, own_states, self.nodes, self.slots, self.lines,
        )  # fmt: skip

    def plan_of(self, n_rows: int, n_values: int, *, follow: bool = False) -> None:
        """Make room for the values of so many rows, and, to `follow` the best play, for their probabilities."""
        self._check(n_rows * (8 + 4 + 1 + _STACK.itemsize) + n_values * 8 * (1 + follow))
        self.values = np.zeros(n_values)
        hp = self.rows["hp"][:n_rows].astype(np.int64)
        self.firsts = np.cumsum(hp) - hp
        self.order = np.zeros(n_rows, np.int32)
        self.marks = np.zeros(n_rows, np.int8)
        self.stack = np.zeros(n_rows, _STACK)
        self.mass = np.zeros(n_values if follow else 0)

    @property
    def n_bytes(self) -> int:
        """The bytes that the graph takes."""
        return sum(array.nbytes for array in (*self.arrays(), *self.room()))

    def _check(self, more: int) -> None:
        if self._memory is not None and self.n_bytes + more > self._memory:
            raise TooLarge("memory")

    def grow(self, ended: int, work: Any) -> None:
        """Make more of the room of which there was not enough."""
        if ended == at.NO_ROWS:
            self._double("rows")
            self.row_index = np.full(2 * len(self.rows), NONE, np.int32)
            work.n_rows_indexed = 0
        elif ended == at.NO_TURNS:
            self._double("turns")
            self.turn_index = np.full(2 * len(self.turns), NONE, np.int32)
            work.n_turns_indexed = 0
        elif ended == at.NARROW:
            wider = np.zeros((len(self.packed), 2 * self.packed.shape[1]), np.uint64)
            wider[:, : self.packed.shape[1]] = self.packed
            self.packed = wider
        elif ended == at.NO_NODES:
            self._double("own_words", "nodes", "slots")
            work.stamp = 0
            self.slots[:] = 0
        else:
            names = {
                at.NO_HANDS: ("hands",),
                at.NO_EDGES: ("edges",),
                at.NO_SLOTS: ("packed",),
                at.NO_ROOM: ("words", "outcomes"),
                at.NO_LINES: ("lines",),
                at.NO_ENDS: ("ends",),
            }
            self._double(*names[ended])

    def _double(self, *names: str) -> None:
        self._check(sum(getattr(self, name).nbytes for name in names))
        for name in names:
            array = getattr(self, name)
            more = np.zeros((2 * len(array), *array.shape[1:]), array.dtype)
            more[: len(array)] = array
            setattr(self, name, more)
