"""Adam against steps computed by hand."""

import numpy as np

from evodom.nn.optimiser import Adam


def test_two_steps_by_hand_in_float32():
    weights = np.array([1.0, 2.0], np.float32)
    adam = Adam.of(weights)

    # The first step goes by the learning rate, whatever the gradient's size.
    adam.step(weights, np.array([0.5, -2.0], np.float32), 0.1)
    np.testing.assert_allclose(weights, [0.9, 2.1], rtol=1e-6)

    # Means 0.055 / 0.19 and -0.18 / 0.19; squares 0.00025975 / 0.001999 and 0.003996 / 0.001999.
    adam.step(weights, np.array([0.1, 0.0], np.float32), 0.1)
    np.testing.assert_allclose(weights, [0.8196958, 2.1670059], rtol=1e-5)
    assert adam.n_steps == 2
    # A run that is resumed has the same numbers.
    assert {weights.dtype, adam.mean.dtype, adam.square.dtype} == {np.dtype(np.float32)}


def test_what_has_never_had_a_gradient_stays():
    weights = np.array([1.0, 1.0], np.float32)
    adam = Adam.of(weights)

    for _ in range(3):
        adam.step(weights, np.array([0.0, 1.0], np.float32), 0.01)

    assert weights[0] == 1.0
    assert weights[1] < 1.0
