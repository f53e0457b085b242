"""The inner loops of a network, forward and backward: rows of its numbers added up and added to.

Each is told twice, in plain NumPy and for a processor's vectors, and to the last bit the result is the same. Compiled,
the second runs; with it a decision takes a third of the time that loops over arrays take.
"""

from typing import Any

import numpy as np

from evodom.dominion.strategies.networks.features import N_FEATURES
from evodom.dominion.strategies.networks.layout import FIRST_OUTPUT, HIDDEN, N_OUTPUTS, WIDTH
from evodom.kernel import COMPILED
from evodom.vectors import Writer, written

N_SUMS = 4
"""A product of units and their weights is summed in so many sums, which a processor can add up side by side."""


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
        partial = np.zeros(N_SUMS, np.float32)
        for some in (units * _row(rows, first, output, HIDDEN)).reshape(-1, N_SUMS):
            partial += some
        sums[FIRST_OUTPUT + output] += (partial[0] + partial[1]) + (partial[2] + partial[3])


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
    units = write.where_positive(units, units)
    write.store(sums, write.zero, units)

    def add_output(output: Any) -> None:
        row = write.load(rows, write.row_start(first, output, HIDDEN), HIDDEN)
        worth = write.total(write.multiply(units, row), N_SUMS)
        write.add_to_one(sums, write.plus(output, FIRST_OUTPUT), worth)

    write.each_bit(choices, add_output)


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
    write.store(back, write.zero, write.where_positive(units, write.content(slopes)))


def _value(write: Writer, features: Any, scales: Any, feature: Any) -> Any:
    """Write what a feature comes to."""
    return write.product(write.to_float(write.load_one(features, feature)), write.load_one(scales, feature))


add_rows: Any = written(_write_add_rows) if COMPILED else add_rows_plainly
add_to_rows: Any = written(_write_add_to_rows) if COMPILED else add_to_rows_plainly
add_outputs: Any = written(_write_add_outputs) if COMPILED else add_outputs_plainly
carry_outputs_back: Any = written(_write_carry_outputs_back) if COMPILED else carry_outputs_back_plainly
