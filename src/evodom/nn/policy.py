"""Vector loops of the networks of Dominion, forward and backward: a policy and a critic.

Each function `write_NAME` describes one loop to a builder, from which `jit.vectors` makes the kernel `NAME`. The
docstrings describe the kernels. Features are int8, and the majority is 0. Each feature has a row of weights to the
hidden units, the outputs, the critic's units and the critic's value, in this order. A mask selects the legal outputs.
"""

from typing import Any, NamedTuple

import numpy as np

from evodom.jit.vectors import LANES, LoopBuilder, write_exp


class PolicyShape(NamedTuple):
    """The sizes of a policy: its features, hidden units, outputs, and the units of its critic."""

    n_features: int
    hidden: int
    n_outputs: int
    critic_units: int

    @property
    def first_output(self) -> int:
        """The first column of the outputs in a row."""
        return self.hidden

    @property
    def first_critic_unit(self) -> int:
        """The first column of the critic's units in a row."""
        return self.first_output + self.n_outputs

    @property
    def value_column(self) -> int:
        """The column of the critic's value, after its units."""
        return self.first_critic_unit + self.critic_units

    @property
    def width(self) -> int:
        """The length of a row, rounded up to whole vectors. Columns after the value are not used."""
        return -(-(self.value_column + 1) // LANES) * LANES

    @property
    def n_output_vectors(self) -> int:
        """Number of vectors with all outputs. The last vector also contains the columns after the outputs."""
        return -(-self.n_outputs // LANES)


def write_add_rows(
    shape: PolicyShape, write: LoopBuilder, rows: object, first: object, features: object, scales: object, sums: object
) -> None:
    """Write the sum of the features' rows, each times ``features[f] * scales[f]``, into ``sums`` (width,).

    The row of feature ``f`` begins at ``rows[first + f * width]``.
    """
    total = write.accumulator(shape.width)

    def add_row(feature: object) -> None:
        row = write.load(rows, write.row_start(first, feature, shape.width), shape.width)
        write.add_to(total, write.scale(_scaled(write, features, scales, feature), row))

    write.each_not_zero(features, shape.n_features, add_row)
    write.store(sums, write.zero, write.read_accumulator(total))


def write_add_to_rows(
    shape: PolicyShape,
    write: LoopBuilder,
    rows: object,
    first: object,
    features: object,
    scales: object,
    slopes: object,
) -> None:
    """Add ``slopes`` (width,) times the scaled feature to the row of each feature."""
    loaded = write.load(slopes, write.zero, shape.width)

    def add_to_row(feature: object) -> None:
        start = write.row_start(first, feature, shape.width)
        added = write.scale(_scaled(write, features, scales, feature), loaded)
        write.store(rows, start, write.add(write.load(rows, start, shape.width), added))

    write.each_not_zero(features, shape.n_features, add_to_row)


def write_add_outputs(
    shape: PolicyShape, write: LoopBuilder, rows: object, first: object, choices: object, sums: object
) -> None:
    """Rectify the units in ``sums`` and add their contribution to each output in the mask ``choices``.

    The row of output ``o``, with the weights of the units, begins at ``rows[first + o * hidden]``.
    """
    units = write.load(sums, write.zero, shape.hidden)
    units = write.where(write.are_above(0.0, units), units)
    write.store(sums, write.zero, units)

    def add_output(output: object) -> None:
        row = write.load(rows, write.row_start(first, output, shape.hidden), shape.hidden)
        logit = write.total(write.multiply(units, row))
        write.add_to_one(sums, write.plus(output, shape.first_output), logit)

    write.each_bit(choices, add_output)


def write_critic_total(shape: PolicyShape, write: LoopBuilder, rows: object, first: object, sums: object) -> Any:
    """Return the weighted sum of the critic's rectified units. The weights begin at ``rows[first]``."""
    products = []
    # The second vector overlaps the first if there are fewer than 2 * LANES units. Units in both are masked in it.
    for unit, n_repeated in ((0, 0), (shape.critic_units - LANES, 2 * LANES - shape.critic_units)):
        units = write.load(sums, write.plus(write.zero, shape.first_critic_unit + unit), LANES)
        weights = write.load(rows, write.plus(first, unit), LANES)
        is_new = write.are_in(write.plus(write.zero, -1 << n_repeated & (1 << LANES) - 1), 1)
        products.append(write.multiply(write.where(is_new, write.where(write.are_above(0.0, units), units)), weights))
    return write.total(write.joined(*products))


def write_softmax(shape: PolicyShape, write: LoopBuilder, sums: object, choices: object, sharpness: object) -> None:
    """Replace logits by the probabilities of the choices in a mask. Other outputs get 0.

    ``sharpness`` is the inverse temperature.
    """
    _write_probabilities(shape, write, sums, choices, sharpness)


def write_softmax_with_logs(
    shape: PolicyShape, write: LoopBuilder, sums: object, choices: object, sharpness: object, logs: object
) -> Any:
    """Do the same as `write_softmax`. Also write log-probabilities relative to the likeliest choice into ``logs``.

    ``logs`` (width,) has the outputs at the same indices as ``sums``, and 0 for other outputs. Return the inverse of
    the highest probability.
    """
    log_ratios, total = _write_probabilities(shape, write, sums, choices, sharpness)
    _write_outputs(shape, write, logs, log_ratios)
    return total


def _write_probabilities(
    shape: PolicyShape, write: LoopBuilder, sums: object, choices: object, sharpness: object
) -> tuple[Any, Any]:
    """Write the softmax. Return the log-probabilities relative to the most likely choice, and the inverse of its
    probability.
    """
    logits = write.load(sums, write.plus(write.zero, shape.first_output), shape.n_output_vectors * LANES)
    is_chosen = write.are_in(choices, shape.n_output_vectors)
    highest = write.highest(write.where(is_chosen, logits, -np.inf))
    log_ratios = write.where(is_chosen, write.scale(sharpness, write.subtract_number(logits, highest)))
    powers = write.where(is_chosen, write_exp(write, log_ratios))
    total = write.total(powers)
    _write_outputs(shape, write, sums, write.scale(write.inverse(total), powers))
    return log_ratios, total


def _write_outputs(shape: PolicyShape, write: LoopBuilder, row: object, outputs: list[Any]) -> None:
    """Write outputs into a row without a change of the numbers after them."""
    start = write.plus(write.zero, shape.first_output)
    is_output = write.are_in(write.plus(write.zero, (1 << shape.n_outputs) - 1), shape.n_output_vectors)
    write.store(row, start, write.where(is_output, outputs, write.load(row, start, shape.n_output_vectors * LANES)))


def write_backpropagate_outputs(
    shape: PolicyShape,
    write: LoopBuilder,
    rows: object,
    gradient: object,
    first: object,
    choices: object,
    sums: object,
    slopes: object,
) -> None:
    """Propagate the outputs' derivatives in ``slopes`` to the units, and add to the outputs' rows in ``gradient``.

    ``sums`` is the result of `write_add_outputs`. Units that are 0 get no derivative.
    """
    units = write.load(sums, write.zero, shape.hidden)
    total = write.accumulator(shape.hidden)

    def carry_back(output: object) -> None:
        slope = write.load_one(slopes, write.plus(output, shape.first_output))
        start = write.row_start(first, output, shape.hidden)
        write.add_to(total, write.scale(slope, write.load(rows, start, shape.hidden)))
        write.store(gradient, start, write.add(write.load(gradient, start, shape.hidden), write.scale(slope, units)))

    write.each_bit(choices, carry_back)
    write.store(slopes, write.zero, write.where(write.are_above(0.0, units), write.read_accumulator(total)))


def _scaled(write: LoopBuilder, features: object, scales: object, feature: object) -> Any:
    """Emit the product of a feature and its scale, and return it."""
    return write.product(write.to_float(write.load_one(features, feature)), write.load_one(scales, feature))
