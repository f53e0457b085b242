"""Flat search by playouts: sequential halving of the actions of one position, without a tree.

1. Screen all candidates with a share of the budget, if there are more than N_AFTER_SCREENING. Keep the action with the
   highest prior and the best of the others. Discard the payoffs of the screening.
2. Spend equal shares of the rest on rounds of sequential halving (Karnin, Koren, Somekh 2013, "Almost optimal
   exploration in multi-armed bandits"). The better half of a round goes on to the next.

All candidates of a round are played with the same random numbers (common random numbers). So the differences of their
payoffs have smaller standard errors than the payoffs. Candidates are ranked by the posterior mean of the difference to
the candidate that leads before the round. It combines the mean over the playouts with a normal prior, computed from the
actions' priors.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic

import numpy as np
import numpy.typing as npt

from evodom.budget import Clock, work_time
from evodom.games.contract import A
from evodom.search.estimate import ActionEstimate
from evodom.search.selection import n_advancing, n_rounds

N_AFTER_SCREENING = 4
"""Candidates after the screening."""

SCREENING_SHARE = 0.35
"""Share of the budget for the screening."""

PRIOR_SCALE = 0.004
"""Factor of the prior mean of two payoffs' difference: PRIOR_SCALE * log(quotient of the actions' priors)."""

PRIOR_STD = 0.05
"""Standard deviation of the prior of the difference, for payoffs from 0 to 1."""

MIN_PRIOR = 1e-4

FIRST_BATCH = 16
"""Playouts of each candidate before the clock is read."""

Payoffs = npt.NDArray[np.float32]

Seeds = npt.NDArray[np.uint64]

Play = Callable[[Sequence[A], Seeds], Payoffs]
"""Play each action out once with each seed. Return the payoffs, (actions, seeds)."""


@dataclass(frozen=True)
class PlayoutBudget:
    """Budget of a search: `playouts` in all, or `seconds`.

    Playouts give the same results everywhere. Seconds depend on the machine and its load.
    """

    playouts: int = 0
    seconds: float = 0.0


class PlayoutHalving(Generic[A]):
    """Sequential halving of the actions of one position. The first action must have the highest prior."""

    def __init__(
        self,
        actions: Sequence[A],
        priors: Sequence[float],
        play: Play[A],
        rng: np.random.Generator,
        clock: Clock = work_time,
    ) -> None:
        self.actions, self.priors = actions, priors
        self._play, self._rng, self._clock = play, rng, clock
        self._payoffs: list[Payoffs] = [np.zeros(0, np.float32) for _ in actions]
        self._order = list(range(len(actions)))
        """The candidates, the best first."""
        self.dropped: list[ActionEstimate[A]] = []
        """The actions that the screening dropped."""

    def run(self, budget: PlayoutBudget) -> list[ActionEstimate[A]]:
        """Spend the budget and return the candidates that the screening kept, the best first."""
        began, spent = self._clock(), 0.0
        if len(self._order) > N_AFTER_SCREENING:
            self._spend(budget, began, (0.0, SCREENING_SHARE), self._order)
            others = [candidate for candidate in self._ranked(self._order) if candidate != 0]
            self._order = [0, *others[: N_AFTER_SCREENING - 1]]
            self.dropped = [self._estimate(candidate) for candidate in others[N_AFTER_SCREENING - 1 :]]
            self._payoffs = [np.zeros(0, np.float32) for _ in self.actions]
            spent = SCREENING_SHARE
        n_alive = len(self._order)
        for shares in itertools.pairwise(np.linspace(spent, 1.0, n_rounds(n_alive) + 1).tolist()):
            alive = self._order[:n_alive]
            self._spend(budget, began, shares, alive)
            self._order[:n_alive] = self._ranked(alive)
            n_alive = n_advancing(n_alive)
        return [self._estimate(candidate) for candidate in self._order]

    def _estimate(self, candidate: int) -> ActionEstimate[A]:
        payoffs = self._payoffs[candidate]
        value, error = mean_and_error(payoffs)
        return ActionEstimate(self.actions[candidate], len(payoffs), value, self.priors[candidate], error=error)

    def _spend(self, budget: PlayoutBudget, began: float, shares: tuple[float, float], candidates: list[int]) -> None:
        """Play candidates out, and spend the part of the budget between the two ``shares`` of the whole."""
        if budget.playouts:
            self._play_n(candidates, max(int(budget.playouts * (shares[1] - shares[0])) // len(candidates), 1))
        else:
            self._play_until(candidates, began + budget.seconds * shares[1])

    def _play_n(self, candidates: Sequence[int], n: int) -> None:
        """Play each candidate out `n` times."""
        seeds = self._rng.integers(2**64, size=n, dtype=np.uint64)
        payoffs = self._play([self.actions[candidate] for candidate in candidates], seeds)
        for candidate, own in zip(candidates, payoffs, strict=True):
            self._payoffs[candidate] = np.concatenate([self._payoffs[candidate], own])

    def _play_until(self, candidates: Sequence[int], end: float) -> None:
        """Play candidates out until the time ``end``, at least one batch. A batch is at most twice the previous one."""
        n = FIRST_BATCH
        while True:
            began = self._clock()
            self._play_n(candidates, n)
            now = self._clock()
            fitting = int(n * (end - now) / max(now - began, 1e-9))
            if fitting < FIRST_BATCH:
                return
            n = min(2 * n, fitting)

    def _ranked(self, candidates: Sequence[int]) -> list[int]:
        """Return candidates with equally many playouts, the best first."""
        return sorted(candidates, key=lambda candidate: self._advantage(candidate, candidates[0]), reverse=True)

    def _advantage(self, candidate: int, other: int) -> float:
        """Return the posterior mean of the difference between the payoffs of two candidates."""
        difference, error = mean_and_error(self._payoffs[candidate] - self._payoffs[other])
        quotient = max(self.priors[candidate], MIN_PRIOR) / max(self.priors[other], MIN_PRIOR)
        expected = PRIOR_SCALE * math.log(quotient)
        return (PRIOR_STD**2 * difference + error**2 * expected) / (PRIOR_STD**2 + error**2)


def mean_and_error(payoffs: npt.NDArray[np.floating[Any]]) -> tuple[float, float]:
    """Return the mean of payoffs and its standard error."""
    n = len(payoffs)
    std = float(payoffs.std(dtype=np.float64, ddof=1)) if n > 1 else 0.5
    return float(payoffs.mean(dtype=np.float64)), max(std, 1e-3) / math.sqrt(n)
