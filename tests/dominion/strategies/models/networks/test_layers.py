"""SIMD loops give the same bits with and without compilation."""

from functools import partial

import numpy as np
import pytest
from numba import TypingError, njit

from evodom.dominion.engine.observation import N_FEATURES, SCALES
from evodom.dominion.strategies.models.networks import layers as vectors
from evodom.dominion.strategies.models.networks.layers import CRITIC_UNITS, N_OUTPUTS, N_WEIGHTS, OUTPUTS_OFFSET, WIDTH
from evodom.jit.vectors import in_numpy
from evodom.nn import policy


def compiled(name):
    """Return a compiled function that calls a loop of kernels."""
    loop = getattr(vectors, name)

    @njit
    def call(*arguments):
        return loop(*arguments)

    return call


def drawn(seed):
    """Return weights, features of which some are not 0, a mask of choices, and two rows."""
    rng = np.random.default_rng(seed)
    features = np.where(rng.random(N_FEATURES) < 0.3, rng.integers(-128, 128, N_FEATURES), 0).astype(np.int8)
    # The first and the last feature, and those where a word of the mask ends and the next begins.
    features[[0, 63, 64, N_FEATURES - 1]] = rng.integers(1, 9, 4)
    rows = rng.normal(size=(2, WIDTH)).astype(np.float32)
    return rng.normal(size=N_WEIGHTS).astype(np.float32), features, int(rng.integers(1 << N_OUTPUTS)), rows[0], rows[1]


def both(compiled, plain, arguments):
    """Call a loop in both ways, each with arrays of its own, and return the arrays of each and what came back."""
    for loop in (compiled, plain):
        own = [one.copy() if isinstance(one, np.ndarray) else one for one in arguments]
        found = loop(*own)
        yield [*(one for one in own if isinstance(one, np.ndarray)), found]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    "name",
    ["add_rows", "add_to_rows", "add_outputs", "critic_total", "softmax", "softmax_with_logs", "backpropagate_outputs"],
)
def test_a_simd_loop_equals_its_computation_with_numpy(name, seed):
    weights, features, choices, sums, back = drawn(seed)
    arguments = {
        "add_rows": (weights, N_FEATURES * WIDTH, features, SCALES, sums),
        "add_to_rows": (weights, N_FEATURES * WIDTH, features, SCALES, back),
        "add_outputs": (weights, OUTPUTS_OFFSET, choices, sums),
        "critic_total": (weights, N_WEIGHTS - CRITIC_UNITS, sums),
        "softmax": (np.float32(40.0) * sums, choices, 4.0),
        "softmax_with_logs": (sums, choices, 1.0, back),
        "backpropagate_outputs": (weights, weights + np.float32(1.0), OUTPUTS_OFFSET, choices, sums, back),
    }[name]

    written, told = both(compiled(name), in_numpy(partial(getattr(policy, f"write_{name}"), vectors.SHAPE)), arguments)

    for one, other in zip(written, told, strict=True):
        np.testing.assert_array_equal(one, other)
    given = [one for one in arguments if isinstance(one, np.ndarray)]
    assert told[-1] or any((one != before).any() for one, before in zip(told, given, strict=False))


def test_arrays_that_are_not_contiguous_are_refused():
    weights, features, _, sums, _ = drawn(1)

    with pytest.raises(TypingError):
        compiled("add_rows")(weights[::2], 0, features, SCALES, sums)
