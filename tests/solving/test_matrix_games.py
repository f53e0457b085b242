"""Mixtures of matrix games: a known equilibrium, and the values of another linear program."""

import numpy as np
import pytest
from scipy.optimize import linprog

from evodom.solving.matrix_games import optimal_mixture


def test_no_mixture_has_a_higher_lowest_payoff():
    assert optimal_mixture(np.array([[0.0, -1, 2], [1, 0, -1], [-2, 1, 0]])) == pytest.approx([1 / 4, 1 / 2, 1 / 4])
    rng = np.random.default_rng(1)
    for number in range(60):
        payoffs = rng.random(rng.integers(1, 14, 2))
        payoffs = np.round(payoffs * 3) if number % 2 else payoffs  # with ties
        n_rows, n_columns = payoffs.shape
        found = optimal_mixture(payoffs)
        value = linprog(
            [*np.zeros(n_rows), -1.0], A_ub=np.c_[-payoffs.T, np.ones(n_columns)], b_ub=np.zeros(n_columns),
            A_eq=[[*np.ones(n_rows), 0.0]], b_eq=[1.0], bounds=[(0, 1)] * n_rows + [(None, None)],
        )  # fmt: skip
        assert [(found @ payoffs).min(), found.sum()] == pytest.approx([-value.fun, 1.0])
        assert (found >= 0).all()
