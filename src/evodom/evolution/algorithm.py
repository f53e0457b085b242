"""The genetic algorithm, with ask and tell.

    >>> from evodom.evolution.algorithm import Evolution
    >>> from evodom.evolution.options import Options
    >>> evolution = Evolution(Options(n_strategies=8), seed=1)
    >>> genomes = evolution.ask()
    >>> evolution.tell(genomes["early_shape"].argsort())
    >>> evolution.index
    1

All random numbers of generation ``g`` come from children of ``SeedSequence(seed, spawn_key=(g,))``, so that a run
resumed from any saved generation has the same result as one that never stopped.
"""

from collections.abc import Sequence
from typing import Self

import numpy as np
import numpy.typing as npt

from evodom.dominion.strategies.base import Genomes, genetics_of
from evodom.evolution.options import Options
from evodom.matches.streams import BREEDING, generation_stream, generator
from evodom.matches.tournament import Order

HALL_EVERY = 10
"""The champion of every tenth generation enters the hall of fame."""

KINDS = ELITE, CLONE, CHILD, NEW = "elite", "clone", "child", "new"
"""The kinds of genomes: an unchanged copy, a mutated copy, a child of two parents, and one drawn at random."""

NOBODY = -1

ORIGINS = "origins"
"""The entry of a summary that says where each genome comes from."""

Origin = tuple[str, int, int]
"""How a genome came about (ELITE, CLONE, CHILD or NEW), and the indices of its two parents in the generation before, or
NOBODY."""


class Evolution:
    """The genetic algorithm: `ask` returns a population of genomes, `tell` takes their ranking and breeds the next.

    ``index`` is the number of the current generation, from 0; ``hall`` holds earlier champions, oldest first. The
    champion of every tenth generation enters it, or nobody if ``collects`` is False.
    """

    def __init__(self, options: Options, seed: int, *, collects: bool = True) -> None:
        self.options = options
        self.seed = seed
        self.index = 0
        self._genomes = genetics_of(options.model).first_genomes(options.n_strategies, options, self._rng())
        self.origins: list[Origin] = [(NEW, NOBODY, NOBODY)] * len(self._genomes)
        self.hall = self._genomes[:0]
        self._collects = collects

    @classmethod
    def resume(
        cls,
        options: Options,
        seed: int,
        index: int,
        genomes: Genomes,
        ranking: Order,
        champions: Sequence[Genomes] = (),
        *,
        collects: bool = True,
    ) -> Self:
        """Return an evolution that continues after the saved generation ``index``, given its genomes and ranking.

        ``champions`` are the hall: those of the generations that `hall_generations` (``index``) lists, each an array of
        one.
        """
        evolution = cls(options, seed, collects=collects)
        upgrade = genetics_of(options.model).upgrade
        evolution.index, evolution._genomes = index, upgrade(genomes, options)
        evolution.hall = np.concatenate([evolution.hall, *(upgrade(champion, options) for champion in champions)])
        evolution.tell(ranking)
        return evolution

    def ask(self) -> Genomes:
        """Return the genomes of the current generation."""
        return self._genomes

    def tell(self, ranking: Order) -> None:
        """Breed the next generation; ``ranking`` has the indices of the current genomes from best to worst."""
        ranked = self._genomes[ranking]
        if self._collects and enters_hall(self.index):
            self.hall = (
                np.concatenate([self.hall, ranked[:1]])[-self.options.hall :] if self.options.hall else self.hall
            )
        self.index += 1
        self._genomes, self.origins = next_genomes(ranked, ranking, self.options, self._rng())

    def settle(self, migrants: Genomes) -> None:
        """Let genomes from elsewhere take the places of the last of the current generation, which are new ones."""
        if len(migrants):
            self._genomes[-len(migrants) :] = migrants
            self.origins[-len(migrants) :] = [(NEW, NOBODY, NOBODY)] * len(migrants)

    def _rng(self) -> np.random.Generator:
        return generator(generation_stream(self.seed, self.index, BREEDING))


def enters_hall(index: int) -> bool:
    """Tell whether the champion of a generation enters the hall of fame."""
    return index % HALL_EVERY == HALL_EVERY - 1


def hall_generations(index: int, options: Options) -> list[int]:
    """Return the generations whose champions are in the hall of fame when generation ``index`` plays."""
    entered = [number for number in range(index) if enters_hall(number)]
    return entered[-options.hall :] if options.hall else []


def next_genomes(
    ranked: Genomes, ranking: Order, options: Options, rng: np.random.Generator
) -> tuple[Genomes, list[Origin]]:
    """Breed the next generation from genomes ranked best first: clones of the best, offspring, and new ones.

    Return it with the origin of each genome. ``ranking`` has the indices of the ranked genomes in their own generation,
    which the origins use to name parents.
    """
    genetics = genetics_of(options.model)
    clones = ranked[: options.n_clones].copy()
    genetics.mutate(clones[options.n_elite :], options, rng)
    pairs = parent_pairs(options.n_offspring, options.n_parents, rng)
    offspring = genetics.cross(ranked[pairs[:, 0]], ranked[pairs[:, 1]], options, rng)
    genetics.mutate(offspring, options, rng)
    n_new = options.n_strategies - len(clones) - len(offspring)
    origins: list[Origin] = [
        *((ELITE if place < options.n_elite else CLONE, int(ranking[place]), NOBODY) for place in range(len(clones))),
        *((CHILD, int(ranking[fitter]), int(ranking[other])) for fitter, other in pairs),
        *((NEW, NOBODY, NOBODY) for _ in range(n_new)),
    ]
    return np.concatenate([clones, offspring, genetics.random_genomes(n_new, options, rng)]), origins


def parent_pairs(n_pairs: int, n_parents: int, rng: np.random.Generator) -> npt.NDArray[np.intp]:
    """Draw pairs of distinct parents by rank, (n_pairs, 2) with the fitter first.

    All parents are used once before any is used twice. ``n_parents`` is even.
    """
    n_rounds = -(-2 * n_pairs // n_parents)
    rounds = [rng.permutation(n_parents) for _ in range(n_rounds)]
    pairs = np.concatenate([*rounds, np.zeros(0, np.intp)]).astype(np.intp).reshape(-1, 2)[:n_pairs]
    return np.sort(pairs, axis=1)
