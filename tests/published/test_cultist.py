"""The Cultist fight of "Min-maxing Slay the Spire with Haskell" (slides, 2022), whose numbers were recomputed exactly.

68 HP and the starter deck with Ascender's Bane against a Cultist at the highest ascension.
"""

from collections import Counter
from fractions import Fraction
from functools import lru_cache

import pytest

from evodom.distribution import certain
from evodom.solving import solve
from evodom.spire.content.cards import ASCENDERS_BANE, STARTER_DECK
from evodom.spire.engine.compiler import Setup
from evodom.spire.engine.game import SpireFight
from evodom.spire.fights import EnemyState, Fight, FightState, state_from_fight
from evodom.spire.fights.display import plan_to_text
from evodom.spire.fights.names import cards_from_text
from evodom.spire.solver.solve import solve_fight
from evodom.spire.solver.solver import Solver
from tests.oracles.spire.fight import CardFight, FightSetup

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

DECISIONS = 73_254

RITUAL = {"Ritual": 5}

PLAY = [  # the Cultist's HP, intent and statuses; your HP; hand, draw pile, discard pile; exact value, best plan
    (
        (53, "Incantation", {}, 68),
        ("3 Strike, 2 Defend", "Bash, 2 Strike, 2 Defend, Ascender's Bane", "none"),
        (Fraction(32191, 490), "3 Strike"),
    ),
    (
        (35, "Dark Strike", RITUAL, 68),
        ("Bash, 2 Strike, Defend, Ascender's Bane", "Defend", "3 Strike, 2 Defend"),
        (Fraction(4178, 63), "Bash, Defend"),
    ),
    (
        (27, "Dark Strike", RITUAL | {"Strength": 5, "Vulnerable": 1}, 67),
        ("Bash, 2 Strike, 2 Defend", "3 Strike, 2 Defend", "none"),
        (66, "Strike, 2 Defend"),
    ),
    (
        (18, "Dark Strike", RITUAL | {"Strength": 10}, 66),
        ("3 Strike, 2 Defend", "none", "Bash, 2 Strike, 2 Defend"),
        (66, "3 Strike"),
    ),
]


@lru_cache
def _solved(**options):
    return solve_fight(Fight(Setup(enemies=certain(("Cultist",)), relics=(), **options)), fractions=True)


@pytest.mark.full
def test_the_value_and_the_number_of_decisions_are_the_published_ones():
    found = _solved()

    assert found.exact.value == BASELINE[0]
    assert found.exact.n_decisions == DECISIONS
    assert found.value == BASELINE[1]


@pytest.mark.parametrize("hp", BY_HP)
def test_the_value_for_each_hp_of_the_cultist_is_the_published_one(hp):
    found = _solved(enemy_hp=(hp,))

    assert (found.exact.value, found.value) == BY_HP[hp]


def test_floats_alone_are_right_to_thirteen_digits():
    found = solve_fight(Fight(Setup(enemies=certain(("Cultist",)), relics=())))

    assert found.exact is None
    assert found.value == pytest.approx(BASELINE[1], rel=1e-13)


@pytest.mark.full
def test_an_upgraded_bash_is_worth_two_hp():
    deck = STARTER_DECK + Counter({"Bash+": 1, ASCENDERS_BANE: 1}) - Counter({"Bash": 1})
    found = solve_fight(Fight(Setup(enemies=certain(("Cultist",)), relics=(), deck=deck)), fractions=True)

    assert found.exact.value == UPGRADED_BASH[0]
    assert found.value == pytest.approx(UPGRADED_BASH[1], abs=1e-12)


@pytest.mark.parametrize("turn", range(len(PLAY)), ids=lambda turn: f"turn {turn + 1}")
def test_the_sample_play_has_these_values_and_best_plans(turn):
    (enemy_hp, intent, statuses, hp), piles, (value, plan) = PLAY[turn]
    hand, draw, discard = map(cards_from_text, piles)
    enemy = EnemyState(name="Cultist", hp=enemy_hp, max_hp=56, intent=intent, statuses=statuses)
    begun = FightState(energy=3, hand=hand, draw=draw, discard=discard, enemies=(enemy,))
    fight = Fight(Setup(enemies=certain(("Cultist",)), relics=(), hp=hp), state=begun)
    game = SpireFight(fight.setup)

    found = Solver(game, fractions=True).solve_turn(state_from_fight(fight, game))

    assert found.exact.value == value
    best = [plan_to_text(game, found.state, moves) for moves, worth in found.plans if worth == float(value)]
    assert sorted(plan.split(", ")) in [sorted(words.split(", ")) for words in best]


def test_one_hp_more_of_the_cultist_costs_most_from_53_to_54():
    steps = {hp: BY_HP[hp + 1][1] - BY_HP[hp][1] for hp in range(50, 56)}

    assert min(steps, key=lambda hp: steps[hp]) == 53
    assert steps[53] == pytest.approx(-1.780, abs=0.0005)


@pytest.mark.full
def test_one_hp_more_for_every_cultist_costs_half_a_hit_point():
    assert (_solved(enemy_hp=(57,)).value - BY_HP[50][1]) / 7 == pytest.approx(-0.554, abs=0.0005)


@pytest.mark.full
def test_nobody_dies():
    found = _solved()

    assert found.exact.death == found.results.death == 0
    assert sum(hp * chance for hp, chance in found.exact.by_hp.items()) == BASELINE[0]


@pytest.mark.full
def test_a_cultist_of_ascension_0_leaves_78_hp():
    found = _solved(ascension=0)

    assert found.value == pytest.approx(78.125258379996, abs=5e-13)
    assert found.results.death == 0


@pytest.mark.full
def test_the_oracle_card_by_card_has_the_same_fraction():
    setup = {"deck": {"Strike": 3, "Defend": 2, "Bash": 1}, "hp": 14, "enemy_hp": (32,)}

    assert solve(CardFight(FightSetup(**setup))).value == _fraction(setup)


def _fraction(setup):
    fight = Fight(Setup(enemies=certain(("Cultist",)), relics=(), **setup))
    return solve_fight(fight, fractions=True).exact.value
