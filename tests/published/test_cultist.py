"""The Cultist fight of "Min-maxing Slay the Spire with Haskell" (slides, 2022), whose numbers were recomputed exactly.

68 HP and the starter deck with Ascender's Bane against a Cultist at the highest ascension. The heuristic of the slides
(spend all energy if some cards cost just that) changes no value. The number of decisions is that of the original.
"""

from collections import Counter
from fractions import Fraction
from functools import lru_cache

import pytest

from evodom.solve import solve
from evodom.spire.cards import BANE, STARTER
from evodom.spire.fight import Fight, FightSetup, PlayerTurn
from evodom.spire.plans import CARD_BY_CARD, TURN_BY_TURN
from evodom.spire.text import plan_to_text
from tests.spire.helpers import decision

BASELINE = (Fraction(32627274131, 513429840), 63.547677967061674)

BY_HP = {
    50: (Fraction(476041271, 7334712), 64.90251709951256),
    51: (Fraction(945772127, 14669424), 64.47234240417347),
    52: (Fraction(945772127, 14669424), 64.47234240417347),
    53: (Fraction(4715602939, 73347120), 64.29158962206014),
    54: (Fraction(4585028429, 73347120), 62.511362804701804),
    55: (Fraction(414465479, 6667920), 62.15813612040936),
    56: (Fraction(68930129, 1111320), 62.025455314400894),
}

UPGRADED_BASH = (Fraction(20207799383, 308057904), 65.597405944176)

DECISIONS = {(TURN_BY_TURN, True): 26_456, (TURN_BY_TURN, False): 73_254, (CARD_BY_CARD, False): 498_322}

PLAY = [  # position and HP left; hand, draw pile, discard pile; exact value, best plan
    (
        ("| Cultist 53, Incantation 0", 68),
        ("3 Strike, 2 Defend", "Bash, 2 Strike, 2 Defend, Ascender's Bane", ""),
        (Fraction(32191, 490), "3 Strike"),
    ),
    (
        ("| Cultist 35, Dark Strike 1, Ritual 5", 68),
        ("Bash, 2 Strike, Defend, Ascender's Bane", "Defend", "3 Strike, 2 Defend"),
        (Fraction(4178, 63), "Bash, Defend"),
    ),
    (
        ("| Cultist 27, Dark Strike 1, Ritual 5, Strength 5, Vulnerable 1", 67),
        ("Bash, 2 Strike, 2 Defend", "3 Strike, 2 Defend", ""),
        (66, "Strike, 2 Defend"),
    ),
    (
        ("| Cultist 18, Dark Strike 1, Ritual 5, Strength 10", 66),
        ("3 Strike, 2 Defend", "", "Bash, 2 Strike, 2 Defend"),
        (66, "3 Strike"),
    ),
]


def _decisions(solution):
    return sum(isinstance(state, PlayerTurn) for state in solution.states)


@lru_cache
def _solved(spend_all):
    """Return the exact solution turn by turn, which several tests look at."""
    return solve(Fight(FightSetup(), spend_all=spend_all))


def _by_hp(solution, **rules):
    """Return the value for each HP of the Cultist, from one solution for all."""
    values = {}
    for hp in BY_HP:
        start = Fight(FightSetup(enemy_hp=(hp,)), **rules).starts()
        values[hp] = sum(share * solution.value_of(state) for state, share in start)
    return values


@pytest.mark.parametrize("spend_all", [True, False])
def test_every_exact_value_is_the_published_one(spend_all):
    solution = _solved(spend_all)

    assert _decisions(solution) == DECISIONS[TURN_BY_TURN, spend_all]
    assert solution.value == BASELINE[0]
    assert _by_hp(solution, spend_all=spend_all) == {hp: exact for hp, (exact, _) in BY_HP.items()}


@pytest.mark.slow
def test_card_by_card_gives_the_same_values_in_floats():
    game = Fight(FightSetup(), mode=CARD_BY_CARD)

    solution = solve(game, number=float)

    assert _decisions(solution) == DECISIONS[CARD_BY_CARD, False]
    assert solution.value == pytest.approx(BASELINE[1], rel=1e-13)
    assert _by_hp(solution) == pytest.approx({hp: value for hp, (_, value) in BY_HP.items()}, rel=1e-13)


@pytest.mark.slow
def test_card_by_card_is_exactly_the_same_with_the_heuristic():
    game = Fight(FightSetup(), mode=CARD_BY_CARD, spend_all=True)

    solution = solve(game)

    assert solution.value == BASELINE[0]
    assert _by_hp(solution, mode=CARD_BY_CARD, spend_all=True) == {hp: exact for hp, (exact, _) in BY_HP.items()}


def test_floats_are_right_to_thirteen_digits():
    game = Fight(FightSetup(), spend_all=True)

    solution = solve(game, number=float)

    assert solution.value == pytest.approx(BASELINE[1], rel=1e-13)
    assert float(BASELINE[0]) == BASELINE[1]
    assert {hp: float(exact) for hp, (exact, _) in BY_HP.items()} == {hp: value for hp, (_, value) in BY_HP.items()}


def test_an_upgraded_bash_is_worth_two_hp():
    deck = STARTER + Counter({"Bash+": 1, BANE: 1}) - Counter({"Bash": 1})
    game = Fight(FightSetup(deck=deck), spend_all=True)

    value = solve(game).value

    assert value == UPGRADED_BASH[0]
    assert float(value) == pytest.approx(UPGRADED_BASH[1], abs=1e-12)


@pytest.mark.parametrize("turn", range(len(PLAY)), ids=lambda turn: f"turn {turn + 1}")
def test_the_sample_play_has_these_values_and_best_plans(turn):
    (position, hp), (hand, draw, discard), (value, plan) = PLAY[turn]
    solution = _solved(False)

    state = decision(Fight(FightSetup()), position, hand, draw=draw, discard=discard, hp=hp)

    assert solution.value_of(state) == value
    assert plan_to_text(state.combat, solution.policy(state)) == plan


def test_one_hp_more_of_the_cultist_costs_most_from_53_to_54():
    steps = {hp: BY_HP[hp + 1][1] - BY_HP[hp][1] for hp in range(50, 56)}

    assert min(steps, key=lambda hp: steps[hp]) == 53
    assert steps[53] == pytest.approx(-1.780, abs=0.0005)


def test_one_hp_more_for_every_cultist_costs_half_a_hit_point():
    game = Fight(FightSetup(enemy_hp=(57,)), spend_all=True)

    more = (float(solve(game).value) - BY_HP[50][1]) / 7

    assert more == pytest.approx(-0.554, abs=0.0005)


def test_nobody_dies():
    solution = _solved(True)

    results = solution.results()

    assert results.probability(0) == 0
    assert results.expectation() == BASELINE[0]


def test_a_cultist_of_ascension_0_leaves_78_hp():
    game = Fight(FightSetup(ascension=0), spend_all=True)

    solution = solve(game, number=float)

    assert solution.value == pytest.approx(78.125258379996, abs=5e-13)
    assert solution.results().probability(0) == 0
