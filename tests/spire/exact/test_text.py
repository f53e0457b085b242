"""States, intents and plans in words."""

from evodom.spire.exact.fight import Over
from evodom.spire.exact.text import cards_of_fight, intent_to_text, plan_to_text, state_to_text
from tests.spire.exact.helpers import at, decision, fight, in_words


def test_a_state_is_told_in_four_lines():
    game = fight("Cultist 53")
    state = decision(
        game,
        "block 5, Weak 1 | Cultist 40, Dark Strike 1, Ritual 5, Vulnerable 2",
        "2 Strike, Bash",
        draw="Defend",
        hp=60,
    )

    assert state_to_text(game, state).splitlines() == [
        "You 60/75 HP, energy 3, block 5, Weak 1",
        "Cultist 40 HP, intends Dark Strike (6), Ritual 5, Vulnerable 2",
        "Hand: Bash, 2 Strike",
        "Draw pile: Defend; discard pile: none",
    ]


def test_the_end_is_told():
    game = fight("Cultist 53")

    assert state_to_text(game, Over(12)) == "The fight is over: 12 HP left."
    assert state_to_text(game, Over(0)) == "The fight is over: you are dead."


def test_an_intent_tells_the_damage_it_would_do_now():
    game = fight("Cultist")

    assert (
        intent_to_text(game, at("Vulnerable 1 | Cultist 40, Dark Strike 1, Strength 5, Weak 1"), 0)
        == "Dark Strike (12)"
    )
    assert intent_to_text(game, at("| Cultist 40, Incantation 0"), 0) == "Incantation"
    assert intent_to_text(game, at("| Red Louse 12, Bite 1"), 0) == "Bite (0)"


def test_the_roll_of_a_louse_is_not_told_as_a_status():
    game = fight("Red Louse 12", "Strike")
    first = next(state for state, _ in game.starts())

    assert "Bite 6" not in state_to_text(game, first)
    assert "Curl Up" in state_to_text(game, first)


def test_cards_stand_in_the_order_in_which_they_are_played():
    game = fight("Cultist 50", "2 Defend, Body Slam, Strike")
    state = decision(game, "| Cultist 50, Dark Strike 1", "2 Defend, Body Slam")

    texts = {plan_to_text(state.combat, plan) for plan in game.actions(state)}

    assert "2 Defend, Body Slam" in texts


def test_cards_of_a_fight_are_read_from_their_beginnings():
    game = fight("Cultist 50")

    assert in_words(game, cards_of_fight(game, "3 s, d")) == "3 Strike, Defend"
