"""The Supply, the starting decks and the opening hands for 1 to 6 players."""

import re
from collections import Counter

import pytest

from evodom.dominion.cards import FIRST_EDITION, KINGDOM, KINGDOM_SIZE, find_card, is_dropped
from evodom.dominion.engine.ops import Zone
from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import FIRST_GAME, KINGDOMS, Kingdom, draw_cards
from evodom.dominion.position import parse_position
from evodom.errors import UsageError
from tests.dominion.helpers import PILE_NAMES, asked, fits, supply

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
    game = DominionGame(n_players=n_players)

    assert tuple(supply(game, name) for name in PILES) == SIZES[n_players]


@pytest.mark.parametrize("n_players", range(1, 7))
def test_kingdom_piles_have_ten_cards(n_players):
    game = DominionGame(n_players=n_players)

    assert {supply(game, name) for name in FIRST_GAME.cards} == {10}


@pytest.mark.parametrize("n_players", range(1, 7))
def test_each_player_starts_with_seven_coppers_and_three_estates(n_players):
    game = DominionGame(n_players=n_players, seed=9)

    for seat in range(n_players):
        assert game.owned(seat) == {"Copper": 7, "Estate": 3}
        assert game.cards(Zone.HAND + seat) + game.cards(Zone.DECK + seat) == game.owned(seat)
        assert game.cards(Zone.HAND + seat).total() == 5
    assert asked(game)[0] == 1


def test_players_who_do_not_play_own_nothing():
    game = DominionGame(n_players=2)

    assert not game.state.owned[2:].any()
    assert not game.state.turns[1:].any()


@pytest.mark.parametrize(("n_players", "size"), [(1, 12), (2, 8), (3, 12), (4, 12), (5, 12), (6, 12)])
def test_gardens_are_a_victory_pile_and_as_large_as_the_others(n_players, size):
    game = DominionGame(Kingdom(("Gardens", "Moat")), n_players)

    assert (supply(game, "Gardens"), supply(game, "Moat")) == (size, 10)


@pytest.mark.parametrize(("n_players", "n_piles"), [(2, 3), (3, 3), (4, 3), (5, 4), (6, 4)])
def test_empty_piles_end_the_game_three_or_with_more_than_four_players_four(n_players, n_piles):
    assert FIRST_GAME.rules(n_players).piles_to_end == n_piles


@pytest.mark.parametrize("name", KINGDOMS)
def test_a_recommended_kingdom_has_ten_cards_of_its_edition(name):
    dropped = any(is_dropped(find_card(card)) for card in KINGDOMS[name])

    assert len(set(KINGDOMS[name])) == KINGDOM_SIZE
    assert len(Kingdom(KINGDOMS[name]).piles) == N_MODEL_PILES
    assert not dropped or name.endswith(FIRST_EDITION)


@pytest.mark.parametrize("name", KINGDOMS)
@pytest.mark.parametrize("n_players", range(2, 7))
def test_a_recommended_kingdom_is_set_up_for_any_number_of_players(name, n_players):
    game = DominionGame(Kingdom(KINGDOMS[name]), n_players, log=False)

    assert [supply(game, card) for card in PILES] == list(SIZES[n_players])
    assert {supply(game, card) for card in KINGDOMS[name]} <= {10, SIZES[n_players][3]}
    assert game.decision is not None


def test_all_cards_of_both_editions_are_in_some_recommended_kingdom():
    second = {card for name in KINGDOMS if not name.endswith(FIRST_EDITION) for card in KINGDOMS[name]}

    assert second == {card.name for card in KINGDOM if not is_dropped(card)}
    assert len(second) == 26
    assert {card for cards in KINGDOMS.values() for card in cards} == {card.name for card in KINGDOM}


def test_a_kingdom_drawn_has_ten_different_cards_all_alike_probable():
    n_draws = 400
    drawn = Counter()
    for seed in range(n_draws):
        names = {card.name for card in draw_cards([], seed=seed)}
        assert len(names) == KINGDOM_SIZE
        drawn.update(names)

    second = [card.name for card in KINGDOM if not is_dropped(card)]
    assert fits(drawn, dict.fromkeys(second, 1 / len(second)))


def test_the_first_edition_is_drawn_from_only_where_it_is_wanted():
    drawn = {card.name for seed in range(60) for card in draw_cards([], seed=seed, first_edition=True)}

    assert drawn == {card.name for card in KINGDOM}


def test_a_draw_makes_ten_of_the_cards_given_and_is_the_same_for_the_same_seed():
    given = [find_card("Moat"), find_card("Spy")]
    drawn = draw_cards(given, seed=3)

    assert len(drawn) == 8
    assert not set(given) & set(drawn)
    assert drawn == draw_cards(given, seed=3) != draw_cards(given, seed=4)


def test_first_game_is_the_recommended_set():
    assert set(Kingdom(KINGDOMS["First Game"]).cards) == {
        "Cellar", "Market", "Merchant", "Militia", "Mine", "Moat", "Remodel", "Smithy", "Village", "Workshop",
    }  # fmt: skip


def test_piles_stand_basic_ones_first_then_by_cost_and_name():
    assert PILE_NAMES == [
        "Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse",
        "Cellar", "Moat", "Merchant", "Village", "Workshop", "Militia", "Remodel", "Smithy", "Market", "Mine",
    ]  # fmt: skip


def test_a_smaller_kingdom_has_only_its_own_piles():
    game = DominionGame(Kingdom(("Moat", "Militia")), 2)

    assert [card.name for card in game.piles] == [*PILES, "Moat", "Militia"]
    assert game.state.cards[Zone.SUPPLY, 9:].sum() == 0


def test_openings_differ_between_players_and_seeds():
    hands = Counter(
        DominionGame(n_players=2, seed=seed, log=False).cards(Zone.HAND + 1)["Copper"] for seed in range(60)
    )

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
        ({"kingdom": ("Vilage",)}, "no card named 'Vilage'. Did you mean Village"),
        ({"kingdom": ("Copper",)}, "Copper is in every Supply."),
        ({"kingdom": ("Moat", "moat")}, "Moat stands twice in the kingdom."),
    ],
)
def test_a_game_that_cannot_be_set_up_is_refused_in_one_line(setup, message):
    with pytest.raises(UsageError, match=re.escape(message)):
        DominionGame(Kingdom(setup.pop("kingdom", ())), **setup)
