"""The genetic algorithm, as ask and tell.

    >>> from evodom.evolution.algorithm import Evolution
    >>> from evodom.evolution.options import Options
    >>> evolution = Evolution(Options(n_strategies=8), seed=1)
    >>> genomes = evolution.ask()
    >>> evolution.tell(genomes["early_shape"].argsort())
    >>> evolution.index
    1

What is random in generation ``g`` comes from children of ``SeedSequence(seed, spawn_key=(g,))`` alone, so that a run
goes on from any saved generation as if it had never stopped.
"""

from typing import Self

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import CURSE_PILE, DUCHY, ESTATE
from evodom.dominion.strategies.record import EARLY, LATE
from evodom.evolution.genome import Genomes, first_genomes, random_genomes, upgraded
from evodom.evolution.operators import crossover, mutate
from evodom.evolution.options import Options
from evodom.evolution.tournament import Order

BREEDING, TOURNAMENT = 0, 1
"""The uses of a generation's random stream."""


def stream(seed: int, generation: int, use: int) -> np.random.SeedSequence:
    """Return the random stream of one use in one generation."""
    return np.random.SeedSequence(seed, spawn_key=(generation, use))


class Evolution:
    """A population that is asked for and told how it ranked."""

    def __init__(self, options: Options, seed: int) -> None:
        self.options = options
        self.seed = seed
        self.index = 0
        self._genomes = first_genomes(options, self._rng())

    @classmethod
    def resume(cls, options: Options, seed: int, index: int, genomes: Genomes, ranking: Order) -> Self:
        """Return the evolution after generation ``index`` was told its ranking."""
        evolution = cls(options, seed)
        evolution.index, evolution._genomes = index, upgraded(genomes)
        evolution.tell(ranking)
        return evolution

    def ask(self) -> Genomes:
        """Return the genomes of the present generation."""
        return self._genomes

    def tell(self, ranking: Order) -> None:
        """Breed the next generation from a ranking, indices into the genomes from best to worst."""
        self.index += 1
        self._genomes = next_genomes(self._genomes[ranking], self.options, self._rng())

    def _rng(self) -> np.random.Generator:
        return np.random.Generator(np.random.PCG64(stream(self.seed, self.index, BREEDING)))


def next_genomes(ranked: Genomes, options: Options, rng: np.random.Generator) -> Genomes:
    """Return the next generation of genomes ranked from best to worst: clones of the best, offspring, new ones."""
    clones = ranked[: options.n_clones].copy()
    mutate(clones[options.n_elite :], options, rng)
    pairs = parent_pairs(options.n_offspring, options.n_parents, rng)
    offspring = mutate(crossover(ranked[pairs[:, 0]], ranked[pairs[:, 1]], options, rng), options, rng)
    n_new = options.n_strategies - len(clones) - len(offspring)
    return np.concatenate([clones, offspring, random_genomes(n_new, options, rng)])


def parent_pairs(n_pairs: int, n_parents: int, rng: np.random.Generator) -> npt.NDArray[np.intp]:
    """Return pairs of distinct parents (n_pairs, 2), the fitter first; none is used twice before all are used once.

    ``n_parents`` is even.
    """
    n_turns = -(-2 * n_pairs // n_parents)
    turns = [rng.permutation(n_parents) for _ in range(n_turns)]
    pairs = np.concatenate([*turns, np.zeros(0, np.intp)]).astype(np.intp).reshape(-1, 2)[:n_pairs]
    return np.sort(pairs, axis=1)


def penalise(ranking: Order, weights: npt.NDArray[np.float64], strength: float) -> Order:
    """Return a ranking in which preferring victory points too early costs places.

    What is penalised is the weight of Curse, Estate and Duchy in the early preference and of Curse in the late one;
    Province is free on purpose. Weight 1 costs ``strength`` times the population in places; ``inf`` sorts by the
    penalty first, as the original did. Equals keep their order. ``weights`` are those of `preferences`.
    """
    weights = weights[ranking]
    penalty = weights[:, EARLY, [CURSE_PILE, ESTATE, DUCHY]].sum(axis=1) + weights[:, LATE, CURSE_PILE]
    if np.isinf(strength):
        return ranking[np.argsort(penalty, kind="stable")]
    places = np.arange(len(ranking)) + strength * len(ranking) * penalty
    # Weights of EPSILON must not reorder anything.
    return ranking[np.argsort(np.round(places, 3), kind="stable")]
