"""Dense layers of any width for kernels, forward and backward: the networks of fights.

The majority of a layer's inputs are 0. Each loop adds the weight rows of the nonzero inputs, and LLVM vectorises it.
Loops of `jit.vectors` were no faster for layers of 128 units.
"""

import numpy as np
import numpy.typing as npt

from evodom.jit.kernel import kernel

Vector = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int32]
Indices = npt.NDArray[np.int64]


@kernel
def layer(weights: Vector, begin: int, inputs: Vector, sums: Vector) -> int:
    """Write a layer's sums. Its weights begin at index `begin`. Return the index at which the next layer's begin."""
    width, n = len(sums), len(inputs)
    biases = weights[begin + n * width : begin + (n + 1) * width]
    for column in range(width):
        sums[column] = biases[column]
    for number in range(n):
        value = inputs[number]
        if value != 0.0:
            row = weights[begin + number * width : begin + (number + 1) * width]
            for column in range(width):
                sums[column] += value * row[column]
    return begin + (n + 1) * width


@kernel
def rectify(values: Vector) -> None:
    """Set negative values to 0."""
    for place in range(len(values)):
        values[place] = max(values[place], np.float32(0.0))


@kernel
def forward(weights: Vector, features: Vector, lower: Vector, upper: Vector, outputs: Vector) -> None:
    """Write a network's hidden layers into `lower` and `upper`, (width,), and its outputs into `outputs`."""
    begin = layer(weights, 0, features, lower)
    rectify(lower)
    begin = layer(weights, begin, lower, upper)
    rectify(upper)
    layer(weights, begin, upper, outputs)


@kernel
def forward_hidden(first: Vector, second: Vector, indices: Rows, values: Vector, lower: Vector, upper: Vector) -> None:
    """Write both hidden layers into `lower` and `upper`. `first` and `second` are their weights.

    `indices` are the nonzero features of a position, and `values` are the values of these features.
    """
    width = len(lower)
    for unit in range(width):
        lower[unit] = 0.0
        upper[unit] = second[width, unit]
    for place in range(len(indices)):
        row, value = first[indices[place]], values[place]
        for unit in range(width):
            lower[unit] += value * row[unit]
    rectify(lower)
    for source in range(width):
        value = lower[source]
        if value != 0.0:
            row = second[source]
            for unit in range(width):
                upper[unit] += value * row[unit]
    rectify(upper)


@kernel
def backward_hidden(transposed: Vector, lower: Vector, upper_slopes: Vector, slopes: Vector, gradient: Vector) -> None:
    """Write the derivatives by the lower units into `slopes`, and add to the `gradient` of the second weights.

    `upper_slopes` are the derivatives by the upper units. `transposed` are the second weights, transposed.
    """
    width = len(lower)
    for unit in range(width):
        slopes[unit] = 0.0
        gradient[width, unit] += upper_slopes[unit]
    for unit in range(width):
        slope = upper_slopes[unit]
        if slope != 0.0:
            row = transposed[unit]
            for source in range(width):
                slopes[source] += slope * row[source]
    for source in range(width):
        value = lower[source]
        if value == 0.0:
            slopes[source] = 0.0
        else:
            gradient_row = gradient[source]
            for unit in range(width):
                gradient_row[unit] += value * upper_slopes[unit]
