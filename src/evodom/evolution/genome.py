"""Genomes as arrays, and the strategies they play as.

A genome says, for the early and the late game, which shape of the model space the preference has (``shape``) and which
pile gets which of its weights (``order``: piles from most to least preferred); in which order the classes of Actions
are preferred; and the turn after which the late preference is used.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.rules import N_PILES
from evodom.dominion.strategies.record import EARLY, KIND_PREFERENCE, LATE, STRATEGY
from evodom.evolution.model import EPSILON, model_space
from evodom.evolution.options import Options

GENOME = np.dtype(
    [
        ("early_shape", "<i2"),
        ("early_order", "u1", (N_PILES,)),
        ("late_shape", "<i2"),
        ("late_order", "u1", (N_PILES,)),
        ("class_order", "u1", (3,)),
        ("switch", "u1"),
    ]
)
"""One genome; a population is a one-dimensional array of them."""

Genomes = npt.NDArray[Any]

SHAPES = ("early_shape", "late_shape")
ORDERS = ("early_order", "late_order")

CLASS_WEIGHTS = np.array([0.999 - EPSILON, 0.001, EPSILON])
"""How strongly the first, second and third class of Actions is preferred: in practice a strict order."""


def random_genomes(n: int, options: Options, rng: np.random.Generator) -> Genomes:
    """Return ``n`` genomes, every field uniform."""
    genomes = np.zeros(n, GENOME)
    for field in SHAPES:
        genomes[field] = rng.integers(len(model_space()), size=n)
    for field in (*ORDERS, "class_order"):
        size = genomes[field].shape[1]
        genomes[field] = rng.permuted(np.tile(np.arange(size, dtype=np.uint8), (n, 1)), axis=1)
    genomes["switch"] = rng.integers(options.switch_low, options.switch_high + 1, size=n)
    return genomes


def first_genomes(options: Options, rng: np.random.Generator) -> Genomes:
    """Return the first generation: shapes spread evenly over the shuffled model space, all else uniform."""
    n = options.n_strategies
    genomes = random_genomes(n, options, rng)
    for field in SHAPES:
        genomes[field] = np.resize(rng.permutation(len(model_space())), n)
    return genomes


def preferences(genomes: Genomes) -> npt.NDArray[np.float64]:
    """Return the weights of each genome's preferences by pile, (n, 2, N_PILES): early, then late."""
    weights = np.zeros((len(genomes), 2, N_PILES))
    for phase, shape, order in zip((EARLY, LATE), SHAPES, ORDERS, strict=True):
        np.put_along_axis(weights[:, phase], genomes[order].astype(np.intp), model_space()[genomes[shape]], axis=1)
    return weights


def strategies_of(genomes: Genomes, options: Options) -> npt.NDArray[Any]:
    """Return the strategies the genomes play as, an array of STRATEGY records."""
    strategies = np.zeros(len(genomes), STRATEGY)
    strategies["kind"] = KIND_PREFERENCE
    strategies["weights"] = preferences(genomes)
    class_weights = np.broadcast_to(CLASS_WEIGHTS, (len(genomes), 3))
    np.put_along_axis(strategies["class_weights"], genomes["class_order"].astype(np.intp), class_weights, axis=1)
    strategies["switch"] = genomes["switch"]
    strategies["cellar_victory_only"] = options.cellar == "victory"
    return strategies


def diversity(genomes: Genomes) -> float:
    """Return how much two random genomes differ in their five most preferred piles, from 0 to 1.

    The mean over those places of the expected heterozygosity, 1 minus the sum of squared frequencies (Nei 1973).
    """
    total = 0.0
    for field in ORDERS:
        for place in range(5):
            frequencies = np.bincount(genomes[field][:, place], minlength=N_PILES) / len(genomes)
            total += 1.0 - float((frequencies**2).sum())
    return total / (5 * len(ORDERS))
