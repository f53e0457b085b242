"""The order of things: the start of a fight, turns, playing cards, the end of a fight."""

from fractions import Fraction

import pytest

from tests.spire.engine.helpers import Table, started

pytestmark = pytest.mark.uncompiled


def quiet(**options):
    """Return a fight against an enemy that does nothing for two turns."""
    return Table("Gremlin Wizard 50, Charging", **options)


# The start of a fight.


def test_a_fight_starts_with_five_cards_and_three_energy():
    table = started(ascension=0)

    assert (table.now.n_cards[0], table.energy, table.now.turn, table.you) == (5, 3, 1, "hp 80")
    assert started(ascension=20).now.hp[0] == 68


@pytest.mark.parametrize(
    ("ascension", "hp", "max_hp", "banes"), [(0, 80, 80, 0), (6, 72, 80, 0), (10, 72, 80, 1), (14, 68, 75, 1)]
)
def test_an_ironclad_starts_by_the_ascension(ascension, hp, max_hp, banes):
    table = started(ascension=ascension)

    assert (table.now.hp[0], table.now.max_hp[0]) == (hp, max_hp)
    assert ("Ascender's Bane" in table.rules.deck and table.rules.deck["Ascender's Bane"]) == banes


def test_on_turn_1_relics_act_after_the_draw_and_later_before_it():
    table = started(deck={"Strike": 5}, relics=("Mark of Pain",))
    assert (table.hand, table.draw) == ("5 Strike", "2 Wound")

    # The Hourglass kills the Fungi Beast before the draw: Gremlin Horn's card comes on top of the five all the same.
    table = Table(
        "Fungi Beast 3 | Gremlin Wizard 50, Charging", draw="9 Strike", relics="Mercury Hourglass, Gremlin Horn"
    )
    assert (table.end().hand, table.energy) == ("6 Strike", 4)


def test_hp_of_enemies_are_rolled_evenly():
    table = started(("Jaw Worm",), deck={"Strike": 5})
    chances = table.game.starts().map(lambda state: int(table.game.view(state).hp[1]))

    assert dict(chances) == {hp: Fraction(1, 5) for hp in range(42, 47)}


# Later turns.


def test_block_and_energy_of_relics_at_the_start_of_a_turn_stay():
    table = Table("Gremlin Wizard 50, Charging", you="turn 1, block 9", relics="Horn Cleat, Happy Flower").end()

    assert table.block == 14


def test_brutality_draws_behind_the_hand_and_before_the_loss():
    table = quiet(draw="5 Strike", discard="Wound", you="Brutality 1, hp 1").end()

    assert table.over == "lost"


# Playing a card.


def test_a_card_is_in_no_pile_while_its_effects_run():
    table = Table(hand="Pommel Strike", discard="Defend").play("Pommel Strike")

    assert (table.hand, table.discard) == ("Defend", "Pommel Strike")


def test_effects_on_a_dead_target_do_nothing():
    table = Table("Cultist 8 | Cultist 50", hand="Bash").play("Bash", at=1)

    assert table.enemies == "Cultist 50"


def test_damage_of_a_card_is_fixed_before_its_own_effects_change_it():
    assert Table(hand="Uppercut").play("Uppercut").enemies == "Cultist 37, Vulnerable 1, Weak 1"


def test_an_unaffordable_card_cannot_be_played():
    assert not Table(hand="Bash", you="energy 1").can_play("Bash")
    assert Table(hand="Bash").moves == ["end", "Bash at enemy 1"]


def test_each_enemy_can_be_the_target():
    assert Table("Cultist 50 | Cultist 40", hand="Strike, Cleave").moves == [
        "end",
        "Strike at enemy 1",
        "Strike at enemy 2",
        "Cleave",
    ]


def test_kunai_counts_for_the_next_card_only():
    table = Table(hand="2 Anger, Iron Wave", relics="Kunai").play("Anger", "Anger", "Iron Wave")

    assert (table.block, table.has["Dexterity"]) == (5, 1)


# Piles.


def test_drawing_stops_at_ten_cards():
    table = Table(hand="Battle Trance, 9 Strike", draw="5 Defend").play("Battle Trance")

    assert (table.hand, table.draw) == ("Defend, 9 Strike", "4 Defend")


def test_a_pile_with_exactly_enough_is_not_refilled_yet():
    table = Table(hand="Shrug It Off", draw="Strike", discard="3 Defend", relics="The Abacus").play("Shrug It Off")

    assert (table.hand, table.draw, table.block) == ("Strike", "", 8)


def test_a_draw_takes_what_there_is_then_shuffles():
    table = Table(hand="Battle Trance", draw="Strike", discard="2 Defend").play("Battle Trance")

    assert table.hand == "2 Defend, Strike"


def test_every_hand_has_its_chance():
    table = quiet(draw="3 Strike, 3 Defend").chances("end", lambda after: after.hand)

    assert table == {"2 Defend, 3 Strike": Fraction(1, 2), "3 Defend, 2 Strike": Fraction(1, 2)}


# The end of a turn.


def test_orichalcum_looks_before_metallicize():
    assert quiet(relics="Orichalcum", you="Metallicize 3, Barricade 1").end().block == 9


def test_burn_meets_the_block_of_metallicize():
    assert quiet(hand="Burn", you="Metallicize 3").end().hp == 50


def test_combust_acts_after_burn():
    assert Table("Cultist 5", hand="Burn", you="hp 2, Combust 5, Combust cost 1").end().over == "lost"


def test_the_rest_of_the_hand_is_discarded():
    assert quiet(hand="2 Strike, Defend", draw="5 Bash").end().discard == "Defend, 2 Strike"


def test_dazed_with_dark_embrace_gives_six_cards_next_turn():
    assert quiet(hand="Dazed", draw="9 Strike", you="Dark Embrace 1").end().hand == "6 Strike"


def test_no_draw_ends_before_ethereal_cards_are_exhausted():
    assert quiet(hand="Dazed", draw="9 Strike", you="Dark Embrace 1, No Draw 1").end().hand == "6 Strike"


def test_burning_elites_metallicize_is_lost_when_the_enemies_turn_begins():
    table = Table("Gremlin Nob 85, Rush, Metallicize 4, block 4", you="Flame Barrier 4").end()

    assert table.enemies == "Gremlin Nob 81, block 4, Metallicize 4"


def test_weak_of_a_louse_affects_turns_two_and_three():
    table = Table("Green Louse 15, Spit Web, Bite 5", ascension=0).end()
    assert table.has["Weak"] == 2
    assert table.end().has["Weak"] in (1, 3)  # one less, or one more Spit Web


def test_entangled_is_cured_at_the_end_of_the_next_turn():
    table = Table("Red Slaver 48, Entangle", you="Strength 1").end()

    assert table.has["Entangled"] == 1
    assert table.end().has["Entangled"] == 0


# The end of a fight.


def test_queued_effects_are_dropped_at_the_end_but_for_heals_and_block():
    table = Table("Cultist 5", hand="Pommel Strike", draw="Defend", you="Rage 3", relics="Toy Ornithopter")
    table.play("Pommel Strike")

    assert (table.over, table.hand, table.block) == ("won", "", 3)


def test_headbutt_that_wins_asks_for_no_card():
    table = Table("Cultist 5", hand="Headbutt", discard="Strike, Defend").play("Headbutt")

    assert (table.over, table.moves) == ("won", [])


def test_a_double_tapped_attack_that_wins_is_over():
    assert Table("Cultist 5", hand="Strike", you="Double Tap 1").play("Strike").over == "won"


def test_a_state_that_is_over_has_nothing_left_to_do():
    table = Table("Cultist 5", hand="Pommel Strike", draw="Defend", you="Double Tap 1").play("Pommel Strike")

    assert (table.now.n_queue, table.now.n_waiting, table.now.choosing) == (0, 0, 0)
    assert not table.now.queue.any()


def test_running_out_of_cards_is_no_loss():
    assert quiet(hand="").end().over == ""


def test_a_fight_that_is_not_won_in_time_is_lost():
    table = started(("Gremlin Wizard",), max_turns=2).end(2)

    assert (table.over, table.game.returns(table.state)) == ("late", (0,))
