"""What single cards do besides plain numbers: choices, piles, and what they look at."""

from fractions import Fraction

import pytest

from tests.spire.engine.helpers import Table

pytestmark = pytest.mark.uncompiled


# Attacks.


def test_body_slam_does_its_block_and_strength_counts():
    assert Table(hand="Body Slam", you="block 14").play("Body Slam").enemies == "Cultist 36"
    assert Table(hand="Body Slam", you="block 14, Strength 3").play("Body Slam").enemies == "Cultist 33"


def test_clash_needs_a_hand_of_attacks():
    assert Table(hand="Clash, Strike").can_play("Clash")
    assert not Table(hand="Clash, Defend").can_play("Clash")
    assert not Table(hand="Clash, Wound").can_play("Clash")


@pytest.mark.parametrize(("card", "hp"), [("Heavy Blade", 30), ("Heavy Blade+", 26)])
def test_strength_counts_three_or_five_times_for_heavy_blade(card, hp):
    assert Table(hand=card, you="Strength 2").play(card).enemies == f"Cultist {hp}"


def test_perfected_strike_counts_strikes_in_hand_and_piles_and_itself_but_not_exhausted_ones():
    table = Table(
        hand="Perfected Strike, Strike, Pommel Strike", draw="Wild Strike+", discard="Twin Strike", exhaust="Strike"
    )

    assert table.play("Perfected Strike").enemies == f"Cultist {50 - 6 - 2 * 5}"


def test_perfected_strike_does_not_count_itself_off_the_draw_pile():
    assert Table(hand="Havoc", draw="Perfected Strike").play("Havoc").enemies == "Cultist 44"


def test_sword_boomerang_hits_random_enemies_that_live():
    table = Table("Cultist 50 | Cultist 3", hand="Sword Boomerang")

    chances = table.chances("Sword Boomerang", lambda after: after.enemies)

    # Once the small one is dead all hits go to the other.
    assert chances == {
        "Cultist 41 | Cultist 3": Fraction(1, 8),
        "Cultist 44": Fraction(7, 8),
    }


def test_sword_boomerang_hits_four_times_when_upgraded():
    assert Table(hand="Sword Boomerang+").play("Sword Boomerang+").enemies == "Cultist 38"


def test_dropkick_on_a_vulnerable_enemy_gives_energy_and_a_card():
    table = Table("Cultist 50, Vulnerable 1", hand="Dropkick", draw="Defend").play("Dropkick")

    assert (table.enemies, table.energy, table.hand) == ("Cultist 43, Vulnerable 1", 3, "Defend")


def test_dropkick_is_not_shuffled_into_its_own_draw():
    table = Table("Cultist 50, Vulnerable 1", hand="Dropkick", discard="Defend").play("Dropkick")

    assert (table.hand, table.discard) == ("Defend", "Dropkick")


def test_dropkick_that_kills_a_vulnerable_enemy_still_draws():
    table = Table("Cultist 5, Vulnerable 1 | Cultist 9", hand="Dropkick", draw="Defend").play("Dropkick", at=1)

    assert (table.energy, table.hand) == (3, "Defend")


def test_hemokinesis_is_computed_before_the_loss():
    table = Table(hand="Hemokinesis", you="hp 41, Rupture 1", relics="Red Skull").play("Hemokinesis")

    assert table.enemies == "Cultist 35"
    assert table.you == "hp 39, Strength 4, Rupture 1"


def test_whirlwind_spends_all_energy_and_hits_as_often():
    table = Table("Cultist 50 | Cultist 50", hand="Whirlwind").play("Whirlwind")

    assert (table.enemies, table.energy) == ("Cultist 35 | Cultist 35", 0)


def test_whirlwind_can_be_played_for_nothing():
    table = Table(hand="Whirlwind", you="energy 0").play("Whirlwind")

    assert (table.enemies, table.discard) == ("Cultist 50", "Whirlwind")


def test_rampage_grows_with_every_play_of_the_same_card():
    table = Table(hand="Rampage", draw="5 Defend", relics="Runic Pyramid").play("Rampage")

    assert table.discard == "Rampage (13)"
    assert Table("Cultist 50", hand="Rampage (13)").play("Rampage (13)").enemies == "Cultist 37"


def test_upgraded_rampage_grows_by_eight():
    assert Table(hand="Rampage+").play("Rampage+").discard == "Rampage+ (16)"


def test_blood_for_blood_gets_cheaper_wherever_it_is_with_every_loss_of_hp():
    table = Table(
        hand="Bloodletting, Hemokinesis, Blood for Blood", draw="Blood for Blood+", discard="Blood for Blood"
    ).play("Bloodletting", "Hemokinesis")

    assert table.hand == "Blood for Blood (2)"
    assert table.draw == "Blood for Blood+ (1)"
    assert table.discard == "Blood for Blood (2), Bloodletting, Hemokinesis"


def test_blood_for_blood_never_costs_less_than_nothing():
    table = Table(hand="6 Bloodletting, Blood for Blood+").play(*["Bloodletting"] * 6)

    assert "Blood for Blood+ (0)" in table.hand


def test_feed_that_kills_gives_hp_and_more_of_them():
    table = Table("Cultist 10 | Cultist 9", hand="Feed").play("Feed", at=1)

    assert (table.hp, table.now.max_hp[0]) == (53, 83)
    assert Table("Cultist 10", hand="Feed+").play("Feed+").now.max_hp[0] == 84


def test_feed_that_does_not_kill_gives_nothing():
    assert Table("Cultist 11", hand="Feed").play("Feed").hp == 50


def test_fiend_fire_exhausts_the_hand_and_hits_once_for_each_card():
    table = Table(hand="Fiend Fire, 2 Strike, Wound", you="Strength 1").play("Fiend Fire")

    assert (table.enemies, table.exhaust) == ("Cultist 26", "Fiend Fire, 2 Strike, Wound")


def test_fiend_fire_hits_with_vigor_and_before_what_exhausting_brings():
    table = Table(hand="Fiend Fire+, 2 Strike", you="Vigor 8, Dark Embrace 1", draw="3 Defend").play("Fiend Fire+")

    assert (table.enemies, table.hand) == ("Cultist 14", "3 Defend")
    assert "Vigor" not in table.you


def test_reaper_heals_what_the_enemies_lost():
    table = Table("Cultist 3 | Cultist 50, block 1", hand="Reaper").play("Reaper")

    assert (table.enemies, table.hp) == ("Cultist 47", 56)


def test_reaper_heals_even_if_it_kills_all():
    assert Table("Cultist 3", hand="Reaper").play("Reaper").hp == 53


def test_pummel_and_twin_strike_hit_each_time_with_strength():
    assert Table(hand="Pummel", you="Strength 2").play("Pummel").enemies == "Cultist 34"
    assert Table(hand="Twin Strike", you="Strength 2").play("Twin Strike").enemies == "Cultist 36"


def test_sever_soul_exhausts_all_but_attacks_first():
    table = Table(hand="Sever Soul, Strike, Defend, Wound, Inflame").play("Sever Soul")

    assert (table.hand, table.exhaust) == ("Strike", "Defend, Inflame, Wound")


def test_spot_weakness_looks_at_the_intent():
    assert Table("Jaw Worm 40, Thrash", hand="Spot Weakness").play("Spot Weakness").has["Strength"] == 3
    assert Table("Jaw Worm 40, Bellow", hand="Spot Weakness").play("Spot Weakness").has["Strength"] == 0


@pytest.mark.parametrize(
    ("intent", "is_attack"),
    [
        ("Red Louse 15, Bite", True),
        ("Hexaghost 250, Divider", True),
        ("Looter 40, Mug", True),
        ("Fat Gremlin 15, Smash", True),
        ("The Guardian 240, Twin Slam", True),
        ("The Guardian 240, Charging Up", False),
        ("Hexaghost 250, Activate", False),
        ("Sentry 40, Bolt", False),
        ("Gremlin Wizard 22, Charging", False),
        ("Lagavulin 110, Siphon Soul", False),
    ],
)
def test_every_move_that_deals_damage_is_an_attack_for_spot_weakness(intent, is_attack):
    assert (Table(intent, hand="Spot Weakness").play("Spot Weakness").has["Strength"] == 3) == is_attack


# Piles.


def test_armaments_upgrades_a_chosen_card():
    table = Table(hand="Armaments, Strike, Bash, Defend+, Wound").play("Armaments")

    assert table.moves == ["choose Bash", "choose Strike"]
    assert table.choose("Bash").hand == "Bash+, Defend+, Strike, Wound"


def test_armaments_upgrades_the_only_card_by_itself_and_none_if_there_is_none():
    assert Table(hand="Armaments, Bash, Defend+").play("Armaments").hand == "Bash+, Defend+"
    assert Table(hand="Armaments, Defend+, Wound").play("Armaments").hand == "Defend+, Wound"


def test_upgraded_armaments_upgrades_all_once():
    assert Table(hand="Armaments+, 2 Strike, Bash+, Searing Blow").play("Armaments+").hand == (
        "Bash+, Searing Blow+, 2 Strike+"
    )


def test_searing_blow_can_be_upgraded_twice():
    table = Table(hand="2 Armaments, Searing Blow+").play("Armaments").choose("Searing Blow+")

    assert "Searing Blow+2" in table.hand


def test_blood_for_blood_keeps_what_it_has_become_cheaper_when_upgraded():
    table = Table(hand="Bloodletting, Armaments+, Blood for Blood").play("Bloodletting", "Armaments+")

    assert table.hand == "Blood for Blood+ (2)"


def test_havoc_plays_and_exhausts_the_top_card():
    table = Table(hand="Havoc", draw="Strike").play("Havoc")

    assert (table.enemies, table.exhaust, table.discard) == ("Cultist 44", "Strike", "Havoc")


def test_havoc_refills_an_empty_draw_pile_and_does_nothing_without_cards():
    assert Table(hand="Havoc", discard="Strike").play("Havoc").enemies == "Cultist 44"
    assert Table(hand="Havoc").play("Havoc").discard == "Havoc"


def test_havoc_aims_at_a_random_enemy():
    table = Table("Cultist 50 | Cultist 40", hand="Havoc", draw="Strike")

    assert table.chances("Havoc", lambda after: after.enemies) == {
        "Cultist 44 | Cultist 40": Fraction(1, 2),
        "Cultist 50 | Cultist 34": Fraction(1, 2),
    }


def test_havoc_plays_whirlwind_with_the_energy_there_is_and_spends_none():
    table = Table(hand="Havoc", draw="Whirlwind").play("Havoc")

    assert (table.enemies, table.energy, table.exhaust) == ("Cultist 40", 2, "Whirlwind")


def test_havoc_exhausts_an_unplayable_card():
    assert Table(hand="Havoc", draw="Wound").play("Havoc").exhaust == "Wound"


def test_havoc_exhausts_an_attack_that_cannot_be_played_now():
    table = Table(hand="Havoc", draw="Strike", you="Entangled 1").play("Havoc")

    assert (table.enemies, table.exhaust) == ("Cultist 50", "Strike")


def test_havoc_of_a_power_lets_it_vanish():
    table = Table(hand="Havoc", draw="Inflame").play("Havoc")

    assert (table.has["Strength"], table.exhaust, table.discard) == (2, "", "Havoc")


def test_headbutt_puts_a_chosen_card_on_top():
    table = Table(hand="Headbutt", draw="4 Strike", discard="Bash, Defend").play("Headbutt").choose("Bash")

    assert table.discard == "Defend, Headbutt"
    assert table.chances("end", lambda after: "Bash" in after.hand) == {True: 1}


def test_headbutt_takes_the_only_card_and_skips_an_empty_pile():
    assert Table(hand="Headbutt", discard="Bash").play("Headbutt").draw == "Bash"
    assert Table(hand="Headbutt").play("Headbutt").discard == "Headbutt"


def test_true_grit_exhausts_at_random_and_upgraded_by_choice():
    table = Table(hand="True Grit, Strike, 2 Defend")
    assert table.chances("True Grit", lambda after: after.exhaust) == {
        "Strike": Fraction(1, 3),
        "Defend": Fraction(2, 3),
    }

    upgraded = Table(hand="True Grit+, Strike, 2 Defend").play("True Grit+").choose("Defend")
    assert (upgraded.hand, upgraded.exhaust, upgraded.block) == ("Defend, Strike", "Defend", 9)


def test_true_grit_upgraded_exhausts_the_only_card_by_itself():
    assert Table(hand="True Grit+, Wound").play("True Grit+").exhaust == "Wound"


def test_warcry_draws_and_puts_one_card_on_top():
    table = Table(hand="Warcry+, Bash", draw="2 Defend").play("Warcry+").choose("Bash")

    assert (table.hand, table.draw, table.exhaust) == ("2 Defend", "Bash", "Warcry+")


def test_burning_pact_exhausts_then_draws():
    table = Table(hand="Burning Pact, Wound", draw="2 Strike").play("Burning Pact")

    assert (table.hand, table.exhaust) == ("2 Strike", "Wound")


def test_dual_wield_copies_an_attack_or_a_power_as_it_is():
    table = Table(hand="Dual Wield+, Rampage (13), Defend, Inflame").play("Dual Wield+")

    assert table.moves == ["choose Inflame", "choose Rampage (13)"]
    assert table.choose("Rampage (13)").hand == "Defend, Inflame, 3 Rampage (13)"


def test_dual_wield_without_such_a_card_does_nothing():
    assert Table(hand="Dual Wield, Defend").play("Dual Wield").hand == "Defend"


def test_exhume_takes_any_card_but_an_exhume():
    table = Table(hand="Exhume", exhaust="Exhume, Strike, Wound").play("Exhume")

    assert table.moves == ["choose Strike", "choose Wound"]
    table.choose("Strike")
    assert (table.hand, table.exhaust) == ("Strike", "2 Exhume, Wound")


def test_exhume_with_a_full_hand_does_nothing():
    table = Table(hand="Exhume, 10 Wound", exhaust="Strike").play("Exhume")

    assert table.exhaust == "Exhume, Strike"


def test_second_wind_gives_block_once_for_each_card_with_dexterity_and_frail():
    assert Table(hand="Second Wind, Strike, Defend, 2 Wound").play("Second Wind").block == 15
    table = Table(hand="Second Wind, Defend, Wound", you="Dexterity 2, Frail 1").play("Second Wind")
    assert table.block == 2 * 5


def test_sentinel_gives_energy_when_it_is_exhausted():
    assert Table(hand="True Grit, Sentinel").play("True Grit").energy == 4
    assert Table(hand="True Grit, Sentinel+").play("True Grit").energy == 5


def test_power_through_puts_wounds_beyond_ten_cards_into_the_discard_pile():
    table = Table(hand="Power Through, 9 Strike").play("Power Through")

    assert table.hand == "9 Strike, Wound"
    assert table.discard == "Power Through, Wound"


def test_wild_strike_with_an_empty_draw_pile_makes_the_wound_the_next_card():
    table = Table(hand="Wild Strike, Shrug It Off", discard="5 Strike").play("Wild Strike", "Shrug It Off")

    assert table.hand == "Wound"


def test_a_card_shuffled_in_is_never_on_top():
    table = Table(hand="Wild Strike, Shrug It Off", draw="2 Strike").play("Wild Strike")

    assert table.chances("Shrug It Off", lambda after: after.hand) == {"Strike": 1}


def test_a_card_shuffled_in_has_every_place_but_the_top():
    table = Table(hand="Wild Strike, Battle Trance", draw="3 Strike").play("Wild Strike")

    # Three places of equal chance below the top; two of them are among the next three cards.
    assert table.chances("Battle Trance", lambda after: "Wound" in after.hand) == {
        True: Fraction(2, 3),
        False: Fraction(1, 3),
    }


def test_a_card_put_on_top_later_does_not_bring_a_buried_one_up():
    table = Table(hand="Wild Strike, Headbutt, Pommel Strike+", draw="2 Strike", discard="Bash")
    table.play("Wild Strike", "Headbutt").choose("Bash")

    assert table.chances("Pommel Strike+", lambda after: after.hand) == {"Bash, Strike": 1}


def test_a_card_shuffled_in_below_a_known_one_may_come_next_but_one():
    table = Table(hand="Headbutt, Wild Strike, Pommel Strike+", draw="2 Strike", discard="Bash")
    table.play("Headbutt", "Wild Strike")

    # Three places below Bash; the first is the second card of the pile.
    assert table.chances("Pommel Strike+", lambda after: after.hand) == {
        "Bash, Wound": Fraction(1, 3),
        "Bash, Strike": Fraction(2, 3),
    }


# Energy and limits.


def test_battle_trance_draws_and_then_stops_drawing():
    table = Table(hand="Battle Trance, Shrug It Off", draw="9 Strike").play("Battle Trance", "Shrug It Off")

    assert table.hand == "3 Strike"


def test_entrench_doubles_the_block():
    assert Table(hand="Entrench", you="block 7").play("Entrench").block == 14


def test_limit_break_doubles_strength_even_a_negative_one():
    assert Table(hand="Limit Break", you="Strength 3").play("Limit Break").has["Strength"] == 6
    assert Table(hand="Limit Break", you="Strength -2").play("Limit Break").has["Strength"] == -4


def test_double_tap_plays_the_next_attack_twice_at_no_cost():
    table = Table(hand="Double Tap, Strike, Bash").play("Double Tap", "Strike")

    assert (table.enemies, table.energy, table.discard) == ("Cultist 38", 1, "Double Tap, Strike")


def test_double_tap_is_skipped_when_its_target_is_dead():
    table = Table("Cultist 6 | Cultist 50", hand="Double Tap, Strike").play("Double Tap").play("Strike", at=1)

    assert table.enemies == "Cultist 50"


def test_double_tap_plays_whirlwind_twice_with_the_same_energy():
    table = Table("Cultist 99", hand="Double Tap, Whirlwind").play("Double Tap", "Whirlwind")

    assert table.enemies == "Cultist 79"


def test_double_tap_ends_with_the_turn_and_upgraded_is_for_two_attacks():
    assert Table(hand="Double Tap", draw="5 Strike").play("Double Tap").end().has["Double Tap"] == 0
    table = Table("Cultist 99", hand="Double Tap+, 2 Strike").play("Double Tap+", "Strike", "Strike")
    assert table.enemies == "Cultist 75"


def test_rampages_copy_has_the_increase_and_both_stay_on_the_card():
    table = Table(hand="Double Tap, Rampage").play("Double Tap", "Rampage")

    assert (table.enemies, table.discard) == ("Cultist 29", "Double Tap, Rampage (18)")


def test_vigor_and_pen_nib_do_not_reach_the_copy():
    assert Table(hand="Strike", you="Vigor 8, Double Tap 1").play("Strike").enemies == "Cultist 30"
    table = Table(hand="Strike", you="pen_nib 9, Double Tap 1", relics="Pen Nib").play("Strike")
    assert table.enemies == "Cultist 32"


def test_a_copy_counts_as_a_card_played():
    table = Table("The Guardian 240, Sharp Hide 3", hand="Strike", you="Double Tap 1, Rage 3").play("Strike")

    assert (table.hp, table.block) == (50, 0)  # twice 3 block, twice 3 damage
