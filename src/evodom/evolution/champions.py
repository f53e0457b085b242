"""The strongest strategies of a saved run."""

from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.evolution.genome import Genomes, preferences, strategies_of
from evodom.evolution.run import options_of
from evodom.store import Generation, Run

UNTOLD = 6
"""Decimals in which preferences must differ: genomes that differ only in types of weight EPSILON play alike."""


def champions(run: Run, n: int, generation: Generation | None = None) -> npt.NDArray[Any]:
    """Return the ``n`` best strategies of a generation (the last one by default), best first, as STRATEGY records.

    Of strategies with equal preferences only the best counts, as long as there are others: a good strategy's clones
    follow it closely in the ranking, and three of a kind teach nobody anything.
    """
    chosen = generation or run.last()
    ranked = chosen.genomes[chosen.ranking]
    return strategies_of(ranked[distinct_first(ranked)[:n]], options_of(run))


def distinct_first(genomes: Genomes) -> npt.NDArray[np.intp]:
    """Return all indices of genomes: first those with preferences of their own, then the copies; each in order."""
    weights = np.round(preferences(genomes), UNTOLD).reshape(len(genomes), -1)
    _, first = np.unique(weights, axis=0, return_index=True)
    is_copy = np.ones(len(genomes), bool)
    is_copy[first] = False
    return np.argsort(is_copy, kind="stable")
