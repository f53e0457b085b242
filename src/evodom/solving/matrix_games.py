"""Solve matrix games: the optimal mixture of rows against the worst column, by the simplex algorithm.

The row player receives ``payoffs[i, j]`` from the column player. Shift the payoffs, so that all are positive. The
column player's linear program then has a feasible start:

1. Maximise the sum of y, subject to payoffs @ y <= 1 and y >= 0. Begin with y = 0, and a slack variable a row.
2. Bring the first column with a negative reduced cost into the basis. The row with the smallest ratio leaves it; of
   equal rows, the one of the first variable (Bland's rule, which cannot cycle).
3. At the optimum the reduced costs of the slack variables, divided by their sum, are the mixture of rows.
"""

import numpy as np
import numpy.typing as npt

TOLERANCE = 1e-12
"""Numbers below the tolerance count as 0."""


def optimal_mixture(payoffs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the probabilities of the rows, (n_rows,), that maximise the lowest mean payoff of a column."""
    n_rows, n_columns = payoffs.shape
    tableau = np.zeros((n_rows + 1, n_columns + n_rows + 1))
    tableau[:-1, :n_columns] = payoffs - payoffs.min() + 1.0
    tableau[-1, :n_columns] = -1.0
    tableau[:-1, n_columns:-1] = np.eye(n_rows)
    tableau[:-1, -1] = 1.0
    basis = np.arange(n_columns, n_columns + n_rows)
    while (tableau[-1, :-1] < -TOLERANCE).any():
        column = int((tableau[-1, :-1] < -TOLERANCE).argmax())
        rows = np.flatnonzero(tableau[:-1, column] > TOLERANCE)
        ratios = tableau[rows, -1] / tableau[rows, column]
        lowest = rows[ratios <= ratios.min() + TOLERANCE]
        row = lowest[basis[lowest].argmin()]
        tableau[row] /= tableau[row, column]
        others = np.arange(n_rows + 1) != row
        tableau[others] -= np.outer(tableau[others, column], tableau[row])
        basis[row] = column
    costs: npt.NDArray[np.float64] = np.maximum(tableau[-1, n_columns:-1], 0.0)
    costs /= costs.sum()
    return costs
