"""Saved games and fights: JSON that is checked before it is trusted, also the weights of networks."""

import base64
import json

import numpy as np
import pytest

from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.models.networks.model import are_sound
from evodom.errors import RunError
from evodom.sessions.content import read_game
from evodom.sessions.dominion import DominionSession
from evodom.sessions.files import write_session
from tests.networks import network

from .helpers import make_setup, take, write_signed
from .kinds import KINDS


@pytest.fixture
def path(tmp_path):
    return tmp_path / "games" / "demo.json"


@pytest.fixture
def saved(path):
    match = DominionSession(make_setup("random", "big-money-militia", seed=3, seat=1))
    match.play_on()
    take(match, "Silver")
    take(match, "pass")
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


@pytest.fixture(autouse=True)
def shipped(monkeypatch):
    monkeypatch.setattr("evodom.matches.entrants.shipped_weights", network)


def played(path, *opponents, n_players=3):
    match = DominionSession(make_setup(*opponents, n_players=n_players, seed=3))
    match.play_on()
    take(match, "Silver")
    write_session(path, match)
    return match


def test_a_game_against_networks_goes_on_alike_and_holds_equal_ones_once(tmp_path):
    path = tmp_path / "game.json"
    match = played(path, "network", "network")

    again = read_game(path)
    again.play_on()

    assert again.game.state.tobytes() == match.game.state.tobytes()
    assert len(json.loads(path.read_text())["networks"]) == 1


def test_a_game_against_one_that_thinks_takes_its_answers_as_they_were(tmp_path, monkeypatch):
    path = tmp_path / "game.json"
    match = played(path, "network:0.01s", n_players=2)
    assert match.answers
    monkeypatch.setattr(
        "evodom.matches.playout_search.PlayoutSearch.choose", lambda *_: pytest.fail("it is asked again")
    )

    again = read_game(path)
    again.play_on()

    assert again.game.state.tobytes() == match.game.state.tobytes()


def test_a_file_has_the_networks_of_its_game(tmp_path):
    path = tmp_path / "game.json"
    played(path, "network", n_players=2)
    file = json.loads(path.read_text())
    others = [WEIGHTS * np.float32(1 + number / 100) for number in range(1, 4)]
    games = []
    for weights in others:
        write_signed(path, file | {"networks": [encoded(weights)]})
        games.append(read_game(path))

    for number, weights in enumerate(others):
        # What is written is this game's network, whatever lay there before.
        write_session(path, games[number], overwrite=True)
        assert json.loads(path.read_text())["networks"] == [encoded(weights)]


def encoded(weights):
    return base64.b64encode(np.asarray(weights, "<f4").tobytes()).decode()


WEIGHTS = network(FIRST_GAME)


def test_damaged_weights_and_a_record_without_its_weights_are_refused_in_one_line(tmp_path):
    path = tmp_path / "game.json"
    played(path, "network", n_players=2)
    content = json.loads(path.read_text())
    fifth = np.arange(len(WEIGHTS)) == 5
    damaged = [encoded(np.where(fifth, number, WEIGHTS)) for number in (np.nan, 1e30)]
    damaged += [encoded(WEIGHTS[:-1]), encoded(WEIGHTS)[:-8] + "AA==", "!!!!", 7]
    changes = [{"networks": [weights]} for weights in damaged]
    for number in ({}, {"network": -1}, {"network": 1}, {"network": "0"}, {"network": True}):
        players = [
            {key: value for key, value in one.items() if key != "network"} | number if one["strategy"] else one
            for one in content["players"]
        ]
        changes.append({"players": players})
    for change in changes:
        write_signed(path, content | change)
        with pytest.raises(RunError, match=r"^[^\n]*cannot be used[^\n]*$"):
            read_game(path)


def test_an_answer_of_one_that_thinks_which_is_not_possible_is_refused(tmp_path):
    path = tmp_path / "game.json"
    match = DominionSession(make_setup("network:0.01s", n_players=2, seat=1))
    match.play_on()
    match.choose("pass")
    write_session(path, match)
    content = json.loads(path.read_text())
    content["answers"][0] = "Province"
    write_signed(path, content)

    with pytest.raises(RunError, match="cannot be used"):
        read_game(path)


def test_weights_are_sound_if_they_are_as_many_as_a_network_has_and_none_is_large():
    assert are_sound(WEIGHTS)
    assert not are_sound(WEIGHTS[1:])
    assert not are_sound(np.full_like(WEIGHTS, np.inf))
