"""Sums, exp and log of kernels: seven correct digits, and the same bits as their NumPy definitions."""

import numpy as np
import pytest

from evodom.jit.kernel import kernel
from evodom.jit.vectors import MIN_POWER, NumpyBuilder, exp, in_numpy, log, write_exp, write_log

exp_numpy, log_numpy = in_numpy(write_exp), in_numpy(write_log)


def test_the_sum_of_a_row_is_that_of_numpy():
    numbers = np.random.default_rng(1).normal(size=48).astype(np.float32)

    assert NumpyBuilder().total(numbers) == pytest.approx(numbers.sum(), rel=1e-5)


POWERS = np.linspace(MIN_POWER, 88.0, 2001, dtype=np.float32)
NUMBERS = np.geomspace(2e-38, 3e38, 2001, dtype=np.float32)


@kernel
def exponentials(powers, found):
    for place in range(len(powers)):
        found[place] = exp(powers[place])


@kernel
def logarithms(numbers, found):
    for place in range(len(numbers)):
        found[place] = log(numbers[place])


@pytest.mark.parametrize(
    ("of_each", "definition", "exact", "given"),
    [(exponentials, exp_numpy, np.exp, POWERS), (logarithms, log_numpy, np.log, NUMBERS)],
    ids=["exp", "log"],
)
def test_exp_and_log_of_kernels_have_the_bits_of_their_numpy_definitions(of_each, definition, exact, given):
    found = np.zeros_like(given)

    of_each(given, found)

    assert (found == definition(given)).all()
    np.testing.assert_allclose(found, exact(given.astype(float)), rtol=2.5e-7, atol=6e-8)


def test_log_of_1_is_0_and_low_powers_are_clipped():
    assert log_numpy(np.ones(1, np.float32)) == 0.0
    assert exp_numpy(np.array([-1e30], np.float32)) == exp_numpy(np.array([MIN_POWER], np.float32)) > 0.0
