"""Emit random genomes."""

import numpy as np

from evodom.evolution.emitters.base import Emitted, Parents
from evodom.evolution.options import Options


def emit(parents: Parents | None, n: int, options: Options, rng: np.random.Generator) -> Emitted:
    """Return random genomes. In the first generation, which has no parents, their shapes are spread evenly."""
    genetics = options.genetics
    draw = genetics.first_genomes if parents is None else genetics.random_genomes
    return Emitted.new(draw(n, options, rng))
