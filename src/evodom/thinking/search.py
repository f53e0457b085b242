"""Search: the few likely choices of a network are played out, and the better half of them again, until one is left.

Sequential halving (Karnin, Koren, Somekh 2013, "Almost optimal exploration in multi-armed bandits"), all choices on the
same dealt cards and the same luck. Nothing that the one who decides cannot know is looked at.
"""

import math
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.rules import Rules
from evodom.dominion.engine.state import PLAYING, STATE, State
from evodom.dominion.strategies.networks.layout import N_OUTPUTS, Weights
from evodom.matches.batch import in_chunks
from evodom.matches.workers import Workers
from evodom.thinking.rollouts import GIVEN, GO_ON, N_SLOTS, consider, play_out

MOST_CHOICES = 6
LEAST_LIKELY = 0.005
"""Choices that a network takes less often are not played out."""

CERTAIN = 0.98
"""A network that takes a choice so often need not think."""

CUT_AFTER = 10
"""Turns of its own after which the critic says how a game stands, where the time is short (docs/learning.md)."""

TO_THE_END = 1000

FIRST_BATCH = 16
"""Rollouts of each choice before the clock is looked at."""

Shares = npt.NDArray[np.float32]

Clock = Callable[[], float]
"""Returns a time in seconds."""


@dataclass(frozen=True)
class Budget:
    """How long is thought about a Decision: so many ``rollouts`` in all, or so many ``seconds``.

    Rollouts give the same answers everywhere; seconds depend on the machine and on what else it does.
    """

    rollouts: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Option:
    """A choice with what was found: a pile or PASS, how often the network takes it, and the share of the win.

    ``error`` is the standard error of the ``share`` over ``n`` rollouts.
    """

    choice: int
    prior: float
    share: float
    error: float
    n: int


@dataclass(frozen=True)
class Search:
    """A network that thinks, for games of ``rules``; the same seeds and rollouts give the same for any ``workers``."""

    rules: Rules
    weights: Weights
    n_turns: int = CUT_AFTER
    workers: Workers | None = None
    clock: Clock = time.perf_counter

    def priors(self, state: State) -> Shares:
        """Return how often the network takes each choice at the pending Decision, (N_OUTPUTS,)."""
        probabilities = np.zeros(N_OUTPUTS, np.float32)
        consider(self.rules, state, self.weights, probabilities)
        return probabilities

    def choose(self, state: State, rng: np.random.Generator, budget: Budget) -> int:
        """Return the best choice found at the pending Decision; where the network is certain, at once."""
        priors = self.priors(state)
        if priors.max() > CERTAIN:
            return int(priors.argmax())
        return self.think(state, rng, budget)[0].choice

    def think(
        self, state: State, rng: np.random.Generator, budget: Budget, *, asked: Collection[int] = ()
    ) -> list[Option]:
        """Return the likely choices at the pending Decision, and those ``asked`` for, the best first."""
        priors = self.priors(state)
        choices = likely(priors, asked)
        halving = _Halving(self, state, choices, [float(priors[choice]) for choice in choices], rng)
        halving.run(budget)
        return halving.options()

    def shares(self, state: State, choices: Sequence[int], seeds: npt.NDArray[np.uint64]) -> Shares:
        """Return the shares of the win of ``choices``, for who decides, in a rollout of each seed: (choices, seeds)."""
        assert state.ended == PLAYING
        return self._play_out(state, int(state.decider), choices, seeds)[:, :, int(state.decider)]

    def chances(self, state: State, seat: int, seeds: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
        """Return every seat's share of the win, (n_seats,), by what ``seat`` can know; games are played to the end."""
        return np.asarray(self._play_out(state, seat, (GO_ON,), seeds, TO_THE_END)[0].mean(axis=0, dtype=np.float64))

    def _play_out(
        self,
        state: State,
        seat: int,
        choices: Sequence[int],
        seeds: npt.NDArray[np.uint64],
        n_turns: int | None = None,
    ) -> Shares:
        shares = np.zeros((len(choices), len(seeds), int(self.rules.n_seats)), np.float32)
        turns = self.n_turns if n_turns is None else n_turns
        numbers = np.array(choices, np.int64)

        def play(bounds: tuple[int, int]) -> None:
            part = slice(*bounds)
            slots = np.zeros(N_SLOTS, STATE)
            slots[GIVEN] = state
            play_out(self.rules, slots, seat, self.weights, numbers, turns, seeds[part], shares[:, part])

        in_chunks(len(seeds), play, self.workers.pool(len(seeds)) if self.workers else None)
        return shares


def likely(priors: Shares, asked: Collection[int] = ()) -> list[int]:
    """Return the choices worth playing out, the likeliest first, then those ``asked`` for that are not among them."""
    order = [int(choice) for choice in np.argsort(-priors, kind="stable")[:MOST_CHOICES]]
    found = [choice for choice in order if priors[choice] > LEAST_LIKELY]
    return found + [choice for choice in asked if choice not in found]


class _Halving:
    """Choices at one Decision, of which the worse half is left behind in each round."""

    def __init__(
        self, search: Search, state: State, choices: Sequence[int], priors: Sequence[float], rng: np.random.Generator
    ) -> None:
        self.search, self.state, self.rng = search, state, rng
        self.choices, self.priors = choices, priors
        self.found: list[Shares] = [np.zeros(0, np.float32) for _ in choices]
        self.order = list(range(len(choices)))
        """The choices by what is known, best first."""

    def run(self, budget: Budget) -> None:
        """Spend the budget, the same part of it in each round."""
        alive = len(self.choices)
        n_rounds = max(math.ceil(math.log2(alive)), 1)
        began = self.search.clock()
        for number in range(1, n_rounds + 1):
            if budget.rollouts:
                self._play(alive, max(budget.rollouts // (n_rounds * alive), 1))
            else:
                self._play_until(alive, began + budget.seconds * number / n_rounds)
            self.order[:alive] = sorted(self.order[:alive], key=lambda place: -self.found[place].mean(dtype=np.float64))
            alive = (alive + 1) // 2

    def options(self) -> list[Option]:
        """Return what was found, best first."""
        return [
            Option(self.choices[place], self.priors[place], *estimate(self.found[place]), len(self.found[place]))
            for place in self.order
        ]

    def _play(self, alive: int, n: int) -> None:
        """Play the best choices so far out, so often each."""
        places = self.order[:alive]
        seeds = self.rng.integers(2**64, size=n, dtype=np.uint64)
        shares = self.search.shares(self.state, [self.choices[place] for place in places], seeds)
        for place, own in zip(places, shares, strict=True):
            self.found[place] = np.concatenate([self.found[place], own])

    def _play_until(self, alive: int, end: float) -> None:
        """Play the best choices so far out until a time, at least once; each batch is at most twice the last."""
        n = FIRST_BATCH
        while True:
            began = self.search.clock()
            self._play(alive, n)
            now = self.search.clock()
            fitting = int(n * (end - now) / max(now - began, 1e-9))
            if fitting < FIRST_BATCH:
                return
            n = min(2 * n, fitting)


def estimate(shares: Shares) -> tuple[float, float]:
    """Return the mean of shares and its standard error."""
    n = len(shares)
    spread = float(shares.std(dtype=np.float64, ddof=1)) if n > 1 else 0.5
    return float(shares.mean(dtype=np.float64)), max(spread, 1e-3) / math.sqrt(n)
