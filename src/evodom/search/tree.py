"""Compiled tree search of one position of a compiled game (`evodom.games.compiled`).

A simulation

1. selects actions from the root on by PUCT until it meets a position that is new or over,
2. evaluates that position with the game's kernel,
3. backs its value up along the path.

Equal positions are one node, found by a hash of their words. An action without chance leads to one node and has its
value. An action with chance leads to a node for each outcome that occurred; its value is the mean of the values that
were backed up. The value of a node is the mean over its actions, weighted by the squares of their visits.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from evodom.games.compiled import GameRecord, evaluate, is_over, legal, prepare_root, step
from evodom.jit.kernel import Words, copy_words, key_of, lean_kernel, random_float
from evodom.search.selection import (
    compiled_completed_logit,
    compiled_exploration_bonus,
    compiled_gumbel,
    compiled_half,
    compiled_logit,
    compiled_n_rounds,
    compiled_puct,
    compiled_range_scale,
    compiled_round_size,
)

NONE = -1

MAX_DEPTH = 512
"""Maximum number of actions of a simulation."""

NODE = np.dtype(
    (
        np.record,
        [
            ("key", "<u8"),
            ("first", "<i4"),  # its first edge
            ("n", "<i4"),
            ("visits", "<i4"),
            ("next", "<i4"),  # the next node of the same slot of the table
            ("value", "<f8"),
            ("loss", "<f8"),
        ],
    )
)
"""A position: its edges, its visits, its value and its probability to lose."""

EDGE = np.dtype(
    (
        np.record,
        [
            ("action", "<i4"),
            ("visits", "<i4"),
            ("child", "<i4"),  # the node it leads to, if chance decides nothing; NONE otherwise or if it was not tried
            ("node", "<i4"),
            ("total", "<f8"),
            ("losses", "<f8"),
            ("prior", "<f8"),
        ],
    )
)
"""An action of a position: its visits, the sums of values and losses that were backed up, and its relative prior."""

Nodes = npt.NDArray[np.void]
Edges = npt.NDArray[np.void]


def search_dtype(n_actions: int) -> "np.dtype[np.void]":
    """Return the dtype of the search's own record for a game with this many actions."""
    fields = [
        ("low", "<f8"),  # the least and the greatest value of evaluated positions
        ("high", "<f8"),
        ("exploration", "<f8"),
        ("noise", "<f8"),  # the share of noise in the priors of the root
        ("scores", "<f8", (n_actions,)),  # of the candidates of sequential halving
        ("logits", "<f8", (n_actions,)),
        ("n_nodes", "<i4"),
        ("n_edges", "<i4"),
        ("gumbel", "<i4"),  # the number of candidates in sequential halving; 0: PUCT
        ("chosen", "<i4"),  # the edge that sequential halving chose; NONE: the one with the most visits
        ("actions", "<i4", (n_actions,)),
        ("candidates", "<i4", (n_actions,)),  # edges
        ("path", "<i4", (MAX_DEPTH,)),
    ]
    return np.dtype((np.record, fields))


class SearchRecord(Protocol):
    """A record of `search_dtype`: the size of the tree, the range of its values, its options, and scratch."""

    low: float
    high: float
    exploration: float
    noise: float
    scores: npt.NDArray[np.float64]
    logits: npt.NDArray[np.float64]
    n_nodes: int
    n_edges: int
    gumbel: int
    chosen: int
    actions: npt.NDArray[np.int32]
    candidates: npt.NDArray[np.int32]
    path: npt.NDArray[np.int32]


class ChanceRecord(Protocol):
    """A game's source of chance, with a stream of random numbers."""

    stream: npt.NDArray[np.uint64]


class SearchWorkspace(NamedTuple):
    """Arrays of a search. Row i of `words`, `states` and `nodes` is one position. Row 0 is scratch for actions."""

    words: Words
    states: npt.NDArray[np.void]
    nodes: Nodes
    edges: Edges
    table: npt.NDArray[np.int32]  # the first node of each slot, by the hash of the position
    search: SearchRecord
    chance: Any  # a record with a stream of random numbers
    evaluator: Any  # data of the game's `evaluate`


@lean_kernel
def search(rules: GameRecord, workspace: SearchWorkspace, position: Words, n_simulations: int) -> int:
    """Search row 0 of `position` and return its node. The tree of earlier searches is kept while there is space."""
    record = workspace.search
    if record.n_nodes + n_simulations + 2 > len(workspace.nodes) or record.n_edges > len(workspace.edges) // 2:
        clear(workspace)
    copy_words(workspace.words, 0, position, 0)
    root = find_node(rules, workspace)
    record.chosen = NONE
    prepare_root(rules, workspace, root, n_simulations)
    if not simulate(rules, workspace, root, NONE):
        return root
    if record.noise > 0.0:
        add_noise(workspace, root)
    if record.gumbel > 0 and workspace.nodes[root].n > 1:
        search_by_halving(rules, workspace, root, n_simulations - 1)
        return root
    for _ in range(n_simulations - 1):
        if not simulate(rules, workspace, root, NONE):
            break
    return root


@lean_kernel
def search_by_halving(rules: GameRecord, workspace: SearchWorkspace, root: int, n_left: int) -> None:
    """Spend `n_left` simulations on candidates of the root by sequential halving; write the chosen edge."""
    record = workspace.search
    n = draw_candidates(workspace, root)
    rounds = compiled_n_rounds(n)
    while n_left > 0:
        size = compiled_round_size(n_left, n, rounds)
        for number in range(min(size, n_left)):
            if not simulate(rules, workspace, root, record.candidates[number % n]):
                n_left = 0
        n_left -= size
        n = halve(workspace, root, n)
        rounds = max(rounds - 1, 1)
    while n > 1:
        n = halve(workspace, root, n)
    record.chosen = record.candidates[0]


@lean_kernel
def simulate(rules: GameRecord, workspace: SearchWorkspace, root: int, forced: int) -> bool:
    """Run a simulation that begins with the edge `forced`, unless that is NONE. Return False if there is no space."""
    states, nodes, edges, record = workspace.states, workspace.nodes, workspace.edges, workspace.search
    node, depth = root, 0
    while not is_over(rules, states[node]) and nodes[node].visits > 0 and depth < len(record.path):
        edge = forced if depth == 0 and forced != NONE else choose_edge(nodes, edges, record, node)
        record.path[depth] = edge
        depth += 1
        node = follow(rules, workspace, node, edge)
        if node == NONE:
            return False
    if nodes[node].visits == 0:
        evaluate(rules, workspace, node)
    value, loss = nodes[node].value, nodes[node].loss
    nodes[node].visits += 1
    for place in range(depth - 1, -1, -1):
        tried = edges[record.path[place]]
        tried.visits += 1
        tried.total += value
        tried.losses += loss
        nodes[tried.node].visits += 1
        update_value(nodes, edges, tried.node)
    return True


@lean_kernel
def follow(rules: GameRecord, workspace: SearchWorkspace, node: int, edge: int) -> int:
    """Apply the action of an edge and return the node that it leads to; NONE if there is no space for it."""
    tried = workspace.edges[edge]
    if tried.child != NONE:
        return int(tried.child)
    copy_words(workspace.words, 0, workspace.words, node)
    before = workspace.chance.stream[0]
    step(rules, workspace.states[0], tried.action, workspace.chance)
    child = find_node(rules, workspace)
    if child != NONE and workspace.chance.stream[0] == before:
        tried.child = child
    return child


@lean_kernel
def find_node(rules: GameRecord, workspace: SearchWorkspace) -> int:
    """Return the node of the position at place 0, a new one if there is none; NONE if there is no space for it."""
    words, nodes, edges, table = workspace.words, workspace.nodes, workspace.edges, workspace.table
    record = workspace.search
    key = key_of(words, 0)
    slot = np.int64(key % np.uint64(len(table)))
    node = table[slot]
    while node != NONE:
        if nodes[node].key == key:
            return int(node)
        node = nodes[node].next
    if record.n_nodes == len(nodes):
        return NONE
    n = legal(rules, workspace.states[0], record.actions)
    if record.n_edges + n > len(edges):
        return NONE
    node = record.n_nodes
    record.n_nodes += 1
    copy_words(words, node, words, 0)
    nodes[node].key = key
    nodes[node].first = record.n_edges
    nodes[node].n = n
    nodes[node].visits = 0
    nodes[node].value = 0.0
    nodes[node].loss = 0.0
    nodes[node].next = table[slot]
    table[slot] = node
    for place in range(n):
        edge = edges[record.n_edges]
        edge.action = record.actions[place]
        edge.visits = 0
        edge.child = NONE
        edge.node = node
        edge.total = 0.0
        edge.losses = 0.0
        edge.prior = 1.0
        record.n_edges += 1
    return int(node)


@lean_kernel
def clear(workspace: SearchWorkspace) -> None:
    """Empty the tree."""
    table, record = workspace.table, workspace.search
    for slot in range(len(table)):
        table[slot] = NONE
    record.n_nodes = 1  # place 0 is scratch
    record.n_edges = 0
    record.low = 1e300
    record.high = -1e300


@lean_kernel
def set_value(workspace: SearchWorkspace, node: int, value: float, loss: float) -> None:
    """Set the value of an evaluated node, and widen the range of values."""
    record = workspace.search
    workspace.nodes[node].value = value
    workspace.nodes[node].loss = loss
    record.low = min(record.low, value)
    record.high = max(record.high, value)


@lean_kernel
def value_of(nodes: Nodes, edges: Edges, edge: int) -> float:
    """Return the value of an action that was tried."""
    child = edges[edge].child
    return float(nodes[child].value if child != NONE else edges[edge].total / edges[edge].visits)


@lean_kernel
def loss_of(nodes: Nodes, edges: Edges, edge: int) -> float:
    """Return the probability to lose after an action that was tried."""
    child = edges[edge].child
    return float(nodes[child].loss if child != NONE else edges[edge].losses / edges[edge].visits)


@lean_kernel
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


@lean_kernel
def choose_edge(nodes: Nodes, edges: Edges, record: SearchRecord, node: int) -> int:
    """Return the edge with the highest PUCT score. An untried action has the value of the node."""
    first, n = nodes[node].first, nodes[node].n
    scale = compiled_range_scale(record.low, record.high)
    bonus = compiled_exploration_bonus(record.exploration, n, nodes[node].visits)
    unknown = nodes[node].value
    best, best_score = first, -1e300
    for edge in range(first, first + n):
        visits = edges[edge].visits
        value = value_of(nodes, edges, edge) if visits else unknown
        score = compiled_puct(value, scale, edges[edge].prior, bonus, visits)
        if score > best_score:
            best, best_score = edge, score
    return int(best)


@lean_kernel
def best_edge(nodes: Nodes, edges: Edges, node: int) -> int:
    """Return the edge with the most visits, among ties the edge with the greatest value."""
    first = nodes[node].first
    best = first
    for edge in range(first + 1, first + nodes[node].n):
        more = edges[edge].visits > edges[best].visits
        as_many = edges[edge].visits == edges[best].visits > 0
        if more or (as_many and value_of(nodes, edges, edge) > value_of(nodes, edges, best)):
            best = edge
    return int(best)


@lean_kernel
def sample_edge(nodes: Nodes, edges: Edges, node: int, chance: ChanceRecord) -> int:
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


@lean_kernel
def add_noise(workspace: SearchWorkspace, node: int) -> None:
    """Mix noise into the priors of a node, uniform among all priors with the same sum."""
    record, first, n = workspace.search, workspace.nodes[node].first, workspace.nodes[node].n
    total = 0.0
    for place in range(n):
        record.logits[place] = -np.log(1.0 - random_float(workspace.chance.stream, 0))
        total += record.logits[place]
    for place in range(n):
        edge = workspace.edges[first + place]
        edge.prior = (1.0 - record.noise) * edge.prior + record.noise * n * record.logits[place] / total


@lean_kernel
def draw_candidates(workspace: SearchWorkspace, root: int) -> int:
    """Draw at most `gumbel` candidates among the edges of a root, by Gumbel noise and priors. Return their number."""
    edges, record = workspace.edges, workspace.search
    first, n = workspace.nodes[root].first, workspace.nodes[root].n
    for place in range(n):
        noise = compiled_gumbel(random_float(workspace.chance.stream, 0))
        record.candidates[place] = first + place
        record.logits[place] = noise + compiled_logit(edges[first + place].prior)
        record.scores[place] = record.logits[place]
    _sort_candidates(record, n)
    return int(min(n, record.gumbel))


@lean_kernel
def halve(workspace: SearchWorkspace, root: int, n: int) -> int:
    """Sort `n` candidates by their completed logits, the best first. Return the number that advance."""
    nodes, edges, record = workspace.nodes, workspace.edges, workspace.search
    scale = compiled_range_scale(record.low, record.high)
    most = 0
    for place in range(n):
        most = max(most, edges[record.candidates[place]].visits)
    for place in range(n):
        edge = record.candidates[place]
        value = value_of(nodes, edges, edge) if edges[edge].visits else nodes[root].value
        record.scores[place] = compiled_completed_logit(record.logits[place], most, value - record.low, scale)
    _sort_candidates(record, n)
    return compiled_half(n)


@lean_kernel
def _sort_candidates(record: SearchRecord, n: int) -> None:
    """Sort candidates by their scores, the best first; equal ones keep their order."""
    for place in range(1, n):
        here = place
        while here > 0 and record.scores[here] > record.scores[here - 1]:
            record.scores[here], record.scores[here - 1] = record.scores[here - 1], record.scores[here]
            record.logits[here], record.logits[here - 1] = record.logits[here - 1], record.logits[here]
            before = record.candidates[here - 1]
            record.candidates[here - 1] = record.candidates[here]
            record.candidates[here] = before
            here -= 1
