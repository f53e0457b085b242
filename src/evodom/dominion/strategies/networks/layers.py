"""Layers of a network: the layout of its weights, the forward pass, and the vector loops forward and backward.

A network consists of four networks of equal shape, one for each kind of decision, each with a critic. Each has a layer
of HIDDEN rectified units (ReLU) and a linear part. Row `f` of `inputs` holds the weights of feature `f` for the units,
the outputs, the critic's units and its value. `outputs` and `critic` hold the weights of the units.

Each vector loop is a function of a builder (`jit.vectors`), which writes its code for SIMD registers.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.rules import N_MODEL_PILES, PASS
from evodom.dominion.engine.state import State
from evodom.dominion.strategies.base import FloatArray, IntArray
from evodom.dominion.strategies.networks.features import N_FEATURES, SCALES
from evodom.jit.kernel import kernel, random_float
from evodom.jit.vectors import LANES, NUMBER, LoopBuilder, simd_kernel, write_exp

GAIN, PLAY, TRASH, CARDS = range(4)
"""Kinds of decisions: gain a card, play an Action, trash a card, and all other choices of cards."""

KIND_NAMES = ("gain", "play", "trash", "other cards")
N_KINDS = len(KIND_NAMES)

PASS_OUTPUT = N_MODEL_PILES
N_OUTPUTS = N_MODEL_PILES + 1
"""The logit of each pile, and of passing."""

HIDDEN = 48
"""Hidden units of a policy. With the outputs, the critic's units and its value a row of ``inputs`` has 96 numbers."""


CRITIC_UNITS = 29

FIRST_OUTPUT = HIDDEN
FIRST_CRITIC_UNIT = FIRST_OUTPUT + N_OUTPUTS
VALUE_COLUMN = FIRST_CRITIC_UNIT + CRITIC_UNITS
WIDTH = VALUE_COLUMN + 1
"""Offsets of the parts of a row, and its length."""

NETWORK = np.dtype(
    [
        ("inputs", "<f4", (N_KINDS, N_FEATURES, WIDTH)),
        ("outputs", "<f4", (N_KINDS, N_OUTPUTS, HIDDEN)),
        ("critic", "<f4", (N_KINDS, CRITIC_UNITS)),
    ]
)
"""One network for one kingdom."""

N_WEIGHTS = NETWORK.itemsize // 4

Weights = npt.NDArray[np.float32]
"""The weights of a network as one vector, (N_WEIGHTS,)."""

OUTPUTS = N_KINDS * N_FEATURES * WIDTH
CRITIC = OUTPUTS + N_KINDS * HIDDEN * N_OUTPUTS
"""Offsets of the second and the third part of NETWORK in the vector."""


LINE = 64
"""Bytes of a cache line. A network starts at a line, and so do its rows of ``inputs`` and ``outputs``: sums over them
are a fifth faster.
"""


WEIGHTS = np.dtype(
    (
        np.record,
        {"names": ["weights"], "formats": [("<f4", (N_WEIGHTS,))], "itemsize": -(-4 * N_WEIGHTS // LINE) * LINE},
    )
)
"""The weights of a network in an array of networks, padded to whole cache lines."""


Networks = npt.NDArray[np.void]
"""An array of WEIGHTS. The index of a network is in the records of its strategies."""


def new_networks(n: int) -> Networks:
    """Return ``n`` networks of zeros."""
    room = np.zeros(n * WEIGHTS.itemsize + LINE, np.uint8)
    start = -room.ctypes.data % LINE
    return room[start : start + n * WEIGHTS.itemsize].view(WEIGHTS)


def networks_of(weights: FloatArray) -> Networks:
    """Return a copy of weights, (N_WEIGHTS,) or (n, N_WEIGHTS), as an array of networks."""
    networks = new_networks(len(np.atleast_2d(weights)))
    networks["weights"] = weights
    return networks


def zero_weights() -> Weights:
    """Return a network of zeros, (N_WEIGHTS,)."""
    weights: Weights = new_networks(1)["weights"][0]
    return weights


def copy_weights(weights: FloatArray) -> Weights:
    """Return a copy of a network's weights, (N_WEIGHTS,) of any array."""
    copy: Weights = networks_of(weights)["weights"][0]
    return copy


def network_arrays(weights: Weights) -> Any:
    """Return the vector as a record of NETWORK, a view."""
    return weights.view(NETWORK)[0]


N_OVERLAPPING = 2 * LANES - CRITIC_UNITS
"""Lanes of the second vector of critic units that repeat units of the first."""

N_OUTPUT_VECTORS = -(-N_OUTPUTS // LANES)
"""Number of vectors with all outputs. The last vector also contains the columns after the outputs."""


def _write_add_rows(
    write: LoopBuilder, rows: object, first: object, features: object, scales: object, sums: object
) -> None:
    """Write the sum of the features' rows, each times ``features[f] * scales[f]``, into ``sums`` (WIDTH,).

    The row of feature ``f`` begins at ``rows[first + f * WIDTH]``.
    """
    total = write.accumulator(WIDTH)

    def add_row(feature: object) -> None:
        row = write.load(rows, write.row_start(first, feature, WIDTH), WIDTH)
        write.add_to(total, write.scale(_value(write, features, scales, feature), row))

    write.each_not_zero(features, N_FEATURES, add_row)
    write.store(sums, write.zero, write.read_accumulator(total))


def _write_add_to_rows(
    write: LoopBuilder, rows: object, first: object, features: object, scales: object, slopes: object
) -> None:
    """Add ``slopes`` (WIDTH,) times the scaled feature to the row of each feature."""
    loaded = write.load(slopes, write.zero, WIDTH)

    def add_to_row(feature: object) -> None:
        start = write.row_start(first, feature, WIDTH)
        added = write.scale(_value(write, features, scales, feature), loaded)
        write.store(rows, start, write.add(write.load(rows, start, WIDTH), added))

    write.each_not_zero(features, N_FEATURES, add_to_row)


def _write_add_outputs(write: LoopBuilder, rows: object, first: object, choices: object, sums: object) -> None:
    """Rectify the units in ``sums`` and add their contribution to each output in the mask ``choices``.

    The row of output ``o``, with the weights of the units, begins at ``rows[first + o * HIDDEN]``.
    """
    units = write.load(sums, write.zero, HIDDEN)
    units = write.where(write.are_above(0.0, units), units)
    write.store(sums, write.zero, units)

    def add_output(output: object) -> None:
        row = write.load(rows, write.row_start(first, output, HIDDEN), HIDDEN)
        logit = write.total(write.multiply(units, row))
        write.add_to_one(sums, write.plus(output, FIRST_OUTPUT), logit)

    write.each_bit(choices, add_output)


def _write_critic_total(write: LoopBuilder, rows: object, first: object, sums: object) -> Any:
    """Return the weighted sum of the critic's rectified units. The weights begin at ``rows[first]``."""
    products = []
    # The second vector overlaps the first. Units in both are masked in the second.
    for unit, n_repeated in ((0, 0), (CRITIC_UNITS - LANES, N_OVERLAPPING)):
        units = write.load(sums, write.plus(write.zero, FIRST_CRITIC_UNIT + unit), LANES)
        weights = write.load(rows, write.plus(first, unit), LANES)
        is_new = write.are_in(write.plus(write.zero, -1 << n_repeated & (1 << LANES) - 1), 1)
        products.append(write.multiply(write.where(is_new, write.where(write.are_above(0.0, units), units)), weights))
    return write.total(write.joined(*products))


def _write_softmax(write: LoopBuilder, sums: object, choices: object, sharpness: object) -> None:
    """Replace logits by the probabilities of the choices in a mask. Other outputs get 0.

    ``sharpness`` is the inverse temperature.
    """
    _write_probabilities(write, sums, choices, sharpness)


def _write_softmax_with_logs(write: LoopBuilder, sums: object, choices: object, sharpness: object, logs: object) -> Any:
    """Compute `softmax`, and write log-probabilities relative to the most likely choice into ``logs``.

    ``logs`` (WIDTH,) has the outputs at the same indices as ``sums``, and 0 for other outputs. Return the inverse of
    the highest probability.
    """
    log_ratios, total = _write_probabilities(write, sums, choices, sharpness)
    _write_outputs(write, logs, log_ratios)
    return total


def _write_probabilities(write: LoopBuilder, sums: object, choices: object, sharpness: object) -> tuple[Any, Any]:
    """Write the softmax. Return the log-probabilities relative to the most likely choice, and the inverse of its
    probability.
    """
    logits = write.load(sums, write.plus(write.zero, FIRST_OUTPUT), N_OUTPUT_VECTORS * LANES)
    is_chosen = write.are_in(choices, N_OUTPUT_VECTORS)
    highest = write.highest(write.where(is_chosen, logits, -np.inf))
    log_ratios = write.where(is_chosen, write.scale(sharpness, write.subtract_number(logits, highest)))
    powers = write.where(is_chosen, write_exp(write, log_ratios))
    total = write.total(powers)
    _write_outputs(write, sums, write.scale(write.inverse(total), powers))
    return log_ratios, total


def _write_outputs(write: LoopBuilder, row: object, outputs: list[Any]) -> None:
    """Write outputs into a row without a change of the numbers after them."""
    start = write.plus(write.zero, FIRST_OUTPUT)
    is_output = write.are_in(write.plus(write.zero, (1 << N_OUTPUTS) - 1), N_OUTPUT_VECTORS)
    write.store(row, start, write.where(is_output, outputs, write.load(row, start, N_OUTPUT_VECTORS * LANES)))


def _write_backpropagate_outputs(
    write: LoopBuilder, rows: object, gradient: object, first: object, choices: object, sums: object, slopes: object
) -> None:
    """Propagate the outputs' derivatives in ``slopes`` to the units, and add to the outputs' rows in ``gradient``.

    ``sums`` is the result of `add_outputs`. Units that are 0 get no derivative.
    """
    units = write.load(sums, write.zero, HIDDEN)
    total = write.accumulator(HIDDEN)

    def carry_back(output: object) -> None:
        slope = write.load_one(slopes, write.plus(output, FIRST_OUTPUT))
        start = write.row_start(first, output, HIDDEN)
        write.add_to(total, write.scale(slope, write.load(rows, start, HIDDEN)))
        write.store(gradient, start, write.add(write.load(gradient, start, HIDDEN), write.scale(slope, units)))

    write.each_bit(choices, carry_back)
    write.store(slopes, write.zero, write.where(write.are_above(0.0, units), write.read_accumulator(total)))


def _value(write: LoopBuilder, features: object, scales: object, feature: object) -> Any:
    """Write the scaled feature."""
    return write.product(write.to_float(write.load_one(features, feature)), write.load_one(scales, feature))


add_rows: Any = simd_kernel(_write_add_rows)
add_to_rows: Any = simd_kernel(_write_add_to_rows)
add_outputs: Any = simd_kernel(_write_add_outputs)
critic_total: Any = simd_kernel(_write_critic_total, returns=NUMBER)
softmax: Any = simd_kernel(_write_softmax)
softmax_with_logs: Any = simd_kernel(_write_softmax_with_logs, returns=NUMBER)
backpropagate_outputs: Any = simd_kernel(_write_backpropagate_outputs)


TRAINING_SHARPNESS, PLAY_SHARPNESS = 1.0, 4.0
"""Inverse temperatures in training and in play. Training explores; play nearly always takes the most likely choice.
docs/reference/learning.md has the gain in wins.
"""


@kernel
def forward(weights: FloatArray, kind: int, choices: int, features: IntArray, sums: FloatArray) -> None:
    """Run the forward pass: write the units, the logits of the choices and the critic's units into ``sums``, (WIDTH,).

    ``choices`` is a mask of outputs. Other outputs have no valid logit.
    """
    add_rows(weights, first_feature_row(kind), features, SCALES, sums)
    add_outputs(weights, first_output_row(kind), choices, sums)


@kernel
def first_feature_row(kind: int) -> Any:
    """Return the offset of the feature rows of a kind."""
    return kind * (N_FEATURES * WIDTH)


@kernel
def first_output_row(kind: int) -> Any:
    """Return the offset of the output rows of a kind."""
    return OUTPUTS + kind * (N_OUTPUTS * HIDDEN)


@kernel
def predicted_value(weights: FloatArray, kind: int, sums: FloatArray) -> Any:
    """Return the predicted return of the deciding seat, after `forward`."""
    return sums[VALUE_COLUMN] + critic_total(weights, CRITIC + kind * CRITIC_UNITS, sums)


@kernel
def outputs_of(choices: int) -> int:
    """Return the mask of the outputs for a mask of piles and PASS."""
    return (choices & ((1 << N_MODEL_PILES) - 1)) | ((choices >> PASS) & 1) << PASS_OUTPUT


@kernel
def choice_of(output: int) -> int:
    """Return the pile of an output, or PASS."""
    return PASS if output == PASS_OUTPUT else output


@kernel
def sample_output(state: State, sums: FloatArray) -> Any:
    """Draw an output by the probabilities in ``sums``, from the stream of the deciding seat."""
    point = random_float(state.strategy_streams, state.decider)
    last = PASS_OUTPUT
    for output in range(N_OUTPUTS):
        if sums[FIRST_OUTPUT + output] > 0.0:
            last = output
            point -= sums[FIRST_OUTPUT + output]
            if point < 0.0:
                break
    return last
