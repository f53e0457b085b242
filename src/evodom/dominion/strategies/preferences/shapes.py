"""The shape spaces: the shapes a preference distribution can have, a space for each value of ``--model``.

A **classic** shape gives 3, 4 or 5 card types a weight in steps of 5 %, falling and summing to 100 %; the other types
get EPSILON each, taken from the smallest of the weights. A **graded** shape gives 3 to 10 types weights that fall by
the same factor from one to the next, near a strict order at its sharp end; the other types get nothing.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.rules import N_PILES
from evodom.dominion.strategies.preferences import CLASSIC, GRADED

EPSILON = 1e-9
"""The weight of a type a classic shape does not mention: never zero, so that any choice can be normalised."""

STEP = 5
FEWEST_TYPES, MOST_TYPES = 3, 5

GRADED_TYPES = range(3, 11)
FACTORS = (0.7, 0.5, 0.35, 0.2, 0.1, 0.05, 0.02, 0.005, 0.001)
"""From one type to the next a graded weight falls to this share."""

Part = npt.NDArray[np.float64]
"""The weights of the types that a shape mentions, the greatest first."""


@dataclass(frozen=True)
class ShapeSpace:
    """The shapes of a model: the weights of the types they mention, and ``rest``, that of each other type.

    ``is_graded`` says how buys are drawn: among what can be bought and is wanted, by conditions that genomes have too;
    else from the whole preference, up to three times.
    """

    parts: Callable[[], list[Part]]
    rest: float
    is_graded: bool

    @cached_property
    def weights(self) -> npt.NDArray[np.float64]:
        """All shapes, (n_shapes, N_PILES) weights, falling within a shape; from flat to sharp."""
        parts = self.parts()
        space = np.full((len(parts), N_PILES), self.rest)
        for weights, part in zip(space, parts, strict=True):
            weights[: len(part)] = part
            weights[len(part) - 1] -= self.rest * (N_PILES - len(part))
        space.setflags(write=False)
        return space

    def __len__(self) -> int:
        return len(self.weights)


def partitions(total: int, n_parts: int, largest: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write ``total`` as ``n_parts`` positive, falling numbers of at most ``largest``."""
    if n_parts == 1:
        if total <= largest:
            yield (total,)
        return
    for first in range(min(total - n_parts + 1, largest), 0, -1):
        for rest in partitions(total - first, n_parts - 1, first):
            yield (first, *rest)


def classic_parts() -> list[Part]:
    """Return the weights of the 181 classic shapes, without the types they do not mention."""
    steps = 100 // STEP
    shapes = [part for n in range(FEWEST_TYPES, MOST_TYPES + 1) for part in partitions(steps, n, steps)]
    shapes.sort(key=lambda part: (part[0], part[2], part[1]))
    return [np.array(part) * (STEP / 100) for part in shapes]


def graded_parts() -> list[Part]:
    """Return the weights of the graded shapes: every number of types with every factor."""
    shapes = [factor ** np.arange(n) for n in GRADED_TYPES for factor in FACTORS]
    return sorted((shape / shape.sum() for shape in shapes), key=lambda part: (part[0], -len(part)))


SPACES = {
    GRADED.name: ShapeSpace(graded_parts, 0.0, is_graded=True),
    CLASSIC.name: ShapeSpace(classic_parts, EPSILON, is_graded=False),
}
"""The spaces by the value of ``--model``."""
