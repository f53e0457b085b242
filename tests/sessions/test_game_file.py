"""Saved games: JSON that is checked before it is trusted."""

import json

import pytest

from evodom.errors import RunError
from evodom.runs.meta import Rules
from evodom.sessions.dominion import DominionSession
from evodom.sessions.files import write_session
from evodom.sessions.game_file import read_game

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


def test_a_saved_game_is_read_as_it_was(saved, path):
    found = read_game(path)
    found.play_on()
    assert found.game.state.tobytes() == saved.game.state.tobytes()
    assert found.setup.names == saved.setup.names
    assert found.setup.command == saved.setup.command


def test_the_file_is_json_with_seed_seat_kingdom_players_and_choices(saved, path):
    content = json.loads(path.read_text())
    assert (content["seed"], content["seat"], content["choices"]) == (3, 1, ["Silver", "pass"])
    assert content["kingdom"] == list(saved.setup.kingdom.cards)
    assert [player["name"] for player in content["players"]] == list(saved.setup.names)


def test_saving_again_replaces_the_file_and_leaves_no_other(saved, path):
    write_session(path, saved)
    assert [file.name for file in path.parent.iterdir()] == ["demo.json"]


def test_a_missing_game_is_one_line(path):
    with pytest.raises(RunError, match=r"demo\.json cannot be read: No such file"):
        read_game(path)


def damage(content, what):
    first = next(player for player in content["players"] if player["strategy"])
    match what:
        case "format":
            content["format"] = 99
        case "program":
            del content["program"]
        case "choice":
            content["choices"].append("Province")
        case "choices":
            content["choices"] = [1, 2]
        case "too many choices":
            content["choices"] *= 400
        case "seed":
            content["seed"] = -1
        case "huge seed":
            content["seed"] = 10**310
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
        case "a key more":
            content["more"] = 1
        case "deep":
            content["command"] = json.loads("[" * 70 + "]" * 70)
        case "missing":
            del content["players"]
    return content


DAMAGES = [
    "format", "program", "choice", "choices", "too many choices", "seed", "kingdom", "long kingdom", "unhashable",
    "nobody", "huge seed", "no person", "short strategy", "no digits", "kind", "missing",
    "a key more", "deep",
]  # fmt: skip


@pytest.mark.parametrize("what", DAMAGES)
def test_a_damaged_game_is_refused_in_one_line(saved, path, what):
    write_signed(path, damage(json.loads(path.read_text()), what))
    with pytest.raises(RunError) as refusal:
        read_game(path)
    assert str(refusal.value).startswith(f"{path} cannot be used: ")
    assert "\n" not in str(refusal.value)


def test_a_changed_character_never_goes_unnoticed(saved, path):
    text = path.read_text()
    for place in range(0, len(text), 211):
        if text[place].isspace():
            continue
        path.write_text(f"{text[:place]}{chr(ord(text[place]) ^ 2)}{text[place + 1 :]}")
        with pytest.raises(RunError):
            read_game(path, "demo")


@pytest.mark.parametrize(("checksum", "why"), [(None, "no checksum"), (1, "a wrong checksum")])
def test_a_game_without_its_checksum_is_refused(saved, path, checksum, why):
    content = json.loads(path.read_text())
    del content["checksum"]
    path.write_text(json.dumps(content if checksum is None else content | {"checksum": checksum}))

    with pytest.raises(RunError, match=f"demo.json cannot be used: it has {why}"):
        read_game(path)


def test_a_game_begun_under_other_rules_is_refused(saved, path, monkeypatch):
    monkeypatch.setattr("evodom.sessions.game_file.RULES", Rules("Dominion", ("Moats are wet",)))
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


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff\xfe", b"[" * 100_000, b"\x00" * 64])
def test_a_foreign_file_is_refused_in_one_line(path, content):
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(RunError, match=r"^[^\n]* (cannot be used: |is no text in UTF-8\.)[^\n]*$"):
        read_game(path)


def test_a_folder_in_place_of_the_file_is_refused(path):
    path.mkdir(parents=True)
    with pytest.raises(RunError, match="cannot be read"):
        read_game(path)
    with pytest.raises(RunError, match="cannot be saved"):
        write_session(path, DominionSession(make_setup()))
