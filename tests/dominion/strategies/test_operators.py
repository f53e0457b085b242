"""Orders of piles: drawn by cost, moved, swapped and crossed."""

from itertools import pairwise

import numpy as np
import pytest

from evodom.dominion.cards import BASIC, CURSE_PILE, PROVINCE
from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.operators import cross_orders, move_one, moved, orders_by_cost, swap_two

MANY = 8000
RATE = 0.1


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def orders(n: int, seed: int) -> np.ndarray:
    return orders_by_cost(n, FIRST_GAME, (2.0, 2.5), rng(seed)).astype(np.uint8)


def are_permutations(found: np.ndarray) -> bool:
    return bool((np.sort(found, axis=1) == np.arange(found.shape[1])).all())


def near(share: float, expected: float, n: int = MANY) -> bool:
    """Tell whether a share among ``n`` is within five standard deviations of the one expected."""
    return abs(share - expected) <= 5 * np.sqrt(expected * (1 - expected) / n)


def test_orders_by_cost_are_permutations():
    assert are_permutations(orders_by_cost(500, FIRST_GAME, (2.0, 2.5), rng()))


def test_without_noise_the_dearest_come_first_and_a_curse_last():
    piles = FIRST_GAME.piles
    (order,) = orders_by_cost(1, FIRST_GAME, (0.0, 0.0), rng())

    assert order[0] == PROVINCE
    assert order[-1] == CURSE_PILE
    assert all(piles[one].cost >= piles[other].cost for one, other in pairwise(order))


def test_piles_that_a_small_kingdom_lacks_come_last():
    (order,) = orders_by_cost(1, Kingdom(("Moat",)), (0.0, 0.0), rng())

    assert sorted(order[:7]) == [pile for pile in range(8) if pile != CURSE_PILE]


def test_basic_and_kingdom_cards_are_blurred_each_by_their_own_noise():
    without = orders_by_cost(1, FIRST_GAME, (0.0, 0.0), rng())[0]
    blurred = orders_by_cost(200, FIRST_GAME, (0.0, 5.0), rng())
    basic = blurred[blurred < len(BASIC)].reshape(200, len(BASIC))

    assert (basic == without[without < len(BASIC)]).all()
    assert len({order.tobytes() for order in blurred}) > 190


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [(0, 3, [1, 2, 3, 0, 4]), (3, 0, [3, 0, 1, 2, 4]), (2, 2, [0, 1, 2, 3, 4]), (4, 3, [0, 1, 2, 4, 3])],
)
def test_an_entry_moves_to_its_target_and_those_between_make_room(source, target, expected):
    order = np.arange(5, dtype=np.uint8)[None, :]

    after = moved(order, np.array([source]), np.array([target]))

    assert after.tolist() == [expected]
    assert order.tolist() == [[0, 1, 2, 3, 4]]
    assert after.dtype == np.uint8


def test_every_row_has_a_move_of_its_own():
    orders = np.tile(np.arange(4, dtype=np.uint8), (2, 1))

    assert moved(orders, np.array([0, 3]), np.array([1, 0])).tolist() == [[1, 0, 2, 3], [3, 0, 1, 2]]


def test_no_rows_can_be_moved():
    none = np.zeros(0, np.intp)

    assert moved(np.zeros((0, 5), np.uint8), none, none).shape == (0, 5)


def test_crossed_orders_are_permutations():
    children = cross_orders(orders(300, 1), orders(300, 2), 0.6, rng())

    assert (np.sort(children, axis=1) == np.arange(N_MODEL_PILES)).all()


def test_crossed_orders_keep_the_places_of_the_fitter_parent_at_least_as_often_as_the_bias_says():
    fitter = orders(3000, 1)

    children = cross_orders(fitter, orders(3000, 2), 0.85, rng())

    assert (children == fitter).mean() >= 0.85


def test_a_place_not_kept_takes_the_other_parents_entry_where_it_is_free():
    fitter, other = orders(3000, 1), orders(3000, 2)

    children = cross_orders(fitter, other, 0.5, rng())

    from_neither = (children != fitter) & (children != other)
    assert from_neither.mean() < 0.25
    assert (children == other).mean() > 0.2


@pytest.mark.parametrize(("bias", "expected"), [(1.0, 1), (0.0, 2)])
def test_the_bias_at_its_ends_copies_one_parent(bias, expected):
    parents = {1: orders(50, 1), 2: orders(50, 2)}

    assert np.array_equal(cross_orders(parents[1], parents[2], bias, rng()), parents[expected])


def test_swapping_exchanges_two_entries_of_a_row():
    before = orders(200, 1)
    after = before.copy()

    swap_two(after, 1.0, rng())

    assert ((before != after).sum(axis=1) == 2).all()
    assert (np.sort(after, axis=1) == np.arange(N_MODEL_PILES)).all()


def test_moving_one_entry_keeps_the_order_of_all_others():
    before = orders(300, 1)
    after = before.copy()

    move_one(after, 1.0, rng())

    assert are_permutations(after)
    for was, now in zip(before, after, strict=True):
        assert any(np.array_equal(was[was != pile], now[now != pile]) for pile in range(N_MODEL_PILES))
        assert not np.array_equal(was, now)


def test_entries_move_at_the_given_rate():
    before = orders(MANY, 1)
    after = before.copy()

    move_one(after, RATE, rng())

    assert near((before != after).any(axis=1).mean(), RATE)


def test_an_entry_moves_from_anywhere_to_anywhere_else():
    """When two neighbours change places, either may have moved, so such moves are seen twice as often."""
    before = np.tile(np.arange(4, dtype=np.uint8), (MANY, 1))
    after = before.copy()

    move_one(after, 1.0, rng())

    found, counts = np.unique(after, axis=0, return_counts=True)
    assert len(found) == 9
    for order, count in zip(found, counts, strict=True):
        neighbours = (order != np.arange(4)).sum() == 2 and np.abs(np.diff(np.flatnonzero(order != np.arange(4)))) == 1
        assert near(count / MANY, (2 if neighbours else 1) / 12)
