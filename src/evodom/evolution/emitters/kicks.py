"""Emit mutated clones of the best genomes."""

import numpy as np

from evodom.evolution.emitters.base import Emitted, Parents
from evodom.evolution.options import Options
from evodom.evolution.origins import CLONE, NO_PARENT


def emit(parents: Parents, n: int, options: Options, rng: np.random.Generator) -> Emitted:
    """Return mutated clones of the genomes after the ``n_elite`` best."""
    places = options.n_elite + np.arange(n)
    clones = options.genetics.mutate(parents.ranked[places], options, rng)
    return Emitted(clones, [(CLONE, int(number), NO_PARENT) for number in parents.numbers[places]])
