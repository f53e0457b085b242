"""Sequential halving at the root of a search: moves get equal shares of the simulations, and the better half goes on.

Which moves begin is drawn by their priors (Danihelka and others 2022, "Policy improvement by planning with Gumbel").
"""

from typing import Any

import numpy as np

from evodom.jit.kernel import lean_kernel, random_float
from evodom.spire.search.tree import value_of

LOOKS, TRUST = 50.0, 1.0
"""How much values count beside priors: TRUST (LOOKS + visits) times the value, scaled by the range of the tree."""

LEAST = 1e-12


@lean_kernel
def consider(room: Any, root: Any) -> Any:
    """Draw the moves of a root that are considered: `tree.gumbel` at most; return how many they are."""
    edges, tree = room.edges, room.tree
    first, n = room.nodes[root].first, room.nodes[root].n
    for place in range(n):
        noise = -np.log(-np.log(max(random_float(room.dice.stream, 0), LEAST)))
        tree.considered[place] = first + place
        tree.shares[place] = noise + np.log(max(edges[first + place].prior, LEAST))
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
        tree.scores[place] = tree.shares[place] + TRUST * (LOOKS + most) * (value - tree.low) * scale
    _sort(tree, n)
    return max((n + 1) // 2, 1)


@lean_kernel
def halvings(n: Any) -> Any:
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
