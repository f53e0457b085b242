"""`evodom cards` and `evodom kingdoms`: what cards cost and do, recommended kingdoms, and drawn ones."""

import re
import shlex
from functools import partial

import pytest

from evodom.dominion.cards import CARDS
from evodom.dominion.kingdom import KINGDOMS, parse_kingdom, sets_of
from tests.cli.program import facts, printed


@pytest.fixture(autouse=True)
def columns(monkeypatch):
    """Return a function that sets the width of the terminal."""
    set_width = partial(monkeypatch.setenv, "COLUMNS")
    set_width("80")
    return set_width


shown_cards, card_facts = partial(printed, "cards"), partial(facts, "cards")
shown_kingdoms, kingdom_facts = partial(printed, "kingdoms"), partial(facts, "kingdoms")


def test_all_cards_are_listed_within_the_width_of_the_terminal(columns):
    for width in (10, 80, 300):
        columns(str(width))
        lines = shown_cards().splitlines()
        listed = [line.split("  ")[0] for line in lines if line[:1].isupper()]
        assert [name.rstrip("*") for name in listed] == list(CARDS)
        assert max(map(len, lines)) <= min(max(width, 64), 120)


@pytest.mark.parametrize("words", [["chapel", "throne", "room"], ["Chapel, Throne Room"], ["chapel", "throne-room,"]])
def test_several_cards_are_shown_with_an_empty_line_between_them(words):
    assert shown_cards(*words) == f"{shown_cards('Chapel')}\n{shown_cards('Throne Room')}"
    assert [card["name"] for card in card_facts(*words)] == ["Chapel", "Throne Room"]


def test_cards_are_told_as_json():
    listed, moat = card_facts(), card_facts("moat")

    assert [card["name"] for card in listed] == list(CARDS)
    assert moat in listed
    assert (moat["cost"], moat["types"], moat["class"]) == (2, ["Action", "Reaction"], "terminal draw")
    assert (moat["editions"], moat["basic"], moat["kingdoms"][0]) == ([1, 2], False, "First Game")


# Kingdoms.


def test_all_kingdoms_are_listed_with_their_cards():
    shown = shown_kingdoms()

    assert all(re.search(f"^{re.escape(name)}  ", shown, re.MULTILINE) for name in KINGDOMS)
    assert max(map(len, shown.splitlines())) <= 80
    assert kingdom_facts() == [
        {"name": name, "sets": sets_of(cards), "cards": list(cards)} for name, cards in KINGDOMS.items()
    ]


def test_a_seed_draws_the_same_kingdom_again_and_the_one_that_was_used_is_told():
    first, other = (shown_kingdoms("random", "--seed", seed) for seed in "78")
    assert first != other
    assert "* drawn with seed 7" in first

    shown = shown_kingdoms("random", "--first-edition")
    seed = re.search(r"\* drawn with seed (\d+)", shown)[1]
    assert shown_kingdoms("random", "--first-edition", "--seed", seed) == shown


def test_what_is_missing_to_ten_is_drawn_and_marked():
    shown = shown_kingdoms("Chapel,", "witch", "--seed", "3")

    assert len(re.findall(r"^[A-Z][A-Za-z ]+\*", shown, re.MULTILINE)) == 8
    assert re.search(r"^Chapel  ", shown, re.MULTILINE)


def test_the_command_told_means_the_same_kingdom():
    words = shlex.split(shown_kingdoms("random", "--seed", "3").splitlines()[-1])

    assert words[3:-1] == ["evodom", "evolve", "demo", "--kingdom"]
    assert parse_kingdom(words[-1]).cards == parse_kingdom("random", seed=3).cards
    assert parse_kingdom(words[-1]).drawn == ()


def test_a_kingdom_is_told_as_json():
    found = kingdom_facts("Moat", "--seed", "1")

    assert (found["name"], found["seed"], len(found["drawn"])) == ("custom", 1, 9)
    assert {card["name"] for card in found["cards"]} == {"Moat", *found["drawn"]}
    assert kingdom_facts("first", "game")["seed"] is None
