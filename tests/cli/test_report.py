"""`evodom report` tells what a run has found, as text or as JSON."""

import json
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from click.testing import CliRunner

from evodom.cli.report import report
from evodom.errors import RunError, UsageError
from evodom.evolution.options import Options
from evodom.evolution.run import Workers, carry_on, start


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    root = tmp_path_factory.mktemp("data")
    with ThreadPoolExecutor(1) as executor:
        workers = Workers(executor, 1)
        options = Options(n_strategies=8, n_generations=2)
        with start("demo", options, 3, root=root, overwrite=False, workers=workers) as run:
            carry_on(run, workers, lambda generation: None)
    return root


@pytest.fixture
def invoke(root):
    def run(*arguments, charset="utf-8"):
        return CliRunner(charset=charset).invoke(report, ["--data-dir", str(root), "--games", "1000", *arguments])

    return run


def test_the_report_is_on_stdout_and_nothing_else(invoke):
    result = invoke("demo", "--quiet")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("Report on run 'demo'\n")


def test_the_command_in_the_last_line_gives_the_same_report(invoke, root):
    first = invoke("demo").stdout
    command = first.split("Reproduce this with:")[1].replace("\\\n", "")
    assert shlex.split(command) == f"evodom report demo --games 1000 --seed 3 --data-dir {root}".split()
    assert CliRunner().invoke(report, shlex.split(command)[2:]).stdout == first


def test_the_command_names_no_data_folder_where_none_was_given(root, monkeypatch):
    monkeypatch.setenv("EVODOM_DATA_DIR", str(root))
    assert CliRunner().invoke(report, ["demo", "--games", "1000"]).stdout.endswith("--games 1000 --seed 3\n")


def test_a_closed_stderr_is_no_failure(root):
    command = f"{sys.executable} -m evodom report demo --games 1000 --data-dir {root} 2>&-"
    result = subprocess.run(["sh", "-c", command], check=False, capture_output=True, text=True)
    assert result.returncode == 0
    assert result.stdout.startswith("Report on run 'demo'\n")


def test_json_has_all_of_the_report_for_any_number_of_jobs(invoke):
    results = [invoke("demo", "--json", "--jobs", jobs).stdout for jobs in ("1", "2", "3")]
    assert results[1:] == results[:1] * 2
    found = json.loads(results[0], parse_constant=pytest.fail)
    assert list(found) == ["command", "games", "seed", "run", "fitness", "champion", "baselines", "table"]


def test_a_stdout_without_block_characters_gets_text_without_them(invoke):
    assert not invoke("demo").stdout.isascii()
    assert invoke("demo", charset="ascii").stdout.isascii()


def test_a_missing_run_is_an_error_of_one_line(invoke):
    error = invoke("nothing").exception
    assert isinstance(error, RunError)
    assert str(error) == "no run named 'nothing'. Known: demo. Start one with: evodom evolve nothing"


def test_a_bad_key_is_a_usage_error(invoke):
    assert isinstance(invoke("../demo").exception, UsageError)


@pytest.mark.parametrize("games", ["999", "1000001"])
def test_too_few_and_too_many_games_are_refused(invoke, games):
    result = invoke("demo", "--games", games)
    assert result.exit_code == 2
    assert "1000<=x<=1000000" in result.stderr
