"""`evodom advise`: what it answers, saves and refuses."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

from evodom.advice.search import default_key
from evodom.cli.advice_text import shown
from evodom.cli.advise import Clock, advise
from evodom.dominion.kingdom import parse_kingdom
from evodom.dominion.strategies.files import load_strategy
from evodom.errors import UsageError
from evodom.store import known_keys

DIFFERING = ("seconds", "command", "play")
SMALL = ("--learn", "2000", "--nstrat", "8", "--games", "100", "--seed", "3", "--ngen", "2")
WITCHES = "chapel,witch,village,smithy,moat,gardens,laboratory,festival,militia,remodel"


@pytest.fixture
def invoke(tmp_path):
    def run(*arguments, root=tmp_path):
        return CliRunner().invoke(advise, [*arguments, "--data-dir", str(root), "--quiet"])

    return run


def facts(result):
    """Return the answer without the fields that differ between equal answers."""
    return {name: value for name, value in json.loads(result.stdout).items() if name not in DIFFERING}


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """Return a data folder in which SMALL was asked, by one thread, and the answer."""
    root = tmp_path_factory.mktemp("asked")
    arguments = [*SMALL, "--json", "--jobs", "1", "--data-dir", str(root), "--quiet"]
    return root, CliRunner().invoke(advise, arguments)


@pytest.fixture
def before(asked, tmp_path):
    """Return that answer, and have a copy of that data folder in `tmp_path`."""
    root, result = asked
    shutil.copytree(root, tmp_path, dirs_exist_ok=True)
    return facts(result)


def test_the_answer_is_one_screen_with_all_that_was_asked_for(invoke):
    result = invoke(*SMALL, "--kingdom", WITCHES)

    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert len(lines) <= 30
    # Commands are as long as they are: a shell takes one line only.
    assert max(len(line) for line in lines if ": evodom " not in line) <= 80
    parts = (
        "Best  ",
        "Open  4/3",
        "5/2",
        "Deck",
        "Wins",
        "against big-money",
        "runner-up",
        "To follow by hand",
        "Hardest",
    )
    for part in (*parts, "Play against it: evodom play --opponent"):
        assert part in result.stdout
    assert lines[-1].startswith("Repeat: evodom advise --kingdom chapel,festival,")


def test_the_command_it_tells_repeats_the_answer_with_any_number_of_threads(asked, tmp_path):
    _, first = asked
    words = shlex.split(json.loads(first.stdout)["command"])[2:]

    elsewhere = ("--data-dir", str(tmp_path / "elsewhere"))
    again = CliRunner().invoke(advise, [*words, *elsewhere, "--jobs", "3", "--quiet", "--json"])

    assert facts(again) == facts(first)


def test_asked_again_for_fewer_generations_it_answers_from_what_is_saved(invoke, before):
    invoke(*SMALL[:-1], "4")

    assert facts(invoke(*SMALL, "--json")) == before


def test_the_runs_are_saved_under_keys_that_other_commands_know(invoke, before, tmp_path):
    invoke(*SMALL, "--key", "mine")

    assert known_keys(tmp_path) == [
        *("adviseFirstGamebuylist", "adviseFirstGamegraded", "adviseFirstGamenetwork"),
        *("minebuylist", "minegraded", "minenetwork"),
    ]


def test_the_strategy_can_be_written_to_a_file_that_loads(invoke, before, tmp_path):
    file = tmp_path / "best.toml"
    told = facts(invoke(*SMALL, "--export", str(file), "--json"))

    assert load_strategy(file).record(parse_kingdom("first-game")).kind > 0
    assert load_strategy(file).name == told["name"]


def test_at_tables_of_more_the_others_are_copies(invoke):
    shown_text = invoke(*SMALL, "--players", "3").stdout

    assert "(par 33," in shown_text
    assert "against 2 big-money" in " ".join(shown_text.split())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--minutes", "1", "--ngen", "2"), "--minutes and --ngen both say when to stop."),
        (("--nstrat", "10"), "--nstrat is 10. Allowed: 8 to 512, divisible by 4."),
        (("--export", "/no/such/folder/best.toml"), "there is no folder /no/such/folder."),
        (("--kingdom", "Nowhere"), "no kingdom and no card named 'Nowhere'."),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_played(invoke, arguments, said, tmp_path):
    result = invoke(*arguments)

    assert isinstance(result.exception, UsageError)
    assert said in str(result.exception)
    assert known_keys(tmp_path) == []


def test_another_seed_needs_overwrite(invoke, before):
    refused = invoke(*SMALL, "--seed", "4")
    assert "was evolved with seed 3, and --seed is 4" in str(refused.exception)

    anew = json.loads(invoke(*SMALL, "--seed", "4", "--overwrite", "--json").stdout)
    assert anew["seed"] == 4
    assert anew["against_big_money"] != before["against_big_money"]


def test_ctrl_c_saves_and_says_how_to_go_on(tmp_path):
    command = [sys.executable, "-m", "evodom", "advise", "--minutes", "3", "--seed", "1", "--nstrat", "8"]
    process = subprocess.Popen(
        command,
        env=os.environ | {"EVODOM_DATA_DIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 120
    while not known_keys(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)

    assert (process.returncode, output) == (130, "")
    assert "Stopped; all generations are saved. Go on with: evodom advise --kingdom first-game" in errors
    assert known_keys(tmp_path) == ["adviseFirstGamenetwork"]


def test_time_is_kept_for_measuring_but_no_more_than_half(monkeypatch):
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    clock = Clock(seconds=60.0, measured_games=1000)
    clock.start()
    now = 110.0
    clock.n_games = 1000  # 100 games a second, so that measuring takes 10 s

    assert clock.has_time(40.0)
    assert not clock.has_time(41.0)
    clock.n_games = 1
    assert clock.has_time(20.0)
    assert not clock.has_time(21.0)


def test_names_of_strategies_of_the_runs_are_short():
    key = default_key(parse_kingdom("first-game"), 2)

    assert [shown(f"{key}buylist:2"), shown(f"{key}graded:1"), shown("big-money")] == [
        "buy-list:2",
        "graded:1",
        "big-money",
    ]
