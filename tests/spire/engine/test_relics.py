"""Every relic that acts in a fight."""

from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest

from evodom.distribution import certain
from evodom.errors import UsageError
from evodom.spire.content.cards import POOLS
from evodom.spire.content.relics import RELICS, REST_SITES_ONLY, UNSUPPORTED
from evodom.spire.engine import layout as at
from evodom.spire.engine.compiler import FightRules, Setup
from evodom.spire.engine.game import SpireFight
from tests.spire.engine.helpers import Table, scenario_test

SCENARIOS = """
tea set and lantern are for turn 1 and energy relics for all
    quiet; draw=9 Defend; relics=Lantern, Ancient Tea Set; end; energy == 3
    quiet; draw=9 Defend; relics=Ectoplasm; end; energy == 4
stone calendar acts at the end of turn 7 only
    enemies=Cultist 60, Dark Strike; you=turn 7; relics=Stone Calendar; end; enemies == Cultist 8
    enemies=Cultist 60, Dark Strike; you=turn 6; relics=Stone Calendar; end; enemies == Cultist 60
    enemies=Cultist 60, Dark Strike; you=turn 8; relics=Stone Calendar; end; enemies == Cultist 60
art of war is not fooled by orange pellets: quiet; draw=9 Defend; hand=Strike, Defend, Inflame;
    relics=Art of War, Orange Pellets; play Strike, Defend, Inflame; end; energy == 3
centennial puzzle draws at the first loss only: hand=2 Bloodletting; draw=9 Strike; relics=Centennial Puzzle;
    play Bloodletting; hand == Bloodletting, 3 Strike; play Bloodletting; hand == 3 Strike
centennial puzzle draws before the rest of the card
    hand=Offering; draw=3 Strike; discard=9 Defend; relics=Centennial Puzzle; play Offering; hand == 3 Defend, 3 Strike
runic cube draws for every loss and clay gives block next turn
    hand=2 Bloodletting; draw=9 Strike; relics=Runic Cube; play Bloodletting, Bloodletting; hand == 2 Strike
    enemies=Hexaghost 250, Tackle; relics=Self-Forming Clay; end; block == 6; has Next Turn Block == 0
letter opener hits all for every third skill: enemies=Cultist 50 | Cultist 40; hand=3 Bloodletting;
    relics=Letter Opener; play Bloodletting, Bloodletting, Bloodletting; enemies == Cultist 45 | Cultist 35
pen nib counts for all hits of the card
    hand=Twin Strike; you=pen_nib 9, Strength 1; relics=Pen Nib; play Twin Strike; enemies == Cultist 26
orichalcum is for no block at the end of the turn
    quiet; draw=9 Defend; relics=Orichalcum; you=Barricade 1; end; block == 6
    quiet; draw=9 Defend; relics=Orichalcum; you=Barricade 1, block 1; end; block == 1
    quiet; draw=9 Defend; relics=Orichalcum; you=Barricade 1, Metallicize 3; end; block == 9
the boot raises small unblocked damage
    hand=Pummel; relics=The Boot; play Pummel; enemies == Cultist 30
    enemies=Cultist 50, block 4; hand=Strike; relics=The Boot; play Strike; enemies == Cultist 45
    enemies=Cultist 50, block 6; hand=Strike; relics=The Boot; play Strike; enemies == Cultist 50
    relics=The Boot; you=Thorns 3; end; enemies == Cultist 47
toy ornithopter heals for a potion
    relics=Toy Ornithopter; potions=Block Potion; drink Block Potion; you == hp 55, block 12
blue candle makes curses playable
    hand=Injury; relics=Blue Candle; play Injury; hp == 49; exhaust == Injury; energy == 3
    hand=Injury, Wound; cannot play Injury
    hand=Wound; relics=Blue Candle; cannot play Wound
mark of the bloom prevents every heal and revival
    enemies=Cultist 6; hand=Feed; you=hp 20; relics=Burning Blood, Mark of the Bloom, Blood Vial, Meat on the Bone;
        play Feed; max_hp == 83; returns == 20
    you=hp 5; relics=Lizard Tail, Mark of the Bloom; potions=Fairy in a Bottle; end; over == lost
runic dome gives energy: quiet; draw=9 Defend; relics=Runic Dome; end; energy == 4
medical kit makes statuses playable
    hand=Wound, Burn; relics=Medical Kit; play Wound, Burn; exhaust == Burn, Wound; hp == 50
    hand=Injury; relics=Medical Kit; cannot play Injury
gremlin horn rewards a death while others live: enemies=Cultist 6 | Cultist 50; hand=Strike; draw=Defend;
    relics=Gremlin Horn; play Strike at 1; energy == 3; hand == Defend
paper phrog and odd mushroom change vulnerable
    enemies=Cultist 50, Vulnerable 1; hand=Strike; relics=Paper Phrog; play Strike; enemies == Cultist 40, Vulnerable 1
    you=Vulnerable 2; relics=Odd Mushroom; end; hp == 43
    you=Vulnerable 2; end; hp == 41
strike dummy adds three to every strike
    hand=Strike; relics=Strike Dummy; play Strike; enemies == Cultist 41
    hand=Twin Strike; relics=Strike Dummy; play Twin Strike; enemies == Cultist 34
    hand=Perfected Strike; relics=Strike Dummy; play Perfected Strike; enemies == Cultist 39
    hand=Bash; relics=Strike Dummy; play Bash; enemies == Cultist 42, Vulnerable 2
bird faced urn heals for a power: hand=Inflame; relics=Bird-Faced Urn; play Inflame; hp == 52
calipers keep block beyond 15
    quiet; draw=9 Defend; you=block 20; relics=Calipers; end; block == 5
    quiet; draw=9 Defend; you=block 9; relics=Calipers; end; block == 0
champion belt makes weak too unless an artifact stops the vulnerable
    hand=Bash; relics=Champion Belt; play Bash; enemies == Cultist 42, Vulnerable 2, Weak 1
    enemies=Sentry 40; hand=Bash; relics=Champion Belt; play Bash; enemies == Sentry 32
charons ashes hit all for every exhausted card: enemies=Cultist 50 | Cultist 40; hand=Second Wind, 2 Wound;
    relics=Charon's Ashes; play Second Wind; enemies == Cultist 44 | Cultist 34
ginger and turnip
    enemies=Green Louse 15, Spit Web; relics=Ginger; end; has Weak == 0
    enemies=Spike Slime (M) 30, Lick; relics=Turnip; end; has Frail == 0
    enemies=Spike Slime (M) 30, Lick; relics=Ginger; end; has Frail == 1
ice cream keeps energy: quiet; draw=9 Defend; relics=Ice Cream; end; energy == 6
lizard tail saves once
    enemies=Cultist 50, Dark Strike; you=hp 5; relics=Lizard Tail; end; hp == 40; over == ; end 7; over == lost
magic flower rounds heals to the nearest
    hand=Inflame; relics=Magic Flower, Bird-Faced Urn; play Inflame; hp == 53
    relics=Magic Flower, Toy Ornithopter; potions=Block Potion; drink Block Potion; hp == 58
torii and tungsten rod and their order
    # 5 x 2
    # 6 x 2
    enemies=Hexaghost 250, Tackle; relics=Torii; ascension=0; end; hp == 48
    enemies=Hexaghost 250, Tackle; relics=Torii; end; hp == 38
    enemies=Hexaghost 250, Tackle; relics=Torii, Tungsten Rod; ascension=0; end; hp == 50
    relics=Tungsten Rod; end; hp == 45
    enemies=Cultist 50, Dark Strike; you=block 2; relics=Torii; end; hp == 49
unceasing top draws when the hand is empty
    hand=Strike; draw=Defend; relics=Unceasing Top; play Strike; hand == Defend
    hand=Battle Trance; relics=Unceasing Top; play Battle Trance; hand ==
    quiet; draw=9 Defend; relics=Unceasing Top; end; hand == 5 Defend
runic pyramid keeps the hand but not ethereal cards
    quiet; draw=9 Defend; hand=Strike, Dazed; relics=Runic Pyramid; end; hand == 5 Defend, Strike; exhaust == Dazed
velvet choker allows six cards a turn: quiet; draw=9 Defend; hand=7 Anger; relics=Velvet Choker;
    play Anger, Anger, Anger, Anger, Anger, Anger; moves == end; end; can play Defend
a copy is not played beyond the limit: quiet; draw=9 Defend; hand=Anger; you=Double Tap 1, played 5;
    relics=Velvet Choker; play Anger; enemies == Gremlin Wizard 44
sozu means no potions: you=hp 1; relics=Sozu; potions=Fairy in a Bottle, Fire Potion; moves == end; end; over == lost
chemical x adds two: hand=Whirlwind; relics=Chemical X; play Whirlwind; enemies == Cultist 25
hand drill punishes broken block behind the card
    enemies=Cultist 50, block 5; hand=Twin Strike; relics=Hand Drill; play Twin Strike;
        enemies == Cultist 45, Vulnerable 2
    enemies=Cultist 50, block 5; potions=Fire Potion; relics=Hand Drill; drink Fire Potion;
        enemies == Cultist 35, Vulnerable 2
    enemies=Cultist 50, block 7; hand=Strike; relics=Hand Drill; play Strike; enemies == Cultist 50, block 1
orange pellets end all debuffs
    hand=Strike, Defend, Inflame; you=Weak 2, Frail 1, Strength -3, Entangled 0, Dexterity 1; relics=Orange Pellets;
        play Strike, Defend, Inflame; you == hp 50, block 4, Dexterity 1
strange spoon saves half of the cards
    hand=Seeing Red; relics=Strange Spoon; chances Seeing Red exhaust == 1/2 or 1/2 Seeing Red
warped tongs upgrade a random card every turn: enemies=Gremlin Wizard 50, Charging; draw=4 Strike, Defend;
    relics=Warped Tongs; chances end hand == 1/5 Defend+, 4 Strike or 4/5 Defend, 3 Strike, Strike+
block and statuses after the start of the fight
    starts; relics=Akabeko; you == hp 50, Vigor 8
    starts; relics=Anchor; you == hp 50, block 10
    starts; relics=Blood Vial; you == hp 52
    starts; relics=Bronze Scales; you == hp 50, Thorns 3
    starts; relics=Oddly Smooth Stone; you == hp 50, Dexterity 1
    starts; relics=Vajra; you == hp 50, Strength 1
    starts; relics=Girya; you == hp 50, Strength 3
    starts; relics=Fossilized Helix; you == hp 50, Buffer 1
    starts; relics=Thread and Needle; you == hp 50, Plated Armor 4
    starts; relics=Clockwork Souvenir; you == hp 50, Artifact 1
    starts; relics=Gremlin Visage; you == hp 50, Weak 1
    starts; relics=Mutagenic Strength; you == hp 50, Strength 3, Strength Down 3; end; has Strength == 0
    starts; relics=Red Mask; enemy_hp=50; enemies == Cultist 50, Weak 1
    starts; relics=Brimstone; you == hp 50, Strength 2
    starts; relics=Slaver's Collar; you == hp 50
    starts; relics=Sling of Courage; you == hp 50
    starts; relics=Pantograph; you == hp 50
    enemies=Gremlin Nob; starts; relics=Sling of Courage, Pantograph; you == hp 50, Strength 2
    enemies=Hexaghost; starts; relics=Sling of Courage, Pantograph; you == hp 75
energy on turn 1
    starts; relics=Ancient Tea Set; energy == 5
    starts; relics=Happy Flower; energy == 3
    starts; relics=Lantern; energy == 4
    starts; relics=Busted Crown; energy == 4
    starts; relics=Coffee Dripper; energy == 4
    starts; relics=Cursed Key; energy == 4
    starts; relics=Ectoplasm; energy == 4
    starts; relics=Fusion Hammer; energy == 4
    starts; relics=Sozu; energy == 4
    starts; relics=Philosopher's Stone; energy == 4
    starts; relics=Velvet Choker; energy == 4
    starts; relics=Mark of Pain; energy == 4
    enemies=Gremlin Nob; starts; relics=Slaver's Collar; energy == 4
    enemies=Hexaghost; starts; relics=Slaver's Collar; energy == 4
    enemies=Jaw Worm; starts; relics=Slaver's Collar; energy == 3
bag of marbles gives vulnerable that fades in round 1: enemies=Cultist | Cultist; enemy_hp=50, 50; starts;
    relics=Bag of Marbles; enemies == Cultist 50, Vulnerable 1 | Cultist 50, Vulnerable 1; end;
    enemies == Cultist 50, Ritual 5 | Cultist 50, Ritual 5
cards on turn 1: starts; relics=Bag of Preparation; hand == 7 Strike
gambling chip draws before a later relic acts: starts; relics=Gambling Chip, Warped Tongs;
    choose Strike, Strike, Strike, Strike, Strike; hand == 4 Strike, Strike+
gambling chip acts once after all draws of turn 1: starts; relics=Gambling Chip, Bag of Preparation;
    moves == end, choose Strike; choose Strike, Strike; end; hand == 7 Strike; discard == 2 Strike; end; choosing == 0
du vu doll counts curses
    starts; relics=Du-Vu Doll; deck=9 Strike, 2 Injury; has Strength == 2
    starts; relics=Du-Vu Doll; has Strength == 0
preserved insect is for elites and neows lament for all
    enemies=Lagavulin | Cultist; enemy_hp=111, 50; starts; relics=Preserved Insect;
        enemies == Lagavulin 83, block 8, Metallicize 8, Asleep 1 | Cultist 50
    enemies=Gremlin Nob; burning=HP; starts; relics=Neow's Lament; enemies == Gremlin Nob 1
philosophers stone strengthens enemies and the children of a split
    enemies=Spike Slime (L); enemy_hp=30; starts; relics=Philosopher's Stone; enemies == Spike Slime (L) 30, Strength 1
    enemies=Spike Slime (L) 30/60, Split; relics=Philosopher's Stone; end;
        enemies == Spike Slime (M) 30, Strength 1 | Spike Slime (M) 30, Strength 1
brimstone strengthens both sides every turn: enemies=Gremlin Wizard; enemy_hp=22; starts; relics=Brimstone; end;
    has Strength == 4; enemies == Gremlin Wizard 22, Strength 2
block on a turn
    quiet; you=turn 1; relics=Horn Cleat; end; block == 14
    quiet; you=turn 2; relics=Horn Cleat; end; block == 0
    quiet; you=turn 2; relics=Captain's Wheel; end; block == 18
mercury hourglass acts every turn from turn 1 on
    enemies=Jaw Worm | Cultist; enemy_hp=40, 50; starts; relics=Mercury Hourglass; enemies == Jaw Worm 37 | Cultist 47
    quiet; relics=Mercury Hourglass; end; enemies == Gremlin Wizard 47
happy flower and incense burner count across fights
    starts; relics=Happy Flower; counters=Happy Flower 2; energy == 4
    starts; relics=Incense Burner; counters=Incense Burner 5; has Intangible == 1
    starts; relics=Happy Flower; end 2; energy == 4
art of war rewards a turn without an attack
    starts; relics=Art of War; energy == 3
    quiet; hand=Defend; relics=Art of War; play Defend; end; energy == 4
    quiet; hand=Strike; relics=Art of War; play Strike; end; energy == 3
pocketwatch draws after a turn of at most three cards
    starts; relics=Pocketwatch; hand == 5 Strike
    quiet; draw=9 Defend; relics=Pocketwatch; end; hand == 8 Defend
    quiet; draw=9 Defend; hand=4 Anger; relics=Pocketwatch; play Anger, Anger, Anger, Anger; end; hand == 5 Defend
every third attack of a turn
    hand=4 Anger; relics=Kunai; play Anger, Anger; you == hp 50; play Anger; you == hp 50, Dexterity 1
    hand=4 Anger; relics=Shuriken; play Anger, Anger; you == hp 50; play Anger; you == hp 50, Strength 1
    hand=4 Anger; relics=Ornamental Fan; play Anger, Anger; you == hp 50; play Anger; you == hp 50, block 4
counts of a turn are reset and counts of a fight continue
    quiet; draw=9 Anger; hand=2 Anger; relics=Kunai; play Anger, Anger; end; play Anger, Anger; has Dexterity == 0
    enemies=Gremlin Wizard 200, Charging; draw=9 Anger; hand=6 Anger; relics=Nunchaku;
        play Anger, Anger, Anger, Anger, Anger, Anger; end; play Anger, Anger, Anger; energy == 3; play Anger;
        energy == 4
nunchaku ink bottle and pen nib count to ten
    relics=Nunchaku, Ink Bottle; counters=Nunchaku 9, Ink Bottle 9; starts; play Strike; energy == 3; hand == 5 Strike
    hand=2 Strike; you=pen_nib 9; relics=Pen Nib; play Strike, Strike; enemies == Cultist 32
    hand=Strike; you=pen_nib 8; relics=Pen Nib; play Strike; enemies == Cultist 44
red skull acts while hp are low
    starts; relics=Red Skull; hp=37; max_hp=75; has Strength == 3
    starts; relics=Red Skull; hp=38; max_hp=75; has Strength == 0
    hand=Bloodletting; you=hp 42; relics=Red Skull; potions=Blood Potion; play Bloodletting; has Strength == 3;
        drink Blood Potion; has Strength == 0
red skull reads the hp after the heals at the start
    starts; relics=Red Skull, Clockwork Souvenir, Blood Vial; hp=40; max_hp=80; you == hp 42, Artifact 1
    starts; relics=Blood Vial, Red Skull; hp=38; max_hp=80; you == hp 40, Strength 3
    enemies=Hexaghost; starts; relics=Red Skull, Clockwork Souvenir, Pantograph; hp=20; max_hp=80;
        you == hp 45, Artifact 1
relics that act in front of the queue precede the others and the later of two acts first
    starts; relics=Gremlin Visage, Clockwork Souvenir; you == hp 50
    starts; relics=Clockwork Souvenir, Gremlin Visage; you == hp 50
    starts; relics=Mutagenic Strength, Clockwork Souvenir; you == hp 50, Strength 3
    starts; relics=Clockwork Souvenir, Mutagenic Strength; you == hp 50, Strength 3, Artifact 1, Strength Down 3
the strength of red skull goes before other losses of strength
    quiet; you=hp 38, skull 1, Strength 5, Strength Down 2, Regen 5, Artifact 1; relics=Red Skull; end;
        has Strength == 3; has Artifact == 0
relics heal after a flight as after a win and magic flower raises every heal
    potions=Smoke Bomb; relics=Burning Blood; drink Smoke Bomb; returns == 56
    potions=Smoke Bomb; relics=Black Blood, Meat on the Bone; you=hp 40; drink Smoke Bomb; returns == 64
    potions=Smoke Bomb; relics=Toy Ornithopter, Burning Blood; drink Smoke Bomb; returns == 61
    enemies=Cultist 6; hand=Strike; you=hp 20; relics=Burning Blood, Magic Flower; play Strike; returns == 29
    enemies=Cultist 6; hand=Strike; you=hp 20; relics=Magic Flower, Black Blood; play Strike; returns == 38
    enemies=Cultist 6; hand=Strike; you=hp 40; relics=Meat on the Bone, Magic Flower; play Strike; returns == 58
    enemies=Looter 40, Escape; relics=Burning Blood; end; over == won; returns == 56
face of cleric raises hp and maximum hp after every victory
    enemies=Cultist 6; hand=Strike; you=hp 20; relics=Face of Cleric; play Strike; returns == 21;
        max_hp == 81; gained == 1
    enemies=Cultist 6; hand=Strike; you=hp 80; relics=Face of Cleric; play Strike; returns == 81
    enemies=Cultist 6; hand=Strike; you=hp 79; relics=Face of Cleric, Burning Blood; play Strike; returns == 81
    enemies=Cultist 6; hand=Strike; you=hp 40; relics=Face of Cleric, Meat on the Bone; play Strike; returns == 53
    enemies=Cultist 6; hand=Strike; you=hp 20; relics=Face of Cleric, Magic Flower; play Strike; returns == 22
    enemies=Looter 40, Escape; relics=Face of Cleric; end; returns == 51; max_hp == 81
    potions=Smoke Bomb; relics=Face of Cleric; drink Smoke Bomb; returns == 51; max_hp == 81
    you=hp 5; relics=Face of Cleric; end; max_hp == 80
meat on the bone heals before burning blood
    enemies=Cultist 6; hand=Strike; you=hp 40; relics=Burning Blood, Meat on the Bone; play Strike; returns == 58
    enemies=Cultist 6; hand=Strike; you=hp 41; relics=Burning Blood, Meat on the Bone; play Strike; returns == 47
    enemies=Cultist 6; hand=Strike; you=hp 79; relics=Black Blood; play Strike; returns == 80
sundial and the abacus act when the discard pile is shuffled
    hand=Shrug It Off; discard=2 Strike; relics=The Abacus; play Shrug It Off; block == 14
    hand=Battle Trance; draw=Strike, Defend; relics=The Abacus; play Battle Trance; block == 6; hand == Defend, Strike
    hand=Battle Trance; draw=3 Strike; relics=The Abacus; play Battle Trance; block == 0
    hand=Battle Trance; relics=The Abacus; play Battle Trance; block == 0
    hand=Battle Trance, 9 Strike; draw=Defend; relics=The Abacus; play Battle Trance; block == 0
too few cards in both piles are two shuffles
    hand=Battle Trance; draw=Strike; discard=Defend; relics=The Abacus; play Battle Trance; block == 12
    hand=Battle Trance; discard=2 Defend; relics=The Abacus; play Battle Trance; block == 12
    hand=Battle Trance; discard=3 Defend; relics=The Abacus; play Battle Trance; block == 6
pocketwatch draws apart from the hand
    quiet; draw=5 Defend; relics=Pocketwatch, The Abacus; end; hand == 5 Defend; block == 0
    quiet; draw=4 Defend; relics=The Abacus, Pocketwatch; end; hand == 4 Defend; block == 6
pocketwatch and warped tongs act in the order of the relics
    quiet; draw=5 Defend; discard=3 Strike; relics=Warped Tongs, Pocketwatch;
        chances end hand == 1 4 Defend, Defend+, 3 Strike
    quiet; draw=5 Defend; discard=3 Strike; relics=Pocketwatch, Warped Tongs;
        chances end hand == 5/8 4 Defend, Defend+, 3 Strike or 3/8 5 Defend, 2 Strike, Strike+
sundial counts the shuffle of an empty discard pile
    starts; deck=5 Strike; relics=Sundial; counters=Sundial 2; end; energy == 5
    starts; deck=3 Strike; relics=Sundial; counters=Sundial 2; energy == 5
mummified hand frees a random card of the hand for this turn before a Power acts
    hand=Inflame, Bash, Strike+, Whirlwind, Wound, Clash; relics=Mummified Hand;
        chances Inflame hand == 1/2 Bash (costs 0 this turn), Clash, Strike+, Whirlwind, Wound or
        1/2 Bash, Clash, Strike+ (costs 0 this turn), Whirlwind, Wound
    hand=Inflame, 2 Defend; you=Corruption 1; relics=Mummified Hand; play Inflame; hand == 2 Defend
    hand=Inflame, 2 Defend; relics=Mummified Hand; play Inflame; hand == Defend, Defend (costs 0 this turn)
snecko eye draws seven cards a turn
    starts; deck=9 Whirlwind; relics=Snecko Eye; hand == 7 Whirlwind; has Confused == 1
    starts; deck=9 Writhe; relics=Snecko Eye; hand == 9 Writhe
    quiet; draw=9 Wound; you=Confused 1; relics=Snecko Eye; end; hand == 7 Wound
a drawn card gets a random cost unless its cost in the fight is the same
    hand=Pommel Strike; draw=Bash+; you=Confused 1; relics=Snecko Eye;
        chances Pommel Strike hand == 1/4 Bash+ (costs 0) or 1/4 Bash+ (costs 1) or 1/4 Bash+ or 1/4 Bash+ (costs 3)
    hand=Pommel Strike; draw=Bash (costs 0 this turn); you=Confused 1; relics=Snecko Eye;
        chances Pommel Strike hand == 1/4 Bash (costs 0) or 1/4 Bash (costs 1) or 1/4 Bash (costs 0 this turn) or
        1/4 Bash (costs 3)
    hand=Pommel Strike; draw=Slimed; you=Confused 1; relics=Snecko Eye;
        chances Pommel Strike hand == 1/4 Slimed (costs 0) or 1/4 Slimed or 1/4 Slimed (costs 2) or 1/4 Slimed (costs 3)
orange pellets end the confusion: hand=Strike, Defend, Inflame; relics=Orange Pellets, Snecko Eye; you=Confused 1;
    play Strike, Defend, Inflame; has Confused == 0
a cost of blood for blood stays its own: hand=Bloodletting, Blood for Blood (costs 1); relics=Snecko Eye;
    play Bloodletting; hand == Blood for Blood (costs 0)
"""

test_scenario = scenario_test(SCENARIOS)


def test_every_relic_has_a_scenario():
    text = Path(__file__).read_text(encoding="utf-8")

    assert {name for name in RELICS.keys() - REST_SITES_ONLY if name not in text} == {
        "Sacred" + " Bark"
    }  # which is with the potions
    assert not set(UNSUPPORTED) & set(RELICS)


def test_dead_branch_makes_a_random_card_for_every_card_exhausted():
    found = Table(hand="Seeing Red", relics="Dead Branch, Charon's Ashes").chances(
        "Seeing Red", lambda after: after.hand
    )

    assert set(found.values()) == {Fraction(1, 70)}
    assert {"Anger", "Barricade", "Bludgeon", "Infernal Blade"} <= set(found)


def test_enchiridion_makes_a_random_power_that_costs_0_this_turn():
    setup = Setup(enemies=certain(("Cultist",)), enemy_hp=(50,), deck={"Wound": 5}, relics=("Enchiridion",))
    game = SpireFight(setup)
    hands = game.starts().map(lambda state: Table.at_state(game, state).hand).merge()

    assert {chance for _, chance in hands} == {Fraction(1, 14)}
    assert {"Berserk, 5 Wound", "Demon Form (costs 0 this turn), 5 Wound"} <= {hand for hand, _ in hands}


def test_toolbox_offers_colourless_cards_before_the_first_draw():
    setup = Setup(enemies=certain(("Cultist",)), enemy_hp=(50,), deck={"Wound": 5}, relics=("Toolbox",))
    game, n = SpireFight(setup), len(POOLS["colourless"])
    offers = game.starts().map(lambda state: frozenset(Table.at_state(game, state).moves)).merge()

    assert {chance for _, chance in offers} == {Fraction(1, comb(n, 3))}
    table = Table.at_state(game, game.start(np.random.default_rng(1)), np.random.default_rng(1))
    name = table.moves[0].removeprefix("choose ")
    assert "costs" not in name
    assert sorted(table.choose(name).hand.split(", ")) == sorted((name, "5 Wound"))


def test_too_many_relics_are_refused():
    with pytest.raises(UsageError, match="relics; at most"):
        FightRules(Setup(relics=("Vajra",) * (at.N_RELICS + 1)))
