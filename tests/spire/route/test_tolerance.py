"""The stretches of tolerance on which routes stay best."""

from fractions import Fraction
from itertools import pairwise

import pytest

from evodom.spire.map import Room, generate
from evodom.spire.route import RANK, RISK, RoomTable, at_most, find_routes, route_along, stretches
from tests.spire.route.maps import FILES, from_file, from_rows


def test_the_notebooks_map_has_three_stretches():
    found = stretches(from_file("673465884448_Act1"), RISK.at)

    bounds = [(stretch.low, stretch.high) for stretch in found]
    assert bounds == [(0, Fraction(1, 4)), (Fraction(1, 4), Fraction(2, 3)), (Fraction(2, 3), 1)]
    assert [found[0].value(0), found[1].value(0.5), found[2].value(1)] == [265, 357.5, 480]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("rules", [(), (at_most(1, Room.ELITE),)])
def test_on_a_fine_grid_the_best_value_is_that_of_the_stretch(name, rules):
    act_map = from_file(name)

    found = stretches(act_map, RISK.at, rules)

    assert [found[0].low, found[-1].high] == [0, 1]
    assert all(a.high == b.low for a, b in pairwise(found))
    for i in range(101):
        tolerance = Fraction(i, 100)
        value = find_routes(act_map, RISK.at(tolerance), rules).value
        for stretch in found:
            inside = stretch.low <= tolerance <= stretch.high
            assert (stretch.value(tolerance) == value) if inside else (stretch.value(tolerance) < value)


def test_at_a_breakpoint_the_routes_of_both_sides_are_best_and_beyond_it_only_one():
    for seed in range(20):
        act_map = generate(seed)
        found = stretches(act_map, RISK.at)
        for left, right in pairwise(found):
            at_break = find_routes(act_map, RISK.at(left.high)).value
            for stretch in (left, right):
                path = stretch.routes.best[0].path
                assert route_along(act_map, RISK.at(left.high), path).value == at_break
            assert left.slope < right.slope


def test_breakpoints_are_exact_fractions():
    act_map = from_rows("M", "E$", "M")  # elite 10 - 7 (1 - t) against shop 5

    found = stretches(act_map, RoomTable({Room.ELITE: 10, Room.SHOP: 5}, risk={Room.ELITE: 7}).at)

    assert [stretch.high for stretch in found] == [Fraction(2, 7), 1]


def test_without_risks_one_stretch_is_all():
    (only,) = stretches(from_file("1_Act3"), RANK.at)

    assert (only.low, only.high, only.slope) == (0, 1, 0)


def test_a_tie_at_the_very_end_makes_no_stretch_of_no_length():
    act_map = from_rows("M", "E$", "M")

    found = stretches(act_map, RoomTable({Room.ELITE: 5, Room.SHOP: 5}, risk={Room.ELITE: 7}).at)

    assert [(stretch.low, stretch.high, stretch.slope) for stretch in found] == [(0, 1, 0)]
