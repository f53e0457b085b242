"""Statuses and curses: what they do in hand, when they are drawn and at the end of a turn."""

import pytest

from evodom.spire.rows.cards import CARDS
from tests.spire.engine.helpers import Table, started

pytestmark = pytest.mark.uncompiled

UNPLAYABLE = ["Burn", "Burn+", "Dazed", "Void", "Wound"] + [
    name for name, card in CARDS.items() if card.kind == "Curse"
]


def quiet(**options):
    """Return a fight against an enemy that does nothing for two turns."""
    return Table("Gremlin Wizard 50, Charging", **options)


@pytest.mark.parametrize("name", UNPLAYABLE)
def test_statuses_and_curses_cannot_be_played(name):
    assert not Table(hand=name).can_play(name)


def test_slimed_can_and_is_no_skill():
    table = Table("Gremlin Nob 80, Enrage 3", hand="Slimed, Defend", you="Corruption 1").play("Slimed")

    assert (table.enemies, table.exhaust, table.energy) == ("Gremlin Nob 80, Enrage 3", "Slimed", 2)


@pytest.mark.parametrize(
    ("hand", "hp", "left"),
    [
        ("Burn", 48, "Burn"),
        ("Burn+", 46, "Burn+"),
        ("2 Decay", 46, "2 Decay"),
        ("Regret, 3 Wound", 46, "Regret, 3 Wound"),
        ("2 Regret", 46, "2 Regret"),
        ("Regret, Burn", 46, "Burn, Regret"),
        ("Injury, Parasite, Wound, Curse of the Bell, Normality, Pain, Writhe", 50, None),
    ],
)
def test_what_cards_in_hand_cost_at_the_end_of_the_turn(hand, hp, left):
    table = quiet(hand=hand, draw="9 Defend").end()

    assert table.hp == hp
    assert left is None or table.discard == left


def test_burn_can_be_blocked_and_regret_cannot():
    assert quiet(hand="Burn", you="block 9").end().hp == 50
    assert quiet(hand="Regret", you="block 9").end().hp == 49


def test_burn_is_discarded_and_not_exhausted():
    assert quiet(hand="Burn", you="Feel No Pain 3, Barricade 1", draw="9 Defend").end().you == (
        "hp 48, Barricade 1, Feel No Pain 3"
    )


def test_doubt_and_shame_do_not_fade_in_the_round_they_come():
    table = quiet(hand="Doubt, Shame", draw="9 Defend").end()

    assert table.you == "hp 50, Weak 1, Frail 1"
    assert table.end().you == "hp 50"


def test_ethereal_cards_are_exhausted_at_the_end_of_the_turn():
    table = quiet(hand="Dazed, Void, Ascender's Bane, Clumsy, Carnage, Ghostly Armor, Strike", draw="9 Defend").end()

    assert table.exhaust == "Ascender's Bane, Carnage, Clumsy, Dazed, Ghostly Armor, Void"
    assert table.discard == "Strike"


def test_a_card_drawn_for_an_ethereal_one_stays_in_hand():
    table = quiet(hand="Dazed, Strike", draw="9 Defend", you="Dark Embrace 1").end()

    assert (table.hand, table.discard) == ("6 Defend", "Strike")


def test_void_takes_energy_when_it_is_drawn_and_never_below_nothing():
    assert Table(hand="Battle Trance", draw="Void, 2 Strike").play("Battle Trance").energy == 2
    assert Table(hand="Battle Trance", draw="3 Void", you="energy 1").play("Battle Trance").energy == 0


def test_normality_allows_three_cards():
    table = Table(hand="Normality, 4 Anger").play("Anger", "Anger", "Anger")

    assert table.moves == ["end"]


def test_normality_drawn_later_counts_earlier_cards():
    table = Table(hand="2 Anger, Battle Trance, Strike", draw="3 Normality").play("Anger", "Anger", "Battle Trance")

    assert table.moves == ["end"]


def test_pain_costs_hp_for_every_other_card_before_its_effects():
    table = Table(hand="2 Pain, Strike, Defend").play("Strike", "Defend")
    assert table.hp == 46
    assert Table("Cultist 6", hand="Pain, Strike", you="hp 1").play("Strike").over == "lost"


def test_pain_draws_with_a_puzzle_before_the_card_does():
    table = Table(hand="Pain, Shrug It Off", draw="3 Strike", discard="9 Defend", relics="Centennial Puzzle")

    assert table.play("Shrug It Off").hand == "Defend, Pain, 3 Strike"


def test_writhe_is_innate():
    for seed in range(5):
        assert "Writhe" in started(deck={"Strike": 20, "Writhe": 1}, seed=seed).hand


def test_more_than_five_innate_cards_are_all_drawn():
    assert started(deck={"Strike": 20, "Writhe": 7}).hand == "7 Writhe"


def test_curses_and_statuses_cannot_be_upgraded():
    assert Table(hand="Armaments+, Burn, Injury").play("Armaments+").hand == "Burn, Injury"
