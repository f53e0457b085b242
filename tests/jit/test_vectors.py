"""Rows of numbers in plain NumPy, as loops for vectors have them.

The exponential and the logarithm of kernels: right to seven digits, and the same bits as their plain definitions.
"""

import numpy as np
import pytest

from evodom.jit.kernel import kernel
from evodom.jit.vectors import LEAST_POWER, exp, exp_numpy, log, log_numpy, sum_numpy


def test_a_row_is_added_up_to_the_sum_of_its_numbers():
    numbers = np.random.default_rng(1).normal(size=48).astype(np.float32)

    assert sum_numpy(numbers) == pytest.approx(numbers.sum(), rel=1e-5)


POWERS = np.linspace(LEAST_POWER, 88.0, 2001, dtype=np.float32)
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
    ("of_each", "plainly", "truly", "given"),
    [(exponentials, exp_numpy, np.exp, POWERS), (logarithms, log_numpy, np.log, NUMBERS)],
    ids=["exp", "log"],
)
def test_kernels_have_an_exponential_and_a_logarithm_of_their_own(of_each, plainly, truly, given):
    found = np.zeros_like(given)

    of_each(given, found)

    assert (found == plainly(given)).all()
    np.testing.assert_allclose(found, truly(given.astype(float)), rtol=2.5e-7, atol=6e-8)


def test_the_logarithm_of_one_is_nothing_and_low_powers_are_all_as_one():
    assert log_numpy(np.ones(1, np.float32)) == 0.0
    assert exp_numpy(np.array([-1e30], np.float32)) == exp_numpy(np.array([LEAST_POWER], np.float32)) > 0.0
