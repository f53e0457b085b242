"""Search a position: go down the tree, value new positions, and tell all moves on the way what came of it.

A new position is played out a few times, or a network judges it; everything else is the same. Where positions are
played out, their moves are as likely as in the playouts, about.
"""

from typing import Any

import numpy as np

from evodom.jit.kernel import lean_kernel, random_float
from evodom.jit.records import copy_words
from evodom.spire.engine.layout import NONE, PLAYING
from evodom.spire.engine.moves import play
from evodom.spire.play.evaluation import evaluate, select_style
from evodom.spire.play.tree import choose_edge, clear, find_node, update_value, value_of

C_VISIT, C_SCALE = 50.0, 1.0
"""Weight of values beside priors: C_SCALE (C_VISIT + visits) times the value, scaled by the range of the tree."""

MIN_PRIOR = 1e-12


@lean_kernel
def consider(room: Any, root: Any) -> Any:
    """Draw the moves of a root that are considered: `tree.gumbel` at most; return how many they are."""
    edges, tree = room.edges, room.tree
    first, n = room.nodes[root].first, room.nodes[root].n
    for place in range(n):
        noise = -np.log(-np.log(max(random_float(room.dice.stream, 0), MIN_PRIOR)))
        tree.considered[place] = first + place
        tree.shares[place] = noise + np.log(max(edges[first + place].prior, MIN_PRIOR))
    for place in range(n):
        tree.scores[place] = tree.shares[place]
    _sort(tree, n)
    return min(n, tree.gumbel)


@lean_kernel
def halve(room: Any, root: Any, n: Any) -> Any:
    """Put the best of the `n` moves that are considered first; return how many of them go on."""
    nodes, edges, tree = room.nodes, room.edges, room.tree
    span, most = tree.high - tree.low, 0
    scale = 1.0 / span if span > 0.0 else 0.0
    for place in range(n):
        most = max(most, edges[tree.considered[place]].visits)
    for place in range(n):
        edge = tree.considered[place]
        value = value_of(nodes, edges, edge) if edges[edge].visits else nodes[root].value
        tree.scores[place] = tree.shares[place] + C_SCALE * (C_VISIT + most) * (value - tree.low) * scale
    _sort(tree, n)
    return max((n + 1) // 2, 1)


@lean_kernel
def n_halvings(n: Any) -> Any:
    """Return how often `n` moves are halved until one is left."""
    times = 0
    while n > 1:
        n = (n + 1) // 2
        times += 1
    return max(times, 1)


@lean_kernel
def _sort(tree: Any, n: Any) -> None:
    """Sort the moves that are considered by their scores, the best first; equal ones stay in their order."""
    for place in range(1, n):
        here = place
        while here > 0 and tree.scores[here] > tree.scores[here - 1]:
            tree.scores[here], tree.scores[here - 1] = tree.scores[here - 1], tree.scores[here]
            tree.shares[here], tree.shares[here - 1] = tree.shares[here - 1], tree.shares[here]
            before = tree.considered[here - 1]
            tree.considered[here - 1] = tree.considered[here]
            tree.considered[here] = before
            here -= 1


TRIALS = 1 / 16
"""The share of a search's simulations that is played out in each style before it."""


@lean_kernel
def search(rules: Any, room: Any, position: Any, n_simulations: Any) -> Any:
    """Search a position, row 0 of `position`; return its node. What was found before is kept where there is room."""
    tree = room.tree
    if tree.n_nodes + n_simulations + 2 > len(room.nodes) or tree.n_edges > len(room.edges) // 2:
        clear(room)
    copy_words(room.words, 0, position, 0)
    root = find_node(rules, room)
    tree.chosen = NONE
    if tree.rollouts:
        select_style(rules, room, root, max(4, int(n_simulations * TRIALS)))
    if not simulate(rules, room, root, NONE):
        return root
    if tree.noise > 0.0:
        add_noise(room, root)
    if tree.gumbel > 0 and room.nodes[root].n > 1:
        search_by_halving(rules, room, root, n_simulations - 1)
        return root
    for _ in range(n_simulations - 1):
        if not simulate(rules, room, root, NONE):
            break
    return root


@lean_kernel
def search_by_halving(rules: Any, room: Any, root: Any, n_left: Any) -> None:
    """Search some moves of a root `n_left` times, the better half of them ever more; note which one is chosen."""
    tree = room.tree
    n = consider(room, root)
    phases = n_halvings(n)
    while n_left > 0:
        n_times = n_left if n == 1 else n * max(n_left // (phases * n), 1)
        for time in range(min(n_times, n_left)):
            if not simulate(rules, room, root, tree.considered[time % n]):
                n_left = 0
        n_left -= n_times
        n = halve(room, root, n)
        phases = max(phases - 1, 1)
    while n > 1:
        n = halve(room, root, n)
    tree.chosen = tree.considered[0]


@lean_kernel
def simulate(rules: Any, room: Any, root: Any, forced: Any) -> Any:
    """Go down the tree once, add a node, and tell all moves on the way what came of it. False if there is no room.

    At the root the edge `forced` is taken, unless it is NONE.
    """
    states, nodes, edges, tree = room.states, room.nodes, room.edges, room.tree
    node, depth = root, 0
    while states[node].over == PLAYING and nodes[node].visits > 0 and depth < len(tree.path):
        edge = forced if depth == 0 and forced != NONE else choose_edge(nodes, edges, tree, node)
        tree.path[depth] = edge
        depth += 1
        node = follow(rules, room, node, edge)
        if node == NONE:
            return False
    if nodes[node].visits == 0:
        evaluate(rules, room, node)
    value, death = nodes[node].value, nodes[node].death
    nodes[node].visits += 1
    for place in range(depth - 1, -1, -1):
        tried = edges[tree.path[place]]
        tried.visits += 1
        tried.total += value
        tried.deaths += death
        nodes[tried.node].visits += 1
        update_value(nodes, edges, tried.node)
    return True


@lean_kernel
def follow(rules: Any, room: Any, node: Any, edge: Any) -> Any:
    """Return the node that a move of another leads to, this time if chance decides; NONE without space for it."""
    tried = room.edges[edge]
    if tried.child != NONE:
        return tried.child
    copy_words(room.words, 0, room.words, node)
    before = room.dice.stream[0]
    play(rules, room.states[0], tried.move, room.dice)
    child = find_node(rules, room)
    if child != NONE and room.dice.stream[0] == before:
        tried.child = child
    return child


@lean_kernel
def add_noise(room: Any, node: Any) -> None:
    """Mix noise into the priors of a node: shares that are uniform among all that add up to 1."""
    tree, first, n = room.tree, room.nodes[node].first, room.nodes[node].n
    total = 0.0
    for place in range(n):
        tree.shares[place] = -np.log(1.0 - random_float(room.dice.stream, 0))
        total += tree.shares[place]
    for place in range(n):
        edge = room.edges[first + place]
        edge.prior = (1.0 - tree.noise) * edge.prior + tree.noise * n * tree.shares[place] / total
