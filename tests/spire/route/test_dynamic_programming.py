"""The best routes: published values, all paths looked at one by one, ties, and what depends on what came before."""

from fractions import Fraction
from itertools import pairwise

import pytest

from evodom.errors import UsageError
from evodom.spire.map import ActMap, Edge, Node, Room, generate
from evodom.spire.route import (
    ALL_ROOMS,
    COUNTS,
    LAST_ROOM,
    NO_MEMORY,
    RANK,
    RISK,
    Evaluation,
    Memory,
    NoRoute,
    RoomTable,
    at_most,
    find_routes,
    route_along,
    tolerance_ranges,
)
from tests.spire.route.maps import FILES, all_paths, from_file, from_rows

NOTEBOOK = from_file("673465884448_Act1")


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("evaluation", [RANK.at_tolerance(), RISK.at_tolerance(0.3), RISK.at_tolerance(0)])
def test_best_routes_equal_those_of_enumeration(name, evaluation):
    act_map = from_file(name)
    ranked = [route_along(act_map, evaluation, path) for path in all_paths(act_map)]
    ranked.sort(key=lambda route: -route.value)  # a stable sort: of equals the further left one comes first

    routes = find_routes(act_map, evaluation, best=50)

    assert list(routes.best) == ranked[:50]
    assert routes.n_optimal == sum(route.value == ranked[0].value for route in ranked)
    assert routes.n_paths == len(ranked)


def test_ties_are_ordered_from_left_to_right():
    routes = find_routes(from_rows("MMM", "MMM"), RANK, best=3)

    assert [tuple(node.x for node in route.path) for route in routes.best] == [(0, 0), (0, 1), (1, 0)]
    assert routes.n_optimal == routes.n_paths == 7
    assert len(find_routes(from_rows("MMM", "MMM"), RANK, best=99).best) == 7


def test_floats_are_added_exactly():
    act_map = from_rows("MM", "$E", "EM")  # 0.1 + 0.2 + 0.3 in two orders, which floats do not add up to the same
    worth = {Room.MONSTER: 0.1, Room.ELITE: 0.2, Room.SHOP: 0.3}

    routes = find_routes(act_map, RoomTable(worth), best=8)

    assert routes.value == Fraction(0.1) + Fraction(0.3) + Fraction(0.2)
    assert routes.n_optimal == 2


def test_functions_receive_all_earlier_rooms():
    def second_elite_is_worthless(room, row, before):
        return 5 if room is Room.ELITE and Room.ELITE not in before else room is Room.MONSTER

    routes = find_routes(from_rows("M", "EM", "EM", "M"), second_elite_is_worthless, best=4)

    assert [route.value for route in routes.best] == [8, 8, 7, 4]
    assert routes.best[0].rooms[1:3] == (Room.ELITE, Room.MONSTER)


def test_sufficient_memories_agree():
    def by_all(room, row, before):
        return 3 * (bool(before) and before[-1] is Room.REST) + 2 * before.count(Room.ELITE) * (room is Room.REST)

    def by_counts(room, row, before):
        return 2 * before.elite * (room is Room.REST)

    def by_last(room, row, before):
        return 3 * (before is Room.REST)

    for name in FILES:
        act_map = from_file(name)
        both = Memory((None, COUNTS.initial), lambda m, room: (room, COUNTS.after(m[1], room)))
        joined = Evaluation(lambda r, row, m: by_last(r, row, m[0]) + by_counts(r, row, m[1]), both)
        best = max(route_along(act_map, by_all, path).value for path in all_paths(act_map))

        assert find_routes(act_map, Evaluation(by_all, ALL_ROOMS)).value == best
        assert find_routes(act_map, joined).value == best


def test_last_room_memory_holds_only_the_previous_room():
    act_map = from_rows("$", "R$", "MR")
    seen = set()

    def worth(room, row, before):
        seen.add((room.letter, row, before))
        return 1

    find_routes(act_map, Evaluation(worth, LAST_ROOM))
    second, third = (("R", 1), ("$", 1)), (("M", 2), ("R", 2))
    expected = {(*room, Room.SHOP) for room in (*second, *third)} | {(*room, Room.REST) for room in third}
    assert seen == {("$", 0, None)} | expected


def test_tables_may_have_values_after_another_room():
    table = RoomTable({Room.REST: 4, Room.MONSTER: 3}, after={(Room.REST, Room.REST): 0})

    routes = find_routes(from_rows("R", "RM", "R"), table)

    assert routes.best[0].rooms[1] is Room.MONSTER
    assert routes.value == 11


def test_values_are_finite_numbers_and_tolerances_are_shares():
    for worth in (float("nan"), float("inf"), None, "3"):
        with pytest.raises(UsageError, match="finite number"):
            find_routes(NOTEBOOK, lambda room, row, before, worth=worth: worth)
    for tolerance in (-0.1, 1.5):
        with pytest.raises(UsageError, match="from 0 to 1"):
            RISK.at_tolerance(tolerance)


def test_a_map_whose_rows_are_not_joined_has_no_route():
    with pytest.raises(NoRoute, match="no path from its lowest row"):
        find_routes(ActMap({Node(0, 0): Room.MONSTER, Node(0, 1): Room.REST}, ()), RANK)


def test_edges_that_lead_down_are_refused():
    rooms = {Node(0, 0): Room.MONSTER, Node(0, 1): Room.REST}
    circle = (Edge(Node(0, 0), Node(0, 1)), Edge(Node(0, 1), Node(0, 0)))

    with pytest.raises(UsageError, match="must lead to a higher row"):
        find_routes(ActMap(rooms, circle), RANK)


def test_dead_ends_and_unreachable_nodes_are_ignored():
    rooms = {Node(0, 0): Room.MONSTER, Node(1, 1): Room.ELITE, Node(2, 1): Room.ELITE, Node(0, 1): Room.SHOP}
    rooms = {node: rooms[node] for node in sorted(rooms, key=lambda node: (node.y, node.x))} | {Node(0, 2): Room.REST}
    ways = [(Node(0, 0), Node(0, 1)), (Node(0, 0), Node(1, 1)), (Node(0, 1), Node(0, 2)), (Node(2, 1), Node(0, 2))]

    routes = find_routes(ActMap(rooms, tuple(Edge(*way) for way in ways)), RANK, best=9)

    assert [route.rooms for route in routes.best] == [(Room.MONSTER, Room.SHOP, Room.REST)]


def test_maps_with_millions_of_paths_are_solved():
    routes = find_routes(from_rows(*["M?E$RM?"] * 15), Evaluation(lambda room, row, before: 1, NO_MEMORY), best=3)

    assert routes.n_paths == routes.n_optimal > 1_000_000
    assert routes.value == 15


def test_too_many_states_raise_an_error(monkeypatch):
    monkeypatch.setattr("evodom.spire.route.dynamic_programming.MAX_STATES", 1000)

    with pytest.raises(Exception, match="smaller memory"):
        find_routes(from_rows(*["M?E$RM?"] * 8), lambda room, row, before: 1)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("rules", [(), (at_most(1, Room.ELITE),)])
def test_tolerance_ranges_have_the_best_values_on_a_grid(name, rules):
    act_map = from_file(name)

    found = tolerance_ranges(act_map, RISK.at_tolerance, rules)

    assert [found[0].low, found[-1].high] == [0, 1]
    assert all(a.high == b.low for a, b in pairwise(found))
    for i in range(0, 101, 4):
        tolerance = Fraction(i, 100)
        value = find_routes(act_map, RISK.at_tolerance(tolerance), rules).value
        for interval in found:
            inside = interval.low <= tolerance <= interval.high
            assert (interval.value(tolerance) == value) if inside else (interval.value(tolerance) < value)


def test_routes_of_adjacent_ranges_tie_at_their_bound():
    for seed in range(20):
        act_map = generate(seed)
        found = tolerance_ranges(act_map, RISK.at_tolerance)
        for left, right in pairwise(found):
            at_break = find_routes(act_map, RISK.at_tolerance(left.high)).value
            for interval in (left, right):
                path = interval.routes.best[0].path
                assert route_along(act_map, RISK.at_tolerance(left.high), path).value == at_break
            assert left.slope < right.slope


def test_breakpoints_are_exact_fractions():
    act_map = from_rows("M", "E$", "M")  # elite 10 - 7 (1 - t) against shop 5

    found = tolerance_ranges(act_map, RoomTable({Room.ELITE: 10, Room.SHOP: 5}, risk={Room.ELITE: 7}).at_tolerance)

    assert [interval.high for interval in found] == [Fraction(2, 7), 1]


def test_without_risks_or_with_a_tie_at_tolerance_1_there_is_one_range():
    tied = RoomTable({Room.ELITE: 5, Room.SHOP: 5}, risk={Room.ELITE: 7})
    for act_map, table in ((from_file("1_Act3"), RANK), (from_rows("M", "E$", "M"), tied)):
        (only,) = tolerance_ranges(act_map, table.at_tolerance)
        assert (only.low, only.high, only.slope) == (0, 1, 0)
