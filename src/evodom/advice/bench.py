"""One strategy against copies of another: the figures that advice is made of."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.rules import N_PILES
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.record import STRATEGY, Strategy
from evodom.evolution.halving import race_tables
from evodom.matches.batch import play_games
from evodom.matches.statistics import Share, wilson
from evodom.matches.workers import Workers

ADVICE_KEY = (2, 0, 0)
"""Makes the keys of these random streams unlike those of evolution, reports and tournaments."""

DECKS, LISTED, EXPECTED, TRIED, REFINED = range(5)
"""The random streams of what is measured: decks, lines of the list, what to expect, cards tried; changes tried last,
three streams a round."""

BATCH = 4096
"""Games played at a time: little enough to be interrupted, and for memory not to grow with their number."""


@dataclass
class Bench:
    """Plays one strategy against copies of another, at a table of ``n_seats``, one seat further on each game.

    Equal numbers of ``stream`` are equal seeds of games, whoever plays them. ``on_games`` is told of games played.
    """

    kingdom: Kingdom
    n_seats: int
    seed: int
    workers: Workers
    on_games: Callable[[int], object] = lambda _: None
    rules: Any = field(init=False)

    def __post_init__(self) -> None:
        self.rules = self.kingdom.rules(self.n_seats)

    def share(self, one: Strategy, others: Strategy, games: int, stream: int) -> Share:
        """Return the share of the wins of one strategy against copies of another; a shared win counts in parts."""
        wins = self.play(one, others, games, stream)["win"]
        return wilson(float(wins.sum()), len(wins))

    def play(self, one: Strategy, others: Strategy, games: int, stream: int) -> npt.NDArray[Any]:
        """Return what ``one`` came to in each game: win, vp, turns and what it owned at the end."""
        parts = [self._batch(one, others, first, min(BATCH, games - first), stream) for first in range(0, games, BATCH)]
        return np.concatenate(parts)

    def decks(self, one: Strategy, others: Strategy, games: int, stream: int) -> npt.NDArray[np.float64]:
        """Return how many cards of each pile a strategy owns at the end, on average."""
        return np.asarray(self.play(one, others, games, stream)["owned"].mean(axis=0))

    def _batch(self, one: Strategy, others: Strategy, first: int, n: int, stream: int) -> npt.NDArray[Any]:
        sequence = np.random.SeedSequence(self.seed, spawn_key=(*ADVICE_KEY, stream, first))
        seeds = sequence.generate_state(n, np.uint64).astype(np.uint64)
        tables = race_tables(np.zeros(1, np.intp), np.ones(1, np.intp), self.n_seats, n)
        both = np.array([one, others], STRATEGY)
        results = play_games(self.rules, both, tables, seeds, pool=self.workers.pool(n))
        self.on_games(n)
        games, seats = np.arange(n), np.arange(n) % self.n_seats
        own = np.zeros(n, OWN)
        for name in OWN.names or ():
            own[name] = results[name][games, seats]
        return own


OWN = np.dtype([("win", "<f8"), ("vp", "<i4"), ("turns", "<i4"), ("owned", "<i4", (N_PILES,))])
"""What one strategy came to in a game."""
