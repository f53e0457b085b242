"""Saved games by name: nothing is overwritten unasked, and every name means one game."""

import json
import os

import pytest

from evodom.errors import RunError
from evodom.sessions.files import GAMES, envelope, games


def keep(root, name, age=0, **content):
    """Write what the list needs of a saved game, last played ``age`` seconds before the first of all."""
    path = root / "games" / f"{name}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(envelope(GAMES, "") | {"players": [{"name": "You"}, {"name": "demo #1"}]} | content))
    os.utime(path, (10**9 - age, 10**9 - age))
    return path


def test_a_game_that_is_over_is_gone_on_with_last_and_looked_back_at_first(tmp_path):
    over, still = keep(tmp_path, "demo", over=True), keep(tmp_path, "demo-2", age=5, over=False)
    assert games(tmp_path).find("demo", going_on=True).path == still
    assert games(tmp_path).find("demo", going_on=False).path == over
    assert games(tmp_path).find(None, going_on=True).path == still


def test_an_unknown_name_among_many_is_refused_with_the_nearest_ones(tmp_path):
    keep(tmp_path, "demo")
    for number in range(9):
        keep(tmp_path, f"other{number}")
    with pytest.raises(RunError, match=r"Nearest: demo. All 10 are listed by: evodom play --list."):
        games(tmp_path).find("dmeo", going_on=True)


def test_the_last_game_against_an_opponent_that_is_not_over_is_offered(tmp_path):
    keep(tmp_path, "big-money", age=9)
    keep(tmp_path, "big-money-2", over=True)
    keep(tmp_path, "big-money-smithy")
    assert games(tmp_path).newest_unfinished("big-money").name == "big-money"
    assert games(tmp_path).newest_unfinished("random") is None
