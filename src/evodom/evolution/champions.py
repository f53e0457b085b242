"""The strongest strategies of a saved run."""

from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.evolution.genome import strategies_of, upgraded
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
    ranked = upgraded(chosen.genomes[chosen.ranking])
    strategies = strategies_of(ranked, options_of(run))
    return strategies[distinct_first(strategies["weights"])[:n]]


def distinct_first(preferences: npt.NDArray[np.float64]) -> npt.NDArray[np.intp]:
    """Return all indices of preferences: first those unlike any before, then the copies; each in order."""
    weights = np.round(preferences, UNTOLD).reshape(len(preferences), -1)
    _, first = np.unique(weights, axis=0, return_index=True)
    is_copy = np.ones(len(preferences), bool)
    is_copy[first] = False
    return np.argsort(is_copy, kind="stable")
