"""Every relic that acts in a fight."""

from fractions import Fraction
from pathlib import Path

import pytest

from evodom.errors import UsageError
from evodom.spire.engine import layout as at
from evodom.spire.engine.rules import FightRules, Setup
from evodom.spire.rows.relics import LEFT_OUT, RELICS
from tests.spire.engine.helpers import Table, started


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


def test_tea_set_and_lantern_are_for_turn_1_and_energy_relics_for_all():
    assert quiet(relics="Lantern, Ancient Tea Set").end().energy == 3
    assert quiet(relics="Ectoplasm").end().energy == 4


def test_bag_of_marbles_ticks_in_round_1():
    table = first_turn("Bag of Marbles", ("Cultist", "Cultist"))
    assert [int(n) for n in table.now.status[1:3, at.AT["Vulnerable"]]] == [1, 1]
    assert not table.end().now.status[1:, at.AT["Vulnerable"]].any()


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


def test_stone_calendar_acts_at_the_end_of_turn_7_only():
    assert Table("Cultist 60, Dark Strike", you="turn 7", relics="Stone Calendar").end().enemies == "Cultist 8"
    assert Table("Cultist 60, Dark Strike", you="turn 6", relics="Stone Calendar").end().enemies == "Cultist 60"
    assert Table("Cultist 60, Dark Strike", you="turn 8", relics="Stone Calendar").end().enemies == "Cultist 60"


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


def test_art_of_war_is_not_fooled_by_orange_pellets():
    table = quiet(hand="Strike, Defend, Inflame", relics="Art of War, Orange Pellets")

    assert table.play("Strike", "Defend", "Inflame").end().energy == 3


def test_pocketwatch_draws_after_a_turn_of_at_most_three_cards():
    assert first_turn("Pocketwatch").hand == "5 Strike"
    assert quiet(relics="Pocketwatch").end().hand == "8 Defend"
    assert quiet(hand="4 Anger", relics="Pocketwatch").play(*["Anger"] * 4).end().hand == "5 Defend"


def test_centennial_puzzle_draws_at_the_first_loss_only():
    table = Table(hand="2 Bloodletting", draw="9 Strike", relics="Centennial Puzzle").play("Bloodletting")
    assert table.hand == "Bloodletting, 3 Strike"
    assert table.play("Bloodletting").hand == "3 Strike"


def test_centennial_puzzle_draws_before_the_rest_of_the_card():
    table = Table(hand="Offering", draw="3 Strike", discard="9 Defend", relics="Centennial Puzzle").play("Offering")

    assert table.hand == "3 Defend, 3 Strike"


def test_runic_cube_draws_for_every_loss_and_clay_gives_block_next_turn():
    assert Table(hand="2 Bloodletting", draw="9 Strike", relics="Runic Cube").play(
        "Bloodletting", "Bloodletting"
    ).hand == ("2 Strike")
    table = Table("Hexaghost 250, Tackle", relics="Self-Forming Clay").end()
    assert (table.block, table.has["Next Turn Block"]) == (6, 0)


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


def test_letter_opener_hits_all_for_every_third_skill():
    table = Table("Cultist 50 | Cultist 40", hand="3 Bloodletting", relics="Letter Opener")

    assert table.play(*["Bloodletting"] * 3).enemies == "Cultist 45 | Cultist 35"


def test_nunchaku_ink_bottle_and_pen_nib_count_to_ten():
    table = started(
        deck={"Strike": 10}, relics=("Nunchaku", "Ink Bottle"), counters={"Nunchaku": 9, "Ink Bottle": 9}
    ).play("Strike")
    assert (table.energy, table.hand) == (3, "5 Strike")
    assert Table(hand="2 Strike", you="pen_nib 9", relics="Pen Nib").play("Strike", "Strike").enemies == "Cultist 32"
    assert Table(hand="Strike", you="pen_nib 8", relics="Pen Nib").play("Strike").enemies == "Cultist 44"


def test_pen_nib_counts_for_all_hits_of_the_card():
    table = Table(hand="Twin Strike", you="pen_nib 9, Strength 1", relics="Pen Nib").play("Twin Strike")

    assert table.enemies == "Cultist 26"


def test_orichalcum_is_for_no_block_at_the_end_of_the_turn():
    assert quiet(relics="Orichalcum", you="Barricade 1").end().block == 6
    assert quiet(relics="Orichalcum", you="Barricade 1, block 1").end().block == 1
    assert quiet(relics="Orichalcum", you="Barricade 1, Metallicize 3").end().block == 9


def test_red_skull_acts_while_hp_are_low_also_at_the_start():
    assert first_turn("Red Skull", hp=37, max_hp=75).has["Strength"] == 3
    assert first_turn("Red Skull", hp=38, max_hp=75).has["Strength"] == 0
    table = Table(hand="Bloodletting", you="hp 42", relics="Red Skull", potions="Blood Potion").play("Bloodletting")
    assert table.has["Strength"] == 3
    assert table.drink("Blood Potion").has["Strength"] == 0


def test_the_boot_raises_small_unblocked_damage():
    assert Table(hand="Pummel", relics="The Boot").play("Pummel").enemies == "Cultist 30"
    assert Table("Cultist 50, block 4", hand="Strike", relics="The Boot").play("Strike").enemies == "Cultist 45"
    assert Table("Cultist 50, block 6", hand="Strike", relics="The Boot").play("Strike").enemies == "Cultist 50"
    assert Table(relics="The Boot", you="Thorns 3").end().enemies == "Cultist 47"


def test_toy_ornithopter_heals_for_a_potion():
    assert Table(relics="Toy Ornithopter", potions="Block Potion").drink("Block Potion").you == "hp 55, block 12"


def test_blue_candle_makes_curses_playable():
    table = Table(hand="Injury", relics="Blue Candle").play("Injury")

    assert (table.hp, table.exhaust, table.energy) == (49, "Injury", 3)
    assert not Table(hand="Injury, Wound").can_play("Injury")
    assert not Table(hand="Wound", relics="Blue Candle").can_play("Wound")


def test_medical_kit_makes_statuses_playable():
    table = Table(hand="Wound, Burn", relics="Medical Kit").play("Wound", "Burn")

    assert (table.exhaust, table.hp) == ("Burn, Wound", 50)
    assert not Table(hand="Injury", relics="Medical Kit").can_play("Injury")


def test_gremlin_horn_rewards_a_death_while_others_live():
    table = Table("Cultist 6 | Cultist 50", hand="Strike", draw="Defend", relics="Gremlin Horn").play("Strike", at=1)

    assert (table.energy, table.hand) == (3, "Defend")


def test_meat_on_the_bone_comes_before_burning_blood():
    table = Table("Cultist 6", hand="Strike", you="hp 40", relics="Burning Blood, Meat on the Bone").play("Strike")
    assert table.game.returns(table.state) == (58,)
    table = Table("Cultist 6", hand="Strike", you="hp 41", relics="Burning Blood, Meat on the Bone").play("Strike")
    assert table.game.returns(table.state) == (47,)
    table = Table("Cultist 6", hand="Strike", you="hp 79", relics="Black Blood").play("Strike")
    assert table.game.returns(table.state) == (80,)


def test_paper_phrog_and_odd_mushroom_change_vulnerable():
    assert Table("Cultist 50, Vulnerable 1", hand="Strike", relics="Paper Phrog").play("Strike").enemies == (
        "Cultist 40, Vulnerable 1"
    )
    assert Table(you="Vulnerable 2", relics="Odd Mushroom").end().hp == 43
    assert Table(you="Vulnerable 2").end().hp == 41


def test_strike_dummy_adds_three_to_every_strike():
    assert Table(hand="Strike", relics="Strike Dummy").play("Strike").enemies == "Cultist 41"
    assert Table(hand="Twin Strike", relics="Strike Dummy").play("Twin Strike").enemies == "Cultist 34"
    assert Table(hand="Perfected Strike", relics="Strike Dummy").play("Perfected Strike").enemies == "Cultist 39"
    assert Table(hand="Bash", relics="Strike Dummy").play("Bash").enemies == "Cultist 42, Vulnerable 2"


def test_sundial_and_the_abacus_act_when_the_discard_pile_is_shuffled():
    table = Table(hand="Shrug It Off", discard="2 Strike", relics="The Abacus").play("Shrug It Off")
    assert table.block == 14
    table = started(deck={"Strike": 5}, relics=("Sundial",), counters={"Sundial": 2}).end()
    assert table.energy == 5


def test_bird_faced_urn_heals_for_a_power():
    assert Table(hand="Inflame", relics="Bird-Faced Urn").play("Inflame").hp == 52


def test_calipers_keep_block_beyond_15():
    assert quiet(you="block 20", relics="Calipers").end().block == 5
    assert quiet(you="block 9", relics="Calipers").end().block == 0


def test_champion_belt_makes_weak_too_unless_an_artifact_stops_the_vulnerable():
    assert Table(hand="Bash", relics="Champion Belt").play("Bash").enemies == "Cultist 42, Vulnerable 2, Weak 1"
    assert Table("Sentry 40", hand="Bash", relics="Champion Belt").play("Bash").enemies == "Sentry 32"


def test_charons_ashes_hit_all_for_every_exhausted_card():
    table = Table("Cultist 50 | Cultist 40", hand="Second Wind, 2 Wound", relics="Charon's Ashes").play("Second Wind")

    assert table.enemies == "Cultist 44 | Cultist 34"


def test_ginger_and_turnip():
    assert Table("Green Louse 15, Spit Web", relics="Ginger").end().has["Weak"] == 0
    assert Table("Spike Slime (M) 30, Lick", relics="Turnip").end().has["Frail"] == 0
    assert Table("Spike Slime (M) 30, Lick", relics="Ginger").end().has["Frail"] == 1


def test_ice_cream_keeps_energy():
    assert quiet(relics="Ice Cream").end().energy == 6


def test_lizard_tail_saves_once():
    table = Table("Cultist 50, Dark Strike", you="hp 5", relics="Lizard Tail").end()
    assert (table.hp, table.over) == (40, "")
    assert table.end(7).over == "lost"


def test_magic_flower_rounds_heals_to_the_nearest():
    assert Table(hand="Inflame", relics="Magic Flower, Bird-Faced Urn").play("Inflame").hp == 53
    assert Table(relics="Magic Flower, Toy Ornithopter", potions="Block Potion").drink("Block Potion").hp == 58


def test_torii_and_tungsten_rod_and_their_order():
    assert Table("Hexaghost 250, Tackle", relics="Torii", ascension=0).end().hp == 48  # 5 x 2
    assert Table("Hexaghost 250, Tackle", relics="Torii").end().hp == 38  # 6 x 2
    assert Table("Hexaghost 250, Tackle", relics="Torii, Tungsten Rod", ascension=0).end().hp == 50
    assert Table(relics="Tungsten Rod").end().hp == 45
    assert Table("Cultist 50, Dark Strike", you="block 2", relics="Torii").end().hp == 49


def test_unceasing_top_draws_when_the_hand_is_empty():
    table = Table(hand="Strike", draw="Defend", relics="Unceasing Top").play("Strike")
    assert table.hand == "Defend"
    assert Table(hand="Battle Trance", relics="Unceasing Top").play("Battle Trance").hand == ""
    assert quiet(relics="Unceasing Top").end().hand == "5 Defend"


def test_runic_pyramid_keeps_the_hand_but_not_ethereal_cards():
    table = quiet(hand="Strike, Dazed", relics="Runic Pyramid").end()

    assert (table.hand, table.exhaust) == ("5 Defend, Strike", "Dazed")


def test_velvet_choker_allows_six_cards_a_turn():
    table = quiet(hand="7 Anger", relics="Velvet Choker").play(*["Anger"] * 6)

    assert table.moves == ["end"]
    assert table.end().can_play("Defend")


def test_a_copy_is_not_played_beyond_the_limit():
    table = quiet(hand="Anger", you="Double Tap 1, played 5", relics="Velvet Choker").play("Anger")

    assert table.enemies == "Gremlin Wizard 44"


def test_sozu_means_no_potions():
    table = Table(you="hp 1", relics="Sozu", potions="Fairy in a Bottle, Fire Potion")

    assert table.moves == ["end"]
    assert table.end().over == "lost"


def test_chemical_x_adds_two():
    assert Table(hand="Whirlwind", relics="Chemical X").play("Whirlwind").enemies == "Cultist 25"


def test_hand_drill_punishes_broken_block_behind_the_card():
    table = Table("Cultist 50, block 5", hand="Twin Strike", relics="Hand Drill").play("Twin Strike")
    assert table.enemies == "Cultist 45, Vulnerable 2"
    table = Table("Cultist 50, block 5", potions="Fire Potion", relics="Hand Drill").drink("Fire Potion")
    assert table.enemies == "Cultist 35, Vulnerable 2"
    table = Table("Cultist 50, block 7", hand="Strike", relics="Hand Drill").play("Strike")
    assert table.enemies == "Cultist 50, block 1"


def test_orange_pellets_end_all_debuffs():
    table = Table(
        hand="Strike, Defend, Inflame",
        you="Weak 2, Frail 1, Strength -3, Entangled 0, Dexterity 1",
        relics="Orange Pellets",
    ).play("Strike", "Defend", "Inflame")

    assert table.you == "hp 50, block 4, Dexterity 1"


def test_strange_spoon_saves_half_of_the_cards():
    table = Table(hand="Seeing Red", relics="Strange Spoon")

    assert table.chances("Seeing Red", lambda after: after.exhaust) == {
        "": Fraction(1, 2),
        "Seeing Red": Fraction(1, 2),
    }


def test_warped_tongs_upgrade_a_random_card_every_turn():
    table = Table("Gremlin Wizard 50, Charging", draw="4 Strike, Defend", relics="Warped Tongs")

    assert table.chances("end", lambda after: after.hand) == {
        "Defend+, 4 Strike": Fraction(1, 5),
        "Defend, 3 Strike, Strike+": Fraction(4, 5),
    }


def test_every_relic_has_been_named_here():
    text = Path(__file__).read_text(encoding="utf-8")

    assert {name for name in RELICS if name not in text} == {"Sacred" + " Bark"}  # which is with the potions
    assert not set(LEFT_OUT) & set(RELICS)


def test_too_many_relics_are_refused():
    with pytest.raises(UsageError, match="relics; at most"):
        FightRules(Setup(relics=("Vajra",) * (at.N_RELICS + 1)))
