"""`evodom advise`: what it answers, saves and refuses."""

import json
import os
import shlex
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

SMALL = ("--nstrat", "8", "--games", "100", "--seed", "3", "--ngen", "2")
WITCHES = "chapel,witch,village,smithy,moat,gardens,laboratory,festival,militia,remodel"


@pytest.fixture
def invoke(tmp_path):
    def run(*arguments, root=tmp_path):
        return CliRunner().invoke(advise, [*arguments, "--data-dir", str(root), "--quiet"])

    return run


def answered(invoke, *arguments, **more):
    """Return the answer without the fields that differ between equal answers."""
    told = json.loads(invoke(*SMALL, *arguments, "--json", **more).stdout)
    return {name: value for name, value in told.items() if name not in ("seconds", "command", "play")}


def test_the_answer_is_one_screen_with_all_that_was_asked_for(invoke):
    result = invoke(*SMALL, "--kingdom", WITCHES)

    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert len(lines) <= 34
    # Commands are as long as they are: a shell takes one line only.
    assert max(len(line) for line in lines if ": evodom " not in line) <= 80
    for part in ("Buy the first of these", "Greening", "Ends with", "against big-money", "the runner-up", "Needs"):
        assert part in result.stdout
    assert "Open with 4/3" in result.stdout
    assert "Open with 5/2" in result.stdout
    assert lines[-1].startswith("Repeat: evodom advise --kingdom chapel,festival,")


def test_the_command_it_tells_repeats_the_answer(invoke, tmp_path):
    first = invoke(*SMALL, "--json")
    words = shlex.split(json.loads(first.stdout)["command"])[2:]

    again = CliRunner().invoke(advise, [*words, "--data-dir", str(tmp_path / "elsewhere"), "--quiet", "--json"])

    one, other = (json.loads(each.stdout) for each in (first, again))
    for told in (one, other):
        del told["seconds"], told["command"], told["play"]
    assert one == other


def test_the_answer_does_not_depend_on_the_number_of_threads(invoke, tmp_path):
    one, three = (answered(invoke, "--jobs", jobs, root=tmp_path / jobs) for jobs in ("1", "3"))

    assert one == three


def test_asked_again_for_fewer_generations_it_answers_from_what_is_saved(invoke, tmp_path):
    before = answered(invoke)
    invoke(*SMALL[:-1], "4")

    assert answered(invoke) == before


def test_the_runs_are_saved_under_keys_that_other_commands_know(invoke, tmp_path):
    invoke(*SMALL, "--key", "mine")
    invoke(*SMALL)

    assert known_keys(tmp_path) == ["adviseFirstGamebuylist", "adviseFirstGamegraded", "minebuylist", "minegraded"]


def test_the_strategy_can_be_written_to_a_file_that_loads(invoke, tmp_path):
    file = tmp_path / "best.toml"
    told = answered(invoke, "--export", str(file))

    assert load_strategy(file).record(parse_kingdom("first-game")).kind > 0
    assert load_strategy(file).name == told["name"]


def test_at_tables_of_more_the_others_are_copies(invoke):
    shown_text = invoke(*SMALL, "--players", "3").stdout

    assert "Wins, % (par 33;" in shown_text
    assert "against 2 big-money" in shown_text


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


def test_another_seed_needs_overwrite(invoke):
    before = answered(invoke)

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
    while len(known_keys(tmp_path)) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)

    assert (process.returncode, output) == (130, "")
    assert "Stopped; all generations are saved. Go on with: evodom advise --kingdom first-game" in errors
    assert known_keys(tmp_path) == ["adviseFirstGamebuylist", "adviseFirstGamegraded"]


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
