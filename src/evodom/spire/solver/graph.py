"""Records and arrays of the solver's graph, and the return codes of its kernels.

Open it to look up a field of a node or edge. The graph alternates between chance and decisions:

    chance node --branch--> decision node --plan: edges--> chance node or end of the fight

- A *chance node* is a position with a pending random result: a draw of cards, or the enemies' moves.
- A *branch* is a result of a chance node, with its probability. It leads to a decision node.
- A *decision node* is a turn of the player. Its actions are *plans*: sequences of moves up to the next random result or
  the end of the turn.
- An *edge* is an outcome of a plan, with its probability.

A fight is `hp_independent` if no rule reads the player's HP. Then one chance node stands for all HP: it has a value for
each HP, and its stored position has `PLACEHOLDER_HP`. In other fights HP are part of the position, and a node has one
value.
"""

from typing import Annotated, Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from evodom.jit.dtypes import record_dtype
from evodom.spire.engine.layout import FIGHT, N_KINDS, Dice, Numbers, Words
from evodom.spire.engine.moves import N_MOVES

Floats: TypeAlias = npt.NDArray[np.float64]
Records: TypeAlias = npt.NDArray[np.void]

PLACEHOLDER_HP = 16_000
"""HP in the stored position of a chance node that represents all HP. The HP lost in a fight are always fewer."""

MAX_DRAWN = 10
MAX_PILE = 255
"""Maximum number of cards in the draw pile."""

N_WORDS = FIGHT.itemsize // 8
MASK_WORDS = (N_WORDS + 63) // 64
"""Number of mask words at the start of a packed position. Bit n is set if word n of the position is not 0."""

DECISION, PENDING_DRAW, FIGHT_OVER = range(3)
"""Kinds of positions."""

DONE, UNFINISHED, CHANCE_NODES_FULL, DECISIONS_FULL, BRANCHES_FULL, EDGES_FULL, PACKED_FULL = range(7)
PACKED_TOO_NARROW, OUTCOMES_FULL, PLANS_FULL, POSITIONS_FULL, ENDS_FULL = range(7, 12)
TAPE_OVERFLOW, FIGHT_OVERFLOW, PILE_TOO_LARGE = range(12, 15)
"""Return codes of kernels. After UNFINISHED, call the kernel again. After the codes up to ENDS_FULL, enlarge an array
and call again. After the last three, the fight cannot be solved.
"""

LAST, ENDS_TURN = 1, 2
"""Flags of an edge: it is the last edge of its plan; its plan ends the turn."""

DEATH = -1
"""Target of an edge on which the player dies. Target DEATH - 1 - n is end n of the fight."""


class SolverWorkspace(Protocol):
    """A record of SOLVER_WORKSPACE: properties of the fight, the size of the graph, and variables of an expansion."""

    hp_independent: int  # whether a chance node represents all HP
    enemy_hp_monotone: int  # whether less HP of the single enemy is always at least as good for the player
    is_plain: int  # whether the fight is plain, as defined in `dominance`
    uses_exhaust_pile: int  # whether a card of the fight reads the exhaust pile
    n_outcomes: int
    n_plans: int
    n_chance_nodes: int
    n_decisions: int
    n_ends: int
    n_packed: int
    first_free_slot: int  # head of the free list of packed positions, or NONE
    highest_hp: int  # upper bound of the HP of queued chance nodes
    turn_stamp: int  # number of the turn being expanded: marks valid entries of `position_slots`
    n_branches: Annotated[int, "<i8"]
    n_edges: Annotated[int, "<i8"]
    n_moves: Annotated[int, "<i8"]  # moves played so far
    deal_probability: float  # probability that a draw is the cards `drawn`
    key: Annotated[Words, 2]
    moves: Annotated[Numbers, N_MOVES]
    pile: Annotated[Numbers, N_KINDS]  # number of cards of each kind in the draw pile
    drawn: Annotated[Numbers, N_KINDS]  # number of drawn cards of each kind
    binomial: Annotated[Floats, (MAX_PILE + 1, MAX_DRAWN + 1)]


SOLVER_WORKSPACE = record_dtype(SolverWorkspace, "<i4")


class OutcomeRecord(Protocol):
    """A result of an expansion: probability and kind of the new position, HP lost and potions used before it.

    `ends_turn` is 1 if the player has ended the turn.
    """

    probability: float
    hp_loss: int
    potions_used: int
    ends_turn: int
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
    flags: Annotated[int, "<i1"]  # LAST and ENDS_TURN


EDGE = record_dtype(EdgeRecord, "<i2")

END = np.dtype((np.record, [("over", "<i4"), ("hp", "<i4"), ("left", "<i4"), ("gained", "<i4")]))
"""An end of a fight that is not `hp_independent`: how it ended, the player's HP, the HP left after relics have healed,
and the maximum HP gained.
"""

STACK_ENTRY = np.dtype((np.record, [("node", "<i4"), ("branch", "<i4"), ("edge", "<i4")]))
"""Entry of the stack of the depth-first search: a chance node, its next branch, and the next edge there."""


# Arguments of the kernels.


class Buffers(NamedTuple):
    """Buffers of one expansion.

    - Outcome n has its position in `words[n]` and its record in `outcomes[n]`. `states` is a view of `words`.
    - Positions within the turn are stored likewise: `position_words`, `position_states`, `positions`.
    - `position_slots` is a hash table of these positions, with rows (turn stamp, number of the position).
    - `plan_starts` has the number of the first outcome of each plan.
    - `dice` has the tape of the enumerated move, `start_dice` the tape of the start of the fight.
    """

    words: Words
    states: Records
    outcomes: Records
    position_words: Words
    position_states: Records
    positions: Records
    position_slots: Numbers
    plan_starts: Numbers
    workspace: SolverWorkspace
    dice: Dice
    start_dice: Dice


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


class Criterion(NamedTuple):
    """What plays are compared by: the values of chance nodes, payoffs of the ends (ends, HP), and prices.

    The value of chance node n with `hp` is `values[offsets[n] + hp - 1]`, with the offsets of `SolutionArrays`.
    """

    values: Any
    payoffs: Any
    potion_price: float
    turn_price: float


class SolutionArrays(NamedTuple):
    """Values and probabilities of optimal play.

    Plays are compared by `main`, and by `tie` between equal values. Without a tie-break it has no values. With
    `is_worst_case`, values of `main` are minima over the outcomes of chance instead of means.
    `order` lists the nodes after their successors. `marks` and `stack` belong to the depth-first search and the sweeps.
    `reach_probability` has the layout of values, `end_probability` is (ends, HP). `best`, `plan_values` and
    `node_values` are buffers by HP.
    """

    main: Criterion
    tie: Criterion
    is_worst_case: bool
    offsets: Numbers
    order: Numbers
    marks: Numbers
    stack: Records
    best: Floats
    plan_values: Floats
    node_values: Floats
    reach_probability: Floats
    end_probability: Floats
