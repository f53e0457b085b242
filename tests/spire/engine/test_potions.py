"""Every potion, alone and doubled by Sacred Bark."""

from fractions import Fraction
from math import comb

import pytest

from evodom.spire.content.potions import POTIONS, UNSUPPORTED
from tests.spire.engine.helpers import Table, scenario_test

pytestmark = pytest.mark.uncompiled

SCENARIOS = """
explosive potion hits all and block helps: enemies=Cultist 50, block 4 | Cultist 50; potions=Explosive Potion;
    you=Strength 5; drink Explosive Potion; enemies == Cultist 44 | Cultist 40
a potion is gone once it is drunk and costs nothing: potions=Energy Potion, Swift Potion; draw=9 Strike; you=energy 0;
    drink Energy Potion; energy == 2; moves == end, Swift Potion (2); drink Swift Potion; hand == 3 Strike
fruit juice raises the maximum: potions=Fruit Juice; drink Fruit Juice; max_hp == 85
flex and speed potion last a turn: enemies=Gremlin Wizard 50, Charging; potions=Flex Potion, Speed Potion;
    drink Flex Potion; drink Speed Potion; end; you == hp 50
blessing of the forge upgrades the hand: potions=Blessing of the Forge; hand=Bash, 2 Strike, Wound; relics=Sacred Bark;
    drink Blessing of the Forge; hand == Bash+, 2 Strike+, Wound
distilled chaos plays the top three cards and does not exhaust them: enemies=Cultist 90; potions=Distilled Chaos;
    draw=3 Strike; drink Distilled Chaos; enemies == Cultist 72; discard == 3 Strike; energy == 3
distilled chaos plays six with sacred bark and refills
    enemies=Cultist 90; potions=Distilled Chaos; draw=Strike; discard=7 Strike; relics=Sacred Bark;
        drink Distilled Chaos; enemies == Cultist 54; discard == 6 Strike; draw == 2 Strike
distilled chaos discards what cannot be played
    potions=Distilled Chaos; draw=3 Wound; drink Distilled Chaos; discard == 3 Wound
cards that cannot be played exhaust if they would have or leave the fight
    potions=Distilled Chaos; draw=Pummel, Feed, Strike; you=Entangled 1; drink Distilled Chaos; discard == Strike;
        exhaust == Feed, Pummel; enemies == Cultist 50
    potions=Distilled Chaos; draw=Feed; you=Entangled 1; relics=Strange Spoon;
        chances Distilled Chaos exhaust == 1/2 or 1/2 Feed
    hand=Havoc; draw=Wound; relics=Strange Spoon; chances Havoc discard == 1/2 Havoc or 1/2 Havoc, Wound
    potions=Distilled Chaos; draw=Inflame, Defend; you=played 6, Corruption 1; relics=Velvet Choker;
        drink Distilled Chaos; discard == Defend; exhaust == ; has Strength == 0
    potions=Distilled Chaos; draw=Rampage, Pummel; also=Dark Embrace; you=Entangled 1, Feel No Pain 3;
        drink Distilled Chaos; discard == Rampage; exhaust == Pummel; block == 3
    # The random target of the second Pummel may be the enemy that the first has killed.
    enemies=Cultist 6 | Cultist 50; potions=Distilled Chaos; draw=2 Pummel;
        chances Distilled Chaos exhaust == 1 2 Pummel
a copy is played before the next card of distilled chaos: enemies=Cultist 60; potions=Distilled Chaos; hand=Double Tap;
    draw=Body Slam, Body Slam, Body Slam; play Double Tap; drink Distilled Chaos; discard == 3 Body Slam, Double Tap
elixir may take nothing or all
    potions=Elixir; hand=Strike; drink Elixir; end; exhaust ==
    potions=Elixir; hand=2 Strike; drink Elixir; choose Strike, Strike; exhaust == 2 Strike; moves == end
gamblers brew discards then draws as many: potions=Gambler's Brew; hand=2 Strike, Wound; draw=5 Defend;
    drink Gambler's Brew; choose Wound; end; hand == Defend, 2 Strike; discard == Wound
no other move while a choice is open
    potions=Elixir, Fire Potion; hand=2 Strike; drink Elixir; moves == end, choose Strike
distilled chaos aims at random: enemies=Cultist 50 | Cultist 50; potions=Distilled Chaos; draw=Strike;
    chances Distilled Chaos enemies == 1/2 Cultist 44 | Cultist 50 or 1/2 Cultist 50 | Cultist 44
elixir exhausts any number of cards
    potions=Elixir; hand=2 Strike, Defend; you=Feel No Pain 3; drink Elixir; moves == end, choose Strike, choose Defend;
        choose Strike; end; exhaust == Strike; hand == Defend, Strike; block == 3
fairy revives and cannot be drunk
    enemies=Hexaghost 250, Divider, Divider 9; potions=Fairy in a Bottle; you=hp 10; moves == end; end; over == lost
    potions=Fairy in a Bottle; you=hp 6; end; hp == 24; used == 1
    potions=Fairy in a Bottle; you=hp 6; relics=Sacred Bark; end; hp == 48
the fairy comes before the tail: potions=Fairy in a Bottle; you=hp 6; relics=Lizard Tail; end; hp == 24; tail == 0
smoke bomb flees without rewards but not from a boss
    potions=Smoke Bomb; drink Smoke Bomb; over == fled; returns == 50
    enemies=Hexaghost 250, Sear; potions=Smoke Bomb; moves == end
a second charge of duplication lasts another round
    quiet; draw=9 Defend; potions=Duplication Potion; relics=Sacred Bark; drink Duplication Potion; end;
        has Duplication == 1; end; has Duplication == 0
an offered card costs 0 this turn, and the choice of a type may end without a card
    potions=Power Potion; drink Power Potion; end; hand ==; offered == [0 0 0]; moves == end
a colourless card is offered without an end of the choice
    potions=Colorless Potion; drink Colorless Potion; choosing == 10; choose_n == 1; cannot play Finesse
a potion that offers cards gives two copies with sacred bark
    potions=Attack Potion; relics=Sacred Bark; hand=9 Wound; drink Attack Potion; choose_n == 2
liquid memories takes a card that costs 0 this turn
    potions=Liquid Memories; discard=Bash, Exhume; drink Liquid Memories; moves == choose Bash, choose Exhume;
        choose Exhume; hand == Exhume (costs 0 this turn); discard == Bash
    potions=Liquid Memories; discard=2 Bash; relics=Sacred Bark; drink Liquid Memories;
        hand == 2 Bash (costs 0 this turn)
    potions=Liquid Memories; discard=2 Whirlwind, Defend; relics=Sacred Bark; drink Liquid Memories;
        choose Whirlwind, Defend; hand == Defend (costs 0 this turn), Whirlwind
    potions=Liquid Memories; discard=Bash; hand=10 Strike; drink Liquid Memories; discard == Bash
snecko oil draws then gives every card of the hand a random cost for the fight
    potions=Snecko Oil; hand=Strike, Wound, Whirlwind; chances Snecko Oil hand == 1/4 Strike, Whirlwind, Wound or
        1/4 Strike (costs 0), Whirlwind, Wound or 1/4 Strike (costs 2), Whirlwind, Wound or
        1/4 Strike (costs 3), Whirlwind, Wound
    potions=Snecko Oil; hand=2 Defend (costs 0); chances Snecko Oil hand == 1/16 2 Defend or
        1/8 Defend, Defend (costs 0) or 1/8 Defend, Defend (costs 2) or 1/8 Defend, Defend (costs 3) or
        1/16 2 Defend (costs 0) or 1/8 Defend (costs 0), Defend (costs 2) or 1/8 Defend (costs 0), Defend (costs 3) or
        1/16 2 Defend (costs 2) or 1/8 Defend (costs 2), Defend (costs 3) or 1/16 2 Defend (costs 3)
    potions=Snecko Oil; draw=9 Wound; hand=Dazed; relics=Sacred Bark; drink Snecko Oil; hand == Dazed, 9 Wound
"""

test_scenario = scenario_test(SCENARIOS)


@pytest.mark.parametrize(
    ("potion", "you", "doubled"),
    [
        ("Ancient Potion", "hp 50, Artifact 1", "hp 50, Artifact 2"),
        ("Block Potion", "hp 50, block 12", "hp 50, block 24"),
        ("Blood Potion", "hp 66", "hp 80"),
        ("Cultist Potion", "hp 50, Ritual 1", "hp 50, Ritual 2"),
        ("Dexterity Potion", "hp 50, Dexterity 2", "hp 50, Dexterity 4"),
        ("Duplication Potion", "hp 50, Duplication 1", "hp 50, Duplication 2"),
        ("Essence of Steel", "hp 50, Plated Armor 4", "hp 50, Plated Armor 8"),
        ("Flex Potion", "hp 50, Strength 5, Strength Down 5", "hp 50, Strength 10, Strength Down 10"),
        ("Fruit Juice", "hp 55", "hp 60"),
        ("Heart of Iron", "hp 50, Metallicize 6", "hp 50, Metallicize 12"),
        ("Liquid Bronze", "hp 50, Thorns 3", "hp 50, Thorns 6"),
        ("Regen Potion", "hp 50, Regen 5", "hp 50, Regen 10"),
        ("Speed Potion", "hp 50, Dexterity 5, Dexterity Down 5", "hp 50, Dexterity 10, Dexterity Down 10"),
        ("Strength Potion", "hp 50, Strength 2", "hp 50, Strength 4"),
    ],
)
def test_potions_for_the_player(potion, you, doubled):
    assert Table(potions=potion).drink(potion).you == you
    assert Table(potions=potion, relics="Sacred Bark").drink(potion).you == doubled


@pytest.mark.parametrize(
    ("potion", "enemy", "doubled"),
    [
        ("Fear Potion", "Cultist 50, Vulnerable 3", "Cultist 50, Vulnerable 6"),
        ("Fire Potion", "Cultist 30", "Cultist 10"),
        ("Weak Potion", "Cultist 50, Weak 3", "Cultist 50, Weak 6"),
    ],
)
def test_potions_thrown_at_one_enemy(potion, enemy, doubled):
    two = "Cultist 50 | Cultist 50"
    assert Table(two, potions=potion).drink(potion, at=2).enemies == f"Cultist 50 | {enemy}"
    assert Table(two, potions=potion, relics="Sacred Bark").drink(potion, at=1).enemies == f"{doubled} | Cultist 50"


def test_each_set_of_three_powers_is_offered_with_the_same_probability():
    found = Table(potions="Power Potion").chances("Power Potion", lambda after: frozenset(after.moves))

    assert set(found.values()) == {Fraction(1, comb(14, 3))}
    powers = ("Inflame (costs 0 this turn)", "Barricade (costs 0 this turn)", "Berserk")
    assert frozenset(("end", *(f"choose {name}" for name in powers))) in found


def test_every_potion_of_the_ironclad_is_here_or_left_out():
    assert len(POTIONS) + len(UNSUPPORTED) == 33
