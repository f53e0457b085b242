"""Tree search in Python, of any game of `evodom.games`: several players, chance, rewards, hidden information.

It selects, evaluates and backs up as the compiled tree does (`evodom.search.tree`), by the same policies. Positions are
nodes of a table if they can be hashed. A position that recurs on the path ends the simulation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import exp, inf
from operator import mul
from typing import TYPE_CHECKING, Any, ClassVar, Generic

from numpy.random import PCG64, Generator

from evodom.distribution import Distribution, Number
from evodom.errors import UsageError
from evodom.games import Game, HiddenInformationGame, Solvable, is_over, returns_of, rewards_of
from evodom.games.contract import A, S
from evodom.search.evaluators import (
    AnyGame,
    Evaluator,
    evaluate_leaf,
    playout_evaluator,
    sampler_of,
    values_of_solution,
)
from evodom.search.options import ActionEstimate, SearchOptions, Values
from evodom.search.selection import (
    completed_logit,
    exploration_bonus,
    gumbel,
    half,
    logit,
    n_rounds,
    puct,
    range_scale,
    round_size,
)
from evodom.solve import Cyclic, Limits, Solution, TooLarge, no_progress, solve

if TYPE_CHECKING:
    from numpy.random import Generator as Rng

EXPLORATION = 1.25
"""The constant `c_puct` if none is given."""


@dataclass(frozen=True)
class TreeOptions(SearchOptions):
    """Options of a search in Python. Raises UsageError for a number that is out of bounds."""

    evaluator: Evaluator = field(default_factory=playout_evaluator, kw_only=True)
    """Evaluates a new position: `playout_evaluator`, `exact`, or any function with the interface of `evaluators`."""
    sharpness: float = field(default=2.0, kw_only=True)
    """Power of the visits that weights the values of a node's actions; `math.inf`: the most visited alone."""
    refine: bool = field(default=True, kw_only=True)
    """Give an action with chance the mean of its outcomes' current values, not of the values that were backed up."""
    worlds: int = field(default=8, kw_only=True)
    """Redeals of the position that share the simulations, in a game with hidden information."""

    min_values: ClassVar[dict[str, float]] = SearchOptions.min_values | {"sharpness": 1, "worlds": 1}


@dataclass(slots=True, eq=False)
class StateNode:
    """A position: the player to move, the edges of its actions (none if it is over), its visits and its values."""

    state: Any
    player: int
    edges: list[ActionEdge]
    visits: int = 0
    values: Values = ()

    def update_values(self, sharpness: float) -> None:
        """Set the values to the mean over the actions, weighted by a power of their visits."""
        most = max(edge.visits for edge in self.edges)
        tried = [edge for edge in self.edges if edge.visits]
        weights = [(edge.visits / most) ** sharpness for edge in tried]
        columns = zip(*(edge.values for edge in tried), strict=True)
        self.values = tuple(sum(map(mul, weights, column)) / sum(weights) for column in columns)


@dataclass(slots=True, eq=False)
class ActionEdge:
    """An action of a position, its relative prior, and the values backed up through it."""

    action: Any
    prior: float = 1.0
    visits: int = 0
    reward: Values = ()
    """The rewards of the action; empty in a game without rewards."""
    outcomes: Distribution[Any] | None = None
    """The outcomes of the action, in a game that lists them."""
    certain: bool = False
    """True if the action has a single outcome."""
    seen: dict[StateNode, int] = field(default_factory=dict)
    """The next nodes, and how often each occurred."""
    totals: Values = ()
    """The sum of the backed-up values; empty if the values are those of the only outcome."""

    @property
    def values(self) -> Values:
        """The value of the action for each player. The action must have visits."""
        if not self.totals:
            return _add_values(next(iter(self.seen)).values, self.reward)
        return tuple(total / self.visits for total in self.totals)

    def add(self, values: Values, outcome: StateNode, *, refine: bool) -> None:
        """Add values that are backed up from an outcome; or, to `refine`, sum the current values of all outcomes."""
        self.visits += 1
        self.seen[outcome] = self.seen.get(outcome, 0) + 1
        if refine and len(self.seen) > 1:
            columns = zip(*(_add_values(node.values, self.reward) for node in self.seen), strict=True)
            self.totals = tuple(sum(map(mul, self.seen.values(), column)) for column in columns)
        elif not refine and not self.certain:
            self.totals = _add_values(values, self.totals)


class SearchTree:
    """A tree of positions. It draws random numbers from a new generator, seeded from `rng`."""

    def __init__(self, game: AnyGame, options: TreeOptions, rng: Generator) -> None:
        self.game: Any = game
        self.options = options
        self.low, self.high = [inf] * game.n_players, [-inf] * game.n_players
        """The least and the greatest value of evaluated positions, for each player."""
        self._rng = Generator(PCG64(int(rng.integers(2**63))))
        self._sample, self._returns, self._rewards = sampler_of(game), returns_of(game), rewards_of(game)
        self._lists_outcomes = isinstance(game, Solvable)
        self._c_puct = EXPLORATION if options.exploration is None else options.exploration
        self.table: dict[Any, StateNode] = {}

    def root_at(self, state: object) -> StateNode:
        """Return the evaluated node of a state. Remove nodes that are not reachable from it."""
        root = self._node_of(state)
        kept = _reachable(root)
        self.table = {key: node for key, node in self.table.items() if node in kept}
        if not root.visits:
            self._evaluate(root)
            root.visits = 1
        return root

    def search(self, root: StateNode, simulations: int) -> tuple[list[ActionEdge], list[float]]:
        """Search a root. Return its edges, the best first, and the improved policy in the order of its actions."""
        edges, player = root.edges, root.player
        if not self.options.gumbel:
            for _ in range(simulations):
                self._simulate(root)
            total = sum(edge.visits for edge in edges)
            return self._ranked(root), [edge.visits / total for edge in edges]
        chosen = self._search_by_halving(root, simulations)
        most, scale = max(edge.visits for edge in edges), self._scale(player)
        logits = [completed_logit(logit(edge.prior), most, self._advantage(root, edge), scale) for edge in edges]
        weights = [exp(one - max(logits)) for one in logits]
        ranked = sorted(self._ranked(root), key=lambda edge: edge is not chosen)
        return ranked, [weight / sum(weights) for weight in weights]

    def _search_by_halving(self, root: StateNode, n_left: int) -> ActionEdge:
        """Spend simulations on candidates by sequential halving; return the chosen edge."""
        logits = {edge: gumbel(float(self._rng.random())) + logit(edge.prior) for edge in root.edges}
        alive = sorted(root.edges, key=lambda edge: -logits[edge])[: self.options.gumbel]
        rounds = n_rounds(len(alive))
        while n_left > 0 or len(alive) > 1:
            size = min(round_size(n_left, len(alive), rounds), n_left)
            for number_type in range(size):
                self._simulate(root, alive[number_type % len(alive)])
            n_left, rounds = n_left - size, max(rounds - 1, 1)
            most, scale = max(edge.visits for edge in alive), self._scale(root.player)
            scores = {edge: completed_logit(logits[edge], most, self._advantage(root, edge), scale) for edge in alive}
            alive = sorted(alive, key=lambda edge: -scores[edge])[: half(len(alive))]
        return alive[0]

    def _ranked(self, root: StateNode) -> list[ActionEdge]:
        """Return the edges of a root by visits, equal ones by value."""
        return sorted(root.edges, key=lambda edge: (-edge.visits, -values_at(root, edge)[root.player]))

    def _advantage(self, root: StateNode, edge: ActionEdge) -> float:
        """Return the value of an edge above the least value of the tree."""
        return values_at(root, edge)[root.player] - self.low[root.player]

    def _scale(self, player: int) -> float:
        return range_scale(self.low[player], self.high[player])

    def _simulate(self, root: StateNode, first: ActionEdge | None = None) -> None:
        """Run a simulation: select a path, with `first` if it is given, evaluate its end, back its values up."""
        path: dict[StateNode, tuple[ActionEdge, StateNode]] = {}
        node = root
        while node.edges and node.visits and node not in path:
            edge = self._choose(node) if path or first is None else first
            after = self._follow(node, edge)
            path[node], node = (edge, after), after
        if not node.visits:
            self._evaluate(node)
        node.visits += 1
        values = node.values
        for before, (edge, after) in reversed(path.items()):
            values = _add_values(values, edge.reward)
            edge.add(values, after, refine=self.options.refine)
            before.visits += 1
            before.update_values(self.options.sharpness)

    def _choose(self, node: StateNode) -> ActionEdge:
        """Return the edge with the highest PUCT score, the first of equal ones."""
        player = node.player
        scale, bonus = self._scale(player), exploration_bonus(self._c_puct, len(node.edges), node.visits)
        return max(
            node.edges,
            key=lambda edge: puct(values_at(node, edge)[player], scale, edge.prior, bonus, edge.visits),
        )

    def _follow(self, node: StateNode, edge: ActionEdge) -> StateNode:
        """Apply the action of an edge and return the node that it leads to."""
        if edge.certain and edge.visits:
            return next(iter(edge.seen))
        if not edge.visits:
            if self._rewards:
                edge.reward = _floats(self._rewards(node.state, edge.action))
            if self._lists_outcomes:
                edge.outcomes = self.game.outcomes(node.state, edge.action)
        if edge.outcomes is not None:
            edge.certain = len(edge.outcomes) == 1
            return self._node_of(edge.outcomes.sample(self._rng))
        before = self._rng.bit_generator.state
        after = self._node_of(self._sample(node.state, edge.action, self._rng))
        edge.certain = not edge.visits and self._rng.bit_generator.state == before
        return after

    def _node_of(self, state: object) -> StateNode:
        """Return the node of a state, a new one if there is none or if the state cannot be hashed."""
        try:
            node = self.table.get(state)
        except TypeError:
            return self._new_node(state)
        if node is None:
            node = self.table[state] = self._new_node(state)
        return node

    def _new_node(self, state: object) -> StateNode:
        actions = self.game.actions(state)
        return StateNode(state, self.game.player(state) if actions else 0, [ActionEdge(action) for action in actions])

    def _evaluate(self, node: StateNode) -> None:
        """Set the values of a new node, and the priors of its edges; widen the range of values."""
        if node.edges:
            found = evaluate_leaf(self.options.evaluator, self.game, node.state, self._rng)
            node.values = _floats(found.values)
            if found.priors is not None:
                average = float(sum(found.priors)) / len(node.edges)
                for edge, prior in zip(node.edges, found.priors, strict=True):
                    edge.prior = float(prior) / average
        else:
            node.values = _floats(self._returns(node.state))
        for player, value in enumerate(node.values):
            self.low[player], self.high[player] = min(self.low[player], value), max(self.high[player], value)


class TreeSearch(Generic[S, A]):
    """Searches positions of one game; the tree is kept while the game goes on from there.

    `game` is a `Game` or a `Solvable` of any number of players. Each player maximises their payoff. Random numbers come
    from `rng`: equal seeds give equal trees. In a game with hidden information, redeals are searched, each with full
    information.
    """

    def __init__(self, game: Game[S, A] | Solvable[Any, A], rng: Rng, options: TreeOptions | None = None) -> None:
        self.game = game
        self.options = options or TreeOptions()
        self._rng = rng
        self._tree = SearchTree(game, self.options, rng)
        self._solution: Solution[Any, A, float] | None = None
        listed = isinstance(game, Solvable) and not isinstance(game, HiddenInformationGame)
        if self.options.solve_below and not listed:
            raise UsageError(
                f"{type(game).__name__} cannot be solved: solve_below needs a game that lists its outcomes"
            )

    @property
    def n_nodes(self) -> int:
        """The number of positions in the table of the tree."""
        return len(self._tree.table)

    def search(self, state: S) -> list[ActionEstimate[A]]:
        """Return the values of the legal actions, the best first. Raises UsageError for a state that is over."""
        if is_over(self.game, state):
            raise UsageError("the game is over in this state: search needs a state with a legal move")
        if isinstance(self.game, HiddenInformationGame):
            return self._search_redeals(state)
        return self._solved(state) or self._searched(self._tree, state, self.options.simulations)

    def choose(self, state: S) -> A:
        """Return the best action; a single one without a search. This is a policy, for `evodom.games.play`."""
        actions = self.game.actions(state)
        return actions[0] if len(actions) == 1 else self.search(state)[0].action

    def _searched(self, tree: SearchTree, state: S, simulations: int) -> list[ActionEstimate[A]]:
        root = tree.root_at(state)
        ranked, policy = tree.search(root, simulations)
        probability = dict(zip(root.edges, policy, strict=True))

        def estimate(edge: ActionEdge) -> ActionEstimate[A]:
            values, prior = values_at(root, edge), edge.prior / len(ranked)
            return ActionEstimate(
                edge.action, edge.visits, values[root.player], prior, values=values, probability=probability[edge]
            )

        return list(map(estimate, ranked))

    def _solved(self, state: S) -> list[ActionEstimate[A]]:
        """Return the exact values of a position that is small enough, the best first; [] for another position."""
        game: Any = self.game
        if not self.options.solve_below:
            return []
        try:
            if self._solution is None or state not in self._solution.states:
                limits = Limits(states=self.options.solve_below)
                self._solution = solve(game, state, number_type=float, limits=limits, progress=no_progress)
        except (TooLarge, Cyclic):
            return []
        solution, player = self._solution, game.player(state)
        found = [
            (choice.action, values_of_solution(solution, choice.value)) for choice in solution.action_values(state)
        ]
        return [
            ActionEstimate(action, 0, values[player], values=values, probability=float(place == 0), exact=True)
            for place, (action, values) in enumerate(found)
        ]

    def _search_redeals(self, state: S) -> list[ActionEstimate[A]]:
        """Search redeals of the position for the player to move; return the mean values of each action."""
        game: Any = self.game
        player, n = game.player(state), min(self.options.worlds, self.options.simulations)
        found: dict[A, list[ActionEstimate[A]]] = {action: [] for action in game.actions(state)}
        for world in range(n):
            share = self.options.simulations * (world + 1) // n - self.options.simulations * world // n
            tree = SearchTree(game, self.options, self._rng)
            for one in self._searched(tree, game.redeal(state, player, self._rng), share):
                found[one.action].append(one)
        means = [_mean(action, estimates, player) for action, estimates in found.items()]
        return sorted(means, key=lambda one: (-one.probability, -one.value))


def search(
    game: Game[S, A] | Solvable[Any, A], state: S, rng: Rng, simulations: int = 1000, **options: Any
) -> list[ActionEstimate[A]]:
    """Search a position and return the values of its actions, the best first.

    `options` are fields of `TreeOptions`. Raises UsageError for a state that is over.
    """
    return TreeSearch(game, rng, TreeOptions(simulations, **options)).search(state)


def policy(game: Game[S, A] | Solvable[Any, A], rng: Rng, simulations: int = 1000, **options: Any) -> Callable[[S], A]:
    """Return the policy that searches every move, for `evodom.games.play`. `options` are fields of `TreeOptions`.

    `rng` must not be the generator of the game's chance.
    """
    return TreeSearch(game, rng, TreeOptions(simulations, **options)).choose


def values_at(node: StateNode, edge: ActionEdge) -> Values:
    """Return the values of an action; those of its node if it was not tried."""
    return edge.values if edge.visits else node.values


def _mean(action: A, estimates: Sequence[ActionEstimate[A]], player: int) -> ActionEstimate[A]:
    """Return the mean of an action's results over several redeals."""
    values = tuple(sum(column) / len(estimates) for column in zip(*(one.values for one in estimates), strict=True))
    prior, probability = (
        sum(getattr(one, name) for one in estimates) / len(estimates) for name in ("prior", "probability")
    )
    visits = sum(one.visits for one in estimates)
    return ActionEstimate(action, visits, values[player], prior, values=values, probability=probability)


def _reachable(root: StateNode) -> dict[StateNode, None]:
    """Return the nodes that a root leads to, itself included, in a fixed order."""
    found, left = {root: None}, [root]
    while left:
        for edge in left.pop().edges:
            new = [node for node in edge.seen if node not in found]
            found.update(dict.fromkeys(new))
            left.extend(new)
    return found


def _add_values(values: Values, more: Values) -> Values:
    return tuple(a + b for a, b in zip(values, more, strict=True)) if more else values


def _floats(numbers: Iterable[Number]) -> Values:
    return tuple(float(number_type) for number_type in numbers)
