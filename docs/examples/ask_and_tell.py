"""Evolve the solutions of another problem with the genetic algorithm of evodom.

The problem: divide 20 items between two bags so that both weigh the same. A genome assigns each item to a bag.

    python docs/examples/ask_and_tell.py
"""

import numpy as np

from evodom import Evolution, Options
from evodom.evolution import RankedPopulation

WEIGHTS = np.random.default_rng(7).integers(100, 1000, size=20)


class Bags:
    """Operators of genomes: each item is in bag 0 or 1."""

    DTYPE = np.dtype([("bag", "i1", (len(WEIGHTS),))])

    def random_genomes(self, n, options, rng):
        """Draw genomes uniformly."""
        genomes = np.zeros(n, self.DTYPE)
        genomes["bag"] = rng.integers(2, size=genomes["bag"].shape)
        return genomes

    first_genomes = random_genomes

    def cross(self, fitter, other, options, rng):
        """Take each item from one of two parents."""
        children = fitter.copy()
        from_other = rng.random(children["bag"].shape) > options.fitter_bias
        children["bag"][from_other] = other["bag"][from_other]
        return children

    def mutate(self, genomes, options, rng):
        """Move each item to the other bag with a probability of 5 %."""
        genomes["bag"] ^= rng.random(genomes["bag"].shape) < 0.05
        return genomes


class Packing(Options, frozen=True, kw_only=True):
    """Settings of evolution with these operators."""

    genetics = Bags()


def difference(genomes):
    """Return the difference of the weights of the bags, (n,)."""
    return np.abs(((1 - 2 * genomes["bag"].astype(int)) * WEIGHTS).sum(axis=1))


def main() -> None:
    evolution = Evolution(Packing(model="classic", n_strategies=64), seed=1)
    best = difference(evolution.ask()).min()
    print(f"best of the first generation: {best}")
    rows = []
    for _ in range(60):
        fitness = -difference(evolution.ask())
        rows.append(evolution.statistics(fitness))  # for pandas.DataFrame(rows)
        evolution.tell(RankedPopulation.of_fitness(fitness))
    print(f"best of 60 generations: {-max(row['best'] for row in rows):.0f}")


if __name__ == "__main__":
    main()
