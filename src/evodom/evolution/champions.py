"""The strongest strategies of a saved run."""

from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.evolution.breeds import breed_of
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
    options = options_of(run)
    breed = breed_of(options)
    strategies = breed.strategies(breed.upgraded(chosen.genomes[chosen.ranking]), options)
    return strategies[distinct_first(strategies)[:n]]


def distinct_first(strategies: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    """Return all indices of strategies: first those that buy unlike any before, then the copies; each in order."""
    n = len(strategies)
    told = [np.round(strategies["weights"], UNTOLD), strategies["rules"], strategies["conditions"]]
    _, first = np.unique(np.hstack([part.reshape(n, -1) for part in told]), axis=0, return_index=True)
    is_copy = np.ones(n, bool)
    is_copy[first] = False
    return np.argsort(is_copy, kind="stable")
