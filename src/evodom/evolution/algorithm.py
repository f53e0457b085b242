"""The genetic algorithm with an ask-and-tell interface.

    >>> from evodom.evolution.algorithm import Evolution, RankedPopulation
    >>> from evodom.evolution.options import Options
    >>> evolution = Evolution(Options(n_strategies=8), seed=1)
    >>> genomes = evolution.ask()
    >>> fitness = genomes["early_shape"]  # any number for each genome; `evaluate` plays games instead
    >>> evolution.tell(RankedPopulation(fitness.argsort()[::-1]))
    >>> evolution.index
    1

`evodom.evolution.runs` repeats three steps: play a generation (`evaluate`), save it, and breed the next
(`Evolution.tell`).

Local search improves some genomes, the *lines*. `evodom.evolution.archive` selects them by *cell*, the kind of their
decks. The *race* is the part of `evaluate` in which the best genomes play against opponents (`rank_genomes`). Some of
the opponents are *rivals*: named strategies, and the earlier champions in the *hall of fame*.

All random numbers of generation ``g`` come from children of ``SeedSequence(seed, spawn_key=(g,))``. So a run resumed
from any saved generation has the same result as one that never stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from evodom.dominion.strategies.base import Genomes
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.record import strategies_of
from evodom.evolution.archive import (
    MAX_FIRST_LINES,
    MAX_LINES,
    MIN_GROWING,
    MIN_START_SHARE,
    Cells,
    Line,
    Lines,
    best_of_cells,
    lines_to_json,
    survivors,
)
from evodom.evolution.emitters.base import ELITE, IMPROVED, NEW, NO_PARENT, ORIGINS, Emitted, Parents, joined
from evodom.evolution.emitters.generation import emit_all, emit_new
from evodom.evolution.lines import SEARCH_GAMES, enters_hall, improve_lines
from evodom.evolution.options import Options
from evodom.evolution.ranking import Ranking, rank_genomes, rival_strategies, weighted_opponents
from evodom.matches.seating import BREEDING, RANKING, SEARCHING, generation_stream, generator
from evodom.matches.tournament import Order
from evodom.runs import Generation
from evodom.tasks import Workers

LINES = "lines"  # Key of the saved lines in the summary of a generation.
CELLS = "cells"  # Key of the cells of all genomes.
WIN_RATES = "shares"  # Key of the win rates of all genomes.

WIN_RATE_DECIMALS = 4
"""Decimals of saved win rates."""


@dataclass(frozen=True)
class RankedPopulation:
    """The results of the genomes of a generation.

    Attributes:
        ranking: the indices of the genomes, from best to worst.
        cells: (n,), the cells of their decks. By default all genomes are in cell 0.
        win_rates: (n,), their win rates in the race, 0 for genomes outside it. The default is 1 for each.
        is_new: (n,), True for genomes without parents. The default is False for each.
    """

    ranking: Order
    cells: Cells | None = None
    win_rates: npt.NDArray[np.float64] | None = None
    is_new: npt.NDArray[np.bool_] | None = None

    @classmethod
    def of(cls, generation: Generation) -> RankedPopulation:
        """Return the results of a generation that `evaluate` returned."""
        entries = generation.summary
        if CELLS not in entries:
            return cls(generation.ranking)
        cells, win_rates = np.array(entries[CELLS], np.int64), np.array(entries[WIN_RATES], float)
        return cls(generation.ranking, cells, win_rates, np.array([kind == NEW for kind, *_ in entries[ORIGINS]]))

    def with_defaults(self) -> tuple[Order, Cells, npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
        """Return all arrays, with defaults for absent arrays."""
        n = len(self.ranking)
        cells = np.zeros(n, np.int64) if self.cells is None else self.cells
        win_rates = np.ones(n) if self.win_rates is None else self.win_rates
        return self.ranking, cells, win_rates, np.zeros(n, np.bool_) if self.is_new is None else self.is_new


class Evolution:
    """The genetic algorithm. `ask` returns a population of genomes. `tell` takes their ranking and breeds the next.

    ``index`` is the number of the current generation, from 0. ``lines`` has the history of each genome that local
    search improves. ``hall`` holds earlier champions, oldest first (`lines.HALL_EVERY`). If ``keeps_hall`` is False,
    the hall never changes: an island receives it before each round.
    """

    def __init__(
        self,
        options: Options,
        seed: int,
        genomes: Genomes | None = None,
        index: int = 0,
        hall: Genomes | None = None,
        lines: Lines | None = None,
        *,
        keeps_hall: bool = True,
    ) -> None:
        """Begin with ``genomes`` as generation ``index``. By default emitters draw them."""
        self.options = options
        self.seed = seed
        self.index = index
        self._genomes, self.origins = (
            emit_new(None, options.n_strategies, options, self._rng()) if genomes is None else Emitted.new(genomes)
        )
        self.hall = self._genomes[:0] if hall is None else hall
        self.lines: Lines = dict(lines or {})
        self._keeps_hall = keeps_hall

    def ask(self) -> Genomes:
        """Return the genomes of the current generation."""
        return self._genomes

    def replace_genome(self, number: int, genome: Genomes) -> None:
        """Replace a genome of the current generation by ``genome``, an array of one, if they differ."""
        if self._genomes[number] != genome[0]:
            self._genomes[number] = genome[0]
            self.origins[number] = (IMPROVED, *self.origins[number][1:])

    def tell(self, results: RankedPopulation) -> None:
        """Breed the next generation by the results of the current genomes.

        1. The champion may enter the hall of fame.
        2. The lines of the next generation are chosen: survivors and new lines (`_next_lines`).
        3. All lines and the ``n_elite`` best genomes stay in the population. Emitters propose all others.
        """
        ranking = results.ranking
        parents = Parents(self._genomes[ranking], ranking)
        if self._keeps_hall and enters_hall(self.index) and self.options.hall:
            self.hall = np.concatenate([self.hall, parents.ranked[:1]])[-self.options.hall :]
        lines = self._next_lines(results)
        self.index += 1
        kept = list(dict.fromkeys([*ranking[: self.options.n_elite].tolist(), *lines]))[: self.options.n_clones]
        unchanged = Emitted(self._genomes[kept], [(ELITE, number, NO_PARENT) for number in kept])
        self.lines = {place: lines[number] for place, number in enumerate(kept) if number in lines}
        others = emit_all(parents, len(kept), self.options, self._rng())
        self._genomes, self.origins = joined([unchanged, others])

    def _next_lines(self, results: RankedPopulation) -> Lines:
        """Return the lines of the next generation, by the index of the genome in this generation.

        In the first generation they are the best genomes of each cell. Later, new lines join while fewer than
        MIN_GROWING are growing. Every second new line is the best genome with parents. The others are the best genome
        without parents of one cell. This cell changes from generation to generation.
        """
        options = self.options
        if not options.search_rounds:
            return {}
        n_max, (ranking, cells, win_rates, is_new) = options.n_clones, results.with_defaults()
        strong = [number for number in ranking.tolist() if win_rates[number] >= MIN_START_SHARE * win_rates.max()]
        if not self.lines:
            chosen = best_of_cells(strong, cells)[: min(MAX_FIRST_LINES, n_max)]
            return {number: Line(int(cells[number]), float(win_rates[number])) for number in chosen}
        kept = survivors(self.lines, min(MAX_LINES, n_max))
        lines = {number: self.lines[number] for number in kept}
        n_free = min(MIN_GROWING - sum(line.is_growing for line in lines.values()), n_max - len(lines))
        present = self._genomes[kept]
        for step in range(n_free):
            takes_new = bool((self.index + step) % 2)
            others = [
                number
                for number in strong
                if is_new[number] == takes_new and number not in lines and self._genomes[number] not in present
            ]
            if takes_new:
                others = best_of_cells(others, cells)
                others = others[self.index // 2 % len(others) :] if others else []
            if others:
                lines[others[0]] = Line(int(cells[others[0]]), float(win_rates[others[0]]))
        return lines

    def add_migrants(self, migrants: Genomes, lines: Sequence[Line]) -> None:
        """Replace the last new genomes of the current generation by migrants from other islands.

        The first migrants become the ``lines``. The origin of migrant i is NEW, with i plus the size of the population
        as its parent. So migrants differ from new genomes, which have no parent.
        """
        if len(migrants):
            size = len(self._genomes)
            self._genomes[-len(migrants) :] = migrants
            self.origins[-len(migrants) :] = [(NEW, size + number, NO_PARENT) for number in range(len(migrants))]
            self.lines |= dict(zip(range(size - len(migrants), size), lines, strict=False))

    def _rng(self) -> np.random.Generator:
        return generator(generation_stream(self.seed, self.index, BREEDING))


def hall_generations(index: int, options: Options) -> list[int]:
    """Return the generations of the champions in the hall of fame while generation ``index`` plays."""
    entered = [number for number in range(index) if enters_hall(number)]
    return entered[-options.hall :] if options.hall else []


def evaluate(evolution: Evolution, workers: Workers | None = None) -> Generation:
    """Play the current generation and return it in the form to save. `Evolution.tell` then breeds the next.

    1. Collect the opponents: rivals, lines and the shipped network. Weight them by the losses of the last champion.
    2. Improve the lines by local search (`improve_lines`).
    3. Rank all genomes by a tournament and by the race against the opponents of step 1.
    4. Update the lines by their win rates in the race. Move the strongest line that is not young to the first rank.
    5. Move genomes that buy Victory cards early to lower ranks (`penalise`). The first genome is the champion.

    Without ``workers`` all games run in one thread.
    """
    options, index = evolution.options, evolution.index
    rivals, numbers = rival_strategies(evolution.hall, options), list(evolution.lines)
    lines = strategies_of(evolution.ask()[numbers], options)
    # `improve_lines` uses the children of this stream. So the weights use a grandchild.
    weighing = generation_stream(evolution.seed, index, SEARCHING).spawn(1)[0].spawn(1)[0]
    opponents = weighted_opponents(evolution.ask()[:1], Lineup.of(rivals, lines), options, workers, weighing)
    places = {number: len(rivals) + place for place, number in enumerate(numbers)}
    search_summary = improve_lines(evolution, opponents, places, workers)
    genomes, seeds = evolution.ask(), generation_stream(evolution.seed, index, RANKING)
    all_in_race = not index and options.search_rounds > 0
    ranking = rank_genomes(genomes, opponents, options, seeds, workers, numbers, all_in_race=all_in_race)
    measure_lines(evolution, ranking)
    ranking = replace(ranking, order=champion_first(evolution.lines, ranking.order)).penalised(options.vp_penalty)
    summary = ranking.summary | search_summary
    summary |= {"diversity": options.genetics.diversity(genomes), ORIGINS: evolution.origins}
    if options.search_rounds:
        summary |= {LINES: lines_to_json(evolution.lines), CELLS: ranking.cells.tolist()}
        summary[WIN_RATES] = np.round(ranking.win_rates, WIN_RATE_DECIMALS).tolist()
    return Generation(index, genomes, ranking.order, summary)


def measure_lines(evolution: Evolution, ranking: Ranking) -> None:
    """Update the strengths and cells of the lines by their games in the race."""
    for number, line in evolution.lines.items():
        win_rate, games, cell = ranking.win_rates[number], ranking.played[number], ranking.cells[number]
        evolution.lines[number] = line.after_games(float(win_rate), int(games), int(cell))


def champion_first(lines: Lines, order: Order) -> Order:
    """Return the ranking with the strongest line that is not young at rank 1. Without such a line nothing changes."""
    old = [number for number, line in lines.items() if not line.is_young]
    if not old:
        return order
    champion = max(old, key=lambda number: lines[number].strength)
    return np.concatenate([[champion], order[order != champion]]).astype(np.int32)


def games_of(generation: Generation) -> int:
    """Return the number of games of a saved generation. Progress bars and benchmarks show it."""
    return sum(int(generation.summary.get(name, 0)) for name in ("games", "race_games", SEARCH_GAMES, "island_games"))
