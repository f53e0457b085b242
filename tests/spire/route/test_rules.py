"""Rules: the best of all paths that keep them, and which clash."""

from itertools import product

import pytest

from evodom.errors import UsageError
from evodom.spire.map import Node, Room
from evodom.spire.route import (
    RANK,
    RISK,
    NoRoute,
    Survive,
    at_least,
    at_most,
    avoid,
    conflicting_rules,
    find_routes,
    hp_changes,
    hp_ranges,
    route_along,
    through,
)
from evodom.spire.route.rules import WEAK, check_node
from tests.spire.route.maps import FILES, all_paths, from_file, from_rows

NOTEBOOK = from_file("673465884448_Act1")
RULES = [
    (at_least(1, Room.SHOP, before=8), lambda met: any(r is Room.SHOP and n.y < 8 for n, r in met)),
    (at_most(1, Room.ELITE), lambda met: sum(r is Room.ELITE for _, r in met) <= 1),
    (at_least(3, Room.REST, after=5), lambda met: sum(r is Room.REST and n.y > 5 for n, r in met) >= 3),
    (at_most(0, Room.EVENT, after=2, before=6), lambda met: not any(r is Room.EVENT and 2 < n.y < 6 for n, r in met)),
    (through(Node(2, 5)), lambda met: Node(2, 5) in dict(met)),
    (avoid(Node(1, 4)), lambda met: Node(1, 4) not in dict(met)),
]


@pytest.mark.parametrize("name", [FILES[0], FILES[3]])
def test_best_routes_with_rules_equal_those_of_enumeration(name):
    act_map = from_file(name)
    evaluation = RISK.at_tolerance(0.7)
    routes = [route_along(act_map, evaluation, path) for path in all_paths(act_map)]
    for kept in product((False, True), repeat=len(RULES)):
        chosen = [rule for rule, keep in zip(RULES, kept, strict=True) if keep]
        good = [r for r in routes if all(k(list(zip(r.path, r.rooms, strict=True))) for _, k in chosen)]
        rules = [rule for rule, _ in chosen]
        if not good:
            with pytest.raises(NoRoute):
                find_routes(act_map, evaluation, rules)
            continue

        found = find_routes(act_map, evaluation, rules)

        assert found.value == max(route.value for route in good)
        assert found.n_paths == len(good)
        assert found.n_optimal == sum(route.value == found.value for route in good)
        assert found.best[0] == max(good, key=lambda route: route.value)  # the first of equals: the leftmost


def test_smallest_conflict_is_found():
    left, right = through(Node(0, 1)), through(Node(1, 1))
    harmless = [at_most(2, Room.SHOP), avoid(Node(1, 0))]

    clash = conflicting_rules(from_rows("MM", "E$", "RR"), [harmless[0], left, harmless[1], right])

    assert set(clash) == {left, right}
    with pytest.raises(NoRoute, match=r"these 2 rules together: through 0,2; through 1,2\. Leave one"):
        find_routes(from_rows("MM", "E$", "RR"), RANK, [harmless[0], left, harmless[1], right])


def test_conflicts_are_minimal():
    rules = [avoid(Node(x, 0)) for x in range(5)]

    assert conflicting_rules(from_rows("MMMMM", "RRRRR"), [at_most(3, Room.REST), *rules]) == tuple(rules)
    assert conflicting_rules(NOTEBOOK, [at_most(5, Room.ELITE), avoid(Node(0, 0))]) == ()


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (at_least(2, Room.SHOP, before=8), "at least 2 shops before floor 9. Maximum on a path: 1"),
        (at_most(0, Room.MONSTER), "at most 0 monsters. Minimum on a path: 2"),
        (at_least(1, Room.BOSS), "at least 1 boss. Maximum on a path: 0"),
        (Survive(30, hp_changes(80), 80), "survive with 30 HP: it takes 45"),
        (Survive(7, hp_changes(80), 9), "survive with 7 HP: and none with the maximum"),
    ],
)
def test_errors_of_single_rules_name_the_possible_extreme(rule, message):
    with pytest.raises(NoRoute, match=message):
        find_routes(NOTEBOOK, RANK, [rule])


def test_errors_of_unknown_nodes_name_the_columns_of_the_floor():
    assert check_node(NOTEBOOK, Node(0, 0)) == Node(0, 0)
    with pytest.raises(UsageError, match="floor 1 has rooms in columns 0, 2, 5"):
        check_node(NOTEBOOK, Node(1, 0))
    with pytest.raises(UsageError, match="no floor 16"):
        check_node(NOTEBOOK, Node(1, 15))


def survives(rooms, hp, changes, most):
    for room in rooms:
        hp = min(most, hp + changes.get(room, 0))
        if hp <= 0:
            return False
    return True


@pytest.mark.parametrize("name", [FILES[0], FILES[3]])
@pytest.mark.parametrize("hp", [10, 45, 80])
def test_deadly_paths_are_excluded(name, hp):
    act_map = from_file(name)
    changes = hp_changes(80)
    routes = [route_along(act_map, RISK, path) for path in all_paths(act_map)]
    alive = [route for route in routes if survives(route.rooms, hp, changes, 80)]
    rule = Survive(hp, changes, 80)
    if not alive:
        with pytest.raises(NoRoute, match=f"survive with {hp} HP"):
            find_routes(act_map, RISK, [rule])
        return

    found = find_routes(act_map, RISK, [rule])

    assert found.n_paths == len(alive)
    assert found.best[0] == max(alive, key=lambda route: route.value)


def test_hp_of_0_are_deadly_and_rests_heal_up_to_the_maximum():
    act_map = from_rows("R", "M", "M")

    assert find_routes(act_map, RANK, [Survive(5, {Room.REST: 90, Room.MONSTER: -5}, 11)]).n_paths == 1
    with pytest.raises(NoRoute):
        find_routes(act_map, RANK, [Survive(5, {Room.REST: 90, Room.MONSTER: -5}, 10)])


def test_the_first_three_monster_rooms_may_cost_less():
    changes = {Room.MONSTER: -10, WEAK: -1, Room.REST: 5}
    act_map = from_rows("M", "R", "M", "E", "M", "M")  # 8, 13, 12, 12, 11, 1

    assert find_routes(act_map, RANK, [Survive(9, changes, 20)]).n_paths == 1
    with pytest.raises(NoRoute, match="it takes 9"):
        find_routes(act_map, RANK, [Survive(8, changes, 20)])
    assert [hp.low for hp in hp_ranges(act_map, RANK, changes, max_hp=20) if hp.routes] == [9]


def test_hp_ranges_partition_all_hp_and_have_best_routes():
    changes = hp_changes(80)

    starts = hp_ranges(NOTEBOOK, RISK, changes, [at_most(2, Room.ELITE)], max_hp=80)

    assert [hp for start in starts for hp in range(start.low, start.high + 1)] == list(range(1, 81))
    assert starts[0].routes is None
    assert changes[Room.REST] == 24
    values = [start.routes.value for start in starts[1:]]
    assert values == sorted(values)  # more HP never hurt
    for start in starts[1:]:
        for hp in (start.low, start.high):
            rules = [at_most(2, Room.ELITE), Survive(hp, changes, 80)]
            assert find_routes(NOTEBOOK, RISK, rules).best[0] == start.routes.best[0]


def test_invalid_start_hp_are_refused():
    for hp in (0, 81):
        with pytest.raises(UsageError, match="1 to 80 HP"):
            Survive(hp, {}, 80)
