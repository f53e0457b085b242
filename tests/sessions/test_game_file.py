"""Saved games and fights: JSON that is checked before it is trusted."""

import json

import pytest

from evodom.errors import RunError
from evodom.sessions.content import read_game
from evodom.sessions.dominion import DominionSession
from evodom.sessions.files import write_session

from .helpers import make_setup, write_signed
from .kinds import KINDS


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


def first(content):
    """Return the first player of a saved game that is a strategy."""
    return next(player for player in content["players"] if player["strategy"])


def playing(content, strategy):
    return {"players": [one | {"strategy": strategy} if one["strategy"] else one for one in content["players"]]}


DAMAGES = [
    lambda content: {"choices": [*content["choices"], "Province"]},
    lambda content: {"choices": [1, 2]},
    lambda content: {"choices": content["choices"] * 400},
    lambda content: {"kingdom": ["Atlantis", *content["kingdom"][1:]]},
    lambda content: {"kingdom": content["kingdom"][:1] * 12},
    lambda content: {"kingdom": [[]]},
    lambda content: {"players": [first(content)]},
    lambda content: {"players": [first(content)] * 2},
    lambda content: playing(content, first(content)["strategy"][:-2]),
    lambda content: playing(content, "xyz"),
    lambda content: playing(content, "ff" * (len(first(content)["strategy"]) // 2)),
    lambda content: {"command": json.loads("[" * 70 + "]" * 70)},
]


def test_a_damaged_game_is_refused_in_one_line(saved, path):
    content = json.loads(path.read_text())
    for number, damage in enumerate(DAMAGES):
        write_signed(path, content | damage(content))
        with pytest.raises(RunError) as refusal:
            read_game(path)
        assert str(refusal.value).startswith(f"{path} cannot be used: "), number
        assert "\n" not in str(refusal.value)


def test_what_a_file_says_reaches_no_terminal_as_an_escape_sequence(saved, path):
    content = json.loads(path.read_text())
    content["command"] = "evodom play\x1b]0;mine\x07"
    for player in content["players"]:
        player["name"] = "\x1b[2J" + "x" * 10_000
    write_signed(path, content)

    setup = read_game(path, "demo").setup

    assert all(text.isprintable() and len(text) <= 80 for text in (*setup.names, setup.command))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"moves": ["Smash at enemy 1"]}, "move 1 is not possible there"),
        ({"moves": ["end"] * 601}, "Allowed: a list of at most 600 items"),
        ({"moves": [3]}, "moves[0] is 3"),
        ({"fight": 'enemies = "dragon"'}, "dragon"),
        ({"fight": 'file = "/etc/passwd"'}, "file"),
        ({"at": 1.5}, "at is 1.5"),
        ({"given": 1}, "given is 1. Allowed: true or false."),
    ],
)
def test_a_damaged_fight_is_refused_in_one_line(tmp_path, change, said):
    fights, file = KINDS[1], tmp_path / "cultist.json"
    write_session(file, fights.begin())
    write_signed(file, json.loads(file.read_text()) | change)
    with pytest.raises(RunError, match=r"^[^\n]*$") as refusal:
        fights.read(file)
    assert said in str(refusal.value)
    assert str(refusal.value).endswith("Delete it, or begin another fight.")
