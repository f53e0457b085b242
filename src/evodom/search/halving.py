"""How a small budget is spent at the root: sequential halving among moves that are drawn by their priors.

Danihelka, Guez, Schrittwieser, Silver 2022, "Policy improvement by planning with Gumbel" (ICLR): Gumbel noise and the
logarithm of the prior draw which moves are considered; all of these get an equal share of the simulations of a round,
and the better half goes on to the next. With exact worths that is, in expectation, never worse than playing by priors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, log
from typing import TYPE_CHECKING, TypeVar

from evodom.search.tree import Edge, Node, Tree

if TYPE_CHECKING:
    from numpy.random import Generator as Rng

T = TypeVar("T")

C_VISIT, C_SCALE = 50.0, 1.0
"""How much a difference in worth counts against the priors (the paper's sigma)."""

NEVER = -1e9
"""The logarithm of a prior of 0."""


def halve(items: Sequence[T], n: int, attempt: Callable[[T], None], score: Callable[[T], float]) -> list[T]:
    """Spend exactly `n` attempts on items; return them by how often they were tried and their scores, the best first.

    Every round gives the same number to each item that is left, and the better half goes on to the next, at least two.
    """
    tries = [0] * len(items)
    n_rounds = max(1, (len(items) - 1).bit_length())

    def ranked(places: Sequence[int]) -> list[int]:
        return sorted(places, key=lambda place: (-tries[place], -score(items[place])))

    kept, left = list(range(len(items))), n
    while left:
        planned = kept * max(1, n // (n_rounds * len(kept)))
        for place in planned[:left]:
            attempt(items[place])
            tries[place] += 1
        left -= len(planned[:left])
        kept = ranked(kept)[: max(2, len(kept) // 2)]
    return [items[place] for place in ranked(range(len(items)))]


def search_root(tree: Tree, root: Node, simulations: int, considered: int, rng: Rng) -> list[Edge]:
    """Spend simulations on at most `considered` moves of a root; return all its moves, the best first."""
    noise = dict(zip(root.edges, rng.gumbel(size=len(root.edges)).tolist(), strict=True))

    def score(edge: Edge) -> float:
        return float(noise[edge]) + improved_logit(tree, root, edge)

    drawn = sorted(root.edges, key=lambda edge: -noise[edge] - _logit(edge))[: min(considered, max(simulations, 1))]
    ranked = halve(drawn, simulations, lambda edge: tree.simulate(root, edge), score)
    return ranked + [edge for edge in root.edges if edge not in ranked]


def improved_policy(tree: Tree, root: Node) -> list[float]:
    """Return how likely each move is in the policy that a search improved the priors to, in the game's order."""
    logits = [improved_logit(tree, root, edge) for edge in root.edges]
    weights = [exp(logit - max(logits)) for logit in logits]
    return [weight / sum(weights) for weight in weights]


def improved_logit(tree: Tree, root: Node, edge: Edge) -> float:
    """Return the logarithm of a move's prior plus what its worth adds; one that was not tried is worth the position."""
    player = root.player
    worth = (edge.worths if edge.visits else root.values)[player]
    most = max(other.visits for other in root.edges)
    return _logit(edge) + (C_VISIT + most) * C_SCALE * worth * tree.span.scale(player)


def _logit(edge: Edge) -> float:
    return log(edge.prior) if edge.prior > 0.0 else NEVER
