"""The genetic algorithm with an ask-and-tell interface.

    >>> from evodom.evolution.algorithm import Evolution
    >>> from evodom.evolution.options import Options
    >>> evolution = Evolution(Options(n_strategies=8), seed=1)
    >>> genomes = evolution.ask()
    >>> strengths = genomes["early_shape"]  # a number for each genome; `evaluate` ranks by games
    >>> evolution.tell(strengths.argsort()[::-1])
    >>> evolution.index
    1

The *rivals* of a generation are strategies with names, by default baselines, and the hall of fame: earlier champions.

All random numbers of generation ``g`` come from children of ``SeedSequence(seed, spawn_key=(g,))``, so that a run
resumed from any saved generation has the same result as one that never stopped.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evodom.dominion.strategies.base import Genomes
from evodom.dominion.strategies.registry import genetics_of
from evodom.evolution.lines import SEARCH_GAMES, begins_epoch, enters_hall, improve_lines, n_lines
from evodom.evolution.options import Options
from evodom.evolution.origins import CHILD, CLONE, ELITE, IMPROVED, NEW, NO_PARENT, ORIGINS, Origin
from evodom.evolution.ranking import rank_genomes
from evodom.evolution.starts import first_genomes, new_genomes
from evodom.matches.seating import BREEDING, RANKING, generation_stream, generator
from evodom.matches.tournament import Order
from evodom.runs import Generation
from evodom.tasks import Workers


class Evolution:
    """The genetic algorithm: `ask` returns a population of genomes, `tell` takes their ranking and breeds the next.

    ``index`` is the number of the current generation, from 0. ``hall`` holds earlier champions, oldest first. Champions
    of the generations of `lines.enters_hall` enter it, unless ``keeps_hall`` is False.
    """

    def __init__(
        self,
        options: Options,
        seed: int,
        genomes: Genomes | None = None,
        index: int = 0,
        hall: Genomes | None = None,
        *,
        keeps_hall: bool = True,
    ) -> None:
        """Begin with ``genomes`` as generation ``index``. By default they are those of `starts.first_genomes`."""
        self.options = options
        self.seed = seed
        self.index = index
        self._genomes = first_genomes(options, self._rng()) if genomes is None else genomes
        self.origins: list[Origin] = [(NEW, NO_PARENT, NO_PARENT)] * len(self._genomes)
        self.hall = self._genomes[:0] if hall is None else hall
        self._keeps_hall = keeps_hall

    def ask(self) -> Genomes:
        """Return the genomes of the current generation."""
        return self._genomes

    def improve(self, number: int, genome: Genomes) -> None:
        """Replace a genome of the current generation by a better one, an array of one, found by local search."""
        if self._genomes[number] != genome[0]:
            self._genomes[number] = genome[0]
            self.origins[number] = (IMPROVED, *self.origins[number][1:])

    def swap(self, number: int, other: int) -> None:
        """Swap the places of two genomes of the current generation."""
        self._genomes[[number, other]] = self._genomes[[other, number]]
        self.origins[number], self.origins[other] = self.origins[other], self.origins[number]

    def tell(self, ranking: Order) -> None:
        """Breed the next generation; ``ranking`` has the indices of the current genomes from best to worst."""
        ranked = self._genomes[ranking]
        if self._keeps_hall and enters_hall(self.index) and self.options.hall:
            self.hall = np.concatenate([self.hall, ranked[:1]])[-self.options.hall :]
        self.index += 1
        unchanged = unchanged_places(ranked, ranking, self.options, self.index)
        self._genomes, self.origins = next_genomes(ranked, ranking, unchanged, self.options, self._rng())

    def add_migrants(self, migrants: Genomes) -> None:
        """Replace the last new genomes of the current generation by migrants from other islands.

        The origin of migrant i is NEW with the parent i plus the size of the population, which no own parent has.
        """
        if len(migrants):
            size = len(self._genomes)
            self._genomes[-len(migrants) :] = migrants
            self.origins[-len(migrants) :] = [(NEW, size + number, NO_PARENT) for number in range(len(migrants))]

    def _rng(self) -> np.random.Generator:
        return generator(generation_stream(self.seed, self.index, BREEDING))


def hall_generations(index: int, options: Options) -> list[int]:
    """Return the generations of the champions in the hall of fame while generation ``index`` plays."""
    entered = [number for number in range(index) if enters_hall(number)]
    return entered[-options.hall :] if options.hall else []


MIN_DIVERSITY = 0.2
"""The first lines differ by at least this from each other, if possible (`Genetics.diversity`)."""


def unchanged_places(ranked: Genomes, ranking: Order, options: Options, index: int) -> Order:
    """Return the places of the genomes that enter generation ``index`` unchanged, in genomes ``ranked`` best first.

    These are the ``n_elite`` best, then the lines of the epoch. If there are too few lines, the best genomes that
    differ from all of these by at least MIN_DIVERSITY become lines. ``ranking`` has the indices of ``ranked`` in their
    generation.
    """
    unchanged = list(range(options.n_elite))
    wanted = max(options.n_elite, 0 if begins_epoch(index, options) else n_lines(index, options))
    places = np.argsort(ranking)
    for line in range(1, n_lines(index - 1, options)):
        if len(unchanged) < wanted and places[line] not in unchanged:
            unchanged.append(int(places[line]))
    diversity = genetics_of(options.model).diversity
    for place in range(options.n_elite, len(ranked) // 2):
        if len(unchanged) >= wanted:
            break
        if place not in unchanged and all(diversity(ranked[[place, other]]) >= MIN_DIVERSITY for other in unchanged):
            unchanged.append(place)
    return np.array(unchanged, np.intp)


def next_genomes(
    ranked: Genomes, ranking: Order, unchanged: Order, options: Options, rng: np.random.Generator
) -> tuple[Genomes, list[Origin]]:
    """Return the next generation and its origins, bred from genomes ``ranked`` best first.

    It has copies of the genomes at the places ``unchanged``, mutated clones of the best, offspring, and new genomes.
    ``ranking`` has the indices of ``ranked`` in their generation. Origins refer to parents by these indices.
    """
    genetics = genetics_of(options.model)
    n_mutated = max(options.n_clones - len(unchanged), 0)
    sources = np.concatenate([unchanged, options.n_elite + np.arange(n_mutated)]).astype(np.intp)
    clones = ranked[sources]
    genetics.mutate(clones[len(unchanged) :], options, rng)
    pairs = parent_pairs(options.n_offspring, options.n_parents, rng)
    offspring = genetics.cross(ranked[pairs[:, 0]], ranked[pairs[:, 1]], options, rng)
    genetics.mutate(offspring, options, rng)
    n_new = options.n_strategies - len(clones) - len(offspring)
    origins: list[Origin] = [
        *(
            (ELITE if number < len(unchanged) else CLONE, int(ranking[place]), NO_PARENT)
            for number, place in enumerate(sources)
        ),
        *((CHILD, int(ranking[fitter]), int(ranking[other])) for fitter, other in pairs),
        *((NEW, NO_PARENT, NO_PARENT) for _ in range(n_new)),
    ]
    return np.concatenate([clones, offspring, new_genomes(n_new, options, rng)]), origins


def parent_pairs(n_pairs: int, n_parents: int, rng: np.random.Generator) -> npt.NDArray[np.intp]:
    """Draw pairs of distinct parents by rank, (n_pairs, 2) with the fitter first.

    All parents are used once before any is used twice. ``n_parents`` is even.
    """
    n_rounds = -(-2 * n_pairs // n_parents)
    rounds = [rng.permutation(n_parents) for _ in range(n_rounds)]
    pairs = np.concatenate([*rounds, np.zeros(0, np.intp)]).astype(np.intp).reshape(-1, 2)[:n_pairs]
    return np.sort(pairs, axis=1)


def evaluate(evolution: Evolution, workers: Workers | None = None) -> Generation:
    """Play the current generation and return it in the form to save. `Evolution.tell` then breeds the next.

    1. The lines improve by local search. At the beginning of an epoch, strong new genomes become lines.
    2. All genomes are ranked: by a tournament, a race against the rivals, and the penalty for early Victory cards.

    Without ``workers`` all games run in one thread.
    """
    options, index = evolution.options, evolution.index
    search_summary = improve_lines(evolution, workers)
    genomes, seeds = evolution.ask(), generation_stream(evolution.seed, index, RANKING)
    ranking, summary = rank_genomes(genomes, evolution.hall, options, seeds, workers, n_lines(index, options))
    summary |= {"diversity": genetics_of(options.model).diversity(genomes), ORIGINS: evolution.origins}
    return Generation(index, genomes, ranking, summary | search_summary)


def games_of(generation: Generation) -> int:
    """Return the number of games of a generation: tournament, successive halving, local search and islands."""
    return sum(int(generation.summary.get(name, 0)) for name in ("games", "race_games", SEARCH_GAMES, "island_games"))
