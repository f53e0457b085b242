"""The linear program against the dynamic program, with and without rules; relaxed, and without SciPy."""

import sys

import numpy as np
import pytest

from evodom.errors import EvodomError, UsageError
from evodom.spire.map import Node, Room, generate
from evodom.spire.route import (
    COUNTS,
    RANK,
    RISK,
    Evaluation,
    NoRoute,
    Survive,
    at_least,
    at_most,
    avoid,
    find_routes,
    route_along,
    through,
)
from evodom.spire.route.linear_program import SOURCE, build_program, solve_program
from tests.spire.route.maps import FILES, all_paths, from_file, from_rows

NOTEBOOK = from_file("673465884448_Act1")
INTEGER_TOLERANCE = 1e-7


def test_incidence_matrix_of_a_small_map():
    #  r0   r1     edges by destination: source-m, m-e, m-s, e-sink, s-sink
    #  m -- e
    #   \__ s
    program = build_program(from_rows("M", "E$"), RANK)

    assert program.nodes == (SOURCE, Node(0, 0), Node(0, 1), Node(1, 1), Node(2, 2))
    assert program.incidence.tolist() == [
        [-1, 0, 0, 0, 0],
        [1, -1, -1, 0, 0],
        [0, 1, 0, -1, 0],
        [0, 0, 1, 0, -1],
        [0, 0, 0, 1, 1],
    ]
    assert program.rhs.tolist() == [-1, 0, 0, 0, 1]
    assert program.weights.tolist() == [3, 5, 1, 0, 0]


def test_size_and_values_of_the_notebooks_program():
    sizes, values = set(), []
    for evaluation in (RANK.at_tolerance(), RISK.at_tolerance(1), RISK.at_tolerance(0.5), RISK.at_tolerance(0)):
        program = build_program(NOTEBOOK, evaluation)
        sizes.add(program.incidence.shape)
        values.append(solve_program(program).value)

    assert sizes == {(64, 76)}
    assert values == pytest.approx([48, 480, 357.5, 265], rel=INTEGER_TOLERANCE)


def test_both_methods_agree_on_random_maps_and_relaxations_are_integral():
    for seed in range(60):
        act_map = generate(seed, 1 + seed % 3, ascension=seed % 2)
        evaluation = RISK.at_tolerance((seed % 11) / 10)

        flow = solve_program(build_program(act_map, evaluation), integral=False)

        assert flow.value == pytest.approx(float(find_routes(act_map, evaluation).value), rel=INTEGER_TOLERANCE), seed
        assert flow.integral, seed
        assert float(route_along(act_map, evaluation, flow.path).value) == pytest.approx(
            flow.value, rel=INTEGER_TOLERANCE
        ), seed


def test_both_methods_agree_on_random_maps_with_rules():
    n_impossible = 0
    for seed in range(24):
        act_map = generate(seed)
        nodes = list(act_map.rooms)
        rules = [
            at_least(1 + seed % 2, Room.SHOP, before=8 + seed % 5),
            at_most(2, Room.ELITE),
            at_least(seed % 5, Room.EVENT, after=4),
            through(nodes[seed % len(nodes)]),
            avoid(nodes[(7 * seed + 3) % len(nodes)]),
        ][seed % 3 :]
        try:
            value = float(find_routes(act_map, RISK, rules).value)
        except NoRoute:
            n_impossible += 1
            with pytest.raises(NoRoute, match="infeasible"):
                solve_program(build_program(act_map, RISK, rules))
            continue

        flow = solve_program(build_program(act_map, RISK, rules))

        assert flow.value == pytest.approx(value, rel=INTEGER_TOLERANCE), seed
        assert flow.path == find_routes(act_map, RISK, [*rules, *map(through, flow.path)]).best[0].path, seed
    assert 0 < n_impossible < 24


def test_rules_need_integrality():
    act_map = from_rows("E  $", "E  $", "R  R")  # two paths that never meet, of two elites and of none

    program = build_program(act_map, RANK, [at_most(1, Room.ELITE)])
    whole, relaxed = solve_program(program), solve_program(program, integral=False)

    assert (whole.value, whole.integral) == (pytest.approx(6), True)
    assert (relaxed.value, relaxed.integral) == (pytest.approx(10), False)  # half of each


def test_maps_with_dead_ends_are_solved():
    act_map = from_rows("M M", "E  M", "   R")
    best = max(route_along(act_map, RANK, path).value for path in all_paths(act_map))

    assert solve_program(build_program(act_map, RANK)).value == pytest.approx(float(best))


@pytest.mark.parametrize("name", FILES)
def test_the_flow_is_one_from_the_source_to_the_sink(name):
    act_map = from_file(name)
    program = build_program(act_map, RANK)

    flow = solve_program(program)

    assert np.allclose(program.incidence @ flow.flow, program.rhs)
    assert flow.flow.sum() == pytest.approx(len(flow.path) + 1)
    assert flow.path in set(all_paths(act_map))


def test_nonlinear_evaluations_and_rules_are_refused():
    with pytest.raises(UsageError, match="the room and its row alone"):
        build_program(NOTEBOOK, Evaluation(lambda room, row, before: before.elite, COUNTS))
    with pytest.raises(UsageError, match="cannot express: survive with 5 HP"):
        build_program(NOTEBOOK, RANK, [Survive(5, {}, 80)])


def test_without_scipy_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)

    with pytest.raises(EvodomError, match=r"evodom\[routes\]"):
        solve_program(build_program(NOTEBOOK, RANK))
