"""The race: the best of a tournament against rivals that are not in the population, the leaders with ever more games.

A population that plays itself alone learns to beat itself. Rivals are baselines and champions of earlier generations;
a runner meets three copies of one at a time (at a table of four), which is also how strength is reported. All runners
play the same seeds (common random numbers), so that luck is shared and differences show sooner. Half of the runners
leave after each lap, and the others play twice as many games in the next (successive halving, Karnin et al. 2013).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evodom.matches.copies import shares_against_copies
from evodom.matches.elimination import Order, PlayTables
from evodom.matches.streams import game_seeds

FEWEST_RUNNERS = 4
"""A lap is not worth it for fewer."""


@dataclass(frozen=True, slots=True)
class Finish:
    """How a race came out: runners from best to worst, and for each the mean result a lap and rival, all laps."""

    order: Order
    results: npt.NDArray[np.float64]
    n_games: int


def run_race(
    runners: Order, rivals: Order, n_seats: int, games: int, seeds: np.random.SeedSequence, play: PlayTables
) -> Finish:
    """Race ``runners`` against each of ``rivals`` with ``games`` games in the first lap; return the Finish.

    Runners and rivals are indices of strategies as `play` knows them. A result is the share of the win; ``results`` is
    (n_runners, n_rivals), by the place in ``runners``.
    """
    wins = np.zeros((len(runners), len(rivals)))
    played = np.zeros(len(runners))
    running = np.arange(len(runners))
    left: list[Order] = []
    n_games = 0
    while True:
        luck = game_seeds(seeds.spawn(1)[0], len(rivals), games)
        shares = shares_against_copies(play, runners[running], rivals, n_seats, luck)
        wins[running] += shares.sum(axis=2)
        played[running] += games
        n_games += shares.size
        means = (wins[running] / played[running, None]).mean(axis=1)
        running = running[np.argsort(-means, kind="stable")]
        n_left = len(running) // 2
        if n_left < FEWEST_RUNNERS:
            break
        left.append(running[n_left:])
        running = running[:n_left]
        games *= 2
    order = np.concatenate([running, *reversed(left)])
    return Finish(order, wins / played[:, None], n_games)
