"""The model space: the shapes a preference distribution can have.

A shape gives 3, 4 or 5 card types a weight in steps of 5 %, falling and summing to 100 %; the other types get EPSILON
each, taken from the smallest of the weights.
"""

from collections.abc import Iterator
from functools import cache

import numpy as np
import numpy.typing as npt

from evodom.dominion.rules import N_PILES

EPSILON = 1e-9
"""The weight of a type a shape does not mention: never zero, so that any choice can be normalised."""

STEP = 5
FEWEST_TYPES, MOST_TYPES = 3, 5


def partitions(total: int, n_parts: int, largest: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write ``total`` as ``n_parts`` positive, falling numbers of at most ``largest``."""
    if n_parts == 1:
        if total <= largest:
            yield (total,)
        return
    for first in range(min(total - n_parts + 1, largest), 0, -1):
        for rest in partitions(total - first, n_parts - 1, first):
            yield (first, *rest)


@cache
def model_space() -> npt.NDArray[np.float64]:
    """Return all shapes, (n_shapes, N_PILES) weights, falling within a shape; 181 shapes, from flat to sharp."""
    steps = 100 // STEP
    shapes = [part for n in range(FEWEST_TYPES, MOST_TYPES + 1) for part in partitions(steps, n, steps)]
    shapes.sort(key=lambda part: (part[0], part[2], part[1]))
    space = np.full((len(shapes), N_PILES), EPSILON)
    for weights, part in zip(space, shapes, strict=True):
        weights[: len(part)] = np.array(part) * (STEP / 100)
        weights[len(part) - 1] -= EPSILON * (N_PILES - len(part))
    space.setflags(write=False)
    return space
