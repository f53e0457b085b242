"""Islands: populations that evolve apart, a round at a time, and then exchange their best.

A round of an island is one pure task: it takes a population and who comes from elsewhere, and returns the population so
many generations later. An island evolves as a run with a seed of its own would (`matches.seating.island_seed`), but for
its rivals: all islands share a hall of fame, the champions of the last rounds. After a round the best of all islands
meet each other and the rivals, as a generation does, which ranks them and gives the round its champion. Then the best
of each island move on to the next one, in a circle.

What is saved is one `Generation` a round: the genomes of all islands one after the other, and one ranking of all. Its
origins skip the generations in between: they name the ancestor in the round before, of the line of fitter parents, on
the same island or on the one that a migrant came from.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evodom.dominion.strategies.base import Genomes, genetics_of
from evodom.dominion.strategies.record import strategies_of
from evodom.evolution.algorithm import (
    ELITE,
    KINDS,
    NEW,
    NOBODY,
    ORIGINS,
    Evolution,
    Origin,
    champion_of,
    distinct_first,
    evaluate,
    games_of,
    ranked,
)
from evodom.evolution.options import Options
from evodom.matches.seating import RANKING, generation_stream, island_seed
from evodom.matches.tournament import Order
from evodom.runs import Generation
from evodom.tasks import Arrays, Content, OnDone, Workers, nobody, packed, run_tasks

N_BEST, MOST_MEETING = 4, 256
"""So many of an island, which buy differently, meet those of the other islands after a round; fewer, but one at least,
where they would be more than this together: this work is not shared out as the islands are."""

MIGRANTS = 1 / 32
"""The share of an island that moves on to the next one, at least one and at most N_BEST."""

Line = list[tuple[int, int]]
"""Of each genome the place in KINDS of what changed its line most, and its ancestor: a place on the island as it was
sent, after those the places of the migrants, or NOBODY."""

FIGURES = ("race_wins", "best_points", "diversity")
"""What the summary of a round tells of each island, from the last generation of the round."""


def n_meeting(options: Options) -> int:
    """Return how many of each island meet those of the others."""
    return min(N_BEST, max(1, MOST_MEETING // options.islands))


def n_migrants(options: Options) -> int:
    """Return how many genomes an island sends to the next one."""
    return min(N_BEST, max(1, int(options.n_strategies * MIGRANTS)))


@dataclass
class Archipelago:
    """All islands of a run; `rounds` lets them evolve.

    ``before`` is the last saved round, None for none; ``hall`` has the champions of the rounds up to it, oldest first.
    """

    options: Options
    seed: int
    before: Generation | None = None
    hall: Sequence[Genomes] = ()

    def rounds(self, workers: Workers, on_island: OnDone = nobody) -> Iterator[Generation]:
        """Give one round after the other without end; ``on_island`` is told the number of an island that is done."""
        while True:
            jobs = [self._job(island) for island in range(self.options.islands)]
            results = run_tasks(workers.tasks, evolve_island, jobs, on_island)
            self.before = self._joined(results, workers)
            self.hall = [*self.hall, champion_of(self.before)][-self.options.hall :] if self.options.hall else ()
            yield self.before

    @property
    def _index(self) -> int:
        """The number of the round that comes next."""
        return 0 if self.before is None else self.before.index + 1

    def _job(self, island: int) -> Content:
        facts = {
            "options": self.options.to_json(),
            "seed": island_seed(self.seed, island),
            "n_done": self._index * self.options.migrate_every,
        }
        if self.before is None:
            return facts, {}
        own, migrants = (self.before.genomes[places] for places in self._sent(island))
        hall = np.concatenate([own[:0], *self.hall])
        return facts, {"genomes": own, "migrants": migrants, "hall": hall}

    def _sent(self, island: int) -> tuple[Order, Order]:
        """Return which genomes of the last round begin the next one on an island, best first: its own, and migrants."""
        assert self.before is not None
        ranking, options = self.before.ranking, self.options
        islands = ranking // options.n_strategies
        return ranking[islands == island], ranking[islands == (island - 1) % options.islands][: n_migrants(options)]

    def _origins(self, results: Sequence[Content]) -> list[Origin]:
        """Return where the genomes of a round come from: their kinds, and their ancestors in the round before."""
        if self.before is None:
            return [(NEW, NOBODY, NOBODY)] * (self.options.islands * self.options.n_strategies)
        found: list[Origin] = []
        for island, (_, arrays) in enumerate(results):
            places = np.concatenate([*self._sent(island), [NOBODY]])
            ancestors = places[arrays["ancestors"]]  # NOBODY, -1, is the last one
            found += [(KINDS[kind], int(one), NOBODY) for kind, one in zip(arrays["kinds"], ancestors, strict=True)]
        return found

    def _joined(self, results: Sequence[Content], workers: Workers) -> Generation:
        """Return a round: let the best of all islands meet, and put all others behind them by their places at home."""
        options = self.options
        genomes = np.concatenate([arrays["genomes"] for _, arrays in results])
        best = _best_of_each(genomes, options)
        hall = np.concatenate([genomes[:0], *self.hall])
        seeds = generation_stream(self.seed, self._index, RANKING)
        order, summary = ranked(genomes[best], hall, options, seeds, workers)
        by_place = np.arange(len(genomes)).reshape(options.islands, -1).T.ravel()
        ranking = np.concatenate([best[order], by_place[~np.isin(by_place, best)]])
        summary |= {
            "diversity": genetics_of(options.model).diversity(genomes),
            "island_games": sum(facts["games"] for facts, _ in results),
            "islands": [facts["figures"] for facts, _ in results],
            ORIGINS: self._origins(results),
        }
        return Generation(self._index, genomes, ranking.astype(np.int32), summary)


def _best_of_each(genomes: Genomes, options: Options) -> Order:
    """Return the places of the best of each island that buy differently, island by island."""
    size, n = options.n_strategies, n_meeting(options)
    starts = range(0, len(genomes), size)
    # One island at a time: the strategies of all together could take gigabytes.
    best = [start + distinct_first(strategies_of(genomes[start : start + size], options))[:n] for start in starts]
    return np.concatenate(best)


@packed
def evolve_island(facts: dict[str, Any], arrays: Arrays) -> Content:
    """Evolve an island for a round, in one thread; return its population, best first, and figures of it."""
    options = Options.from_json(facts["options"])
    evolution = _begun(options, facts["seed"], facts["n_done"], arrays)
    line, n_games = _first_line(evolution.origins, arrays), 0
    while True:
        generation = evaluate(evolution)
        n_games += games_of(generation)
        if evolution.index == facts["n_done"] + options.migrate_every - 1:
            break
        evolution.tell(generation.ranking)
        line = _continued(line, evolution.origins)
    figures = {name: generation.summary[name] for name in FIGURES if name in generation.summary}
    kinds, ancestors = np.array(line, np.int32)[generation.ranking].T
    found = {
        "genomes": generation.genomes[generation.ranking],
        "kinds": kinds.astype(np.int8),
        "ancestors": ancestors.copy(),
    }
    return {"games": n_games, "figures": figures}, found


def _first_line(origins: Sequence[Origin], arrays: Arrays) -> Line:
    """Return the line of each genome of the first generation of a round; the migrants are its last ones, unchanged."""
    line = [(KINDS.index(kind), parent) for kind, parent, _ in origins]
    n_own, n_migrants = (len(arrays.get(name, ())) for name in ("genomes", "migrants"))
    return line[: len(line) - n_migrants] + [(KINDS.index(ELITE), n_own + number) for number in range(n_migrants)]


def _continued(line: Line, origins: Sequence[Origin]) -> Line:
    """Return the line of each genome of the next generation; of two parents it follows the fitter, the first one."""
    return [
        (KINDS.index(NEW), NOBODY) if parent == NOBODY else (max(KINDS.index(kind), line[parent][0]), line[parent][1])
        for kind, parent, _ in origins
    ]


def _begun(options: Options, seed: int, n_done: int, arrays: Arrays) -> Evolution:
    """Return an island in the first generation of a round."""
    if not n_done:
        return Evolution(options, seed, collects=False)
    genomes = arrays["genomes"]
    order = np.arange(len(genomes))
    evolution = Evolution.resume(options, seed, n_done - 1, genomes, order, [arrays["hall"]], collects=False)
    evolution.settle(arrays["migrants"])
    return evolution
