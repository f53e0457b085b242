"""`evodom kingdoms` tells the recommended kingdoms, and draws others."""

import json
import re
import shlex

import pytest
from click import Context
from click.testing import CliRunner

from evodom.cli.cards import kingdoms
from evodom.dominion.kingdom import KINGDOMS, parse_kingdom


@pytest.fixture
def invoke(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    return lambda *arguments: CliRunner().invoke(kingdoms, arguments)


def test_all_kingdoms_are_listed_with_their_cards(invoke):
    shown = invoke().stdout

    assert all(re.search(f"^{re.escape(name)}  ", shown, re.MULTILINE) for name in KINGDOMS)
    assert max(map(len, shown.splitlines())) <= 80
    assert json.loads(invoke("--json").stdout) == [
        {"name": name, "cards": list(cards)} for name, cards in KINGDOMS.items()
    ]


@pytest.mark.parametrize("words", [["Deck Top"], ["deck", "top"], ["deck-top"]])
def test_the_ten_cards_of_a_kingdom_are_told(invoke, words):
    lines = invoke(*words).stdout.splitlines()

    assert lines[0] == "Deck Top"
    assert [name for name in KINGDOMS["Deck Top"] if not any(line.startswith(f"{name} ") for line in lines)] == []
    assert lines[-1] == "Evolve in it: evodom evolve demo --kingdom deck-top"
    assert "drawn" not in "".join(lines)


def test_a_seed_draws_the_same_kingdom_again(invoke):
    first, again, other = (invoke("random", "--seed", seed).stdout for seed in "778")

    assert first == again != other
    assert "* drawn with seed 7" in first


def test_without_a_seed_the_one_that_was_used_is_told(invoke):
    shown = invoke("random", "--first-edition").stdout
    seed = re.search(r"\* drawn with seed (\d+)", shown)[1]

    assert invoke("random", "--first-edition", "--seed", seed).stdout == shown


def test_what_is_missing_to_ten_is_drawn_and_marked(invoke):
    shown = invoke("Chapel,", "witch", "--seed", "3").stdout

    assert len(re.findall(r"^[A-Z][A-Za-z ]+\*", shown, re.MULTILINE)) == 8
    assert re.search(r"^Chapel  ", shown, re.MULTILINE)


def test_the_command_told_means_the_same_kingdom(invoke):
    words = shlex.split(invoke("random", "--seed", "3").stdout.splitlines()[-1])

    assert words[3:-1] == ["evodom", "evolve", "demo", "--kingdom"]
    assert parse_kingdom(words[-1]).cards == parse_kingdom("random", seed=3).cards
    assert parse_kingdom(words[-1]).drawn == ()


def test_a_kingdom_is_told_as_json(invoke):
    found = json.loads(invoke("Moat", "--seed", "1", "--json").stdout)

    assert (found["name"], found["seed"], len(found["drawn"])) == ("custom", 1, 9)
    assert {card["name"] for card in found["cards"]} == {"Moat", *found["drawn"]}
    assert json.loads(invoke("first", "game", "--json").stdout)["seed"] is None


@pytest.mark.parametrize(
    ("incomplete", "completed"),
    [
        ("first", ["first-game", "first-game-1st-edition"]),
        ("r", ["random", "remodel"]),
        ("Silver", ["silver-and-gold"]),
        ("chapel,wi", ["chapel,witch"]),
    ],
)
def test_names_are_completed_as_words_without_spaces(incomplete, completed):
    (argument, *_) = kingdoms.params

    found = argument.type.shell_complete(Context(kingdoms), argument, incomplete)
    assert [item.value for item in found] == completed
