"""`FightGraph`: build the graph of a fight or of positions. Its arrays grow up to a memory limit.

Open it to change how memory is managed, or to add a kind of root. Add roots, then call `explore`.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from evodom.errors import EvodomError
from evodom.spire.engine import layout as at
from evodom.spire.engine.chance import LIST_ALL_BUT_DRAWS
from evodom.spire.engine.compiler import BURNING_MARKS
from evodom.spire.engine.game import SpireFight, State
from evodom.spire.engine.moves import BEGIN
from evodom.spire.solver import graph as g
from evodom.spire.solver.answer import Effort, FightTooLarge, GraphSize, SolverLimits
from evodom.spire.solver.dominance import Shortcuts, new_workspace
from evodom.spire.solver.explore import add_fight_root, add_move_root, explore
from evodom.spire.solver.graph import Buffers, GraphArrays, Records, SolutionArrays, SolverWorkspace
from evodom.spire.solver.table import index_nodes

GIBIBYTE = 1 << 30

LARGE_ARRAY = 1 << 26
"""Arrays of at least this number of bytes grow by half. Smaller arrays double."""

PACKED_WIDTH = 48
"""Initial number of words of a packed position."""

MOVES_PER_CALL = 300_000
"""Moves played between two calls of `progress`."""

ALL_STARTS = 1 << 30
"""More initial states than any fight has."""

_COUNTERS = {g.CHANCE_NODES_FULL: "n_chance_nodes", g.DECISIONS_FULL: "n_decisions"}
"""Field of the workspace with the number of nodes in an array, by the return code for that array being full."""

Progress = Callable[[GraphSize], None]
"""Callback that receives the size of the graph."""


class GrowableArray:
    """An array that is enlarged when a kernel has filled it.

    `records` has the entries. With `has_words`, `words` has a position for each entry. `index` is a hash table of the
    entries; `new_index` returns an empty hash table for a number of entries.
    """

    def __init__(self, records: Any, new_index: Callable[[int], Any] | None = None, *, has_words: bool = False) -> None:
        self.records, self._new_index = records, new_index
        self.words: Any = np.zeros((len(records), g.N_WORDS), np.uint64) if has_words else None
        self.index: Any = new_index(len(records)) if new_index else None

    @property
    def states(self) -> Records:
        """The words as records of FIGHT."""
        states: Records = self.words.view(at.FIGHT)[:, 0]
        return states

    def next_length(self) -> int:
        """Return the length after growing."""
        n, n_bytes = len(self.records), self.records.nbytes if self.words is None else self.words.nbytes
        return n + (n if n_bytes < LARGE_ARRAY else n // 2)

    def grow(self, n: int, reserve: Callable[[int], None]) -> None:
        """Enlarge to `n` entries, with a new and empty index. Before each allocation, call `reserve` with its bytes."""
        for name in ("records",) if self.words is None else ("words", "records"):
            array = getattr(self, name)
            reserve(array.nbytes // len(array) * n)
            longer = np.zeros((n, *array.shape[1:]), array.dtype)
            longer[: len(array)] = array
            setattr(self, name, longer)
        if self._new_index:
            index = self._new_index(n)
            reserve(index.nbytes)
            self.index = index


def _node_index(n: int) -> Any:
    """Return an empty hash table for `n` nodes. Its length is a power of 2 and at least 1.5 n."""
    return np.full(1 << (n + n // 2).bit_length(), at.NONE, np.int32)


def _turn_index(n: int) -> Any:
    """Return an empty hash table for `n` positions within a turn."""
    return np.zeros((4 * n, 2), np.int64)


class FightGraph:
    """The graph of a fight or of some of its positions, and buffers for one expansion.

    Raise `FightTooLarge` beyond the limits.
    """

    def __init__(self, game: SpireFight, limits: SolverLimits, progress: Progress | None = None) -> None:
        self._game, self._limits, self._progress = game, limits, progress
        self.workspace: SolverWorkspace = new_workspace(game)
        self._dice: Any = np.zeros(2, at.DICE)
        self._dice["mode"] = LIST_ALL_BUT_DRAWS
        self._queue_heads = np.full(game.rules.max_hp + 1, at.NONE, np.int32)
        n_nodes = min(1 << 10, limits.chance_nodes or 1 << 10)
        self._tables = {  # by the return code of a full array
            g.CHANCE_NODES_FULL: GrowableArray(np.zeros(n_nodes, g.CHANCE_NODE), _node_index),
            g.DECISIONS_FULL: GrowableArray(np.zeros(1 << 12, g.DECISION_NODE), _node_index),
            g.BRANCHES_FULL: GrowableArray(np.zeros(1 << 12, g.BRANCH)),
            g.EDGES_FULL: GrowableArray(np.zeros(1 << 15, g.EDGE)),
            g.PACKED_FULL: GrowableArray(np.zeros((1 << 10, PACKED_WIDTH), np.uint64)),
            g.ENDS_FULL: GrowableArray(np.zeros(1 << 10, g.END)),
            g.OUTCOMES_FULL: GrowableArray(np.zeros(1 << 10, g.OUTCOME), has_words=True),
            g.POSITIONS_FULL: GrowableArray(np.zeros(1 << 8, g.TURN_POSITION), _turn_index, has_words=True),
            g.PLANS_FULL: GrowableArray(np.zeros(1 << 10, np.int32)),
        }
        self.peak_bytes, self.effort = 0, Effort()
        self.clear()

    def arrays(self) -> GraphArrays:
        """Return the graph as an argument of kernels."""
        nodes, decisions = self._tables[g.CHANCE_NODES_FULL], self._tables[g.DECISIONS_FULL]
        branches, edges, packed, ends = (
            self._tables[code].records for code in (g.BRANCHES_FULL, g.EDGES_FULL, g.PACKED_FULL, g.ENDS_FULL)
        )
        return GraphArrays(
            nodes.records, nodes.index, decisions.records, decisions.index, branches, edges, packed,
            self._queue_heads, ends,
        )  # fmt: skip

    def buffers(self) -> Buffers:
        """Return the buffers as an argument of kernels."""
        outcomes, positions = self._tables[g.OUTCOMES_FULL], self._tables[g.POSITIONS_FULL]
        return Buffers(
            outcomes.words, outcomes.states, outcomes.records, positions.words, positions.states, positions.records,
            positions.index, self._tables[g.PLANS_FULL].records, self.workspace, *self._dice,
        )  # fmt: skip

    @property
    def n_bytes(self) -> int:
        """Bytes allocated for the graph and its buffers."""
        return sum(array.nbytes for array in (*self.arrays(), *self.buffers()) if isinstance(array, np.ndarray))

    def size(self) -> GraphSize:
        """Return the size of the graph so far."""
        n = int(self.workspace.n_chance_nodes)
        n_expanded = int(np.count_nonzero(self.arrays().chance_nodes["n_branches"][:n]))
        return GraphSize(n, n - n_expanded, self.n_bytes)

    def use(self, shortcuts: Shortcuts) -> None:
        """Use simplifications for the roots that follow."""
        for name, is_valid in shortcuts._asdict().items():
            setattr(self.workspace, name, is_valid)

    def clear(self) -> None:
        """Remove all nodes, branches and edges; keep the arrays."""
        workspace = self.workspace
        workspace.n_chance_nodes = workspace.n_decisions = workspace.n_branches = workspace.n_edges = 0
        workspace.n_packed = workspace.n_ends = workspace.highest_hp = 0
        workspace.first_free_slot = at.NONE
        self._queue_heads[:] = at.NONE
        for code in _COUNTERS:
            self._index_nodes(code)

    def _index_nodes(self, code: int) -> None:
        """Fill the hash table of the nodes in the array of a return code."""
        table = self._tables[code]
        table.index[:] = at.NONE
        index_nodes(table.records, int(getattr(self.workspace, _COUNTERS[code])), table.index)

    # Building.

    def add_move_root(self, state: State, move: int) -> int:
        """Add a root for a move of a position. Return its number."""
        fight = np.frombuffer(bytearray(state), at.FIGHT)[0]
        hp = self._root_hp(fight.hp[0])
        if self.workspace.hp_independent:
            fight.hp[0] = g.PLACEHOLDER_HP
        return self._add_root(fight, partial(add_move_root, self._game.record, move, hp))

    def edges_of_root(self, root: int) -> Records:
        """Return the edges of the root of a move."""
        arrays = self.arrays()
        decision = arrays.decisions[arrays.branches["decision"][arrays.chance_nodes["first_branch"][root]]]
        edges: Records = arrays.edges[decision.first_edge : decision.first_edge + decision.n_edges]
        return edges

    def group_probabilities(self) -> dict[int, float]:
        """Return the probabilities of the groups of enemies. In a plain fight, merge groups that differ in order."""
        rules = self._game.rules
        first_of_key: dict[tuple[int, ...], int] = {}
        found: dict[int, float] = {}
        for group, weight in enumerate(rules.group_weights):
            is_unordered = self.workspace.is_plain and not self._game.setup.enemy_hp
            key = tuple(sorted(rules.groups[group].tolist())) if is_unordered else (group,)
            first = first_of_key.setdefault(key, group)
            found[first] = found.get(first, 0.0) + float(weight) / float(rules.group_weights.sum())
        return found

    def explored_starts(self, group: int) -> Iterator[int]:
        """Build and explore the graph of a group of enemies, and yield its root.

        If the graph exceeds the memory limit, split the initial states into parts. Build a graph for each part, one
        after the other, and yield its root. The value of the group is the sum of the roots' values. After each failure,
        reduce the size `n` of a part to an eighth. If even the root of all initial states was too large, `n` is 1.
        """
        game, n = self._game, ALL_STARTS
        fight, known_hp = game.prepare(group)
        fight.row[1:], fight.max_hp[1:] = game.rules.groups[group], known_hp
        begin, hp = BEGIN - BURNING_MARKS.index(game.setup.burning), self._root_hp(game.rules.hp)
        self._dice["length"] = 0
        while True:
            before = self._dice.copy()
            self.clear()
            add = partial(add_fight_root, game.record, begin, n, hp)
            try:
                root = self._add_root(fight, add)
                n = int(self.arrays().chance_nodes["n_branches"][root])
                self.explore()
            except FightTooLarge:
                n = n // 8 if n < ALL_STARTS else 1
                if not n or self._limits.moves is not None:
                    raise
                self._dice[:] = before
                continue
            yield root
            if not self._dice["length"][1]:
                return

    def _root_hp(self, hp: int) -> int:
        """Return the HP field of a root: `hp`, or 1 if the HP are part of the position."""
        return int(hp) if self.workspace.hp_independent else 1

    def _add_root(self, fight: Any, add: Callable[[Buffers, GraphArrays], Any]) -> int:
        """Call the kernel `add` until it has added a root of `fight`, which is outcome 0. Return the root's number."""
        before = self._dice.copy()
        while True:
            self._tables[g.OUTCOMES_FULL].words[0] = np.frombuffer(fight.tobytes(), np.uint64)
            n_moves = self.workspace.n_moves
            code = int(add(self.buffers(), self.arrays()))
            if code == g.DONE:
                return int(self.workspace.n_chance_nodes) - 1
            self._enlarge(code)
            self._dice[:], self.workspace.n_moves = before, n_moves

    def explore(self) -> None:
        """Expand all chance nodes below the roots, and allocate the arrays of their solution."""
        code, limit = g.UNFINISHED, self._limits.moves
        while code != g.DONE:
            if limit is not None and self.workspace.n_moves > limit:
                raise FightTooLarge(f"more than {limit:,} moves, the number allowed")
            n = MOVES_PER_CALL if limit is None else min(MOVES_PER_CALL, limit - self.workspace.n_moves)
            code = int(explore(self._game.record, n, self.buffers(), self.arrays()))
            if code not in (g.DONE, g.UNFINISHED):
                self._enlarge(code)
            if self._progress:
                self._progress(self.size())
        self._allocate_solution()
        self._add_effort()

    def _enlarge(self, code: int) -> None:
        """Enlarge the array that was full, by return code. Raise an error if the fight cannot be solved."""
        if code == g.TAPE_OVERFLOW:
            raise EvodomError(f"a move with more than {at.N_DICE} random events cannot be listed; leave cards out")
        if code == g.FIGHT_OVERFLOW:
            raise EvodomError("the queue of effects of this fight overflows; leave cards or relics out")
        if code == g.PILE_TOO_LARGE:
            another = "Use evodom spire search, or leave out the relics, potions and cards that make cards"
            raise EvodomError(f"cards can be made without end in this fight, so it cannot be solved. {another}")
        if code == g.PACKED_TOO_NARROW:
            packed = self._tables[g.PACKED_FULL]
            self.reserve(2 * packed.records.nbytes)
            packed.records = np.pad(packed.records, ((0, 0), (0, packed.records.shape[1])))
            return
        table, limit = self._tables[code], self._limits.chance_nodes
        n = table.next_length()
        if code in (g.CHANCE_NODES_FULL, g.OUTCOMES_FULL) and limit is not None:
            if len(table.records) >= limit:
                raise FightTooLarge(f"more than {limit:,} positions, the number allowed")
            n = min(n, limit)
        table.grow(n, self.reserve)
        if code in _COUNTERS:
            self._index_nodes(code)

    def reserve(self, n_bytes: int) -> None:
        """Raise `FightTooLarge` if `n_bytes` more exceed the memory limit."""
        needed, limit = self.n_bytes + n_bytes, self._limits.memory
        self.peak_bytes = max(self.peak_bytes, needed)
        if limit is not None and needed > limit:
            raise FightTooLarge(
                f"{needed / GIBIBYTE:.1f} GiB of memory are needed by now, and {limit / GIBIBYTE:.1f} GiB are allowed"
            )

    def _allocate_solution(self) -> None:
        """Allocate the arrays to solve the graph (layout: see `SolutionArrays`)."""
        hp = self.arrays().chance_nodes["hp"][: self.workspace.n_chance_nodes].astype(np.int64)
        n_nodes, n_values = len(hp), int(hp.sum())
        self.reserve(n_nodes * (8 + 4 + 1 + g.STACK_ENTRY.itemsize) + 8 * n_values)
        by_hp, empty = np.zeros((3, len(self._queue_heads))), np.zeros((0, 0))
        main = g.Criterion(np.zeros(n_values), empty, 0.0, 0.0)
        self.solution = SolutionArrays(
            main, main, False, np.cumsum(hp) - hp, np.zeros(n_nodes, np.int32), np.zeros(n_nodes, np.int8),
            np.zeros(n_nodes, g.STACK_ENTRY), by_hp[0], by_hp[1], by_hp[2], np.zeros(0), empty,
        )  # fmt: skip

    def _add_effort(self) -> None:
        """Add the size of the graph to the effort."""
        workspace, arrays, effort = self.workspace, self.arrays(), self.effort
        nodes = arrays.chance_nodes[: workspace.n_chance_nodes]
        expanded = nodes[np.argsort(nodes["first_branch"], kind="stable")]
        expanded = expanded[expanded["n_branches"] > 0]
        # Each expansion has appended the branches of its node and no others. So entry n belongs to row n of `branches`.
        branch_hp = np.repeat(expanded["hp"], expanded["n_branches"])
        decision_hp = np.zeros(workspace.n_decisions, np.int16)
        np.maximum.at(decision_hp, arrays.branches["decision"][: len(branch_hp)], branch_hp)
        effort.chance_nodes += len(expanded)
        effort.decisions += len(decision_hp)
        effort.states += int(nodes["hp"].sum(dtype=np.int64)) + int(decision_hp.sum(dtype=np.int64))
        effort.moves = int(workspace.n_moves)
        effort.memory = self.peak_bytes
