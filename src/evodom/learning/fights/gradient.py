"""How the numbers of a network for fights should change: the gradient of its loss, compiled.

The loss is the cross-entropy of the moves that were tried and those that it finds likely, the squared error of the gain
and the cross-entropy of the death, each with its weight.
"""

from typing import Any

import numpy as np

from evodom.jit.kernel import kernel
from evodom.spire.play.network import DEATH_OUTPUT, FIRST_MOVE_OUTPUT, GAIN_OUTPUT, forward, rectify

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


@kernel
def sum_rows(begins: Any, columns: Any, amounts: Any, weights: Any, rows: Any) -> None:
    """Write rows, each the sum of some columns' weights with their amounts; the last row of `begins` is an end."""
    for row in range(len(begins) - 1):
        target = rows[row]
        for place in range(len(target)):
            target[place] = 0.0
        for part in range(begins[row], begins[row + 1]):
            source, amount = weights[columns[part]], amounts[part]
            for place in range(len(target)):
                target[place] += amount * source[place]


@kernel
def share_rows(begins: Any, columns: Any, amounts: Any, rows: Any, weights: Any) -> None:
    """Add the gradient of rows to that of the columns they are summed up of."""
    for row in range(len(begins) - 1):
        source = rows[row]
        for part in range(begins[row], begins[row + 1]):
            target, amount = weights[columns[part]], amounts[part]
            for place in range(len(source)):
                target[place] += amount * source[place]


@kernel
def add_general_gradient(
    first: Any,
    second: Any,
    turned: Any,
    third: Any,
    begins: Any,
    inputs: Any,
    values: Any,
    move_begins: Any,
    moves: Any,
    tried: Any,
    aims: Any,
    order: Any,
    shares: Any,
    first_gradient: Any,
    second_gradient: Any,
    third_gradient: Any,
    losses: Any,
    scratch: Any,
    outputs: Any,
    slopes: Any,
) -> None:
    """Add the gradient of the loss, summed over the positions that `order` numbers, to those of the layers.

    `first` (inputs, width) and `third` (outputs, width + 1) have a row for each input and output, `second` (width + 1,
    width) one for each unit and the biases, and `turned` (width, width) its rows and columns exchanged. `scratch` is
    (4, width), `outputs` and `slopes` have room for all moves, and `losses` (N_LOSSES,) are added to.
    """
    hidden, upper, back, back_upper = scratch[0], scratch[1], scratch[2], scratch[3]
    for number in order:
        mine, values_of = inputs[begins[number] : begins[number + 1]], values[begins[number] : begins[number + 1]]
        legal = moves[move_begins[number] : move_begins[number + 1]]
        raise_units(first, second, mine, values_of, hidden, upper)
        for place in range(FIRST_MOVE_OUTPUT + len(legal)):
            row = third[output_at(legal, place)]
            total = row[len(upper)]
            for unit in range(len(upper)):
                total += row[unit] * upper[unit]
            outputs[place] = total
        shares_tried = tried[move_begins[number] : move_begins[number + 1]]
        general_blame(outputs, shares_tried, aims[number], shares, slopes, losses)
        lower_outputs(third, legal, slopes, upper, back_upper, third_gradient)
        lower_units(turned, hidden, back_upper, back, second_gradient)
        for place in range(len(mine)):
            target, value = first_gradient[mine[place]], values_of[place]
            for unit in range(len(back)):
                target[unit] += value * back[unit]


@kernel
def output_at(legal: Any, place: Any) -> Any:
    """Return the row of an output: the gain and the death come first, then the legal moves."""
    return place if place < FIRST_MOVE_OUTPUT else legal[place - FIRST_MOVE_OUTPUT]


@kernel
def raise_units(first: Any, second: Any, inputs: Any, values: Any, hidden: Any, upper: Any) -> None:
    """Compute both hidden layers of a position."""
    width = len(hidden)
    for unit in range(width):
        hidden[unit] = 0.0
        upper[unit] = second[width, unit]
    for place in range(len(inputs)):
        row, value = first[inputs[place]], values[place]
        for unit in range(width):
            hidden[unit] += value * row[unit]
    rectify(hidden)
    for lower in range(width):
        value = hidden[lower]
        if value != 0.0:
            row = second[lower]
            for unit in range(width):
                upper[unit] += value * row[unit]
    rectify(upper)


@kernel
def lower_outputs(third: Any, legal: Any, slopes: Any, upper: Any, back: Any, gradient: Any) -> None:
    """Carry derivatives from the outputs to the upper units, and add what each gives to the gradient."""
    width = len(upper)
    for unit in range(width):
        back[unit] = 0.0
    for place in range(FIRST_MOVE_OUTPUT + len(legal)):
        output, slope = output_at(legal, place), slopes[place]
        row, target = third[output], gradient[output]
        for unit in range(width):
            back[unit] += slope * row[unit]
            target[unit] += slope * upper[unit]
        target[width] += slope
    for unit in range(width):
        if upper[unit] == 0.0:
            back[unit] = 0.0


@kernel
def lower_units(turned: Any, hidden: Any, back_upper: Any, back: Any, gradient: Any) -> None:
    """Carry derivatives from the upper to the lower units, and add what each gives to the gradient."""
    width = len(hidden)
    for unit in range(width):
        back[unit] = 0.0
        gradient[width, unit] += back_upper[unit]
    for unit in range(width):
        slope = back_upper[unit]
        if slope != 0.0:
            row = turned[unit]
            for lower in range(width):
                back[lower] += slope * row[lower]
    for lower in range(width):
        value = hidden[lower]
        if value == 0.0:
            back[lower] = 0.0
        else:
            target = gradient[lower]
            for unit in range(width):
                target[unit] += value * back_upper[unit]


@kernel
def general_blame(outputs: Any, tried: Any, aims: Any, shares: Any, slopes: Any, losses: Any) -> None:
    """Write the derivative of the loss by each output into `slopes`; all moves of `tried` are legal."""
    error = outputs[GAIN_OUTPUT] - aims[0]
    losses[GAIN] += error * error
    slopes[GAIN_OUTPUT] = 2.0 * shares[GAIN] * error
    chance = 1.0 / (1.0 + np.exp(-np.float64(outputs[DEATH_OUTPUT])))
    losses[DEATH] -= aims[1] * np.log(chance + 1e-12) + (1.0 - aims[1]) * np.log(1.0 - chance + 1e-12)
    slopes[DEATH_OUTPUT] = shares[DEATH] * (chance - aims[1])
    most, total = -1e30, 0.0
    for move in range(len(tried)):
        most = max(most, np.float64(outputs[FIRST_MOVE_OUTPUT + move]))
    for move in range(len(tried)):
        total += np.exp(outputs[FIRST_MOVE_OUTPUT + move] - most)
    for move in range(len(tried)):
        log_chance = outputs[FIRST_MOVE_OUTPUT + move] - most - np.log(total)
        losses[POLICY] -= tried[move] * log_chance
        slopes[FIRST_MOVE_OUTPUT + move] = shares[POLICY] * (np.exp(log_chance) - tried[move])
