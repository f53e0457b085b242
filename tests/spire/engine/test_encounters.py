"""The encounters of act 1: their pools, weights, groups and chances."""

from collections import Counter
from fractions import Fraction
from itertools import permutations, product

import pytest

from evodom.distribution import certain
from evodom.errors import UsageError
from evodom.spire.content.encounters import encounters, groups_of
from evodom.spire.engine.compiler import FightRules, Setup

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

UNIFORM = {
    "Cultist": [("Cultist",)],
    "Two Fungi Beasts": [("Fungi Beast",) * 2],
    "Three Fungi Beasts": [("Fungi Beast",) * 3],
    "Three Sentries": [("Sentry", "Middle Sentry", "Sentry")],
    "Slime Boss": [("Slime Boss",)],
    "Two Louses": {*product(("Red Louse", "Green Louse"), repeat=2)},
    "Three Louses": {*product(("Red Louse", "Green Louse"), repeat=3)},
    "Small Slimes": [("Spike Slime (S)", "Acid Slime (M)"), ("Acid Slime (S)", "Spike Slime (M)")],
    "Large Slime": [("Acid Slime (L)",), ("Spike Slime (L)",)],
    "Lots of Slimes": {*permutations(["Acid Slime (S)"] * 2 + ["Spike Slime (S)"] * 3)},
}
"""Encounters with their groups, which are equally likely."""


def chances(name):
    """Return the chances of the groups of an encounter."""
    return dict(groups_of(name))


def test_pools_have_their_encounters_and_weights():
    for pool, weights in POOLS.items():
        assert {name: one.weight for name, one in encounters().items() if one.pool == pool} == weights


@pytest.mark.parametrize("name", UNIFORM)
def test_groups_of_an_encounter_are_equally_likely(name):
    assert chances(name) == dict.fromkeys(UNIFORM[name], Fraction(1, len(UNIFORM[name])))


def test_the_gremlin_gang_is_drawn_without_replacement():
    found = chances("Gremlin Gang")

    assert max(max(Counter(group).values()) for group in found) == 2
    assert sum(share for group, share in found.items() if group[0] == "Gremlin Wizard") == Fraction(1, 8)
    assert found["Mad Gremlin", "Mad Gremlin", "Fat Gremlin", "Gremlin Wizard"] == Fraction(
        2 * 1 * 2 * 1, 8 * 7 * 6 * 5
    )


@pytest.mark.parametrize(
    ("name", "n_groups", "one_in"),
    [
        (
            "Exordium Thugs",
            16,
            {"Red Louse, Cultist": 18, "Acid Slime (M), Blue Slaver": 18, "Spike Slime (M), Looter": 9},
        ),
        ("Exordium Wildlife", 8, {"Fungi Beast, Green Louse": 12, "Jaw Worm, Acid Slime (M)": 6}),
    ],
)
def test_thugs_and_wildlife_are_a_weak_and_a_strong_enemy(name, n_groups, one_in):
    found = chances(name)

    assert len(found) == n_groups
    assert {group: 1 / found[tuple(group.split(", "))] for group in one_in} == one_in


def test_every_encounter_can_be_compiled():
    for name in encounters():
        assert len(FightRules(Setup(enemies=groups_of(name))).groups) == len(chances(name))


def test_too_many_enemies_are_refused():
    with pytest.raises(UsageError, match="too many"):
        FightRules(Setup(enemies=certain(("Slime Boss", "Acid Slime (L)"))))
