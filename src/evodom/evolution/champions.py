"""Read the strongest strategies of a saved run."""

import numpy as np
import numpy.typing as npt

from evodom.dominion.strategies.model import Strategies
from evodom.dominion.strategies.record import strategies_of
from evodom.dominion.strategies.registry import parts_of
from evodom.evolution.reading import checked, options_of
from evodom.store import Generation, Run

DECIMALS = 6
"""Weights are compared to so many decimals: genomes that differ only in types of weight EPSILON play alike."""


def champions(run: Run, n: int, generation: Generation | None = None) -> Strategies:
    """Return the ``n`` best strategies of a generation (the last one by default), best first, as STRATEGY records.

    Of strategies that buy alike, only the best is returned as long as there are different ones: the clones of a good
    strategy follow it closely in the ranking, and copies show nothing new.
    """
    strategies = ranked_strategies(run, generation or run.last())
    return strategies[distinct_first(strategies)[:n]]


def ranked_strategies(run: Run, generation: Generation) -> Strategies:
    """Return all strategies of a generation of a run, best first, as STRATEGY records."""
    options = options_of(run)
    generation = checked(run, generation, options)
    return strategies_of(generation.genomes[generation.ranking], options)


def distinct_first(strategies: Strategies) -> npt.NDArray[np.intp]:
    """Return the indices of strategies of one model: first those that buy unlike any before them, then the copies."""
    n = len(strategies)
    columns = [np.round(strategies[name], DECIMALS) for name in parts_of(strategies[0]).told_apart_by]
    _, first = np.unique(np.hstack([column.reshape(n, -1) for column in columns]), axis=0, return_index=True)
    is_copy = np.ones(n, bool)
    is_copy[first] = False
    return np.argsort(is_copy, kind="stable")
