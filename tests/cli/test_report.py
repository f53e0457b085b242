"""`evodom report` tells what a run has found, as text or as JSON."""

import io
import json
import shlex
import sys

import pytest
from click.testing import CliRunner

from evodom.cli import main
from evodom.cli.report import report
from evodom.errors import UsageError
from tests.saved import evolve

QUICK = ("--evaluation-games", "1000", "--best-response-games", "48")


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    root = tmp_path_factory.mktemp("data")
    evolve(root, n_strategies=8, n_generations=2, model="buy-list")  # such games are short
    return root


@pytest.fixture
def invoke(root):
    def run(*arguments, charset="utf-8"):
        return CliRunner(charset=charset).invoke(report, ["--data-dir", str(root), *QUICK, *arguments])

    return run


@pytest.fixture(scope="module")
def told(root):
    """Return the report as it is told without further options."""
    result = CliRunner().invoke(report, ["--data-dir", str(root), *QUICK, "demo", "--quiet"])
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


@pytest.fixture(scope="module")
def by_jobs(root, tmp_path_factory):
    """Return the JSON and the page of the report, made at once, by one thread and by three."""
    found = []
    for jobs in ("1", "3"):
        page = tmp_path_factory.mktemp("pages") / "page.html"
        given = ["--data-dir", str(root), *QUICK, "demo", "--json", "--html", str(page), "--jobs", jobs]
        found.append((CliRunner().invoke(report, given).stdout, page.read_text()))
    return found


def test_the_report_is_on_stdout_and_nothing_else(told):
    title, line = told.splitlines()[:2]
    assert "demo" in title
    assert line == "=" * len(title)


def test_the_command_in_the_last_line_gives_the_same_report(told, root):
    first = told
    command = "evodom report" + first.replace("\\\n", "").rpartition("evodom report")[2]
    assert (
        shlex.split(command)
        == f"evodom report demo --evaluation-games 1000 --seed 3 --best-response-games 48 --data-dir {root}".split()
    )
    assert CliRunner().invoke(report, shlex.split(command)[2:]).stdout == first


def test_a_closed_stderr_is_no_failure(root, told, monkeypatch):
    # Python has None in its place.
    monkeypatch.setattr(sys, "stderr", None)
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), "utf-8"))
    monkeypatch.setattr(sys, "argv", ["evodom", "report", "demo", *QUICK, "--data-dir", str(root)])

    with pytest.raises(SystemExit) as ended:
        main()
    sys.stderr.close()

    assert ended.value.code == 0
    assert sys.stdout.buffer.getvalue().decode() == told


def test_json_has_all_of_the_report_for_any_number_of_jobs(by_jobs):
    results, pages = zip(*by_jobs, strict=True)
    assert results[1] == results[0]
    assert pages[1] == pages[0]
    assert pages[0].startswith("<!DOCTYPE html>")
    found = json.loads(results[0], parse_constant=pytest.fail)
    names = "command games seed run champions champion purchases baselines best_games turns generations best_purchases"
    assert (
        " ".join(found)
        == f"{names} hall_of_fame lineage sample strategies best_response search archive mistakes mixture"
    )
    assert found["best_response"]["n_games"] == 48
    assert 0 <= found["best_response"]["wins"]["low"] <= found["best_response"]["wins"]["share"] <= 1


def test_nobody_is_set_on_the_champion_without_an_attack_nor_a_folder_named_that_was_not_given(root, monkeypatch):
    compiled = []
    monkeypatch.setattr("evodom.cli.report.ensure_compiled", lambda *names, quiet: compiled.extend(names))
    monkeypatch.setenv("EVODOM_DATA_DIR", str(root))
    result = CliRunner().invoke(report, ["demo", "--evaluation-games", "1000", "--best-response-games", "0"])

    assert compiled == ["games", "single games", "search"]
    assert result.exit_code == 0
    assert "A learner that plays" not in result.stdout
    assert result.stdout.endswith("--evaluation-games 1000 --seed 3 --best-response-games 0\n")


def test_the_page_and_the_tables_are_written_beside_the_text_and_what_was_learned_is_not_learned_again(
    invoke, told, tmp_path, monkeypatch
):
    monkeypatch.setattr("evodom.reports.cached.measure_best_response", pytest.fail)
    result = invoke("demo", "--html", str(tmp_path / "demo.html"), "--csv", str(tmp_path / "tables"))
    page = (tmp_path / "demo.html").read_text()

    assert result.stdout == told
    assert page.startswith("<!DOCTYPE html>")
    assert all("48 games" in " ".join(text.replace("\u00a0", " ").split()) for text in (told, page))
    assert len(list((tmp_path / "tables").glob("*.csv"))) == 13
    assert str(tmp_path / "demo.html") in result.stderr


def test_what_exists_is_replaced_only_when_asked(invoke, tmp_path):
    page, table = tmp_path / "page.html", tmp_path / "progress.csv"
    for file in (page, table):
        file.write_text("mine")

    refused = invoke("demo", "--csv", str(tmp_path)).exception
    assert isinstance(refused, UsageError)
    assert str(refused) == f"{table} exists. Replace it with --overwrite, or choose another file."
    assert table.read_text() == "mine"

    assert invoke("demo", "--html", str(page), "--csv", str(tmp_path), "-o").exit_code == 0
    assert all(file.read_text() != "mine" for file in (page, table))


def test_a_stdout_without_block_characters_gets_text_without_them(invoke, told):
    assert not told.isascii()
    assert invoke("demo", charset="ascii").stdout.isascii()
