"""`evodom tournament` and `evodom match`: what they print and write."""

import csv
import json
import shlex
from functools import partial

import pytest
from click.testing import CliRunner

from evodom.cli.tournament import match, tournament
from evodom.dominion.strategies.baselines import BASELINES
from tests.crafted import save_evolved


@pytest.fixture
def invoke(tmp_path):
    return lambda *words, command=tournament: CliRunner().invoke(
        command, [*words, "--data-dir", str(tmp_path), "--quiet"]
    )


THREE = ("random", "big-money", "big-money-smithy", "--seed", "1")


def test_the_order_is_told_with_ratings_and_who_beats_whom(invoke):
    result = invoke(*THREE)

    assert (result.exit_code, result.stderr) == (0, "")
    assert "The order is clear: with 95 % confidence" in result.stdout
    places = [line.split()[:2] for line in result.stdout.splitlines() if line[:2] in ("1 ", "2 ", "3 ")]
    assert places == [[str(n + 1), name] for n, name in enumerate(["big-money-smithy", "big-money", "random"])] * 3
    assert "Win rate by seat" in result.stdout
    assert "ended by  last Province" in result.stdout


@pytest.mark.parametrize("names", [BASELINES[:2], BASELINES[:4]])
def test_the_page_fits_80_columns(invoke, names):
    shown = invoke(*names, "--seed", "1", "--games", "100").stdout

    assert max(map(len, shown.split("Repeat:")[0].splitlines())) <= 80


def test_many_unclear_neighbours_are_counted_and_marked(invoke):
    names = [name for name in BASELINES if name.startswith(("big-money", "smithy", "triple"))][:7]
    fitting = [name for name in names if name not in ("big-money-laboratory", "big-money-council-room")]
    shown = invoke(*fitting, "--games", "5", "--seed", "1").stdout

    assert "4 pairs of neighbours, marked ~" in " ".join(shown.split())
    rows = shown.split("VP\n")[1].splitlines()[:5]
    assert [row[:2] for row in rows] == ["1~", "2~", "3~", "4~", "5 "]


def test_json_is_complete_and_the_same_for_any_number_of_jobs(invoke):
    found = [invoke(*THREE, "--games", "300", "--json", "--jobs", jobs).stdout for jobs in ("1", "3")]
    page = json.loads(found[0], parse_constant=pytest.fail)

    assert found[0] == found[1]
    assert [page[name] for name in ("format", "players", "seed")] == ["round-robin", 3, 1]
    assert page["kingdom"]["name"] == "First Game"
    assert len(page["matrix"]) == len(page["standings"]) == len(page["ratings"]) == 3
    assert {"order_clear", "not_told_apart", "seats", "course", "n_tables", "confidence"} <= set(page)


def test_the_command_of_the_page_repeats_it(invoke):
    asked = ("random", "big-money", "--players", "3", "--games", "50", "--confidence", "0.9", "--kingdom", "deck-top")
    first = invoke(*asked, "--json").stdout
    command = shlex.split(json.loads(first)["command"])

    assert json.loads(first)["kingdom"]["name"] == "Deck Top"
    assert command[:2] == ["evodom", "tournament"]
    assert CliRunner().invoke(tournament, [*command[2:], "--json", "--quiet"]).stdout == first


def test_csv_has_a_row_for_each_entrant(invoke, tmp_path):
    file = tmp_path / "out.csv"
    page = json.loads(invoke(*THREE, "--csv", str(file), "--json").stdout)
    with file.open(newline="") as stream:
        rows = list(csv.DictReader(stream))

    assert [row["strategy"] for row in rows] == [one["name"] for one in page["standings"]]
    assert float(rows[0]["wins"]) == page["standings"][0]["win"]["share"]
    assert float(rows[0]["ahead of random"]) == page["matrix"][0][2]["ahead"]
    assert rows[0]["ahead of big-money-smithy"] == ""


def test_formats_play_tables_of_their_own(invoke):
    duels = json.loads(invoke(*THREE, "--format", "duels", "--games", "60", "--json").stdout)
    elimination = json.loads(
        invoke(*THREE, "--format", "elimination", "--players", "2", "--match-games", "50", "--json").stdout
    )

    assert (duels["players"], duels["n_tables"]) == (2, 3)
    assert elimination["order_clear"] is None
    assert elimination["standings"][0]["name"] == "big-money-smithy"


# Matches.


@pytest.fixture
def play_match(invoke):
    return partial(invoke, command=match)


def test_json_pools_copies_and_repeats(play_match):
    first = play_match("big-money", "random", "random", "random", "--games", "100", "--json").stdout
    page = json.loads(first, parse_constant=pytest.fail)

    assert [(one["name"], one["seats"], one["chance_level"]) for one in page["standings"]] == [
        ("big-money", 1.0, 0.25),
        ("random", 3.0, 0.75),
    ]
    assert page["players"] == 4
    assert page["course"]["n_games"] == 100
    command = shlex.split(page["command"])
    assert CliRunner().invoke(match, [*command[2:], "--json", "--quiet"]).stdout == first


def test_copies_of_the_last_one_fill_the_table_to_the_number_of_players(play_match):
    given = ("--games", "100", "--seed", "1")
    short = play_match("random", "big-money", "--players", "4", *given).stdout
    long = play_match("random", "big-money", "big-money", "big-money", *given).stdout
    assert short.split("Repeat:")[0] == long.split("Repeat:")[0]
    assert "big-money x3" in short
    page = json.loads(play_match("random", "big-money", "random", "--games", "100", "--json").stdout)
    assert page["course"]["n_games"] == 102  # a whole number of rotations


def test_a_file_is_told_from_the_run_it_was_printed_from(play_match, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('name = "big-money"\nbuy = ["Province", "Gold", "Silver"]\n')
    shown = play_match("big-money", str(file), "--games", "100", "--seed", "1").stdout
    assert {line.split()[0] for line in shown.splitlines()[3:5]} == {"big-money", "mine.toml"}


@pytest.mark.parametrize("contest", ["play_match", "invoke"])
@pytest.mark.parametrize(
    ("given", "players", "is_said"),
    [((), 4, False), (("--players", "2"), 2, True), (("--players", "4"), 4, False), (("--players", "5"), 5, True)],
)
def test_a_table_has_the_size_that_a_run_was_made_for(request, tmp_path, contest, given, players, is_said):
    save_evolved(tmp_path)
    shown = request.getfixturevalue(contest)(
        "demo", "big-money", *given, "--games", "20", "--seed", "1", "--json"
    ).stdout
    page = json.loads(shown)
    what = "match" if contest == "play_match" else "tournament"
    assert page["players"] == players
    assert page.get("note") == (f"demo was made for 4 players; this {what} has {players}." if is_said else None)
    command = shlex.split(page["command"])
    again = CliRunner().invoke(match if what == "match" else tournament, [*command[2:], "--json", "--quiet"]).stdout
    assert again == shown
