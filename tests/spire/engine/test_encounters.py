"""The encounters of act 1: their pools, weights, groups and chances."""

from collections import Counter
from fractions import Fraction
from math import comb

import pytest

from evodom.distribution import certain
from evodom.errors import UsageError
from evodom.spire.content.encounters import encounters, groups_of
from evodom.spire.engine.rules import FightRules, Setup

POOLS = {
    "weak": {"Cultist": 1, "Jaw Worm": 1, "Two Louses": 1, "Small Slimes": 1},
    "strong": {
        "Gremlin Gang": 1,
        "Lots of Slimes": 1,
        "Red Slaver": 1,
        "Exordium Thugs": 1.5,
        "Exordium Wildlife": 1.5,
        "Blue Slaver": 2,
        "Looter": 2,
        "Large Slime": 2,
        "Three Louses": 2,
        "Two Fungi Beasts": 2,
    },
    "elite": {"Gremlin Nob": 1, "Lagavulin": 1, "Three Sentries": 1},
    "boss": {"Slime Boss": 1, "The Guardian": 1, "Hexaghost": 1},
    "event": {"Three Fungi Beasts": 1, "Lagavulin (awake)": 1},
}

CERTAIN = {
    "Cultist": ["Cultist"],
    "Two Fungi Beasts": ["Fungi Beast"] * 2,
    "Three Fungi Beasts": ["Fungi Beast"] * 3,
    "Three Sentries": ["Sentry", "Middle Sentry", "Sentry"],
    "Slime Boss": ["Slime Boss"],
}


def chances(name):
    """Return the chances of the groups of an encounter."""
    return dict(groups_of(name))


def test_pools_have_their_encounters_and_weights():
    for pool, weights in POOLS.items():
        assert {name: one.weight for name, one in encounters().items() if one.pool == pool} == weights


def test_encounters_without_chance():
    for name, group in CERTAIN.items():
        assert chances(name) == {tuple(group): 1}


def test_every_louse_is_red_or_green():
    for name, n in (("Two Louses", 2), ("Three Louses", 3)):
        found = chances(name)
        assert len(found) == 2**n
        assert set(found.values()) == {Fraction(1, 2**n)}


def test_small_slimes():
    half = Fraction(1, 2)

    assert chances("Small Slimes") == {
        ("Spike Slime (S)", "Acid Slime (M)"): half,
        ("Acid Slime (S)", "Spike Slime (M)"): half,
    }
    assert chances("Large Slime") == {("Acid Slime (L)",): half, ("Spike Slime (L)",): half}


def test_lots_of_slimes_have_a_random_order():
    found = chances("Lots of Slimes")

    assert set(found.values()) == {Fraction(1, comb(5, 2))}
    assert {tuple(sorted(group)) for group in found} == {("Acid Slime (S)",) * 2 + ("Spike Slime (S)",) * 3}


def test_the_gremlin_gang_is_drawn_without_replacement():
    found = chances("Gremlin Gang")

    assert max(max(Counter(group).values()) for group in found) == 2
    assert sum(share for group, share in found.items() if group[0] == "Gremlin Wizard") == Fraction(1, 8)
    assert found["Mad Gremlin", "Mad Gremlin", "Fat Gremlin", "Gremlin Wizard"] == Fraction(
        2 * 1 * 2 * 1, 8 * 7 * 6 * 5
    )


def test_thugs_are_weak_wildlife_and_a_humanoid():
    found = chances("Exordium Thugs")

    assert found["Red Louse", "Cultist"] == Fraction(1, 6) * Fraction(1, 3)
    assert found["Spike Slime (M)", "Looter"] == Fraction(1, 9)
    assert found["Acid Slime (M)", "Blue Slaver"] == Fraction(1, 18)
    assert len(found) == 4 * 4


def test_wildlife_is_a_strong_and_a_weak_enemy():
    found = chances("Exordium Wildlife")

    assert found["Fungi Beast", "Green Louse"] == Fraction(1, 12)
    assert found["Jaw Worm", "Acid Slime (M)"] == Fraction(1, 6)
    assert len(found) == 2 * 4


def test_every_encounter_can_be_compiled():
    for name in encounters():
        assert len(FightRules(Setup(enemies=groups_of(name))).groups) == len(chances(name))


def test_too_many_enemies_are_refused():
    with pytest.raises(UsageError, match="too many"):
        FightRules(Setup(enemies=certain(("Slime Boss", "Acid Slime (L)"))))
