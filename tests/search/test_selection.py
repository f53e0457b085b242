"""Sequential halving: how simulations are spent."""

import pytest

from evodom.search.selection import n_advancing, n_rounds, round_size


def rounds(n, simulations):
    """Return the candidates and the simulations of each round."""
    spent, left = [], n_rounds(n)
    while simulations > 0:
        size = min(round_size(simulations, n, left), simulations)
        spent.append((n, size))
        simulations, n, left = simulations - size, n_advancing(n), max(left - 1, 1)
    return spent


@pytest.mark.parametrize(
    ("n", "simulations", "spent"),
    [
        (4, 16, [(4, 8), (2, 8)]),
        (5, 30, [(5, 10), (3, 9), (2, 10), (1, 1)]),
        (3, 2, [(3, 2)]),
        (1, 7, [(1, 7)]),
        (2, 0, []),
    ],
)
def test_rounds_get_equal_shares_and_the_whole_budget_is_spent(n, simulations, spent):
    assert rounds(n, simulations) == spent
