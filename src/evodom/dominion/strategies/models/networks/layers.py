"""Define the layers of a network: the layout of its weights, and the forward pass.

A network consists of five policies of equal shape, one for each kind of decision, each with a critic. A policy has a
layer of HIDDEN rectified units (ReLU) and a linear part. Row `f` of `inputs` has the weights of feature `f` for the
units, the outputs, the critic's units and the critic's value. `outputs` and `critic` have the weights of the units.

`nn.policy` has the vector loops, forward and backward.
"""

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.observation import N_FEATURES, SCALES
from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.engine.state import State
from evodom.dominion.strategies.base import FloatArray, IntArray
from evodom.jit.kernel import kernel, random_float
from evodom.jit.vectors import NUMBER, simd_kernel
from evodom.nn import policy
from evodom.nn.policy import PolicyShape

GAIN, PLAY, TRASH, CARDS, OPTION = range(5)
"""Kinds of decisions: gain a card, play an Action, trash a card, all other choices of cards, and choose an option."""

KIND_NAMES = ("gain", "play", "trash", "other cards", "option")
N_KINDS = len(KIND_NAMES)

PASS_OUTPUT = N_MODEL_PILES
N_OUTPUTS = N_MODEL_PILES + 1
"""The outputs are the logits of the piles and, last, of passing. In a choice of options they are the logits of all
options of the kingdom's cards, in the order of `Rules.effects`, and of passing.
"""

HIDDEN = 48
"""Hidden units of a policy."""

CRITIC_UNITS = 29

SHAPE = PolicyShape(N_FEATURES, HIDDEN, N_OUTPUTS, CRITIC_UNITS)

FIRST_OUTPUT, FIRST_CRITIC_UNIT, WIDTH = SHAPE.first_output, SHAPE.first_critic_unit, SHAPE.width
VALUE_COLUMN = SHAPE.value_column
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

OUTPUTS_OFFSET = N_KINDS * N_FEATURES * WIDTH
CRITIC_OFFSET = OUTPUTS_OFFSET + N_KINDS * HIDDEN * N_OUTPUTS
"""Offsets of the second and the third part of NETWORK in the vector."""


ALIGN = 64
"""Bytes of a cache line. Networks and rows of ``inputs`` and ``outputs`` start at one: sums are a fifth faster."""


WEIGHTS = np.dtype(
    (
        np.record,
        {"names": ["weights"], "formats": [("<f4", (N_WEIGHTS,))], "itemsize": -(-4 * N_WEIGHTS // ALIGN) * ALIGN},
    )
)
"""The weights of a network in an array of networks, padded to whole cache lines."""


Networks = npt.NDArray[np.void]
"""An array of WEIGHTS. The index of a network is in the records of its strategies."""


def new_networks(n: int) -> Networks:
    """Return ``n`` networks of zeros."""
    room = np.zeros(n * WEIGHTS.itemsize + ALIGN, np.uint8)
    start = -room.ctypes.data % ALIGN
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


add_rows: Any = simd_kernel(partial(policy.write_add_rows, SHAPE))
add_to_rows: Any = simd_kernel(partial(policy.write_add_to_rows, SHAPE))
add_outputs: Any = simd_kernel(partial(policy.write_add_outputs, SHAPE))
critic_total: Any = simd_kernel(partial(policy.write_critic_total, SHAPE), returns=NUMBER)
softmax: Any = simd_kernel(partial(policy.write_softmax, SHAPE))
softmax_with_logs: Any = simd_kernel(partial(policy.write_softmax_with_logs, SHAPE), returns=NUMBER)
backpropagate_outputs: Any = simd_kernel(partial(policy.write_backpropagate_outputs, SHAPE))


TRAINING_SHARPNESS = 1.0
"""Inverse temperature in training, which explores."""

PLAY_SHARPNESS = 4.0
"""Inverse temperature in play, which nearly always takes the most likely choice (docs/reference/learning.md)."""


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
    return OUTPUTS_OFFSET + kind * (N_OUTPUTS * HIDDEN)


@kernel
def predicted_value(weights: FloatArray, kind: int, sums: FloatArray) -> Any:
    """Return the predicted return of the deciding seat, after `forward`."""
    return sums[VALUE_COLUMN] + critic_total(weights, CRITIC_OFFSET + kind * CRITIC_UNITS, sums)


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
