"""Battles of Risk: throws, whole invasions, chains, floors, other dice, and when to stop."""

from fractions import Fraction
from itertools import product
from math import isclose
from time import process_time

import pytest

from evodom.errors import UsageError
from evodom.risk import (
    BattleRules,
    End,
    Worths,
    invade,
    losses,
    mean,
    smallest_army,
    success,
    success_table,
    value,
    when_to_stop,
)

RULES = [
    BattleRules(),
    BattleRules(keep=3),
    BattleRules(defender_dice=3),
    BattleRules(attacker_wins_ties=True),
    BattleRules(sides=3),
    BattleRules(sides=4, defender_dice=3, attacker_wins_ties=True, keep=2),
]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_the_odds_of_a_throw_are_counts_of_all_results_of_the_dice(rules):
    for attack, defend in product((1, 2, 3), range(1, rules.defender_dice + 1)):
        counts = [0] * (min(attack, defend) + 1)
        for dice in product(range(rules.sides), repeat=attack + defend):
            pairs = zip(sorted(dice[:attack], reverse=True), sorted(dice[attack:], reverse=True), strict=False)
            counts[sum(a < d or (a == d and not rules.attacker_wins_ties) for a, d in pairs)] += 1
        assert losses(attack, defend, rules) == tuple(Fraction(n, rules.sides ** (attack + defend)) for n in counts)


def walked(attackers, chain, rules):
    """Return the probability of success by recursion over throws."""
    if not chain:
        return Fraction(1)
    defenders, *later = chain
    if defenders == 0:
        return walked(attackers - 1, later, rules) if later else Fraction(1)
    if attackers <= rules.keep:
        return Fraction(0)
    throw = losses(min(3, attackers - 1), min(rules.defender_dice, defenders), rules)
    return sum(
        share * walked(attackers - lost, [defenders - (len(throw) - 1 - lost), *later], rules)
        for lost, share in enumerate(throw)
    )


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("chain", [(3,), (2, 3), (1, 2, 1), (0, 2)], ids=str)
def test_ends_and_the_table_equal_the_recursion_over_throws(rules, chain):
    table = success_table(7, chain, rules, number_type=Fraction)

    for attackers in range(8):
        ends = invade(attackers, chain, rules)
        assert success(ends) == walked(attackers, chain, rules)
        assert table[attackers, -1] == success(ends)
        assert sum(ends.values()) == 1


def test_the_attacker_stops_at_the_floor():
    """3 units that keep 2 throw once with two dice: they win 125 of 216 throws."""
    assert invade(3, (1,), BattleRules(keep=2)) == {End(0, 2, 1): Fraction(91, 216), End(1, 3, 0): Fraction(125, 216)}


def test_one_unit_stays_behind_in_each_territory_of_a_chain():
    """3 units against 1, then 1. Without a loss, 2 go on and win 5 of 12; with one, 1 goes on, and cannot attack."""
    first, then, last = Fraction(125, 216), Fraction(91, 216) * Fraction(15, 36), Fraction(15, 36)

    assert invade(3, (1, 1)) == {
        End(0, 1, 2): 1 - first - then,
        End(1, 2, 1): first * (1 - last) + then,
        End(2, 3, 0): first * last,
    }


def test_three_dice_of_the_defender_cost_up_to_three_units():
    """Two-sided dice, three against three: a pair is lost unless the attacker shows more twos up to its rank."""
    shares = losses(3, 3, BattleRules(sides=2, defender_dice=3))

    # The attacker wins max(0, twos of the attacker - twos of the defender) pairs; 3 - 0 in one of 64 throws.
    assert shares == (Fraction(1, 64), Fraction(6, 64), Fraction(15, 64), Fraction(42, 64))


def test_ties_and_the_sides_of_dice_change_a_throw_of_one_die_each():
    """Of n * n throws of one die each, n are ties and half of the others are won."""
    assert losses(1, 1, BattleRules(attacker_wins_ties=True)) == (Fraction(21, 36), Fraction(15, 36))
    assert losses(1, 1, BattleRules(sides=10)) == (Fraction(45, 100), Fraction(55, 100))
    assert losses(1, 1, BattleRules(sides=1000))[0] == Fraction(999, 2000)


@pytest.mark.full
def test_more_than_a_thousand_units_take_seconds():
    began = process_time()
    ends, army = invade(1001, (1000,)), smallest_army((1000,), 0.8)

    assert process_time() - began < 20
    assert success(ends) == pytest.approx(0.9989113234289, abs=1e-12)
    assert army == (895, pytest.approx(success(invade(895, (1000,))), abs=1e-12))
    assert success(invade(894, (1000,))) < 0.8


def test_large_numbers_of_units_are_those_of_exact_values():
    exact, fast = success(invade(210, (200,), is_exact=True)), success(invade(210, (200,)))

    assert isinstance(exact, Fraction)
    assert isinstance(fast, float)
    assert float(exact) == pytest.approx(fast, abs=1e-12)
    assert float(exact) == pytest.approx(success_table(210, (200,))[210, 200], abs=1e-12)


@pytest.mark.parametrize(("chain", "wanted"), [((1,), 0.5), ((5,), Fraction(4, 5)), ((10,), 0.9), ((5, 3, 2), 0.8)])
def test_the_smallest_army_reaches_the_chance_and_one_attacker_fewer_does_not(chain, wanted):
    attackers, chance = smallest_army(chain, wanted)

    assert chance == float(success(invade(attackers, chain))) >= wanted
    assert success(invade(attackers - 1, chain)) < wanted


def test_the_smallest_army_is_searched_up_to_the_limit(monkeypatch):
    attackers, _ = smallest_army((20,), 0.8)
    monkeypatch.setattr("evodom.risk.MAX_CELLS", 20 * attackers)
    assert smallest_army((20,), 0.8)[0] == attackers

    monkeypatch.setattr("evodom.risk.MAX_CELLS", 20 * attackers - 1)
    assert smallest_army((20,), 0.8) is None


def test_an_invader_who_values_the_territory_alone_never_stops_and_nothing_never_attacks():
    alone = when_to_stop(9, 7, Worths(unit=0.0, territory=1.0, defender=0.0))

    assert success(alone.best) == pytest.approx(success(invade(9, (7,))))
    assert alone.attack_when[7] == list(range(2, 31))
    assert when_to_stop(9, 3, Worths(unit=0.0, territory=0.0, defender=0.0)).attack_when == {1: [], 2: [], 3: []}


def test_an_invader_who_trades_units_attacks_while_the_dice_favour_him():
    # Units are worth the same and nothing else is: one throw loses less than it gains with three dice, or with two
    # dice against one (125 of 216), and not with two against two, or with one.
    rule = when_to_stop(12, 8, Worths(unit=1.0, territory=0.0, defender=1.0)).attack_when

    assert rule == {d: list(range(3 if d == 1 else 4, 31)) for d in range(1, 9)}


def test_the_best_plan_is_worth_its_throws_and_beats_both_extremes():
    worths = Worths()
    one = when_to_stop(2, 1, worths)
    assert isclose(value(one.best, worths), 5 / 12 * (2 + 3) + 7 / 12 * (1 - 0.5))

    found = when_to_stop(12, 8, worths)
    assert value(found.best, worths) == pytest.approx(12 - 8 / 2 + 0.04, abs=0.005)
    assert value(found.best, worths) > value(found.to_the_end, worths)
    assert found.attack_when[8][0] == 12
    assert mean(found.best, lambda end: end.attackers) > mean(found.to_the_end, lambda end: end.attackers)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: invade(-1, (2,)), "-1 attackers against 2 defenders. Allowed: numbers of at least 0"),
        (lambda: invade(4000, (2000, 2000)), "against 4000 defenders in 2 territories.* at most 10,000,000"),
        (lambda: invade(3, (19_998,)), r"3 attackers against 19998 defenders\. .*at most 20,000 units in all \("),
        (lambda: invade(1000, (1,) * 20), "attackers count for each territory"),
        (lambda: invade(643, (643,), is_exact=True), "at most 1,285 units in all with --exact"),
        (lambda: when_to_stop(3, 100_000, Worths()), "3 attackers against 100000"),
        (lambda: smallest_army((3,), 1), "above 0 and below 1, got 1"),
        (lambda: BattleRules(sides=1), "sides is 1. Allowed: 2 to 1,000"),
        (lambda: BattleRules(defender_dice=4), "defender-dice is 4. Allowed: 1 to 3"),
    ],
)
def test_impossible_questions_are_refused(call, message):
    with pytest.raises(UsageError, match=message):
        call()
