"""Damage, block and statuses: the sums and their rounding, what Artifact, Thorns and Curl Up do, equal combats."""

import copy
import gc

import pytest

from evodom.spire.exact.board import Board, Fighter, attack_damage, card_block
from tests.spire.exact.helpers import after, at, play


def _fighter(**statuses):
    return Fighter("any", 50, 0, {name.replace("_", " "): n for name, n in statuses.items()})


@pytest.mark.parametrize(
    ("attacker", "defender", "base", "damage"),
    [
        ({}, {}, 6, 6),
        ({"Strength": 2}, {}, 6, 8),
        ({"Strength": -9}, {}, 6, 0),
        ({"Vigor": 8}, {}, 6, 14),
        ({"Weak": 1}, {}, 6, 4),  # 4.5
        ({}, {"Vulnerable": 2}, 5, 7),  # 7.5
        ({"Weak": 1}, {"Vulnerable": 1}, 6, 6),  # 6.75; rounded in between it would also be 6
        ({"Weak": 1}, {"Vulnerable": 1}, 5, 5),  # 5.625; rounded in between it would be 4
        ({"Weak": 1, "Strength": 3}, {"Vulnerable": 1}, 6, 10),  # 10.125
    ],
)
def test_damage_is_rounded_down_once(attacker, defender, base, damage):
    assert attack_damage(_fighter(**attacker), _fighter(**defender), base) == damage


@pytest.mark.parametrize(
    ("statuses", "base", "block"),
    [
        ({}, 5, 5),
        ({"Dexterity": 2}, 5, 7),
        ({"Frail": 1}, 5, 3),
        ({"Frail": 1, "Dexterity": 1}, 5, 4),
        ({"Dexterity": -9}, 5, 0),
    ],
)
def test_block_of_cards_is_rounded_down_and_never_negative(statuses, base, block):
    assert card_block(_fighter(**statuses), base) == block


def test_block_is_lost_before_hp():
    assert after("| Lagavulin 110, block 8", "Strike") == at("energy 2 | Lagavulin 110, block 2")
    assert after("| Lagavulin 110, block 2, Attack 3", "Strike") == at("energy 2 | Lagavulin 106, Attack 3")


def test_artifact_cancels_one_application_each():
    assert after("| Sentry 40, Artifact 1", "Bash") == at("energy 1 | Sentry 32")
    assert after("| Sentry 40, Artifact 1", "Thunderclap, Thunderclap") == at("energy 1 | Sentry 32, Vulnerable 1")


def test_artifact_lets_good_statuses_pass():
    board = Board(at("| Sentry 40, Artifact 1"))

    board.give(board.enemies[0], "Strength", 2)

    assert board.freeze() == at("| Sentry 40, Artifact 1, Strength 2")


def test_thorns_answer_every_hit_even_one_that_is_blocked():
    board = Board(at("block 50, Thorns 3 | Cultist 20"))

    board.attack(board.enemies[0], board.player, 6, 2)

    assert board.freeze() == at("block 38, Thorns 3 | Cultist 14")


def test_thorns_end_an_attack_when_they_kill():
    board = Board(at("Thorns 3 | Cultist 5"))

    board.attack(board.enemies[0], board.player, 6, 5)

    assert (board.won, board.lost) == (True, 12)


def test_thorns_are_blocked_by_block():
    board = Board(at("Thorns 3 | Lagavulin 20, block 2"))

    board.attack(board.enemies[0], board.player, 6)

    assert board.freeze() == at("Thorns 3 | Lagavulin 19")


def test_plated_armor_loses_one_for_every_hit_that_costs_hp():
    board = Board(at("block 7, Plated Armor 4 | Cultist 20"))

    board.attack(board.enemies[0], board.player, 6, 3)

    assert board.freeze() == at("Plated Armor 2 | Cultist 20")
    assert board.lost == 11


def test_curl_up_blocks_after_the_card_and_once():
    assert after("| Red Louse 15, Curl Up 9", "Twin Strike") == at("energy 2 | Red Louse 5, block 9")
    assert after("| Red Louse 15, Curl Up 9", "Strike, Strike") == at("energy 1 | Red Louse 9, block 3")


def test_curl_up_waits_for_an_attack_that_costs_hp():
    assert after("| Red Louse 15, block 6, Curl Up 9", "Strike") == at("energy 2 | Red Louse 15, Curl Up 9")


def test_plain_damage_does_not_curl_up_a_louse():
    board = Board(at("| Red Louse 15, Curl Up 9"))

    board.damage(board.enemies[0], 3)

    assert board.freeze() == at("| Red Louse 12, Curl Up 9")


def test_vigor_counts_for_every_hit_of_one_attack():
    assert after("Vigor 8 | Cultist 50", "Twin Strike") == at("energy 2 | Cultist 24")
    assert after("Vigor 8 | Cultist 50", "Defend") == at("block 5, energy 2, Vigor 8 | Cultist 50")


def test_enrage_counts_skills_only_and_after_they_acted():
    position = "| Gremlin Nob 80, Enrage 3, Strength 1"

    assert after(position, "Defend") == at("block 5, energy 2 | Gremlin Nob 80, Enrage 3, Strength 4")
    assert after(position, "Strike") == at("energy 2 | Gremlin Nob 74, Enrage 3, Strength 1")
    assert after(position, "Inflame") == at("energy 2, Strength 2 | Gremlin Nob 80, Enrage 3, Strength 1")
    assert after(position, "Slimed") == at("energy 2 | Gremlin Nob 80, Enrage 3, Strength 1")


def test_a_dead_enemy_leaves_the_others_in_their_order():
    position = "| Sentry 6 | Middle Sentry 30 | Sentry 31"

    assert after(position, "Strike") == at("energy 2 | Middle Sentry 30 | Sentry 31")


def test_the_last_enemy_that_dies_wins_the_fight_at_once():
    assert play("| Cultist 20", "Immolate").combat is None


def test_equal_combats_are_one_object():
    first, second = at("block 5 | Cultist 40"), at("block 5 | Cultist 40")

    assert first is second
    assert copy.deepcopy(first) is first


def test_combats_that_differ_only_in_the_hp_of_one_enemy_have_the_same_shape():
    assert at("| Cultist 40").shape is at("| Cultist 39").shape
    assert at("| Cultist 40").shape is not at("| Cultist 40, Weak 1").shape
    assert at("| Sentry 40 | Sentry 40").shape is at("| Sentry 40 | Sentry 40")


def test_a_combat_nobody_holds_is_forgotten():
    from evodom.spire.exact import board

    gc.collect()
    before = len(board._combats)
    kept = at("block 49 | Cultist 41")
    made = len(board._combats)
    del kept
    gc.collect()

    assert made > before == len(board._combats)
