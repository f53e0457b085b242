"""Emit mutated children of two parents."""

import numpy as np
import numpy.typing as npt

from evodom.evolution.emitters.base import Emitted, Parents
from evodom.evolution.options import Options
from evodom.evolution.origins import CHILD


def emit(parents: Parents, n: int, options: Options, rng: np.random.Generator) -> Emitted:
    """Return children of pairs of the ``n_parents`` best genomes."""
    genetics, pairs = options.genetics, parent_pairs(n, options.n_parents, rng)
    children = genetics.cross(parents.ranked[pairs[:, 0]], parents.ranked[pairs[:, 1]], options, rng)
    origins = [(CHILD, int(parents.numbers[fitter]), int(parents.numbers[other])) for fitter, other in pairs]
    return Emitted(genetics.mutate(children, options, rng), origins)


def parent_pairs(n_pairs: int, n_parents: int, rng: np.random.Generator) -> npt.NDArray[np.intp]:
    """Draw pairs of distinct parents by rank, (n_pairs, 2) with the fitter first.

    All parents are used once before any is used twice. ``n_parents`` is even.
    """
    n_rounds = -(-2 * n_pairs // n_parents)
    rounds = [rng.permutation(n_parents) for _ in range(n_rounds)]
    pairs = np.concatenate([*rounds, np.zeros(0, np.intp)]).astype(np.intp).reshape(-1, 2)[:n_pairs]
    return np.sort(pairs, axis=1)
