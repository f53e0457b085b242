"""Evolve islands: populations that evolve apart for a round of generations, then exchange their best genomes.

1. Each island evolves for ``migrate_every`` generations, as one pure task (`evolve_island`). It evolves like a run with
   a seed of its island (`matches.seating.island_seed`). All islands share one hall of fame: the last rounds' champions.
2. The best genomes of all islands are ranked against each other and the rivals, as in a generation. The best is the
   round's champion.
3. The best genomes of each island migrate to the next island, in a circle. Local search continues with their lines.

Each round is saved as one `Generation`: the genomes of all islands in sequence, and one ranking of all. Its `origins`
refer to the round before. The ancestor of a genome is found along the fitter parents. It is on the same island, or on
the island before it in the circle.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evodom.dominion.strategies.base import Genomes
from evodom.dominion.strategies.record import strategies_of
from evodom.evolution.algorithm import SEARCH_FIGURES, SEARCH_GAMES, Evolution, evaluate
from evodom.evolution.archive import Archive, RankedPopulation
from evodom.evolution.emitters import ELITE, KINDS, NEW, NO_PARENT, ORIGIN, ORIGINS, Origins
from evodom.evolution.history import games_of, population_statistics
from evodom.evolution.options import Options
from evodom.evolution.proposals import mean_successes
from evodom.evolution.ranking import (
    champion_of,
    copies_last,
    held_out_wins,
    rank_genomes,
    rival_strategies,
    weighted_opponents,
)
from evodom.matches.seating import RANKING, generation_stream, island_seed
from evodom.matches.tournament import Order
from evodom.runs import Generation
from evodom.tasks import Arrays, Content, OnDone, Workers, do_nothing, packed_task, run_tasks

N_BEST = 4  # Maximum number of distinct genomes of each island that are ranked together after a round.
MAX_FINALISTS = 256  # Maximum number of these genomes in total, but at least one of each island.

MIGRANT_SHARE = 1 / 32
"""Share of an island's genomes that migrate: at least one genome and at most N_BEST."""

MIGRANTS = "migrants"
"""Entry of a task with the lines of the migrants."""

Descent = list[tuple[str, int]]
"""Descent of each genome within a round: its largest change, one of KINDS, and its ancestor.

An ancestor is NO_PARENT, or an index into the genomes that the task received: the island's, then the migrants.
"""

ISLAND_FIGURES = ("best_points", "diversity")
"""Keys of the figures of each island in a round's summary. The values are those of the round's last generation."""


def n_finalists(options: Options) -> int:
    """Return the number of genomes that each island has in the ranking of all islands."""
    return min(N_BEST, max(1, MAX_FINALISTS // options.islands))


def n_migrants(options: Options) -> int:
    """Return the number of genomes that an island sends to the next one."""
    return min(N_BEST, max(1, int(options.n_strategies * MIGRANT_SHARE)))


@dataclass
class Archipelago:
    """All islands of a run. `rounds` evolves them.

    ``last_round`` is the last saved round, or None. ``hall`` has the last champions of rounds, oldest first.
    """

    options: Options
    seed: int
    last_round: Generation | None = None
    hall: Sequence[Genomes] = ()

    def rounds(self, workers: Workers, on_island: OnDone = do_nothing) -> Iterator[Generation]:
        """Yield rounds without end. Call ``on_island`` with the number of each finished island."""
        while True:
            jobs = [self._job(island) for island in range(self.options.islands)]
            results = run_tasks(workers.tasks, evolve_island, jobs, on_island)
            self.last_round = self._rank_islands(results, workers)
            self.hall = [*self.hall, champion_of(self.last_round)][-self.options.hall :] if self.options.hall else ()
            yield self.last_round

    @property
    def _index(self) -> int:
        """The number of the next round."""
        return 0 if self.last_round is None else self.last_round.index + 1

    def _job(self, island: int) -> Content:
        facts = {
            "options": self.options.to_json(),
            "seed": island_seed(self.seed, island),
            "n_before": self._index * self.options.migrate_every,
        }
        if self.last_round is None:
            return facts, {}
        own, migrants = self._genomes_to_send(island)
        genomes, columns = self.last_round.genomes, self.last_round.columns
        archive, places = self._archive(), {int(number): place for place, number in enumerate(own)}
        lines = archive.lines
        facts |= replace(
            archive, lines={places[number]: lines[number] for number in lines if number in places}
        ).to_json()
        facts[MIGRANTS] = Archive({int(number): lines[number] for number in migrants if number in lines}).to_json()
        arrays = {"genomes": genomes[own], "migrants": genomes[migrants], "hall": self._hall(genomes)}
        return facts, arrays | {name: column[own] for name, column in columns.items()}

    def _archive(self) -> Archive:
        """Return the lines of the last round, and the mean success of each change."""
        assert self.last_round is not None
        return Archive.of(self.last_round.summary)

    def _hall(self, genomes: Genomes) -> Genomes:
        """Return the hall of fame as an array like ``genomes``."""
        return np.concatenate([genomes[:0], *self.hall])

    def _genomes_to_send(self, island: int) -> tuple[Order, Order]:
        """Return the indices, in the last round, of the island's genomes, best first, and of its migrants.

        The migrants are the best lines, then the best other genomes.
        """
        assert self.last_round is not None
        ranking, options, lines = self.last_round.ranking, self.options, self._archive().lines
        islands = ranking // options.n_strategies
        others = ranking[islands == (island - 1) % options.islands]
        is_other = np.array([number not in lines for number in others.tolist()])
        others = others[np.argsort(is_other, kind="stable")]
        return ranking[islands == island], others[: n_migrants(options)]

    def _origins(self, results: Sequence[Content]) -> Origins:
        """Return the origins of the genomes of a round: their kinds, and their ancestors in the round before."""
        if self.last_round is None:
            return np.array([(NEW, NO_PARENT, NO_PARENT)] * self.options.n_genomes, ORIGIN)
        found = []
        for island, (_, arrays) in enumerate(results):
            places = np.concatenate([*self._genomes_to_send(island), [NO_PARENT]])
            origins = arrays[ORIGINS]
            origins["parent"] = places[origins["parent"]]  # the index NO_PARENT (-1) selects the last entry, NO_PARENT
            found.append(origins)
        return np.concatenate(found)

    def _rank_islands(self, results: Sequence[Content], workers: Workers) -> Generation:
        """Return a round: the ranked best genomes of all islands, then all others by their ranks on their islands."""
        options = self.options
        genomes = np.concatenate([arrays.pop("genomes") for _, arrays in results])
        best = _best_of_each(genomes, options)
        seeds = generation_stream(self.seed, self._index, RANKING)
        rivals, weighing_seeds = rival_strategies(self._hall(genomes), options), seeds.spawn(1)[0]
        opponents = weighted_opponents(genomes[best[:1]], rivals, options, workers, weighing_seeds)
        found = rank_genomes(genomes[best], opponents, options, seeds, workers).penalised(options.vp_penalty)
        order, summary = found.order, found.summary
        by_rank = np.arange(len(genomes)).reshape(options.islands, -1).T.ravel()  # islands are sorted, best first
        ranking = np.concatenate([best[order], by_rank[~np.isin(by_rank, best)]])
        summary |= {
            "island_games": sum(facts["games"] for facts, _ in results),
            "islands": [facts["figures"] for facts, _ in results],
        }
        summary |= _summed(facts["search"] for facts, _ in results)
        columns = {name: np.concatenate([arrays[name] for _, arrays in results]) for name in results[0][1]}
        columns[ORIGINS] = self._origins(results)
        summary |= population_statistics(genomes, columns[ORIGINS], found.fitness(options.players), options)
        if options.search_rounds:
            archives = [Archive.of(facts) for facts, _ in results]
            lines = {
                island * options.n_strategies + place: line
                for island, archive in enumerate(archives)
                for place, line in archive.lines.items()
            }
            summary |= Archive(lines, mean_successes([archive.successes for archive in archives])).to_json()
        summary |= held_out_wins(genomes[ranking[:1]], options, self.seed, self._index, workers)
        return Generation(self._index, genomes, ranking.astype(np.int32), summary, columns)


def _best_of_each(genomes: Genomes, options: Options) -> Order:
    """Return the indices of the best distinct genomes of each island, island by island."""
    size, n = options.n_strategies, n_finalists(options)
    starts = range(0, len(genomes), size)
    # One island at a time: the records of all together could take gigabytes.
    best = [start + copies_last(strategies_of(genomes[start : start + size], options))[:n] for start in starts]
    return np.concatenate(best)


@packed_task
def evolve_island(facts: dict[str, Any], arrays: Arrays) -> Content:
    """Evolve an island for a round in one thread, and return its figures and its population, best first."""
    options = Options.from_json(facts["options"])
    evolution = _resume_island(options, facts, arrays)
    descent: Descent = []
    search: dict[str, Any] = {}
    n_games = 0
    while True:
        generation = evaluate(evolution)
        # `evaluate` has changed origins by local search.
        descent = _next_descent(descent, evolution.origins) if descent else _first_descent(evolution.origins)
        n_games += games_of(generation.summary) - generation.summary.get(SEARCH_GAMES, 0)
        search = _summed([search, generation.summary])
        if evolution.index == facts["n_before"] + options.migrate_every - 1:
            break
        evolution.tell(RankedPopulation.of(generation))
    summary, ranking = generation.summary, generation.ranking
    figures = {name: summary[name] for name in ISLAND_FIGURES if name in summary}
    places = np.argsort(ranking)
    lines = {int(places[number]): line for number, line in evolution.archive.lines.items()}
    origins = np.array([(kind, ancestor, NO_PARENT) for kind, ancestor in descent], ORIGIN)
    columns = {name: column[ranking] for name, column in (generation.columns | {ORIGINS: origins}).items()}
    facts = {"games": n_games, "search": search, "figures": figures} | replace(evolution.archive, lines=lines).to_json()
    return facts, {"genomes": generation.genomes[ranking]} | columns


def _summed(summaries: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return the sum of each of SEARCH_FIGURES over summaries."""
    known = [summary for summary in summaries if SEARCH_GAMES in summary]
    return {name: sum(summary[name] for summary in known) for name in SEARCH_FIGURES} if known else {}


def _first_descent(origins: Origins) -> Descent:
    """Return the descent in the first generation of a round. New genomes with a parent are migrants."""
    return [(ELITE if kind == NEW and parent != NO_PARENT else kind, parent) for kind, parent, _ in origins.tolist()]


def _next_descent(descent: Descent, origins: Origins) -> Descent:
    """Return the descent in the next generation. A child of two parents has the ancestor of the fitter parent."""
    return [
        (NEW, NO_PARENT)
        if parent == NO_PARENT
        else (max(kind, descent[parent][0], key=KINDS.index), descent[parent][1])
        for kind, parent, _ in origins.tolist()
    ]


def _resume_island(options: Options, facts: dict[str, Any], arrays: Arrays) -> Evolution:
    """Return an island in the first generation of a round."""
    seed, n_before = facts["seed"], facts["n_before"]
    if not n_before:
        return Evolution(options, seed, updates_hall=False)
    genomes, archive = arrays["genomes"], Archive.of(facts)
    evolution = Evolution(options, seed, genomes, n_before - 1, arrays["hall"], archive=archive, updates_hall=False)
    ranked = Generation(n_before - 1, genomes, np.arange(len(genomes), dtype=np.int32), {}, arrays)
    evolution.tell(RankedPopulation.of(ranked))
    evolution.add_migrants(arrays["migrants"], list(Archive.of(facts[MIGRANTS]).lines.values()))
    return evolution
