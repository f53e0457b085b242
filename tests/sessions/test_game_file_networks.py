"""Saved games with networks: their weights are in the file, and are checked before a kernel sees them."""

import base64
import json

import numpy as np
import pytest

from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.networks.model import are_sound
from evodom.errors import RunError
from evodom.sessions.content import read_game
from evodom.sessions.dominion import DominionSession
from evodom.sessions.files import write_session
from tests.networks import network

from .helpers import make_setup, write_signed


@pytest.fixture(autouse=True)
def shipped(monkeypatch):
    monkeypatch.setattr("evodom.entrants.shipped_weights", network)


def saved(path, *opponents, n_players=3):
    match = DominionSession(make_setup(*opponents, n_players=n_players, seed=3))
    match.play_on()
    match.choose("Silver")
    match.play_on()
    write_session(path, match)
    return match


def test_a_game_against_networks_goes_on_alike_and_holds_equal_ones_once(tmp_path):
    path = tmp_path / "game.json"
    match = saved(path, "network", "network")

    again = read_game(path)
    again.play_on()

    assert again.game.state.tobytes() == match.game.state.tobytes()
    assert len(json.loads(path.read_text())["networks"]) == 1


def test_a_game_against_one_that_thinks_takes_its_answers_as_they_were(tmp_path, monkeypatch):
    path = tmp_path / "game.json"
    match = saved(path, "network:0.01s", n_players=2)
    assert match.answers
    monkeypatch.setattr(
        "evodom.matches.playout_search.PlayoutSearch.choose", lambda *_: pytest.fail("it is asked again")
    )

    again = read_game(path)
    again.play_on()

    assert again.game.state.tobytes() == match.game.state.tobytes()


def test_a_file_has_the_networks_of_its_game(tmp_path):
    path = tmp_path / "game.json"
    saved(path, "network", n_players=2)
    file = json.loads(path.read_text())
    others = [WEIGHTS * np.float32(1 + number / 100) for number in range(1, 4)]
    games = []
    for weights in others:
        write_signed(path, file | {"networks": [encoded(weights)]})
        games.append(read_game(path))

    for number, weights in enumerate(others):
        write_session(
            path, games[number], overwrite=True
        )  # what is written is this game's network, whatever lay there before
        assert json.loads(path.read_text())["networks"] == [encoded(weights)]


def encoded(weights):
    return base64.b64encode(np.asarray(weights, "<f4").tobytes()).decode()


WEIGHTS = network(FIRST_GAME)


def test_damaged_weights_and_a_record_without_its_weights_are_refused_in_one_line(tmp_path):
    path = tmp_path / "game.json"
    saved(path, "network", n_players=2)
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
