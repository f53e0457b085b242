"""Learn networks for fights: training data, weights, and steps of gradient descent.

`FightLearner` trains the network of one run. The hypernetwork of act 1 has another learner with the same gradient
(benchmarks/act_training.py).
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
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
from evodom.nn.dense import Indices, Vector
from evodom.nn.optimiser import Adam
from evodom.spire.play.estimates import Trajectory
from evodom.spire.play.network import FIRST_MOVE_OUTPUT, OTHER, FeatureSpec, Network, new_network


@dataclass(frozen=True)
class TrainingData:
    """Training data of positions.

    `features` and `visit_shares` are arrays of `Trajectory`. `targets` (n, 2) float32 has the gain over winning now,
    and the death.
    """

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
    """Return the training data of a finished game. `result` has its value, and 1 if it was lost, else 0.

    The target of a position is `lambda_` times the target of the next position (at the end the result), plus 1 -
    `lambda_` times the search's value. If the move was not the best, the target is the search's value: exploration is
    no evidence about good play.
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
    """A vector of weights and its optimiser. `weights` change in place."""

    def __init__(self, weights: Vector, adam: Adam | None = None) -> None:
        self.weights, self.adam = weights, adam or Adam.of(weights)

    N_CHUNKS: ClassVar[int]
    """Number of parts of a batch. The order of sums depends on it."""

    @abstractmethod
    def layers(self) -> Layers:
        """Return the weights as layers; `Positions` refer to their rows."""

    @abstractmethod
    def weight_gradient(self, gradients: LayerGradients) -> Vector:
        """Return the gradient with respect to the weights from the gradient with respect to the layers."""

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
    """Learner of one training's network. The biases are row 0 of its first layer, and the last row of saved weights."""

    N_CHUNKS = 4

    def __init__(self, network: Network, adam: Adam | None = None) -> None:
        super().__init__(network.weights.copy(), adam)
        self._features, self._width = network.features, network.width

    @property
    def network(self) -> Network:
        """A copy of the current network."""
        return Network(self._features, self._width, self.weights.copy())

    def positions(self, data: TrainingData) -> Positions:
        """Return training data by rows of the layers. Raise UsageError without data."""
        if not len(data):
            raise UsageError("there is nothing to learn: in this fight there is never a choice.")
        inputs = np.arange(1, data.features.shape[1] + 1, dtype=np.int32)
        moves = np.arange(data.visit_shares.shape[1], dtype=np.int32) + np.int32(FIRST_MOVE_OUTPUT)
        return positions_of(data, [0], inputs, moves)

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


def positions_of(
    data: TrainingData,
    constant_inputs: Sequence[int],
    rows_of_features: npt.NDArray[np.int32],
    rows_of_moves: npt.NDArray[np.int32],
) -> Positions:
    """Return training data by rows of the layers.

    Column i of ``data.features`` has the row ``rows_of_features[i]`` of the first layer. Column i of
    ``data.visit_shares`` has the row ``rows_of_moves[i]`` of the third layer. Every position also has the inputs
    ``constant_inputs``, with the value 1.
    """
    positions, columns = np.nonzero(data.features)
    begins = begins_of(np.bincount(positions, minlength=len(data)) + len(constant_inputs))
    input_rows, values = np.zeros(begins[-1], np.int32), np.ones(begins[-1], np.float32)
    # Each position lists the constant inputs first: n + 1 copies of them precede the features of position n.
    places = np.arange(len(positions)) + len(constant_inputs) * (positions + 1)
    input_rows[places], values[places] = rows_of_features[columns], data.features[positions, columns]
    for place, constant_input in enumerate(constant_inputs):
        input_rows[begins[:-1] + place] = constant_input
    positions, columns = np.nonzero(data.visit_shares >= 0.0)
    move_begins = begins_of(np.bincount(positions, minlength=len(data)))
    visit_shares = data.visit_shares[positions, columns]
    return Positions(begins, input_rows, values, move_begins, rows_of_moves[columns], visit_shares, data.targets)


def begins_of(counts: npt.NDArray[np.int64]) -> Indices:
    """Return the begins of consecutive slices with these lengths, and the end of the last slice."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def thread_pool(n: int) -> AbstractContextManager[ThreadPoolExecutor | None]:
    """Yield a pool of ``n`` threads for `PositionLearner.improve`, or None for one thread."""
    return nullcontext() if n == 1 else ThreadPoolExecutor(n)


def compile_gradient() -> None:
    """Compile the gradient or load it from the cache."""
    learner = FightLearner(new_network(FeatureSpec(("energy",), (1.0,), (OTHER,)), 8, np.random.default_rng(0)))
    one = np.zeros((1, 1), np.float32)
    data = learner.positions(TrainingData(one, one, np.zeros((1, 2), np.float32)))
    learner.gradient(data, np.zeros(1, np.int64), (1.0, 1.0, 1.0))
