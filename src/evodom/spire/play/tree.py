"""The tree of a search: its records, its nodes and edges, and the choice among the edges of a node.

Open it to change how actions are selected or how values are averaged. `play.tree_search` has the simulations.

Equal positions are one node, found by a hash of their words. An action without chance leads to one node and has its
value. An action with chance leads to a node for each outcome that occurred; its value is the mean of the values that
were backed up. The value of a node is the mean over its actions, weighted by the squares of their visits.
"""

from typing import Annotated, Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from evodom.jit.dtypes import record_dtype
from evodom.jit.kernel import Words, kernel, random_float
from evodom.search import selection
from evodom.spire.engine.layout import Dice
from evodom.spire.engine.moves import N_MOVES

NONE = -1

MAX_DEPTH = 512
"""Maximum number of actions of a simulation."""


class TreeNode(Protocol):
    """A record of NODE: a position with its edges, visits, value, and probability of losing (`loss`)."""

    key: Annotated[int, "<u8"]
    first: int  # its first edge
    n: int
    visits: int
    next: int  # the next node of the same slot of the table
    value: float
    loss: float


NODE = record_dtype(TreeNode, "<i4")


class TreeEdge(Protocol):
    """A record of EDGE: an action of a position, and the sums of values and losses that were backed up."""

    action: int
    visits: int
    child: int  # node after an action without chance; NONE after an action with chance or an untried action
    node: int
    total: float
    losses: float
    prior: float  # relative


EDGE = record_dtype(TreeEdge, "<i4")

Nodes = npt.NDArray[np.void]
Edges = npt.NDArray[np.void]


class SearchRecord(Protocol):
    """A record of SEARCH_RECORD: the size of the tree, the range of its values, its options, and scratch."""

    low: float  # minimum value of the evaluated positions
    high: float  # maximum value of the evaluated positions
    exploration: float
    noise: float  # share of the noise in the priors of the root
    scores: Annotated[npt.NDArray[np.float64], N_MOVES]  # of the candidates of sequential halving
    logits: Annotated[npt.NDArray[np.float64], N_MOVES]
    n_nodes: int
    n_edges: int
    gumbel: int  # the number of candidates in sequential halving; 0: PUCT
    chosen: int  # edge chosen by sequential halving; NONE: the edge with the most visits is chosen
    actions: Annotated[npt.NDArray[np.int32], N_MOVES]
    candidates: Annotated[npt.NDArray[np.int32], N_MOVES]  # edges
    path: Annotated[npt.NDArray[np.int32], MAX_DEPTH]


SEARCH_RECORD = record_dtype(SearchRecord, "<i4")


class TreeWorkspace(NamedTuple):
    """Arrays of a search. Row i of `words`, `states` and `nodes` is one position. Row 0 is scratch for actions."""

    words: Words
    states: npt.NDArray[np.void]
    nodes: Nodes
    edges: Edges
    table: npt.NDArray[np.int32]  # the first node of each slot, by the hash of the position
    search: SearchRecord
    chance: Dice
    evaluator: Any  # the arrays of `evaluation.FightEvaluator`


@kernel
def clear(workspace: TreeWorkspace) -> None:
    """Empty the tree."""
    table, record = workspace.table, workspace.search
    for slot in range(len(table)):
        table[slot] = NONE
    record.n_nodes = 1  # place 0 is scratch
    record.n_edges = 0
    record.low = 1e300
    record.high = -1e300


@kernel
def set_value(workspace: TreeWorkspace, node: int, value: float, loss: float) -> None:
    """Set the value of an evaluated node, and widen the range of values."""
    record = workspace.search
    workspace.nodes[node].value = value
    workspace.nodes[node].loss = loss
    record.low = min(record.low, value)
    record.high = max(record.high, value)


@kernel
def value_of(nodes: Nodes, edges: Edges, edge: int) -> float:
    """Return the value of an action that was tried."""
    child = edges[edge].child
    return float(nodes[child].value if child != NONE else edges[edge].total / edges[edge].visits)


@kernel
def loss_of(nodes: Nodes, edges: Edges, edge: int) -> float:
    """Return the probability of losing after an action that was tried."""
    child = edges[edge].child
    return float(nodes[child].loss if child != NONE else edges[edge].losses / edges[edge].visits)


@kernel
def update_value(nodes: Nodes, edges: Edges, node: int) -> None:
    """Set the value of a node to the mean over its actions, weighted by the squares of their visits."""
    total, value, loss = 0.0, 0.0, 0.0
    for edge in range(nodes[node].first, nodes[node].first + nodes[node].n):
        visits = edges[edge].visits
        if visits > 0:
            weight = float(visits) * visits
            total += weight
            value += weight * value_of(nodes, edges, edge)
            loss += weight * loss_of(nodes, edges, edge)
    nodes[node].value = value / total
    nodes[node].loss = loss / total


@kernel
def choose_edge(nodes: Nodes, edges: Edges, record: SearchRecord, node: int) -> int:
    """Return the edge with the highest PUCT score. An untried action has the value of the node."""
    first, n = nodes[node].first, nodes[node].n
    scale = selection.range_scale(record.low, record.high)
    bonus = selection.exploration_bonus(record.exploration, n, nodes[node].visits)
    unknown = nodes[node].value
    best, best_score = first, -1e300
    for edge in range(first, first + n):
        visits = edges[edge].visits
        value = value_of(nodes, edges, edge) if visits else unknown
        score = selection.puct(value, scale, edges[edge].prior, bonus, visits)
        if score > best_score:
            best, best_score = edge, score
    return int(best)


@kernel
def best_edge(nodes: Nodes, edges: Edges, node: int) -> int:
    """Return the edge with the most visits. Among ties, return the edge with the highest value."""
    first = nodes[node].first
    best = first
    for edge in range(first + 1, first + nodes[node].n):
        more = edges[edge].visits > edges[best].visits
        as_many = edges[edge].visits == edges[best].visits > 0
        if more or (as_many and value_of(nodes, edges, edge) > value_of(nodes, edges, best)):
            best = edge
    return int(best)


@kernel
def sample_edge(nodes: Nodes, edges: Edges, node: int, chance: Dice) -> int:
    """Return an edge drawn in proportion to the visits."""
    first, last = nodes[node].first, nodes[node].first + nodes[node].n - 1
    total = 0
    for edge in range(first, last + 1):
        total += edges[edge].visits
    left = random_float(chance.stream, 0) * total
    edge = first
    while edge < last and left >= edges[edge].visits:
        left -= edges[edge].visits
        edge += 1
    return int(edge)


@kernel
def add_noise(workspace: TreeWorkspace, node: int) -> None:
    """Mix random priors into the priors of a node. They are uniform over all vectors with the same sum."""
    record, first, n = workspace.search, workspace.nodes[node].first, workspace.nodes[node].n
    total = 0.0
    for place in range(n):
        record.logits[place] = -np.log(1.0 - random_float(workspace.chance.stream, 0))
        total += record.logits[place]
    for place in range(n):
        edge = workspace.edges[first + place]
        edge.prior = (1.0 - record.noise) * edge.prior + record.noise * n * record.logits[place] / total


@kernel
def draw_candidates(workspace: TreeWorkspace, root: int) -> int:
    """Draw at most `gumbel` candidates among the edges of a root, by Gumbel noise and priors. Return their number."""
    edges, record = workspace.edges, workspace.search
    first, n = workspace.nodes[root].first, workspace.nodes[root].n
    for place in range(n):
        noise = selection.gumbel(random_float(workspace.chance.stream, 0))
        record.candidates[place] = first + place
        record.logits[place] = noise + selection.logit(edges[first + place].prior)
        record.scores[place] = record.logits[place]
    _sort_candidates(record, n)
    return int(min(n, record.gumbel))


@kernel
def halve(workspace: TreeWorkspace, root: int, n: int) -> int:
    """Sort `n` candidates by their completed logits, the best first. Return the number that advance."""
    nodes, edges, record = workspace.nodes, workspace.edges, workspace.search
    scale = selection.range_scale(record.low, record.high)
    max_visits = 0
    for place in range(n):
        max_visits = max(max_visits, edges[record.candidates[place]].visits)
    for place in range(n):
        edge = record.candidates[place]
        value = value_of(nodes, edges, edge) if edges[edge].visits else nodes[root].value
        record.scores[place] = selection.completed_logit(record.logits[place], max_visits, value - record.low, scale)
    _sort_candidates(record, n)
    return selection.compiled_n_advancing(n)


@kernel
def _sort_candidates(record: SearchRecord, n: int) -> None:
    """Sort candidates by their scores, the best first. Candidates with equal scores keep their order."""
    for place in range(1, n):
        here = place
        while here > 0 and record.scores[here] > record.scores[here - 1]:
            record.scores[here], record.scores[here - 1] = record.scores[here - 1], record.scores[here]
            record.logits[here], record.logits[here - 1] = record.logits[here - 1], record.logits[here]
            before = record.candidates[here - 1]
            record.candidates[here - 1] = record.candidates[here]
            record.candidates[here] = before
            here -= 1
