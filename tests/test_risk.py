"""Battles of Risk: single throws, whole invasions, simulations, and when to stop."""

import subprocess
import sys
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from evodom.distribution import certain
from evodom.errors import UsageError
from evodom.games import play
from evodom.risk import (
    MAX_UNITS,
    Battlefield,
    Invasion,
    InvasionState,
    NotEnough,
    StoppableInvasion,
    _unit,
    battle,
    estimate,
    invade,
    losses,
    simulate_battle,
    simulate_invasions,
    smallest_army,
    success,
    success_probability,
    success_table,
)
from evodom.solve import evaluate, solve


@pytest.mark.parametrize(
    ("field", "dice"),
    [((2, 1), (1, 1)), ((3, 5), (2, 2)), ((4, 1), (3, 1)), ((20, 20), (3, 2)), ((1, 3), (0, 2)), ((0, 3), (0, 2))],
)
def test_one_attacker_stays_behind_and_throws_no_die(field, dice):
    assert Battlefield(*field).dice == dice


@pytest.mark.parametrize("dice", [*product((1, 2, 3), (1, 2))])
def test_the_odds_of_a_throw_are_whole_numbers_over_the_common_unit(dice):
    throw = losses(*dice)

    assert all(_unit() ** sum(lost) % throw.total == 0 for lost, _ in throw)


def test_a_throw_costs_as_many_units_as_there_are_pairs_of_dice():
    for attackers, defenders in product(range(2, 6), range(1, 4)):
        field = Battlefield(attackers, defenders)
        lost = {sum(field) - sum(after) for after, _ in battle(field)}
        assert lost == {min(field.dice)}


@pytest.mark.parametrize("field", [(5, 0), (1, 4), (0, 4), (0, 0)])
def test_an_invasion_that_is_over_stays_as_it_is(field):
    assert battle(Battlefield(*field)) == invade(Battlefield(*field)) == certain(Battlefield(*field))
    assert success_probability(*field) == (field[1] == 0)


def test_an_invasion_is_one_throw_and_the_invasions_that_follow():
    field = Battlefield(7, 6)

    assert invade(field) == battle(field).bind(invade)


def test_invasions_end_when_one_side_cannot_go_on():
    ends = invade(Battlefield(9, 7))

    assert all(end.over for end, _ in ends)
    assert {end for end, _ in ends} == {
        *(Battlefield(left, 0) for left in range(2, 10)),
        *(Battlefield(1, left) for left in range(1, 8)),
    }


def test_the_table_has_the_odds_of_each_invasion():
    table = success_table(8, 6)

    for attackers, defenders in product(range(9), range(7)):
        assert table[attackers][defenders] == success(invade(Battlefield(attackers, defenders)))
        assert table[attackers][defenders] == success_probability(attackers, defenders)


def test_floats_are_the_exact_odds_rounded():
    exact, rounded = success_table(40, 40), success_table(40, 40, number_type=float)

    assert rounded == [[float(chance) for chance in row] for row in exact]


def test_more_attackers_and_fewer_defenders_are_better():
    table = success_table(30, 30)

    for attackers, defenders in product(range(2, 30), range(1, 30)):
        assert table[attackers][defenders] < table[attackers + 1][defenders]
        assert table[attackers][defenders] > table[attackers][defenders + 1]


def test_solving_the_game_without_choices_gives_the_same_odds():
    solution = solve(Invasion(Battlefield(12, 10)))

    assert solution.value == success_probability(12, 10)
    assert all(value == success_probability(*field) for field, value in solution.values().items())


@pytest.mark.parametrize(("defenders", "wanted"), [(1, 0.5), (5, Fraction(4, 5)), (10, 0.9), (0, 0.5)])
def test_the_smallest_army_reaches_the_chance_and_one_attacker_fewer_does_not(defenders, wanted):
    attackers, chance = smallest_army(defenders, wanted)

    assert chance == success_probability(attackers, defenders) >= wanted
    assert attackers == 0 or success_probability(attackers - 1, defenders) < wanted
    assert smallest_army(defenders, wanted, number_type=float) == (attackers, float(chance))


def test_an_army_that_would_be_too_large_is_told():
    with pytest.raises(NotEnough, match=r"10 attackers against 20 defenders succeed less often than 0\.5"):
        smallest_army(20, 0.5, max_attackers=10)


@pytest.mark.parametrize("field", [(2, 1), (3, 3), (10, 5), (12, 12)])
def test_simulated_dice_agree_with_exact_odds(field):
    n = 40_000
    ends = simulate_invasions(Battlefield(*field), n, np.random.default_rng(11))
    found = estimate(ends, n)
    exact = float(success_probability(*field))

    assert found.standard_error == pytest.approx((exact * (1 - exact) / n) ** 0.5, rel=0.05)
    assert abs(found.probability - exact) < 4 * found.standard_error
    for end, share in invade(Battlefield(*field)):
        error = (float(share) * (1 - float(share)) / n) ** 0.5
        assert abs(float(ends.probability(end)) - float(share)) < 4.5 * error + 2 / n


def test_every_simulated_invasion_is_counted_once():
    # more than are simulated at a time, in a number that no other weight divides
    ends, again = (simulate_invasions(Battlefield(2, 1), 100_003, np.random.default_rng(1)) for _ in range(2))

    assert ends.total == 100_003
    assert dict(ends) == dict(again)
    assert dict(simulate_invasions(Battlefield(1, 7), 10, np.random.default_rng(1))) == {Battlefield(1, 7): 1}


def test_single_simulations_follow_the_same_rules():
    rng = np.random.default_rng(5)
    assert simulate_battle(Battlefield(2, 1), rng) in {Battlefield(1, 1), Battlefield(2, 0)}
    assert play(Invasion(Battlefield(2, 1)), lambda field: "attack", rng) in {(0,), (1,)}


def test_an_invader_who_values_the_territory_alone_never_stops_and_nothing_never_attacks():
    solution = solve(StoppableInvasion(Battlefield(9, 7), unit=0, territory=1, defender=0))
    idle = solve(StoppableInvasion(Battlefield(9, 3), unit=0, territory=0, defender=0))

    assert solution.value == success_probability(9, 7)
    assert solution.policy(InvasionState(Battlefield(2, 7))) == "attack"
    assert idle.policy(InvasionState(Battlefield(9, 3))) == "stop"


def test_an_invader_who_trades_units_attacks_while_the_dice_favour_him():
    # Units are worth the same and nothing else is: one throw loses less than it gains with three dice, or with two
    # dice against one (125 of 216), and not with two against two, or with one.
    solution = solve(StoppableInvasion(Battlefield(12, 8), unit=1, territory=0, defender=1))

    for attackers, defenders in product(range(2, 13), range(1, 9)):
        favoured = attackers >= 4 or (attackers, defenders) == (3, 1)
        assert solution.policy(InvasionState(Battlefield(attackers, defenders))) == ("attack" if favoured else "stop")


def test_one_throw_is_worth_its_expectation():
    solution = solve(StoppableInvasion(Battlefield(2, 1), unit=1, territory=3, defender=Fraction(1, 2)))

    assert solution.action_values(InvasionState(Battlefield(2, 1))) == (
        ("attack", Fraction(5, 12) * (2 + 3) + Fraction(7, 12) * (1 - Fraction(1, 2))),
        ("stop", Fraction(3, 2)),
    )


def test_stopping_at_the_best_moment_beats_both_extremes():
    game, start = StoppableInvasion(Battlefield(12, 8)), InvasionState(Battlefield(12, 8))
    best = solve(game)

    to_the_end = evaluate(game, lambda front: "attack")
    at_once = evaluate(game, lambda front: "stop")

    assert best.value > max(to_the_end.value, at_once.value)
    assert to_the_end.value > best.value - 1
    assert best.policy(start) == "attack"
    assert best.policy(InvasionState(Battlefield(11, 8))) == "stop"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: success_probability(-1, 2), "the number of attackers must be a whole number from 0 to 500, got -1"),
        (lambda: success_probability(2, MAX_UNITS + 1), "the number of defenders must be .* got 501"),
        (lambda: success_probability(2.5, 1), "the number of attackers must be a whole number .* got 2.5"),
        (lambda: battle(Battlefield(3, -2)), "the number of defenders"),
        (lambda: invade(Battlefield(10**9, 2)), "the number of attackers"),
        (lambda: success_table(2, -1), "the number of defenders"),
        (lambda: smallest_army(3, 1), "above 0 and below 1, got 1"),
        (lambda: smallest_army(3, 0.0), "above 0 and below 1, got 0.0"),
        (lambda: simulate_invasions(Battlefield(3, 3), 0, np.random.default_rng(1)), "at least 1 invasion"),
    ],
)
def test_impossible_questions_are_refused(call, message):
    with pytest.raises(UsageError, match=message):
        call()


def test_exact_odds_need_no_numpy():
    code = (
        "import sys; from evodom.risk import Battlefield, invade, success_table\n"
        "invade(Battlefield(5, 5)), success_table(5, 5)\n"
        "assert 'numpy' not in sys.modules"
    )

    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
