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
    LayerGradients,
    Layers,
    Losses,
    Positions,
    batch_gradient,
    layers_of,
)
from evodom.nn.dense import Indices, Vector, distribute_rows, sum_rows
from evodom.nn.optimiser import Adam
from evodom.spire.embedding import WIDTH
from evodom.spire.embedding.columns import DEATH, GAIN, Traits, input_columns, output_columns
from evodom.spire.embedding.hypernetwork import Hypernetwork, RowSums, n_act_weights, split_layers
from evodom.spire.play.estimates import Trajectory
from evodom.spire.play.network import FIRST_MOVE_OUTPUT, OTHER, FeatureSpec, Network, new_network


@dataclass(frozen=True)
class TrainingData:
    """Training data: arrays of `Trajectory`; `targets` (n, 2) float32: the gain over winning now, and the death."""

    features: npt.NDArray[np.float32]
    visit_shares: npt.NDArray[np.float32]
    targets: npt.NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.targets)


def concatenate_data(parts: Sequence[TrainingData]) -> TrainingData:
    """Return several sets of training data as one."""
    return TrainingData(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in ("features", "visit_shares", "targets"))
    )


def td_targets(trajectory: Trajectory, result: tuple[float, float], full_payoff: float, lambda_: float) -> TrainingData:
    """Return the training data of a finished game. `result` is its value, and 1 if it was lost, else 0.

    A position's target is a mix: weight `lambda_` for the later targets and the result, the rest for the search's value
    there. After a move that was not the best the target is the search's value alone: exploration says nothing about
    good play.
    """
    targets = np.zeros((len(trajectory.steps), 2), np.float32)
    later: Any = np.array(result)
    for place in range(len(trajectory.steps) - 1, -1, -1):
        step = trajectory.steps[place]
        search_value = np.array([step["value"], step["death"]])
        later = lambda_ * later + (1.0 - lambda_) * search_value if step["best"] else search_value
        targets[place] = (later[0] - step["value_if_won"]) / full_payoff, later[1]
    return TrainingData(trajectory.features, trajectory.visit_shares, targets)


class PositionLearner(ABC):
    """A vector of weights and its optimiser; `weights` change in place."""

    def __init__(self, weights: Vector, adam: Adam | None = None) -> None:
        self.weights, self.adam = weights, adam or Adam.of(weights)

    N_CHUNKS: ClassVar[int]
    """Parts of a batch. The order of sums depends on it."""

    @abstractmethod
    def layers(self) -> Layers:
        """Return the weights as layers; `Positions` refer to their rows."""

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
    """Learner of one training's network. Row 0 of its first layer has the biases; in saved weights the last row."""

    N_CHUNKS = 4

    def __init__(self, network: Network, adam: Adam | None = None) -> None:
        super().__init__(network.weights.copy(), adam)
        self._features, self._width = network.features, network.width

    @property
    def network(self) -> Network:
        """A copy of the current network."""
        return Network(self._features, self._width, self.weights.copy())

    def positions(self, data: TrainingData) -> Positions:
        """Return training data as rows; row 0 of the inputs are the biases. Raise UsageError without data."""
        if not len(data):
            raise UsageError("there is nothing to learn: in this fight there is never a choice.")
        inputs = np.arange(1, data.features.shape[1] + 1, dtype=np.int32)
        moves = np.arange(data.visit_shares.shape[1], dtype=np.int32) + np.int32(FIRST_MOVE_OUTPUT)
        return _positions(data, [0], inputs, moves)

    def layers(self) -> Layers:
        """Return the weights as layers; `Positions` refer to their rows."""
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
        width, n_outputs = self._width, FIRST_MOVE_OUTPUT + len(self._features.outputs)
        second_begin, third_size = width * (len(self._features.inputs) + 1), (width + 1) * n_outputs
        return (
            weights[:second_begin].reshape(-1, width),
            weights[second_begin:-third_size].reshape(width + 1, width),
            weights[-third_size:].reshape(width + 1, n_outputs),
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
        """Return (begins, columns, amounts): row r has the columns and amounts from `begins[r]` to `begins[r + 1]`."""
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

    ``rows_of_features[i]`` is the row of the first layer for column i of ``data.features``, ``rows_of_moves[i]`` that
    of the third layer for column i of ``data.visit_shares``. Every position also has ``constant_inputs`` of value 1.
    """
    positions, columns = np.nonzero(data.features)
    begins = _begins(np.bincount(positions, minlength=len(data)) + len(constant_inputs))
    input_rows, values = np.zeros(begins[-1], np.int32), np.ones(begins[-1], np.float32)
    # Each position lists the constant inputs first: n + 1 copies of them precede the features of position n.
    places = np.arange(len(positions)) + len(constant_inputs) * (positions + 1)
    input_rows[places], values[places] = rows_of_features[columns], data.features[positions, columns]
    for place, constant_input in enumerate(constant_inputs):
        input_rows[begins[:-1] + place] = constant_input
    positions, columns = np.nonzero(data.visit_shares >= 0.0)
    move_begins = _begins(np.bincount(positions, minlength=len(data)))
    visit_shares = data.visit_shares[positions, columns]
    return Positions(begins, input_rows, values, move_begins, rows_of_moves[columns], visit_shares, data.targets)


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
        """Return a fight's training data as positions that share the rows of all other fights."""
        constant_inputs = [self.inputs.row_of({name: amount}) for name, amount in hypernetwork.static.items()]
        input_rows = np.array([self.inputs.row_of(traits) for traits in hypernetwork.inputs], np.int32)
        move_rows = np.array([self.outputs.row_of(traits) for traits in hypernetwork.moves], np.int32)
        return _positions(data, constant_inputs, input_rows, move_rows)

    def layers(self) -> Layers:
        """Return the weights as layers; `Positions` refer to their rows."""
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
