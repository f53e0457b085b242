"""Kingdoms: what a text means, what chance draws, what is refused; their Supply, starting decks and hands."""

import re
import subprocess
import sys
from collections import Counter

import pytest

from evodom.dominion.cards import CARDS, FIRST_EDITION, KINGDOM, KINGDOM_SIZE, find_card, is_dropped
from evodom.dominion.engine.ops import Zone
from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import (
    CUSTOM,
    FIRST_GAME,
    KINGDOMS,
    Kingdom,
    draw_cards,
    kingdoms_with,
    named_card,
    parse_kingdom,
    slug,
)
from evodom.dominion.strategies.baselines import fitting_baselines, missing_cards
from evodom.errors import UsageError
from tests.dominion.helpers import PILE_NAMES, asked, fits, supply

pytestmark = pytest.mark.uncompiled


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("First Game", "First Game"),
        ("first game", "First Game"),
        ("first-game", "First Game"),
        ("silver and gold", "Silver & Gold"),
        ("Silver  &  Gold", "Silver & Gold"),
        ("size distortion", "Size Distortion"),
        ("Size Distortion (1st edition)", "Size Distortion (1st edition)"),
        ("size-distortion-1st-edition", "Size Distortion (1st edition)"),
        ("big money", "Big Money (1st edition)"),
    ],
)
def test_a_kingdom_is_found_by_its_name_however_it_is_typed(text, name):
    found = parse_kingdom(text)

    assert (found.name, found.cards, found.drawn) == (name, KINGDOMS[name], ())


def test_every_kingdom_is_found_by_what_is_typed_without_quotes():
    assert [parse_kingdom(slug(name)).name for name in KINGDOMS] == list(KINGDOMS)
    assert all(re.fullmatch(r"[a-z0-9-]+", slug(name)) for name in (*KINGDOMS, *CARDS))


def test_ten_cards_that_have_a_name_get_it():
    assert parse_kingdom(", ".join(reversed(FIRST_GAME.cards))).name == "First Game"


def test_the_same_seed_draws_the_same_kingdom_for_ever():
    expected = (
        "Council Room", "Gardens", "Militia", "Moat", "Poacher", "Remodel", "Throne Room", "Vassal", "Village",
        "Workshop",
    )  # fmt: skip

    found = parse_kingdom("random", seed=1)

    assert (found.name, found.cards, found.drawn) == (CUSTOM, expected, expected)
    assert parse_kingdom("Random", seed=2).cards != expected


def test_cards_that_are_given_are_kept_and_the_rest_is_drawn():
    found = parse_kingdom("chapel, throne-room, WITCH", seed=4)

    assert {"Chapel", "Throne Room", "Witch"} == set(found.cards) - set(found.drawn)
    assert len(set(found.cards)) == 10
    assert parse_kingdom("chapel,throne-room,witch, random", seed=4) == found


@pytest.mark.parametrize("first_edition", [False, True])
def test_cards_of_the_first_edition_are_drawn_only_if_asked_for(first_edition):
    drawn = {
        card for seed in range(60) for card in parse_kingdom("random", seed=seed, first_edition=first_edition).cards
    }

    assert drawn == {card.name for card in KINGDOM if first_edition or not is_dropped(card)}


def test_cards_of_the_first_edition_may_be_given():
    assert "Feast" in parse_kingdom("Feast").cards


def test_any_kingdom_drawn_can_be_played():
    for seed in range(40):
        parse_kingdom("random", seed=seed, first_edition=True).rules(2 + seed % 5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Frist Game", "no kingdom and no card named 'Frist Game'. Did you mean First Game?"),
        ("Bug Money", "Did you mean Big Money (1st edition)?"),
        ("Vilage", "no kingdom and no card named 'Vilage'. Did you mean Village?"),
        ("xyz", "All are listed by: evodom kingdoms, and evodom cards"),
        ("Moat, Vilage", "no card named 'Vilage'. Did you mean Village?"),
        ("Chapel, Moat, chapel", "Chapel stands twice in the kingdom. Allowed: ten different cards."),
        ("Copper, Moat", "Copper is in every Supply. Allowed in a kingdom: kingdom cards."),
        ("copper", "Copper is in every Supply."),
        (", ".join(card.name for card in KINGDOM[:11]), "the kingdom has 11 cards. Allowed: up to 10."),
        ("", "the kingdom is empty. Allowed: a name, random, or cards with commas between them."),
        (" , ", "the kingdom is empty."),
        ("a\nb\x1b[2J", "named 'a b [2J'"),
        ("x" * 5000, f"named '{'x' * 60}'."),
    ],
)
def test_what_is_no_kingdom_is_refused_in_one_line(text, message):
    with pytest.raises(UsageError, match=re.escape(message)) as refused:
        parse_kingdom(text)

    assert "\n" not in str(refused.value)


def test_a_card_is_found_in_any_case_and_with_hyphens():
    assert named_card(" throne-ROOM ").name == "Throne Room"


def test_the_editions_have_the_cards_that_were_printed_in_them():
    both = {card.name: card.editions for card in KINGDOM}

    assert sum(1 in found for found in both.values()) == 25
    assert sum(2 in found for found in both.values()) == 26
    assert (both["Feast"], both["Moat"], both["Sentry"]) == ((1,), (1, 2), (2,))
    for name, cards in KINGDOMS.items():
        edition = 1 if name.endswith("(1st edition)") else 2
        assert all(edition in both[card] for card in cards), name


def test_a_card_knows_its_kingdoms():
    assert kingdoms_with(CARDS["Sentry"]) == ["Size Distortion", "Deck Top"]
    assert kingdoms_with(CARDS["Copper"]) == list(KINGDOMS)


def test_baselines_fit_where_no_card_is_missing():
    first_game, deck_top = fitting_baselines(FIRST_GAME), fitting_baselines(Kingdom(KINGDOMS["Deck Top"]))
    assert {"random", "big-money", "big-money-smithy", "big-money-militia"} <= set(first_game)
    assert "big-money-laboratory" in deck_top
    assert not {"big-money-smithy", "big-money-militia"} & set(deck_top)
    assert missing_cards("big-money-smithy", Kingdom(KINGDOMS["Deck Top"])) == ["Smithy"]


def test_kingdoms_and_cards_are_told_without_numpy():
    code = (
        "import sys\n"
        "from evodom.dominion.kingdom import parse_kingdom\n"
        "parse_kingdom('deck top')\n"
        "assert not {'numpy', 'numba'} & set(sys.modules)"
    )

    subprocess.run([sys.executable, "-c", code], check=True)


# The Supply, the starting decks and the opening hands.

PILES = ("Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse")
SIZES = {
    2: (46, 40, 30, 8, 8, 8, 10),
    3: (39, 40, 30, 12, 12, 12, 20),
    4: (32, 40, 30, 12, 12, 12, 30),
    5: (85, 80, 60, 12, 12, 15, 40),
    6: (78, 80, 60, 12, 12, 18, 50),
}


@pytest.mark.parametrize("n_players", range(1, 7))
def test_each_player_starts_with_seven_coppers_and_three_estates(n_players):
    game = DominionGame(n_players=n_players, seed=9)

    for seat in range(n_players):
        assert game.owned(seat) == {"Copper": 7, "Estate": 3}
        assert game.cards(Zone.HAND + seat) + game.cards(Zone.DECK + seat) == game.owned(seat)
        assert game.cards(Zone.HAND + seat).total() == 5
    assert asked(game)[0] == 1
    assert not game.state.owned[n_players:].any()


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


def test_piles_stand_basic_ones_first_then_by_cost_and_name():
    assert PILE_NAMES == [
        "Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse",
        "Cellar", "Moat", "Merchant", "Village", "Workshop", "Militia", "Remodel", "Smithy", "Market", "Mine",
    ]  # fmt: skip


def test_a_smaller_kingdom_has_only_its_own_piles():
    game = DominionGame(Kingdom(("Moat", "Militia")), 2)

    assert [card.name for card in game.piles] == [*PILES, "Moat", "Militia"]
    assert game.state.cards[Zone.SUPPLY, 9:].sum() == 0


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        ({"n_players": 7}, "7 players cannot play. Allowed: 1 to 6."),
        ({"n_players": 0}, "0 players cannot play."),
        ({"seed": -1}, "seed is -1."),
        ({"seed": 2**64}, "Allowed: 0 to 2"),
    ],
)
def test_a_game_that_cannot_be_set_up_is_refused_in_one_line(setup, message):
    with pytest.raises(UsageError, match=re.escape(message)):
        DominionGame(**setup)
