"""A network for fights that is being trained: it takes steps against the gradient of its loss."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.errors import UsageError
from evodom.learning.fights.experience import Experience
from evodom.learning.fights.gradient import N_LOSSES, add_gradient
from evodom.learning.optimiser import Adam
from evodom.spire.play.network import FIRST_MOVE_OUTPUT, Network

CHUNKS = 4
"""A batch is in so many parts, each summed up by itself, for any number of threads."""

Vector = npt.NDArray[np.float32]
Order = npt.NDArray[np.int64]


class Learner:
    """A network in training and the state of its optimiser; `weights` are changed in place."""

    def __init__(self, network: Network, adam: Adam | None = None) -> None:
        self.weights = network.weights.copy()
        self.adam = adam or Adam.of(self.weights)
        self._sight, self._width = network.sight, network.width
        n_outputs = FIRST_MOVE_OUTPUT + len(network.sight.outputs)
        self._gradients = np.zeros((CHUNKS, len(self.weights)), np.float32)
        self._losses = np.zeros((CHUNKS, N_LOSSES))
        self._scratch = np.zeros((CHUNKS, 4 * self._width + 2 * n_outputs), np.float32)

    @property
    def network(self) -> Network:
        """The network as it is now."""
        return Network(self._sight, self._width, self.weights.copy())

    def gradient(
        self, data: Experience, order: npt.NDArray[np.int64], shares: Any, pool: ThreadPoolExecutor | None = None
    ) -> tuple[Vector, npt.NDArray[np.float64]]:
        """Return the gradient of the mean loss over some positions, and the losses, (N_LOSSES,)."""
        self._gradients[:] = 0.0
        self._losses[:] = 0.0
        turned = self._turned()
        weights = np.asarray(shares, np.float64)

        def add(chunk: int, some: npt.NDArray[np.int64]) -> None:
            add_gradient(
                self.weights, turned, data.seen, data.tried, data.aims, some, weights, self._gradients[chunk],
                self._losses[chunk], self._scratch[chunk],
            )  # fmt: skip

        parts = np.array_split(order, CHUNKS)
        if pool is None:
            for chunk, some in enumerate(parts):
                add(chunk, some)
        else:
            list(pool.map(add, range(CHUNKS), parts))
        total = self._gradients[0]
        for chunk in range(1, CHUNKS):
            total += self._gradients[chunk]
        return total * np.float32(1.0 / len(order)), self._losses.sum(axis=0) / len(order)

    def improve(
        self,
        data: Experience,
        rng: np.random.Generator,
        *,
        rate: float,
        batch: int,
        shares: Any,
        pool: ThreadPoolExecutor | None = None,
    ) -> npt.NDArray[np.float64]:
        """Learn once from all positions, in batches of a random order; return the mean losses, (N_LOSSES,)."""
        if not len(data):
            raise UsageError("there is nothing to learn: in this fight there is never a choice.")
        batches = drawn_batches(len(data), batch, rng)
        return descend(self.adam, self.weights, lambda some: self.gradient(data, some, shares, pool), batches, rate)

    def _turned(self) -> Vector:
        """Return the third and the second layer with rows and columns exchanged."""
        width, n_outputs = self._width, FIRST_MOVE_OUTPUT + len(self._sight.outputs)
        second, third = width * (len(self._sight.inputs) + 1), (width + 1) * n_outputs
        parts = (
            self.weights[-third:].reshape(width + 1, n_outputs)[:width].T,
            self.weights[second:-third].reshape(width + 1, width)[:width].T,
        )
        return np.concatenate([np.ascontiguousarray(part).ravel() for part in parts])


@contextmanager
def threads(n: int) -> Iterator[ThreadPoolExecutor | None]:
    """Give threads for `Learner.improve`; none for one."""
    if n == 1:
        yield None
        return
    with ThreadPoolExecutor(n) as pool:
        yield pool


def drawn_batches(n: int, batch: int, rng: np.random.Generator) -> list[Order]:
    """Return the numbers of `n` positions in a random order, in batches of at least `batch` but for too few of them."""
    return np.array_split(rng.permutation(n), max(n // batch, 1))


def descend(
    adam: Adam,
    weights: Vector,
    gradient: Callable[[Order], tuple[Vector, npt.NDArray[np.float64]]],
    batches: Sequence[Order],
    rate: float,
) -> npt.NDArray[np.float64]:
    """Take a step against the `gradient` of each batch, changing `weights`; return the mean losses, (N_LOSSES,)."""
    losses = np.zeros(N_LOSSES)
    for some in batches:
        found, own = gradient(some)
        adam.step(weights, found, rate)
        losses += own / len(batches)
    return losses
