"""Every card, plain and upgraded, against a table typed from the game's own words."""

import pytest

from evodom.spire import effects as e
from evodom.spire.cards import ATTACK, CARDS, CURSE, POWER, SKILL, STARTER, STATUS
from tests.spire.helpers import after, at, play

TABLE = """
Strike            | 1 | Attack | damage 6
Strike+           | 1 | Attack | damage 9
Defend            | 1 | Skill  | block 5
Defend+           | 1 | Skill  | block 8
Bash              | 2 | Attack | damage 8; Vulnerable 2
Bash+             | 2 | Attack | damage 10; Vulnerable 3
Anger             | 0 | Attack | damage 6; Anger to discard pile
Anger+            | 0 | Attack | damage 8; Anger+ to discard pile
Body Slam         | 1 | Attack | damage as block
Body Slam+        | 0 | Attack | damage as block
Clash             | 0 | Attack | damage 14; only attacks
Clash+            | 0 | Attack | damage 18; only attacks
Cleave            | 1 | Attack | damage 8 all
Cleave+           | 1 | Attack | damage 11 all
Clothesline       | 2 | Attack | damage 12; Weak 2
Clothesline+      | 2 | Attack | damage 14; Weak 3
Flex              | 0 | Skill  | Strength 2 self; Strength Down 2 self
Flex+             | 0 | Skill  | Strength 4 self; Strength Down 4 self
Iron Wave         | 1 | Attack | block 5; damage 5
Iron Wave+        | 1 | Attack | block 7; damage 7
Pommel Strike     | 1 | Attack | damage 9; draw 1
Pommel Strike+    | 1 | Attack | damage 10; draw 2
Shrug It Off      | 1 | Skill  | block 8; draw 1
Shrug It Off+     | 1 | Skill  | block 11; draw 1
Thunderclap       | 1 | Attack | damage 4 all; Vulnerable 1 all
Thunderclap+      | 1 | Attack | damage 7 all; Vulnerable 1 all
True Grit         | 1 | Skill  | block 7; exhaust random
True Grit+        | 1 | Skill  | block 9; exhaust chosen
Twin Strike       | 1 | Attack | damage 5 x 2
Twin Strike+      | 1 | Attack | damage 7 x 2
Wild Strike       | 1 | Attack | damage 12; Wound to draw pile
Wild Strike+      | 1 | Attack | damage 17; Wound to draw pile
Battle Trance     | 0 | Skill  | draw 3; No Draw 1 self
Battle Trance+    | 0 | Skill  | draw 4; No Draw 1 self
Bloodletting      | 0 | Skill  | lose 3 HP; energy 2
Bloodletting+     | 0 | Skill  | lose 3 HP; energy 3
Carnage           | 2 | Attack | damage 20; ethereal
Carnage+          | 2 | Attack | damage 28; ethereal
Disarm            | 1 | Skill  | Strength -2; exhausts
Disarm+           | 1 | Skill  | Strength -3; exhausts
Ghostly Armor     | 1 | Skill  | block 10; ethereal
Ghostly Armor+    | 1 | Skill  | block 13; ethereal
Hemokinesis       | 1 | Attack | lose 2 HP; damage 15
Hemokinesis+      | 1 | Attack | lose 2 HP; damage 20
Inflame           | 1 | Power  | Strength 2 self
Inflame+          | 1 | Power  | Strength 3 self
Intimidate        | 0 | Skill  | Weak 1 all; exhausts
Intimidate+       | 0 | Skill  | Weak 2 all; exhausts
Metallicize       | 1 | Power  | Metallicize 3 self
Metallicize+      | 1 | Power  | Metallicize 4 self
Power Through     | 1 | Skill  | Wound to hand; Wound to hand; block 15
Power Through+    | 1 | Skill  | Wound to hand; Wound to hand; block 20
Pummel            | 1 | Attack | damage 2 x 4; exhausts
Pummel+           | 1 | Attack | damage 2 x 5; exhausts
Reckless Charge   | 0 | Attack | damage 7; Dazed to draw pile
Reckless Charge+  | 0 | Attack | damage 10; Dazed to draw pile
Seeing Red        | 1 | Skill  | energy 2; exhausts
Seeing Red+       | 0 | Skill  | energy 2; exhausts
Shockwave         | 2 | Skill  | Weak 3 all; Vulnerable 3 all; exhausts
Shockwave+        | 2 | Skill  | Weak 5 all; Vulnerable 5 all; exhausts
Uppercut          | 2 | Attack | damage 13; Weak 1; Vulnerable 1
Uppercut+         | 2 | Attack | damage 13; Weak 2; Vulnerable 2
Bludgeon          | 3 | Attack | damage 32
Bludgeon+         | 3 | Attack | damage 42
Demon Form        | 3 | Power  | Demon Form 2 self
Demon Form+       | 3 | Power  | Demon Form 3 self
Immolate          | 2 | Attack | damage 21 all; Burn to discard pile
Immolate+         | 2 | Attack | damage 28 all; Burn to discard pile
Impervious        | 2 | Skill  | block 30; exhausts
Impervious+       | 2 | Skill  | block 40; exhausts
Offering          | 0 | Skill  | lose 6 HP; energy 2; draw 3; exhausts
Offering+         | 0 | Skill  | lose 6 HP; energy 2; draw 5; exhausts
Ascender's Bane   | - | Curse  | ethereal
Burn              | - | Status | burn 2
Dazed             | - | Status | ethereal
Slimed            | 1 | Status | exhausts
Wound             | - | Status |
"""

ROWS = {
    cells[0]: cells[1:] for cells in ([cell.strip() for cell in row.split("|")] for row in TABLE.split("\n") if row)
}

KINDS = {"Attack": ATTACK, "Skill": SKILL, "Power": POWER, "Status": STATUS, "Curse": CURSE}

WORDS = {
    e.Hit: lambda x: f"damage {x.amount}" + (f" x {x.times}" if x.times > 1 else "") + _at(x.at),
    e.HitForBlock: lambda x: "damage as block",
    e.Block: lambda x: f"block {x.amount}",
    e.Give: lambda x: f"{x.status} {x.amount}" + _at(x.to),
    e.LoseHp: lambda x: f"lose {x.amount} HP",
    e.Energy: lambda x: f"energy {x.amount}",
    e.Draw: lambda x: f"draw {x.amount}",
    e.Create: lambda x: "; ".join([f"{x.card} to {x.pile}"] * x.amount),
    e.ExhaustRandom: lambda x: "exhaust random",
    e.ExhaustChosen: lambda x: "exhaust chosen",
}


def _at(who):
    return {"target": "", "self": " self", "enemies": " all"}[who]


def _in_words(card):
    words = [WORDS[type(effect)](effect) for effect in card.effects]
    words += [f"burn {card.burn}"] if card.burn else []
    flags = {"exhausts": card.exhausts, "ethereal": card.ethereal, "only attacks": card.needs_attacks}
    return "; ".join(words + [flag for flag, is_set in flags.items() if is_set])


def test_there_is_a_row_in_the_table_for_every_card():
    assert sorted(CARDS) == sorted(ROWS)


@pytest.mark.parametrize("name", ROWS)
def test_a_card_costs_and_does_what_the_table_says(name):
    cost, kind, text = ROWS[name]

    card = CARDS[name]

    assert card.cost == (None if cost == "-" else int(cost))
    assert card.kind == KINDS[kind]
    assert _in_words(card) == text


def test_the_starter_deck_has_ten_cards():
    assert dict(STARTER) == {"Strike": 5, "Defend": 4, "Bash": 1}


def test_only_cards_for_one_enemy_are_aimed():
    untargeted = {"Defend", "Cleave", "Thunderclap", "Shockwave", "Flex", "Offering", "Inflame", "Slimed"}
    targeted = {"Strike", "Bash", "Body Slam", "Twin Strike", "Disarm", "Iron Wave", "Uppercut"}

    assert all(CARDS[name].targeted for name in targeted)
    assert not any(CARDS[name].targeted for name in untargeted)


def test_bash_looks_before_it_adds_its_own_vulnerable():
    assert after("| Cultist 50", "Bash") == at("energy 1 | Cultist 42, Vulnerable 2")
    assert after("| Cultist 50, Vulnerable 1", "Bash") == at("energy 1 | Cultist 38, Vulnerable 3")


def test_body_slam_hits_for_the_block_there_is():
    assert after("| Cultist 50", "Defend, Body Slam") == at("block 5, energy 1 | Cultist 45")


def test_iron_wave_blocks_before_it_hits():
    names = [type(effect) for effect in CARDS["Iron Wave"].effects]

    assert names == [e.Block, e.Hit]


def test_cleave_hits_every_enemy_and_strike_only_its_target():
    assert after("| Sentry 38 | Sentry 40", "Cleave") == at("energy 2 | Sentry 30 | Sentry 32")
    assert after("| Sentry 38 | Sentry 40", "Strike", target=1) == at("energy 2 | Sentry 38 | Sentry 34")


def test_thunderclap_hits_all_before_it_makes_any_vulnerable():
    position = "| Cultist 30 | Cultist 31, Vulnerable 1"

    assert after(position, "Thunderclap") == at("energy 2 | Cultist 26, Vulnerable 1 | Cultist 25, Vulnerable 2")


def test_flex_is_for_this_turn():
    assert after("| Cultist 30", "Flex, Strike") == at("energy 2, Strength 2, Strength Down 2 | Cultist 22")


def test_battle_trance_draws_and_then_nothing_draws_this_turn():
    first = play("| Cultist 30", "Battle Trance")
    second = play("No Draw 1 | Cultist 30", "Pommel Strike")

    assert (first.drawing, first.combat) == (3, at("No Draw 1 | Cultist 30"))
    assert second.drawing == 0


def test_offering_costs_hp_whatever_the_block():
    offered = play("block 20 | Cultist 30", "Offering")

    assert (offered.lost, offered.drawing, offered.combat) == (6, 3, at("block 20, energy 5 | Cultist 30"))


def test_an_attack_that_wins_draws_nothing():
    won = play("| Cultist 9", "Pommel Strike")

    assert won == (None, 0, 0, 0, ())


def test_twin_strike_stops_at_an_enemy_that_is_dead():
    assert after("| Cultist 4 | Sentry 30", "Twin Strike") == at("energy 2 | Sentry 30")


def test_a_card_that_kills_its_target_gives_its_status_to_nobody():
    assert after("| Cultist 8 | Sentry 30", "Bash") == at("energy 1 | Sentry 30")


def test_uppercut_spends_an_artifact_on_weak_and_makes_vulnerable():
    assert after("| Sentry 40, Artifact 1", "Uppercut") == at("energy 1 | Sentry 27, Vulnerable 1")


def test_disarm_is_cancelled_by_artifact():
    assert after("| Sentry 40, Artifact 1", "Disarm") == at("energy 2 | Sentry 40")
    assert after("| Sentry 40", "Disarm+") == at("energy 2 | Sentry 40, Strength -3")
