"""Limits of time: what a budget gives to the stages of a search."""

import pytest

from evodom.budget import NO_LIMIT, Budget
from tests.clock import WorkClock

pytestmark = pytest.mark.uncompiled

PACES = [(100.0, 300.0), (300.0, 100.0), (100.0, 100.0)]
"""Units a second before half of the time, and after."""


def test_a_part_begins_now_and_what_a_stage_leaves_goes_to_the_next():
    clock = WorkClock(1.0)
    budget = Budget.starting_now(100.0, clock)
    stages = budget.divided([1.0, 1.0, 2.0])

    first = next(stages)
    assert (first.seconds_left, first.share_spent) == (25.0, 0.0)
    clock.play(10)
    assert (first.seconds_left, first.share_spent, first.seconds_spent, budget.share_spent) == (15.0, 0.4, 10.0, 0.1)
    assert next(stages).seconds_left == pytest.approx(30.0)
    clock.play(40)
    assert next(stages).seconds_left == 50.0
    clock.play(60)
    assert (budget.is_over, budget.seconds_left) == (True, 0.0)
    assert (budget.share_spent, budget.part(0.5).share_spent) == (1.0, 1.0)


def test_stages_of_weight_0_get_no_time():
    stages = Budget.starting_now(100.0, WorkClock(1.0)).divided([1.0, 0.0, 0.0])

    assert [stage.seconds_left for stage in stages] == [100.0, 0.0, 0.0]


def test_time_is_kept_for_later_but_no_more_than_a_share():
    budget = Budget.starting_now(100.0, WorkClock(1.0))

    assert budget.reserving(10.0, 0.5).seconds_left == 90.0
    assert budget.reserving(70.0, 0.5).seconds_left == 50.0


@pytest.mark.parametrize("paces", PACES)
@pytest.mark.parametrize("n_steps", [1, 7])
def test_portions_use_the_time_whatever_the_pace(paces, n_steps):
    clock = WorkClock(*paces, change=30.0)
    budget = Budget.starting_now(60.0, clock)

    for step in budget.divided([1.0] * n_steps):
        for n in step.portions(100_000, 24):
            clock.play(n)

    assert 57.0 <= clock.now <= 61.0


def test_no_more_units_are_done_than_there_are_and_some_in_any_case():
    clock = WorkClock(1.0)
    assert sum(Budget.starting_now(1e9, clock).portions(1000, 24)) == 1000
    assert list(Budget.starting_now(0.0, clock).portions(1000, 24)) == [24]
    assert list(Budget.starting_now(0.0, clock).portions(10, 24)) == [10]


def test_without_a_limit_all_is_done_at_once():
    assert list(NO_LIMIT.portions(1000, 24)) == [1000]
    assert NO_LIMIT.next_portion(10, 24, 512) == 512
    assert (NO_LIMIT.share_spent, NO_LIMIT.seconds_spent, NO_LIMIT.is_over) == (0.0, 0.0, False)
    assert list(NO_LIMIT.portions(10, 2, 3)) == [3, 3, 3, 1]
    parts = [NO_LIMIT.part(0.1), NO_LIMIT.reserving(1.0, 0.5), *NO_LIMIT.divided([1.0])]
    assert [part.is_limited for part in parts] == [False, False, False]
