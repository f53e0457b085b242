"""Orders of piles: drawn by cost, moved, swapped and crossed."""

from itertools import pairwise

import numpy as np

from evodom.dominion.cards import BASIC, CURSE_PILE, PROVINCE
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies import operators
from tests.dominion.strategies.drawn import MANY, are_permutations, near, rng

RATE = 0.1


def orders(n: int, seed: int) -> np.ndarray:
    return operators.orders_by_cost(n, FIRST_GAME, (2.0, 2.5), rng(seed)).astype(np.uint8)


def test_orders_by_cost_are_permutations_by_falling_cost_without_noise():
    piles = FIRST_GAME.piles
    (order,) = operators.orders_by_cost(1, FIRST_GAME, (0.0, 0.0), rng())
    (small,) = operators.orders_by_cost(1, Kingdom(("Moat",)), (0.0, 0.0), rng())

    assert are_permutations(operators.orders_by_cost(500, FIRST_GAME, (2.0, 2.5), rng()))
    assert (order[0], order[-1]) == (PROVINCE, CURSE_PILE)
    assert all(piles[one].cost >= piles[other].cost for one, other in pairwise(order))
    assert sorted(small[:7]) == [pile for pile in range(8) if pile != CURSE_PILE]


def test_basic_and_kingdom_cards_have_separate_noise():
    without = operators.orders_by_cost(1, FIRST_GAME, (0.0, 0.0), rng())[0]
    blurred = operators.orders_by_cost(200, FIRST_GAME, (0.0, 5.0), rng())
    basic = blurred[blurred < len(BASIC)].reshape(200, len(BASIC))

    assert (basic == without[without < len(BASIC)]).all()
    assert len({order.tobytes() for order in blurred}) > 190


def test_moved_shifts_the_entries_between_source_and_target():
    for source, target, expected in [
        (0, 3, [1, 2, 3, 0, 4]), (3, 0, [3, 0, 1, 2, 4]), (2, 2, [0, 1, 2, 3, 4]), (4, 3, [0, 1, 2, 4, 3])
    ]:  # fmt: skip
        order = np.arange(5, dtype=np.uint8)[None, :]
        after = operators.moved(order, np.array([source]), np.array([target]))

        assert after.tolist() == [expected]
        assert order.tolist() == [[0, 1, 2, 3, 4]]
        assert after.dtype == np.uint8
    rows, none = np.tile(np.arange(4, dtype=np.uint8), (2, 1)), np.zeros(0, np.intp)
    assert operators.moved(rows, np.array([0, 3]), np.array([1, 0])).tolist() == [[1, 0, 2, 3], [3, 0, 1, 2]]
    assert operators.moved(rows[:0], none, none).shape == (0, 4)


def test_crossed_orders_keep_places_of_both_parents():
    fitter, other = orders(3000, 1), orders(3000, 2)

    biased, even = operators.cross_orders(fitter, other, 0.85, rng()), operators.cross_orders(fitter, other, 0.5, rng())

    assert are_permutations(even)
    assert (biased == fitter).mean() >= 0.85
    assert ((even != fitter) & (even != other)).mean() < 0.25
    assert (even == other).mean() > 0.2
    assert np.array_equal(operators.cross_orders(fitter, other, 1.0, rng()), fitter)
    assert np.array_equal(operators.cross_orders(fitter, other, 0.0, rng()), other)


def test_swap_two_exchanges_two_entries_of_a_row():
    before = orders(200, 1)
    after = before.copy()

    operators.swap_two(after, 1.0, rng())

    assert ((before != after).sum(axis=1) == 2).all()
    assert (np.sort(after, axis=1) == np.arange(FIRST_GAME.n_columns)).all()


def test_move_one_keeps_the_order_of_all_other_entries():
    before = orders(300, 1)
    after = before.copy()

    operators.move_one(after, 1.0, rng())

    assert are_permutations(after)
    for was, now in zip(before, after, strict=True):
        assert any(np.array_equal(was[was != pile], now[now != pile]) for pile in range(FIRST_GAME.n_columns))
        assert not np.array_equal(was, now)
    many = orders(MANY, 1)
    after = many.copy()
    operators.move_one(after, RATE, rng())
    assert near((many != after).any(axis=1).mean(), RATE)


def test_move_one_is_uniform_over_sources_and_targets():
    """When two neighbours change places, either may have moved, so such moves are seen twice as often."""
    before = np.tile(np.arange(4, dtype=np.uint8), (MANY, 1))
    after = before.copy()

    operators.move_one(after, 1.0, rng())

    found, counts = np.unique(after, axis=0, return_counts=True)
    assert len(found) == 9
    for order, count in zip(found, counts, strict=True):
        neighbours = (order != np.arange(4)).sum() == 2 and np.abs(np.diff(np.flatnonzero(order != np.arange(4)))) == 1
        assert near(count / MANY, (2 if neighbours else 1) / 12)


def test_changes_of_different_genes_are_merged():
    genome = np.zeros(1, [("limits", "u1", (3,)), ("switch", "u1")])
    genome["limits"] = 5
    changed = np.repeat(genome, 3)
    changed["limits"][0, 1], changed["limits"][1, 2], changed["switch"][2] = 0, 9, 4

    (found,) = operators.merge_changes(genome, changed)
    assert (found["limits"].tolist(), found["switch"]) == ([5, 0, 9], 4)
    assert operators.merge_changes(genome, changed[:0]) == genome
