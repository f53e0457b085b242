"""Ratings: cases computed by hand, invariances, known strengths. The order test: boundary, error rate, power."""

import numpy as np
import pytest

from evodom.matches.rating import ELO, MEAN, PRIOR, OrderTest, boundary, finishing_orders, likelihood, ratings


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
    games = duels((0, 1, 75_000), (1, 0, 25_000))
    found, anchored = ratings(*games, 2), ratings(*games, 2, anchor=1)

    assert found[0].value - found[1].value == pytest.approx(400 * np.log10(3), abs=0.05)
    assert values(found).mean() == pytest.approx(MEAN)
    assert (anchored[1].low, anchored[1].value, anchored[1].high) == pytest.approx((MEAN, MEAN, MEAN))
    assert anchored[0].value == pytest.approx(MEAN + 400 * np.log10(3), abs=0.05)
    # The variance of log odds is 1 / (n p q); each rating is half the difference away from the mean.
    (tenth, _), half = ratings(*duels((0, 1, 7_500), (1, 0, 2_500)), 2), 1.959964 * ELO / 2 / np.sqrt(10_000 * 3 / 16)
    assert tenth.high - tenth.value == pytest.approx(half, rel=1e-3)


def test_finishing_orders_are_counted_and_ties_split_into_all_orders():
    tables = np.array([[0, 1, 2], [2, 1, 0], [1, 0, 2], [4, 5, 6]], np.int32)
    points = np.array([[2.0, 1.0, 0.0], [0.0, 1.0, 2.0], [2.0, 1.0, 0.0], [0.5, 2.0, 0.5]])

    orders, weights = finishing_orders(tables, points)

    found = {tuple(order): weight for order, weight in zip(orders.tolist(), weights, strict=True)}
    assert found == {(0, 1, 2): 2.0, (1, 0, 2): 1.0, (5, 4, 6): 0.5, (5, 6, 4): 0.5}


def test_an_entrant_without_wins_has_a_low_rating_and_a_wide_interval():
    found = ratings(*duels((0, 1, 50), (1, 0, 50), (0, 2, 50), (1, 2, 50)), 3)

    assert found[0].value == pytest.approx(found[1].value)
    assert found[2].value < found[0].value - 500
    assert np.isfinite(found[2].low)
    assert found[2].high - found[2].low > 1.5 * (found[0].high - found[0].low)


@pytest.mark.parametrize("n_seats", [2, 3, 4])
def test_ratings_recover_the_strengths_of_simulated_games(n_seats):
    strengths = np.array([0.8, 0.3, 0.0, -0.2, -0.9])
    found = ratings(*simulated(strengths, n_seats, 4000, seed=1), 5, confidence=0.999)  # five at once

    expected = MEAN + ELO * (strengths - strengths.mean())
    assert all(one.low < true < one.high for one, true in zip(found, expected, strict=True))
    assert values(found) == pytest.approx(expected, abs=25)


def test_intervals_have_their_stated_coverage():
    strengths = np.array([0.5, 0.0, -0.5])
    expected = MEAN + ELO * strengths
    held = [
        one.low < true < one.high
        for seed in range(30)
        for one, true in zip(ratings(*simulated(strengths, 3, 300, seed), 3), expected, strict=True)
    ]

    assert 0.86 < np.mean(held) < 0.995


def test_ratings_do_not_depend_on_numbers_of_entrants_or_on_the_order_of_games_and_seats():
    tables, points = simulated(np.array([0.5, 0.1, -0.2, -0.4]), 3, 500, seed=2)
    renumbered = np.array([2, 0, 3, 1])

    expected = pytest.approx(values(ratings(tables, points, 4)))
    assert values(ratings(renumbered[tables].astype(np.int32), points, 4))[renumbered] == expected
    assert values(ratings(tables[::-1, ::-1], points[::-1, ::-1], 4)) == expected


def test_ties_are_half_wins_and_copies_count_as_one_entrant():
    tied = ratings(*duels((0, 1, 50), ("=", 0, 1, 50)), 2)
    decided = ratings(*duels((0, 1, 75), (1, 0, 25)), 2)
    tables = np.tile(np.array([[0, 0, 1, 1]], np.int32), (2, 1))
    points = np.array([[3.0, 2.0, 1.0, 0.0], [1.0, 0.0, 3.0, 2.0]])

    assert values(tied) == pytest.approx(values(decided))
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


def played(rng, chances, n_blocks):
    """Draw duels between all pairs: a wins against b with probability ``chances[a] / (chances[a] + chances[b])``."""
    n = len(chances)
    pairs = np.array([(a, b) for a in range(n) for b in range(a + 1, n)], np.int32)
    tables = np.repeat(np.tile(pairs, (n_blocks, 1)), 2, axis=0)
    tables[1::2] = tables[1::2, ::-1]
    chance = np.array(chances)[tables]
    first = rng.random(len(tables)) < chance[:, 0] / chance.sum(axis=1)
    return tables, np.stack([first, ~first], axis=1).astype(float)


def looks(chances, seed, *, rounds=40, n_blocks=40):
    """Return after which look the order was clear, and that order; (None, ...) if it never was."""
    n = len(chances)
    rng, test = np.random.default_rng(seed), OrderTest(n, 0.95, n_tables=n * (n - 1) // 2)
    for look in range(rounds):
        test.add(*played(rng, chances, n_blocks))
        if not test.unclear():
            return look, test.order
    return None, test.order


def test_the_boundary_at_its_first_variance():
    """By hand: with log_log = 1.4 log log 2 + log(3.1055 / (0.05 log(2)^1.4)) = 4.1289 and scale 2."""
    log_log = 4.1289
    k1, k2 = 1.4357, 1.2071
    expected = np.sqrt(k1**2 * 100 * log_log + (k2 * 2 * log_log) ** 2) + k2 * 2 * log_log

    assert float(boundary(np.array(100.0), 2.0, 0.05)) == pytest.approx(expected, rel=1e-3)
    assert boundary(np.array(1.0), 2.0, 0.05) == boundary(np.array(100.0), 2.0, 0.05)
    widths = boundary(np.array([1e3, 1e4, 1e5]), 2.0, 0.05) / np.array([1e3, 1e4, 1e5])
    assert (np.diff(widths) < 0).all()
    assert widths[-1] < 0.02


@pytest.mark.full
def test_the_order_of_equals_is_called_clear_at_most_as_often_as_stated():
    """Each is checked 40 times; an ordinary 95 % interval would call about 20 of the 60 clear."""
    false = sum(looks((1.0, 1.0), seed)[0] is not None for seed in range(60))

    assert false <= 60 * 0.05


def test_a_clear_order_is_rarely_wrong():
    found = [looks((1.3, 1.1, 1.0), seed, rounds=60, n_blocks=40) for seed in range(20)]
    clear = [order for look, order in found if look is not None]

    assert len(clear) > 0
    assert sum(order != [0, 1, 2] for order in clear) <= 1


def test_a_clear_order_is_found_sooner_for_larger_differences():
    look, order = looks((4.0, 2.0, 1.0), seed=1)
    far, near = looks((3.0, 1.0), seed=1)[0], looks((1.4, 1.0), seed=1)[0]

    assert look is not None
    assert look < 10
    assert order == [0, 1, 2]
    assert far < near


def test_unclear_pairs_are_close_neighbours():
    rng, test = np.random.default_rng(1), OrderTest(3, 0.95)
    test.add(*played(rng, (1.0, 5.0, 1.0), 400))

    ((better, worse),) = test.unclear()
    assert {better, worse} == {0, 2}
    assert test.order[0] == 1


def test_rounds_added_one_by_one_equal_all_rounds_together():
    tables, wins = played(np.random.default_rng(1), (2.0, 1.0), 100)
    at_once, by_parts = OrderTest(2, 0.95), OrderTest(2, 0.95)
    at_once.add(tables, wins)
    for first in range(0, len(tables), 50):
        by_parts.add(tables[first : first + 50], wins[first : first + 50])

    assert at_once.wins.tolist() == by_parts.wins.tolist()
    assert at_once.n_games == by_parts.n_games == len(tables)
    # The guess of a block's outcome gets better: what is beyond it gets less.
    assert by_parts.squares[0, 0] < at_once.squares[0, 0]


def test_copies_at_one_table_share_their_wins():
    test = OrderTest(2, 0.95)
    tables = np.array([[0, 0, 1, 1], [1, 0, 0, 1], [1, 1, 0, 0], [0, 1, 1, 0]], np.int32)
    test.add(tables, np.array([[1, 0, 0, 0], [0, 0.5, 0.5, 0], [0, 1, 0, 0], [0, 0, 0, 1.0]]))

    assert test.total.tolist() == [3.0, 1.0]
    assert test.played.tolist() == [[8.0, 8.0]]
    assert test.order == [0, 1]


def test_differences_between_tables_do_not_count_as_variance():
    """At one table 0 always wins, at the other 1 does: seen table by table, there is no variance."""
    tables = np.array([[0, 2], [2, 0], [1, 2], [2, 1]] * 200, np.int32)
    wins = np.array([[1, 0], [0, 1], [0, 1], [1, 0]] * 200, float)
    pooled, by_table = OrderTest(3, 0.95), OrderTest(3, 0.95, n_tables=2)
    for first in range(0, len(tables), 40):
        for test in (pooled, by_table):
            test.add(tables[first : first + 40], wins[first : first + 40])

    assert by_table.total.tolist() == pooled.total.tolist() == [400, 0, 400]
    assert np.trace(by_table.squares) < 0.2 * np.trace(pooled.squares)
