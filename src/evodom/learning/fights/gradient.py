"""Compute the gradient of the loss of a network for fights, compiled.

Each position lists its inputs and its legal moves. The first layer has a row for each input, and the third layer has a
row for each output. The loss is a weighted sum of three losses:

- POLICY: the cross-entropy between the shares of visits and the policy;
- GAIN: the squared error of the predicted gain;
- DEATH: the cross-entropy between the result and the predicted probability of death.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evodom.jit.kernel import kernel
from evodom.nn.dense import Indices, Rows, Vector, backward_hidden, forward_hidden
from evodom.spire.play.network import DEATH_OUTPUT, FIRST_MOVE_OUTPUT, GAIN_OUTPUT

POLICY, GAIN, DEATH = range(3)
N_LOSSES = 3
"""Number of losses. POLICY, GAIN and DEATH are indices of their weights and sums."""

Losses = npt.NDArray[np.float64]


class Positions(NamedTuple):
    """Positions with their training targets.

    Attributes:
        begins: position n has the slice `begins[n]:begins[n + 1]` of `inputs` and `values`.
        inputs: rows of the first layer.
        values: values of these inputs.
        move_begins: position n has the slice `move_begins[n]:move_begins[n + 1]` of `moves` and `visit_shares`.
        moves: rows of the third layer: the legal moves.
        visit_shares: shares of the visits of these moves.
        targets: (n, 2), the gain and the death.
    """

    begins: Indices
    inputs: Rows
    values: Vector
    move_begins: Indices
    moves: Rows
    visit_shares: Vector
    targets: Vector

    @property
    def n_positions(self) -> int:
        """The number of positions."""
        return len(self.targets)


class Layers(NamedTuple):
    """Weights by layer, float32.

    `first` (inputs, width) and `third` (outputs, width + 1) have a row for each input and output. `second` (width + 1,
    width) has a row for each unit and one for the biases. `transposed` (width, width) is `second` transposed, without
    biases.
    """

    first: Vector
    second: Vector
    transposed: Vector
    third: Vector


class LayerGradients(NamedTuple):
    """Gradients of the three layers, in the shapes of `Layers`."""

    first: Vector
    second: Vector
    third: Vector


class Workspace(NamedTuple):
    """Arrays of one thread: two hidden layers and their derivatives (4, width), outputs and their derivatives."""

    units: Vector
    outputs: Vector
    slopes: Vector


def layers_of(first: Vector, second: Vector, third: Vector) -> Layers:
    """Return layers with the transposed second layer."""
    return Layers(first, second, np.ascontiguousarray(second[:-1].T), third)


def batch_gradient(
    layers: Layers,
    data: Positions,
    order: Indices,
    loss_weights: Sequence[float],
    n_chunks: int,
    pool: ThreadPoolExecutor | None = None,
) -> tuple[LayerGradients, Losses]:
    """Return the gradient of the loss summed over the positions `order`, and the sums of the losses, (N_LOSSES,).

    The batch is split into `n_chunks` parts. Their sums are added in order, so that the result is the same for any
    number of threads.
    """
    weights = np.asarray(loss_weights, np.float64)
    width, n_outputs = len(layers.transposed), FIRST_MOVE_OUTPUT + int(np.diff(data.move_begins).max(initial=0))

    def add(some: Indices) -> tuple[LayerGradients, Losses]:
        found = LayerGradients(*(np.zeros_like(layer) for layer in (layers.first, layers.second, layers.third)))
        losses = np.zeros(N_LOSSES)
        outputs, slopes = np.zeros((2, n_outputs), np.float32)
        space = Workspace(np.zeros((4, width), np.float32), outputs, slopes)
        add_gradient(layers, data, some, weights, found, losses, space)
        return found, losses

    parts = np.array_split(order, n_chunks)
    (total, losses), *others = list(pool.map(add, parts)) if pool else [add(some) for some in parts]
    for found, own in others:
        for layer, gradient in zip(total, found, strict=True):
            np.add(layer, gradient, out=layer)
        losses += own
    return total, losses


@kernel
def add_gradient(
    layers: Layers,
    data: Positions,
    order: Indices,
    loss_weights: Losses,
    gradients: LayerGradients,
    losses: Losses,
    workspace: Workspace,
) -> None:
    """Add the gradient of the loss, summed over the positions `order`, to `gradients`, and the losses to `losses`."""
    lower, upper = workspace.units[0], workspace.units[1]
    back, back_upper = workspace.units[2], workspace.units[3]
    outputs, slopes = workspace.outputs, workspace.slopes
    for number in order:
        inputs = data.inputs[data.begins[number] : data.begins[number + 1]]
        values = data.values[data.begins[number] : data.begins[number + 1]]
        legal = data.moves[data.move_begins[number] : data.move_begins[number + 1]]
        visit_shares = data.visit_shares[data.move_begins[number] : data.move_begins[number + 1]]
        forward_hidden(layers.first, layers.second, inputs, values, lower, upper)
        for place in range(FIRST_MOVE_OUTPUT + len(legal)):
            row = layers.third[output_at(legal, place)]
            total = row[len(upper)]
            for unit in range(len(upper)):
                total += row[unit] * upper[unit]
            outputs[place] = total
        loss_gradient(outputs, visit_shares, data.targets[number], loss_weights, slopes, losses)
        backward_outputs(layers.third, legal, slopes, upper, back_upper, gradients.third)
        backward_hidden(layers.transposed, lower, back_upper, back, gradients.second)
        for place in range(len(inputs)):
            gradient_row, value = gradients.first[inputs[place]], values[place]
            for unit in range(len(back)):
                gradient_row[unit] += value * back[unit]


@kernel
def output_at(legal: Rows, place: int) -> int:
    """Return the row of an output. The gain and the death come first, then the legal moves."""
    return place if place < FIRST_MOVE_OUTPUT else legal[place - FIRST_MOVE_OUTPUT]


@kernel
def backward_outputs(third: Vector, legal: Rows, slopes: Vector, upper: Vector, back: Vector, gradient: Vector) -> None:
    """Propagate derivatives from the outputs to the upper units, and add to the gradient of the third layer."""
    width = len(upper)
    for unit in range(width):
        back[unit] = 0.0
    for place in range(FIRST_MOVE_OUTPUT + len(legal)):
        output, slope = output_at(legal, place), slopes[place]
        row, gradient_row = third[output], gradient[output]
        for unit in range(width):
            back[unit] += slope * row[unit]
            gradient_row[unit] += slope * upper[unit]
        gradient_row[width] += slope
    for unit in range(width):
        if upper[unit] == 0.0:
            back[unit] = 0.0


@kernel
def loss_gradient(
    outputs: Vector, visit_shares: Vector, targets: Vector, loss_weights: Losses, slopes: Vector, losses: Losses
) -> None:
    """Write the derivative of the loss with respect to each output into `slopes`, and add the losses to `losses`."""
    error = outputs[GAIN_OUTPUT] - targets[0]
    losses[GAIN] += error * error
    slopes[GAIN_OUTPUT] = 2.0 * loss_weights[GAIN] * error
    chance = 1.0 / (1.0 + np.exp(-np.float64(outputs[DEATH_OUTPUT])))
    losses[DEATH] -= targets[1] * np.log(chance + 1e-12) + (1.0 - targets[1]) * np.log(1.0 - chance + 1e-12)
    slopes[DEATH_OUTPUT] = loss_weights[DEATH] * (chance - targets[1])
    most, total = -1e30, 0.0
    for move in range(len(visit_shares)):
        most = max(most, np.float64(outputs[FIRST_MOVE_OUTPUT + move]))
    for move in range(len(visit_shares)):
        total += np.exp(outputs[FIRST_MOVE_OUTPUT + move] - most)
    for move in range(len(visit_shares)):
        log_chance = outputs[FIRST_MOVE_OUTPUT + move] - most - np.log(total)
        losses[POLICY] -= visit_shares[move] * log_chance
        slopes[FIRST_MOVE_OUTPUT + move] = loss_weights[POLICY] * (np.exp(log_chance) - visit_shares[move])
