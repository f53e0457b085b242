"""A card is a row: cards that nobody has printed, said with the vocabulary, play by the rules."""

import pytest

from evodom.dominion import cards as all_cards
from evodom.dominion.cards import ACTION, ATTACK, VICTORY, Card, VpPer
from evodom.dominion.engine.effects import (
    DECK,
    DECK_TOP,
    actions,
    cards,
    choose_action,
    discard_down_to,
    each_opponent,
    each_player,
    gain,
    play_chosen,
)
from evodom.dominion.engine.state import MAX_KNOWN, new_state, put_on_deck, take_from_deck
from evodom.dominion.kingdom import FIRST_GAME
from tests.dominion.helpers import after, asked, deck_size, discard, hand, turn

pytestmark = pytest.mark.uncompiled

ROWS = (
    Card("Silversmith", 4, ACTION, (gain("Silver", DECK_TOP), cards(1))),
    Card("Triple Stage", 7, ACTION, (choose_action(), play_chosen(3))),
    Card("Tax", 3, ACTION | ATTACK, (each_player(gain("Copper")),)),
    Card("Feast for All", 3, ACTION, (each_opponent(cards(1)), each_player(discard_down_to(4)), actions(1))),
    Card("Orchard", 4, ACTION | VICTORY, (actions(1),), vp=2, vp_per=VpPer(10, vp=3)),
)
KINGDOM = ("Moat", "Village", *(card.name for card in ROWS))


@pytest.fixture(autouse=True)
def rows(monkeypatch):
    for card in ROWS:
        monkeypatch.setitem(all_cards.CARDS, card.name, card)


def test_a_card_gained_onto_the_deck_is_the_next_one_drawn():
    game = after("P1: hand Silversmith; deck 5 Copper | P2: hand Copper", "Silversmith", kingdom=KINGDOM)

    assert hand(game) == "Silver"
    assert deck_size(game) == 5


def test_a_card_may_be_played_three_times():
    game = after("P1: hand Triple Stage, Village; deck 5 Moat", "Triple Stage", "Village", kingdom=KINGDOM)

    assert hand(game) == "3 Moat"
    assert turn(game)[0] == 6


def test_an_attack_on_each_player_spares_who_reveals_a_moat():
    game = after("P1: hand Tax | P2: hand Moat | P3: hand Moat", "Tax", "pass", "Moat", kingdom=KINGDOM)

    assert [discard(game, player) for player in (1, 2, 3)] == ["Copper", "Copper", ""]


def test_effects_on_several_players_follow_each_other_in_turn_order():
    position = "P1: hand Feast for All, 2 Estate, 2 Copper, Silver | P2: hand 2 Estate, 2 Copper; deck Gold"
    game = after(position, "Feast for All", kingdom=KINGDOM)

    assert asked(game) == (1, "Feast for All")
    game.enact("Estate")
    assert asked(game) == (2, "Feast for All")
    game.enact("Copper")
    assert (hand(game), hand(game, 2)) == ("2 Copper, Silver, Estate", "Copper, Gold, 2 Estate")
    assert turn(game)[0] == 1


def test_a_card_of_two_types_is_an_action_and_scores():
    game = after("P1: hand 2 Orchard; deck 18 Copper", "Orchard", kingdom=KINGDOM)

    assert turn(game)[0] == 1
    assert game.scores == (2 * 2 + 2 * 3 * 2,)


def test_beyond_the_room_for_known_cards_the_deepest_counts_as_unseen():
    state = new_state(FIRST_GAME.rules(1), 1)
    unseen = int(state.n_cards[DECK])
    for pile in [1, *[2] * MAX_KNOWN]:
        put_on_deck(state, 0, pile, 0)

    assert state.n_top[0] == MAX_KNOWN
    assert state.n_cards[DECK] == unseen + 1
    assert state.cards[DECK, 1] == 1
    assert {take_from_deck(state, 0) for _ in range(MAX_KNOWN)} == {2}
