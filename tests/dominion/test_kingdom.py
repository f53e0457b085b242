"""Kingdoms: what a text means, what chance draws, what is refused."""

import re
import subprocess
import sys

import pytest

from evodom.dominion.cards import CARDS, KINGDOM, is_dropped
from evodom.dominion.kingdom import (
    CUSTOM,
    FIRST_GAME,
    KINGDOMS,
    Kingdom,
    kingdoms_with,
    named_card,
    parse_kingdom,
    slug,
)
from evodom.dominion.strategies.baselines import fitting_baselines, missing_cards
from evodom.errors import UsageError

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
