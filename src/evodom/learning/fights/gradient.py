"""How the numbers of a network for fights should change: the gradient of its loss, compiled.

The loss is the cross-entropy of the moves that were tried and those that it finds likely, the squared error of the gain
and the cross-entropy of the death, each with its weight.
"""

from typing import Any

import numpy as np

from evodom.jit.kernel import kernel
from evodom.spire.play.network import DEATH_OUTPUT, FIRST_MOVE_OUTPUT, GAIN_OUTPUT, forward

POLICY, GAIN, DEATH = range(3)
N_LOSSES = 3
"""The parts of the loss, also the places of their weights and of their sums."""


@kernel
def add_gradient(
    weights: Any,
    turned: Any,
    seen: Any,
    tried: Any,
    aims: Any,
    order: Any,
    shares: Any,
    gradient: Any,
    losses: Any,
    scratch: Any,
) -> None:
    """Add the gradient of the loss, summed over the positions that `order` numbers, to `gradient` (n_weights,).

    `seen` and `tried` are as in `Notes`, `aims` (n, 2) the gain and the death to be foretold. `turned` are the numbers
    of the third layer, then of the second, each with rows and columns exchanged. `losses` (N_LOSSES,) are added to.
    """
    n_inputs, n_outputs = seen.shape[1], FIRST_MOVE_OUTPUT + tried.shape[1]
    width = (len(scratch) - 2 * n_outputs) // 4
    first, second = scratch[:width], scratch[width : 2 * width]
    back_first, back_second = scratch[2 * width : 3 * width], scratch[3 * width : 4 * width]
    outputs, back = scratch[4 * width : 4 * width + n_outputs], scratch[4 * width + n_outputs :]
    at_second = (n_inputs + 1) * width
    at_third = at_second + (width + 1) * width
    for number in order:
        forward(weights, seen[number], first, second, outputs)
        blame(outputs, tried[number], aims[number], shares, back, losses)
        carry_back(turned, 0, back, second, back_second)
        carry_back(turned, n_outputs * width, back_second, first, back_first)
        add_rows(gradient, at_third, second, back)
        add_rows(gradient, at_second, first, back_second)
        add_rows(gradient, 0, seen[number], back_first)


@kernel
def blame(outputs: Any, tried: Any, aims: Any, shares: Any, back: Any, losses: Any) -> None:
    """Write the derivative of the loss by each output into `back`."""
    error = outputs[GAIN_OUTPUT] - aims[0]
    losses[GAIN] += error * error
    back[GAIN_OUTPUT] = 2.0 * shares[GAIN] * error
    chance = 1.0 / (1.0 + np.exp(-np.float64(outputs[DEATH_OUTPUT])))
    losses[DEATH] -= aims[1] * np.log(chance + 1e-12) + (1.0 - aims[1]) * np.log(1.0 - chance + 1e-12)
    back[DEATH_OUTPUT] = shares[DEATH] * (chance - aims[1])
    most, total = -1e30, 0.0
    for move in range(len(tried)):
        if tried[move] >= 0.0:
            most = max(most, np.float64(outputs[FIRST_MOVE_OUTPUT + move]))
    for move in range(len(tried)):
        if tried[move] >= 0.0:
            total += np.exp(outputs[FIRST_MOVE_OUTPUT + move] - most)
    for move in range(len(tried)):
        slope = 0.0
        if tried[move] >= 0.0:
            log_chance = outputs[FIRST_MOVE_OUTPUT + move] - most - np.log(total)
            slope = shares[POLICY] * (np.exp(log_chance) - tried[move])
            losses[POLICY] -= tried[move] * log_chance
        back[FIRST_MOVE_OUTPUT + move] = slope


@kernel
def carry_back(turned: Any, begin: Any, back: Any, given: Any, result: Any) -> None:
    """Carry derivatives through a layer to what it was given; what was 0 there gets none."""
    width = len(result)
    for place in range(width):
        result[place] = 0.0
    for output in range(len(back)):
        slope = back[output]
        if slope != 0.0:
            row = turned[begin + output * width : begin + (output + 1) * width]
            for place in range(width):
                result[place] += slope * row[place]
    for place in range(width):
        if given[place] == 0.0:
            result[place] = 0.0


@kernel
def add_rows(gradient: Any, begin: Any, given: Any, back: Any) -> None:
    """Add what each number given to a layer contributed to the gradient of its row, and to that of the biases."""
    width, n = len(back), len(given)
    for number in range(n):
        value = given[number]
        if value != 0.0:
            row = gradient[begin + number * width : begin + (number + 1) * width]
            for place in range(width):
                row[place] += value * back[place]
    biases = gradient[begin + n * width : begin + (n + 1) * width]
    for place in range(width):
        biases[place] += back[place]
