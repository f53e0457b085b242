"""Every relic: what a fight starts with, and what each turn gives."""

import pytest

from evodom.spire.exact.known import RELICS
from evodom.spire.exact.turn import FightRules
from tests.spire.exact.helpers import at, end

STARTS = {  # relic: the first turn against a Cultist of 50 HP, and how many cards are drawn
    "Akabeko": ("Vigor 8 | Cultist 50", 5),
    "Anchor": ("block 10 | Cultist 50", 5),
    "Bag of Marbles": ("| Cultist 50, Vulnerable 1", 5),
    "Bag of Preparation": ("| Cultist 50", 7),
    "Blood Vial": ("| Cultist 50", 5),
    "Bronze Scales": ("Thorns 3 | Cultist 50", 5),
    "Burning Blood": ("| Cultist 50", 5),
    "Captain's Wheel": ("| Cultist 50", 5),
    "Horn Cleat": ("| Cultist 50", 5),
    "Lantern": ("energy 4 | Cultist 50", 5),
    "Mercury Hourglass": ("| Cultist 47", 5),
    "Oddly Smooth Stone": ("Dexterity 1 | Cultist 50", 5),
    "Orichalcum": ("| Cultist 50", 5),
    "Thread and Needle": ("Plated Armor 4 | Cultist 50", 5),
    "Vajra": ("Strength 1 | Cultist 50", 5),
    "Ancient Tea Set": ("energy 5 | Cultist 50", 5),
    "Black Blood": ("| Cultist 50", 5),
    "Brimstone": ("Strength 2 | Cultist 50, Strength 1", 5),
    "Busted Crown": ("energy 4 | Cultist 50", 5),
    "Clockwork Souvenir": ("Artifact 1 | Cultist 50", 5),
    "Coffee Dripper": ("energy 4 | Cultist 50", 5),
    "Cursed Key": ("energy 4 | Cultist 50", 5),
    "Ectoplasm": ("energy 4 | Cultist 50", 5),
    "Fusion Hammer": ("energy 4 | Cultist 50", 5),
    "Girya": ("Strength 3 | Cultist 50", 5),
    "Gremlin Visage": ("Weak 1 | Cultist 50", 5),
}

FIRST = list(STARTS)[:15]
"""Relics that act at the start, most of them."""

BLOCKS = {"Anchor": [10, 0, 0, 0, 0], "Horn Cleat": [0, 14, 0, 0, 0], "Captain's Wheel": [0, 0, 18, 0, 0]}

HEALING = {"Burning Blood": (0, 6), "Black Blood": (0, 12), "Blood Vial": (2, 0)}


def _opening(*relics):
    return FightRules(20, relics).opening(("Cultist",), (50,)).most_likely()


def test_every_relic_stands_in_the_table():
    assert set(STARTS) == set(RELICS)


@pytest.mark.parametrize("relic", STARTS)
def test_a_relic_gives_at_the_start_what_the_table_says(relic):
    position, n_cards = STARTS[relic]

    combat, drawing = _opening(relic)

    assert combat is not None
    assert (combat, drawing) == (
        at(f"turn {combat.turn}, {position}" if position[0] != "|" else f"turn {combat.turn} {position}"),
        n_cards,
    )


@pytest.mark.parametrize("relic", BLOCKS)
def test_block_comes_on_its_turn_and_once(relic):
    rules, blocks = FightRules(20, (relic,)), []
    combat, _ = rules.opening(("Cultist",), (50,)).most_likely()

    for _ in BLOCKS[relic]:
        blocks.append(combat.block)
        combat = rules.end(combat, 0).after[0][0]

    assert blocks == BLOCKS[relic]


@pytest.mark.parametrize("relic", RELICS)
def test_only_three_relics_heal(relic):
    rules = FightRules(20, (relic,))

    assert (rules.heal_first, rules.heal) == HEALING.get(relic, (0, 0))


def test_lantern_and_bag_of_preparation_are_for_the_first_turn():
    rules = FightRules(20, ("Lantern", "Bag of Preparation"))
    combat, drawing = rules.opening(("Cultist",), (50,)).most_likely()

    assert (combat.energy, drawing) == (4, 7)
    assert rules.end(combat, 0).after[0][0].energy == 3


def test_vulnerable_from_marbles_is_gone_after_the_first_round():
    rules = FightRules(20, ("Bag of Marbles",))
    combat, _ = rules.opening(("Cultist",), (50,)).most_likely()

    assert rules.end(combat, 0).after[0][0] == at("| Cultist 50, Dark Strike 1, Ritual 5")


def test_artifact_cancels_the_marbles():
    combat, _ = FightRules(20, ("Bag of Marbles",)).opening(("Sentry",), (40,)).most_likely()

    assert combat == at("| Sentry 40, Bolt 0")


def test_orichalcum_gives_six_block_and_only_without_any():
    hit = "Cultist 40, Dark Strike 1, Strength 10"

    assert [end(f"block {n} | {hit}", relics=("Orichalcum",)).lost for n in (0, 1, 7)] == [10, 15, 9]


def test_mercury_hourglass_does_not_wake_a_lagavulin_behind_its_block():
    rules = FightRules(20, ("Mercury Hourglass",))
    combat, _ = rules.opening(("Lagavulin",), (112,)).most_likely()

    assert combat == at("| Lagavulin 112, block 5, Sleep 0, Asleep 1, Metallicize 8")


def test_all_relics_act_in_one_fight():
    combat, drawing = _opening(*FIRST)

    assert drawing == 7
    assert combat == at(
        "energy 4, block 10, Vigor 8, Thorns 3, Dexterity 1, Plated Armor 4, Strength 1 | Cultist 47, Vulnerable 1"
    )


def test_energy_of_boss_relics_comes_every_turn_and_brimstone_too():
    rules = FightRules(20, ("Coffee Dripper", "Ectoplasm", "Brimstone"))
    combat, _ = rules.opening(("Cultist",), (50,)).most_likely()

    assert rules.end(combat, 0).after[0][0] == at(
        "energy 5, Strength 4 | Cultist 50, Dark Strike 1, Ritual 5, Strength 2"
    )
