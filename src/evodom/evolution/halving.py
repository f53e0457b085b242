"""Successive halving: many candidates play few games, and the best of each stage play more."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evodom.matches.tournament import Order

MIN_CANDIDATES = 4
"""`halved` ends if fewer candidates would be left for the next stage."""

Results = npt.NDArray[np.float64]
"""Results of games, (n_candidates, n_games)."""


@dataclass(frozen=True, slots=True)
class HalvingStage:
    """A stage: the number of candidates, and the games of each."""

    n_candidates: int
    games: int


@dataclass(frozen=True, slots=True)
class Halving:
    """The result of successive halving.

    ``order`` has the candidates from best to worst. ``means`` (n_candidates,) are their mean results over all their
    games, whose numbers are ``played``.
    """

    order: Order
    means: Results
    played: Results

    @property
    def n_games(self) -> int:
        """The number of all games."""
        return int(self.played.sum())


PlayStage = Callable[[Order, int], Results]
"""Return the results of candidates in a number of games, (n_candidates, n_games)."""


def halved(n_candidates: int, games: int) -> list[HalvingStage]:
    """Return stages that halve the candidates and double the games, until fewer than MIN_CANDIDATES would be left."""
    stages = [HalvingStage(n_candidates, games)]
    while stages[-1].n_candidates // 2 >= MIN_CANDIDATES:
        stages.append(HalvingStage(stages[-1].n_candidates // 2, 2 * stages[-1].games))
    return stages


def successive_halving(n_candidates: int, stages: Sequence[HalvingStage], play: PlayStage) -> Halving:
    """Rank candidates 0 to ``n_candidates`` - 1 by their mean results, with fewer candidates in each stage."""
    remaining, dropped = np.arange(n_candidates), list[Order]()
    played, sums = np.zeros(n_candidates), np.zeros(n_candidates)
    for stage in stages:
        dropped.append(remaining[stage.n_candidates :])
        remaining = remaining[: stage.n_candidates]
        results = play(remaining, stage.games)
        sums[remaining] += results.sum(axis=1)
        played[remaining] += results.shape[1]
        remaining = remaining[np.argsort(-sums[remaining] / played[remaining], kind="stable")]
    order = np.concatenate([remaining, *reversed(dropped)])
    return Halving(order, sums / np.maximum(played, 1), played)
