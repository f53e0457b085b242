"""What genomes of a model are drawn, bred and played as: the one place that knows which model is which.

Everything else in this package handles genomes as arrays of records and asks here for what depends on their fields.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.evolution.genome import Genomes, diversity, first_genomes, random_genomes, strategies_of, upgraded
from evodom.evolution.menus import (
    cross_menus,
    menu_diversity,
    menus_as_strategies,
    mutate_menus,
    random_menus,
    upgraded_menus,
)
from evodom.evolution.model import MENU
from evodom.evolution.operators import crossover, mutate
from evodom.evolution.options import Options

Draw = Callable[[int, Options, np.random.Generator], Genomes]


@dataclass(frozen=True, slots=True)
class Breed:
    """The functions of one kind of genome: each takes and returns arrays of genomes."""

    first: Callable[[Options, np.random.Generator], Genomes]
    random: Draw
    crossover: Callable[[Genomes, Genomes, Options, np.random.Generator], Genomes]
    mutate: Callable[[Genomes, Options, np.random.Generator], Genomes]
    strategies: Callable[[Genomes, Options], npt.NDArray[Any]]
    upgraded: Callable[[Genomes], Genomes]
    diversity: Callable[[Genomes], float]


PREFERENCES = Breed(first_genomes, random_genomes, crossover, mutate, strategies_of, upgraded, diversity)
MENUS = Breed(
    lambda options, rng: random_menus(options.n_strategies, options, rng),
    random_menus,
    cross_menus,
    mutate_menus,
    menus_as_strategies,
    upgraded_menus,
    menu_diversity,
)


def breed_of(options: Options) -> Breed:
    """Return the breed of a run's model."""
    return MENUS if options.model == MENU else PREFERENCES
