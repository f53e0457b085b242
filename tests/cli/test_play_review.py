"""`evodom play` with the network and `--review`: on the command line."""

import pytest
from click.testing import CliRunner

from evodom.cli.play import play
from tests.networks import network


@pytest.fixture
def invoke(tmp_path, monkeypatch):
    monkeypatch.setattr("evodom.entrants.shipped_weights", network)
    monkeypatch.setattr("evodom.sessions.review.preferred_weights", network)
    for name in ("ROLLOUTS", "ROLLOUTS_CLOSER", "ROLLOUTS_CHANCES", "ROLLOUTS_EFFECTS"):
        monkeypatch.setattr(f"evodom.matches.playout_search.{name}", 20)

    def run(*arguments, lines=""):
        return CliRunner().invoke(play, [*arguments, "--data-dir", str(tmp_path), "--quiet"], input=lines)

    return run


def test_a_game_against_one_that_thinks_is_played_and_reviewed(invoke, tmp_path):
    game = invoke("--opponent", "network:0.01s", "--players", "2", "--seat", "1", "--seed", "3", lines="0\n" * 150)
    assert game.exit_code == 0
    assert "The game is over" in game.stdout
    assert "evodom play network-0-01s --review --data-dir" in game.stdout

    found = invoke("--review", "--plot", str(tmp_path / "chances.svg"))

    assert found.exit_code == 0
    assert "choices were judged" in found.stdout
    assert "at the end:" in found.stdout
    assert "network:0.01s" in (tmp_path / "chances.svg").read_text()


def test_a_saved_game_is_reviewed_as_it_stands_and_can_be_continued(invoke):
    invoke("--opponent", "network", "--players", "2", "--seat", "1", "--seed", "3", lines="Silver\nquit\n")

    assert "Chances to win by your turns 1 to 2, now:" in invoke("--review").stdout
    assert "Turn 2" in invoke("--continue").stdout
