"""Search: the choices of a Decision are played out, and the better half of them again, until one is left.

Which card to gain is always thought about, whatever the network likes: where it is wrong, it is so of cards that it
hardly takes. So all cards are screened by some rollouts, and the best few are played out further: sequential halving
(Karnin, Koren, Somekh 2013, "Almost optimal exploration in multi-armed bandits"), all choices on the same dealt cards
and the same luck. Nothing that the one who decides cannot know is looked at.
"""

import itertools
import math
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.ops import Column, Ending, Op, Zone
from evodom.dominion.engine.rules import N_PILES, PASS, Rules
from evodom.dominion.engine.state import STATE, State
from evodom.dominion.game import PASS_NAME, DominionGame
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.playouts import GIVEN, GO_ON, N_SLOTS, consider, play_out
from evodom.dominion.strategies.networks.layers import N_WEIGHTS, PLAIN, SHARP, Weights
from evodom.jit.kernel import mark_compiled, needs_compiling
from evodom.matches.agents import PythonAgent
from evodom.tasks import Workers, map_chunks

MOST_LIKELY = 6
LEAST_LIKELY = 0.005
"""Choices that a network takes less often are not played out, unless they are cards to gain."""

CERTAIN = 0.98
"""A network that takes a choice so often need not think, unless it is about a card to gain."""

N_KEPT = 4
"""So many choices are left after the screening: the network's favourite and the best of the others."""

SCREENING = 0.35
"""The share of the time that screening takes."""

DOUBT, FAITH = 0.05, 0.004
"""Before it is played out, a choice is worse than the favourite by FAITH if it is e times less likely, give or take
DOUBT (shares of the win). With few rollouts the network decides."""

FIRST_BATCH = 16
"""Rollouts of each choice before the clock is looked at."""

Shares = npt.NDArray[np.float32]

Clock = Callable[[], float]
"""Returns a time in seconds."""


@dataclass(frozen=True)
class PlayoutBudget:
    """How long is thought about a Decision: so many ``rollouts`` in all, or so many ``seconds``.

    Rollouts give the same answers everywhere; seconds depend on the machine and on what else it does.
    """

    rollouts: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Option:
    """An answer and its estimate: choices (piles or PASS), prior, and share of the win.

    ``error`` is the standard error of the ``share`` over ``n`` rollouts.
    """

    choices: tuple[int, ...]
    prior: float
    share: float
    error: float
    n: int

    @property
    def choice(self) -> int:
        """The choice at the pending Decision."""
        return self.choices[0]


@dataclass(frozen=True)
class PlayoutSearch:
    """A network that thinks, for games of ``rules``; the same seeds and rollouts give the same for any ``workers``."""

    rules: Rules
    weights: Weights
    workers: Workers | None = None
    clock: Clock = time.perf_counter

    def priors(self, state: State) -> Shares:
        """Return how often the network takes each choice at the pending Decision, (N_PILES + 1,)."""
        probabilities = np.zeros(N_PILES + 1, np.float32)
        consider(self.rules, state, self.weights, probabilities)
        return probabilities

    def choose(self, state: State, rng: np.random.Generator, budget: PlayoutBudget) -> int:
        """Return the best choice found at the pending Decision; where there is nothing to think about, at once."""
        priors = self.priors(state)
        n_open = int((priors > 0).sum())
        if n_open == 1 or (priors.max() > CERTAIN and not self._is_gain(state)):
            return int(priors.argmax())
        return self.think(state, rng, budget)[0].choice

    def think(
        self, state: State, rng: np.random.Generator, budget: PlayoutBudget, *, asked: Collection[int] = ()
    ) -> list[Option]:
        """Return the best few choices at the pending Decision, the best first; ``asked`` are considered too."""
        priors = self.priors(state)
        choices = likely(priors, [*self._cards_to_gain(state, priors), *asked])
        halving = _Halving(self, state, [(choice,) for choice in choices], priors[choices].tolist(), rng)
        halving.run(budget)
        return halving.options()

    def policy(self, state: State) -> npt.NDArray[np.float64]:
        """Return the probability of each choice in a rollout, (N_PILES + 1,): the priors, sharpened as there."""
        sharp = self.priors(state).astype(np.float64) ** (SHARP / PLAIN)
        return np.asarray(sharp / sharp.sum())

    def compare(
        self,
        state: State,
        answers: Sequence[tuple[int, ...]],
        priors: Sequence[float],
        rng: np.random.Generator,
        budget: PlayoutBudget,
    ) -> list[Option]:
        """Return all ``answers`` to the pending Decision, the best first, then by share.

        An answer is a sequence of choices. The first one has the highest prior. Those that the screening drops have
        the shares of the screening.
        """
        halving = _Halving(self, state, answers, priors, rng)
        halving.run(budget)
        best, *others = halving.options()
        return [best, *sorted([*others, *halving.dropped], key=lambda option: -option.share)]

    def shares(
        self, state: State, answers: Sequence[tuple[int, ...]], seeds: npt.NDArray[np.uint64], seat: int | None = None
    ) -> Shares:
        """Return the shares of the win of ``answers`` in a rollout of each seed, (answers, seeds).

        An answer is a sequence of choices, the first one at the pending Decision. The shares are those of ``seat``, by
        default of the player who decides. What that player cannot know is drawn anew.
        """
        assert state.ended == Ending.PLAYING
        decider = int(state.decider)
        return self._play_out(state, decider, answers, seeds)[:, :, decider if seat is None else seat]

    def chances(self, state: State, seat: int, seeds: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
        """Return every seat's share of the win, (n_seats,), by what ``seat`` can know."""
        return np.asarray(self._play_out(state, seat, ((GO_ON,),), seeds)[0].mean(axis=0, dtype=np.float64))

    def _is_gain(self, state: State) -> bool:
        """Tell whether the pending Decision is which card to buy or to gain."""
        effect = self.rules.effects[state.asking]
        return bool(
            effect[Column.OP] == Op.BUY or (effect[Column.OP] == Op.CHOOSE and effect[Column.SOURCE] == Zone.SUPPLY)
        )

    def _cards_to_gain(self, state: State, priors: Shares) -> list[int]:
        """Return the cards that may be gained, if that is asked; those that cost nothing only if they are likely."""
        if not self._is_gain(state):
            return []
        return [pile for pile in range(N_PILES) if priors[pile] > 0 and self.rules.cost[pile] > 0]

    def _play_out(
        self, state: State, seat: int, answers: Sequence[tuple[int, ...]], seeds: npt.NDArray[np.uint64]
    ) -> Shares:
        shares = np.zeros((len(answers), len(seeds), int(self.rules.n_seats)), np.float32)
        numbers = np.full((len(answers), max(map(len, answers))), GO_ON, np.int64)
        for row, answer in zip(numbers, answers, strict=True):
            row[: len(answer)] = answer

        def play(first: int, end: int) -> None:
            part = slice(first, end)
            slots = np.zeros(N_SLOTS, STATE)
            slots[GIVEN] = state
            play_out(self.rules, slots, seat, self.weights, numbers, seeds[part], shares[:, part])

        map_chunks(play, len(seeds), self.workers)
        return shares


def likely(priors: Shares, asked: Collection[int] = ()) -> list[int]:
    """Return the choices worth playing out, the likeliest first, then those ``asked`` for that are not among them."""
    order = [int(choice) for choice in np.argsort(-priors, kind="stable")[:MOST_LIKELY]]
    found = [choice for choice in order if priors[choice] > LEAST_LIKELY]
    return found + [choice for choice in asked if choice not in found]


class _Halving:
    """Sequential halving of the answers to one Decision: each round drops the worse half."""

    def __init__(
        self,
        search: PlayoutSearch,
        state: State,
        answers: Sequence[tuple[int, ...]],
        priors: Sequence[float],
        rng: np.random.Generator,
    ) -> None:
        self.search, self.state, self.rng = search, state, rng
        self.answers, self.priors = answers, priors
        self.found: list[Shares] = [np.zeros(0, np.float32) for _ in answers]
        self.dropped: list[Option] = []
        """The answers that the screening drops."""
        self.order = list(range(len(answers)))
        """The places of the choices that are left, by what is known, best first; place 0 is the favourite's."""

    def run(self, budget: PlayoutBudget) -> None:
        """Spend the budget: a part of it on screening if there are many choices, then the same in each round."""
        began, spent = self.search.clock(), 0.0
        if len(self.order) > N_KEPT:
            self._spend(budget, began, (0.0, SCREENING), self.order)
            others = [place for place in self._ranked(self.order) if place != 0]
            self.order = [0, *others[: N_KEPT - 1]]
            self.dropped = [self._option(place) for place in others[N_KEPT - 1 :]]
            self.found = [np.zeros(0, np.float32) for _ in self.answers]
            spent = SCREENING
        n_alive = len(self.order)
        n_rounds = max(math.ceil(math.log2(n_alive)), 1)
        edges = np.linspace(spent, 1.0, n_rounds + 1).tolist()
        for bounds in itertools.pairwise(edges):
            alive = self.order[:n_alive]
            self._spend(budget, began, bounds, alive)
            self.order[:n_alive] = self._ranked(alive)
            n_alive = (n_alive + 1) // 2

    def options(self) -> list[Option]:
        """Return what was found, best first."""
        return [self._option(place) for place in self.order]

    def _option(self, place: int) -> Option:
        found = self.found[place]
        return Option(self.answers[place], self.priors[place], *estimate(found), len(found))

    def _spend(self, budget: PlayoutBudget, began: float, bounds: tuple[float, float], places: Sequence[int]) -> None:
        """Play choices out for the part of the budget between two shares of it."""
        if budget.rollouts:
            self._play(places, max(int(budget.rollouts * (bounds[1] - bounds[0])) // len(places), 1))
        else:
            self._play_until(places, began + budget.seconds * bounds[1])

    def _play(self, places: Sequence[int], n: int) -> None:
        """Play choices out, so often each."""
        seeds = self.rng.integers(2**64, size=n, dtype=np.uint64)
        shares = self.search.shares(self.state, [self.answers[place] for place in places], seeds)
        for place, own in zip(places, shares, strict=True):
            self.found[place] = np.concatenate([self.found[place], own])

    def _play_until(self, places: Sequence[int], end: float) -> None:
        """Play choices out until a time, at least once; each batch is at most twice the last."""
        n = FIRST_BATCH
        while True:
            began = self.search.clock()
            self._play(places, n)
            now = self.search.clock()
            fitting = int(n * (end - now) / max(now - began, 1e-9))
            if fitting < FIRST_BATCH:
                return
            n = min(2 * n, fitting)

    def _ranked(self, places: Sequence[int]) -> list[int]:
        """Return choices that were played out equally often, the best first."""
        return sorted(places, key=lambda place: self._worth(place, places[0]), reverse=True)

    def _worth(self, place: int, other: int) -> float:
        """Return how much better a choice is than another: by its rollouts, by the network while they are few.

        Both met the same cards and luck: their difference is clearer than either share.
        """
        difference, error = estimate(self.found[place] - self.found[other])
        expected = FAITH * math.log(max(self.priors[place], 1e-4) / max(self.priors[other], 1e-4))
        return (DOUBT**2 * difference + error**2 * expected) / (DOUBT**2 + error**2)


def estimate(shares: npt.NDArray[np.floating[Any]]) -> tuple[float, float]:
    """Return the mean of shares and its standard error."""
    n = len(shares)
    spread = float(shares.std(dtype=np.float64, ddof=1)) if n > 1 else 0.5
    return float(shares.mean(dtype=np.float64)), max(spread, 1e-3) / math.sqrt(n)


class SearchingPlayer:
    """A network that thinks, in one game."""

    def __init__(
        self, weights: Weights, budget: PlayoutBudget, rng: np.random.Generator, clock: Clock = time.perf_counter
    ) -> None:
        self.weights, self.budget, self.rng, self.clock = weights, budget, rng, clock

    def __call__(self, game: DominionGame, workers: Workers | None) -> str:
        """Return the name of the choice for the pending Decision, which has to be its seat's."""
        search = PlayoutSearch(game.rules, self.weights, workers=workers, clock=self.clock)
        choice = search.choose(game.state, self.rng, self.budget)
        return PASS_NAME if choice == PASS else game.piles[choice].name


def thinking_agent(name: str, weights: Weights, budget: PlayoutBudget, clock: Clock = time.perf_counter) -> PythonAgent:
    """Return a network that thinks as an agent; ``name`` is what finds it again (`evodom.entrants`)."""

    def make(kingdom: Kingdom, seat: int, rng: np.random.Generator) -> Any:
        return SearchingPlayer(weights, budget, rng, clock)

    return PythonAgent(name, make, source=name, thinks=True)


NAME = "thinking"


def needs_time() -> bool:
    """Tell whether the first thought takes long, because its kernels are not compiled yet."""
    return needs_compiling(NAME)


@lru_cache(1)
def warm_up() -> None:
    """Compile the kernels of a search, or load them from the cache, so that no thought begins with that."""
    game = DominionGame(n_players=2, log=False)
    game.play_treasures_automatically(0, 1)
    search = PlayoutSearch(game.rules, np.zeros(N_WEIGHTS, np.float32))
    search.think(game.state, np.random.default_rng(0), PlayoutBudget(rollouts=1))
    mark_compiled(NAME)
