"""The end of a turn, the enemies' moves, and the start of the next turn: what happens in which order."""

from fractions import Fraction

import pytest

from evodom.spire.exact.turn import FightRules
from evodom.spire.rows.effects import DISCARD
from tests.spire.exact.helpers import after, at, end, next_turn


def _moves(ended):
    """Return the moves the enemies may choose, with their chances."""
    return {tuple(enemy.move for enemy in combat.enemies): Fraction(w, ended.total) for combat, w in ended.after}


def test_block_is_for_one_enemy_turn():
    ended = end("block 20 | Cultist 40, Dark Strike 1")

    assert ended.lost == 0
    assert ended.after == ((at("| Cultist 40, Dark Strike 1"), 1),)


def test_hp_are_lost_beyond_the_block():
    assert end("block 4 | Cultist 40, Dark Strike 1, Strength 5").lost == 7


def test_ritual_gives_no_strength_in_its_own_round():
    first = next_turn("| Cultist 40, Incantation 0")
    second = next_turn("| Cultist 40, Dark Strike 1, Ritual 5")

    assert first == at("| Cultist 40, Dark Strike 1, Ritual 5")
    assert second == at("| Cultist 40, Dark Strike 1, Ritual 5, Strength 5")


@pytest.mark.parametrize(("ascension", "ritual"), [(0, 3), (2, 4), (17, 5)])
def test_a_cultist_hits_harder_every_turn(ascension, ritual):
    combat, hits = "| Cultist 40, Incantation 0", []

    rules, position = FightRules(ascension, ()), at(combat)
    for _ in range(5):
        ended = rules.end(position, 0)
        hits.append(ended.lost)
        position = ended.after[0][0]

    assert hits == [0] + [6 + ritual * n for n in range(4)]


def test_what_the_player_put_on_an_enemy_fades_at_the_end_of_the_round():
    weakened = next_turn("| Cultist 40, Dark Strike 1, Vulnerable 2, Weak 1")

    assert weakened == at("| Cultist 40, Dark Strike 1, Vulnerable 1")


def test_weak_lowers_the_attack_of_the_same_round():
    assert end("| Cultist 40, Dark Strike 1, Weak 1").lost == 4


def test_a_new_status_from_an_enemy_does_not_fade_in_its_own_round():
    bashed = next_turn("| Gremlin Nob 80, Skull Bash 1")

    assert bashed == at("Vulnerable 2 | Gremlin Nob 80, Rush 2")
    assert next_turn("Vulnerable 2 | Gremlin Nob 80, Rush 2") == at("Vulnerable 1 | Gremlin Nob 80, Rush 3")


def test_a_status_that_is_only_added_to_fades_in_that_round():
    assert next_turn("Vulnerable 1 | Gremlin Nob 80, Skull Bash 1") == at("Vulnerable 2 | Gremlin Nob 80, Rush 2")


def test_two_enemies_in_one_round_add_to_a_new_status():
    ended = end("| Acid Slime (S) 9, Lick 1 | Acid Slime (S) 9, Lick 1")

    assert ended.after == ((at("Weak 2 | Acid Slime (S) 9, Tackle 1 | Acid Slime (S) 9, Tackle 1"), 1),)


def test_frail_from_a_slime_lasts_one_turn_of_the_player():
    licked = next_turn("| Spike Slime (M) 30, Lick 1")

    assert licked == at("Frail 1 | Spike Slime (M) 30, Flame Tackle 1")
    assert all(combat.statuses == () for combat, _ in end("Frail 1 | Spike Slime (M) 30, Flame Tackle 1").after)


def test_metallicize_blocks_before_burning_cards_and_enemies():
    ended = end("Metallicize 4 | Cultist 40, Dark Strike 1", burn=2)

    assert ended.lost == 4


def test_orichalcum_looks_for_block_before_metallicize_gives_any():
    bare = end("Metallicize 3 | Cultist 40, Dark Strike 1, Strength 10", relics=("Orichalcum",))
    covered = end("block 1, Metallicize 3 | Cultist 40, Dark Strike 1, Strength 10", relics=("Orichalcum",))

    assert (bare.lost, covered.lost) == (16 - 9, 16 - 4)


def test_plated_armor_blocks_first_and_is_chipped_by_what_comes_through():
    assert next_turn("Plated Armor 4 | Cultist 40, Dark Strike 1") == at("Plated Armor 3 | Cultist 40, Dark Strike 1")
    assert next_turn("block 2, Plated Armor 4 | Cultist 40, Dark Strike 1") == at(
        "Plated Armor 4 | Cultist 40, Dark Strike 1"
    )


def test_burning_cards_are_blocked_and_do_not_chip_plated_armor():
    ended = end("block 1, Plated Armor 2 | Lagavulin 100, Sleep 0", burn=4)

    assert ended.lost == 1
    assert ended.after[0][0].statuses == (("Plated Armor", 2),)


def test_strength_from_flex_is_gone_after_the_turn():
    assert next_turn("Strength 3, Strength Down 2 | Cultist 40, Dark Strike 1") == at(
        "Strength 1 | Cultist 40, Dark Strike 1"
    )


def test_no_draw_ends_with_the_turn():
    assert next_turn("No Draw 1 | Cultist 40, Dark Strike 1") == at("| Cultist 40, Dark Strike 1")


def test_demon_form_gives_strength_at_the_start_of_every_turn():
    assert after("| Cultist 40, Dark Strike 1", "Demon Form") == at(
        "energy 0, Demon Form 2 | Cultist 40, Dark Strike 1"
    )
    assert next_turn("Demon Form 2, Strength 1 | Cultist 40, Dark Strike 1") == at(
        "Demon Form 2, Strength 3 | Cultist 40, Dark Strike 1"
    )


def test_energy_is_three_again():
    assert next_turn("energy 5 | Cultist 40, Dark Strike 1").energy == 3
    assert next_turn("energy 0 | Cultist 40, Dark Strike 1").energy == 3


def test_enemies_lose_their_block_before_they_move():
    ended = end("| Jaw Worm 40, block 9, Chomp 1")

    assert {combat.enemies[0].block for combat, _ in ended.after} == {0}
    assert ended.lost == 12


def test_block_from_an_enemys_move_stays_for_the_players_turn():
    assert {combat.enemies[0].block for combat, _ in end("| Jaw Worm 40, Bellow 1").after} == {9}


def test_a_thrash_hits_for_seven_and_blocks_five():
    ended = end("| Jaw Worm 40, Thrash 1, Strength 5")

    assert ended.lost == 12
    assert {combat.enemies[0].block for combat, _ in ended.after} == {5}


def test_a_louse_bites_for_what_was_rolled():
    assert end("| Red Louse 12, Bite 1").lost == 0
    assert end("| Red Louse 12, Bite 1, Strength 4", relics=()).lost == 4


def test_enemies_choose_each_for_itself():
    ended = end("| Red Louse 12, Grow 1 | Green Louse 12, Spit Web 1", ascension=0)

    assert _moves(ended) == {
        ("Grow", "Spit Web"): Fraction(1, 16),
        ("Grow", "Bite"): Fraction(3, 16),
        ("Bite", "Spit Web"): Fraction(3, 16),
        ("Bite", "Bite"): Fraction(9, 16),
    }


def test_two_equal_enemies_both_attack():
    assert end("block 3 | Spike Slime (S) 11, Tackle 0 | Spike Slime (S) 11, Tackle 0").lost == 9


@pytest.mark.parametrize(("ascension", "dazed"), [(17, 4), (18, 6)])
def test_the_outer_sentries_begin_with_dazed_cards(ascension, dazed):
    ended = end("| Sentry 40, Bolt 0 | Middle Sentry 40, Beam 0 | Sentry 40, Bolt 0", ascension=ascension)

    assert (ended.created, ended.lost) == ((("Dazed", DISCARD),) * dazed, 10)
    assert _moves(ended) == {("Beam", "Bolt", "Beam"): 1}


def test_lagavulin_that_is_left_alone_attacks_on_turn_four_without_metallicize_or_block():
    second = next_turn("| Lagavulin 112, block 8, Sleep 0, Asleep 1, Metallicize 8")
    third = next_turn("| Lagavulin 112, block 8, Sleep 1, Asleep 1, Metallicize 8")
    fourth = next_turn("| Lagavulin 112, block 8, Wake 2, Asleep 1, Metallicize 8")

    assert second == at("| Lagavulin 112, block 8, Sleep 1, Asleep 1, Metallicize 8")
    assert third == at("| Lagavulin 112, block 8, Wake 2, Asleep 1, Metallicize 8")
    assert fourth == at("| Lagavulin 112, Attack 3")


@pytest.mark.parametrize(("move", "place"), [("Sleep", 0), ("Sleep", 1), ("Wake", 2)])
def test_lagavulin_that_is_hit_is_stunned_for_a_turn_and_then_attacks(move, place):
    woken = after(f"| Lagavulin 112, block 8, {move} {place}, Asleep 1, Metallicize 8", "Strike, Strike")
    stunned = FightRules(20, ()).end(woken, 0)

    assert woken == at("energy 1 | Lagavulin 108, Stunned -1")
    assert (stunned.lost, stunned.after) == (0, ((at("| Lagavulin 108, Attack 3"), 1),))


def test_lagavulin_sleeps_on_while_its_block_holds():
    hit = after("| Lagavulin 112, block 8, Sleep 0, Asleep 1, Metallicize 8", "Strike")

    assert hit == at("energy 2 | Lagavulin 112, block 2, Sleep 0, Asleep 1, Metallicize 8")


def test_siphon_soul_takes_strength_and_dexterity_for_good():
    drained = next_turn("Strength 1 | Lagavulin 100, Siphon Soul 5")

    assert drained == at("Strength -1, Dexterity -2 | Lagavulin 100, Attack 3")
    assert after("Strength -1, Dexterity -2 | Lagavulin 100, Attack 3", "Strike, Defend") == at(
        "Strength -1, Dexterity -2, block 3, energy 1 | Lagavulin 95, Attack 3"
    )


def test_thorns_that_kill_the_last_enemy_win_the_fight():
    ended = end("Thorns 3 | Cultist 3, Dark Strike 1")

    assert (ended.after, ended.lost) == ((), 6)


def test_an_enemy_that_dies_of_thorns_still_leaves_its_slime_while_others_live():
    ended = end("Thorns 3 | Spike Slime (M) 3, Flame Tackle 1 | Cultist 20, Incantation 0")

    assert ended.created == (("Slimed", DISCARD),)
    assert ended.after == ((at("Thorns 3 | Cultist 20, Dark Strike 1, Ritual 5"), 1),)


def test_nothing_more_happens_once_the_last_enemy_is_dead():
    ended = end("Thorns 3 | Spike Slime (M) 3, Flame Tackle 1")

    assert (ended.created, ended.after) == ((), ())


def test_a_relic_can_win_the_fight_at_the_start_of_a_turn():
    relics = ("Mercury Hourglass",)

    assert end("| Jaw Worm 3, Chomp 1", relics=relics).after == ()
    assert {combat.enemies[0].hp for combat, _ in end("| Jaw Worm 4, Chomp 1", relics=relics).after} == {1}


def test_what_dies_at_the_start_of_a_turn_does_not_move():
    turn = next_turn("| Cultist 2, Dark Strike 1 | Cultist 9, Dark Strike 1", relics=("Mercury Hourglass",))

    assert turn == at("| Cultist 6, Dark Strike 1")
    assert end("| Cultist 6, Dark Strike 1").lost == 6
