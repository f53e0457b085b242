"""Rows of numbers in plain NumPy, as loops for vectors have them."""

import numpy as np
import pytest

from evodom.jit.vectors import total_plainly


def test_a_row_is_added_up_to_the_sum_of_its_numbers():
    numbers = np.random.default_rng(1).normal(size=48).astype(np.float32)

    assert total_plainly(numbers) == pytest.approx(numbers.sum(), rel=1e-5)
