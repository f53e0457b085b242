"""Ratings: hand-computed cases, what does not change them, and that they find what was put in."""

import numpy as np
import pytest

from evodom.matches.rating import ELO, MEAN, PRIOR, finishing_orders, likelihood, ratings


def duels(*results):
    """Return tables and points for (winner, loser, number); a winner "=" first is a tie: ("=", a, b, number)."""
    tables, points = [], []
    for result in results:
        tie = result[0] == "="
        first, second, number = result[1:] if tie else result
        tables += [(first, second)] * number
        points += [(0.5, 0.5) if tie else (1.0, 0.0)] * number
    return np.array(tables, np.int32), np.array(points)


def values(found):
    return np.array([one.value for one in found])


def simulated(strengths, n_seats, n_games, seed):
    """Draw games of the Plackett-Luce model: an exponential race, the fastest wins."""
    rng = np.random.default_rng(seed)
    tables = np.array([rng.choice(len(strengths), n_seats, replace=False) for _ in range(n_games)], np.int32)
    times = rng.exponential(size=tables.shape) / np.exp(strengths)[tables]
    return tables, (n_seats - 1.0) - times.argsort(axis=1).argsort(axis=1)


def test_three_wins_to_one_are_400_log_3_points():
    found = ratings(*duels((0, 1, 75_000), (1, 0, 25_000)), 2)

    assert found[0].value - found[1].value == pytest.approx(400 * np.log10(3), abs=0.05)
    assert values(found).mean() == pytest.approx(MEAN)


def test_the_interval_of_two_is_that_of_a_log_odds():
    """The variance of log odds is 1 / (n p q); each is half the difference away from the mean."""
    found = ratings(*duels((0, 1, 7_500), (1, 0, 2_500)), 2)
    half = 1.959964 * ELO / 2 / np.sqrt(10_000 * 0.75 * 0.25)

    assert found[0].high - found[0].value == pytest.approx(half, rel=1e-3)


def test_an_anchor_stands_at_1500_without_an_interval():
    found = ratings(*duels((0, 1, 75_000), (1, 0, 25_000)), 2, anchor=1)

    assert (found[1].low, found[1].value, found[1].high) == pytest.approx((MEAN, MEAN, MEAN))
    assert found[0].value == pytest.approx(MEAN + 400 * np.log10(3), abs=0.05)


def test_a_tie_is_half_a_win_for_each():
    tied = ratings(*duels((0, 1, 50), ("=", 0, 1, 50)), 2)
    decided = ratings(*duels((0, 1, 75), (1, 0, 25)), 2)

    assert values(tied) == pytest.approx(values(decided))


def test_a_tie_at_a_larger_table_is_both_orders_in_equal_parts():
    orders, weights = finishing_orders(np.array([[4, 5, 6]], np.int32), np.array([[0.5, 2.0, 0.5]]))

    assert {tuple(order): weight for order, weight in zip(orders.tolist(), weights, strict=True)} == {
        (5, 4, 6): 0.5,
        (5, 6, 4): 0.5,
    }


def test_equal_finishes_are_counted_together():
    tables = np.array([[0, 1, 2], [2, 1, 0], [1, 0, 2]], np.int32)
    points = np.array([[2.0, 1.0, 0.0], [0.0, 1.0, 2.0], [2.0, 1.0, 0.0]])

    orders, weights = finishing_orders(tables, points)

    assert orders.tolist() == [[0, 1, 2], [1, 0, 2]]
    assert weights.tolist() == [2.0, 1.0]


def test_who_always_loses_has_a_low_rating_and_a_wide_interval():
    found = ratings(*duels((0, 1, 50), (1, 0, 50), (0, 2, 50), (1, 2, 50)), 3)

    assert found[0].value == pytest.approx(found[1].value)
    assert found[2].value < found[0].value - 500
    assert np.isfinite(found[2].low)
    assert found[2].high - found[2].low > 1.5 * (found[0].high - found[0].low)


@pytest.mark.parametrize("n_seats", [2, 3, 4])
def test_strengths_of_simulated_games_are_found(n_seats):
    strengths = np.array([0.8, 0.3, 0.0, -0.2, -0.9])
    found = ratings(*simulated(strengths, n_seats, 4000, seed=1), 5, confidence=0.999)  # five at once

    expected = MEAN + ELO * (strengths - strengths.mean())
    assert all(one.low < true < one.high for one, true in zip(found, expected, strict=True))
    assert values(found) == pytest.approx(expected, abs=25)


def test_intervals_hold_the_truth_as_often_as_they_say():
    strengths = np.array([0.5, 0.0, -0.5])
    expected = MEAN + ELO * strengths
    held = [
        one.low < true < one.high
        for seed in range(60)
        for one, true in zip(ratings(*simulated(strengths, 3, 300, seed), 3), expected, strict=True)
    ]

    assert 0.88 < np.mean(held) < 0.99


def test_numbers_of_entrants_do_not_matter():
    tables, points = simulated(np.array([0.5, 0.1, -0.2, -0.4]), 3, 500, seed=2)
    renumbered = np.array([2, 0, 3, 1])

    assert values(ratings(renumbered[tables].astype(np.int32), points, 4))[renumbered] == pytest.approx(
        values(ratings(tables, points, 4))
    )


def test_the_order_of_games_and_seats_does_not_matter():
    tables, points = simulated(np.array([0.5, 0.1, -0.2, -0.4]), 3, 500, seed=2)

    assert values(ratings(tables[::-1, ::-1], points[::-1, ::-1], 4)) == pytest.approx(
        values(ratings(tables, points, 4))
    )


def test_copies_at_one_table_count_as_one_entrant():
    """Two copies of each play: finishing in front of a copy of the other counts as in a duel."""
    tables = np.tile(np.array([[0, 0, 1, 1]], np.int32), (2, 1))
    points = np.array([[3.0, 2.0, 1.0, 0.0], [1.0, 0.0, 3.0, 2.0]])

    assert values(ratings(tables, points, 2)) == pytest.approx([MEAN, MEAN])


def test_derivatives_are_those_of_the_likelihood():
    orders, weights = np.array([[0, 1, 2], [2, 0, 1]], np.int32), np.array([3.0, 1.5])
    at, step = np.array([0.3, -0.1, 0.4]), 1e-5
    value, gradient, information = likelihood(at, orders, weights)

    for entrant in range(3):
        moved = at + step * np.eye(3)[entrant]
        other, other_gradient, _ = likelihood(moved, orders, weights)
        assert (other - value) / step == pytest.approx(gradient[entrant], abs=1e-3)
        assert (gradient - other_gradient) / step == pytest.approx(information[entrant], abs=1e-3)
    assert PRIOR > 0
