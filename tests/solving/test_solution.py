"""Exact values, best policies, ties, limits and distributions of results, on games small enough to check by hand."""

import re
from fractions import Fraction

import pytest

from evodom.distribution import Distribution, certain, uniform
from evodom.errors import UsageError
from evodom.solving import Cyclic, FixedPolicyGame, Limits, TooLarge, evaluate, no_progress, solve
from evodom.solving.limits import DEFAULT_STATES
from tests.games.strangers import Nim
from tests.solving.one_player import OnePlayer


class Pig(OnePlayer):
    """Throw a die until you stop, up to a limit. A 1 loses the sum, and a stop keeps it."""

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

    def returns(self, state):
        return (state[0],)


class Walk(OnePlayer):
    """One forced step after another, far more than Python's recursion limit."""

    def actions(self, state):
        return ("on",) if state else ()

    def outcomes(self, state, action):
        return certain(state - 1)

    def returns(self, state):
        return (1,)

    def rewards(self, state, action):
        return (Fraction(1, 2),)


class Loop(OnePlayer):
    def actions(self, state):
        return ("stay", "leave") if state == "here" else ()

    def outcomes(self, state, action):
        return certain("here" if action == "stay" else "there")

    def returns(self, state):
        return (0,)


def test_one_throw_of_pig_is_worth_its_expectation():
    solution = solve(Pig(1), (0, 1, False))
    assert solution.value == Fraction(20, 6)
    assert str(solution) == "Solution(value=Fraction(10, 3), n_states=13)"
    assert solution.value_of((100, 2, False)) == 100  # not reached from the start


def test_a_policy_throws_while_the_gain_outweighs_the_loss():
    solution = solve(Pig(30), (0, 30, False))
    # A throw at n has the value (5 n + 20) / 6, a stop n. They are equal at 20, where the first action is taken.
    assert [solution.policy((n, 1, False)) for n in (19, 20, 21)] == ["throw", "stop", "stop"]
    assert solution.action_values((20, 1, False)) == (("stop", 20), ("throw", 20))


def test_floats_agree_with_fractions():
    exact, quick = solve(Pig(12), (0, 12, False)), solve(Pig(12), (0, 12, False), number_type=float)
    assert quick.value == pytest.approx(float(exact.value), rel=1e-14)
    assert quick.policy((20, 1, False)) == "stop"


def test_results_are_the_distribution_of_the_payoff():
    solution = solve(Pig(12), (0, 12, False))
    results = solution.results()
    assert results.expectation() == solution.value
    assert sum(share for _, share in results) == 1
    assert results.probability(0) > Fraction(1, 2)


def test_a_long_game_needs_no_recursion_and_rewards_add_up():
    solution = solve(Walk(), 2_000)
    assert solution.value == 1_001
    assert dict(solution.results()) == {1_001: 1}


def test_a_game_of_two_players_is_solved_for_both():
    solution = solve(Nim(), (21, 0))
    assert solution.value == 1
    assert solution.policy((21, 0)) == 1
    assert solution.value_of((20, 0)) == 0
    assert solution.action_values((6, 1))[0] == (2, 0)


def test_returns_and_rewards_of_two_players_that_do_not_cancel_out_are_refused():
    class Generous(Nim):
        def returns(self, state):
            return (1, 1) if state[1] else (0, 1)

    class Paid(Nim):
        def rewards(self, state, action):
            return (1, 0)

    for game, message in ((Generous(), "constant sum"), (Paid(), "rewards add up to 1")):
        with pytest.raises(UsageError, match=message):
            solve(game, (21, 0))


def test_rewards_of_two_players_that_cancel_out_are_part_of_the_value():
    class Fee(Nim):
        def rewards(self, state, action):
            return (-1, 1) if state[1] == 0 else (1, -1)

    assert solve(Fee(), (4, 0)).value == solve(Nim(), (4, 0)).value  # both move once: the fees cancel out
    assert solve(Fee(), (1, 0)).value == 0  # one wins 1 and pays 1 for taking the last match


def test_a_game_of_three_players_has_no_value_and_a_policy_still_has():
    class Three(Nim):
        n_players = 3

        def returns(self, state):
            return (2, 3, 5)

    with pytest.raises(UsageError, match="one or two players, got 3"):
        solve(Three(), (2, 0))
    assert evaluate(Three(), lambda state: 1, (2, 0)).value == 2
    assert solve(FixedPolicyGame(Three(), lambda state: 1, player=2), (2, 0)).value == 5


def test_a_game_whose_states_recur_is_refused():
    with pytest.raises(Cyclic, match="come back"):
        solve(Loop(), "here")


def test_a_game_that_lists_its_first_states_is_solved_from_them():
    class Begun(Pig):
        def starts(self):
            return uniform([(0, 1, False), (6, 1, False)])

    assert solve(Begun(1)).value == Fraction(20 + 50, 12)
    with pytest.raises(UsageError, match="Pig does not list its first states"):
        solve(Pig(1))


def test_a_game_beyond_a_limit_is_refused():
    assert (Limits().states, Limits(states=None).states) == (DEFAULT_STATES, None)
    for limits, message in ((Limits(states=100), "100 states"), (Limits(memory=1), "GiB")):
        with pytest.raises(TooLarge, match=message):
            solve(Pig(30), (0, 30, False), limits=limits)


class Growing(OnePlayer):
    """A pair of numbers that grows without end."""

    def actions(self, state):
        return ("on",)

    def outcomes(self, state, action):
        return uniform([(state[0] + 1, state[1] + n) for n in (1, 2)])

    def returns(self, state):
        return (0,)


def test_a_game_that_grows_without_end_stops_at_the_limit_with_progress_on_the_way():
    reported = []

    with pytest.raises(TooLarge, match=r"more than 20,000 states, .*limits=Limits\(states=.* limit its turns"):
        solve(Growing(), (0, 0), limits=Limits(states=20_000), progress=reported.append)

    assert reported == sorted(reported)
    assert len(reported) >= 4


def test_slow_solving_prints_progress_on_stderr_unless_it_is_silenced(monkeypatch, capsys):
    limits = Limits(states=5_000)
    for seconds, options, printed in ((60.0, {}, False), (0.0, {"progress": no_progress}, False), (0.0, {}, True)):
        monkeypatch.setattr("evodom.solving.limits.PRINT_EVERY_S", seconds)
        with pytest.raises(TooLarge):
            solve(Growing(), (0, 0), limits=limits, **options)
        told = capsys.readouterr()
        assert told.out == ""
        assert bool(re.match(r"solving: [\d,]+ states in 0 s, \d+\.\d GiB of memory\n", told.err)) == printed


def test_a_policy_that_is_evaluated_plays_every_seat():
    def first_takes(*numbers):
        return lambda state: numbers[state[1]]

    assert evaluate(Nim(), lambda state: 1, (2, 0)).value == evaluate(Nim(), first_takes(1, 1), (2, 0)).value == 0
    assert evaluate(Nim(), first_takes(2, 1), (2, 0)).value == 1
    assert evaluate(Pig(12), lambda state: "stop" if state[0] else "throw", (0, 12, False)).value == Fraction(20, 6)
