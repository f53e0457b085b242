"""`evodom match`: one table, and what it tells."""

import json
import shlex

import pytest
from click.testing import CliRunner

from evodom.cli.tournament import match


@pytest.fixture
def invoke(tmp_path):
    def run(*arguments):
        return CliRunner().invoke(match, [*arguments, "--data-dir", str(tmp_path), "--quiet"])

    return run


def test_shares_places_seats_and_ends_are_told(invoke):
    result = invoke("random", "big-money", "big-money", "--games", "300", "--seed", "1")

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("Match in First Game: 300 games of 3, seed 1\n")
    assert "big-money x2  66.7  100.0" in result.stdout
    assert "Wins by seat" in result.stdout
    assert "ended by  Provinces" in result.stdout
    assert max(map(len, result.stdout.split("Repeat this with:")[0].splitlines())) <= 80


def test_json_pools_copies_and_repeats(invoke):
    first = invoke("big-money", "random", "random", "random", "--games", "100", "--json").stdout
    page = json.loads(first, parse_constant=pytest.fail)

    assert [(one["name"], one["seats"], one["par"]) for one in page["standings"]] == [
        ("big-money", 1.0, 0.25),
        ("random", 3.0, 0.75),
    ]
    assert page["players"] == 4
    assert page["course"]["n_games"] == 100
    command = shlex.split(page["command"])
    assert CliRunner().invoke(match, [*command[2:], "--json", "--quiet"]).stdout == first


def test_copies_of_the_last_one_fill_the_table_to_the_number_of_players(invoke):
    short = invoke("random", "big-money", "--players", "4", "--games", "100", "--seed", "1").stdout
    assert short == invoke("random", "big-money", "big-money", "big-money", "--games", "100", "--seed", "1").stdout
    assert "big-money x3" in short


def test_a_file_is_told_from_the_run_it_was_printed_from(invoke, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('name = "big-money"\nbuy = ["Province", "Gold", "Silver"]\n')
    shown = invoke("big-money", str(file), "--games", "100", "--seed", "1").stdout
    assert {line.split()[0] for line in shown.splitlines()[3:5]} == {"big-money", "mine.toml"}


def test_a_whole_number_of_rotations_is_played(invoke):
    page = json.loads(invoke("random", "big-money", "random", "--games", "100", "--json").stdout)

    assert page["course"]["n_games"] == 102
