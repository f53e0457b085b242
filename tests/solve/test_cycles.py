"""Games whose states come back: intervals that contain what is known otherwise, policies that get what they promise."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from evodom.distribution import certain, weighted
from evodom.errors import UsageError
from evodom.solve import solve
from evodom.solve.cycles import NotConverged, evaluate_bounds, solve_bounds
from tests.effort import effort
from tests.solve.one_player import OnePlayer

pytestmark = pytest.mark.uncompiled


class Listed:
    """A game given as state -> action -> (reward, {state: weight}); states not listed are over and pay themselves.

    With `second`, the states in which it is the second player's turn, what player 0 is paid the other one pays.
    """

    def __init__(self, moves, *, second=()):
        self.moves = moves
        self.second = second
        self.n_players = 2 if second else 1

    def actions(self, state):
        return tuple(self.moves.get(state, ()))

    def outcomes(self, state, action):
        return weighted(self.moves[state][action][1])

    def rewards(self, state, action):
        paid = self.moves[state][action][0]
        return (paid, -paid)[: self.n_players]

    def returns(self, state):
        return (state, -state)[: self.n_players]

    def player(self, state):
        return int(state in self.second)


class RedAndBlack(OnePlayer):
    """Stake any part of a fortune at 2 to 3 odds until it is doubled to 8, or lost."""

    def actions(self, fortune):
        return tuple(range(1, min(fortune, 8 - fortune) + 1))

    def outcomes(self, fortune, stake):
        return weighted({fortune + stake: 2, fortune - stake: 3})

    def returns(self, fortune):
        return (int(fortune == 8),)


def test_what_is_left_with_a_third_each_turn_takes_three_turns():
    patient = solve_bounds(Listed({"in": {"try": (-1, {"in": 2, 0: 1})}}), "in")

    low, high = patient.value
    assert low <= -3 <= high
    assert high - low < 1e-9
    assert (patient.n_loops, patient.n_looping, patient.largest_loop) == (1, 1, 1)


def test_the_chances_of_a_gambler_are_those_of_the_formula():
    class Ruin(RedAndBlack):
        def actions(self, fortune):
            return (1,) if 0 < fortune < 8 else ()

    found = solve_bounds(Ruin(), 3)

    for fortune in range(1, 8):
        low, high = found.value_of(fortune)
        known = (1 - 1.5**fortune) / (1 - 1.5**8)
        assert low - 1e-13 <= known <= high + 1e-13


def test_bold_play_is_best_when_the_odds_are_bad():
    # Dubins and Savage 1965, "How to Gamble If You Must"
    found = solve_bounds(RedAndBlack(), 1)

    assert found.value.middle == pytest.approx(0.4**3, abs=1e-9)
    assert found.value_of(4).middle == pytest.approx(0.4, abs=1e-9)
    assert (found.policy(4), found.policy(2)) == (4, 2)


def test_a_policy_takes_what_it_may_have_and_does_not_wait_for_it_for_ever():
    found = solve_bounds(Listed({"here": {"stay": (0, {"here": 1}), "leave": (0, {5: 1})}}), "here")

    assert found.value.middle == pytest.approx(5, abs=1e-9)
    assert found.policy("here") == "leave"
    assert dict(found.results()) == {5: 1}


def test_going_round_at_random_for_ever_is_worth_no_more_than_leaving():
    moves = {"here": {"drift": (0, {"here": 1, "there": 2}), "leave": (0, {5: 1, 4: 2})}}
    moves |= {"there": {"drift": (0, {"here": 3, "there": 4}), "leave": (0, {1: 1})}}

    found = solve_bounds(Listed(moves), "there")

    assert found.value.low <= Fraction(13, 3) <= found.value.high
    assert found.value.high - found.value.low < 1e-9
    assert [found.policy(state) for state in ("here", "there")] == ["leave", "drift"]
    assert found.n_rounded == 1


def test_play_without_end_earns_nothing_and_suits_who_pays():
    moves = {
        "max": {"on": (0, {"min": 1}), "take 1": (0, {1: 1})},
        "min": {"back": (0, {"max": 1}), "pay": (0, {2: 1})},
    }

    found = solve_bounds(Listed(moves, second={"min"}), "max")

    assert found.value.middle == pytest.approx(1, abs=1e-9)
    assert (found.policy("max"), found.policy("min")) == ("take 1", "back")


def test_costs_that_never_end_are_reported(monkeypatch):
    monkeypatch.setattr("evodom.solve.cycles.MAX_SWEEPS", 500)

    with pytest.raises(NotConverged, match="no way out"):
        solve_bounds(Listed({"in": {"wait": (-1, {"in": 1})}}), "in")


def test_payoffs_of_both_signs_are_refused_in_one_line():
    with pytest.raises(UsageError, match=r"at least 0, or all at most 0\. Got .* of both: \(1, -1\) and"):
        solve_bounds(Listed({"in": {"win": (0, {1: 1}), "lose": (0, {-1: 1})}}), "in")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("sign", [-1, 1])
def test_the_interval_contains_the_exact_value_of_the_best_of_all_policies(seed, sign):
    rng = np.random.default_rng(seed)
    names = "abcde"
    moves = {
        name: {
            action: (
                sign * int(rng.integers(0, 4)),
                {after: int(rng.integers(0, 5)) for after in names} | {0: 1, sign * int(rng.integers(1, 9)): 1},
            )
            for action in ("left", "right")
        }
        for name in names
    }

    found = solve_bounds(Listed(moves), "a")

    best = {
        name: max(
            _worth(moves, dict(zip(names, choice, strict=True)))[name]
            for choice in product(("left", "right"), repeat=5)
        )
        for name in names
    }
    for name in names:
        low, high = found.value_of(name)
        assert low <= best[name] <= high
        assert high - low < 1e-8
    chosen = {name: found.policy(name) for name in names}
    assert float(_worth(moves, chosen)["a"]) == pytest.approx(float(best["a"]), abs=1e-8)


def test_a_game_without_loops_has_the_value_that_solve_finds():
    moves = {"one": {"safe": (1, {3: 1}), "risk": (0, {"two": 1, 1: 2})}, "two": {"on": (2, {9: 1, 7: 1})}}

    found, exact = solve_bounds(Listed(moves), "one"), solve(Listed(moves), "one")

    assert found.value == (exact.value, exact.value)
    assert [option.action for option in found.action_values("one")] == [
        choice.action for choice in exact.action_values("one")
    ]
    assert found.n_loops == 0
    assert found.n_states == exact.n_states


def test_a_given_policy_is_worth_what_it_gets():
    timid = evaluate_bounds(RedAndBlack(), lambda fortune: 1, 4)

    assert timid.value.middle == pytest.approx((1 - 1.5**4) / (1 - 1.5**8), abs=1e-9)
    assert timid.value.high < solve_bounds(RedAndBlack(), 4).value.low


def test_loops_behind_one_another_are_solved_one_by_one_without_recursion():
    n = effort(3000, 3000, 1200)  # more than Python's limit of calls within calls
    moves = {("turn", i): {"try": (-1, {("turn", i): 1, ("turn", i + 1) if i + 1 < n else 0: 1})} for i in range(n)}

    found = solve_bounds(Listed(moves), ("turn", 0))

    assert found.value.low - 1e-9 <= -2 * n <= found.value.high + 1e-9
    assert (found.n_loops, found.largest_loop) == (n, 1)


def test_a_start_may_be_a_distribution():
    begin = weighted({4: 1, 8: 1})

    assert solve_bounds(RedAndBlack(), begin).value.middle == pytest.approx(0.7, abs=1e-9)
    assert solve_bounds(RedAndBlack(), certain(8)).value == (1, 1)


def _worth(moves, chosen):
    """Solve the linear equations of a policy in fractions: value = reward + sum of shares times values."""
    names = list(moves)
    rows = []
    for name in names:
        reward, after = moves[name][chosen[name]]
        total = sum(after.values())
        row = [Fraction(int(name == other)) - Fraction(after.get(other, 0), total) for other in names]
        ends = sum(Fraction(state * weight, total) for state, weight in after.items() if state not in moves)
        rows.append([*row, reward + ends])
    for i in range(len(rows)):
        rows[i] = [each / rows[i][i] for each in rows[i]]
        for j in range(len(rows)):
            if j != i:
                rows[j] = [a - rows[j][i] * b for a, b in zip(rows[j], rows[i], strict=True)]
    return {name: row[-1] for name, row in zip(names, rows, strict=True)}


def test_a_bounded_solution_is_printed_with_its_bounds():
    found = solve_bounds(RedAndBlack(), 1)

    assert (
        str(found) == f"BoundedSolution(value=Interval(low={found.value.low!r}, high={found.value.high!r}), n_states=9)"
    )
