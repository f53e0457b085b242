"""Proximal policy optimisation: the gradient of its loss, compiled, and the learner that takes the steps.

Schulman et al. 2017, "Proximal policy optimization algorithms": the clipped objective, an entropy bonus, and the
squared error of a value function. The work of a step is cut into a fixed number of pieces, whose sums are added in
order: the result is the same for any number of threads."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.rules import Rules
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.networks.features import SCALES
from evodom.dominion.strategies.networks.layers import (
    CRITIC,
    CRITIC_UNITS,
    FIRST_CRITIC_UNIT,
    FIRST_OUTPUT,
    GUESS,
    HIDDEN,
    N_OUTPUTS,
    PLAIN,
    WIDTH,
    Weights,
    add_to_rows,
    answer,
    blank,
    carry_outputs_back,
    first_output,
    first_row,
    guess,
    parts,
    softmax_with_logs,
)
from evodom.dominion.strategies.networks.model import record_at
from evodom.jit.elementary import exp, log
from evodom.jit.kernel import kernel
from evodom.learning.optimiser import Adam
from evodom.learning.rollouts import DECISION, LEAST, live, watch
from evodom.matches.simulate import RESULT, Results, start_slots
from evodom.tasks import Workers

LEAST_LOG = float(np.log(LEAST))

ENTROPY, CLIPPED, DIVERGENCE, ERROR = range(4)
N_FIGURES = 4
"""Sums over decisions: the entropy of the policy, how many are clipped, how far it has moved from the policy that
decided (nats), and the critic's squared error."""

IMITATE = 0.0
"""As ``clip``: every decision is to be made likelier by its advantage, whoever decided."""


@kernel
def add_gradient(
    weights: Any,
    decisions: Any,
    clip: Any,
    entropy_bonus: Any,
    gradient: Any,
    figures: Any,
) -> None:
    """Add the gradient of the loss, summed over decisions, to ``gradient`` (N_WEIGHTS,), and to ``figures``."""
    sums = np.empty(WIDTH, np.float32)
    back = np.empty(WIDTH, np.float32)
    for number in range(len(decisions)):
        decision = decisions[number]
        kind = np.int64(decision.kind)
        answer(weights, kind, decision.choices, decision.features, sums)
        highest = -log(softmax_with_logs(sums, decision.choices, PLAIN, back))
        blame(decision, sums, highest, clip, entropy_bonus, back, figures)
        carry_outputs_back(weights, gradient, first_output(kind), decision.choices, sums, back)
        blame_critic(weights, kind, decision.result, sums, back, gradient, figures)
        add_to_rows(gradient, first_row(kind), decision.features, SCALES, back)


@kernel
def blame(decision: Any, sums: Any, highest: Any, clip: Any, entropy_bonus: Any, back: Any, figures: Any) -> None:
    """Write the derivative of the loss by what each output is worth into ``back``.

    Before, the logarithms of the probabilities stand there, relative to ``highest``, that of the likeliest.
    """
    relative = np.float32(0.0)
    for output in range(FIRST_OUTPUT, FIRST_OUTPUT + N_OUTPUTS):
        relative += sums[output] * back[output]
    figures[ENTROPY] -= relative + highest
    chosen = FIRST_OUTPUT + decision.chosen
    pull: Any = np.float64(decision.advantage)
    if clip != IMITATE:
        log_probability = back[chosen] + highest
        log_ratio = max(log_probability, LEAST_LOG) - decision.log_probability
        if pull < 0.0 and log_probability < LEAST_LOG:
            pull = 0.0  # nobody would take it as it is
        ratio = exp(log_ratio)
        figures[DIVERGENCE] += ratio - 1.0 - log_ratio
        if (pull > 0.0 and ratio > 1.0 + clip) or (pull < 0.0 and ratio < 1.0 - clip):
            figures[CLIPPED] += 1.0
            pull = 0.0
        pull *= ratio
    force, bonus = np.float32(pull), np.float32(entropy_bonus)
    for output in range(FIRST_OUTPUT, FIRST_OUTPUT + N_OUTPUTS):
        back[output] = sums[output] * (force + bonus * (back[output] - relative))
    back[chosen] -= force


@kernel
def blame_critic(weights: Any, kind: Any, result: Any, sums: Any, back: Any, gradient: Any, figures: Any) -> None:
    """Carry the error of the critic to its units."""
    error = guess(weights, kind, sums) - result
    figures[ERROR] += error * error
    back[GUESS] = error
    critic = CRITIC + kind * CRITIC_UNITS
    for unit in range(CRITIC_UNITS):
        value = max(sums[FIRST_CRITIC_UNIT + unit], np.float32(0.0))
        gradient[critic + unit] += error * value
        back[FIRST_CRITIC_UNIT + unit] = error * weights[critic + unit] if value > 0.0 else np.float32(0.0)


N_PIECES = 8
"""Pieces that the games of one iteration are cut into, and the decisions of one step of the optimiser."""

ROOM = 24_000
"""Decisions that a piece has room for."""

CLIP = 0.2
DECAY = 0.95
"""The constants of PPO: how far one iteration may move a probability, and lambda of the advantages."""

MINIBATCH = 4096

SURE, KEPT_OF_SURE = 0.97, 4
"""Of the choices that were surer than this, one in so many is learned from, and counts as many times."""

PlayPiece = Callable[[Rules, Any, slice, Results, npt.NDArray[Any]], Any]
"""Plays a piece of the games: rules, STATE records to play in, which games, their results and room for decisions.

Returns how many decisions there are, and how many games there was room for, as two integers.
"""

HIDDEN_SCALE = 0.15
"""Standard deviation of the numbers that a new network's units begin with."""


def new_weights(rng: np.random.Generator) -> Weights:
    """Return a network that thinks all choices worth the same: the units differ, the outputs are 0."""
    weights = blank()
    network = parts(weights)
    for units in (slice(0, HIDDEN), slice(FIRST_CRITIC_UNIT, GUESS)):
        network["inputs"][..., units] = rng.normal(0.0, HIDDEN_SCALE, network["inputs"][..., units].shape)
    return weights


def new_room(n: int) -> npt.NDArray[Any]:
    """Return room for ``n`` decisions of each piece of an iteration."""
    return np.zeros((N_PIECES, n), DECISION)


@dataclass
class Experience:
    """Games that a learner has played: their tables and RESULTs, and the DECISIONs of those that learn.

    They stay in the ``room`` that the learner wrote them in, at ``places`` of it, until it plays again.
    """

    tables: npt.NDArray[np.int32]
    results: Results
    room: npt.NDArray[Any] = field(repr=False)
    places: npt.NDArray[np.int64] = field(repr=False)

    @property
    def decisions(self) -> npt.NDArray[Any]:
        """A copy of all decisions."""
        return np.take(self.room, self.places)


@dataclass
class Learner:
    """A network in training, for one kingdom; ``weights`` (N_WEIGHTS,) change in place."""

    kingdom: Kingdom
    weights: Weights
    adam: Adam
    workers: Workers | None = None
    room: npt.NDArray[Any] = field(default_factory=lambda: new_room(ROOM), repr=False)

    @property
    def record(self) -> Any:
        """The network as it is now, as a STRATEGY record; it changes as the learner does."""
        return record_at(self.weights.ctypes.data, self.kingdom)

    def play(
        self,
        n_seats: int,
        strategies: npt.NDArray[Any],
        learns: npt.NDArray[np.bool_],
        tables: npt.NDArray[np.int32],
        wishes: npt.NDArray[np.int32],
        wish: float,
        seeds: npt.NDArray[np.uint64],
        handicaps: npt.NDArray[np.float32] | None = None,
    ) -> Experience:
        """Play the games of ``tables`` (n_games, n_seats), as many as there is room for, and return them.

        ``learns`` (n_strategies,) says which of ``strategies`` are networks whose decisions are kept. ``handicaps``
        (n_games,) are taken off what is won before it is learned from, without them nothing is.
        """
        off = np.zeros(len(tables), np.float32) if handicaps is None else handicaps
        return self._in_pieces(
            n_seats,
            tables,
            lambda rules, slots, cut, results, room: live(
                *(rules, slots, strategies, tables[cut], learns, wishes[cut], wish, off[cut], DECAY),
                *(seeds[cut], results, room),
            ),
        )

    def watch(
        self,
        n_seats: int,
        strategies: npt.NDArray[Any],
        tables: npt.NDArray[np.int32],
        seeds: npt.NDArray[np.uint64],
    ) -> Experience:
        """Let teachers play, as many games as there is room for, and return them with what they decided."""
        return self._in_pieces(
            n_seats,
            tables,
            lambda rules, slots, cut, results, room: watch(
                rules, slots, strategies, tables[cut], seeds[cut], results, room
            ),
        )

    def improve(self, games: Experience, rng: np.random.Generator, rate: float, entropy: float) -> dict[str, float]:
        """Learn from games (PPO) and return figures a decision: "entropy", "clipped", "divergence", "error"."""
        return self._descend(worth_learning(games, rng), rate, entropy, CLIP)

    def imitate(self, games: Experience, rng: np.random.Generator, rate: float) -> dict[str, float]:
        """Learn to decide as it was decided, once through all decisions; returns figures as `improve` does."""
        return self._descend(shuffled(games, rng), rate, 0.0, IMITATE)

    def _descend(self, decisions: npt.NDArray[Any], rate: float, entropy: float, clip: float) -> dict[str, float]:
        figures = np.zeros(N_FIGURES)
        for first in range(0, len(decisions), MINIBATCH):
            part = decisions[first : first + MINIBATCH]
            gradient = self.gradient(part, clip, entropy, figures)
            gradient /= np.float32(len(part))
            self.adam.step(self.weights, gradient, rate)
        figures /= max(len(decisions), 1)
        names = {"entropy": ENTROPY, "clipped": CLIPPED, "divergence": DIVERGENCE, "error": ERROR}
        return {name: float(figures[place]) for name, place in names.items()}

    def gradient(
        self,
        decisions: npt.NDArray[Any],
        clip: float,
        entropy: float,
        figures: npt.NDArray[np.float64],
    ) -> Weights:
        """Return the gradient of the loss summed over decisions, until the next is asked for; adds to ``figures``."""
        own = np.zeros((N_PIECES, N_FIGURES))
        cuts = _cuts(len(decisions))

        def one(piece: int) -> None:
            self._gradients[piece][:] = 0.0
            add_gradient(self.weights, decisions[cuts[piece]], clip, entropy, self._gradients[piece], own[piece])

        self._each(one)
        figures += own.sum(axis=0)
        total, *others = self._gradients
        for gradient in others:
            total += gradient
        return total

    @cached_property
    def _gradients(self) -> list[Weights]:
        """Room for the gradient of each piece."""
        return [blank() for _ in range(N_PIECES)]

    def _in_pieces(self, n_seats: int, tables: npt.NDArray[np.int32], play: PlayPiece) -> Experience:
        """Play the games of ``tables`` in pieces and return those that there was room for, in order."""
        rules = self.kingdom.rules(n_seats)
        results = np.zeros(len(tables), RESULT)
        cuts = _cuts(len(tables))

        def one(piece: int) -> tuple[int, int]:
            cut = cuts[piece]
            n_decisions, n_games = play(rules, start_slots(rules), cut, results[cut], self.room[piece])
            return int(n_decisions), int(n_games)

        played = self._each(one)
        starts = [cut.start for cut in cuts]
        games = _runs(starts, [n_games for _, n_games in played])
        room = self.room.reshape(-1)
        places = _runs(range(0, len(room), self.room.shape[1]), [n for n, _ in played])
        return Experience(tables[games], results[games], room, places)

    def _each(self, task: Any) -> Sequence[Any]:
        """Do a task for each piece and return what they return, in order."""
        pieces = range(N_PIECES)
        if self.workers is None or self.workers.n < 2:
            return [task(piece) for piece in pieces]
        return list(self.workers.executor.map(task, pieces))


def worth_learning(games: Experience, rng: np.random.Generator) -> npt.NDArray[Any]:
    """Return the decisions to learn from, shuffled, their advantages brought to mean 0 and standard deviation 1.

    Most choices are sure, and say little: of these some stand for all. On average the policy's gradient stays the same.
    """
    advantages = games.room["advantage"][games.places]
    mean, deviation = advantages.mean(), advantages.std() + 1e-8
    sure = games.room["log_probability"][games.places] > np.log(SURE)
    kept = rng.permutation(np.flatnonzero(~sure | (rng.integers(KEPT_OF_SURE, size=len(sure)) == 0)))
    decisions: npt.NDArray[Any] = np.take(games.room, games.places[kept])
    decisions["advantage"] = (advantages[kept] - mean) / deviation * np.where(sure[kept], KEPT_OF_SURE, 1)
    return decisions


def shuffled(games: Experience, rng: np.random.Generator) -> npt.NDArray[Any]:
    """Return all decisions of games, shuffled."""
    return np.take(games.room, rng.permutation(games.places))


def _runs(starts: Iterable[int], lengths: Iterable[int]) -> npt.NDArray[np.int64]:
    """Return the integers of runs that begin at ``starts``, one after the other."""
    return np.concatenate([np.arange(start, start + n) for start, n in zip(starts, lengths, strict=True)])


def _cuts(n: int) -> list[slice]:
    """Return how ``n`` things are cut into N_PIECES."""
    edges = [n * piece // N_PIECES for piece in range(N_PIECES + 1)]
    return [slice(first, after) for first, after in pairwise(edges)]
