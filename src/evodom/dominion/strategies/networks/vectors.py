"""The inner loops of a network, forward and backward: rows of its numbers added up and added to.

Each is told twice, in plain NumPy and for a processor's vectors, and to the last bit the result is the same. Compiled,
the second runs; with it a decision takes a third of the time that loops over arrays take.
"""

from typing import Any

import numpy as np

from evodom.dominion.strategies.networks.features import N_FEATURES
from evodom.dominion.strategies.networks.layout import (
    CRITIC_UNITS,
    FIRST_CRITIC_UNIT,
    FIRST_OUTPUT,
    HIDDEN,
    N_OUTPUTS,
    WIDTH,
)
from evodom.jit.elementary import exp_plainly, write_exp
from evodom.jit.kernel import COMPILED
from evodom.jit.vectors import LANES, NUMBER, Writer, total_plainly, written

AGAIN = 2 * LANES - CRITIC_UNITS
"""Two vectors have room for so many more than the critic's units."""

N_OUTPUT_VECTORS = -(-N_OUTPUTS // LANES)
"""Vectors that hold all outputs; the last also holds what stands behind them."""


def add_rows_plainly(rows: Any, first: Any, features: Any, scales: Any, sums: Any) -> None:
    """Write into ``sums`` (WIDTH,) what all features come to, ``features[f] * scales[f]``, times their rows.

    The row of feature ``f`` begins at ``rows[first + f * WIDTH]``.
    """
    sums[:] = 0.0
    for feature in np.flatnonzero(features):
        value = np.float32(features[feature]) * scales[feature]
        sums += value * _row(rows, first, feature, WIDTH)


def add_to_rows_plainly(rows: Any, first: Any, features: Any, scales: Any, back: Any) -> None:
    """Add to the row of each feature what the feature comes to times ``back`` (WIDTH,)."""
    for feature in np.flatnonzero(features):
        value = np.float32(features[feature]) * scales[feature]
        _row(rows, first, feature, WIDTH)[:] += value * back


def add_outputs_plainly(rows: Any, first: Any, choices: Any, sums: Any) -> None:
    """Rectify the units in ``sums`` and add, for each output in the mask ``choices``, what they come to there.

    The row of output ``o``, with the weights of the units, begins at ``rows[first + o * HIDDEN]``.
    """
    units = sums[:HIDDEN]
    np.maximum(units, np.float32(0.0), out=units)
    for output in _outputs(choices):
        sums[FIRST_OUTPUT + output] += total_plainly(units * _row(rows, first, output, HIDDEN))


def critic_total_plainly(rows: Any, first: Any, sums: Any) -> Any:
    """Return what the critic's units, rectified, come to, with the weights that begin at ``rows[first]``."""
    units = np.maximum(sums[FIRST_CRITIC_UNIT:][:CRITIC_UNITS], np.float32(0.0))
    products = units * rows[first:][:CRITIC_UNITS]
    return total_plainly(np.concatenate([products[:LANES], np.zeros(AGAIN, np.float32), products[LANES:]]))


def softmax_plainly(sums: Any, choices: Any, sharpness: Any) -> None:
    """Turn what outputs are worth into the probabilities of the choices in a mask; the others get 0.

    ``sharpness`` multiplies what they are worth.
    """
    softmax_with_logs_plainly(sums, choices, sharpness, np.zeros(WIDTH, np.float32))


def softmax_with_logs_plainly(sums: Any, choices: Any, sharpness: Any, logs: Any) -> Any:
    """Do as `softmax`, and write the logarithms of the probabilities, relative to that of the likeliest, into ``logs``.

    ``logs`` (WIDTH,) has the outputs where ``sums`` has them, and 0 for no choice. Returns the inverse of the highest
    probability.
    """
    worths, lowered = sums[FIRST_OUTPUT:][:N_OUTPUTS], logs[FIRST_OUTPUT:][:N_OUTPUTS]
    chosen = _outputs(choices)
    lowered[:] = 0.0
    lowered[chosen] = np.float32(sharpness) * (worths[chosen] - worths[chosen].max())
    powers = np.zeros(N_OUTPUT_VECTORS * LANES, np.float32)
    powers[chosen] = exp_plainly(lowered[chosen])
    total = total_plainly(powers)
    worths[:] = (powers * (np.float32(1.0) / total))[:N_OUTPUTS]
    return total


def carry_outputs_back_plainly(rows: Any, gradient: Any, first: Any, choices: Any, sums: Any, back: Any) -> None:
    """Carry the slopes that ``back`` has for outputs to the units, and add to the outputs' rows in ``gradient``.

    ``sums`` is what `add_outputs` has left there; units that are 0 get no slope.
    """
    units = sums[:HIDDEN]
    back[:HIDDEN] = 0.0
    for output in _outputs(choices):
        slope = back[FIRST_OUTPUT + output]
        back[:HIDDEN] += slope * _row(rows, first, output, HIDDEN)
        _row(gradient, first, output, HIDDEN)[:] += slope * units
    back[:HIDDEN][units <= 0.0] = 0.0


def _row(rows: Any, first: Any, index: Any, width: int) -> Any:
    return rows[first + index * width :][:width]


def _outputs(choices: Any) -> list[int]:
    return [output for output in range(N_OUTPUTS) if (choices >> output) & 1]


def _write_add_rows(write: Writer, rows: Any, first: Any, features: Any, scales: Any, sums: Any) -> None:
    total = write.room(WIDTH)

    def add_row(feature: Any) -> None:
        row = write.load(rows, write.row_start(first, feature, WIDTH), WIDTH)
        write.add_to(total, write.scale(_value(write, features, scales, feature), row))

    write.each_not_zero(features, N_FEATURES, add_row)
    write.store(sums, write.zero, write.content(total))


def _write_add_to_rows(write: Writer, rows: Any, first: Any, features: Any, scales: Any, back: Any) -> None:
    slopes = write.load(back, write.zero, WIDTH)

    def add_to_row(feature: Any) -> None:
        start = write.row_start(first, feature, WIDTH)
        added = write.scale(_value(write, features, scales, feature), slopes)
        write.store(rows, start, write.add(write.load(rows, start, WIDTH), added))

    write.each_not_zero(features, N_FEATURES, add_to_row)


def _write_add_outputs(write: Writer, rows: Any, first: Any, choices: Any, sums: Any) -> None:
    units = write.load(sums, write.zero, HIDDEN)
    units = write.where(write.are_above(0.0, units), units)
    write.store(sums, write.zero, units)

    def add_output(output: Any) -> None:
        row = write.load(rows, write.row_start(first, output, HIDDEN), HIDDEN)
        worth = write.total(write.multiply(units, row))
        write.add_to_one(sums, write.plus(output, FIRST_OUTPUT), worth)

    write.each_bit(choices, add_output)


def _write_critic_total(write: Writer, rows: Any, first: Any, sums: Any) -> Any:
    products = []
    # The second vector reaches back over units of the first, which are left out.
    for unit, again in ((0, 0), (CRITIC_UNITS - LANES, AGAIN)):
        units = write.load(sums, write.plus(write.zero, FIRST_CRITIC_UNIT + unit), LANES)
        weights = write.load(rows, write.plus(first, unit), LANES)
        is_new = write.are_in(write.plus(write.zero, -1 << again & (1 << LANES) - 1), 1)
        products += write.multiply(write.where(is_new, write.where(write.are_above(0.0, units), units)), weights)
    return write.total(products)


def _write_softmax(write: Writer, sums: Any, choices: Any, sharpness: Any) -> None:
    _write_probabilities(write, sums, choices, sharpness)


def _write_softmax_with_logs(write: Writer, sums: Any, choices: Any, sharpness: Any, logs: Any) -> Any:
    lowered, total = _write_probabilities(write, sums, choices, sharpness)
    _write_outputs(write, logs, lowered)
    return total


def _write_probabilities(write: Writer, sums: Any, choices: Any, sharpness: Any) -> tuple[Any, Any]:
    """Write the softmax; return the logarithms of the probabilities less the highest, and its inverse."""
    worths = write.load(sums, write.plus(write.zero, FIRST_OUTPUT), N_OUTPUT_VECTORS * LANES)
    is_chosen = write.are_in(choices, N_OUTPUT_VECTORS)
    highest = write.highest(write.where(is_chosen, worths, -np.inf))
    lowered = write.where(is_chosen, write.scale(sharpness, write.lower(highest, worths)))
    powers = write.where(is_chosen, write_exp(write, lowered))
    total = write.total(powers)
    _write_outputs(write, sums, write.scale(write.inverse(total), powers))
    return lowered, total


def _write_outputs(write: Writer, row: Any, outputs: Any) -> None:
    """Write outputs into a row, which keeps what stands behind them."""
    start = write.plus(write.zero, FIRST_OUTPUT)
    is_output = write.are_in(write.plus(write.zero, (1 << N_OUTPUTS) - 1), N_OUTPUT_VECTORS)
    write.store(row, start, write.where(is_output, outputs, write.load(row, start, N_OUTPUT_VECTORS * LANES)))


def _write_carry_outputs_back(
    write: Writer, rows: Any, gradient: Any, first: Any, choices: Any, sums: Any, back: Any
) -> None:
    units = write.load(sums, write.zero, HIDDEN)
    slopes = write.room(HIDDEN)

    def carry_back(output: Any) -> None:
        slope = write.load_one(back, write.plus(output, FIRST_OUTPUT))
        start = write.row_start(first, output, HIDDEN)
        write.add_to(slopes, write.scale(slope, write.load(rows, start, HIDDEN)))
        write.store(gradient, start, write.add(write.load(gradient, start, HIDDEN), write.scale(slope, units)))

    write.each_bit(choices, carry_back)
    write.store(back, write.zero, write.where(write.are_above(0.0, units), write.content(slopes)))


def _value(write: Writer, features: Any, scales: Any, feature: Any) -> Any:
    """Write what a feature comes to."""
    return write.product(write.to_float(write.load_one(features, feature)), write.load_one(scales, feature))


add_rows: Any = written(_write_add_rows) if COMPILED else add_rows_plainly
add_to_rows: Any = written(_write_add_to_rows) if COMPILED else add_to_rows_plainly
add_outputs: Any = written(_write_add_outputs) if COMPILED else add_outputs_plainly
critic_total: Any = written(_write_critic_total, returns=NUMBER) if COMPILED else critic_total_plainly
softmax: Any = written(_write_softmax) if COMPILED else softmax_plainly
softmax_with_logs: Any = written(_write_softmax_with_logs, returns=NUMBER) if COMPILED else softmax_with_logs_plainly
carry_outputs_back: Any = written(_write_carry_outputs_back) if COMPILED else carry_outputs_back_plainly
