"""`evodom play`: options, reviews, exit codes, and a real terminal."""

import io
import json
import os
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from evodom.api.progress import workers
from evodom.cli import main
from evodom.cli.play import play
from evodom.cli.sessions import make_console
from evodom.cli.tournament import match
from evodom.dominion.kingdom import Kingdom, parse_kingdom
from evodom.dominion.strategies.baselines import BASELINES
from evodom.errors import UsageError
from evodom.jit.kernel import COMPILED
from tests.crafted import resave, save_evolved
from tests.networks import ship
from tests.saved import evolve


@pytest.fixture
def invoke(tmp_path):
    words = ["--data-dir", str(tmp_path), "--quiet"]
    return lambda *arguments, lines="": CliRunner().invoke(play, [*arguments, *words], input=lines)


BIG_MONEY = ("--opponent", "big-money", "--seed", "3")


def test_a_game_from_a_pipe_ends_with_the_input_and_is_the_same_for_the_same_seed_and_lines(invoke, monkeypatch):
    asked = []
    monkeypatch.setattr("evodom.cli.play.workers", lambda jobs: (asked.append(jobs), workers(jobs))[1])
    named = (*BIG_MONEY, "--save", "mine", "--overwrite", "--jobs", "1")
    result = invoke(*named, lines="2\n2\n")
    assert result.exit_code == 0
    assert "The game is not over" in result.stdout
    assert "\x1b" not in result.stdout
    assert invoke(*named, lines="2\n2\n").stdout == result.stdout
    assert asked == [1, 1]


def test_the_last_lines_say_how_to_play_the_same_game_again(invoke, tmp_path):
    first = invoke("--opponent", "big-money", "--players", "3", lines="2\n")
    command = re.search(r"^  evodom play (.*--seed .*)$", first.stdout, re.MULTILINE)[1]
    assert "--opponent big-money --players 3" in command
    again = CliRunner().invoke(play, [*command.split(), "--quiet"], input="2\n").stdout
    # Lines break elsewhere, as the second game has a longer name.
    assert "".join(again.split()).replace("big-money-2", "big-money") == "".join(first.stdout.split())


def test_the_person_sits_where_asked_else_where_the_seed_says_and_opponents_fill_the_seats(invoke):
    shown = invoke("--opponent", "random", "--opponent", "big-money", "--seat", "1", "--seed", "1").stdout
    assert all(label in shown for label in ("P2 random #1", "P3 big-money", "P4 random #2"))
    for seat, players in ("12", "22", "66"):
        assert f"You are P{seat} of {players}." in invoke(*BIG_MONEY, "--seat", seat, "--players", players).stdout
    shown = [invoke("--opponent", "big-money", "--seed", str(n)).stdout for n in range(9)]
    assert len({re.search(r"You are P(\d)", text)[1] for text in shown}) > 1


@pytest.mark.parametrize("players", ["2", "6"])
def test_baselines_are_played_in_any_kingdom_by_any_number(invoke, players):
    table = ("--opponent", "big-money", "--kingdom", "Feast", "--first-edition", "--players", players, "--seed", "3")
    shown = invoke(*table).stdout

    assert f"of {players}. Your opening hand" in shown
    assert all(card in shown for card in parse_kingdom("Feast", seed=3, first_edition=True).cards)
    command = re.search(r"^  evodom (play .*?)( --data-dir .*)$", shown, re.MULTILINE)[1]
    assert invoke(*shlex.split(command)[1:]).stdout == shown


@pytest.mark.parametrize("players", [2, pytest.param(6, marks=pytest.mark.full)])
def test_a_run_is_played_in_its_kingdom_by_as_many_as_it_was_evolved_for(invoke, tmp_path, players):
    kingdom = parse_kingdom("random", seed=players, first_edition=True)
    options = {"players": players, "kingdom": kingdom, "race": 0}
    evolve(tmp_path, whole=False, n_strategies=8, n_generations=1, **options)

    shown = invoke("demo", "--seed", "1").stdout
    assert f"of {players}. Your opening hand" in shown
    assert all(card in shown for card in kingdom.cards)
    assert "The game is over" in invoke("demo", "--seed", "1", "--watch").stdout
    assert "of 4. Your opening hand" in invoke("demo", "--seed", "1", "--players", "4").stdout


def test_opponents_may_be_of_a_run_which_decides_the_table_or_in_a_file(invoke, tmp_path):
    # A run named like a baseline.
    evolve(tmp_path, "random", whole=False, n_strategies=8, n_generations=1, players=2, model="buy-list")
    for named in (("--opponent", "random:2"), ("random", "--opponent", "big-money")):
        assert "You are P1 of 2." in invoke(*named, "--seat", "1", "--seed", "1").stdout
    file = tmp_path / "mine.toml"
    file.write_text('name = "Mine"\nbuy = ["Province", "Gold", "Silver"]\n')
    table = ("--opponent", "random:2", "--opponent", str(file), "--players", "3", "--seat", "1", "--seed", "1")
    shown = invoke(*table).stdout

    assert "P2 random:2" in shown
    assert "P3 Mine" in shown
    assert "The game is over" in invoke(*table[:-4], "--watch").stdout


def test_a_mixture_draws_one_strategy_for_a_game_by_the_seed(invoke, tmp_path):
    mix = {"lines": {"0": {"cell": 1}, "1": {"cell": 2}}, "mixture": {"0": 0.5, "1": 0.5}}
    resave(save_evolved(tmp_path), lambda last: replace(last, summary=last.summary | mix))
    games = "--watch", "--players", "2", "--seed", "1"
    shown = invoke("demo:mixture", *games).stdout
    assert "demo:mixture #2" in shown
    assert invoke("--opponent", "demo:mixture", *games).stdout == shown
    contest = CliRunner().invoke(
        match, ["demo:mixture", "demo", "--games", "8", "--data-dir", str(tmp_path), "--quiet"]
    )
    assert "demo:mixture" in contest.stdout


def test_a_game_is_left_continued_by_its_name_and_replaced_only_if_asked(invoke):
    assert "\n  evodom play big-money --continue" in invoke(*BIG_MONEY, lines="1\nquit\n").stdout
    named = (*BIG_MONEY, "--save", "first-try")
    assert "evodom play first-try --continue" in invoke(*named, lines="2\nquit\n").stdout
    continued = invoke("--continue", lines="log\n").stdout
    assert "buy Silver" in continued
    assert "--opponent big-money --seed 3" in continued
    assert "buy Copper" in invoke("big-money", "--continue", lines="log\n").stdout

    assert "a game named 'first-try' is saved" in str(invoke(*named, lines="1\nquit\n").exception)
    invoke(*named, "--overwrite", lines="quit\n")
    assert "buy Silver" in invoke("first-try", "--continue", lines="log\n").stdout
    invoke(*named, "--overwrite", lines="1\nquit\n")
    assert "buy Copper" in invoke("first-try", "--continue", lines="log\n").stdout


def test_the_list_tells_all_saved_games(invoke):
    assert "No games in" in invoke("--list").stderr
    invoke(*BIG_MONEY, lines="2\nquit\n")
    invoke("--opponent", "random", "--players", "2", "--seed", "3", "--save", "other", lines="2\nquit\n")
    header, *rows = invoke("--list").stdout.splitlines()
    assert header.split() == ["game", "stage", "last", "played", "players"]
    assert [row.split()[0] for row in rows] == ["other", "big-money"]
    assert rows[0].split()[1:3] == ["turn", "2"]
    assert max(map(len, rows)) <= 80
    found = json.loads(invoke("--list", "--json").stdout)
    assert [(game["name"], game["over"]) for game in found] == [("other", False), ("big-money", False)]


def test_watching_prints_every_turn_and_the_end(invoke):
    shown = invoke(*BIG_MONEY, "--watch").stdout
    assert "Turn 1 (12 Provinces left)\nbig-money #1: $" in shown
    assert re.search(r"^The game is over: .*\n1\. ", shown, re.MULTILINE)
    assert "You" not in shown


def begin(folder, lines):
    return CliRunner().invoke(play, [*BIG_MONEY, "--data-dir", str(folder)], input=lines)


def test_the_first_screen_of_a_first_game_has_the_aim_and_the_end_of_the_game_in_two_lines(tmp_path):
    shown = begin(tmp_path, "2\n").stdout.split("\n")
    place = shown.index("Aim: most victory points (VP) in your cards. Province 6, Duchy 3, Estate 1.")
    assert shown[place + 1] == "The game ends after a turn that leaves no Province or 3 empty piles."
    assert place < 20


def test_an_earlier_game_is_told_of_at_the_start_and_stays(tmp_path):
    assert "A game is saved" not in begin(tmp_path, "2\n").stdout
    second = begin(tmp_path, "1\n").stdout
    assert "A game is saved: big-money (turn 2)." in second
    assert "The game is saved as 'big-money-2'." in " ".join(second.split())
    kept = {path.stem: json.loads(path.read_text())["choices"] for path in (tmp_path / "games").iterdir()}
    assert kept == {"big-money": ["Silver"], "big-money-2": ["Copper"]}


@pytest.mark.parametrize(("answer", "goes_on"), [("y", True), ("", False), ("n", False), ("big-money", True)])
def test_who_types_is_asked_whether_to_go_on_with_an_earlier_game(tmp_path, monkeypatch, answer, goes_on):
    begin(tmp_path, "2\n")
    monkeypatch.setattr("evodom.cli.play.is_terminal", lambda stream: True)
    monkeypatch.setenv("NO_COLOR", "1")
    unclear = answer not in ("y", "", "n")
    lines = iter([answer, *(["what", "Y"] if unclear else []), "log", "quit"])
    monkeypatch.setattr("evodom.cli.sessions.read_line", lambda prompt: next(lines))
    shown = begin(tmp_path, "").stdout

    assert "A game is saved: big-money (turn 2" in shown
    assert ("buy Silver" in shown) == goes_on
    assert shown.count("Type y to continue that game, or press Enter for a new game.") == 2 * unclear
    assert ("The other game stays saved" in " ".join(shown.split())) != goes_on


def test_the_end_of_the_input_where_a_game_is_offered_is_no_failure(tmp_path, monkeypatch):
    def ended(prompt):
        raise EOFError

    begin(tmp_path, "2\n")
    monkeypatch.setattr("evodom.cli.play.is_terminal", lambda stream: True)
    monkeypatch.setattr("evodom.cli.sessions.read_line", ended)
    result = begin(tmp_path, "")
    assert (result.exit_code, result.exception) == (0, None)
    assert [path.name for path in (tmp_path / "games").iterdir()] == ["big-money.json"]


@pytest.fixture
def quick(monkeypatch):
    """Use a small network, and few playouts."""
    ship(monkeypatch, 20)


@pytest.mark.full
def test_a_game_against_one_that_thinks_is_played_and_reviewed(quick, invoke, tmp_path):
    # Without Attacks each question to the player can be passed, whatever the opponent finds in its time.
    kingdom = "Cellar, Chapel, Festival, Laboratory, Market, Mine, Moat, Smithy, Village, Workshop"
    given = ("--kingdom", kingdom, "--players", "2", "--seat", "1", "--seed", "3")
    game = invoke("--opponent", "network:0.01s", *given, lines="0\n" * 500)
    assert game.exit_code == 0
    assert "The game is over" in game.stdout
    assert "evodom play network-0-01s --review --data-dir" in game.stdout

    found = invoke("--review", "--save", str(tmp_path / "chances.svg"))

    assert found.exit_code == 0
    assert "choices w" in found.stdout
    assert "at the end:" in found.stdout
    picture = (tmp_path / "chances.svg").read_text()
    assert "network:0.01s" in picture
    assert "exists. Replace it" in str(invoke("--review", "--save", str(tmp_path / "chances.svg")).exception)
    assert (tmp_path / "chances.svg").read_text() == picture


def test_a_saved_game_is_reviewed_as_it_stands_and_can_be_continued(quick, invoke):
    invoke("--opponent", "network", "--players", "2", "--seat", "1", "--seed", "3", lines="Silver\nquit\n")

    assert "by your turns 1 to 2, now:" in invoke("--review").stdout
    assert "Turn 2" in invoke("--continue").stdout
    again = invoke("--from-turn", "1", lines="Copper\nlog\n").stdout
    assert "buy Silver" not in again
    assert "buy Copper" in again
    assert "evodom play network-2 --continue" in again
    assert str(invoke("--from-turn", "7").exception) == "turn 7 is not among the turns with a choice of yours: 1 to 1."
    assert "buy Silver" in invoke("network", "--continue", lines="log\n").stdout


def test_the_kingdom_may_be_that_of_an_answer(invoke, monkeypatch):
    named = SimpleNamespace(kingdom=Kingdom(("Chapel", "Witch", "Gardens")))
    monkeypatch.setattr("evodom.matches.entrants.find_answer", lambda word, root: named if word == "old" else None)
    shown = invoke(*BIG_MONEY, "--kingdom", "old", lines="supply\n").stdout
    assert {"Chapel", "Witch", "Gardens"} <= set(shown.split())
    assert "Cellar" not in shown
    unknown = invoke(*BIG_MONEY, "--kingdom", "older").exception
    assert (type(unknown), "older" in str(unknown)) == (UsageError, True)


def test_opponents_are_named_in_the_help():
    option = next(parameter for parameter in play.params if parameter.name == "opponents")
    assert all(name in option.help for name in BASELINES)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [(None, "standings:"), ("\xfc\nsilver\n", "is no card here and no command")],
    ids=["closed", "bytes"],
)
def test_a_closed_stdin_is_the_end_and_input_that_the_encoding_does_not_know_is_replaced(
    tmp_path, monkeypatch, typed, shown
):
    monkeypatch.setattr(sys, "stdin", None if typed is None else io.TextIOWrapper(io.BytesIO(typed.encode()), "ascii"))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), "ascii"))
    monkeypatch.setattr(sys, "argv", ["evodom", "play", *BIG_MONEY, "--quiet", "--data-dir", str(tmp_path)])

    with pytest.raises(SystemExit) as ended:
        main()
    sys.stdin.close()

    assert ended.value.code == 0
    assert shown in sys.stdout.buffer.getvalue().decode("ascii")


@pytest.mark.parametrize(
    ("environment", "clears", "colour"),
    [({}, True, True), ({"NO_COLOR": "1"}, True, False), ({"TERM": "dumb"}, False, False)],
    ids=str,
)
def test_screens_and_colours_are_for_terminals_that_have_them(monkeypatch, environment, clears, colour):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr("evodom.cli.sessions.is_terminal", lambda stream: True)
    for name, value in ({"TERM": "xterm"} | environment).items():
        monkeypatch.setenv(name, value)

    console = make_console()
    assert (console.clear is not None, console.colour) == (clears, colour)


@pytest.mark.skipif(os.name != "posix" or not COMPILED, reason="needs a terminal and compiled kernels")
def test_a_real_terminal_has_coloured_screens_and_ctrl_c_ends_them_cleanly(tmp_path):
    pty = pytest.importorskip("pty")
    fd, slave = pty.openpty()
    environment = os.environ | {"TERM": "xterm-256color", "LINES": "24", "COLUMNS": "80"}
    environment.pop("NO_COLOR", None)
    command = [sys.executable, "-m", "evodom", "play", *BIG_MONEY, "--data-dir", str(tmp_path)]
    with subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment, close_fds=True) as process:
        os.close(slave)
        shown = read_until(fd, "> ")
        assert "\x1b[2J" in shown or "\x1b[H" in shown
        assert "\x1b[33mCopper\x1b[0m" in shown
        os.write(fd, b"2\n")
        assert "\x1b[2J" in (shown := read_until(fd, "> ")) or "\x1b[H" in shown
        end = ""
        while not end and process.poll() is None:  # once more if it came just before the program began to wait
            process.send_signal(signal.SIGINT)
            end = read_until(fd, "--continue\r\n", seconds=3)
        assert "standings:" in end
        assert "Traceback" not in end
        os.close(fd)
    assert process.returncode == 130


def read_until(fd, end, seconds=60):
    """Return what a terminal shows up to ``end``, or the end of the program."""
    shown, deadline = "", time.monotonic() + seconds
    while not shown.endswith(end) and time.monotonic() < deadline:
        if select.select([fd], [], [], 0.1)[0]:
            try:
                shown += os.read(fd, 65536).decode()
            except OSError:  # Linux: the other end is closed
                break
    return shown


@pytest.mark.parametrize("words", [("demo",), ("--opponent", "demo"), ("demo", "--opponent", "random")])
def test_a_game_against_a_run_has_its_size_and_says_another(invoke, tmp_path, words):
    save_evolved(tmp_path)
    for given, n in ((), 4), (("--players", "2"), 2):
        shown = invoke(*words, *given, "--seat", "1", "--seed", "1", lines="quit\n").stdout
        assert f"You are P1 of {n}" in shown
        assert ("demo was made for 4 players; this game has 2." in shown) == (n == 2)
