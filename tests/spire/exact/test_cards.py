"""Every card that the exact solver knows, played at one of two enemies, against the table of the game's words."""

import pytest

from evodom.spire.exact.known import CARDS, PICKING
from evodom.spire.rows.cards import CURSE, STATUS
from evodom.spire.rows.effects import DISCARD, HAND, OP_BLOCK, OP_CREATE, OP_HIT
from tests.spire.engine.test_cards import ROWS, both
from tests.spire.exact.helpers import after, at, play

KNOWN = """Anger, Bash, Battle Trance, Bloodletting, Bludgeon, Body Slam, Burning Pact, Carnage, Clash, Cleave,
Clothesline, Defend, Demon Form, Disarm, Entrench, Flex, Ghostly Armor, Heavy Blade, Hemokinesis,
Immolate, Impervious, Inflame, Intimidate, Iron Wave, Limit Break, Metallicize, Offering, Pommel Strike,
Power Through, Pummel, Searing Blow, Seeing Red, Shockwave, Shrug It Off, Slimed, Strike, Thunderclap,
True Grit, Twin Strike, Uppercut"""

UNPLAYABLE = """Ascender's Bane, Burn, Burn+, Clumsy, Curse of the Bell, Dazed, Decay, Injury, Parasite, Wound"""

TWO = "Cultist 99 | Jaw Worm 99"


def listed(text):
    return [name.strip() for name in text.replace("\n", " ").split(",")]


PLAYED = [name for plain in listed(KNOWN) for name in (plain, f"{plain}+") if name != "Slimed+"]


def changes(name):
    """Play a card at the first of two enemies and tell what has changed, in the words of the table."""
    card, (combat, lost, drawing, _, created) = CARDS[name], play(f"energy 4 | {TWO}", name)
    first, second = ([f"damage {99 - one.hp}"] * (one.hp < 99) + told(one.statuses) for one in combat.enemies)
    assert not set(second) - set(first)
    found = [change + " all" * (change in second) for change in first]
    found += [f"hp -{lost}"] * (lost > 0) + [f"block {combat.block}"] * (combat.block > 0)
    energy = combat.energy + card.cost - 4
    found += [f"energy {energy}"] * (energy != 0) + [f"draw {drawing}"] * (drawing > 0)
    found += [f"you {change}" for change in told(combat.statuses)]
    for new, pile in dict.fromkeys(created):
        n = created.count((new, pile))
        found.append(f"{ {HAND: 'hand', DISCARD: 'discard'}[pile] } {f'{n} ' * (n > 1)}{new}")
    return found + ["exhaust"] * card.exhausts


def told(statuses):
    return [f"{name} {n}" for name, n in statuses]


def test_these_cards_are_known():
    assert sorted(CARDS) == sorted(PLAYED + listed(UNPLAYABLE))


@pytest.mark.parametrize("name", PLAYED)
def test_a_card_costs_and_does_what_the_table_says(name):
    cost, kind, does = ROWS[name.rstrip("+")]
    upgraded = name.endswith("+")

    assert (CARDS[name].cost, CARDS[name].kind) == (int(both(cost)[upgraded]), kind)
    assert sorted(changes(name)) == sorted(part for part in both(does)[upgraded].split(", ") if part != "-")


@pytest.mark.parametrize("name", listed(UNPLAYABLE))
def test_what_cannot_be_played_only_burns(name):
    card = CARDS[name]

    assert (card.cost, card.effects) == (None, ())
    assert card.kind in (STATUS, CURSE)
    assert card.last_damage == {"Burn": 2, "Burn+": 4, "Decay": 2}.get(name, 0)


def test_every_card_that_is_created_is_known():
    created = {effect.name for card in CARDS.values() for effect in card.effects if effect.op == OP_CREATE}

    assert created == {"Anger", "Anger+", "Burn", "Wound"}


def test_cards_that_exhaust_another_one():
    assert {"True Grit+", "Burning Pact", "Burning Pact+"} == PICKING
    assert (play("| Cultist 50", "True Grit").exhausting, play("| Cultist 50", "True Grit+").exhausting) == (1, 0)


def test_heavy_blade_counts_strength_several_times():
    assert after("Strength 2 | Cultist 50", "Heavy Blade") == at("energy 1, Strength 2 | Cultist 30")
    assert after("Strength 2 | Cultist 50", "Heavy Blade+") == at("energy 1, Strength 2 | Cultist 26")


def test_entrench_and_limit_break_double_what_there_is():
    assert after("block 7 | Cultist 50", "Entrench") == at("block 14, energy 1 | Cultist 50")
    assert after("Strength -2 | Cultist 50", "Limit Break") == at("energy 2, Strength -4 | Cultist 50")


def test_bash_looks_before_it_adds_its_own_vulnerable():
    assert after("| Cultist 50", "Bash") == at("energy 1 | Cultist 42, Vulnerable 2")
    assert after("| Cultist 50, Vulnerable 1", "Bash") == at("energy 1 | Cultist 38, Vulnerable 3")


def test_body_slam_hits_for_the_block_there_is():
    assert after("| Cultist 50", "Defend, Body Slam") == at("block 5, energy 1 | Cultist 45")


def test_iron_wave_blocks_before_it_hits():
    assert [effect.op for effect in CARDS["Iron Wave"].effects] == [OP_BLOCK, OP_HIT]


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
