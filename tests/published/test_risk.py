"""The odds of Risk against published ones.

Throws: D. Karr's enumeration in the rec.puzzles archive ("What are the odds when tossing dice in Risk?"), and table 2
of J. A. Osborne, "Markov Chains for the RISK Board Game Revisited", Mathematics Magazine 76 (2003).
Invasions: Osborne's table of the probability that the attacker wins. He counts the attackers without the one who must
stay behind: his A is `attackers - 1`. (The table of B. Tan, "Markov Chains and the RISK Board Game", Mathematics
Magazine 70 (1997), takes sorted dice for independent ones, and is not right.)
"""

from fractions import Fraction

import pytest

from evodom.risk import invade, losses, success, success_table

THROWS = {  # dice: (attackers lost, defenders lost) in so many of all throws
    (1, 1): ({(1, 0): 21, (0, 1): 15}, 36),
    (2, 1): ({(1, 0): 91, (0, 1): 125}, 216),
    (3, 1): ({(1, 0): 441, (0, 1): 855}, 1296),
    (1, 2): ({(1, 0): 161, (0, 1): 55}, 216),
    (2, 2): ({(2, 0): 581, (1, 1): 420, (0, 2): 295}, 1296),
    (3, 2): ({(2, 0): 2275, (1, 1): 2611, (0, 2): 2890}, 7776),
}

OSBORNE = """
.417  .106 .027 .007 .002 .000 .000 .000 .000 .000
.754  .363 .206 .091 .049 .021 .011 .005 .003 .001
.916  .656 .470 .315 .206 .134 .084 .054 .033 .021
.972  .785 .642 .477 .359 .253 .181 .123 .086 .057
.990  .890 .769 .638 .506 .397 .297 .224 .162 .118
.997  .934 .857 .745 .638 .521 .423 .329 .258 .193
.999  .967 .910 .834 .736 .640 .536 .446 .357 .287
1.000 .980 .947 .888 .818 .730 .643 .547 .464 .380
1.000 .990 .967 .930 .873 .808 .726 .646 .558 .480
1.000 .994 .981 .954 .916 .861 .800 .724 .650 .568
"""

EXACT = {  # found by enumeration in exact rationals, independently of this program
    (2, 1): Fraction(5, 12),
    (3, 1): Fraction(1955, 2592),
    (4, 2): Fraction(6610505, 10077696),
    (3, 3): Fraction(692225, 3359232),
    (3, 4): Fraction(5520775, 60466176),
}

FLOATS = {(3, 3): 0.2060664461400701, (10, 5): 0.8729364726512273, (20, 20): 0.5774574026425447}

THREE_DIGITS = {(5, 3): 0.642, (4, 6): 0.134, (10, 10): 0.480, (7, 8): 0.329, (20, 10): 0.965}


@pytest.mark.parametrize("dice", THROWS)
def test_throws_cost_what_was_published(dice):
    counts, total = THROWS[dice]

    assert [Fraction(counts.get((lost, min(dice) - lost), 0), total) for lost in range(min(dice) + 1)] == [
        *losses(*dice)
    ]


def test_the_table_of_osborne_is_met_with_one_attacker_more():
    published = [[float(chance) for chance in row.split()] for row in OSBORNE.strip().splitlines()]

    table = success_table(11, (10,)).tolist()

    assert [row[1:] for row in table[2:]] == [pytest.approx(row, abs=0.0005000001) for row in published]


@pytest.mark.parametrize(("attackers", "defenders"), EXACT)
def test_small_invasions_are_exact(attackers, defenders):
    assert success(invade(attackers, (defenders,))) == EXACT[attackers, defenders]


@pytest.mark.parametrize(("attackers", "defenders"), FLOATS)
def test_floats_are_right_to_the_last_digit(attackers, defenders):
    found = success_table(attackers, (defenders,))[attackers, defenders]

    assert found == FLOATS[attackers, defenders]


@pytest.mark.parametrize(("attackers", "defenders"), THREE_DIGITS)
def test_larger_invasions_agree_to_three_digits(attackers, defenders):
    found = success(invade(attackers, (defenders,)))

    assert found == pytest.approx(THREE_DIGITS[attackers, defenders], abs=0.0005)
