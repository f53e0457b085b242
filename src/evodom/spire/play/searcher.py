"""Tree search of fights: `FightSearchOptions`, `FightTree` (arrays of one thread) and `Searcher`.

Open it to search a position from Python, or to change how a search is configured.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.errors import EvodomError, UsageError
from evodom.jit.kernel import Words, precompile
from evodom.search.estimate import ActionEstimate
from evodom.spire.engine.compiler import Setup
from evodom.spire.engine.game import SpireFight, State
from evodom.spire.engine.layout import C_FIGHT_END_HEAL_AT_HALF, DICE, FIGHT, LOST, Dice
from evodom.spire.engine.turns import end_turn
from evodom.spire.fights.fight import Payoff
from evodom.spire.play.evaluation import EVALUATOR, HP, WIN, EvaluatorRecord, FightEvaluator, scratch_size
from evodom.spire.play.network import INPUT, FeatureSpec, NetworkEvaluator, Vector
from evodom.spire.play.playouts import set_playout_policy
from evodom.spire.play.tree import EDGE, NODE, NONE, SEARCH_RECORD, SearchRecord, TreeWorkspace
from evodom.spire.play.tree_search import ADVANCE, SEARCH, STEP, FightInPlay, TrajectoryBuffers, run_task
from evodom.spire.solver.answer import SolverLimits
from evodom.spire.solver.solver import Solver

PLAYOUT_EXPLORATION = 0.5
"""Default of `c_puct` in a search without a network."""

MAX_MOVES_OF_FIGHT = 2000
"""Maximum number of moves. A longer fight counts as not won in time: block could prolong some fights forever."""


@dataclass(frozen=True)
class FightSearchOptions:
    """Options of a search of fights. Raises UsageError for a number that is out of bounds."""

    simulations: int = 1000
    """Simulations of a search, at least 1: each selects a path, evaluates a leaf and backs its value up."""
    exploration: float | None = None
    """The constant `c_puct` of PUCT, at least 0; None: that of the evaluator."""
    gumbel: int = 0
    """Number of root moves that sequential halving compares (for small budgets). 0: PUCT over all moves."""
    solve_below: int = 0
    """Solve a position exactly if the solver's graph is within `SolverLimits.below` this number; 0: never."""
    playouts: int | None = field(default=None, kw_only=True)
    """Playouts of a new position; None: 4, or 2 with a network. None are run if the network's `value_weight` is 1."""
    network: NetworkEvaluator | None = field(default=None, kw_only=True)
    """Network that evaluates positions; None for playouts alone."""

    def __post_init__(self) -> None:
        """Check the bounds."""
        for name in ("simulations", "exploration", "gumbel", "solve_below", "playouts"):
            value, minimum = getattr(self, name), int(name in ("simulations", "playouts"))
            if value is not None and not value >= minimum:
                raise UsageError(f"{name} must be at least {minimum}, got {value}")

    @property
    def c_puct(self) -> float:
        """Exploration constant of PUCT: the given value, or the default of the evaluator."""
        if self.exploration is not None:
            return self.exploration
        return PLAYOUT_EXPLORATION if self.network is None else self.network.exploration

    @property
    def n_playouts(self) -> int:
        """Playouts of a new position: the given value, or the default."""
        return self.playouts or (4 if self.network is None else 2)

    @property
    def capacity(self) -> int:
        """Number of nodes of a tree: enough for the searches of a few moves."""
        return max(8192, 4 * self.simulations)


EDGES_PER_NODE = 12


class FightTree:
    """Arrays, options, solver and random streams of a search of fights, for one thread.

    The tree has `capacity` nodes. At most `n_recorded` positions of a trajectory are recorded.
    """

    def __init__(self, capacity: int = 8192, n_recorded: int = 0) -> None:
        self.words: Words = np.zeros((capacity, FIGHT.itemsize // 8), np.uint64)
        self.states = self.words.view(FIGHT)[:, 0]
        self.nodes = np.zeros(capacity, NODE)
        self.edges = np.zeros(capacity * EDGES_PER_NODE, EDGE)
        self.table = np.full(capacity, NONE, np.int32)
        self.record: SearchRecord = np.zeros(1, SEARCH_RECORD)[0]
        self.chance: Dice = np.zeros(1, DICE)[0]
        self.n_recorded = n_recorded
        self.options: EvaluatorRecord = np.zeros(1, EVALUATOR)[0]
        self.fight_chance: Dice = np.zeros(1, DICE)[0]
        self.solver: Solver | None = None
        self.game: SpireFight | None = None
        self._payoff = Payoff()
        self._set_network(np.zeros(1, np.float32), np.zeros(0, INPUT), 0)
        self.clear()

    def clear(self) -> None:
        """Begin the next search with an empty tree."""
        self.record.n_nodes = len(self.nodes)

    @property
    def workspace(self) -> TreeWorkspace:
        """The arrays as the argument of kernels."""
        arrays = self.words, self.states, self.nodes, self.edges, self.table
        return TreeWorkspace(*arrays, self.record, self.chance, self.evaluator)

    def prepare(self, game: SpireFight, payoff: Payoff, search_options: FightSearchOptions) -> None:
        """Configure the arrays for searches of a fight."""
        self.game, self._payoff = game, payoff
        options, prices = self.options, self.options.prices
        prices[:] = payoff.prices(game.rules.max_hp)
        options.playouts, options.max_moves = search_options.n_playouts, MAX_MOVES_OF_FIGHT
        options.plays_lethal_moves = only_loses_hp(game)
        self.record.exploration, self.record.gumbel = search_options.c_puct, search_options.gumbel
        set_playout_policy(options.policy, game)
        best_payoff = prices[HP] * game.rules.max_hp + prices[WIN]
        options.gain_unit, options.death_cost = best_payoff, 0.0
        if search_options.solve_below:
            separate = SpireFight(game.setup)  # threads must not share the scratch arrays of a game
            self.solver = Solver(separate, payoff, SolverLimits.below(search_options.solve_below))
        if search_options.network is not None:
            network = search_options.network.for_fight(game)
            options.has_network, options.width = True, network.width
            options.value_weight, options.prior_weight = network.value_weight, network.prior_weight
            if network.value_weight == 1.0:
                options.playouts = 0
            if network.gain_is_hp:
                options.gain_unit, options.death_cost = best_payoff - prices[WIN], prices[WIN]
            self.set_features(network.features, game, network.weights)

    def set_features(self, features: FeatureSpec, game: SpireFight, weights: Vector | None = None) -> None:
        """Set the observed features, and the weights of the network if there is one."""
        inputs, self.options.output_of_move[:] = features.bind(game)
        self._set_network(self._weights if weights is None else weights, inputs, len(features.outputs))

    def run(self, position: Words, simulations: int, task: int) -> int:
        """Run a task of `tree_search.run_task` on the fight whose words are row 0 of `position`."""
        assert self.game is not None
        if task != ADVANCE:
            self._payoff.check_searchable(self.game.setup.max_turns)
        fight = FightInPlay(position.view(FIGHT)[0, 0], position, self.fight_chance)
        return int(run_task(self.game.record, self.workspace, self.buffers, fight, simulations, task))

    def search_position(self, position: Words, simulations: int) -> list[ActionEstimate[int]]:
        """Search the position in row 0 of `position`. Return its moves, the chosen first, then by visits and value."""
        root = self.nodes[self.run(position, simulations, SEARCH)]
        n = int(root["n"])
        found = [self._move_estimate(edge, n) for edge in self.edges[int(root["first"]) : int(root["first"]) + n]]
        found.sort(key=lambda one: (-one.visits, -one.value))
        if self.record.chosen != NONE:
            found.sort(key=lambda one: one.action != self.edges[self.record.chosen]["action"])
        return found

    def _move_estimate(self, edge: Any, n_moves: int) -> ActionEstimate[int]:
        move, visits, prior = int(edge["action"]), int(edge["visits"]), float(edge["prior"]) / n_moves
        if edge["child"] != NONE and visits:
            child = self.nodes[edge["child"]]
            return ActionEstimate(move, visits, float(child["value"]), prior, loss_probability=float(child["loss"]))
        value, loss = float(edge["total"] / max(visits, 1)), float(edge["losses"] / max(visits, 1))
        return ActionEstimate(move, visits, value, prior, loss_probability=loss)

    def solve(self, state: State) -> list[ActionEstimate[int]]:
        """Return the exact values of a small position's moves, best first; an empty list if it cannot be solved."""
        if self.solver is None:
            return []
        try:
            return self.solver.move_estimates(state)
        except EvodomError:  # too large, too random or without an end: search it instead
            return []

    def _set_network(self, weights: Vector, inputs: npt.NDArray[Any], n_outputs: int) -> None:
        """Allocate the arrays whose sizes depend on the features and the network. The width is `options.width`."""
        self._weights, n_inputs = weights, len(inputs)
        scratch = np.zeros(scratch_size(n_inputs, int(self.options.width), n_outputs), np.float32)
        self.evaluator = FightEvaluator(self.options, self.words.view(np.int16), weights, inputs, scratch)
        self.buffers = TrajectoryBuffers(
            np.zeros((self.n_recorded, n_inputs), np.float32),
            np.zeros((self.n_recorded, max(n_outputs, 1)), np.float32),
            np.zeros(self.n_recorded, STEP),
        )


class Searcher:
    """Search of positions of one fight. The tree is kept from move to move."""

    def __init__(
        self, game: SpireFight, payoff: Payoff | None = None, options: FightSearchOptions | None = None
    ) -> None:
        self.game = game
        self.payoff, self.options = payoff or Payoff(), options or FightSearchOptions()
        self._tree = FightTree(self.options.capacity)
        self._tree.prepare(game, self.payoff, self.options)

    def search(
        self, state: State, rng: np.random.Generator, simulations: int | None = None
    ) -> list[ActionEstimate[int]]:
        """Return the moves of a position with their values, best first.

        With `simulations` the position is searched even if it could be solved.
        """
        self._tree.chance.stream[0] = rng.integers(2**64, dtype=np.uint64)
        if simulations is None and (solved := self._tree.solve(state)):
            return solved
        n = self.options.simulations if simulations is None else simulations
        return self._tree.search_position(state_words(state), n)


def state_words(state: State) -> Words:
    """Return a copy of a state as words, in row 0."""
    return np.frombuffer(bytearray(state), np.uint64).reshape(1, -1)


def only_loses_hp(game: SpireFight) -> bool:
    """Return True if neither HP nor maximum HP can rise from the start of a fight.

    Then every win without loss of HP is optimal. A position of a file can have Regen: `run_task` checks this.
    """
    rules, change = game.rules, game.record.change
    can_gain_max_hp = rules.feed_max_hp or any(rules.potion_max_hp)
    return not (rules.can_heal or can_gain_max_hp or change[C_FIGHT_END_HEAL_AT_HALF])


def compile_search() -> None:
    """Compile the kernels of the search, but not those of the engine: the searched fight is already over.

    A program compiles several groups of kernels in parallel. This group finishes first, so it also compiles `end_turn`
    of the engine, which the engine's group needs late.
    """
    game = SpireFight(Setup())
    over = np.zeros(1, FIGHT)
    over["over"] = LOST
    Searcher(game, options=FightSearchOptions(1, playouts=1)).search(over.tobytes(), np.random.default_rng(0))
    precompile(end_turn, game.record, over[0], np.zeros(1, DICE)[0])
