"""Statuses and powers: when they act, how they add up, and what ends them."""

import pytest

from tests.spire.engine.helpers import Table

pytestmark = pytest.mark.uncompiled


def quiet(**options):
    """Return a fight against an enemy that does nothing for two turns."""
    return Table("Gremlin Wizard 50, Charging", **options)


def test_strength_and_weak_and_vulnerable_are_rounded_once():
    assert Table("Cultist 50, Vulnerable 1", hand="Strike", you="Strength 1, Weak 1").play("Strike").enemies == (
        "Cultist 43, Vulnerable 1"  # floor(7 x 0.75 x 1.5) = 7
    )


def test_negative_strength_does_no_negative_damage():
    assert Table(hand="Twin Strike", you="Strength -9").play("Twin Strike").enemies == "Cultist 50"


def test_dexterity_and_frail_count_for_block_of_cards_only():
    assert Table(hand="Defend", you="Dexterity 2, Frail 1").play("Defend").block == 5
    assert Table(hand="Defend", you="Dexterity -9").play("Defend").block == 0
    assert quiet(you="Dexterity 2, Frail 1, Metallicize 3, Barricade 1").end().block == 3


def test_flex_is_lost_at_the_end_of_the_turn_and_artifact_keeps_it():
    assert quiet(hand="Flex").play("Flex").end().has["Strength"] == 0
    table = quiet(hand="Flex", you="Artifact 1").play("Flex")
    assert table.you == "hp 50, Strength 2"
    assert table.end().has["Strength"] == 2


def test_artifact_takes_one_application_each():
    table = Table("Sentry 40, Artifact 1", hand="Thunderclap, Bash", you="Weak 0").play("Thunderclap", "Bash")

    assert table.enemies == "Sentry 28, Vulnerable 2"


def test_disarm_is_a_debuff():
    table = Table("Sentry 40", hand="2 Disarm").play("Disarm", "Disarm")

    assert table.enemies == "Sentry 40, Strength -2"


def test_metallicize_and_plated_armor_give_block_at_the_end_of_the_turn():
    assert quiet(you="Metallicize 3, Plated Armor 4, Barricade 1").end().block == 7


def test_plated_armor_shrinks_with_every_attack_that_costs_hp():
    table = Table("Hexaghost 250, Tackle", you="Plated Armor 3")  # 6 x 2

    assert table.end().has["Plated Armor"] == 1


def test_plated_armor_stays_when_the_player_loses_hp_otherwise():
    assert Table(hand="Bloodletting", you="Plated Armor 3").play("Bloodletting").has["Plated Armor"] == 3


def test_barricade_keeps_block_and_does_not_add_up():
    table = quiet(hand="Barricade, Barricade+", you="energy 5, block 9").play("Barricade", "Barricade+")

    assert table.has["Barricade"] == 1
    assert table.end().block == 9
    assert quiet(you="block 9").end().block == 0


def test_berserk_gives_energy_on_later_turns_and_vulnerable_fades_at_once():
    table = quiet(hand="2 Berserk+").play("Berserk+", "Berserk+").end()

    assert (table.energy, table.has["Vulnerable"]) == (5, 1)


def test_brutality_draws_then_costs_hp_after_the_draw():
    table = quiet(draw="9 Strike", you="Brutality 2").end()

    assert (table.hand, table.hp) == ("7 Strike", 48)


def test_demon_form_gives_strength_at_the_start_of_the_turn():
    assert quiet(hand="Demon Form").play("Demon Form").end().has["Strength"] == 2


def test_combust_costs_hp_for_each_and_damages_all():
    table = Table("Gremlin Wizard 50, Charging | Gremlin Wizard 50, Charging, block 3", hand="Combust, Combust+")
    table.play("Combust", "Combust+").end()

    assert table.enemies == "Gremlin Wizard 38 | Gremlin Wizard 41"
    assert table.hp == 48


def test_corruption_makes_skills_free_and_exhausts_them():
    table = Table(hand="Defend, Strike", you="Corruption 1, energy 0").play("Defend")

    assert (table.exhaust, table.energy) == ("Defend", 0)
    assert not table.can_play("Strike")


def test_dark_embrace_and_feel_no_pain_act_for_each_exhausted_card():
    table = Table(hand="Second Wind, 2 Wound", draw="3 Strike", you="Dark Embrace 1, Feel No Pain 3")
    table.play("Second Wind")

    assert (table.hand, table.block) == ("2 Strike", 16)


def test_evolve_draws_for_a_status_but_not_under_no_draw():
    table = Table(hand="Shrug It Off", draw="Wound", you="Evolve 2").play("Shrug It Off")
    assert table.hand == "Shrug It Off, Wound"  # at the back of the queue: the card has been discarded by then

    table = Table(hand="Battle Trance", draw="3 Wound", discard="2 Strike", you="Evolve 1").play("Battle Trance")
    assert table.hand == "3 Wound"


def test_fire_breathing_damages_all_for_a_status_or_curse():
    table = Table(hand="Battle Trance", draw="Wound, Injury, Strike", you="Fire Breathing 6").play("Battle Trance")

    assert table.enemies == "Cultist 38"


def test_flame_barrier_answers_every_hit_until_the_next_turn():
    table = Table("Hexaghost 250, Tackle", hand="Flame Barrier").play("Flame Barrier").end()

    assert (table.enemies, table.has["Flame Barrier"]) == ("Hexaghost 242", 0)


def test_thorns_answer_a_hit_that_is_fully_blocked():
    assert Table(you="Thorns 3, block 50").end().enemies == "Cultist 47"


def test_thorns_that_kill_cancel_the_remaining_hits():
    table = Table("Hexaghost 3, Tackle | Cultist 50, Incantation", you="Thorns 3")

    assert table.end().hp == 44


def test_the_other_parts_of_a_move_happen_though_thorns_have_killed():
    table = Table("Gremlin Nob 3, Skull Bash | Cultist 50, Incantation", you="Thorns 3").end()

    assert table.has["Vulnerable"] == 2


def test_juggernaut_hits_for_every_gain_of_block_also_of_entrench():
    table = Table(hand="Entrench, Defend", you="Juggernaut 5, block 1").play("Defend", "Entrench")

    assert table.enemies == "Cultist 40"
    assert Table(hand="Entrench", you="Juggernaut 5").play("Entrench").enemies == "Cultist 50"


def test_metallicize_and_plated_armor_are_two_gains_of_block():
    assert quiet(you="Juggernaut 5, Metallicize 1, Plated Armor 1").end().enemies == "Gremlin Wizard 40"


def test_rage_gives_block_for_attacks_of_this_turn_behind_the_card():
    table = quiet(hand="Rage, Body Slam, Strike").play("Rage", "Body Slam", "Strike")

    assert (table.enemies, table.block) == ("Gremlin Wizard 44", 6)
    assert table.end().has["Rage"] == 0


def test_rupture_is_for_own_losses_only():
    assert Table(hand="Bloodletting", you="Rupture 2").play("Bloodletting").has["Strength"] == 2
    assert Table(you="Rupture 2").end().has["Strength"] == 0
    assert quiet(hand="Burn, Decay, Regret", you="Rupture 1").end().has["Strength"] == 3
    assert quiet(you="Rupture 1, Combust 5, Combust cost 1, Brutality 1").end().has["Strength"] == 2
    assert quiet(hand="Burn", you="Rupture 1, block 9").end().has["Strength"] == 0


def test_powers_of_one_name_add_up():
    assert Table(hand="Rupture, Rupture+").play("Rupture", "Rupture+").has["Rupture"] == 3
    assert Table(hand="Evolve, Evolve+").play("Evolve", "Evolve+").has["Evolve"] == 3


def test_vigor_counts_for_every_hit_of_one_attack():
    table = Table(hand="Twin Strike, Strike, Defend", you="Vigor 8").play("Defend", "Twin Strike", "Strike")

    assert table.enemies == "Cultist 18"


def test_regen_heals_less_every_turn():
    table = quiet(you="Regen 5").end()

    assert (table.hp, table.has["Regen"]) == (55, 4)


def test_ritual_of_the_player_acts_at_the_end_of_this_turn():
    assert quiet(you="Ritual 1").end().has["Strength"] == 1


def test_intangible_makes_every_loss_one_and_ends_with_the_round():
    table = Table("Hexaghost 250, Tackle", hand="Bloodletting", you="Intangible 1").play("Bloodletting").end()

    assert (table.hp, table.has["Intangible"]) == (47, 0)


def test_buffer_takes_a_loss():
    table = Table("Hexaghost 250, Tackle", you="Buffer 1").end()

    assert (table.hp, table.has["Buffer"]) == (44, 0)


def test_buffer_is_not_used_up_by_what_block_stops():
    assert Table(you="Buffer 1, block 6").end().has["Buffer"] == 1


def test_duplication_plays_any_card_twice_and_ends_with_the_round():
    assert Table(hand="Defend", you="Duplication 1").play("Defend").block == 10
    assert quiet(you="Duplication 1").end().has["Duplication"] == 0


def test_weak_and_vulnerable_and_frail_add_up():
    table = Table(hand="2 Bash", you="energy 4").play("Bash", "Bash")

    assert table.enemies == "Cultist 30, Vulnerable 4"


def test_a_debuff_of_an_enemy_does_not_fade_in_the_round_it_came():
    table = Table("Green Louse 15, Spit Web")
    assert table.end().has["Weak"] == 2
    table = Table("Green Louse 15, Spit Web", you="Weak 1")
    assert table.end().has["Weak"] == 2  # 1 + 2, and it was there before, so it fades


def test_an_enemys_vulnerable_lasts_this_turn_and_the_next():
    table = quiet(hand="Bash").play("Bash").end()
    assert table.enemies == "Gremlin Wizard 42, Vulnerable 1"


def test_a_dead_fungi_beast_makes_vulnerable_if_others_live():
    table = Table("Fungi Beast 6 | Fungi Beast 20, Grow", hand="Strike").play("Strike", at=1)
    assert table.has["Vulnerable"] == 2
    assert table.end().has["Vulnerable"] == 1

    table = Table("Fungi Beast 6, Bite | Fungi Beast 20, Grow", you="Thorns 6")
    assert table.end().has["Vulnerable"] == 2  # it came in the enemies' turn

    table = Table("Fungi Beast 5, Bite | Fungi Beast 20, Grow", you="Combust 5, Combust cost 1")
    assert table.end().has["Vulnerable"] == 1  # it came in the player's
    assert Table("Fungi Beast 6", hand="Strike").play("Strike").has["Vulnerable"] == 0


def test_curl_up_blocks_behind_the_whole_card_and_once():
    table = Table("Red Louse 30, Curl Up 9", hand="Bash, Twin Strike").play("Twin Strike")
    assert table.enemies == "Red Louse 20, block 9"
    assert Table("Red Louse 30, Curl Up 9", hand="Bash").play("Bash").enemies == "Red Louse 22, block 9, Vulnerable 2"


def test_curl_up_waits_for_an_attack_that_costs_hp_and_does_not_kill():
    assert Table("Red Louse 30, block 6, Curl Up 9", hand="Strike").play("Strike").enemies == "Red Louse 30, Curl Up 9"
    assert Table("Red Louse 5, Curl Up 9", hand="Strike").play("Strike").over == "won"


def test_plain_damage_does_not_curl_up():
    assert Table("Red Louse 30, Curl Up 9", potions="Fire Potion").drink("Fire Potion").enemies == (
        "Red Louse 10, Curl Up 9"
    )


def test_angry_counts_hits_that_cost_hp():
    table = Table("Mad Gremlin 30, block 5", hand="Twin Strike", potions="Fire Potion", ascension=0)
    table.play("Twin Strike").drink("Fire Potion")

    assert table.enemies == "Mad Gremlin 5, Strength 1, Angry 1"


def test_enrage_is_for_skills_and_behind_them():
    table = Table("Gremlin Nob 80, Enrage 3", hand="Defend, Strike, Inflame, Slimed", you="energy 4")
    table.play("Strike", "Inflame", "Slimed")
    assert table.enemies == "Gremlin Nob 74, Enrage 3"
    assert table.play("Defend").enemies == "Gremlin Nob 74, Strength 3, Enrage 3"


def test_sharp_hide_hurts_behind_the_card_even_if_it_kills():
    table = Table("The Guardian 6, Sharp Hide 3", hand="Strike", you="hp 3").play("Strike")
    assert table.over == "lost"
    table = Table("The Guardian 50, Sharp Hide 3", hand="Iron Wave").play("Iron Wave")
    assert (table.hp, table.block) == (50, 2)


def test_rage_block_comes_before_the_damage_of_sharp_hide_if_the_card_kills():
    table = Table("The Guardian 6, Sharp Hide 3", hand="Strike", you="hp 3, Rage 3").play("Strike")

    assert (table.over, table.hp) == ("won", 3)


def test_the_player_dies_before_an_attack_can_kill():
    assert Table("Cultist 15", hand="Hemokinesis", you="hp 2").play("Hemokinesis").over == "lost"


def test_combust_that_kills_the_player_first_loses():
    assert Table("Cultist 5", you="hp 1, Combust 5, Combust cost 1").end().over == "lost"


def test_entangled_forbids_attacks_for_one_turn():
    table = Table("Red Slaver 48, Entangle", hand="Strike", draw="5 Strike").end()

    assert not table.can_play("Strike")
    assert table.end().can_play("Strike")
