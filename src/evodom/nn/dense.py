"""Dense layers of any width for kernels, forward and backward: the networks of fights.

The majority of a layer's inputs are 0. Each loop adds the rows of the others, and LLVM vectorises it. Loops
of `jit.vectors` were no faster for layers of 128 units.
"""

import numpy as np
import numpy.typing as npt

from evodom.jit.kernel import kernel

Vector = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int32]
Indices = npt.NDArray[np.int64]


@kernel
def layer(weights: Vector, first: int, inputs: Vector, sums: Vector) -> int:
    """Compute a layer whose weights begin at `first`. Return where the next layer's weights begin."""
    width, n = len(sums), len(inputs)
    biases = weights[first + n * width : first + (n + 1) * width]
    for column in range(width):
        sums[column] = biases[column]
    for number in range(n):
        value = inputs[number]
        if value != 0.0:
            row = weights[first + number * width : first + (number + 1) * width]
            for column in range(width):
                sums[column] += value * row[column]
    return first + (n + 1) * width


@kernel
def rectify(values: Vector) -> None:
    """Set negative values to 0."""
    for place in range(len(values)):
        values[place] = max(values[place], np.float32(0.0))


@kernel
def forward(weights: Vector, features: Vector, first: Vector, second: Vector, outputs: Vector) -> None:
    """Compute a network's outputs and its hidden layers `first` and `second`, (width,)."""
    start = layer(weights, 0, features, first)
    rectify(first)
    start = layer(weights, start, first, second)
    rectify(second)
    layer(weights, start, second, outputs)


@kernel
def forward_hidden(first: Vector, second: Vector, inputs: Rows, values: Vector, lower: Vector, upper: Vector) -> None:
    """Compute both hidden layers of a position."""
    width = len(lower)
    for unit in range(width):
        lower[unit] = 0.0
        upper[unit] = second[width, unit]
    for place in range(len(inputs)):
        row, value = first[inputs[place]], values[place]
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
def backward_hidden(transposed: Vector, lower: Vector, back_upper: Vector, back: Vector, gradient: Vector) -> None:
    """Propagate derivatives from the upper to the lower units, and add to the gradient of the second layer."""
    width = len(lower)
    for unit in range(width):
        back[unit] = 0.0
        gradient[width, unit] += back_upper[unit]
    for unit in range(width):
        slope = back_upper[unit]
        if slope != 0.0:
            row = transposed[unit]
            for source in range(width):
                back[source] += slope * row[source]
    for source in range(width):
        value = lower[source]
        if value == 0.0:
            back[source] = 0.0
        else:
            gradient_row = gradient[source]
            for unit in range(width):
                gradient_row[unit] += value * back_upper[unit]
