"""The tree of a search: positions, their moves, what came of each, and what they are worth by that.

Equal positions are one node, by whatever order of moves they were reached. A move that chance has a part in leads to a
node for each outcome that came up, and is worth their mean, each as often as it came up; so a move that always leads to
the same position is worth what that is worth. A position is worth the mean over its moves, weighted by a power of how
often they were tried (the square, unless `sharpness` says otherwise): what is bad is tried less and soon counts little.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, sqrt
from typing import Any

from numpy.random import PCG64, Generator

from evodom.distribution import Distribution
from evodom.games import Solvable, rewards_of
from evodom.search.evaluators import Evaluator, Values, evaluation_of, sampler_of


@dataclass(slots=True, eq=False)
class Node:
    """A position: whose turn it is, its moves (none if it is over), its visits, and its worth to each player."""

    state: Any
    player: int
    edges: list[Edge]
    visits: int = 0
    values: Values = ()

    def assess(self, sharpness: float) -> None:
        """Find what the position is worth: the mean over its moves, weighted by a power of their visits."""
        most = max(edge.visits for edge in self.edges)
        weights, sums = 0.0, [0.0] * len(self.values)
        for edge in self.edges:
            if edge.visits:
                weight = (edge.visits / most) ** sharpness
                weights += weight
                sums = [total + weight * worth for total, worth in zip(sums, edge.worths, strict=True)]
        self.values = tuple(total / weights for total in sums)


@dataclass(slots=True, eq=False)
class Edge:
    """A move of a position: how often it was tried, and which positions came of it how often."""

    action: Any
    prior: float
    visits: int = 0
    paid: Values = ()
    """What the move pays at once; empty where the game pays at its end only."""
    outcomes: Distribution[Any] | None = None
    """What may come of it, where the game lists that."""
    certain: bool = False
    """Whether only one thing can come of it."""
    seen: dict[Node, int] = field(default_factory=dict)
    mean: Values = ()
    """The mean of what came of it, as of the last time it was tried."""

    @property
    def worths(self) -> Values:
        """What the move, which was tried, is worth to each player. Whatever was learned of its only outcome counts."""
        if len(self.seen) > 1:
            return self.mean
        (node,) = self.seen
        return _plus(node.values, self.paid)

    def add(self, outcome: Node) -> None:
        """Count a position that came of the move, and find the mean of all that did."""
        self.visits += 1
        self.seen[outcome] = self.seen.get(outcome, 0) + 1
        if len(self.seen) > 1:
            sums = [0.0] * len(next(iter(self.seen)).values)
            for node, times in self.seen.items():
                sums = [total + times * value for total, value in zip(sums, node.values, strict=True)]
            self.mean = _plus(tuple(total / self.visits for total in sums), self.paid)


class Span:
    """The least and the greatest value of each player in a tree."""

    def __init__(self, n_players: int) -> None:
        self.low, self.high = [inf] * n_players, [-inf] * n_players

    def widen(self, values: Values) -> None:
        """Take in the values of a position or a move."""
        for player, value in enumerate(values):
            self.low[player] = min(self.low[player], value)
            self.high[player] = max(self.high[player], value)

    def scale(self, player: int) -> float:
        """Return the number by which differences in a player's values are multiplied to lie between -1 and 1."""
        width = self.high[player] - self.low[player]
        return 1.0 / width if width > 0.0 else 0.0


class Tree:
    """A growing tree. What it draws comes from a generator of its own, seeded from `rng`."""

    def __init__(
        self, game: Any, evaluator: Evaluator, rng: Generator, *, exploration: float = 1.25, sharpness: float = 2.0
    ) -> None:
        self.game = game
        self.span = Span(game.n_players)
        self._evaluator = evaluator
        self._exploration, self._sharpness = exploration, sharpness
        self._rng = Generator(PCG64(int(rng.integers(2**63))))
        self._sample = sampler_of(game)
        self._lists_outcomes = isinstance(game, Solvable)
        self._rewards = rewards_of(game)
        self._table: dict[Any, Node] = {}

    @property
    def n_nodes(self) -> int:
        """The number of positions that are kept to be met again."""
        return len(self._table)

    def root_at(self, state: Any) -> Node:
        """Return the node of a state, evaluated; what cannot be reached from there is forgotten."""
        root = self._node_of(state)
        kept = _reachable(root)
        self._table = {key: node for key, node in self._table.items() if node in kept}
        self.span = Span(self.game.n_players)
        for node in kept:
            self.span.widen(node.values)
            for edge in node.edges:
                if edge.visits:
                    self.span.widen(edge.worths)
        if not root.visits:
            self._evaluate(root)
            root.visits = 1
        return root

    def simulate(self, root: Node, first: Edge | None = None) -> None:
        """Go down the tree once, with `first` if it is given, add a position, and tell all moves on the way.

        A position that comes back on the way ends it as a new one does: it is worth what is known of it so far.
        """
        path: dict[Node, tuple[Edge, Node]] = {}
        node = root
        while node.edges and node.visits and node not in path:
            edge = self.choose(node) if path or first is None else first
            path[node] = edge, self._try(node, edge)
            node = path[node][1]
        if not node.visits:
            self._evaluate(node)
        node.visits += 1
        for before, (edge, after) in reversed(path.items()):
            before.visits += 1
            edge.add(after)
            self.span.widen(edge.worths)
            before.assess(self._sharpness)

    def choose(self, node: Node) -> Edge:
        """Return the move to try next: its scaled worth plus what is not known of it (PUCT), the first of equal ones.

        A move that was not tried counts as worth what its position is worth.
        """
        player = node.player
        scale = self.span.scale(player)
        bonus = self._exploration * sqrt(node.visits)
        best, best_score = node.edges[0], -inf
        for edge in node.edges:
            worth = (edge.worths if edge.visits else node.values)[player]
            score = worth * scale + bonus * edge.prior / (1 + edge.visits)
            if score > best_score:
                best, best_score = edge, score
        return best

    def _try(self, node: Node, edge: Edge) -> Node:
        """Take a move; return the position that comes of it."""
        if edge.visits == 0:
            self._look_at(node, edge)
        elif edge.certain:
            return next(iter(edge.seen))
        if edge.outcomes is not None:
            return self._node_of(edge.outcomes.sample(self._rng))
        before = self._rng.bit_generator.state
        after = self._node_of(self._sample(node.state, edge.action, self._rng))
        edge.certain = edge.visits == 0 and self._rng.bit_generator.state == before
        return after

    def _look_at(self, node: Node, edge: Edge) -> None:
        """Find out what is known of a move before it is tried: what it pays, and what may come of it."""
        if self._rewards:
            edge.paid = _floats(self._rewards(node.state, edge.action))
        if self._lists_outcomes:
            edge.outcomes = self.game.outcomes(node.state, edge.action)
            edge.certain = len(edge.outcomes) == 1

    def _node_of(self, state: Any) -> Node:
        """Return the node of a state, a new one if it was not met before or cannot be hashed."""
        try:
            node = self._table.get(state)
        except TypeError:
            return self._new_node(state)
        if node is None:
            node = self._table[state] = self._new_node(state)
        return node

    def _new_node(self, state: Any) -> Node:
        actions = self.game.actions(state)
        prior = 1.0 / max(len(actions), 1)
        return Node(state, self.game.player(state) if actions else 0, [Edge(action, prior) for action in actions])

    def _evaluate(self, node: Node) -> None:
        """Find what a new position is worth: the end of a game pays, of others the evaluator tells."""
        if not node.edges:
            node.values = _floats(self.game.returns(node.state))
        else:
            found = evaluation_of(self._evaluator, self.game, node.state, self._rng)
            node.values = _floats(found.values)
            if found.priors is not None:
                total = float(sum(found.priors))
                for edge, prior in zip(node.edges, found.priors, strict=True):
                    edge.prior = float(prior) / total
        self.span.widen(node.values)


def _reachable(root: Node) -> dict[Node, None]:
    """Return the nodes that moves lead to from a root, itself among them, in a fixed order."""
    found, left = {root: None}, [root]
    while left:
        for edge in left.pop().edges:
            new = [node for node in edge.seen if node not in found]
            found.update(dict.fromkeys(new))
            left.extend(new)
    return found


def _plus(values: Values, paid: Values) -> Values:
    return tuple(a + b for a, b in zip(values, paid, strict=True)) if paid else values


def _floats(numbers: Any) -> Values:
    return tuple(float(number) for number in numbers)
