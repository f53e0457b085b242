"""The order of things: the start of a fight, turns, playing cards, the end of a fight."""

from fractions import Fraction

import pytest

from tests.spire.engine.helpers import Table, follow, scenarios, started

pytestmark = pytest.mark.uncompiled

SCENARIOS = """
block and energy of relics at the start of a turn stay
    enemies=Gremlin Wizard 50, Charging; you=turn 1, block 9; relics=Horn Cleat, Happy Flower; end; block == 14
brutality draws behind the hand and before the loss
    quiet; draw=5 Strike; discard=Wound; you=Brutality 1, hp 1; end; over == lost
a card is in no pile while its effects run
    hand=Pommel Strike; discard=Defend; play Pommel Strike; hand == Defend; discard == Pommel Strike
effects on a dead target do nothing
    enemies=Cultist 8 | Cultist 50; hand=Bash; play Bash at 1; enemies == Cultist 50
damage of a card is fixed before its own effects change it
    hand=Uppercut; play Uppercut; enemies == Cultist 37, Vulnerable 1, Weak 1
an unaffordable card cannot be played
    hand=Bash; you=energy 1; cannot play Bash
    hand=Bash; moves == end, Bash at enemy 1
each enemy can be the target
    enemies=Cultist 50 | Cultist 40; hand=Strike, Cleave; moves == end, Strike at enemy 1, Strike at enemy 2, Cleave
kunai counts for the next card only
    hand=2 Anger, Iron Wave; relics=Kunai; play Anger, Anger, Iron Wave; block == 5; has Dexterity == 1
drawing stops at ten cards
    hand=Battle Trance, 9 Strike; draw=5 Defend; play Battle Trance; hand == Defend, 9 Strike; draw == 4 Defend
a pile with exactly enough is not refilled yet
    hand=Shrug It Off; draw=Strike; discard=3 Defend; relics=The Abacus; play Shrug It Off; hand == Strike; draw == ;
        block == 8
a draw takes what there is then shuffles
    hand=Battle Trance; draw=Strike; discard=2 Defend; play Battle Trance; hand == 2 Defend, Strike
orichalcum looks before metallicize
    quiet; relics=Orichalcum; you=Metallicize 3, Barricade 1; end; block == 9
burn meets the block of metallicize
    quiet; hand=Burn; you=Metallicize 3; end; hp == 50
combust acts after burn
    enemies=Cultist 5; hand=Burn; you=hp 2, Combust 5, Combust cost 1; end; over == lost
the rest of the hand is discarded
    quiet; hand=2 Strike, Defend; draw=5 Bash; end; discard == Defend, 2 Strike
dazed with dark embrace gives six cards next turn
    quiet; hand=Dazed; draw=9 Strike; you=Dark Embrace 1; end; hand == 6 Strike
no draw ends before ethereal cards are exhausted
    quiet; hand=Dazed; draw=9 Strike; you=Dark Embrace 1, No Draw 1; end; hand == 6 Strike
burning elites metallicize is lost when the enemies turn begins
    enemies=Gremlin Nob 85, Rush, Metallicize 4, block 4; you=Flame Barrier 4; end;
        enemies == Gremlin Nob 81, block 4, Metallicize 4
entangled is cured at the end of the next turn
    enemies=Red Slaver 48, Entangle; you=Strength 1; end; has Entangled == 1; end; has Entangled == 0
queued effects are dropped at the end but for heals and block
    enemies=Cultist 5; hand=Pommel Strike; draw=Defend; you=Rage 3; relics=Toy Ornithopter; play Pommel Strike;
        over == won; hand == ; block == 3
headbutt that wins asks for no card
    enemies=Cultist 5; hand=Headbutt; discard=Strike, Defend; play Headbutt; over == won; moves ==
a double tapped attack that wins is over
    enemies=Cultist 5; hand=Strike; you=Double Tap 1; play Strike; over == won
running out of cards is no loss
    quiet; end; over ==
"""


@pytest.mark.parametrize(("title", "steps"), scenarios(SCENARIOS))
def test_scenario(title, steps):
    follow(steps)


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


# Playing a card.


# Piles.


def test_every_hand_has_its_chance():
    table = quiet(draw="3 Strike, 3 Defend").chances("end", lambda after: after.hand)

    assert table == {"2 Defend, 3 Strike": Fraction(1, 2), "3 Defend, 2 Strike": Fraction(1, 2)}


# The end of a turn.


def test_weak_of_a_louse_affects_turns_two_and_three():
    table = Table("Green Louse 15, Spit Web, Bite 5", ascension=0).end()
    assert table.has["Weak"] == 2
    assert table.end().has["Weak"] in (1, 3)  # one less, or one more Spit Web


# The end of a fight.


def test_a_state_that_is_over_has_nothing_left_to_do():
    table = Table("Cultist 5", hand="Pommel Strike", draw="Defend", you="Double Tap 1").play("Pommel Strike")

    assert (table.now.n_queue, table.now.n_autoplays, table.now.choosing) == (0, 0, 0)
    assert not table.now.queue.any()


def test_a_fight_that_is_not_won_in_time_is_lost():
    table = started(("Gremlin Wizard",), max_turns=2).end(2)

    assert (table.over, table.game.returns(table.state)) == ("late", (0,))
