"""Rank the best of a tournament by a race against rivals from outside the population (successive halving).

A population that only plays itself learns to beat itself. Rivals are baselines and champions of earlier generations. A
runner meets copies of one rival at a time (three at a table of four), which is also how strength is reported. All
runners play the same seeds (common random numbers), so that differences show after fewer games. Half of the runners
leave after each lap, and the others play twice as many games in the next (Karnin et al. 2013).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evodom.matches.evaluate import shares_against_copies
from evodom.matches.streams import game_seeds
from evodom.matches.tournament import Order, PlayTables

FEWEST_RUNNERS = 4
"""The race ends when fewer runners than this would be left for the next lap."""


@dataclass(frozen=True, slots=True)
class Finish:
    """The result of a race.

    ``order`` has the places in ``runners`` from best to worst. ``results`` (n_runners, n_rivals) has the share of the
    wins of each runner against each rival, over all its laps. ``n_games`` counts all games played.
    """

    order: Order
    results: npt.NDArray[np.float64]
    n_games: int


def run_race(
    runners: Order, rivals: Order, n_seats: int, games: int, seeds: np.random.SeedSequence, play: PlayTables
) -> Finish:
    """Race ``runners`` against each of ``rivals`` with ``games`` games in the first lap, and return the `Finish`.

    Runners and rivals are indices of the strategies that ``play`` knows. A victory shared by k counts 1/k.
    """
    wins = np.zeros((len(runners), len(rivals)))
    played = np.zeros(len(runners))
    running = np.arange(len(runners))
    dropped: list[Order] = []
    n_games = 0
    while True:
        lap_seeds = game_seeds(seeds.spawn(1)[0], len(rivals), games)
        shares = shares_against_copies(play, runners[running], rivals, n_seats, lap_seeds)
        wins[running] += shares.sum(axis=2)
        played[running] += games
        n_games += shares.size
        means = (wins[running] / played[running, None]).mean(axis=1)
        running = running[np.argsort(-means, kind="stable")]
        n_staying = len(running) // 2
        if n_staying < FEWEST_RUNNERS:
            break
        dropped.append(running[n_staying:])
        running = running[:n_staying]
        games *= 2
    order = np.concatenate([running, *reversed(dropped)])
    return Finish(order, wins / played[:, None], n_games)
