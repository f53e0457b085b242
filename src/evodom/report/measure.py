"""Play seeded games and return what they come to.

A figure's games depend on the seed and on its opponents alone, so that two reports of the same seed agree wherever they
say the same thing, however many games are played at a time.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.batch import play_games
from evodom.dominion.cards import kingdom_piles
from evodom.dominion.rules import make_rules
from evodom.dominion.strategies.record import STRATEGY
from evodom.dominion.strategies.scripted import BASELINES, baseline
from evodom.evolution.run import Workers
from evodom.evolution.tournament import rotated
from evodom.report.statistics import Share, Table, TableTally, wilson

Strategies = npt.NDArray[Any]

FIRST_GENERATION, TABLE = "first generation", "table"
STREAMS = (TABLE, FIRST_GENERATION, *BASELINES)
"""What a figure's random stream is for."""

REPORT_KEY = (0, 0, 0)
"""Makes the keys of these streams longer than those of evolution, which may have the same seed."""

BATCH = 16_384
"""Games played at a time: little enough to be interrupted, and for memory not to grow with their number."""


@dataclass(frozen=True)
class Measure:
    """How the figures of a report are measured: in one kingdom, each with as many seeded games."""

    kingdom: tuple[str, ...]
    players: int
    games: int
    seed: int
    workers: Workers
    on_games: Callable[[int], object] = lambda _: None

    @property
    def n_games(self) -> int:
        """How many games are played for a figure: enough for every strategy to sit in each seat equally often."""
        return -(-self.games // self.players) * self.players

    def against_baseline(self, strategy: Strategies, name: str) -> Share:
        """Return a strategy's share of the wins with copies of a baseline in all other seats."""
        opponents = np.array([baseline(name, self.kingdom)] * (self.players - 1), STRATEGY)
        return self.against(strategy, opponents, name)

    def against(self, strategy: Strategies, opponents: Strategies, stream: str) -> Share:
        """Return the share of the wins of ``strategy`` (an array of one) with the others in all other seats."""
        batches = self._play(np.concatenate([strategy, opponents]), stream)
        wins = sum(float(results["win"][:, : self.players][tables == 0].sum()) for tables, results in batches)
        return wilson(wins, self.n_games)

    def table(self, strategies: Strategies) -> Table:
        """Return what games of these strategies against each other come to."""
        tally = TableTally(kingdom_piles(self.kingdom))
        for tables, results in self._play(strategies, TABLE):
            tally.add(tables, results)
        return tally.table()

    def _play(self, strategies: Strategies, stream: str) -> Iterator[tuple[npt.NDArray[np.int32], npt.NDArray[Any]]]:
        """Play a figure's games, seats rotated, and yield them batch by batch as (tables, results)."""
        rules = make_rules(self.kingdom, self.players)
        sequence = np.random.SeedSequence(self.seed, spawn_key=(*REPORT_KEY, STREAMS.index(stream)))
        all_seeds: npt.NDArray[Any] = sequence.generate_state(self.n_games, np.uint64)
        all_tables = rotated(np.arange(self.players)[None, :], self.n_games)
        for first in range(0, self.n_games, BATCH):
            tables, seeds = all_tables[first : first + BATCH], all_seeds[first : first + BATCH]
            yield tables, play_games(rules, strategies, tables, seeds, pool=self.workers.pool(len(tables)))
            self.on_games(len(tables))
