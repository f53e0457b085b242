"""Train the network of all kingdoms (`general_network.py`).

Training imitates random lists, then plays against itself and its own checkpoints, in random kingdoms. It uses no
handwritten and no evolved strategy. The random numbers of an iteration follow from the seed and the iteration's number.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import COLONY_CARDS, KINGDOM_SIZE, SETS
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.splits import is_held_out
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.models.networks.hypernetwork import (
    GENERAL,
    N_GENERAL,
    PILES,
    UNITS,
    CardHypernetwork,
    Sizes,
    extended,
)
from evodom.dominion.strategies.models.networks.layers import (
    FIRST_CRITIC_UNIT,
    FIRST_OUTPUT,
    OPTION,
    PLAY,
    Weights,
    network_arrays,
)
from evodom.dominion.strategies.models.networks.model import network_strategy
from evodom.learning.league import teachers
from evodom.learning.ppo import (
    CLIP,
    ENTROPY,
    ERROR,
    IMITATE,
    N_FIGURES,
    Learner,
    Rollouts,
    new_buffer,
    shuffled,
    subsample_confident,
)
from evodom.learning.rollouts import MAX_DECISIONS, RolloutGames, draw_bonus_piles
from evodom.matches.seating import Use, generator, stream
from evodom.matches.venue import Venue
from evodom.nn.optimiser import Adam, Schedule
from evodom.tasks import Workers

Vector = npt.NDArray[np.float32]
T = TypeVar("T")
R = TypeVar("R")

N_KINGDOMS = 8
"""Kingdoms of one iteration."""

GAMES = 192
"""Games in each kingdom of an iteration."""

MINIBATCH = 8192
"""Decisions of an optimiser step, of all kingdoms together."""

CAPACITY = 4000 + MAX_DECISIONS
"""Decisions in the buffer of a piece of a kingdom's games. No game begins unless MAX_DECISIONS more fit (`ppo`)."""

SEATS, SEAT_SHARES = (2, 3, 4), (0.6, 0.15, 0.25)

SELF_SHARE = 0.75
"""Share of games where all seats learn. In the others one seat plays against earlier checkpoints."""

N_PAST, PAST_EVERY = 8, 150
"""Number of earlier checkpoints among the opponents, and iterations between two of them."""

BONUS_SHARE, LOGIT_BONUS = 0.4, 8.0
"""Share of seats that explore one kingdom card, and the bonus on the logit of gaining it."""

BASE, MIXED, ALL = ("Base",), ("Base", "Intrigue"), tuple(SETS)

BASE_SHARE, COLONY_SHARE = 0.4, 0.3
"""Share of kingdoms of the Base Set alone; share of the others that have Platinum and Colony."""

SCHEDULE = Schedule(learning_rate=(0.0015, 0.0001), entropy_bonus=(0.03, 0.004))
CONTINUED = Schedule(learning_rate=(0.001, 0.0001), entropy_bonus=(0.012, 0.004))
"""Schedules of a new network, and of one that continues a trained one."""


@dataclass(frozen=True)
class GeneralSchedule:
    """Number of iterations, and schedules of the learning rate and the entropy bonus."""

    n_imitation: int = 60
    n_iterations: int = 4000
    rates: Schedule = SCHEDULE

    def at(self, iteration: int) -> tuple[float, float]:
        """Return the learning rate and the entropy bonus of an iteration."""
        return self.rates.at(iteration / self.n_iterations)


class TrainableHypernetwork(CardHypernetwork):
    """The map of a kingdom with its transpose."""

    def gradient(self, gradient: Weights) -> npt.NDArray[np.float32]:
        """Return the gradient with respect to the general network, given that of the kingdom's network."""
        given, found = network_arrays(gradient), np.zeros(N_GENERAL, np.float32)
        target = found.view(GENERAL)[0]
        piles, outputs, n_shared = self._piles, self._outputs, len(self._shared)
        of_cards, singles = self._rows(given["inputs"])
        target["cards"][:, :, self._columns] = piles.T @ of_cards[..., UNITS]
        logit = of_cards[..., FIRST_OUTPUT:FIRST_CRITIC_UNIT]
        pairs = piles[:, :n_shared].T @ logit @ outputs[:, None, :, :n_shared]
        target["pairs"][:, :, self._shared[:, None], self._shared] = pairs
        target["same"][..., self._columns] = logit[:OPTION, :, PILES, PILES] @ piles
        target["singles"][:] = singles[..., UNITS]
        target["worths"][..., self._columns] = singles[..., FIRST_OUTPUT:FIRST_CRITIC_UNIT] @ outputs
        target["outputs"][..., self._columns] = given["outputs"].transpose(0, 2, 1) @ outputs
        target["critic"][:] = given["critic"]
        return found


def new_general(rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """Return a new general network with a uniform policy: its units differ, its outputs are 0."""
    general = np.zeros(N_GENERAL, np.float32)
    network = general.view(GENERAL)[0]
    without_value = slice(0, len(UNITS) - 1)
    for name, scale in (("cards", 0.07), ("singles", 0.15)):
        shape = network[name][..., without_value].shape
        network[name][..., without_value] = rng.normal(0.0, scale, shape)
    return general


@dataclass
class GeneralLearner:
    """The network of all kingdoms in training: its weights, its optimiser, and earlier checkpoints."""

    seed: int
    schedule: GeneralSchedule
    general: Vector
    adam: Adam
    past: list[Vector] = field(default_factory=list)
    iteration: int = 0
    workers: Workers | None = None

    def __post_init__(self) -> None:
        self._buffers = [new_buffer(CAPACITY) for _ in range(N_KINGDOMS)]

    @classmethod
    def new(cls, seed: int, schedule: GeneralSchedule, workers: Workers | None = None) -> "GeneralLearner":
        """Return a learner before its first iteration."""
        general = new_general(generator(stream(seed, Use.LEARNING, 0)))
        return cls(seed, schedule, general, Adam.of(general), workers=workers)

    @classmethod
    def of(
        cls, seed: int, n_iterations: int, trained: Vector, sizes: Sizes, workers: Workers | None = None
    ) -> "GeneralLearner":
        """Return a learner that continues a trained network. New kinds of decisions start as those to play an Action.

        ``sizes`` are those of the trained network.
        """
        general = extended(trained, sizes)
        network = general.view(GENERAL)[0]
        for name in ("cards", "pairs", "singles", "worths", "outputs", "critic"):
            network[name][sizes.kinds :] = network[name][PLAY]
        return cls(seed, GeneralSchedule(0, n_iterations, CONTINUED), general, Adam.of(general), workers=workers)

    def step(self) -> dict[str, float]:
        """Run one iteration and return its figures."""
        sequence = stream(self.seed, Use.LEARNING, 1, self.iteration)
        rng = generator(sequence)
        is_imitation = self.iteration < self.schedule.n_imitation
        learning_rate, entropy_bonus = self.schedule.at(self.iteration)
        hypernetworks, learners, plays = [], [], []
        for number in range(N_KINGDOMS):
            kingdom = draw_kingdom(rng)
            n_seats = int(rng.choice(SEATS, p=SEAT_SHARES))
            hypernetwork = TrainableHypernetwork(kingdom)
            # This learner uses neither its optimiser nor threads: `_run_epoch` takes the steps, a thread has a kingdom.
            weights = hypernetwork.weights(self.general)
            learner = Learner(kingdom, weights, self.adam, buffer=self._buffers[number])
            hypernetworks.append(hypernetwork)
            learners.append(learner)
            if is_imitation:
                plays.append(self._demonstrations(learner, n_seats, sequence.spawn(1)[0], rng))
            else:
                plays.append(self._rollouts(learner, hypernetwork, n_seats, rng))
        games = self._map(lambda play: play(), plays)
        figures = self._run_epoch(
            hypernetworks, learners, games, rng, learning_rate, entropy_bonus, IMITATE if is_imitation else CLIP
        )
        if not is_imitation and self.iteration % PAST_EVERY == 0:
            self.past = [*self.past, self.general.copy()][-N_PAST:]
        self.iteration += 1
        return figures | {"games": sum(len(each.tables) for each in games)}

    def _demonstrations(
        self, learner: Learner, n_seats: int, sequence: np.random.SeedSequence, rng: np.random.Generator
    ) -> Callable[[], Rollouts]:
        """Return a function that plays games between teachers."""
        lists = teachers(Venue(learner.kingdom, n_seats, self.seed, Use.LEARNING, self.workers), sequence)
        tables = rng.integers(len(lists), size=(GAMES, n_seats)).astype(np.int32)
        seeds = rng.integers(2**64, size=GAMES, dtype=np.uint64)
        return partial(learner.collect_demonstrations, Lineup(lists), tables, seeds)

    def _rollouts(
        self, learner: Learner, hypernetwork: TrainableHypernetwork, n_seats: int, rng: np.random.Generator
    ) -> Callable[[], Rollouts]:
        """Return a function that plays games in self-play, and some against earlier checkpoints.

        Some seats explore a bonus pile.
        """
        opponents = [network_strategy(hypernetwork.weights(past), learner.kingdom) for past in self.past]
        lineup = Lineup.of([learner.strategy, *opponents])
        learns = np.arange(len(lineup)) == 0
        tables = np.zeros((GAMES, n_seats), np.int32)
        if opponents:
            with_opponents = np.flatnonzero(rng.random(GAMES) > SELF_SHARE)
            tables[with_opponents] = rng.integers(1, len(lineup), size=(len(with_opponents), n_seats))
            tables[with_opponents, with_opponents % n_seats] = 0
        bonus_piles = draw_bonus_piles(learner.kingdom, tables.shape, BONUS_SHARE, rng)
        seeds = rng.integers(2**64, size=GAMES, dtype=np.uint64)
        rollout_games = RolloutGames(tables, seeds, bonus_piles, np.zeros(GAMES, np.float32))
        return partial(learner.play, lineup, learns, rollout_games, LOGIT_BONUS)

    def _run_epoch(
        self,
        hypernetworks: Sequence[TrainableHypernetwork],
        learners: Sequence[Learner],
        games: Sequence[Rollouts],
        rng: np.random.Generator,
        learning_rate: float,
        entropy_bonus: float,
        clip: float,
    ) -> dict[str, float]:
        """Learn from all decisions in one epoch. Each optimiser step uses a part of every kingdom's decisions."""
        figures = np.zeros((len(learners), N_FIGURES))
        experience = [shuffled(each, rng) if clip == IMITATE else subsample_confident(each, rng) for each in games]
        n_decisions = sum(map(len, experience))
        n_steps = max(n_decisions // MINIBATCH, 1)

        def gradient(number: int, step: int) -> Vector:
            learner, decisions = learners[number], experience[number]
            part = decisions[len(decisions) * step // n_steps : len(decisions) * (step + 1) // n_steps]
            learner.weights[:] = hypernetworks[number].weights(self.general)
            return hypernetworks[number].gradient(learner.gradient(part, clip, entropy_bonus, figures[number]))

        for step in range(n_steps):
            total, *others = self._map(partial(gradient, step=step), range(len(learners)))
            for other in others:
                total += other
            n = sum(len(each) * (step + 1) // n_steps - len(each) * step // n_steps for each in experience)
            self.adam.step(self.general, total / np.float32(max(n, 1)), learning_rate)
        means = figures.sum(axis=0) / n_decisions
        return {"entropy": means[ENTROPY], "error": means[ERROR], "decisions": n_decisions}

    def _map(self, task: Callable[[T], R], items: Iterable[T]) -> list[R]:
        """Call a task for each item, in the threads of the workers, and return the results in order."""
        if self.workers is None or self.workers.n < 2:
            return [task(item) for item in items]
        return list(self.workers.executor.map(task, items))


def draw_kingdom(rng: np.random.Generator) -> Kingdom:
    """Return a kingdom of random cards of the Base Set or of all sets that is not held out."""
    while True:
        sets = BASE if rng.random() < BASE_SHARE else ALL
        pool = [card.name for name in sets for card in SETS[name].cards]
        cards = tuple(pool[number] for number in rng.permutation(len(pool))[:KINGDOM_SIZE])
        if not is_held_out(Kingdom(cards), BASE, MIXED, ALL):
            has_colony = sets != BASE and rng.random() < COLONY_SHARE
            return Kingdom((*cards, COLONY_CARDS[0].name) if has_colony else cards)
