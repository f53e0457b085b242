"""`evodom cards` and `evodom kingdoms`: what cards cost and do, recommended kingdoms, and drawn ones."""

import re
import shlex
from functools import partial

import pytest
from click import Context

from evodom.cli.cards import cards, kingdoms
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


@pytest.mark.parametrize(
    ("editions", "there", "missing"),
    [(["--edition", "1"], "Feast*", "Sentry"), (["--edition", "2"], "Sentry", "Feast"), ([], "Feast*", "Moat*")],
)
def test_one_edition_is_listed_alone_and_cards_of_the_first_only_are_marked(editions, there, missing):
    shown = shown_cards(*editions)

    assert there in shown
    assert missing not in shown
    assert "Copper" in shown
    assert shown.endswith("\n* in the first edition only\n") == ("Feast*" in shown)


@pytest.mark.parametrize("words", [["chapel", "throne", "room"], ["Chapel, Throne Room"], ["chapel", "throne-room,"]])
def test_several_cards_are_shown_with_an_empty_line_between_them(words):
    assert shown_cards(*words) == f"{shown_cards('Chapel')}\n{shown_cards('Throne Room')}"
    assert [card["name"] for card in card_facts(*words)] == ["Chapel", "Throne Room"]


@pytest.mark.parametrize("words", [["Throne Room"], ["throne", "room"], ["THRONE-ROOM"]])
def test_all_about_a_card_is_told(words):
    lines = dict(line.split(maxsplit=1) for line in shown_cards(*words).splitlines())

    assert (lines["card"], lines["cost"], lines["types"]) == ("Throne Room", "$4", "Action")
    assert lines["class"] == "nonterminal (strategies order their Actions by class)"
    assert lines["edition"] == "first and second"
    assert lines["kingdoms"] == "Size Distortion, Sleight of Hand, Silver & Gold,"


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("Province", "VP        6"),
        ("Curse", "VP        -1"),
        ("Gardens", "VP        1 for every 10 cards"),
        ("Copper", "kingdoms  all: every Supply has it"),
        ("Colony", "VP        10"),
        ("Bridge", "set       Intrigue"),
        ("Poacher", "edition   second"),
        ("Feast", "edition   first"),
        ("Smithy", "class     terminal draw (strategies order their Actions by class)"),
        ("Corsair", "class     terminal (strategies order their Actions by class)"),
    ],
)
def test_what_matters_of_a_card_is_told(name, line):
    lines = shown_cards(name).splitlines()
    assert line in lines
    assert any(line.startswith("edition") for line in lines) == (name in ("Poacher", "Feast", "Gardens", "Smithy"))
    assert any(line.startswith("class") for line in lines) == (
        name in ("Poacher", "Feast", "Smithy", "Corsair", "Bridge")
    )


def test_cards_are_told_as_json():
    listed, moat = card_facts(), card_facts("moat")

    assert [card["name"] for card in listed] == list(CARDS)
    assert moat in listed
    assert (moat["cost"], moat["types"], moat["class"]) == (2, ["Action", "Reaction"], "terminal draw")
    assert (moat["editions"], moat["basic"], moat["kingdoms"][0]) == ([1, 2], False, "First Game")


def test_names_are_completed_as_words_without_spaces():
    (argument, *_) = cards.params

    found = [item.value for item in argument.type.shell_complete(Context(cards), argument, "Mi")]
    assert {"militia", "mine"} <= {*found}
    assert all(name.startswith("mi") for name in found)
    assert argument.type.shell_complete(Context(cards), argument, "throne")[0].value == "throne-room"


# Kingdoms.


def test_all_kingdoms_are_listed_with_their_cards():
    shown = shown_kingdoms()

    assert all(re.search(f"^{re.escape(name)}  ", shown, re.MULTILINE) for name in KINGDOMS)
    assert max(map(len, shown.splitlines())) <= 80
    assert kingdom_facts() == [
        {"name": name, "sets": sets_of(cards), "cards": list(cards)} for name, cards in KINGDOMS.items()
    ]


@pytest.mark.parametrize("words", [["Deck Top"], ["deck", "top"], ["deck-top"]])
def test_the_ten_cards_of_a_kingdom_are_told(words):
    lines = shown_kingdoms(*words).splitlines()

    assert lines[0] == "Deck Top"
    assert [name for name in KINGDOMS["Deck Top"] if not any(line.startswith(f"{name} ") for line in lines)] == []
    assert lines[-1] == "Evolve in it: evodom evolve demo --kingdom deck-top"
    assert "drawn" not in "".join(lines)


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


@pytest.mark.parametrize(
    ("incomplete", "completed"),
    [
        ("first", ["first-game", "first-game-1st-edition"]),
        ("re", ["remodel"]),
        ("Silver", ["silver-and-gold"]),
        ("chapel,wi", ["chapel,witch"]),
        ("ra", ["random"]),
    ],
)
def test_kingdoms_are_completed_as_words_without_spaces(incomplete, completed):
    (argument, *_) = kingdoms.params

    found = argument.type.shell_complete(Context(kingdoms), argument, incomplete)
    assert {*completed} <= {item.value for item in found}
    assert all(item.value.startswith(incomplete.casefold()) for item in found)
