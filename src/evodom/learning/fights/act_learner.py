"""The network of all fights in training: positions of any fights, and steps against the gradient of the loss."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.learning.fights.experience import Experience
from evodom.learning.fights.gradient import N_LOSSES, add_general_gradient, share_rows, sum_rows
from evodom.learning.fights.learner import descend, drawn_batches
from evodom.learning.optimiser import Adam
from evodom.spire.embedding.columns import DEATH, GAIN, Traits, input_columns, output_columns
from evodom.spire.embedding.hypernetwork import WIDTH, Hypernetwork, RowSums, n_general, parts
from evodom.spire.engine.moves import N_MOVES
from evodom.spire.play.network import FIRST_MOVE_OUTPUT

_MOST = FIRST_MOVE_OUTPUT + N_MOVES
"""Room for the outputs of a position."""

CHUNKS = 2
"""A batch is in so many parts, each summed up by itself, for any number of threads."""

Vector = npt.NDArray[np.float32]
Places = npt.NDArray[np.int32]


@dataclass
class Table:
    """The rows that were met, inputs or outputs of fights, each by the columns it is made of."""

    places: dict[str, int]
    rows: list[Traits] = field(default_factory=list)
    _known: dict[str, int] = field(default_factory=dict)
    _sums: RowSums | None = None

    def number(self, traits: Traits) -> int:
        """Return the number of a row, a new one if it was never met."""
        key = json.dumps(traits)
        if key not in self._known:
            self._known[key] = len(self.rows)
            self.rows.append(traits)
            self._sums = None
        return self._known[key]

    def sums(self) -> tuple[Any, Any, Any]:
        """Return of which columns the rows are summed up, for the kernels."""
        if self._sums is None:
            self._sums = RowSums.of(self.rows, self.places)
        found = self._sums
        return np.append(found.begins, len(found.columns)), found.columns, found.amounts


@dataclass(frozen=True)
class Positions:
    """Positions to learn from. Number n has the inputs from `begins[n]` to `begins[n + 1]`, (n + 1,) int64, by their
    numbers in a table, with `values`; the moves likewise, with the shares `tried`; `aims` (n, 2) as in `Experience`.
    """

    begins: npt.NDArray[np.int64]
    inputs: Places
    values: Vector
    move_begins: npt.NDArray[np.int64]
    moves: Places
    tried: Vector
    aims: Vector

    def __len__(self) -> int:
        return len(self.aims)


def joined(some: list[Positions]) -> Positions:
    """Return several lots of positions as one."""
    return Positions(
        _ends([one.begins for one in some]),
        np.concatenate([one.inputs for one in some]),
        np.concatenate([one.values for one in some]),
        _ends([one.move_begins for one in some]),
        np.concatenate([one.moves for one in some]),
        np.concatenate([one.tried for one in some]),
        np.concatenate([one.aims for one in some]),
    )


def _ends(begins: list[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    return np.cumsum(np.concatenate([[0], *(np.diff(one) for one in begins)])).astype(np.int64)


class ActLearner:
    """A general network in training, and the state of its optimiser; `general` is changed in place."""

    def __init__(self, general: Vector) -> None:
        self.general, self.adam = general, Adam.of(general)
        self.inputs, self.outputs = Table(input_columns()), Table(output_columns())
        for name in (GAIN, DEATH):
            self.outputs.number({name: 1.0})

    def positions(self, cast: Hypernetwork, data: Experience) -> Positions:
        """Return what was seen in a fight as positions of any fight."""
        statics = [self.inputs.number({name: amount}) for name, amount in cast.static.items()]
        numbers = np.array([self.inputs.number(traits) for traits in cast.inputs], np.int32)
        moves = np.array([self.outputs.number(traits) for traits in cast.moves], np.int32)
        rows, places = np.nonzero(data.seen)
        n, n_static = len(data), len(statics)
        counts = np.bincount(rows, minlength=n)
        begins = np.concatenate([[0], np.cumsum(counts + n_static)]).astype(np.int64)
        inputs, values = np.zeros(begins[-1], np.int32), np.ones(begins[-1], np.float32)
        at = np.arange(len(rows)) + n_static * (rows + 1)
        inputs[at], values[at] = numbers[places], data.seen[rows, places]
        for place, static in enumerate(statics):
            inputs[begins[:-1] + place] = static
        rows, places = np.nonzero(data.tried >= 0.0)
        move_begins = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n))]).astype(np.int64)
        return Positions(begins, inputs, values, move_begins, moves[places], data.tried[rows, places], data.aims)

    def gradient(
        self, data: Positions, order: npt.NDArray[np.int64], shares: Any, pool: ThreadPoolExecutor | None = None
    ) -> tuple[Vector, npt.NDArray[np.float64]]:
        """Return the gradient of the mean loss over some positions, and the losses, (N_LOSSES,)."""
        layers = parts(self.general)
        inputs, outputs = self.inputs.sums(), self.outputs.sums()
        first = np.zeros((len(self.inputs.rows), WIDTH), np.float32)
        third = np.zeros((len(self.outputs.rows), WIDTH + 1), np.float32)
        sum_rows(*inputs, layers[0], first)
        sum_rows(*outputs, layers[2], third)
        turned = np.ascontiguousarray(layers[1][:WIDTH].T)
        weights = np.asarray(shares, np.float64)

        def add(some: npt.NDArray[np.int64]) -> tuple[Any, ...]:
            found = np.zeros_like(first), np.zeros_like(layers[1]), np.zeros_like(third)
            losses = np.zeros(N_LOSSES)
            add_general_gradient(
                first, layers[1], turned, third, data.begins, data.inputs, data.values, data.move_begins, data.moves,
                data.tried, data.aims, some, weights, *found, losses, np.zeros((4, WIDTH), np.float32),
                *np.zeros((2, _MOST), np.float32),
            )  # fmt: skip
            return *found, losses

        lots = np.array_split(order, CHUNKS)
        done = list(pool.map(add, lots)) if pool else [add(some) for some in lots]
        sums = [sum(one[1:], start=one[0]) for one in zip(*done, strict=True)]
        total = np.zeros(n_general(), np.float32)
        of_columns = parts(total)
        share_rows(*inputs, sums[0], of_columns[0])
        of_columns[1][:] = sums[1]
        share_rows(*outputs, sums[2], of_columns[2])
        return total * np.float32(1.0 / len(order)), sums[3] / len(order)

    def improve(
        self,
        data: Positions,
        rng: np.random.Generator,
        *,
        rate: float,
        batch: int,
        shares: Any,
        pool: ThreadPoolExecutor | None = None,
    ) -> npt.NDArray[np.float64]:
        """Learn once from all positions, in batches of a random order; return the mean losses, (N_LOSSES,)."""
        batches = drawn_batches(len(data), batch, rng)
        return descend(self.adam, self.general, lambda some: self.gradient(data, some, shares, pool), batches, rate)
