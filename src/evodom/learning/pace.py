"""How many games of learning fit into a time on this machine."""

import time

import numpy as np

from evodom.dominion.kingdom import Kingdom
from evodom.learning.adam import Adam
from evodom.learning.league import League
from evodom.learning.learner import Learner, new_weights
from evodom.learning.options import GAMES
from evodom.learning.shipped import preferred_weights
from evodom.tasks import Workers

TRIED = 512
ROUNDING = 1_000
OVERHEAD = 0.85
"""The share of the time that goes into games and learning; the rest is for teachers and judging."""


def games_in(seconds: float, kingdom: Kingdom, n_seats: int, workers: Workers | None) -> int:
    """Return about how many games can be learned from in so many seconds, found by trying."""
    shipped = preferred_weights(kingdom)
    rng = np.random.default_rng(0)
    weights = new_weights(rng) if shipped is None else shipped.copy()
    learner = Learner(kingdom, weights, Adam.of(weights), workers)
    league = League(n_seats, (), ())
    speed = 0.0
    for _ in range(3):  # the first time is for compiling
        began = time.perf_counter()
        games = league.play(learner, TRIED, rng)
        learner.improve(games, rng, 0.0, 0.0)
        speed = len(games.tables) / (time.perf_counter() - began)
    n = int(OVERHEAD * speed * seconds) // ROUNDING * ROUNDING
    return min(max(n, GAMES.start), GAMES.stop - 1)
