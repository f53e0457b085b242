"""Play seeded games and return what they come to.

A figure's games depend on the seed and on its opponents alone, so that two reports of the same seed agree wherever they
say the same thing, however many games are played at a time.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import BASELINES, baseline
from evodom.dominion.strategies.record import STRATEGY
from evodom.matches.batch import play_games
from evodom.matches.census import CENSUS, take_census
from evodom.matches.elimination import rotated
from evodom.matches.workers import Workers
from evodom.report.sample import SampleGame, play_sample
from evodom.report.statistics import Meeting, Table, TableTally, Tally
from evodom.report.turns import ByTurn, by_turn

Strategies = npt.NDArray[Any]

FIRST_GENERATION, TABLE, HALL, SAMPLE = "first generation", "table", "hall of fame", "sample"
STREAMS = (TABLE, FIRST_GENERATION, HALL, SAMPLE, *BASELINES)
"""What a figure's random stream is for."""

REPORT_KEY = (0, 0, 0)
"""Makes the keys of these streams longer than those of evolution, which may have the same seed."""

N_SAMPLES = 101
"""Games of which one of median length is told."""

BATCH = 16_384
"""Games played at a time: little enough to be interrupted, and for memory not to grow with their number."""


def whole_rounds(games: int, players: int) -> int:
    """Return how many games to play, at least ``games``, for every strategy to sit in each seat equally often."""
    return max(1, -(-games // players)) * players


@dataclass(frozen=True)
class Measure:
    """How the figures of a report are measured: in one kingdom, each with as many seeded games."""

    kingdom: Kingdom
    players: int
    games: int
    seed: int
    workers: Workers
    on_games: Callable[[int], object] = lambda _: None

    @property
    def n_games(self) -> int:
        """How many games are played for a figure: enough for every strategy to sit in each seat equally often."""
        return whole_rounds(self.games, self.players)

    def against_baseline(self, strategy: Strategies, name: str) -> Meeting:
        """Return how a strategy does with copies of a baseline in all other seats."""
        return self.against(strategy, np.array([baseline(name, self.kingdom)], STRATEGY), name)

    def against(self, strategy: Strategies, opponents: Strategies, stream: str) -> Meeting:
        """Return how ``strategy`` (an array of one) does with others, repeated as needed, in all other seats."""
        others = np.resize(opponents, self.players - 1)
        tally = Tally(self.kingdom.piles)
        for tables, results in self._play(np.concatenate([strategy, others]), stream):
            tally.add(tables, results)
        return tally.meeting()

    def table(self, strategies: Strategies) -> tuple[Table, list[ByTurn]]:
        """Return what games of these strategies against each other come to, and each one's turn by turn."""
        piles = self.kingdom.piles
        tally = TableTally(piles)
        census = np.zeros(len(strategies), CENSUS)
        n_played = 0

        def play(*games: Any, **how: Any) -> npt.NDArray[Any]:
            nonlocal n_played
            results, counted = take_census(*games, number=n_played, **how)
            n_played += len(results)
            for field in CENSUS.names or ():
                census[field] += counted[field]
            return results

        for tables, results in self._play(strategies, TABLE, play):
            tally.add(tables, results)
        return tally.table(), [by_turn(rank, own, piles) for rank, own in enumerate(census, 1)]

    def sample_game(self, strategies: Strategies) -> SampleGame:
        """Play some games of these strategies and tell one of median length, so that it is a typical one."""
        seeds: npt.NDArray[Any] = self._stream(SAMPLE).generate_state(N_SAMPLES, np.uint64)
        tables = np.tile(np.arange(self.players, dtype=np.int32), (N_SAMPLES, 1))
        results = play_games(self.kingdom.rules(self.players), strategies, tables, seeds)
        rounds = results["turns"].max(axis=1)
        typical = int(np.flatnonzero(rounds == np.percentile(rounds, 50, method="inverted_cdf"))[0])
        return play_sample(self.kingdom, strategies, int(seeds[typical]))

    def _stream(self, name: str) -> np.random.SeedSequence:
        return np.random.SeedSequence(self.seed, spawn_key=(*REPORT_KEY, STREAMS.index(name)))

    def _play(
        self, strategies: Strategies, stream: str, play: Callable[..., npt.NDArray[Any]] = play_games
    ) -> Iterator[tuple[npt.NDArray[np.int32], npt.NDArray[Any]]]:
        """Play a figure's games, seats rotated, and yield them batch by batch as (tables, results)."""
        rules = self.kingdom.rules(self.players)
        all_seeds: npt.NDArray[Any] = self._stream(stream).generate_state(self.n_games, np.uint64)
        all_tables = rotated(np.arange(self.players)[None, :], self.n_games)
        for first in range(0, self.n_games, BATCH):
            tables, seeds = all_tables[first : first + BATCH], all_seeds[first : first + BATCH]
            yield tables, play(rules, strategies, tables, seeds, pool=self.workers.pool(len(tables)))
            self.on_games(len(tables))
