"""The genetic algorithm with an ask-and-tell interface.

    >>> from evodom.evolution.algorithm import Evolution, RankedPopulation
    >>> from evodom.evolution.options import Options
    >>> evolution = Evolution(Options(n_strategies=8), seed=1)
    >>> genomes = evolution.ask()
    >>> strengths = genomes["early_shape"]  # a number for each genome; `evaluate` ranks by games
    >>> evolution.tell(RankedPopulation(strengths.argsort()[::-1]))
    >>> evolution.index
    1

The *rivals* of a generation are strategies with names, by default baselines, and the hall of fame: earlier champions.

All random numbers of generation ``g`` come from children of ``SeedSequence(seed, spawn_key=(g,))``, so that a run
resumed from any saved generation has the same result as one that never stopped.
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
    FIRST_LINES,
    LEAST_START,
    MOST_LINES,
    N_GROWING,
    Cells,
    Line,
    Lines,
    best_of_cells,
    lines_to_json,
    survivors,
)
from evodom.evolution.emitters.base import ELITE, IMPROVED, NEW, NO_PARENT, ORIGINS, Emitted, Parents, joined
from evodom.evolution.emitters.table import emit_all, emit_new
from evodom.evolution.lines import SEARCH_GAMES, enters_hall, improve_lines
from evodom.evolution.options import Options
from evodom.evolution.ranking import Ranking, rank_genomes, rival_strategies, weighted_opponents
from evodom.matches.seating import BREEDING, RANKING, SEARCHING, generation_stream, generator
from evodom.matches.tournament import Order
from evodom.runs import Generation
from evodom.tasks import Workers

LINES, CELLS, SHARES = "lines", "cells", "shares"
"""Entries of a summary with the lines, and with the cell and the win rate of each genome."""


DECIMALS = 4
"""Decimals of saved win rates."""


@dataclass(frozen=True)
class RankedPopulation:
    """The results of the genomes of a generation.

    Attributes:
        ranking: their numbers from best to worst.
        cells: (n,), the cells of their decks; by default all have the same.
        shares: (n,), their win rates, 0 for genomes outside the race; by default all have the same.
        is_new: (n,), whether they have no parents; by default none has.
    """

    ranking: Order
    cells: Cells | None = None
    shares: npt.NDArray[np.float64] | None = None
    is_new: npt.NDArray[np.bool_] | None = None

    @classmethod
    def of(cls, generation: Generation) -> RankedPopulation:
        """Return the results of a generation that `evaluate` returned."""
        entries = generation.summary
        if CELLS not in entries:
            return cls(generation.ranking)
        cells, shares = np.array(entries[CELLS], np.int64), np.array(entries[SHARES], float)
        return cls(generation.ranking, cells, shares, np.array([kind == NEW for kind, *_ in entries[ORIGINS]]))

    def complete(self) -> tuple[Order, Cells, npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
        """Return all arrays; absent ones have their defaults."""
        n = len(self.ranking)
        cells = np.zeros(n, np.int64) if self.cells is None else self.cells
        shares = np.ones(n) if self.shares is None else self.shares
        return self.ranking, cells, shares, np.zeros(n, np.bool_) if self.is_new is None else self.is_new


class Evolution:
    """The genetic algorithm: `ask` returns a population of genomes, `tell` takes their ranking and breeds the next.

    ``index`` is the number of the current generation, from 0. ``lines`` are the genomes that local search improves.
    ``hall`` holds earlier champions, oldest first. Champions of the generations of `lines.enters_hall` enter it, unless
    ``keeps_hall`` is False.
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

    def improve(self, number: int, genome: Genomes) -> None:
        """Replace a genome of the current generation by a better one, an array of one, found by local search."""
        if self._genomes[number] != genome[0]:
            self._genomes[number] = genome[0]
            self.origins[number] = (IMPROVED, *self.origins[number][1:])

    def tell(self, results: RankedPopulation) -> None:
        """Breed the next generation by the results of the current genomes.

        1. The champion may enter the hall of fame.
        2. Of the lines the best of each cell survive, and new lines join them (`_next_lines`).
        3. All lines and the ``n_elite`` best genomes remain. Emitters propose all others.
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
        """Return the lines of the next generation, by the number of the genome in this one.

        In the first generation they are the best of each cell. Later new lines join while fewer than N_GROWING grow.
        They are alternately the best child or clone, and the best new genome of a cell, which changes.
        """
        options = self.options
        if not options.search_rounds:
            return {}
        most, (ranking, cells, shares, is_new) = options.n_clones, results.complete()
        strong = [number for number in ranking.tolist() if shares[number] >= LEAST_START * shares.max()]
        if not self.lines:
            chosen = best_of_cells(strong, cells)[: min(FIRST_LINES, most)]
            return {number: Line(int(cells[number]), float(shares[number])) for number in chosen}
        kept = survivors(self.lines, min(MOST_LINES, most))
        lines = {number: self.lines[number] for number in kept}
        n_free = min(N_GROWING - sum(line.is_growing for line in lines.values()), most - len(lines))
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
                lines[others[0]] = Line(int(cells[others[0]]), float(shares[others[0]]))
        return lines

    def add_migrants(self, migrants: Genomes, lines: Sequence[Line]) -> None:
        """Replace the last new genomes of the current generation by migrants from other islands.

        The first migrants become the ``lines``.

        The origin of migrant i is NEW with the parent i plus the size of the population, which no own parent has.
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

    1. The opponents are the rivals, the lines and the shipped network, weighted by the losses of the last champion.
    2. Local search improves the lines (`improve_lines`).
    3. All genomes are ranked by a tournament and a race against the opponents of step 1.
    4. The race measures the lines. The strongest line that is no longer young is the first.
    5. Weights for early Victory cards cost places (`penalise`). The first is the champion.

    Without ``workers`` all games run in one thread.
    """
    options, index = evolution.options, evolution.index
    rivals, numbers = rival_strategies(evolution.hall, options), list(evolution.lines)
    lines = strategies_of(evolution.ask()[numbers], options)
    # A grandchild of the stream, whose children belong to `improve_lines`.
    stream = generation_stream(evolution.seed, index, SEARCHING).spawn(1)[0].spawn(1)[0]
    opponents = weighted_opponents(evolution.ask()[:1], Lineup.of(rivals, lines), options, workers, stream)
    places = {number: len(rivals) + place for place, number in enumerate(numbers)}
    search_summary = improve_lines(evolution, opponents, places, workers)
    genomes, seeds = evolution.ask(), generation_stream(evolution.seed, index, RANKING)
    all_race = not index and options.search_rounds > 0
    ranking = rank_genomes(genomes, opponents, options, seeds, workers, numbers, all_race=all_race)
    measure_lines(evolution, ranking)
    ranking = replace(ranking, order=champion_first(evolution.lines, ranking.order)).penalised(options.vp_penalty)
    summary = ranking.summary | search_summary
    summary |= {"diversity": options.genetics.diversity(genomes), ORIGINS: evolution.origins}
    if options.search_rounds:
        summary |= {LINES: lines_to_json(evolution.lines), CELLS: ranking.cells.tolist()}
        summary[SHARES] = np.round(ranking.shares, DECIMALS).tolist()
    return Generation(index, genomes, ranking.order, summary)


def measure_lines(evolution: Evolution, ranking: Ranking) -> None:
    """Update the strengths and cells of the lines by the games of the race."""
    for number, line in evolution.lines.items():
        share, games, cell = ranking.shares[number], ranking.played[number], ranking.cells[number]
        evolution.lines[number] = line.measured(float(share), int(games), int(cell))


def champion_first(lines: Lines, order: Order) -> Order:
    """Return a ranking with the strongest line that has had enough rounds in the first place, if there is one."""
    old = [number for number, line in lines.items() if not line.is_young]
    if not old:
        return order
    champion = max(old, key=lambda number: lines[number].strength)
    return np.concatenate([[champion], order[order != champion]]).astype(np.int32)


def games_of(generation: Generation) -> int:
    """Return the number of games of a generation: tournament, successive halving, local search and islands."""
    return sum(int(generation.summary.get(name, 0)) for name in ("games", "race_games", SEARCH_GAMES, "island_games"))
