"""`evodom play`: options, reviews, exit codes, and a real terminal."""

import json
import os
import re
import select
import shlex
import signal
import subprocess
import sys
import time

import pytest
from click import Context
from click.testing import CliRunner

from evodom.cli.common import workers
from evodom.cli.play import play
from evodom.dominion.kingdom import parse_kingdom
from evodom.dominion.strategies.baselines import BASELINES
from evodom.jit.kernel import COMPILED
from tests.networks import network
from tests.saved import evolve
from tests.sessions.helpers import write_signed


@pytest.fixture
def invoke(tmp_path):
    def run(*arguments, lines=""):
        return CliRunner().invoke(play, [*arguments, "--data-dir", str(tmp_path), "--quiet"], input=lines)

    return run


BIG_MONEY = ("--opponent", "big-money", "--seed", "3")


def test_a_game_from_a_pipe_ends_with_the_input(invoke):
    result = invoke(*BIG_MONEY, lines="0\n0\n")
    assert result.exit_code == 0
    assert "The game is not over" in result.stdout
    assert "\x1b" not in result.stdout


def test_the_same_seed_and_the_same_lines_give_the_same_game(invoke):
    named = (*BIG_MONEY, "--save", "mine", "--overwrite")
    assert invoke(*named, lines="2\n2\n").stdout == invoke(*named, lines="2\n2\n").stdout


def test_the_last_lines_say_how_to_play_the_same_game_again(invoke, tmp_path):
    first = invoke("--opponent", "big-money", "--players", "3", lines="2\n")
    command = re.search(r"^  evodom play (.*--seed .*)$", first.stdout, re.MULTILINE)[1]
    assert "--opponent big-money --players 3" in command
    again = CliRunner().invoke(play, [*command.split(), "--quiet"], input="2\n").stdout
    # Lines break elsewhere, as the second game has a longer name.
    assert "".join(again.split()).replace("big-money-2", "big-money") == "".join(first.stdout.split())


def test_opponents_are_repeated_to_fill_the_seats(invoke):
    shown = invoke("--opponent", "random", "--opponent", "big-money", "--seat", "1", "--seed", "1").stdout
    for label in ("P2 random #1", "P3 big-money", "P4 random #2"):
        assert label in shown


@pytest.mark.parametrize(("seat", "players"), [("1", "2"), ("2", "2"), ("6", "6")])
def test_the_person_sits_where_asked(invoke, seat, players):
    assert f"You are P{seat} of {players}." in invoke(*BIG_MONEY, "--seat", seat, "--players", players).stdout


def test_the_seat_follows_from_the_seed(invoke):
    seats = {
        re.search(r"You are P(\d)", invoke("--opponent", "big-money", "--seed", str(n)).stdout)[1] for n in range(9)
    }
    assert len(seats) > 1


def test_a_game_is_left_and_continued(invoke):
    left = invoke(*BIG_MONEY, lines="2\nquit\n")
    assert "\n  evodom play big-money --continue" in left.stdout
    continued = invoke("--continue", lines="log\n").stdout
    assert "buy Silver" in continued
    assert "--opponent big-money --seed 3" in continued


@pytest.mark.parametrize("players", ["2", "6"])
def test_baselines_are_played_in_any_kingdom_by_any_number(invoke, players):
    table = ("--opponent", "big-money", "--kingdom", "Feast", "--first-edition", "--players", players, "--seed", "3")
    shown = invoke(*table).stdout

    assert f"of {players}. Your opening hand" in shown
    cards = parse_kingdom("Feast", seed=3, first_edition=True).cards
    assert all(card in shown for card in cards)
    command = re.search(r"^  evodom (play .*?)( --data-dir .*)$", shown, re.MULTILINE)[1]
    assert invoke(*shlex.split(command)[1:]).stdout == shown


@pytest.mark.parametrize("players", [2, 6])
def test_a_run_is_played_in_its_kingdom_by_as_many_as_it_was_evolved_for(invoke, tmp_path, players):
    kingdom = parse_kingdom("random", seed=players, first_edition=True)
    options = {"players": players, "kingdom": kingdom, "rivals": ("big-money",)}
    evolve(tmp_path, whole=False, n_strategies=8, n_generations=1, **options)

    shown = invoke("demo", "--seed", "1").stdout
    assert f"of {players}. Your opening hand" in shown
    assert all(card in shown for card in kingdom.cards)
    assert "The game is over" in invoke("demo", "--seed", "1", "--watch").stdout
    assert "of 4. Your opening hand" in invoke("demo", "--seed", "1", "--players", "4").stdout


@pytest.fixture
def saved(tmp_path):
    """Save a run `random`, named like a baseline, for two players."""
    evolve(tmp_path, "random", whole=False, n_strategies=8, n_generations=1, players=2, model="buy-list")


def test_opponents_may_be_of_a_run_or_in_a_file(invoke, saved, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('name = "Mine"\nbuy = ["Province", "Gold", "Silver"]\n')
    table = ("--opponent", "random:2", "--opponent", str(file), "--players", "3", "--seat", "1", "--seed", "1")
    shown = invoke(*table).stdout

    assert "P2 random:2" in shown
    assert "P3 Mine" in shown
    assert "The game is over" in invoke(*table[:-4], "--watch").stdout


def test_opponents_from_a_run_decide_the_table_as_the_run_itself_does(invoke, saved):
    assert "You are P1 of 2." in invoke("--opponent", "random:2", "--seat", "1", "--seed", "1").stdout
    assert "You are P1 of 2." in invoke("random", "--opponent", "big-money", "--seat", "1", "--seed", "1").stdout


def test_a_game_is_saved_and_continued_by_its_name(invoke):
    left = invoke(*BIG_MONEY, "--save", "first-try", lines="2\nquit\n")
    assert "evodom play first-try --continue" in left.stdout
    invoke(*BIG_MONEY, lines="1\nquit\n")
    assert "buy Silver" in invoke("first-try", "--continue", lines="log\n").stdout
    assert "buy Copper" in invoke("big-money", "--continue", lines="log\n").stdout


def test_a_saved_game_is_replaced_only_if_asked(invoke):
    named = (*BIG_MONEY, "--save", "mine")
    invoke(*named, lines="2\nquit\n")
    assert "a game named 'mine' is saved" in str(invoke(*named, lines="1\nquit\n").exception)
    invoke(*named, "--overwrite", lines="quit\n")
    assert "buy Silver" in invoke("mine", "--continue", lines="log\n").stdout
    invoke(*named, "--overwrite", lines="1\nquit\n")
    assert "buy Copper" in invoke("mine", "--continue", lines="log\n").stdout


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


def test_jobs_are_the_threads_of_a_game(invoke, monkeypatch):
    asked = []
    monkeypatch.setattr("evodom.cli.play.workers", lambda jobs: (asked.append(jobs), workers(jobs))[1])
    invoke(*BIG_MONEY, "--jobs", "1", lines="quit\n")
    assert asked == [1]


def test_games_of_earlier_versions_go_on(invoke, tmp_path):
    invoke(*BIG_MONEY, lines="2\nquit\n")
    saved = tmp_path / "games" / "big-money.json"
    content = json.loads(saved.read_text())
    del content["turn"], content["over"]
    write_signed(saved.with_name("_baselines.json"), content)
    saved.unlink()

    assert "buy Silver" in invoke("--continue", lines="log\n").stdout
    assert "buy Silver" in invoke("baselines", "--continue", lines="1\nlog\nquit\n").stdout
    assert [path.name for path in saved.parent.iterdir()] == ["_baselines.json"]


def test_watching_prints_every_turn_and_the_end(invoke):
    shown = invoke(*BIG_MONEY, "--watch").stdout
    assert "Turn 1 (12 Provinces left)\nbig-money #1: $" in shown
    assert re.search(r"^The game is over: .*\n1\. ", shown, re.MULTILINE)
    assert "You" not in shown


def test_ctrl_c_exits_with_130_and_saves(invoke, tmp_path, monkeypatch):
    lines = iter(["2"])

    def read(prompt):
        for line in lines:
            return line
        raise KeyboardInterrupt

    monkeypatch.setattr("evodom.cli.sessions.read_line", read)
    result = invoke(*BIG_MONEY)
    assert result.exit_code == 130
    assert json.loads((tmp_path / "games" / "big-money.json").read_text())["choices"] == ["Silver"]


def begin(folder, lines):
    return CliRunner().invoke(play, [*BIG_MONEY, "--data-dir", str(folder)], input=lines)


def test_an_earlier_game_is_told_of_at_the_start_and_stays(tmp_path):
    assert "A game is saved" not in begin(tmp_path, "2\n").stdout
    second = begin(tmp_path, "1\n").stdout
    assert "A game is saved: big-money (turn 2)." in second
    assert "The game is saved as 'big-money-2'." in " ".join(second.split())
    kept = {path.stem: json.loads(path.read_text())["choices"] for path in (tmp_path / "games").iterdir()}
    assert kept == {"big-money": ["Silver"], "big-money-2": ["Copper"]}


@pytest.mark.parametrize(("answer", "goes_on"), [("y", True), ("", False), ("n", False)])
def test_who_types_is_asked_whether_to_go_on_with_an_earlier_game(tmp_path, monkeypatch, answer, goes_on):
    begin(tmp_path, "2\n")
    monkeypatch.setattr("evodom.cli.play.is_terminal", lambda stream: True)
    monkeypatch.setenv("NO_COLOR", "1")
    lines = iter([answer, "log", "quit"])
    monkeypatch.setattr("evodom.cli.sessions.read_line", lambda prompt: next(lines))
    shown = begin(tmp_path, "").stdout

    assert "A game is saved: big-money (turn 2" in shown
    assert ("buy Silver" in shown) == goes_on
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
    monkeypatch.setattr("evodom.entrants.shipped_weights", network)
    monkeypatch.setattr("evodom.sessions.review.preferred_weights", network)
    for name in ("PLAYOUTS", "RECHECK_PLAYOUTS", "CHANCES_PLAYOUTS", "EFFECTS_PLAYOUTS"):
        monkeypatch.setattr(f"evodom.matches.playout_search.{name}", 20)


def test_a_game_against_one_that_thinks_is_played_and_reviewed(quick, invoke, tmp_path):
    game = invoke("--opponent", "network:0.01s", "--players", "2", "--seat", "1", "--seed", "3", lines="0\n" * 150)
    assert game.exit_code == 0
    assert "The game is over" in game.stdout
    assert "evodom play network-0-01s --review --data-dir" in game.stdout

    found = invoke("--review", "--plot", str(tmp_path / "chances.svg"))

    assert found.exit_code == 0
    assert "choices w" in found.stdout
    assert "at the end:" in found.stdout
    assert "network:0.01s" in (tmp_path / "chances.svg").read_text()


def test_a_saved_game_is_reviewed_as_it_stands_and_can_be_continued(quick, invoke):
    invoke("--opponent", "network", "--players", "2", "--seat", "1", "--seed", "3", lines="Silver\nquit\n")

    assert "by your turns 1 to 2, now:" in invoke("--review").stdout
    assert "Turn 2" in invoke("--continue").stdout


def test_opponents_are_named_in_the_help_and_completed():
    option = next(parameter for parameter in play.params if parameter.name == "opponents")
    assert all(name in option.help for name in BASELINES)
    found = option.type.shell_complete(Context(play), option, "big-money-")
    assert [item.value for item in found] == [name for name in BASELINES if name.startswith("big-money-")]


def run_play(folder, *arguments, **options):
    """Run the command in a process of its own, for what a runner inside this one cannot show."""
    command = [sys.executable, "-m", "evodom", "play", *BIG_MONEY, "--quiet", "--data-dir", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, timeout=300, check=False, **options)


@pytest.mark.skipif(os.name != "posix" or not COMPILED, reason="needs a shell and compiled kernels")
def test_a_closed_stdin_is_the_end_of_the_input(tmp_path):
    ended = run_play(tmp_path, preexec_fn=lambda: os.close(0))
    assert ended.returncode == 0
    assert b"standings:" in ended.stdout
    assert b"Traceback" not in ended.stderr


@pytest.mark.skipif(not COMPILED, reason="needs compiled kernels")
def test_input_that_the_encoding_does_not_know_is_replaced(tmp_path):
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    ended = run_play(tmp_path, input="\xfc\nsilver\n".encode(), env=environment)
    assert ended.returncode == 0
    assert b"is no card here and no command" in ended.stdout
    assert b" --continue" in ended.stdout
    assert b"Traceback" not in ended.stderr


class Terminal:
    """evodom play in a pseudo-terminal of 24 lines and 80 columns."""

    def __init__(self, folder, *arguments, term="xterm-256color"):
        pty = pytest.importorskip("pty")
        self.fd, slave = pty.openpty()
        environment = os.environ | {"TERM": term, "EVODOM_DATA_DIR": str(folder), "LINES": "24", "COLUMNS": "80"}
        environment.pop("NO_COLOR", None)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "evodom", "play", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            close_fds=True,
        )
        os.close(slave)

    def read_until(self, *ends, seconds=60):
        """Return what is shown up to one of the ``ends``, or the end of the program."""
        shown, deadline = "", time.monotonic() + seconds
        while not shown.endswith(ends) and time.monotonic() < deadline:
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    shown += os.read(self.fd, 65536).decode()
                except OSError:  # Linux: the other end is closed
                    break
        return shown

    def type(self, line):
        os.write(self.fd, f"{line}\n".encode())
        return self.read_until("> ")

    def interrupt(self, *ends):
        """Press Ctrl-C; once more, as a person would, if it came just before the program began to wait for a line."""
        shown = ""
        for _ in range(5):
            if shown or self.process.poll() is not None:
                break
            self.process.send_signal(signal.SIGINT)
            shown = self.read_until(*ends, seconds=3)
        return shown

    def close(self):
        os.close(self.fd)
        return self.process.wait(20)


@pytest.fixture
def terminal(tmp_path):
    opened = []

    def start(*arguments, **options):
        opened.append(Terminal(tmp_path, *arguments, **options))
        return opened[-1]

    yield start
    for each in opened:
        if each.process.poll() is None:
            each.process.kill()
            each.close()


needs_terminal = pytest.mark.skipif(os.name != "posix" or not COMPILED, reason="needs a terminal and compiled kernels")


@needs_terminal
def test_a_whole_game_in_a_real_terminal(terminal):
    game = terminal(*BIG_MONEY)
    shown = game.read_until("> ")
    assert "\x1b[2J" in shown or "\x1b[H" in shown
    assert "\x1b[33mCopper\x1b[0m" in shown
    n_screens = 0
    while shown.endswith("> ") and n_screens < 200:
        visible = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown).splitlines()
        assert len(visible) <= 25  # the echo of the line before is cleared with the old screen
        if "y = yes, Enter = no" in shown:
            break
        shown = game.type("0")
        n_screens += 1
    assert "The game is over" in shown
    assert "\x1b[33mCopper\x1b[0m" in shown
    game.type("")
    assert game.close() == 0


@needs_terminal
def test_a_dumb_terminal_gets_plain_text_and_ctrl_c_is_clean(terminal):
    game = terminal(*BIG_MONEY, term="dumb")
    shown = game.read_until("> ") + game.type("2")
    assert "\x1b" not in shown
    end = game.interrupt("--continue\r\n")
    assert "standings:" in end
    assert "Traceback" not in end
    assert game.close() == 130
