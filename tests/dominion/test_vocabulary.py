"""A card is a row: cards that no kingdom has yet, said with the vocabulary, play by the rules."""

import pytest

from evodom.dominion import cards as all_cards
from evodom.dominion.cards import ACTION, ATTACK, Card
from evodom.dominion.effects import DECK_TOP, actions, buys, cards, coins, each_opponent, gain, trash_from_hand
from evodom.dominion.rules import make_rules
from evodom.dominion.state import MAX_KNOWN, new_state, put_on_deck, take_from_deck
from tests.dominion.helpers import after, answers, deck_size, discard, hand, supply

pytestmark = pytest.mark.uncompiled

ROWS = (
    Card("Chapel", 2, ACTION, (trash_from_hand(n=4, optional=True),)),
    Card("Council Room", 5, ACTION, (cards(4), buys(1), each_opponent(cards(1)))),
    Card("Festival", 5, ACTION, (actions(2), buys(1), coins(2))),
    Card("Silversmith", 4, ACTION, (gain("Silver", DECK_TOP), cards(1))),
    Card("Witch", 5, ACTION | ATTACK, (cards(2), each_opponent(gain("Curse")))),
)
KINGDOM = ("Moat", *(card.name for card in ROWS))


@pytest.fixture(autouse=True)
def rows(monkeypatch):
    for card in ROWS:
        monkeypatch.setitem(all_cards.CARDS, card.name, card)


def test_each_opponent_gains_a_curse_in_turn_order_until_the_pile_is_empty():
    game = after(
        "P1: hand Witch; deck 2 Copper | P2: hand Copper | P3: hand Copper | supply: 1 Curse", "Witch", kingdom=KINGDOM
    )

    assert (hand(game), discard(game, 2), discard(game, 3)) == ("2 Copper", "Curse", "")
    assert supply(game, "Curse") == 0


def test_a_revealed_moat_keeps_the_curse_away():
    game = after("P1: hand Witch | P2: hand Moat | P3: hand Copper", "Witch", "Moat", kingdom=KINGDOM)

    assert (discard(game, 2), discard(game, 3)) == ("", "Curse")


def test_no_moat_is_asked_against_a_card_that_is_no_attack_and_an_old_reveal_does_not_spare_anybody():
    game = after(
        "P1: hand Witch, Council Room; turns 1 | P2: hand Moat; deck Gold | turn: P1, 2 actions",
        "Witch",
        "Moat",
        "Council Room",
        kingdom=KINGDOM,
    )

    assert hand(game, 2) == "Gold, Moat"


def test_up_to_four_cards_are_chosen_one_by_one_and_passing_ends_it():
    game = after("P1: hand Chapel, 5 Copper | P2: hand Copper", *["Chapel"], *["Copper"] * 3, kingdom=KINGDOM)
    assert "pass" in answers(game)

    game.enact("Copper")

    assert hand(game) == "Copper"
    assert game.view(0).trash == {"Copper": 4}


def test_a_card_gained_onto_the_deck_is_the_next_one_drawn():
    game = after("P1: hand Silversmith; deck 5 Copper | P2: hand Copper", "Silversmith", kingdom=KINGDOM)

    assert hand(game) == "Silver"
    assert deck_size(game) == 5


def test_a_card_that_only_gives_adds_actions_buys_and_coins():
    view = after("P1: hand Festival, Festival | P2: hand Copper", "Festival", kingdom=KINGDOM).view(0)

    assert (view.actions, view.buys, view.coins) == (2, 2, 2)


def test_beyond_the_room_for_known_cards_the_deepest_counts_as_unseen():
    state = new_state(make_rules(n_seats=1), 1)
    unseen = int(state.n_cards[6])
    for pile in [1, *[2] * MAX_KNOWN]:
        put_on_deck(state, 0, pile)

    assert state.n_top[0] == MAX_KNOWN
    assert state.n_cards[6] == unseen + 1
    assert state.cards[6, 1] == 1
    assert {take_from_deck(state, 0) for _ in range(MAX_KNOWN)} == {2}
