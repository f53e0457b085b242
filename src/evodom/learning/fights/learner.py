"""Learners of networks for fights: training data, weights, and steps against the gradient of the loss.

`FightLearner` trains the network of one run. `ActLearner` trains the hypernetwork of act 1: each row of its layers (an
input or a move) is a weighted sum of columns (traits). Both use the same gradient.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from evodom.errors import UsageError
from evodom.learning.fights.gradient import (
    N_LOSSES,
    Indices,
    LayerGradients,
    Layers,
    Losses,
    Positions,
    Vector,
    batch_gradient,
    distribute_rows,
    layers_of,
    sum_rows,
)
from evodom.learning.optimiser import Adam
from evodom.spire.embedding import WIDTH
from evodom.spire.embedding.columns import DEATH, GAIN, Traits, input_columns, output_columns
from evodom.spire.embedding.hypernetwork import Hypernetwork, RowSums, n_act_weights, split_layers
from evodom.spire.play.estimates import Trajectory
from evodom.spire.play.network import FIRST_MOVE_OUTPUT, OTHER, FeatureSpec, Network, new_network


@dataclass(frozen=True)
class TrainingData:
    """Training data: `seen` and `visit_shares` as in `Notes`, `targets` (n, 2) float32 the gain and the death."""

    seen: npt.NDArray[np.float32]
    visit_shares: npt.NDArray[np.float32]
    targets: npt.NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.targets)


def concatenate_data(parts: Sequence[TrainingData]) -> TrainingData:
    """Return several sets of training data as one."""
    return TrainingData(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in ("seen", "visit_shares", "targets"))
    )


def td_targets(notes: Trajectory, result: tuple[float, float], scale: float, decay: float) -> TrainingData:
    """Return the training data of a fight with the value and the death in `result`.

    A position's target is a mix: weight `decay` for the later targets and the result, the rest for the search's value
    there. After a move that was not the best the target is the search's value alone: exploration says nothing about
    good play.
    """
    targets = np.zeros((len(notes.steps), 2), np.float32)
    later: Any = np.array(result)
    for place in range(len(notes.steps) - 1, -1, -1):
        note = notes.steps[place]
        search_value = np.array([note["value"], note["death"]])
        later = decay * later + (1.0 - decay) * search_value if note["best"] else search_value
        targets[place] = (later[0] - note["value_if_won"]) / scale, later[1]
    return TrainingData(notes.features, notes.visit_shares, targets)


class PositionLearner(ABC):
    """A vector of weights and its optimiser; `weights` change in place."""

    def __init__(self, weights: Vector, adam: Adam | None = None) -> None:
        self.weights, self.adam = weights, adam or Adam.of(weights)

    N_CHUNKS: ClassVar[int]
    """Parts of a batch. The order of sums depends on it."""

    @abstractmethod
    def layers(self) -> Layers:
        """Return the weights by the rows of positions."""

    @abstractmethod
    def weight_gradient(self, gradients: LayerGradients) -> Vector:
        """Return the gradient with respect to the weights, given that of the layers."""

    def gradient(
        self, data: Positions, order: Indices, loss_weights: Sequence[float], pool: ThreadPoolExecutor | None = None
    ) -> tuple[Vector, Losses]:
        """Return the gradient of the mean loss over the positions `order`, and the mean losses, (N_LOSSES,)."""
        found, losses = batch_gradient(self.layers(), data, order, loss_weights, self.N_CHUNKS, pool)
        return self.weight_gradient(found) * np.float32(1.0 / len(order)), losses / len(order)

    def improve(
        self,
        data: Positions,
        rng: np.random.Generator,
        *,
        rate: float,
        batch: int,
        loss_weights: Sequence[float],
        pool: ThreadPoolExecutor | None = None,
    ) -> Losses:
        """Learn from all positions in random order, in one epoch. Return the mean losses, (N_LOSSES,).

        Batches have at least `batch` positions unless there are fewer.
        """
        batches = np.array_split(rng.permutation(data.n_positions), max(data.n_positions // batch, 1))
        losses = np.zeros(N_LOSSES)
        for some in batches:
            gradient, own = self.gradient(data, some, loss_weights, pool)
            self.adam.step(self.weights, gradient, rate)
            losses += own / len(batches)
        return losses


class FightLearner(PositionLearner):
    """Learner of one training's network. Each input and output has a row, and the biases of the inputs are a row."""

    N_CHUNKS = 4

    def __init__(self, network: Network, adam: Adam | None = None) -> None:
        super().__init__(network.weights.copy(), adam)
        self._sight, self._width = network.features, network.width

    @property
    def network(self) -> Network:
        """A copy of the current network."""
        return Network(self._sight, self._width, self.weights.copy())

    def positions(self, data: TrainingData) -> Positions:
        """Return training data as rows; row 0 of the inputs are the biases. Raise UsageError without data."""
        if not len(data):
            raise UsageError("there is nothing to learn: in this fight there is never a choice.")
        inputs = np.arange(1, data.seen.shape[1] + 1, dtype=np.int32)
        moves = np.arange(data.visit_shares.shape[1], dtype=np.int32) + np.int32(FIRST_MOVE_OUTPUT)
        return _positions(data, [0], inputs, moves)

    def layers(self) -> Layers:
        """Return the weights by the rows of positions."""
        first, second, third = self._layers(self.weights)
        return layers_of(np.roll(first, 1, axis=0), second, np.ascontiguousarray(third.T))

    def weight_gradient(self, gradients: LayerGradients) -> Vector:
        """Return the gradient with respect to the weights, given that of the layers."""
        total = np.empty_like(self.weights)
        first, second, third = self._layers(total)
        first[:], second[:], third[:] = np.roll(gradients.first, -1, axis=0), gradients.second, gradients.third.T
        return total

    def _layers(self, weights: Vector) -> tuple[Vector, Vector, Vector]:
        """Return the three layers of a vector of weights, views with the biases in the last row."""
        width, n_outputs = self._width, FIRST_MOVE_OUTPUT + len(self._sight.outputs)
        second, third = width * (len(self._sight.inputs) + 1), (width + 1) * n_outputs
        return (
            weights[:second].reshape(-1, width),
            weights[second:-third].reshape(width + 1, width),
            weights[-third:].reshape(width + 1, n_outputs),
        )


@dataclass
class RowTable:
    """Rows of all inputs or outputs that occurred so far. Each row is a weighted sum of columns (traits)."""

    column_of_trait: dict[str, int]
    rows: list[Traits] = field(default_factory=list)
    _row_of_key: dict[str, int] = field(default_factory=dict)
    _row_sums: RowSums | None = None

    def row_of(self, traits: Traits) -> int:
        """Return the number of a row, a new one for unknown traits."""
        key = json.dumps(traits)
        if key not in self._row_of_key:
            self._row_of_key[key] = len(self.rows)
            self.rows.append(traits)
            self._row_sums = None
        return self._row_of_key[key]

    def row_sums(self) -> tuple[Indices, Indices, Vector]:
        """Return the columns of each row with their amounts: begins with the end, columns, amounts."""
        if self._row_sums is None:
            self._row_sums = RowSums.of(self.rows, self.column_of_trait)
        found = self._row_sums
        return np.append(found.begins, len(found.columns)), found.columns, found.amounts


def concatenate_positions(some: Sequence[Positions]) -> Positions:
    """Return several batches of positions as one."""
    found = Positions(*map(np.concatenate, zip(*some, strict=True)))
    return found._replace(
        begins=_begins(np.concatenate([np.diff(one.begins) for one in some])),
        move_begins=_begins(np.concatenate([np.diff(one.move_begins) for one in some])),
    )


def _positions(
    data: TrainingData,
    constant_inputs: Sequence[int],
    rows_of_features: npt.NDArray[np.int32],
    rows_of_moves: npt.NDArray[np.int32],
) -> Positions:
    """Return training data by rows of the layers.

    ``rows_of_features`` and ``rows_of_moves`` are the rows of the data's columns. Every position also has the inputs
    ``constant_inputs``, with value 1.
    """
    rows, columns = np.nonzero(data.seen)
    begins = _begins(np.bincount(rows, minlength=len(data)) + len(constant_inputs))
    input_rows, values = np.zeros(begins[-1], np.int32), np.ones(begins[-1], np.float32)
    places = np.arange(len(rows)) + len(constant_inputs) * (rows + 1)
    input_rows[places], values[places] = rows_of_features[columns], data.seen[rows, columns]
    for place, constant_input in enumerate(constant_inputs):
        input_rows[begins[:-1] + place] = constant_input
    rows, columns = np.nonzero(data.visit_shares >= 0.0)
    move_begins = _begins(np.bincount(rows, minlength=len(data)))
    return Positions(
        begins, input_rows, values, move_begins, rows_of_moves[columns], data.visit_shares[rows, columns], data.targets
    )


def _begins(counts: npt.NDArray[np.int64]) -> Indices:
    """Return where runs of these lengths begin, with the end of the last one."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


class ActLearner(PositionLearner):
    """Learner of the network of all fights of act 1. The weights are columns, and rows are weighted sums of them."""

    N_CHUNKS = 2

    def __init__(self, weights: Vector) -> None:
        super().__init__(weights)
        self.inputs, self.outputs = RowTable(input_columns()), RowTable(output_columns())
        for name in (GAIN, DEATH):
            self.outputs.row_of({name: 1.0})

    def positions(self, hypernetwork: Hypernetwork, data: TrainingData) -> Positions:
        """Return the training data of a fight as positions of any fight."""
        constant_inputs = [self.inputs.row_of({name: amount}) for name, amount in hypernetwork.static.items()]
        input_rows = np.array([self.inputs.row_of(traits) for traits in hypernetwork.inputs], np.int32)
        move_rows = np.array([self.outputs.row_of(traits) for traits in hypernetwork.moves], np.int32)
        return _positions(data, constant_inputs, input_rows, move_rows)

    def layers(self) -> Layers:
        """Return the weights by the rows of positions."""
        first_columns, second, third_columns = split_layers(self.weights)
        first = np.zeros((len(self.inputs.rows), WIDTH), np.float32)
        third = np.zeros((len(self.outputs.rows), WIDTH + 1), np.float32)
        sum_rows(*self.inputs.row_sums(), first_columns, first)
        sum_rows(*self.outputs.row_sums(), third_columns, third)
        return layers_of(first, second, third)

    def weight_gradient(self, gradients: LayerGradients) -> Vector:
        """Return the gradient with respect to the weights, given that of the layers."""
        total = np.zeros(n_act_weights(), np.float32)
        first_columns, second, third_columns = split_layers(total)
        distribute_rows(*self.inputs.row_sums(), gradients.first, first_columns)
        second[:] = gradients.second
        distribute_rows(*self.outputs.row_sums(), gradients.third, third_columns)
        return total


@contextmanager
def thread_pool(n: int) -> Iterator[ThreadPoolExecutor | None]:
    """Yield a pool of threads for `PositionLearner.improve`; None for one thread."""
    if n == 1:
        yield None
        return
    with ThreadPoolExecutor(n) as pool:
        yield pool


def compile_gradient() -> None:
    """Compile the gradient or load it from the cache."""
    learner = FightLearner(new_network(FeatureSpec(("energy",), (1.0,), (OTHER,)), 8, np.random.default_rng(0)))
    one = np.zeros((1, 1), np.float32)
    learner.gradient(
        learner.positions(TrainingData(one, one, np.zeros((1, 2), np.float32))), np.zeros(1, np.int64), (1.0, 1.0, 1.0)
    )
