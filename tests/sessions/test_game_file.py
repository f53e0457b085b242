"""Saved games: JSON that is checked before it is trusted."""

import json

import pytest

from evodom.errors import RunError
from evodom.runs.lifecycle import RulesVersion
from evodom.sessions.content import read_game
from evodom.sessions.dominion import DominionSession
from evodom.sessions.files import write_session

from .helpers import make_setup, write_signed


@pytest.fixture
def path(tmp_path):
    return tmp_path / "games" / "demo.json"


@pytest.fixture
def saved(path):
    match = DominionSession(make_setup("random", "big-money-militia", seed=3, seat=1))
    match.play_on()
    match.choose("Silver")
    match.play_on()
    match.choose("pass")
    match.play_on()
    write_session(path, match)
    return match


def test_the_file_is_json_with_seed_seat_kingdom_players_and_choices(saved, path):
    content = json.loads(path.read_text())
    assert (content["seed"], content["seat"], content["choices"]) == (3, 1, ["Silver", "pass"])
    assert content["kingdom"] == list(saved.setup.kingdom.cards)
    assert [player["name"] for player in content["players"]] == list(saved.setup.names)


def damage(content, what):
    first = next(player for player in content["players"] if player["strategy"])
    match what:
        case "choice":
            content["choices"].append("Province")
        case "choices":
            content["choices"] = [1, 2]
        case "too many choices":
            content["choices"] *= 400
        case "kingdom":
            content["kingdom"][0] = "Atlantis"
        case "long kingdom":
            content["kingdom"] = [content["kingdom"][0]] * 12
        case "unhashable":
            content["kingdom"] = [[]]
        case "nobody":
            content["players"] = [first]
        case "no person":
            content["players"] = [first, first]
        case "short strategy":
            first["strategy"] = first["strategy"][:-2]
        case "no digits":
            first["strategy"] = "xyz"
        case "kind":
            first["strategy"] = "ff" * (len(first["strategy"]) // 2)
        case "deep":
            content["command"] = json.loads("[" * 70 + "]" * 70)
    return content


DAMAGES = [
    "choice", "choices", "too many choices", "kingdom", "long kingdom", "unhashable",
    "nobody", "no person", "short strategy", "no digits", "kind",
    "deep",
]  # fmt: skip


@pytest.mark.parametrize("what", DAMAGES)
def test_a_damaged_game_is_refused_in_one_line(saved, path, what):
    write_signed(path, damage(json.loads(path.read_text()), what))
    with pytest.raises(RunError) as refusal:
        read_game(path)
    assert str(refusal.value).startswith(f"{path} cannot be used: ")
    assert "\n" not in str(refusal.value)


def test_a_game_begun_under_other_rules_is_refused(saved, path, monkeypatch):
    monkeypatch.setattr("evodom.sessions.content.RULES", RulesVersion("Dominion", ("Moats are wet",)))
    with pytest.raises(RunError, match="begun under version 1 of the rules, and this is version 2"):
        read_game(path)

    content = json.loads(path.read_text())
    del content["rules"]
    write_signed(path, content)
    with pytest.raises(RunError, match="begun under version 1 of the rules"):
        read_game(path)


def test_what_a_file_says_reaches_no_terminal_as_an_escape_sequence(saved, path):
    content = json.loads(path.read_text())
    content["command"] = "evodom play\x1b]0;mine\x07"
    for player in content["players"]:
        player["name"] = "\x1b[2J" + "x" * 10_000
    write_signed(path, content)

    setup = read_game(path, "demo").setup

    assert all(text.isprintable() and len(text) <= 80 for text in (*setup.names, setup.command))
