"""Drawn genomes and orders: generators of random numbers, shares within their error, permutations."""

import numpy as np

MANY = 8000
"""Number of genomes or orders that are drawn to estimate a share."""


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def are_permutations(orders: np.ndarray) -> bool:
    return bool((np.sort(orders, axis=1) == np.arange(orders.shape[1])).all())


def near(share: float, expected: float, n: int = MANY) -> bool:
    """Return whether a share among ``n`` is within five standard deviations of ``expected``."""
    return abs(share - expected) <= 5 * np.sqrt(expected * (1 - expected) / n)
