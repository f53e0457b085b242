"""The test of the order: its boundary, its error rate at many looks, and that it finds what is there."""

import numpy as np
import pytest

from evodom.matches.rating import OrderTest, boundary


def played(rng, chances, n_blocks):
    """Draw duels between all pairs: a wins against b with probability ``chances[a] / (chances[a] + chances[b])``."""
    n = len(chances)
    pairs = np.array([(a, b) for a in range(n) for b in range(a + 1, n)], np.int32)
    blocks = np.tile(pairs, (n_blocks, 1))
    tables = np.repeat(blocks, 2, axis=0)
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


def test_the_boundary_grows_slower_than_the_sum_it_bounds():
    widths = boundary(np.array([1e3, 1e4, 1e5]), 2.0, 0.05) / np.array([1e3, 1e4, 1e5])

    assert (np.diff(widths) < 0).all()
    assert widths[-1] < 0.02


def test_equals_are_told_apart_at_most_as_often_as_stated():
    """Each is checked 40 times; an ordinary 95 % interval would call about a third of them clear."""
    false = sum(looks((1.0, 1.0), seed)[0] is not None for seed in range(150))

    assert false <= 150 * 0.05


def test_a_plain_interval_would_err_more_often_than_stated():
    """The test above can fail: with the interval of a single look, looking 40 times does."""
    false = 0
    for seed in range(150):
        rng, test = np.random.default_rng(seed), OrderTest(2, 0.95)
        for _ in range(40):
            test.add(*played(rng, (1.0, 1.0), 40))
            variance = test.squares[0, 0] + test.squares[1, 1] - 2 * test.squares[0, 1]
            if abs(np.diff(test.total)[0]) > 1.96 * np.sqrt(variance):
                false += 1
                break

    assert false > 150 * 0.15


def test_an_order_is_hardly_ever_wrong():
    found = [looks((1.3, 1.1, 1.0), seed, rounds=60, n_blocks=40) for seed in range(40)]
    clear = [order for look, order in found if look is not None]

    assert len(clear) > 0
    assert sum(order != [0, 1, 2] for order in clear) <= 2


def test_a_clear_order_is_found_soon():
    look, order = looks((4.0, 2.0, 1.0), seed=1)

    assert look is not None
    assert look < 10
    assert order == [0, 1, 2]


def test_the_closer_two_are_the_longer_it_takes():
    far, near = looks((3.0, 1.0), seed=1)[0], looks((1.4, 1.0), seed=1)[0]

    assert far < near


def test_only_neighbours_that_are_close_are_named():
    rng, test = np.random.default_rng(1), OrderTest(3, 0.95)
    test.add(*played(rng, (1.0, 5.0, 1.0), 400))

    ((better, worse),) = test.unclear()
    assert {better, worse} == {0, 2}
    assert test.order[0] == 1


def test_rounds_added_one_by_one_count_like_all_at_once():
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


def test_how_much_tables_differ_is_no_noise():
    """At one table 0 always wins, at the other 1 does: seen table by table, there is no variance."""
    tables = np.array([[0, 2], [2, 0], [1, 2], [2, 1]] * 200, np.int32)
    wins = np.array([[1, 0], [0, 1], [0, 1], [1, 0]] * 200, float)
    pooled, by_table = OrderTest(3, 0.95), OrderTest(3, 0.95, n_tables=2)
    for first in range(0, len(tables), 40):
        for test in (pooled, by_table):
            test.add(tables[first : first + 40], wins[first : first + 40])

    assert by_table.total.tolist() == pooled.total.tolist() == [400, 0, 400]
    assert np.trace(by_table.squares) < 0.2 * np.trace(pooled.squares)
