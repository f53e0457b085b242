"""Turns told to a person."""

import pytest

from evodom.play import log

from .helpers import match_from

pytestmark = pytest.mark.uncompiled

MINE = "P1: hand 5 Estate; deck 3 Copper, 3 Gold"


def told(match, index, tell=log.line):
    return tell(log.turns(match.game.events)[index], match.setup.names, match.seat)


def after_passing(position, *opponents):
    match = match_from(position, *opponents)
    match.choose("pass")
    match.play_on()
    return match


def test_a_turn_of_another_player_is_one_line():
    match = after_passing(f"{MINE} | P2: hand 3 Gold, 2 Estate; deck 20 Copper")
    assert told(match, 1) == "big-money: $9; buys Province"


def test_a_finished_turn_without_a_purchase_says_so():
    match = after_passing(f"{MINE} | P2: hand 5 Estate; deck 20 Copper")
    assert told(match, 0) == "You: $0; buy nothing"
    assert told(match, 1) == "big-money: $0; buys nothing"


def test_the_cards_another_player_draws_are_only_counted():
    match = after_passing(f"{MINE} | P2: hand Smithy, 3 Gold, Estate; deck 20 Duchy")
    assert told(match, 1, log.story) == "big-money: plays Smithy; draws 3 cards; plays Gold x3; $9; buys Province"


@pytest.mark.parametrize("tell", [log.line, log.story])
def test_the_cards_another_player_discards_in_clean_up_are_not_told(tell):
    match = after_passing(f"{MINE} | P2: hand 3 Duchy, 2 Estate; deck 20 Gold")
    assert "Duchy" not in told(match, 1, tell)
    assert "Gold" not in told(match, 1, tell)


def test_a_discard_forced_on_the_person_is_told():
    match = after_passing(f"{MINE} | P2: hand Militia, 4 Copper; deck 20 Copper")
    assert match.decision is not None
    match.choose("Gold")
    match.choose("Gold")
    match.play_on()
    assert told(match, 1) == "big-money: Militia; $6; buys Gold; you discard Gold x2"


def test_a_reaction_is_told():
    match = after_passing(
        f"{MINE} | P2: hand Militia, 4 Copper; deck 9 Copper | P3: hand Moat, 4 Copper; deck 9 Copper"
    )
    while match.decision and match.decision.title == "Militia":
        match.choose(match.decision.consequences[0].name)
    match.play_on()
    assert "big-money #2 reveals Moat" in told(match, 1)


def test_the_persons_own_draws_are_told_while_the_turn_lasts():
    match = match_from("P1: hand Smithy; deck 3 Gold | P2: hand 5 Copper")
    match.choose("Smithy")
    match.play_on()
    assert told(match, 0, log.story) == "You: play Smithy; draw Gold x3; play Gold x3; $9"


def test_a_trade_is_told_in_order():
    match = match_from("P1: hand Remodel, Gold, Estate | P2: hand 5 Copper")
    for choice in ("Remodel", "Gold", "Province"):
        match.choose(choice)
    match.play_on()
    assert told(match, 0) == "You: Remodel; trash Gold; gain Province; $0"
