"""Every relic that acts in a fight."""

from pathlib import Path

import pytest

from evodom.errors import UsageError
from evodom.spire.engine import layout as at
from evodom.spire.engine.rules import FightRules, Setup
from evodom.spire.rows.relics import RELICS, UNSUPPORTED
from tests.spire.engine.helpers import Table, follow, scenarios, started

SCENARIOS = """
tea set and lantern are for turn 1 and energy relics for all
    quiet; draw=9 Defend; relics=Lantern, Ancient Tea Set; end; energy == 3
    quiet; draw=9 Defend; relics=Ectoplasm; end; energy == 4
stone calendar acts at the end of turn 7 only
    enemies=Cultist 60, Dark Strike; you=turn 7; relics=Stone Calendar; end; enemies == Cultist 8
    enemies=Cultist 60, Dark Strike; you=turn 6; relics=Stone Calendar; end; enemies == Cultist 60
    enemies=Cultist 60, Dark Strike; you=turn 8; relics=Stone Calendar; end; enemies == Cultist 60
art of war is not fooled by orange pellets
    quiet; draw=9 Defend; hand=Strike, Defend, Inflame; relics=Art of War, Orange Pellets;
        play Strike, Defend, Inflame; end; energy == 3
centennial puzzle draws at the first loss only
    hand=2 Bloodletting; draw=9 Strike; relics=Centennial Puzzle; play Bloodletting; hand == Bloodletting, 3 Strike;
        play Bloodletting; hand == 3 Strike
centennial puzzle draws before the rest of the card
    hand=Offering; draw=3 Strike; discard=9 Defend; relics=Centennial Puzzle; play Offering; hand == 3 Defend, 3 Strike
runic cube draws for every loss and clay gives block next turn
    hand=2 Bloodletting; draw=9 Strike; relics=Runic Cube; play Bloodletting, Bloodletting; hand == 2 Strike
    enemies=Hexaghost 250, Tackle; relics=Self-Forming Clay; end; block == 6; has Next Turn Block == 0
letter opener hits all for every third skill
    enemies=Cultist 50 | Cultist 40; hand=3 Bloodletting; relics=Letter Opener;
        play Bloodletting, Bloodletting, Bloodletting; enemies == Cultist 45 | Cultist 35
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
medical kit makes statuses playable
    hand=Wound, Burn; relics=Medical Kit; play Wound, Burn; exhaust == Burn, Wound; hp == 50
    hand=Injury; relics=Medical Kit; cannot play Injury
gremlin horn rewards a death while others live
    enemies=Cultist 6 | Cultist 50; hand=Strike; draw=Defend; relics=Gremlin Horn; play Strike at 1; energy == 3;
        hand == Defend
paper phrog and odd mushroom change vulnerable
    enemies=Cultist 50, Vulnerable 1; hand=Strike; relics=Paper Phrog; play Strike; enemies == Cultist 40, Vulnerable 1
    you=Vulnerable 2; relics=Odd Mushroom; end; hp == 43
    you=Vulnerable 2; end; hp == 41
strike dummy adds three to every strike
    hand=Strike; relics=Strike Dummy; play Strike; enemies == Cultist 41
    hand=Twin Strike; relics=Strike Dummy; play Twin Strike; enemies == Cultist 34
    hand=Perfected Strike; relics=Strike Dummy; play Perfected Strike; enemies == Cultist 39
    hand=Bash; relics=Strike Dummy; play Bash; enemies == Cultist 42, Vulnerable 2
bird faced urn heals for a power
    hand=Inflame; relics=Bird-Faced Urn; play Inflame; hp == 52
calipers keep block beyond 15
    quiet; draw=9 Defend; you=block 20; relics=Calipers; end; block == 5
    quiet; draw=9 Defend; you=block 9; relics=Calipers; end; block == 0
champion belt makes weak too unless an artifact stops the vulnerable
    hand=Bash; relics=Champion Belt; play Bash; enemies == Cultist 42, Vulnerable 2, Weak 1
    enemies=Sentry 40; hand=Bash; relics=Champion Belt; play Bash; enemies == Sentry 32
charons ashes hit all for every exhausted card
    enemies=Cultist 50 | Cultist 40; hand=Second Wind, 2 Wound; relics=Charon's Ashes; play Second Wind;
        enemies == Cultist 44 | Cultist 34
ginger and turnip
    enemies=Green Louse 15, Spit Web; relics=Ginger; end; has Weak == 0
    enemies=Spike Slime (M) 30, Lick; relics=Turnip; end; has Frail == 0
    enemies=Spike Slime (M) 30, Lick; relics=Ginger; end; has Frail == 1
ice cream keeps energy
    quiet; draw=9 Defend; relics=Ice Cream; end; energy == 6
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
velvet choker allows six cards a turn
    quiet; draw=9 Defend; hand=7 Anger; relics=Velvet Choker; play Anger, Anger, Anger, Anger, Anger, Anger;
        moves == end; end; can play Defend
a copy is not played beyond the limit
    quiet; draw=9 Defend; hand=Anger; you=Double Tap 1, played 5; relics=Velvet Choker; play Anger;
        enemies == Gremlin Wizard 44
sozu means no potions
    you=hp 1; relics=Sozu; potions=Fairy in a Bottle, Fire Potion; moves == end; end; over == lost
chemical x adds two
    hand=Whirlwind; relics=Chemical X; play Whirlwind; enemies == Cultist 25
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
warped tongs upgrade a random card every turn
    enemies=Gremlin Wizard 50, Charging; draw=4 Strike, Defend; relics=Warped Tongs;
        chances end hand == 1/5 Defend+, 4 Strike or 4/5 Defend, 3 Strike, Strike+
"""


@pytest.mark.parametrize(("title", "steps"), scenarios(SCENARIOS))
def test_scenario(title, steps):
    follow(steps)


def first_turn(relics, enemies=("Cultist",), **options):
    """Return a fight at its start, with a deck of Strikes."""
    return started(enemies, relics=tuple(relics.split(", ")), **({"deck": {"Strike": 10}, "hp": 50} | options))


def quiet(**options):
    """Return a fight against an enemy that does nothing for two turns."""
    return Table("Gremlin Wizard 50, Charging", draw="9 Defend", **options)


@pytest.mark.parametrize(
    ("relic", "you"),
    [
        ("Akabeko", "hp 50, Vigor 8"),
        ("Anchor", "hp 50, block 10"),
        ("Blood Vial", "hp 52"),
        ("Bronze Scales", "hp 50, Thorns 3"),
        ("Oddly Smooth Stone", "hp 50, Dexterity 1"),
        ("Vajra", "hp 50, Strength 1"),
        ("Girya", "hp 50, Strength 3"),
        ("Fossilized Helix", "hp 50, Buffer 1"),
        ("Thread and Needle", "hp 50, Plated Armor 4"),
        ("Clockwork Souvenir", "hp 50, Artifact 1"),
        ("Gremlin Visage", "hp 50, Weak 1"),
        ("Brimstone", "hp 50, Strength 2"),
        ("Slaver's Collar", "hp 50"),
        ("Sling of Courage", "hp 50"),
        ("Pantograph", "hp 50"),
    ],
)
def test_what_the_player_starts_with(relic, you):
    assert first_turn(relic).you == you


@pytest.mark.parametrize(
    ("relic", "energy"),
    [("Ancient Tea Set", 5), ("Lantern", 4), ("Happy Flower", 3)]
    + [(name, 4) for name in ("Busted Crown", "Coffee Dripper", "Cursed Key", "Ectoplasm", "Fusion Hammer", "Sozu")]
    + [(name, 4) for name in ("Philosopher's Stone", "Velvet Choker", "Mark of Pain")],
)
def test_energy_on_turn_1(relic, energy):
    assert first_turn(relic).energy == energy


@pytest.mark.parametrize(("enemy", "energy"), [("Gremlin Nob", 4), ("Hexaghost", 4), ("Jaw Worm", 3)])
def test_slavers_collar_is_for_elites_and_bosses(enemy, energy):
    assert first_turn("Slaver's Collar", (enemy,)).energy == energy


def test_sling_is_for_elites_and_pantograph_for_bosses():
    assert first_turn("Sling of Courage, Pantograph", ("Gremlin Nob",)).you == "hp 50, Strength 2"
    assert first_turn("Sling of Courage, Pantograph", ("Hexaghost",)).you == "hp 75"


def test_bag_of_marbles_ticks_in_round_1():
    table = first_turn("Bag of Marbles", ("Cultist", "Cultist"))
    assert [int(n) for n in table.now.status[1:3, at.STATUS_INDEX["Vulnerable"]]] == [1, 1]
    assert not table.end().now.status[1:, at.STATUS_INDEX["Vulnerable"]].any()


def test_cards_on_turn_1():
    assert first_turn("Bag of Preparation").hand == "7 Strike"


def test_gambling_chip_acts_once_all_cards_are_drawn():
    table = first_turn("Gambling Chip, Bag of Preparation")

    assert table.moves == ["end", "choose Strike"]
    table.choose("Strike", "Strike").end()
    assert (table.hand, table.discard) == ("7 Strike", "2 Strike")
    assert "choose" not in " ".join(table.end().moves)


def test_du_vu_doll_counts_curses():
    assert first_turn("Du-Vu Doll", deck={"Strike": 9, "Injury": 2}).has["Strength"] == 2
    assert first_turn("Du-Vu Doll").has["Strength"] == 0


def test_mark_of_pain_puts_two_wounds_into_the_draw_pile():
    assert first_turn("Mark of Pain").draw == "5 Strike, 2 Wound"


def test_preserved_insect_and_neows_lament():
    table = first_turn("Preserved Insect", ("Lagavulin", "Cultist"), enemy_hp=(111, 50))
    assert (table.now.hp[1], table.now.max_hp[1], table.now.hp[2]) == (83, 111, 50)
    table = first_turn("Neow's Lament", ("Gremlin Nob",), burning="HP")
    assert table.now.hp[1] == 1


def test_philosophers_stone_strengthens_enemies_and_the_children_of_a_split():
    table = first_turn("Philosopher's Stone", ("Spike Slime (L)",), enemy_hp=(30,))
    assert table.enemies == "Spike Slime (L) 30, Strength 1"
    table = Table("Spike Slime (L) 30/60, Split", relics="Philosopher's Stone").end()
    assert table.enemies == "Spike Slime (M) 30, Strength 1 | Spike Slime (M) 30, Strength 1"


def test_brimstone_strengthens_both_sides_every_turn():
    table = first_turn("Brimstone", ("Gremlin Wizard",), enemy_hp=(22,)).end()

    assert (table.has["Strength"], table.enemies) == (4, "Gremlin Wizard 22, Strength 2")


@pytest.mark.parametrize(
    ("relic", "turn", "block"), [("Horn Cleat", 2, 14), ("Captain's Wheel", 3, 18), ("Horn Cleat", 3, 0)]
)
def test_block_on_a_turn(relic, turn, block):
    assert Table("Gremlin Wizard 50, Charging", you=f"turn {turn - 1}", relics=relic).end().block == block


def test_mercury_hourglass_acts_on_turn_1_too():
    table = first_turn("Mercury Hourglass", ("Jaw Worm", "Cultist"), enemy_hp=(40, 50))

    assert table.enemies == "Jaw Worm 37 | Cultist 47"
    assert quiet(relics="Mercury Hourglass").end().enemies == "Gremlin Wizard 47"


def test_happy_flower_and_incense_burner_count_on():
    assert first_turn("Happy Flower", counters={"Happy Flower": 2}).energy == 4
    assert first_turn("Incense Burner", counters={"Incense Burner": 5}).has["Intangible"] == 1
    assert first_turn("Happy Flower").end().end().energy == 4


def test_art_of_war_rewards_a_turn_without_an_attack():
    assert first_turn("Art of War").energy == 3
    assert quiet(hand="Defend", relics="Art of War").play("Defend").end().energy == 4
    assert quiet(hand="Strike", relics="Art of War").play("Strike").end().energy == 3


def test_pocketwatch_draws_after_a_turn_of_at_most_three_cards():
    assert first_turn("Pocketwatch").hand == "5 Strike"
    assert quiet(relics="Pocketwatch").end().hand == "8 Defend"
    assert quiet(hand="4 Anger", relics="Pocketwatch").play(*["Anger"] * 4).end().hand == "5 Defend"


@pytest.mark.parametrize(
    ("relic", "after_two", "after_three"),
    [
        ("Kunai", "hp 50", "hp 50, Dexterity 1"),
        ("Shuriken", "hp 50", "hp 50, Strength 1"),
        ("Ornamental Fan", "hp 50", "hp 50, block 4"),
    ],
)
def test_every_third_attack_of_a_turn(relic, after_two, after_three):
    table = quiet(hand="4 Anger", relics=relic)

    assert table.play("Anger", "Anger").you == after_two
    assert table.play("Anger").you == after_three


def test_counts_of_a_turn_start_anew():
    table = quiet(hand="2 Anger", relics="Kunai").play("Anger", "Anger")
    table.end()
    assert table.has["Dexterity"] == 0
    counters = [int(n) for n in table.now.counters]
    assert not any(counters)


def test_counts_of_a_fight_go_on():
    table = quiet(hand="2 Anger", relics="Nunchaku").play("Anger", "Anger").end()

    assert table.now.counters[0] == 2


def test_nunchaku_ink_bottle_and_pen_nib_count_to_ten():
    table = started(
        deck={"Strike": 10}, relics=("Nunchaku", "Ink Bottle"), counters={"Nunchaku": 9, "Ink Bottle": 9}
    ).play("Strike")
    assert (table.energy, table.hand) == (3, "5 Strike")
    assert Table(hand="2 Strike", you="pen_nib 9", relics="Pen Nib").play("Strike", "Strike").enemies == "Cultist 32"
    assert Table(hand="Strike", you="pen_nib 8", relics="Pen Nib").play("Strike").enemies == "Cultist 44"


def test_red_skull_acts_while_hp_are_low_also_at_the_start():
    assert first_turn("Red Skull", hp=37, max_hp=75).has["Strength"] == 3
    assert first_turn("Red Skull", hp=38, max_hp=75).has["Strength"] == 0
    table = Table(hand="Bloodletting", you="hp 42", relics="Red Skull", potions="Blood Potion").play("Bloodletting")
    assert table.has["Strength"] == 3
    assert table.drink("Blood Potion").has["Strength"] == 0


def test_meat_on_the_bone_comes_before_burning_blood():
    table = Table("Cultist 6", hand="Strike", you="hp 40", relics="Burning Blood, Meat on the Bone").play("Strike")
    assert table.game.returns(table.state) == (58,)
    table = Table("Cultist 6", hand="Strike", you="hp 41", relics="Burning Blood, Meat on the Bone").play("Strike")
    assert table.game.returns(table.state) == (47,)
    table = Table("Cultist 6", hand="Strike", you="hp 79", relics="Black Blood").play("Strike")
    assert table.game.returns(table.state) == (80,)


def test_sundial_and_the_abacus_act_when_the_discard_pile_is_shuffled():
    table = Table(hand="Shrug It Off", discard="2 Strike", relics="The Abacus").play("Shrug It Off")
    assert table.block == 14
    table = started(deck={"Strike": 5}, relics=("Sundial",), counters={"Sundial": 2}).end()
    assert table.energy == 5


def test_every_relic_has_been_named_here():
    text = Path(__file__).read_text(encoding="utf-8")

    assert {name for name in RELICS if name not in text} == {"Sacred" + " Bark"}  # which is with the potions
    assert not set(UNSUPPORTED) & set(RELICS)


def test_too_many_relics_are_refused():
    with pytest.raises(UsageError, match="relics; at most"):
        FightRules(Setup(relics=("Vajra",) * (at.N_RELICS + 1)))
