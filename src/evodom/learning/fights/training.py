"""Train a network for fights by self-play: play games, take steps of gradient descent, repeat.

An iteration depends on the seed and the networks of the iterations before it. After an interruption the games of the
replay window are played again.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.errors import EvodomError
from evodom.learning.fights import ACT, UNTRAINED, FightOptions, Recipe
from evodom.learning.fights.gradient import N_LOSSES, Losses, Positions
from evodom.learning.fights.learner import FightLearner, PositionLearner, TrainingData, concatenate_data, td_targets
from evodom.nn.optimiser import Adam, exponential_decay
from evodom.spire.embedding import WIDTH
from evodom.spire.embedding.hypernetwork import Hypernetwork, shipped
from evodom.spire.engine.game import SpireFight, State
from evodom.spire.engine.layout import LATE, LOST
from evodom.spire.fights import Fight, fight_from_toml, state_from_fight
from evodom.spire.fights.fight import HP, Payoff
from evodom.spire.play.estimates import RESULT, Results, Seeds, SelfPlay, payoffs, play_trajectories
from evodom.spire.play.network import (
    FIRST_MOVE_OUTPUT,
    GAIN_OUTPUT,
    FeatureSpec,
    Network,
    discover_features,
    new_network,
)
from evodom.spire.play.searcher import FightSearchOptions

_FEATURES, _WEIGHTS, _GAMES, _LEARN = range(4)
"""Numbers of random streams, by use."""

DISCOVERY_FIGHTS = 100
"""Number of random fights for the discovery of features."""

WIN_PLAYOUT_ITERATIONS = 4
"""First iterations with playouts, if wins pay and the initial network is that of act 1, which predicts only HP."""

Progress = Callable[[int], object]

_GameInputs = tuple[Any, Any, Any, list[State]]
"""Inputs of games: indices in `FightTraining._setups` (n,), whether varied (n,), seeds (n, 2) uint64, first states."""


def self_play(
    game: SpireFight,
    payoff: Payoff,
    starts: Sequence[State],
    seeds: Seeds,
    search: FightSearchOptions,
    mode: SelfPlay,
    trace: float,
    n_threads: int = 1,
) -> tuple[Results, npt.NDArray[np.float64], list[TrainingData]]:
    """Play games of one fight. Return their RESULTs, their values, and the training data of each."""
    results, trajectories = play_trajectories(game, starts, seeds, payoff, search, mode, n_threads)
    values = payoffs(results, payoff, game.rules.max_hp)
    hp, win, *_ = payoff.prices(game.rules.max_hp)
    # Gains are shares of the payoff of a win at full HP.
    full_payoff, lost = hp * game.rules.max_hp + win, np.isin(results["over"], (LOST, LATE))
    games = zip(trajectories, values, lost, strict=True)
    data = [td_targets(trajectory, (value, float(is_lost)), full_payoff, trace) for trajectory, value, is_lost in games]
    return results, values, data


def run_epochs(
    learner: PositionLearner,
    data: Positions,
    recipe: Recipe,
    share_done: float,
    rng: np.random.Generator,
    pool: ThreadPoolExecutor | None,
) -> Losses:
    """Learn from positions for `recipe.epochs`. Return the losses of the last epoch.

    The learning rate decreases with `share_done`, the share of the iterations that are done.
    """
    learning_rate, losses = exponential_decay(recipe.rate, min(share_done, 1.0)), np.zeros(N_LOSSES)
    for _ in range(recipe.epochs):
        losses = learner.improve(
            data, rng, rate=learning_rate, batch=recipe.batch, loss_weights=recipe.shares, pool=pool
        )
    return losses


@dataclass(frozen=True)
class PlayedGames:
    """Games of an iteration.

    Attributes:
        experience: their training data.
        results: (n,), RESULT records.
        values: (n,), the values of the results.
        varied: (n,) bool, True for games whose moves are sampled.
    """

    experience: TrainingData
    results: Any
    values: Any
    varied: Any


class FightTraining:
    """The training of one network. `first` returns the initial network. `play` and `learn` are an iteration.

    `features` are the network's features. By default they are discovered.
    """

    def __init__(
        self, options: FightOptions, seed: int, n_threads: int = 1, features: FeatureSpec | None = None
    ) -> None:
        self.options, self.recipe, self.seed, self._n_threads = options, options.recipe, seed, n_threads
        self.fights = [fight_from_toml(text) for text in options.fights]
        for fight in self.fights:
            fight.payoff.check_mean()
        setups = [
            (fight, setup, float(chance)) for fight in self.fights for _, chance, setup in fight.encounter_setups()
        ]
        self._setups = [(fight, SpireFight(setup)) for fight, setup, _ in setups]
        self._chances = np.array([chance for *_, chance in setups]) / len(self.fights)
        self._pays_wins = any(fight.payoff.kind != HP for fight in self.fights)
        act_ignores_wins = options.begin == ACT and self._pays_wins
        self._n_playout_iterations = max(self.recipe.played_out, WIN_PLAYOUT_ITERATIONS if act_ignores_wins else 0)
        self.features = features or (
            Hypernetwork(*self._games).features if options.begin == ACT else self._discover_features()
        )

    @property
    def _games(self) -> list[SpireFight]:
        return [game for _, game in self._setups]

    def first(self) -> Network:
        """Return the initial network."""
        if self.options.begin == ACT:
            return self._act_network()
        return new_network(self.features, self.options.width, self._rng(0, _WEIGHTS))

    def _act_network(self) -> Network:
        """Return the network of act 1 for these fights. It predicts HP: if wins pay, its gain output is set to 0."""
        act = shipped()
        if act is None:
            raise EvodomError(f"there is no network of act 1 for these rules. Use --network {UNTRAINED}.")
        weights = Hypernetwork(*self._games).network(act.weights).weights
        if self._pays_wins:
            n_outputs = FIRST_MOVE_OUTPUT + len(self.features.outputs)
            weights[-(WIDTH + 1) * n_outputs :].reshape(-1, n_outputs)[:, GAIN_OUTPUT] = 0.0
        return Network(self.features, WIDTH, weights)

    def play(self, iteration: int, network: Network, progress: Progress = lambda n: None) -> PlayedGames:
        """Play the games of an iteration, counted from 1, with the network of the iteration before."""
        setup_of_game, varied, seeds, starts = self._game_inputs(iteration)
        results, values = np.zeros(len(setup_of_game), RESULT), np.zeros(len(setup_of_game))
        data_of_games: list[Any] = [None] * len(setup_of_game)
        for index, (fight, game) in enumerate(self._setups):
            indices = np.flatnonzero(setup_of_game == index)
            results[indices], values[indices], data_of_setup = self_play(
                game, fight.payoff, [starts[number] for number in indices], seeds[indices],
                self.recipe.search_options(iteration <= self._n_playout_iterations, self.options.simulations, network),
                SelfPlay(self.features, varied[indices], self.recipe.noise), self.recipe.trace, self._n_threads,
            )  # fmt: skip
            for number, data in zip(indices, data_of_setup, strict=True):
                data_of_games[number] = data
            progress(len(indices))
        return PlayedGames(concatenate_data(data_of_games), results, values, varied)

    def _game_inputs(self, iteration: int) -> _GameInputs:
        """Draw the random inputs of an iteration's games."""
        n, rng = self.options.games, self._rng(iteration, _GAMES)
        setup_of_game = rng.choice(len(self._setups), size=n, p=self._chances)
        varied = rng.random(n) < self.recipe.varied
        seeds = rng.integers(2**64, size=(n, 2), dtype=np.uint64)
        return setup_of_game, varied, seeds, [_first_state(self._setups[index], rng) for index in setup_of_game]

    def learn(
        self, iteration: int, network: Network, adam: Adam | None, replay: TrainingData, pool: ThreadPoolExecutor | None
    ) -> tuple[FightLearner, Losses]:
        """Learn from the games of the replay window. Return the learner and its losses."""
        learner = FightLearner(network, adam)
        data, rng = learner.positions(replay), self._rng(iteration, _LEARN)
        return learner, run_epochs(learner, data, self.recipe, iteration / self.options.iterations, rng, pool)

    def _discover_features(self) -> FeatureSpec:
        """Discover the features that change in these fights."""
        rng = self._rng(0, _FEATURES)
        n = max(DISCOVERY_FIGHTS // len(self._setups), 1)
        starts = [[_first_state(setup, rng) for _ in range(n)] for setup in self._setups]
        return discover_features(self._games, starts, rng)

    def _rng(self, iteration: int, use: int) -> np.random.Generator:
        return np.random.default_rng((self.seed, iteration, use))


def _first_state(setup: tuple[Fight, SpireFight], rng: np.random.Generator) -> State:
    """Return the saved state of a fight, or a random first state."""
    fight, game = setup
    return state_from_fight(fight, game) if fight.state is not None else game.start(rng)
