"""`evodom compare`: what it prints, saves, refuses, and keeps when it is stopped."""

import json
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from evodom.comparison import run as running
from evodom.comparison.plan import ComparisonPlan
from evodom.comparison.run import carry_on, start
from evodom.evolution.options import Options
from evodom.runs import RunStore
from evodom.web.runs import described, listed
from evodom.web.site import Missing
from tests.cli.program import refusal, run_program
from tests.saved import contents

COMMON = {"ngen": 3, "nstrat": 8, "players": 2, "start": "random", "search-rounds": 0, "halving-games": 2}
MODELS = {"graded": {"model": "graded"}, "buy-list": {"model": "buy-list"}}


def write(folder, *, common=COMMON, settings=MODELS, **more):
    """Write a file of settings."""
    tables = {"common": common, **{f"settings.{name}": table for name, table in settings.items()}}
    lines = [f"{name} = {json.dumps(value)}" for name, value in ({"command": "evolve", "seeds": [1, 2]} | more).items()]
    for title, table in tables.items():
        lines += [f"[{title}]", *(f"{name} = {json.dumps(value)}" for name, value in table.items())]
    file = Path(folder, "models.toml")
    file.write_text("\n".join(lines))
    return str(file)


def compare(folder, file, *arguments):
    return run_program("compare", file, "--games", "20", *arguments, EVODOM_DATA_DIR=str(folder))


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """Return a folder with a finished comparison."""
    root = tmp_path_factory.mktemp("compared")
    result = compare(root, write(root), "--jobs", "1", "--quiet")
    assert (result.exit_code, result.stdout) == (0, "")
    return root


def test_the_report_has_the_settings_their_difference_and_their_curves(root, tmp_path):
    page, tables = tmp_path / "page.html", tmp_path / "tables"
    shown = compare(root, str(root / "models.toml"), "--html", str(page), "--csv", str(tables)).stdout
    found = json.loads(compare(root, str(root / "models.toml"), "--json").stdout)

    first, second = found["settings"]
    assert f"{first['name']} wins " in shown
    assert f"more than {second['name']}; p = " in " ".join(shown.split())
    assert "With 2 seeds it is at least 0.5." in " ".join(shown.split())
    assert max(map(len, shown.splitlines())) <= 80
    assert first["generations"] == [1, 2, 3]
    assert (
        first["wins"]["value"] == pytest.approx(sum(first["finals"]) / 2) == pytest.approx(first["curve"][-1]["value"])
    )
    (difference,) = found["differences"]
    assert difference["wins"]["value"] == pytest.approx(first["wins"]["value"] - second["wins"]["value"])
    assert page.read_text().count('class="band') == 2
    assert [path.name for path in sorted(tables.iterdir())] == [
        f"{name}.csv" for name in ("curves", "differences", "runs", "settings")
    ]
    assert len((tables / "curves.csv").read_text().splitlines()) == 1 + 2 * 3


def test_a_part_is_the_run_that_evolve_makes(root, tmp_path):
    options = [f"--{name}={value}" for name, value in COMMON.items()]
    run_program("evolve", "demo", *options, "--model=graded", "--seed", "2", EVODOM_DATA_DIR=str(tmp_path))

    assert contents(root, "models:graded-2") == contents(tmp_path)


def test_a_stopped_comparison_continues_with_more_jobs_and_ends_with_the_same_result(root, tmp_path, monkeypatch):
    file, calls = write(tmp_path), []

    def stopped(job):
        calls.append(job)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return compute(job)

    compute = running.compute_run
    with monkeypatch.context() as patch:
        patch.setattr(running, "compute_run", stopped)
        result = compare(tmp_path, file, "--jobs", "1")

    assert result.exit_code == 130
    assert f"Stopped; 2 of 4 runs are saved. Continue with: evodom compare {file}" in result.stderr
    finished = contents(tmp_path, "models:graded-1")
    with monkeypatch.context() as patch:
        patch.setattr("evodom.tasks.Processes", ThreadPoolExecutor)  # starts faster; tests/tasks has processes
        again = compare(tmp_path, file, "--jobs", "2", "--json")
    assert json.loads(again.stdout) == json.loads(compare(root, str(root / "models.toml"), "--json").stdout)
    assert contents(tmp_path, "models:graded-1") == finished
    with monkeypatch.context() as patch:
        patch.setattr(running, "compute_run", None)
        assert compare(tmp_path, file, "--jobs", "1", "--json").stdout == again.stdout


def test_runs_of_a_comparison_have_no_files_that_a_killed_process_would_leave(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    found, of = [], running.learning_curve
    monkeypatch.setattr(running, "learning_curve", lambda *asked: found.append([*tmp_path.rglob("*/*")]) or of(*asked))
    plan = ComparisonPlan.of("evolve", {"a": {1: Options(n_generations=2, n_strategies=8)}}, 4)

    with start("models", plan, store=RunStore(tmp_path)) as run:
        carry_on(run)

    assert [{path.name for path in files} for files in found] == [{"models.sqlite", "models.lock"}]


def test_a_comparison_is_exported_and_imported_with_its_runs_which_play(root, tmp_path):
    run_program("runs", "export", "models", str(tmp_path / "file"), EVODOM_DATA_DIR=str(root))
    imported = run_program("runs", "import", str(tmp_path / "file"), "--key", "copy", EVODOM_DATA_DIR=str(tmp_path))

    assert imported.exit_code == 0
    with RunStore(tmp_path).open("copy") as run:
        assert run.parts == ["buy-list-1", "buy-list-2", "graded-1", "graded-2"]
    assert listed(RunStore(tmp_path)) == []  # the pages have no view of a comparison
    with pytest.raises(Missing):
        described("copy", RunStore(tmp_path))
    match = ("match", "copy:graded-1", "copy:buy-list-1", "--games", "10", "--json")
    assert run_program(*match, EVODOM_DATA_DIR=str(tmp_path)).exit_code == 0
    other = run_program("play", "copy", EVODOM_DATA_DIR=str(tmp_path))
    assert "run 'copy' was compared, not evolved" in refusal(other)


REFUSED = [
    ({"command": "play"}, "command is 'play'. Allowed: one of evolve, train."),
    ({"seeds": [1]}, "seeds is [1]. Allowed: a list of 2 to 20 items."),
    ({"seeds": [1, 1]}, "seed 1 is given twice. Allowed: 2 to 20 different seeds."),
    ({"settings": {"graded": {}}}, "Allowed: 2 to 8 tables of options"),
    ({"settings": {"a_b": {}, "c": {}}}, "a setting is called 'a_b'. Allowed: 1 to 40 letters"),
    ({"common": {"ngen": 0}}, "setting graded: --ngen is 0. Allowed: 1 to 9,999."),
    ({"common": {"nge": 5}}, "setting graded: 'nge' is unknown. Allowed: switch-index, "),
    ({"common": {"seed": 5}}, "setting graded: 'seed' is unknown."),
    ({"common": {"ngen": True}}, "setting graded: ngen is True. Allowed: a text, a number, or a list of these."),
    ({"common": {"first-edition": 1}}, "setting graded: first-edition is 1. Allowed: true or false."),
    ({"common": {"model": "tree"}}, "setting graded: Invalid value for '--model': 'tree' is not one of"),
    ({"common": {"kingdom": "nowhere"}}, "no kingdom and no card named 'nowhere'."),
    ({"command": "train", "common": {"minutes": 1}}, "setting graded: 'minutes' is unknown."),
    (
        {"settings": {"two": {"players": 2}, "three": {"players": 3}}},
        "two and three differ in --players, but all settings play the same games. Give it in [common] only.",
    ),
]


@pytest.mark.parametrize(("change", "message"), REFUSED)
def test_a_wrong_file_is_refused_in_one_line(tmp_path, change, message):
    file = write(tmp_path, **{"common": {}, "settings": {name: {} for name in MODELS}} | change)

    error = refusal(compare(tmp_path, file))

    assert error.startswith(f"Error: {file}")
    assert message in error


def test_other_settings_under_a_used_key_are_refused(root, tmp_path):
    file = write(tmp_path, common=COMMON | {"ngen": 4})

    assert (
        "'models' was started with other settings: n_generations of graded is 3, and 4 is requested. Start again"
        in (refusal(compare(root, file)))
    )
    assert "comparison 'models' was started with other settings: --games is 20, and 30 is requested." in (
        refusal(compare(root, str(root / "models.toml"), "--games", "30"))
    )
