"""The Supply, the starting decks and the opening hands for 1 to 6 players."""

import re
from collections import Counter

import pytest

from evodom.dominion.effects import DECK, HAND, SUPPLY
from evodom.dominion.game import Game
from evodom.dominion.kingdoms import FIRST_GAME, KINGDOMS
from evodom.dominion.position import parse_position
from evodom.errors import UsageError
from tests.dominion.helpers import PILE_NAMES, asked, supply

pytestmark = pytest.mark.uncompiled

PILES = ("Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse")
SIZES = {
    2: (46, 40, 30, 8, 8, 8, 10),
    3: (39, 40, 30, 12, 12, 12, 20),
    4: (32, 40, 30, 12, 12, 12, 30),
    5: (85, 80, 60, 12, 12, 15, 40),
    6: (78, 80, 60, 12, 12, 18, 50),
}


@pytest.mark.parametrize("n_players", SIZES)
def test_basic_piles_have_the_sizes_of_the_rulebook(n_players):
    game = Game(n_players=n_players)

    assert tuple(supply(game, name) for name in PILES) == SIZES[n_players]


@pytest.mark.parametrize("n_players", range(1, 7))
def test_kingdom_piles_have_ten_cards(n_players):
    game = Game(n_players=n_players)

    assert {supply(game, name) for name in FIRST_GAME} == {10}


@pytest.mark.parametrize("n_players", range(1, 7))
def test_each_player_starts_with_seven_coppers_and_three_estates(n_players):
    game = Game(n_players=n_players, seed=9)

    for seat in range(n_players):
        assert game.owned(seat) == {"Copper": 7, "Estate": 3}
        assert game.cards(HAND + seat) + game.cards(DECK + seat) == game.owned(seat)
        assert game.cards(HAND + seat).total() == 5
    assert asked(game)[0] == 1


def test_players_who_do_not_play_own_nothing():
    game = Game(n_players=2)

    assert not game.state.owned[2:].any()
    assert not game.state.turns[1:].any()


def test_first_game_is_the_recommended_set():
    assert set(KINGDOMS["First Game"]) == {
        "Cellar", "Market", "Merchant", "Militia", "Mine", "Moat", "Remodel", "Smithy", "Village", "Workshop",
    }  # fmt: skip


def test_piles_stand_basic_ones_first_then_by_cost_and_name():
    assert PILE_NAMES == [
        "Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse",
        "Cellar", "Moat", "Merchant", "Village", "Workshop", "Militia", "Remodel", "Smithy", "Market", "Mine",
    ]  # fmt: skip


def test_a_smaller_kingdom_has_only_its_own_piles():
    game = Game(("Moat", "Militia"), 2)

    assert [card.name for card in game.piles] == [*PILES, "Moat", "Militia"]
    assert game.state.cards[SUPPLY, 9:].sum() == 0


def test_openings_differ_between_players_and_seeds():
    hands = Counter(Game(n_players=2, seed=seed, log=False).cards(HAND + 1)["Copper"] for seed in range(60))

    assert set(hands) == {2, 3, 4, 5}


@pytest.mark.parametrize("n_players", [-1, 7])
def test_other_numbers_of_players_are_refused(n_players):
    with pytest.raises(UsageError, match="Allowed: 1 to 6"):
        parse_position("P1: hand Copper", n_players=n_players)


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        ({"n_players": 7}, "7 players cannot play. Allowed: 1 to 6."),
        ({"n_players": 0}, "0 players cannot play."),
        ({"seed": -1}, "seed is -1."),
        ({"seed": 2**64}, "Allowed: 0 to 2"),
        ({"kingdom": ["Vilage"]}, "no card named 'Vilage'. Did you mean Village"),
        ({"kingdom": ["Copper"]}, "Copper is in every Supply."),
        ({"kingdom": ["Moat", "moat"]}, "Moat stands twice in the kingdom."),
    ],
)
def test_a_game_that_cannot_be_set_up_is_refused_in_one_line(setup, message):
    with pytest.raises(UsageError, match=re.escape(message)):
        Game(**setup)
