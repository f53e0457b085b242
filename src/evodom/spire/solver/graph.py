"""Records and arrays of the solver's graph, which grow up to a memory limit.

Open it to look up a field of a node or edge, or a return code. The graph alternates between chance and decisions:

    chance node --branch--> decision node --plan: edges--> chance node or end of the fight

- A *chance node* is a position with a pending random result: a draw of cards, or the enemies' moves.
- A *branch* is a result of a chance node, with its probability. It leads to a decision node.
- A *decision node* is a turn of the player. Its actions are *plans*: sequences of moves up to the next random result or
  the end of the turn.
- An *edge* is an outcome of a plan, with its probability.

If no rule of a fight reads the player's HP (`hp_independent`), one chance node represents all HP: its stored position
has `PLACEHOLDER_HP`, and it has one value for each HP. Otherwise HP are part of the position, and a node has one value.
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

PLACEHOLDER_HP = 16_000
"""HP in the stored position of a chance node that represents all HP. No fight costs as many HP."""

MAX_DRAWN = 10
MAX_PILE = 255
"""Maximum number of cards in a pile from which cards are drawn."""

N_WORDS = FIGHT.itemsize // 8
MASK_WORDS = (N_WORDS + 63) // 64
"""Number of mask words at the start of a packed position. Bit n is set if word n of the position is not 0."""

DECISION, PENDING_DRAW, FIGHT_OVER = range(3)
"""Kinds of positions."""

DONE, UNFINISHED, CHANCE_NODES_FULL, DECISIONS_FULL, BRANCHES_FULL, EDGES_FULL, PACKED_FULL = range(7)
PACKED_TOO_NARROW, OUTCOMES_FULL, PLANS_FULL, POSITIONS_FULL, ENDS_FULL = range(7, 12)
TAPE_OVERFLOW, FIGHT_OVERFLOW, PILE_TOO_LARGE = range(12, 15)
"""Return codes of a task. UNFINISHED: call the task again. Codes up to ENDS_FULL: enlarge an array and call again. The
last three: the fight cannot be solved.
"""

DEATH = -1
"""Target of an edge on which the player dies. The target DEATH - 1 - n is end number n of the fight."""


class SolverWorkspace(Protocol):
    """A record of SOLVER_WORKSPACE: properties of the fight, the size of the graph, and scratch space."""

    hp_independent: int  # whether a chance node represents all HP
    enemy_hp_monotone: int  # whether less HP of the single enemy is always at least as good for the player
    is_plain: int  # whether dominated ends of a turn are pruned and enemies sorted (see `dominance`)
    uses_exhaust_pile: int  # whether a card of the fight reads the exhaust pile
    burning_mark: int  # number of the mark of a burning elite
    has_more_starts: int
    n_outcomes: int
    n_plans: int
    n_chance_nodes: int
    n_chance_nodes_indexed: int
    n_decisions: int
    n_decisions_indexed: int
    n_ends: int
    n_packed: int
    first_free_slot: int  # head of the free list of packed positions, or NONE
    highest_hp: int  # upper bound of the HP of queued chance nodes
    turn_stamp: int  # number of the turn being expanded: marks valid entries of `position_slots`
    n_branches: Annotated[int, "<i8"]
    n_edges: Annotated[int, "<i8"]
    n_moves: Annotated[int, "<i8"]  # moves played so far
    n_cycle_edges: Annotated[int, "<i8"]  # edges of the depth-first search to a node on its stack
    key: Annotated[Words, 2]
    moves: Annotated[Numbers, N_MOVES]
    pile: Annotated[Numbers, N_KINDS]  # number of cards of each kind in the pile, and of cards drawn
    drawn: Annotated[Numbers, N_KINDS]
    binomial: Annotated[Floats, (MAX_PILE + 1, MAX_DRAWN + 1)]


SOLVER_WORKSPACE = record_dtype(SolverWorkspace, "<i4")


class OutcomeRecord(Protocol):
    """A result of an expansion: the probability and kind of a position, and the HP and potions used to reach it."""

    probability: float
    hp_loss: int
    potions_used: int
    kind: int


OUTCOME = record_dtype(OutcomeRecord, "<i4")

TURN_POSITION = np.dtype((np.record, [("key", "<u8", (2,)), ("hp_loss", "<i4"), ("potions_used", "<i4")]))
"""A position within the turn that is being expanded."""

CHANCE_NODE = np.dtype(
    (
        np.record,
        [
            ("key", "<u8", (2,)),
            ("first_branch", "<i8"),
            ("n_branches", "<i4"),  # 0 before the node is expanded
            ("hp", "<i2"),  # highest HP on any path to the node; 0 if not reached alive
            ("kind", "<i2"),
            ("slot", "<i4"),  # of its packed position, until it is expanded
            ("previous", "<i4"),  # neighbours in the queue of its HP
            ("next", "<i4"),
        ],
    )
)

BRANCH = np.dtype((np.record, [("probability", "<f8"), ("decision", "<i4")]))


class DecisionNodeRecord(Protocol):
    """A decision node. Its edges are contiguous, plan by plan."""

    key: Annotated[Words, 2]
    first_edge: Annotated[int, "<i8"]
    n_edges: int


DECISION_NODE = record_dtype(DecisionNodeRecord, "<i4")


class EdgeRecord(Protocol):
    """An outcome of a plan."""

    probability: float
    target: Annotated[int, "<i4"]  # a chance node, DEATH, or an end of the fight (below DEATH)
    hp_loss: int
    potions_used: Annotated[int, "<i1"]
    last: Annotated[int, "<i1"]  # whether it is the last edge of its plan


EDGE = record_dtype(EdgeRecord, "<i2")

END = np.dtype((np.record, [("over", "<i4"), ("hp", "<i4"), ("left", "<i4"), ("gained", "<i4")]))
"""An end of a fight that is not `hp_independent`: how it ended, the player's HP, the HP left after relics have healed,
and the maximum HP gained.
"""

STACK_ENTRY = np.dtype((np.record, [("node", "<i4"), ("branch", "<i4"), ("edge", "<i4")]))
"""Entry of the stack of the depth-first search: a chance node, its next branch, and the next edge there."""


# Arguments of the kernels. A kernel unpacks only the arrays that it needs: each unpacked array
# costs a reference count.


class Buffers(NamedTuple):
    """Buffers of one expansion: its outcomes, and the positions within the turn.

    `words` and `states` are two views of the same outcomes, `position_words` and `position_states` of the positions.
    `position_slots` is a hash table of the positions: rows of (turn stamp, position). `plan_starts` has the index of
    the first outcome of each plan.
    """

    words: Words
    states: Records
    outcomes: Records
    position_words: Words
    position_states: Records
    positions: Records
    position_slots: Numbers
    plan_starts: Numbers


class GraphArrays(NamedTuple):
    """The graph of a fight, its hash tables, packed positions, and the heads of the queues by HP."""

    chance_nodes: Records
    chance_node_index: Numbers
    decisions: Records
    decision_index: Numbers
    branches: Records
    edges: Records
    packed: Words
    queue_heads: Numbers
    ends: Records


class SolutionArrays(NamedTuple):
    """Values and probabilities of optimal play.

    The value of chance node n with `hp` is `values[offsets[n] + hp - 1]`; `reach_probability` has the same layout.
    `order` lists the nodes after their successors. `marks` and `stack` belong to the depth-first search. `payoffs` and
    `end_probability` are (ends, HP). `best`, `plan_values` and `node_values` are buffers by HP.
    """

    values: Floats
    offsets: Numbers
    order: Numbers
    marks: Numbers
    stack: Records
    payoffs: Floats
    best: Floats
    plan_values: Floats
    node_values: Floats
    reach_probability: Floats
    end_probability: Floats


class StartArrays(NamedTuple):
    """Start of a fight: rows of the enemies by place, their HP (0: rolled), and the tape of the next initial state."""

    enemy_rows: Numbers
    known_hp: Numbers
    tape: Dice


class SolverArrays(NamedTuple):
    """All arrays of a task."""

    start: StartArrays
    buffers: Buffers
    graph: GraphArrays
    solution: SolutionArrays
    workspace: SolverWorkspace
    dice: Dice


GIBIBYTE = 1 << 30

LARGE_ARRAY = 1 << 26
"""Size in bytes above which arrays grow by half; smaller arrays double."""

_FULL_ARRAYS = {
    CHANCE_NODES_FULL: ("chance_nodes",),
    DECISIONS_FULL: ("decisions",),
    BRANCHES_FULL: ("branches",),
    EDGES_FULL: ("edges",),
    PACKED_FULL: ("packed",),
    OUTCOMES_FULL: ("words", "outcomes"),
    PLANS_FULL: ("plan_starts",),
    POSITIONS_FULL: ("position_words", "positions"),
    ENDS_FULL: ("ends",),
}
"""Arrays to enlarge, by return code. Arrays of one code have equal lengths; the first has the largest entries."""


class FightTooLarge(EvodomError):
    """A fight has more positions than the limits allow."""


class Graph:
    """The graph of a fight, buffers for one expansion, and the queue of chance nodes to expand.

    Raise `FightTooLarge` beyond `max_bytes` of memory or `max_chance_nodes`; None means no limit.
    """

    def __init__(self, max_hp: int, max_bytes: int | None, max_chance_nodes: int | None) -> None:
        self._max_bytes, self._max_chance_nodes = max_bytes, max_chance_nodes
        self.chance_nodes = np.zeros(1 << 10, CHANCE_NODE)
        self.decisions = np.zeros(1 << 12, DECISION_NODE)
        self.chance_node_index = np.full(1 << 11, NONE, np.int32)
        self.decision_index = np.full(1 << 13, NONE, np.int32)
        self.branches = np.zeros(1 << 12, BRANCH)
        self.edges = np.zeros(1 << 15, EDGE)
        self.packed = np.zeros((1 << 10, 48), np.uint64)
        self.queue_heads = np.full(max_hp + 1, NONE, np.int32)
        self.ends = np.zeros(1 << 10, END)
        self.words = np.zeros((1 << 10, N_WORDS), np.uint64)
        self.outcomes = np.zeros(1 << 10, OUTCOME)
        self.position_words = np.zeros((1 << 8, N_WORDS), np.uint64)
        self.positions = np.zeros(1 << 8, TURN_POSITION)
        self.position_slots = np.zeros((1 << 10, 2), np.int64)
        self.plan_starts = np.zeros(1 << 10, np.int32)
        self.peak_bytes = 0
        self.allocate_values(0)

    def clear(self, workspace: SolverWorkspace) -> None:
        """Remove all nodes, branches and edges; keep the arrays."""
        for name in ("chance_nodes", "chance_nodes_indexed", "decisions", "decisions_indexed", "branches", "edges"):
            setattr(workspace, f"n_{name}", 0)
        workspace.first_free_slot = NONE
        workspace.n_packed = workspace.n_ends = workspace.highest_hp = 0
        self.chance_node_index[:] = self.decision_index[:] = self.queue_heads[:] = NONE

    def arrays(self) -> GraphArrays:
        """Return the graph as an argument of kernels."""
        return GraphArrays(*(getattr(self, name) for name in GraphArrays._fields))

    def buffers(self) -> Buffers:
        """Return the buffers as an argument of kernels."""
        states, position_states = self.words.view(FIGHT)[:, 0], self.position_words.view(FIGHT)[:, 0]
        return Buffers(
            self.words, states, self.outcomes, self.position_words, position_states, self.positions,
            self.position_slots, self.plan_starts,
        )  # fmt: skip

    def allocate_values(self, n_nodes: int) -> None:
        """Allocate the arrays to solve the first `n_nodes` chance nodes (layout: see `SolutionArrays`)."""
        hp = self.chance_nodes["hp"][:n_nodes].astype(np.int64)
        self._check_memory(n_nodes * (8 + 4 + 1 + STACK_ENTRY.itemsize) + int(hp.sum()) * 8)
        self.offsets = np.cumsum(hp) - hp
        self.values = np.zeros(int(hp.sum()))
        self.order = np.zeros(n_nodes, np.int32)
        self.marks = np.zeros(n_nodes, np.int8)
        self.stack = np.zeros(n_nodes, STACK_ENTRY)
        self.reach_probability = np.zeros(0)

    def allocate_probabilities(self) -> None:
        """Allocate the probability of each chance node, by HP."""
        self._check_memory(self.values.nbytes)
        self.reach_probability = np.zeros(len(self.values))

    @property
    def n_bytes(self) -> int:
        """Return the bytes allocated for the graph and its buffers."""
        return sum(array.nbytes for array in (*self.arrays(), *self.buffers()))

    def grow(self, code: int, workspace: SolverWorkspace) -> None:
        """Enlarge the arrays that were full according to a return code."""
        limit = self._max_chance_nodes
        if code == CHANCE_NODES_FULL and limit is not None and workspace.n_chance_nodes >= limit:
            raise FightTooLarge(f"more than {limit:,} positions, the number allowed")
        if code == PACKED_TOO_NARROW:
            self._check_memory(2 * self.packed.nbytes)
            self.packed = np.pad(self.packed, ((0, 0), (0, self.packed.shape[1])))
            return
        n = self._next_length(_FULL_ARRAYS[code][0])
        for name in _FULL_ARRAYS[code]:
            self._lengthen(name, n)
        if code == CHANCE_NODES_FULL:
            self.chance_node_index = self._new_index(len(self.chance_nodes))
            workspace.n_chance_nodes_indexed = 0
        elif code == DECISIONS_FULL:
            self.decision_index = self._new_index(len(self.decisions))
            workspace.n_decisions_indexed = 0
        elif code == POSITIONS_FULL:
            self.position_slots = np.zeros((4 * len(self.positions), 2), np.int64)

    def _next_length(self, name: str) -> int:
        """Return the next length of an array."""
        array = getattr(self, name)
        n = len(array) + (len(array) if array.nbytes < LARGE_ARRAY else len(array) // 2)
        if name == "chance_nodes" and self._max_chance_nodes is not None:
            n = min(n, max(self._max_chance_nodes, len(array) + 1))
        return n

    def _lengthen(self, name: str, n: int) -> None:
        """Extend an array to length `n`."""
        array = getattr(self, name)
        self._check_memory(array.nbytes // len(array) * n)
        longer = np.zeros((n, *array.shape[1:]), array.dtype)
        longer[: len(array)] = array
        setattr(self, name, longer)

    def _new_index(self, n: int) -> Any:
        """Return an empty hash table for `n` nodes. Its length is a power of 2 and at least 1.5 n."""
        length = 1 << (n + n // 2).bit_length()
        self._check_memory(4 * length)
        return np.full(length, NONE, np.int32)

    def _check_memory(self, n_bytes: int) -> None:
        """Raise `FightTooLarge` if `n_bytes` more exceed the memory limit."""
        needed = self.n_bytes + n_bytes
        self.peak_bytes = max(self.peak_bytes, needed)
        if self._max_bytes is not None and needed > self._max_bytes:
            raise FightTooLarge(
                f"{needed / GIBIBYTE:.1f} GiB of memory are needed by now, and "
                f"{self._max_bytes / GIBIBYTE:.1f} GiB are allowed"
            )
