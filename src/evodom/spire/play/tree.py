"""The tree of a search: positions in a table, their moves, and how often and how well each has been tried.

Equal positions are one node, in whatever order of cards they were reached. A move whose outcome is left to chance leads
to a node for each outcome that came up; what a move is worth is the mean of what came of it.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from evodom.jit.kernel import lean_kernel, random_float
from evodom.jit.records import copy_words, key_of
from evodom.spire.engine.layout import FIGHT, NONE
from evodom.spire.engine.moves import N_MOVES, legal
from evodom.spire.play.playouts import PLAYOUT_POLICY, STYLES

NODE = np.dtype(
    (
        np.record,
        [
            ("key", "<u8"),
            ("first", "<i4"),  # its edges
            ("n", "<i4"),
            ("visits", "<i4"),
            ("next", "<i4"),  # the next node of the same slot of the table
            ("value", "<f8"),
            ("death", "<f8"),
        ],
    )
)
"""A position: its moves, how often it was visited, and what it is worth by the moves that were tried most."""

EDGE = np.dtype(
    (
        np.record,
        [
            ("move", "<i4"),
            ("visits", "<i4"),
            ("child", "<i4"),  # the node it leads to, where chance has no part in it; NONE otherwise or not yet
            ("node", "<i4"),
            ("total", "<f8"),
            ("deaths", "<f8"),
            ("prior", "<f8"),
        ],
    )
)
"""A move of a position: how often it was tried, the sums of its values and deaths, and how much likelier than the
average of the moves the habits of playouts, or a network, find it."""

TREE = np.dtype(
    (
        np.record,
        [
            ("n_nodes", "<i4"),
            ("n_edges", "<i4"),
            ("low", "<f8"),  # the least and the greatest value there was
            ("high", "<f8"),
            ("exploration", "<f8"),
            ("rollouts", "<i4"),  # how often a new position is played out
            ("judged", "<i4"),  # whether a network judges it
            ("trust", "<f8"),  # the share of the network in what it is worth, where it is played out too
            ("trust_moves", "<f8"),  # and in which moves are likely
            ("habits", PLAYOUT_POLICY),
            ("styles", "<f8", (len(STYLES), 2)),  # of each style of playouts, the sum of what it came to, and how often
            ("payoff", "<f8", (4,)),
            ("considered", "<i4", (N_MOVES,)),  # edges, in sequential halving, and their scores
            ("scores", "<f8", (N_MOVES,)),
            ("gumbel", "<i4"),  # so many moves of the root are searched, by sequential halving; 0: all, by PUCT
            ("chosen", "<i4"),  # the edge that this search has chosen, NONE for the one that was tried most
            ("finishes", "<i4"),  # whether a kill at no loss is played without a search
            ("longest", "<i4"),  # a fight with more moves is not won in time
            ("moves", "<i4", (N_MOVES,)),
            ("path", "<i4", (512,)),
            # For networks.
            ("width", "<i4"),
            ("unit", "<f8"),  # what the gain of a network is measured in
            ("dear_death", "<f8"),  # what a death costs beside the HP, where the gain is in HP
            ("output", "<i4", (N_MOVES,)),
            ("shares", "<f8", (N_MOVES,)),  # to work in
            ("noise", "<f8"),  # the share of noise in the priors of the root
            ("varied", "<i4"),  # whether moves are played in proportion to their visits
        ],
    )
)
"""What a tree needs besides: its sizes, the range of its values, how it searches, and room to work in."""


class Workspace(NamedTuple):
    """All that a search works in, as kernels take it: positions, their moves, and what judges them.

    `words` (n, N_WORDS) uint64, `states` (n,) of FIGHT and `numbers`, small ones for networks, are the same positions;
    place 0 is where moves are tried.
    """

    words: Any
    states: Any
    numbers: Any
    nodes: Any
    edges: Any
    table: Any  # the first node of each slot, by the hash of its position
    tree: Any
    dice: Any
    weights: Any
    inputs: Any  # what of a fight the network is told
    scratch: Any


class TrajectoryBuffers(NamedTuple):
    """What is noted of the moves of a fight: what was seen, how often each move was tried, and NOTEs."""

    seen: Any
    tried: Any
    notes: Any


HP, WIN, POTION, GAIN = range(4)
"""The places of a payoff: what is paid for each HP left, for a win, for each potion used and each maximum HP gained."""

N_WORDS = FIGHT.itemsize // 8
EDGES_PER_NODE = 12

NOTE = np.dtype([("value", "<f8"), ("death", "<f8"), ("stands", "<f8"), ("best", "<i4"), ("move", "<i4")])
"""What is noted of a position that was searched: its value, its chance to be lost, what it would pay if it were won as
it stands, whether the best move was played, and the move that was."""

Record: TypeAlias = Any


@lean_kernel
def find_node(rules: Any, room: Any) -> Any:
    """Return the node of the position at place 0 of the room, made if it is new; NONE if there is no space for it."""
    words, nodes, edges, table, tree = room.words, room.nodes, room.edges, room.table, room.tree
    key = key_of(words, 0)
    slot = np.int64(key % np.uint64(len(table)))
    node = table[slot]
    while node != NONE:
        if nodes[node].key == key:
            return node
        node = nodes[node].next
    if tree.n_nodes == len(nodes):
        return NONE
    n = legal(rules, room.states[0], tree.moves)
    if tree.n_edges + n > len(edges):
        return NONE
    node = tree.n_nodes
    tree.n_nodes += 1
    copy_words(words, node, words, 0)
    nodes[node].key = key
    nodes[node].first = tree.n_edges
    nodes[node].n = n
    nodes[node].visits = 0
    nodes[node].value = 0.0
    nodes[node].death = 0.0
    nodes[node].next = table[slot]
    table[slot] = node
    for place in range(n):
        edge = edges[tree.n_edges]
        edge.move = tree.moves[place]
        edge.visits = 0
        edge.child = NONE
        edge.node = node
        edge.total = 0.0
        edge.deaths = 0.0
        edge.prior = 1.0
        tree.n_edges += 1
    return node


@lean_kernel
def clear(room: Any) -> None:
    """Empty a tree. Place 0 of its positions is where moves are tried."""
    table, tree = room.table, room.tree
    for slot in range(len(table)):
        table[slot] = NONE
    tree.n_nodes = 1
    tree.n_edges = 0
    tree.low = 1e300
    tree.high = -1e300
    for style in range(len(tree.styles)):
        tree.styles[style, 0] = tree.styles[style, 1] = 0.0


@lean_kernel
def value_of(nodes: Any, edges: Any, edge: Any) -> Any:
    """Return what a move that was tried is worth: the position it leads to, or the mean of what came of it."""
    child = edges[edge].child
    return nodes[child].value if child != NONE else edges[edge].total / edges[edge].visits


@lean_kernel
def loss_of(nodes: Any, edges: Any, edge: Any) -> Any:
    """Return the share of fights that are lost after a move that was tried."""
    child = edges[edge].child
    return nodes[child].death if child != NONE else edges[edge].deaths / edges[edge].visits


@lean_kernel
def update_value(nodes: Any, edges: Any, node: Any) -> None:
    """Find what a position is worth: the mean over its moves, weighted by the squares of how often they were tried."""
    total, value, death = 0.0, 0.0, 0.0
    for edge in range(nodes[node].first, nodes[node].first + nodes[node].n):
        tries = edges[edge].visits
        if tries > 0:
            weight = float(tries) * tries
            total += weight
            value += weight * value_of(nodes, edges, edge)
            death += weight * loss_of(nodes, edges, edge)
    nodes[node].value = value / total
    nodes[node].death = death / total


@lean_kernel
def choose_edge(nodes: Any, edges: Any, tree: Any, node: Any) -> Any:
    """Return the edge to try next: its value, scaled by the range of the tree, plus what is not known of it (PUCT)."""
    first, n, visits = nodes[node].first, nodes[node].n, nodes[node].visits
    span = tree.high - tree.low
    scale = 1.0 / span if span > 0.0 else 0.0
    unknown = nodes[node].value
    bonus = tree.exploration / n * np.sqrt(float(visits))
    best, best_score = first, -1e300
    for edge in range(first, first + n):
        tries = edges[edge].visits
        value = value_of(nodes, edges, edge) if tries else unknown
        score = value * scale + edges[edge].prior * bonus / (1.0 + tries)
        if score > best_score:
            best, best_score = edge, score
    return best


@lean_kernel
def best_edge(nodes: Any, edges: Any, node: Any) -> Any:
    """Return the edge that was tried most, of equal ones that with the greater value."""
    first = nodes[node].first
    best = first
    for edge in range(first + 1, first + nodes[node].n):
        more = edges[edge].visits > edges[best].visits
        as_many = edges[edge].visits == edges[best].visits > 0
        if more or (as_many and value_of(nodes, edges, edge) > value_of(nodes, edges, best)):
            best = edge
    return best


@lean_kernel
def sample_edge(nodes: Any, edges: Any, node: Any, dice: Any) -> Any:
    """Return an edge drawn by how often each was tried."""
    first, last = nodes[node].first, nodes[node].first + nodes[node].n - 1
    total = 0
    for edge in range(first, last + 1):
        total += edges[edge].visits
    left = random_float(dice.stream, 0) * total
    edge = first
    while edge < last and left >= edges[edge].visits:
        left -= edges[edge].visits
        edge += 1
    return edge
