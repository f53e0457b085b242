"""Search a position, or play by searching: what each move is worth, and which is best."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic

from evodom.errors import UsageError
from evodom.games import Game, HiddenInformationGame, Solvable, is_over
from evodom.games.contract import A, S
from evodom.search.evaluators import Evaluator, Values, rollouts, solved_values
from evodom.search.halving import improved_policy, search_root
from evodom.search.tree import Edge, Node, Tree
from evodom.solve import Cyclic, Limits, Solution, TooLarge, silent, solve

if TYPE_CHECKING:
    from numpy.random import Generator as Rng


@dataclass(frozen=True, kw_only=True)
class Options:
    """How a position is searched; raises UsageError for a number that is out of bounds."""

    simulations: int = 1000
    """How often the search goes down its tree for a move, at least 1."""
    evaluator: Evaluator = field(default_factory=rollouts)
    """What a new position is worth: `rollouts`, `exact`, or a function of your own."""
    exploration: float = 1.25
    """How curious the search is; 0: not at all."""
    sharpness: float = 2.0
    """A position is worth the mean over its moves, weighted by this power of how often each was tried. A higher
    one trusts the most tried move more, up to `math.inf`, which takes its worth alone (docs/search.md compares)."""
    gumbel: int = 0
    """So many moves of the root are considered, by sequential halving (for small budgets); 0: all, by PUCT."""
    solve_below: int = 0
    """A position of a `Solvable` game with at most so many states from there on is solved instead; 0: none is."""
    worlds: int = 8
    """In a game that hides things, so many redeals of the position share the simulations."""

    def __post_init__(self) -> None:
        least = {"simulations": 1, "exploration": 0, "sharpness": 1, "gumbel": 0, "solve_below": 0, "worlds": 1}
        for name, low in least.items():
            if not (given := getattr(self, name)) >= low:
                raise UsageError(f"{name} must be at least {low}, got {given}")


@dataclass(frozen=True)
class MoveFigures(Generic[A]):
    """What a search found of one move."""

    action: A
    visits: int
    """How often it was tried, what was kept of earlier searches included; 0 where the position was solved."""
    worth: float
    """What the player whose turn it is can expect after it; that of the position, if it was not tried."""
    worths: Values
    """What every player can expect."""
    chance: float
    """How likely it is the one to play: its share of the visits, or its chance in the improved policy (`gumbel`)."""
    exact: bool = False
    """Whether the position was solved, so that the worth is no estimate."""


class Search(Generic[S, A]):
    """Searches positions of one game; what it found of a position is kept while the game goes on from there.

    `game` is a `Game` or a `Solvable`, of any number of players, each of whom wants the most for himself. All that is
    drawn comes from `rng`: equal seeds give equal trees. Of a game that hides things only redeals are looked at, each
    searched as if everything were seen from then on.
    """

    def __init__(self, game: Game[S, A] | Solvable[Any, A], rng: Rng, options: Options | None = None) -> None:
        self.game = game
        self.options = options or Options()
        self._rng = rng
        self._tree = self._new_tree()
        self._solution: Solution[Any, A, float] | None = None
        listed = isinstance(game, Solvable) and not isinstance(game, HiddenInformationGame)
        if self.options.solve_below and not listed:
            raise UsageError(
                f"{type(game).__name__} cannot be solved: solve_below needs a game that lists its outcomes"
            )

    @property
    def n_nodes(self) -> int:
        """The number of positions that are kept."""
        return self._tree.n_nodes

    def think(self, state: S) -> list[MoveFigures[A]]:
        """Return what was found of each legal move, the best first. Raises UsageError for a state that is over."""
        if is_over(self.game, state):
            raise UsageError("the game is over in this state: search needs one in which a move is legal")
        if isinstance(self.game, HiddenInformationGame):
            return self._think_of_redeals(state)
        return self._solved(state) or self._searched(self._tree, state, self.options.simulations)

    def choose(self, state: S) -> A:
        """Return the best move found; the only one at once. This is a policy, for `evodom.games.play`."""
        actions = self.game.actions(state)
        return actions[0] if len(actions) == 1 else self.think(state)[0].action

    def _new_tree(self) -> Tree:
        options = self.options
        return Tree(
            self.game, options.evaluator, self._rng, exploration=options.exploration, sharpness=options.sharpness
        )

    def _searched(self, tree: Tree, state: S, simulations: int) -> list[MoveFigures[A]]:
        """Search with a tree."""
        root = tree.root_at(state)
        if self.options.gumbel:
            ranked = search_root(tree, root, simulations, self.options.gumbel, self._rng)
            chances = improved_policy(tree, root)
        else:
            for _ in range(simulations):
                tree.simulate(root)
            ranked = sorted(root.edges, key=lambda edge: (-edge.visits, -_worths(root, edge)[root.player]))
            total = sum(edge.visits for edge in root.edges)
            chances = [edge.visits / total for edge in root.edges]
        chance_of = dict(zip(root.edges, chances, strict=True))
        return [_figures(root, edge, chance_of[edge]) for edge in ranked]

    def _solved(self, state: S) -> list[MoveFigures[A]]:
        """Return the exact figures of a position that is small enough, best first; none of any other."""
        game: Any = self.game
        if not self.options.solve_below:
            return []
        try:
            if self._solution is None or state not in self._solution.states:
                limits = Limits(states=self.options.solve_below)
                self._solution = solve(game, state, number=float, limits=limits, progress=silent)
        except (TooLarge, Cyclic):
            return []
        solution, player = self._solution, game.player(state)
        found = [(choice.action, solved_values(solution, choice.value)) for choice in solution.step(state)]
        return [
            MoveFigures(action, 0, worths[player], worths, float(place == 0), exact=True)
            for place, (action, worths) in enumerate(found)
        ]

    def _think_of_redeals(self, state: S) -> list[MoveFigures[A]]:
        """Search positions that look alike to the player whose turn it is, and take the mean of what is found."""
        game: Any = self.game
        player, n = game.player(state), min(self.options.worlds, self.options.simulations)
        found: dict[A, list[MoveFigures[A]]] = {action: [] for action in game.actions(state)}
        for world in range(n):
            share = self.options.simulations * (world + 1) // n - self.options.simulations * world // n
            for one in self._searched(self._new_tree(), game.redeal(state, player, self._rng), share):
                found[one.action].append(one)
        means = [_mean(action, ones, player) for action, ones in found.items()]
        return sorted(means, key=lambda one: (-one.chance, -one.worth))


def search(
    game: Game[S, A] | Solvable[Any, A], state: S, rng: Rng, simulations: int = 1000, **options: Any
) -> list[MoveFigures[A]]:
    """Return what a search of a position finds of each move, the best first.

    `options` are fields of `Options`. Raises UsageError for a state that is over.
    """
    return Search(game, rng, Options(simulations=simulations, **options)).think(state)


def policy(game: Game[S, A] | Solvable[Any, A], rng: Rng, simulations: int = 1000, **options: Any) -> Callable[[S], A]:
    """Return the policy that searches every move, for `evodom.games.play`. `options` are fields of `Options`.

    `rng` must not be the generator that the game's chance draws from.
    """
    return Search(game, rng, Options(simulations=simulations, **options)).choose


def _figures(root: Node, edge: Edge, chance: float) -> MoveFigures[Any]:
    worths = _worths(root, edge)
    return MoveFigures(edge.action, edge.visits, worths[root.player], worths, chance)


def _worths(root: Node, edge: Edge) -> Values:
    """Return what a move is worth to each player, the position itself if it was not tried."""
    return edge.worths if edge.visits else root.values


def _mean(action: A, ones: list[MoveFigures[A]], player: int) -> MoveFigures[A]:
    """Return the figures of a move over several redeals of a position."""
    worths = tuple(sum(values) / len(ones) for values in zip(*(one.worths for one in ones), strict=True))
    chance = sum(one.chance for one in ones) / len(ones)
    return MoveFigures(action, sum(one.visits for one in ones), worths[player], worths, chance)
