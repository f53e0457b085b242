"""The genetic algorithm with an ask-and-tell interface.

    >>> from evodom.evolution import Evolution, Options, RankedPopulation
    >>> evolution = Evolution(Options(n_strategies=8), seed=1)
    >>> genomes = evolution.ask()
    >>> fitness = genomes["early_shape"]  # any number for each genome; `evaluate` plays games instead
    >>> evolution.tell(RankedPopulation.of_fitness(fitness))
    >>> evolution.index
    1

`evodom.evolution.runs` repeats three steps: play a generation (`evaluate`), save it, and breed the next
(`Evolution.tell`).

Local search improves some genomes, the *lines*. `evodom.evolution.archive` selects them by *cell*, the kind of their
decks. In the *race*, a part of `evaluate`, the best genomes play against opponents (`rank_genomes`). Some of the
opponents are *rivals*: named strategies, and the earlier champions in the *hall of fame*.

All random numbers of generation ``g`` come from children of ``SeedSequence(seed, spawn_key=(g,))``. So a run resumed
from any saved generation has the same result as one that never stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.strategies.base import Genomes
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.record import strategies_of
from evodom.errors import UsageError, short
from evodom.evolution.archive import CELLS, WIN_RATES, Archive, Line, RankedPopulation, checked_entries, genome_name
from evodom.evolution.emitters import (
    ELITE,
    IMPROVED,
    NEW,
    ORIGINS,
    Emitted,
    Emitters,
    Parents,
    checked_emitters,
    default_emitters,
    emit_all,
    emit_new,
    joined,
)
from evodom.evolution.history import history_row, population_statistics
from evodom.evolution.local_search import LONG_ROUND, ROUND_GAMES, SHORT_ROUND, prune, search_round
from evodom.evolution.mixtures import MIXTURE, mixture_of
from evodom.evolution.options import Options
from evodom.evolution.proposals import Proposals, updated
from evodom.evolution.ranking import Opponents, rank_genomes, rival_strategies, weighted_opponents
from evodom.matches.seating import BREEDING, RANKING, SEARCHING, generation_stream, generator
from evodom.matches.venue import Venue
from evodom.options import checked_seed
from evodom.runs import Generation
from evodom.tasks import Workers

WIN_RATE_DECIMALS = 4
"""Decimals of the win rates of a generation."""

HALL_EVERY = 10
"""The champion of every HALL_EVERY-th generation enters the hall of fame."""

LONG_COST = 3
"""Number of short rounds of local search that cost as much as a long one."""

SEARCH_GAMES = "search_games"
SEARCH_FIGURES = (SEARCH_GAMES, "search_rounds", "search_accepted", "search_gain")
"""Keys of a summary: the games, rounds and accepted changes of local search, and the sum of the gains in win rate."""


class Evolution:
    """The genetic algorithm. `ask` returns a population of genomes. `tell` takes their ranking and breeds the next.

    ``index`` is the number of the current generation, from 0. ``genomes`` is its population. ``archive`` has the
    history of each genome that local search improves. ``hall`` holds earlier champions, oldest first. An island
    receives its hall before each round, and has ``updates_hall`` False.
    """

    def __init__(
        self,
        options: Options,
        seed: int,
        genomes: Genomes | None = None,
        index: int = 0,
        hall: Genomes | None = None,
        *,
        archive: Archive | None = None,
        emitters: Emitters | None = None,
        updates_hall: bool = True,
    ) -> None:
        """Begin with ``genomes`` as generation ``index``. By default ``emitters`` draw them.

        The defaults are an empty `Archive` and `default_emitters`.
        """
        self.options = options
        self.seed = checked_seed(seed, bits=64)
        self.index = index
        self.archive = archive or Archive()
        self._emitters = default_emitters(options) if emitters is None else checked_emitters(emitters)
        self.genomes, self.origins = (
            emit_new(self._emitters, None, options.n_strategies, options, self._rng())
            if genomes is None
            else Emitted.of(genomes)
        )
        self.hall = self.genomes[:0] if hall is None else hall
        self._updates_hall = updates_hall

    def ask(self) -> Genomes:
        """Return a read-only view of the genomes of the current generation."""
        view = self.genomes.view()
        view.flags.writeable = False
        return view

    def statistics(self, fitness: npt.ArrayLike) -> dict[str, Any]:
        """Return a row of statistics of the current generation: `history_row`. ``fitness`` has a number a genome."""
        numbers = checked_entries("fitness", fitness, len(self.genomes))
        return history_row(self.index, population_statistics(self.genomes, self.origins, numbers, self.options))

    def replace_genome(self, number: int, genome: Genomes) -> None:
        """Replace a genome of the current generation by ``genome``, an array of one, if they differ."""
        if self.genomes[number] != genome[0]:
            self.genomes[number] = genome[0]
            self.origins["kind"][number] = IMPROVED

    def tell(self, results: RankedPopulation) -> None:
        """Breed the next generation by the results of the current genomes.

        1. The champion may enter the hall of fame.
        2. The lines of the next generation are chosen: survivors and new lines (`Archive.select`).
        3. All lines and the ``n_elite`` best genomes stay in the population. Emitters propose all others.

        Raise UsageError unless the results rank every genome once and have finite entries for all genomes.
        """
        if not isinstance(results, RankedPopulation):
            raise UsageError(f"tell got {short(results)}. Allowed: RankedPopulation(ranking).")
        results.check(len(self.genomes))
        ranking = results.ranking
        parents = Parents(self.genomes[ranking], ranking)
        if self._updates_hall and enters_hall(self.index) and self.options.hall:
            self.hall = np.concatenate([self.hall, parents.ranked[:1]])[-self.options.hall :]
        lines: dict[int, Line] = {}
        if self.options.search_rounds:
            lines = self.archive.select(self.genomes, results, self.options.n_clones, self.index)
        self.index += 1
        kept = list(dict.fromkeys([*ranking[: self.options.n_elite].tolist(), *lines]))[: self.options.n_clones]
        self.archive.lines = {place: lines[number] for place, number in enumerate(kept) if number in lines}
        others = emit_all(self._emitters, parents, len(kept), self.options, self._rng())
        self.genomes, self.origins = joined([Emitted.of(self.genomes[kept], ELITE, kept), others])

    def add_migrants(self, migrants: Genomes, lines: Sequence[Line]) -> None:
        """Replace the last new genomes of the current generation by migrants from other islands.

        The first migrants become the ``lines``. The origin of migrant i is NEW, with i plus the size of the population
        as its parent. So migrants differ from new genomes, which have no parent.
        """
        if len(migrants):
            size = len(self.genomes)
            self.genomes[-len(migrants) :] = migrants
            self.origins[-len(migrants) :] = Emitted.of(migrants, NEW, size + np.arange(len(migrants))).origins
            self.archive.lines |= dict(zip(range(size - len(migrants), size), lines, strict=False))

    def _rng(self) -> np.random.Generator:
        return generator(generation_stream(self.seed, self.index, BREEDING))


def enters_hall(index: int) -> bool:
    """Return whether the champion of a generation enters the hall of fame."""
    return index % HALL_EVERY == HALL_EVERY - 1


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
    options, index, lines = evolution.options, evolution.index, evolution.archive.lines
    rivals, numbers = rival_strategies(evolution.hall, options), list(lines)
    # `improve_lines` uses the children of this SeedSequence. A grandchild shares no random numbers with them.
    weighing_seeds = generation_stream(evolution.seed, index, SEARCHING).spawn(1)[0].spawn(1)[0]
    others = Lineup.of(rivals, strategies_of(evolution.genomes[numbers], options))
    opponents = weighted_opponents(evolution.genomes[:1], others, options, workers, weighing_seeds)
    names = opponent_names(evolution, opponents.n_fixed)
    search_summary = improve_lines(evolution, opponents, len(rivals), workers)
    genomes, seeds = evolution.genomes, generation_stream(evolution.seed, index, RANKING)
    all_in_race = not index and options.search_rounds > 0
    ranking = rank_genomes(genomes, opponents, options, seeds, workers, numbers, all_in_race=all_in_race)
    for number, line in lines.items():
        win_rate, games, cell = ranking.win_rates[number], ranking.played[number], ranking.cells[number]
        lines[number] = line.after_games(float(win_rate), int(games), int(cell), ranking.payoffs.of(number, names))
    order = evolution.archive.champion_first(ranking.order)
    ranking = replace(ranking, order=order).penalised(options.vp_penalty)
    figures = population_statistics(genomes, evolution.origins, ranking.fitness(options.players), options)
    summary = ranking.summary | search_summary | figures
    columns: dict[str, npt.NDArray[Any]] = {ORIGINS: evolution.origins}
    if options.search_rounds:
        summary |= evolution.archive.to_json()
        summary[MIXTURE] = mixture_of(lines, names, options.players)
        columns |= {CELLS: ranking.cells, WIN_RATES: np.round(ranking.win_rates, WIN_RATE_DECIMALS)}
    return Generation(index, genomes, ranking.order, summary, columns)


def opponent_names(evolution: Evolution, n_networks: int) -> list[str]:
    """Return the names of the opponents in `evaluate`: named rivals, the hall of fame, lines and shipped networks."""
    hall = [genome_name("champion", evolution.hall[place : place + 1]) for place in range(len(evolution.hall))]
    lines = [line.name for line in evolution.archive.lines.values()]
    return [*(evolution.options.rivals or ()), *hall, *lines, *["network"] * n_networks]


def improve_lines(evolution: Evolution, opponents: Opponents, n_rivals: int, workers: Workers | None) -> dict[str, Any]:
    """Improve the lines of the current generation by local search and return SEARCH_FIGURES.

    Return {} without lines or opponents. The first ``n_rivals`` opponents are rivals, the next are the lines. No line
    plays against itself. Prune the lines in generations whose champion enters the hall of fame.
    """
    options, lines = evolution.options, evolution.archive.lines
    if not lines or len(opponents.strategies) < 2:  # one line and no other opponent
        return {}
    others = {number: opponents.without(n_rivals + place) for place, number in enumerate(lines)}
    venue = Venue(options.kingdom, options.players, workers=workers)
    seeds = generation_stream(evolution.seed, evolution.index, SEARCHING)
    games = rounds = accepted = 0
    budget = options.search_rounds * ROUND_GAMES
    gain = 0.0
    while games < budget:
        number = evolution.archive.next_line(games, budget)
        stages, cost = (LONG_ROUND, LONG_COST) if lines[number].is_long else (SHORT_ROUND, 1)
        genome = evolution.genomes[number : number + 1]
        proposals = Proposals(options, evolution.archive.successes)
        found = search_round(genome, others[number], proposals, venue, seeds.spawn(1)[0], stages)
        evolution.archive.successes = updated(evolution.archive.successes, found.successes)
        lines[number] = lines[number].after_round(found.gain, cost)
        games, rounds = games + found.n_games, rounds + 1
        if found.accepted:
            evolution.replace_genome(number, found.genome)
            accepted, gain = accepted + 1, gain + found.gain
    if enters_hall(evolution.index):
        for number in [number for number, line in lines.items() if not line.is_growing]:
            genome = evolution.genomes[number : number + 1]
            pruned, n_games = prune(genome, others[number], options, venue, seeds.spawn(1)[0])
            evolution.replace_genome(number, pruned)
            games += n_games
    return dict(zip(SEARCH_FIGURES, (games, rounds, accepted, gain), strict=True))
