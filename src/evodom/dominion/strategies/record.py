"""The strategy record: what `select` needs to know of a strategy, whatever its model."""

from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.breeding import Breeding
from evodom.dominion.strategies.columns import ANY_KINGDOM, SHARED_COLUMNS, check_kingdom
from evodom.dominion.strategies.model import Genomes, Strategy
from evodom.dominion.strategies.registry import MODELS, evolved_model, genetics_of, kind_of

__all__ = ["STRATEGY", "Strategy", "blank_strategies", "check_kingdom", "strategies_of"]

STRATEGY = np.dtype((np.record, [*SHARED_COLUMNS, *(column for model in MODELS for column in model.parts.columns)]))
"""One strategy: the shared columns, then those of each model. An array of them is a population or a table's players."""


def blank_strategies(n: int, model: str, kingdom: Kingdom | None = None) -> npt.NDArray[Any]:
    """Return ``n`` records of STRATEGY of a model, for a kingdom (None: any), that say nothing yet."""
    strategies = np.zeros(n, STRATEGY)
    kind = kind_of(model)
    strategies["kind"] = kind
    strategies["kingdom"] = kingdom.fingerprint if kingdom else ANY_KINGDOM
    for column, value in MODELS[kind].parts.defaults.items():
        strategies[column] = value
    return strategies


def strategies_of(genomes: Genomes, breeding: Breeding) -> npt.NDArray[Any]:
    """Return the strategies that genomes play as, an array of STRATEGY records."""
    strategies = blank_strategies(len(genomes), evolved_model(breeding.model).name, breeding.kingdom)
    genetics_of(breeding.model).encode(genomes, breeding, strategies)
    return strategies
