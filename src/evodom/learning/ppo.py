"""Train a network by proximal policy optimisation (PPO): the compiled gradient of its loss, and the learner.

Schulman et al. 2017, "Proximal policy optimization algorithms": the clipped objective, an entropy bonus, and the
squared error of a value function. Games and batches are split into N_PIECES pieces. The sums of the pieces are added in
order, so that the result is the same for any number of threads.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.batch import RESULT, Results, new_batch
from evodom.dominion.engine.observation import SCALES
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.base import NETWORK
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.models.networks import layers
from evodom.dominion.strategies.models.networks.model import network_strategy
from evodom.dominion.strategies.record import STRATEGY, Strategy
from evodom.dominion.strategies.select import load_model
from evodom.jit.kernel import allocating_kernel, kernel
from evodom.jit.vectors import exp, log
from evodom.learning import rollouts
from evodom.nn.optimiser import Adam
from evodom.tasks import Workers

MIN_LOG_PROBABILITY = float(np.log(rollouts.MIN_PROBABILITY))

ENTROPY, CLIPPED, DIVERGENCE, ERROR = range(4)
N_FIGURES = 4
"""Number of figures, which are summed over decisions. ENTROPY is that of the policy. CLIPPED counts clipped decisions.
DIVERGENCE is relative to the recorded policy, in nats. ERROR is the squared error of the value function.
"""

IMITATE = 0.0
"""Value of ``clip`` for behaviour cloning. Its loss is the cross-entropy of the actions, weighted by advantages."""

Figures = npt.NDArray[np.float64]
"""Sums over decisions, (N_FIGURES,)."""


@allocating_kernel
def add_gradient(
    weights: layers.Weights,
    decisions: rollouts.Decisions,
    clip: float,
    entropy_bonus: float,
    gradient: layers.Weights,
    figures: Figures,
) -> None:
    """Add the gradient of the loss, summed over decisions, to ``gradient`` (N_WEIGHTS,). Add to ``figures``."""
    sums = np.empty(layers.WIDTH, np.float32)  # units and logits; the softmax turns the logits into probabilities
    back = np.zeros(layers.WIDTH, np.float32)  # relative log-probabilities of the softmax, then derivatives
    for index in range(len(decisions)):
        decision = decisions[index]
        kind: int = np.int64(decision.kind)  # type: ignore[assignment]  # one width of integers for all kernels
        layers.forward(weights, kind, decision.legal, decision.features, sums)
        # The softmax returns the inverse of the highest probability.
        best_log_probability = -log(layers.softmax_with_logs(sums, decision.legal, layers.TRAINING_SHARPNESS, back))
        policy_gradient(decision, sums, best_log_probability, clip, entropy_bonus, back, figures)
        layers.backpropagate_outputs(weights, gradient, layers.first_output_row(kind), decision.legal, sums, back)
        value_gradient(weights, kind, decision.target, sums, back, gradient, figures)
        layers.add_to_rows(gradient, layers.first_feature_row(kind), decision.features, SCALES, back)


@kernel
def policy_gradient(
    decision: rollouts.DecisionRecord,
    sums: layers.Weights,
    best_log_probability: float,
    clip: float,
    entropy_bonus: float,
    back: layers.Weights,
    figures: Figures,
) -> None:
    """Write the derivative of the policy loss with respect to each logit into ``back``.

    ``sums`` has the probability of each output. On entry ``back`` has the log-probability of each output minus
    ``best_log_probability``, the log-probability of the most likely output.
    """
    mean_relative_log = np.float32(0.0)
    for output in range(layers.FIRST_OUTPUT, layers.FIRST_OUTPUT + layers.N_OUTPUTS):
        mean_relative_log += sums[output] * back[output]
    figures[ENTROPY] -= mean_relative_log + best_log_probability
    action = layers.FIRST_OUTPUT + decision.action
    weight: float = np.float64(decision.advantage)
    if clip != IMITATE:
        log_probability = back[action] + best_log_probability
        log_ratio = max(log_probability, MIN_LOG_PROBABILITY) - decision.log_probability
        if weight < 0.0 and log_probability < MIN_LOG_PROBABILITY:
            weight = 0.0  # only the logit bonus samples this output
        ratio = exp(log_ratio)
        figures[DIVERGENCE] += ratio - 1.0 - log_ratio
        if (weight > 0.0 and ratio > 1.0 + clip) or (weight < 0.0 and ratio < 1.0 - clip):
            figures[CLIPPED] += 1.0
            weight = 0.0
        weight *= ratio
    weight32, bonus = np.float32(weight), np.float32(entropy_bonus)
    for output in range(layers.FIRST_OUTPUT, layers.FIRST_OUTPUT + layers.N_OUTPUTS):
        back[output] = sums[output] * (weight32 + bonus * (back[output] - mean_relative_log))
    back[action] -= weight32


@kernel
def value_gradient(
    weights: layers.Weights,
    kind: int,
    result: float,
    sums: layers.Weights,
    back: layers.Weights,
    gradient: layers.Weights,
    figures: Figures,
) -> None:
    """Write the derivatives of the value loss into ``back``. Add the derivatives of the last layer to ``gradient``."""
    error = layers.predicted_value(weights, kind, sums) - result
    figures[ERROR] += error * error
    back[layers.VALUE_COLUMN] = error
    critic = layers.CRITIC_OFFSET + kind * layers.CRITIC_UNITS
    for unit in range(layers.CRITIC_UNITS):
        value = max(sums[layers.FIRST_CRITIC_UNIT + unit], np.float32(0.0))
        gradient[critic + unit] += error * value
        back[layers.FIRST_CRITIC_UNIT + unit] = error * weights[critic + unit] if value > 0.0 else np.float32(0.0)


T = TypeVar("T")

N_PIECES = 8
"""An iteration's games, and the decisions of an optimiser step, are split into this number of pieces."""

CAPACITY = 24_000
"""Capacity of a piece's buffer, in decisions."""

CLIP = 0.2
"""Clipping range of PPO. A probability ratio beyond 1 - CLIP or 1 + CLIP has no gradient that moves it further."""

MINIBATCH = 4096

CONFIDENT = 0.97  # Decisions with a higher probability are subsampled.
SUBSAMPLING = 4  # One in SUBSAMPLING of these decisions is used, with the weight SUBSAMPLING.

HIDDEN_SCALE = 0.15
"""Standard deviation of the hidden units' initial weights."""


def new_weights(rng: np.random.Generator) -> layers.Weights:
    """Return a new network with a uniform policy: random hidden units, outputs of 0."""
    weights = layers.zero_weights()
    network = layers.network_arrays(weights)
    for units in (slice(0, layers.HIDDEN), slice(layers.FIRST_CRITIC_UNIT, layers.VALUE_COLUMN)):
        network["inputs"][..., units] = rng.normal(0.0, HIDDEN_SCALE, network["inputs"][..., units].shape)
    return weights


def new_buffer(n: int) -> rollouts.Decisions:
    """Return a buffer of ``n`` decisions for each piece, (N_PIECES, n)."""
    return np.zeros((N_PIECES, n), rollouts.DECISION)


@dataclass
class Rollouts:
    """Games of a learner: the players by seat (``tables``), the RESULTs, and the DECISIONs of the learning players.

    The decisions are stored in the learner's ``buffer`` at ``indices``. They are valid until the learner plays again.
    """

    tables: npt.NDArray[np.int32]
    results: Results
    buffer: rollouts.Decisions = field(repr=False)
    indices: npt.NDArray[np.int64] = field(repr=False)

    @property
    def decisions(self) -> rollouts.Decisions:
        """A copy of all decisions."""
        return np.take(self.buffer, self.indices)


@dataclass
class Learner:
    """A network in training for one kingdom. ``weights`` (N_WEIGHTS,) change in place."""

    kingdom: Kingdom
    weights: layers.Weights
    adam: Adam
    workers: Workers | None = None
    buffer: rollouts.Decisions = field(default_factory=lambda: new_buffer(CAPACITY), repr=False)

    @property
    def strategy(self) -> Strategy:
        """The strategy of the network, with a copy of its present weights."""
        return network_strategy(self.weights, self.kingdom)

    def play(
        self,
        lineup: Lineup,
        is_recorded: npt.NDArray[np.bool_],
        games: rollouts.RolloutGames,
        logit_bonus: float = 0.0,
        *,
        teaches: bool = False,
    ) -> Rollouts:
        """Play games in pieces with `record_games`. Return the games whose decisions fit into the buffer, in order.

        ``is_recorded`` (n_strategies,) is True for networks that learn, or for teachers if ``teaches``. ``logit_bonus``
        is added to the logits of bonus piles.
        """
        tables, arrays = games.tables, lineup.arrays
        rules = self.kingdom.rules(tables.shape[1])
        results = np.zeros(len(tables), RESULT)
        slices = _slices(len(tables))

        def play_piece(piece: int) -> tuple[int, int]:
            part, slots = games.part(slices[piece]), new_batch(rules)
            recording = rollouts.Recording(results[slices[piece]], self.buffer[piece])
            played = rollouts.record_games(rules, slots, arrays, is_recorded, teaches, part, logit_bonus, recording)
            return int(played[0]), int(played[1])

        played = self._map_pieces(play_piece)
        rows = _ranges([part.start for part in slices], [n_games for _, n_games in played])
        buffer = self.buffer.reshape(-1)
        indices = _ranges(range(0, len(buffer), self.buffer.shape[1]), [n for n, _ in played])
        return Rollouts(tables[rows], results[rows], buffer, indices)

    def collect_demonstrations(
        self, lineup: Lineup, tables: npt.NDArray[np.int32], seeds: npt.NDArray[np.uint64]
    ) -> Rollouts:
        """Play games of teachers, fewer if the buffer is full. Return the played games with the teachers' decisions."""
        teachers = np.ones(len(lineup), np.bool_)
        return self.play(lineup, teachers, rollouts.RolloutGames.plain(tables, seeds), teaches=True)

    def improve(
        self, games: Rollouts, rng: np.random.Generator, learning_rate: float, entropy_bonus: float
    ) -> dict[str, float]:
        """Learn from games (PPO). Return means over decisions: "entropy", "clipped", "divergence", "error"."""
        return self._run_epoch(subsample_confident(games, rng), learning_rate, entropy_bonus, CLIP)

    def imitate(self, games: Rollouts, rng: np.random.Generator, learning_rate: float) -> dict[str, float]:
        """Clone the recorded behaviour in one epoch. Return the means of `improve`."""
        return self._run_epoch(shuffled(games, rng), learning_rate, 0.0, IMITATE)

    def _run_epoch(
        self, decisions: rollouts.Decisions, learning_rate: float, entropy_bonus: float, clip: float
    ) -> dict[str, float]:
        figures = np.zeros(N_FIGURES)
        for first in range(0, len(decisions), MINIBATCH):
            part = decisions[first : first + MINIBATCH]
            gradient = self.gradient(part, clip, entropy_bonus, figures)
            gradient /= np.float32(len(part))
            self.adam.step(self.weights, gradient, learning_rate)
        figures /= max(len(decisions), 1)
        names = {"entropy": ENTROPY, "clipped": CLIPPED, "divergence": DIVERGENCE, "error": ERROR}
        return {name: float(figures[place]) for name, place in names.items()}

    def gradient(
        self, decisions: rollouts.Decisions, clip: float, entropy_bonus: float, figures: Figures
    ) -> layers.Weights:
        """Return the gradient of the loss summed over decisions. The next call reuses the array.

        Add sums over the decisions to ``figures``, (N_FIGURES,).
        """
        figures_by_piece = np.zeros((N_PIECES, N_FIGURES))
        slices = _slices(len(decisions))

        def add_piece(piece: int) -> None:
            part, gradient = decisions[slices[piece]], self._gradients[piece]
            gradient[:] = 0.0
            add_gradient(self.weights, part, clip, entropy_bonus, gradient, figures_by_piece[piece])

        self._map_pieces(add_piece)
        figures += figures_by_piece.sum(axis=0)
        total, *others = self._gradients
        for gradient in others:
            total += gradient
        return total

    @cached_property
    def _gradients(self) -> list[layers.Weights]:
        """Buffers for the gradient of each piece."""
        return [layers.zero_weights() for _ in range(N_PIECES)]

    def _map_pieces(self, task: Callable[[int], T]) -> Sequence[T]:
        """Call a task for each piece and return the results in order."""
        pieces = range(N_PIECES)
        if self.workers is None or self.workers.n < 2:
            return [task(piece) for piece in pieces]
        return list(self.workers.executor.map(task, pieces))


def subsample_confident(games: Rollouts, rng: np.random.Generator) -> rollouts.Decisions:
    """Return shuffled decisions for an epoch of PPO, with standardised advantages.

    Advantages have mean 0 and standard deviation 1 over all decisions. One in SUBSAMPLING of the decisions with a
    probability above CONFIDENT is kept. Its advantage is multiplied by SUBSAMPLING: the expected gradient is unchanged.
    """
    advantages = games.buffer["advantage"][games.indices]
    mean, deviation = advantages.mean(), advantages.std() + 1e-8
    is_confident = games.buffer["log_probability"][games.indices] > np.log(CONFIDENT)
    kept = rng.permutation(np.flatnonzero(~is_confident | (rng.integers(SUBSAMPLING, size=len(is_confident)) == 0)))
    decisions: rollouts.Decisions = np.take(games.buffer, games.indices[kept])
    decisions["advantage"] = (advantages[kept] - mean) / deviation * np.where(is_confident[kept], SUBSAMPLING, 1)
    return decisions


def shuffled(games: Rollouts, rng: np.random.Generator) -> rollouts.Decisions:
    """Return all decisions of games, shuffled."""
    return np.take(games.buffer, rng.permutation(games.indices))


def _ranges(starts: Iterable[int], lengths: Iterable[int]) -> npt.NDArray[np.int64]:
    """Return runs of consecutive integers that begin at ``starts``, concatenated."""
    return np.concatenate([np.arange(start, start + n) for start, n in zip(starts, lengths, strict=True)])


def _slices(n: int) -> list[slice]:
    """Return N_PIECES slices that divide ``n`` items evenly."""
    edges = [n * piece // N_PIECES for piece in range(N_PIECES + 1)]
    return [slice(first, after) for first, after in pairwise(edges)]


def compile_gradient() -> None:
    """Compile the kernel of the gradient."""
    _idle_learner().gradient(np.zeros(0, rollouts.DECISION), IMITATE, 0.0, np.zeros(N_FIGURES))


def compile_recording() -> None:
    """Compile the kernels for recorded games and for the choices of networks."""
    tables = np.zeros((0, 2), np.int32)
    _idle_learner().collect_demonstrations(Lineup(np.zeros(1, STRATEGY)), tables, np.zeros(0, np.uint64))
    load_model(NETWORK)


def _idle_learner() -> Learner:
    """Return a learner that plays no game."""
    weights = new_weights(np.random.default_rng(0))
    return Learner(FIRST_GAME, weights, Adam.of(weights), buffer=new_buffer(1))
