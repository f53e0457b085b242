"""Select the genomes that local search improves: the best of each kind of deck (MAP-Elites, Mouret and Clune 2015).

A *line* is such a genome with its history. Its *cell* is the kind of its deck (`cells`). All lines together are the
archive.

Decks of Actions begin weaker than decks of Treasures, and gain more by local search. So a line passes three ages:

- *young*, for YOUNG_ROUNDS rounds of local search: it survives unless it is hopeless.
- *maturing*, until it has GROWING_ROUNDS rounds: it competes with the lines of its cell.
- *grown*: it also competes with the grown lines of all cells, by *promise*, a forecast of its strength.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from evodom.dominion.strategies.base import Genomes
from evodom.errors import UsageError, short
from evodom.evolution.cells import Cells, best_of_cells
from evodom.evolution.emitters import NEW, ORIGINS
from evodom.evolution.proposals import Success
from evodom.matches.tournament import Order
from evodom.reading import Proportion
from evodom.runs import Generation

LINES = "lines"  # Key of the lines in the summary of a generation.
SUCCESSES = "changes"  # Key of the success of each change of local search.
CELLS = "cells"  # Column of a generation with the cells of its genomes.
WIN_RATES = "shares"  # Column with their win rates in the race.

GAIN_SHARE = 0.5
"""Share of a measured gain that is added to the strength. A change is selected by its gain, which is then too high."""

KEPT_GAMES_SHARE = 0.5  # Share of the games that still count after a change.
MAX_GAMES = 3000.0  # Maximum number of earlier games that count in the estimate.

RATE_STEP = 0.15
"""Weight of the last round in `Line.rate`, an exponential mean of gains."""

MAX_FAILURES = 4
"""Number of successive short rounds without an accepted change. After these, all rounds of a line are long."""

HORIZON = 30  # Number of future rounds whose expected gain is part of the promise.
MIN_EXPECTED_GAIN = 0.01  # A line with less expected gain in win rate over HORIZON rounds has stalled.

GROWING_SHARE = 1 / 2  # Share of the search games of a generation for growing lines.
GROWING_SHARE_IF_STALLED = 5 / 6  # The same, if the grown line with the highest promise has stalled.

YOUNG_ROUNDS = 8
"""A line is young until it has this number of rounds."""

GROWING_ROUNDS = 24
"""A line is growing until it has this number of rounds."""

MAX_LINES = 10
"""Maximum number of lines after a generation. Growing lines are kept even above this number."""

MIN_GROWING = 4
"""New lines join while fewer lines than this are growing."""

MAX_FIRST_LINES = 14
"""Maximum number of lines after the first generation."""

MIN_START_SHARE = 0.2  # A new line needs at least this share of the best genome's win rate.
MIN_STRENGTH_SHARE = 0.5  # A line that is not young needs at least this share of the strongest line's strength.


ENTRIES = {"fitness": "iufb", "cells": "iu", "win_rates": "iuf", "is_new": "b"}
"""Names of arrays with an entry a genome, and their kinds of NumPy's types."""


def checked_entries(name: str, values: npt.ArrayLike, n: int) -> npt.NDArray[Any]:
    """Return the entries of a name in ENTRIES as an array. Raise UsageError unless ``n`` finite ones are given."""
    kinds, array = ENTRIES[name], np.asarray(values)
    if array.shape != (n,) or array.dtype.kind not in kinds or not np.isfinite(array).all():
        allowed = {"iu": "integers", "b": "bools"}.get(kinds, "finite numbers")
        raise UsageError(f"{name} is {short(array.tolist())}. Allowed: {n} {allowed}, one a genome.")
    return array


class RankedPopulation:
    """The results of the genomes of a generation.

    Attributes:
        ranking: the indices of the genomes, from best to worst.
        cells: (n,), the cells of their decks. By default all genomes are in cell 0.
        win_rates: (n,), their win rates in the race, 0 for genomes outside it. The default is 1 for each.
        is_new: (n,), True for genomes without parents. The default is False for each.
    """

    def __init__(
        self,
        ranking: Order,
        cells: Cells | None = None,
        win_rates: npt.NDArray[np.float64] | None = None,
        is_new: npt.NDArray[np.bool_] | None = None,
    ) -> None:
        self.ranking = np.asarray(ranking)
        n = self.ranking.size
        self.cells = np.zeros(n, np.int64) if cells is None else np.asarray(cells)
        self.win_rates = np.ones(n) if win_rates is None else np.asarray(win_rates)
        self.is_new = np.zeros(n, np.bool_) if is_new is None else np.asarray(is_new)

    @classmethod
    def of_fitness(cls, fitness: npt.ArrayLike) -> RankedPopulation:
        """Rank genomes by finite numbers, the highest first. Equal genomes keep their order."""
        numbers = checked_entries("fitness", fitness, np.size(fitness))
        return cls(np.argsort(-numbers.astype(float), kind="stable").astype(np.int32))

    def check(self, n: int) -> None:
        """Raise UsageError unless the results are those of ``n`` genomes."""
        ranking = self.ranking
        is_valid = ranking.dtype.kind in "iu" and ranking.shape == (n,)
        if not is_valid or not np.array_equal(np.sort(ranking), np.arange(n)):
            allowed = f"0 to {n - 1}, each once, the best genome first. For other numbers: RankedPopulation.of_fitness."
            raise UsageError(f"the ranking is {short(ranking.tolist())}. Allowed: the indices {allowed}")
        for name in ("cells", "win_rates", "is_new"):
            checked_entries(name, getattr(self, name), n)

    @classmethod
    def of(cls, generation: Generation) -> RankedPopulation:
        """Return the results of a generation that `algorithm.evaluate` returned."""
        columns = generation.columns
        is_new = columns[ORIGINS]["kind"] == NEW
        return cls(generation.ranking, columns.get(CELLS), columns.get(WIN_RATES), is_new)


Results = Mapping[str, tuple[float, float]]
"""The wins and the games against each opponent, by name."""


def genome_name(kind: str, genome: Genomes) -> str:
    """Return a name for a genome, an array of one, among the opponents."""
    return f"{kind}-{crc32(genome.tobytes()):08x}"


@dataclass(frozen=True, slots=True)
class Line:
    """A genome that local search improves, with its history.

    Attributes:
        cell: the cell of its deck.
        strength: estimated win rate against the opponents.
        games: number of games in the estimate.
        rounds: number of short rounds of local search. A long round counts `algorithm.LONG_COST`.
        failures: rounds since the last accepted change.
        is_long: True if all further rounds are long. This begins after MAX_FAILURES short rounds without a change.
        rate: mean gain in win rate of a short round. Recent rounds have more weight.
        name: its name among the opponents, which changes of the genome keep.
        payoffs: its win rate and number of games against each opponent, by name. They count like the strength.
    """

    cell: int = 0
    strength: float = 0.5
    games: float = 0.0
    rounds: int = 0
    failures: int = 0
    is_long: bool = False
    rate: float = 0.02
    name: str = ""
    payoffs: dict[str, tuple[Proportion, float]] = field(default_factory=dict)

    def after_round(self, gain: float, rounds: int = 1) -> Line:
        """Return the line after a round of local search that cost ``rounds`` short rounds.

        ``gain`` is the gain in win rate, 0 if the genome has not changed.
        """
        added, failures, kept = GAIN_SHARE * gain, 0 if gain else self.failures + 1, KEPT_GAMES_SHARE if gain else 1.0
        return replace(
            self,
            strength=self.strength + added,
            games=self.games * kept,
            rounds=self.rounds + rounds,
            failures=failures,
            is_long=self.is_long or failures >= MAX_FAILURES,
            rate=self.rate + RATE_STEP * (added / rounds - self.rate),
            payoffs={name: (min(rate + added, 1.0), n * kept) for name, (rate, n) in self.payoffs.items()},
        )

    def after_games(self, win_rate: float, games: int, cell: int, results: Results | None = None) -> Line:
        """Return the line after ``games`` games with a win rate. ``cell`` is the cell of its decks in these games.

        ``results`` are the wins and the games by opponent.
        """
        if not games:
            return replace(self, cell=cell)
        before = min(self.games, MAX_GAMES)
        strength = (self.strength * before + win_rate * games) / (before + games)
        payoffs = {}
        for name, (wins, n) in (results or {}).items():
            rate, n_before = self.payoffs.get(name, (0.0, 0.0))
            n_before *= before / max(self.games, 1.0)
            if n + n_before:
                payoffs[name] = (round((rate * n_before + wins) / (n_before + n), 4), round(n_before + n, 1))
        return replace(self, strength=strength, games=before + games, cell=cell, payoffs=payoffs)

    @property
    def is_young(self) -> bool:
        """True if the line survives without a comparison."""
        return self.rounds < YOUNG_ROUNDS

    @property
    def is_growing(self) -> bool:
        """True for young and maturing lines. They leave only as hopeless, or as the weaker of a cell."""
        return self.rounds < GROWING_ROUNDS

    @property
    def promise(self) -> float:
        """The strength after HORIZON further rounds at the present rate."""
        return self.strength + HORIZON * self.rate

    @property
    def has_stalled(self) -> bool:
        """True if the expected gain of HORIZON further rounds is below MIN_EXPECTED_GAIN."""
        return HORIZON * self.rate < MIN_EXPECTED_GAIN


@dataclass
class Archive:
    """The lines of a generation, by the index of their genome. The methods choose lines.

    A subclass may choose other lines: pass it to `Evolution`.
    """

    lines: dict[int, Line] = field(default_factory=dict)
    successes: dict[str, Success] = field(default_factory=dict)
    """The success of each change of local search, by name."""

    def select(self, genomes: Genomes, results: RankedPopulation, n_max: int, index: int) -> dict[int, Line]:
        """Return the lines that enter the next generation after generation ``index``, at most ``n_max``.

        In the first generation they are the best genomes of each cell. Later, new lines join while fewer than
        MIN_GROWING are growing. Every second new line is the best genome with parents. The others are the best genome
        without parents of one cell. This cell changes from generation to generation.
        """
        cells, win_rates = results.cells, results.win_rates
        min_win_rate = MIN_START_SHARE * win_rates.max()
        strong = [number for number in results.ranking.tolist() if win_rates[number] >= min_win_rate]

        def new_line(number: int) -> Line:
            name = genome_name(f"line-{index}", genomes[number : number + 1])
            return Line(int(cells[number]), float(win_rates[number]), name=name)

        if not self.lines:
            chosen = best_of_cells(strong, cells)[: min(MAX_FIRST_LINES, n_max)]
            return {number: new_line(number) for number in chosen}
        kept = self.survivors(min(MAX_LINES, n_max))
        lines = {number: self.lines[number] for number in kept}
        n_free = min(MIN_GROWING - sum(line.is_growing for line in lines.values()), n_max - len(lines))
        present = genomes[kept]
        for step in range(n_free):
            takes_new = bool((index + step) % 2)
            others = [
                number
                for number in strong
                if results.is_new[number] == takes_new and number not in lines and genomes[number] not in present
            ]
            if takes_new:
                others = best_of_cells(others, cells)
                others = others[index // 2 % len(others) :] if others else []
            if others:
                lines[others[0]] = new_line(others[0])
        return lines

    def survivors(self, n_max: int = MAX_LINES) -> list[int]:
        """Return the indices of the lines that survive, the strongest first.

        1. Growing lines are *hopeless* and leave if their promise is below the highest strength of the lines that are
           not young.
        2. Young lines survive. So does the strongest other line of each cell, if its strength is at least
           MIN_STRENGTH_SHARE of the highest.
        3. If more than ``n_max`` lines are left, grown lines are dropped, the line with the lowest promise first.
        """
        lines = self.lines
        highest = max((line.strength for line in lines.values() if not line.is_young), default=0.0)
        cells: set[int] = set()
        kept = []
        for number in self.by_strength():
            line = lines[number]
            if line.is_growing and line.promise < highest:
                continue
            if line.is_young or (line.cell not in cells and line.strength >= MIN_STRENGTH_SHARE * highest):
                kept.append(number)
            if not line.is_young:
                cells.add(line.cell)
        grown = [number for number in kept if not lines[number].is_growing]
        dropped = sorted(grown, key=lambda number: lines[number].promise)[: max(len(kept) - n_max, 0)]
        return [number for number in kept if number not in dropped]

    def by_strength(self) -> list[int]:
        """Return the indices of all lines, the strongest first."""
        return sorted(self.lines, key=lambda number: -self.lines[number].strength)

    def next_line(self, n_played: int, budget: int) -> int:
        """Return the index of the line that local search improves after ``n_played`` of ``budget`` games.

        The first games of a generation go to growing lines, the others to grown lines. Growing lines have
        GROWING_SHARE or GROWING_SHARE_IF_STALLED of the games. In both groups the line with the highest promise is
        next. Only young lines have their rounds one line after another, so that each has YOUNG_ROUNDS.
        """
        lines = self.lines
        growing = [number for number, line in lines.items() if line.is_growing]
        grown = [number for number, line in lines.items() if not line.is_growing]
        best, share = max(grown, key=lambda number: lines[number].promise, default=None), 1.0
        if best is not None:
            share = GROWING_SHARE_IF_STALLED if lines[best].has_stalled else GROWING_SHARE
        if best is None or (growing and n_played < share * budget):
            young = [number for number in growing if lines[number].is_young]
            if young:
                return max(young, key=lambda number: (lines[number].rounds, lines[number].promise))
            return max(growing, key=lambda number: lines[number].promise)
        return best

    def champion_first(self, order: Order) -> Order:
        """Move the strongest line to the first rank. Young lines do not count. Return the new ranking."""
        old = [number for number in self.by_strength() if not self.lines[number].is_young]
        return np.concatenate([old[:1], order[order != old[0]]]).astype(np.int32) if old else order

    def to_json(self) -> dict[str, dict[str, dict[str, float]]]:
        """Return the archive as plain JSON types, entries of the summary of a generation."""
        return {
            LINES: {str(number): asdict(line) for number, line in self.lines.items()},
            SUCCESSES: {name: asdict(success) for name, success in self.successes.items()},
        }

    @classmethod
    def of(cls, summary: Mapping[str, Any]) -> Archive:
        """Return the archive that is saved in the summary of a generation."""
        return cls(
            {int(number): Line(**line) for number, line in summary.get(LINES, {}).items()},
            {name: Success(**success) for name, success in summary.get(SUCCESSES, {}).items()},
        )
