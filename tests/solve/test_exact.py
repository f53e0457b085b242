"""Exact values, best policies, ties, limits and distributions of results, on games small enough to check by hand."""

from fractions import Fraction

import pytest

from evodom.distribution import Distribution, certain, uniform
from evodom.solve import Cyclic, Limits, TooLarge, evaluate, solve


class Pig:
    """Throw a die as often as you like up to a limit; a one loses all, stopping keeps the sum."""

    def __init__(self, throws: int) -> None:
        self.throws = throws

    def actions(self, state):
        _, left, over = state
        return () if over else (("stop", "throw") if left else ("stop",))

    def outcomes(self, state, action) -> Distribution:
        total, left, _ = state
        if action == "stop":
            return certain((total, left, True))
        return uniform(range(1, 7)).map(lambda n: (0, 0, True) if n == 1 else (total + n, left - 1, False))

    def payoff(self, state):
        return state[0]


class Walk:
    """One forced step after another, far more than Python's recursion limit."""

    def actions(self, state):
        return ("on",) if state else ()

    def outcomes(self, state, action):
        return certain(state - 1)

    def payoff(self, state):
        return 1

    def reward(self, state, action):
        return Fraction(1, 2)


class Nim:
    """Take one to three matches; who takes the last one wins (1 for the first player)."""

    def actions(self, state):
        return tuple(range(1, min(3, state[0]) + 1))

    def outcomes(self, state, action):
        return certain((state[0] - action, 1 - state[1]))

    def payoff(self, state):
        return state[1]

    def actor(self, state):
        return state[1]


class Loop:
    def actions(self, state):
        return ("stay", "leave") if state == "here" else ()

    def outcomes(self, state, action):
        return certain("here" if action == "stay" else "there")

    def payoff(self, state):
        return 0


def test_one_throw_of_pig_is_worth_its_expectation():
    assert solve(Pig(1), (0, 1, False)).value == Fraction(20, 6)


def test_a_policy_throws_while_the_gain_outweighs_the_loss():
    solution = solve(Pig(30), (0, 30, False))
    # throwing at n is worth (5 n + 20) / 6, stopping n: the two are equal at 20, where the first in order is taken
    assert [solution.policy((n, 1, False)) for n in (19, 20, 21)] == ["throw", "stop", "stop"]
    assert solution.step((20, 1, False)) == (("stop", 20), ("throw", 20))


def test_floats_agree_with_fractions():
    exact, quick = solve(Pig(12), (0, 12, False)), solve(Pig(12), (0, 12, False), number=float)
    assert quick.value == pytest.approx(float(exact.value), rel=1e-14)
    assert quick.policy((20, 1, False)) == "stop"


def test_results_are_the_distribution_of_the_payoff():
    solution = solve(Pig(12), (0, 12, False))
    results = solution.results()
    assert results.expectation() == solution.value
    assert sum(share for _, share in results) == 1
    assert results.probability(0) > Fraction(1, 2)


def test_a_given_policy_is_worth_no_more_than_the_best():
    timid = evaluate(Pig(12), lambda state: "stop" if state[0] else "throw", (0, 12, False))
    assert timid.value == Fraction(20, 6)
    assert timid.value < solve(Pig(12), (0, 12, False)).value


def test_a_long_game_needs_no_recursion_and_rewards_add_up():
    solution = solve(Walk(), 20_000)
    assert solution.value == 10_001
    assert dict(solution.results()) == {10_001: 1}


def test_a_game_of_two_players_is_solved_for_both():
    solution = solve(Nim(), (21, 0))
    assert solution.value == 1
    assert solution.policy((21, 0)) == 1
    assert solution.value_of((20, 0)) == 0
    assert solution.step((6, 1))[0] == (2, 0)


def test_a_state_that_comes_back_is_told():
    with pytest.raises(Cyclic, match="come back"):
        solve(Loop(), "here")


def test_a_game_beyond_the_limit_of_states_is_refused():
    with pytest.raises(TooLarge, match="100 states"):
        solve(Pig(30), (0, 30, False), limits=Limits(states=100))


def test_a_game_beyond_the_limit_of_memory_is_refused():
    with pytest.raises(TooLarge, match="GiB"):
        solve(Pig(3), (0, 3, False), limits=Limits(memory=1))


def test_states_not_reached_from_the_start_are_solved_when_asked_for():
    solution = solve(Pig(1), (0, 1, False))
    assert solution.value_of((100, 2, False)) == 100
