"""Successive halving: many candidates play few games, and the best of each stage play more."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evodom.matches.seating import game_seeds
from evodom.matches.tournament import Order, PlayTables, shares_against_copies

MIN_CANDIDATES = 4
"""`halved` ends if fewer candidates would be left for the next stage."""

Results = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class HalvingStage:
    """A stage: the number of candidates, and the games of each."""

    n_candidates: int
    games: int


@dataclass(frozen=True, slots=True)
class Halving:
    """The result of successive halving.

    ``order`` has the candidates from best to worst. ``means`` (n_candidates, n_opponents) are their mean results over
    all their games. ``last`` (n, n_opponents, n_games) are the results of the last stage, best candidate first.
    ``n_games`` counts all games.
    """

    order: Order
    means: Results
    last: Results
    n_games: int


PlayStage = Callable[[Order, HalvingStage], tuple[Results, int]]
"""Return the results of the candidates in a stage, (n, n_opponents, n_games), and the number of games played."""


def halved(n_candidates: int, games: int) -> list[HalvingStage]:
    """Return stages that halve the candidates and double the games, until fewer than MIN_CANDIDATES would be left."""
    stages = [HalvingStage(n_candidates, games)]
    while stages[-1].n_candidates // 2 >= MIN_CANDIDATES:
        stages.append(HalvingStage(stages[-1].n_candidates // 2, 2 * stages[-1].games))
    return stages


def successive_halving(
    n_candidates: int, stages: Sequence[HalvingStage], play: PlayStage, weights: Results | None = None
) -> Halving:
    """Rank candidates 0 to ``n_candidates`` - 1 by their mean results, with fewer candidates in each stage.

    ``weights`` (n_opponents,) are the weights of the opponents, equal by default.
    """
    remaining, dropped = np.arange(n_candidates), list[Order]()
    played = np.zeros(n_candidates)
    sums: Results = np.zeros((n_candidates, 0))
    last: Results = np.zeros((n_candidates, 0, 0))
    n_games = 0
    for stage in stages:
        dropped.append(remaining[stage.n_candidates :])
        remaining = remaining[: stage.n_candidates]
        last, n = play(remaining, stage)
        sums = sums if sums.size else np.zeros((n_candidates, last.shape[1]))
        sums[remaining] += last.sum(axis=2)
        played[remaining] += last.shape[2]
        n_games += n
        order = np.argsort(
            -np.average(sums[remaining] / played[remaining, None], axis=1, weights=weights), kind="stable"
        )
        remaining, last = remaining[order], last[order]
    order = np.concatenate([remaining, *reversed(dropped)])
    return Halving(order, sums / np.maximum(played, 1)[:, None], last, n_games)


def race_against(
    candidates: Order,
    rivals: Order,
    n_seats: int,
    games: int,
    seeds: np.random.SeedSequence,
    play: PlayTables,
    weights: Results | None = None,
) -> Halving:
    """Rank ``candidates`` by successive halving against rivals. The first stage has ``games`` games against each.

    Candidates and rivals are indices of strategies in ``play``. A victory shared by k counts 1/k.
    ``weights`` (n_rivals,) are the weights of the rivals, equal by default.
    """

    def play_stage(places: Order, stage: HalvingStage) -> tuple[Results, int]:
        stage_seeds = game_seeds(seeds.spawn(1)[0], len(rivals), stage.games)
        shares = shares_against_copies(play, candidates[places], rivals, n_seats, stage_seeds)
        return shares, shares.size

    return successive_halving(len(candidates), halved(len(candidates), games), play_stage, weights)
