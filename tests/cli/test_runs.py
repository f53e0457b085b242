"""`evodom runs` lists, shows, exports, imports and deletes, with the same words on every way to it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner, Result

from evodom.advice.answer import PARTS
from evodom.cli import runs as command
from evodom.errors import RunError, UsageError
from evodom.runs import Generation, RunStore
from tests.crafted import save_evolved
from tests.saved import save_answer

META = {
    "options": {"n_strategies": 128, "kingdom": ["Cellar", "Moat"], "kingdom_name": "First Game", "players": 4},
    "seed": 7,
    "created": "2025-01-02T03:04:05+00:00",
    "versions": {"evodom": "0.1.0", "numpy": "2.2.0"},
}


@pytest.fixture(autouse=True)
def root(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("EVODOM_DATA_DIR", str(tmp_path))
    return tmp_path


def make_run(root: Path, key: str = "demo", meta: dict[str, object] = META) -> None:
    genomes, ranking = np.zeros(2, [("age", "<i4")]), np.arange(2, dtype=np.int32)
    generations = [Generation(i, genomes, ranking, {"best": 0.5 + i / 8, "games": 100}) for i in range(3)]
    RunStore(root).create(key, meta, generations).close()


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command.runs, [str(argument) for argument in arguments])


def test_runs_are_listed_as_a_table_and_as_json(root):
    make_run(root)
    make_run(root, "little", {})
    header, row, little = invoke().stdout.splitlines()
    assert header.split() == ["key", "generations", "strategies", "players", "kingdom", "seed", "last", "changed"]
    assert row.split()[:7] == ["demo", "3", "128", "4", "First", "Game", "7"]
    assert little.split()[:6] == ["little", "3", "-", "-", "-", "-"]
    listed, _ = json.loads(invoke("--json").stdout)
    assert (listed["key"], listed["n_generations"], listed["meta"]["seed"]) == ("demo", 3, 7)
    assert (listed["problem"], listed["modified"][10]) == (None, "T")


def test_no_line_of_the_list_is_wider_than_80_columns_and_no_key_is_cut(root):
    keys = ("first-game-3p", "chapel-1a2b3c4d-network", "k" * 64)
    options = META["options"] | {"kingdom_name": "Repetition (first edition)"}
    for key in keys:
        make_run(root, key, META | {"options": options, "seed": 2**63 - 1})
    lines = invoke().stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert all(any(line.split()[0] == key for line in lines) for key in keys)


def test_no_line_of_what_is_shown_is_wider_than_80_columns(root):
    genomes, ranking = np.zeros(2, [("age", "<i4")]), np.arange(2, dtype=np.int32)
    summary = {
        "origins": [[1, 2]] * 500,
        "wins": [0.123456789] * 500,
        "by_rival": {f"rival-{n}": n / 7 for n in range(9)},
        "text": "x" * 900,
        "n" * 90: 1,
    }
    options = {"kingdom": [f"Card {n}" for n in range(40)], "n" * 90: "x" * 300}
    RunStore(root).create("demo", {"options": options}, [Generation(0, genomes, ranking, summary)]).close()
    shown = invoke("show", "demo").stdout
    assert max(map(len, shown.splitlines())) <= 80
    assert "500 values, 0.1235 to 0.1235" in " ".join(shown.split())
    assert "rival-8 1.143" in " ".join(shown.split())


@pytest.mark.parametrize(
    "meta",
    [
        {"options": [1], "versions": ["0.1"], "seed": {"a": 1}},
        {"options": "all", "versions": 3, "seed": "a\nb"},
        {"options": {"n_strategies": [8], "kingdom_name": ["\x9b"], "\x1b[2J": 1}, "created": "\x1b[2J"},
        {"options": None, "versions": None},
        {"created": "\x1b]0;mine\x07", "versions": {"\x1b[2J": "\x1b[2J"}, "evodom_version": "\x9b2J"},
    ],
)
@pytest.mark.parametrize("arguments", [(), ("show", "demo"), ("show", "demo", "--json")])
def test_a_run_with_strange_meta_is_told_of_in_plain_lines(root, meta, arguments):
    make_run(root, meta=meta)
    result = invoke(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "demo" in result.stdout
    assert result.stdout.replace("\n", "").isprintable()


def test_without_runs_the_list_is_empty_and_says_how_to_start_one(root, tmp_path):
    result = invoke()
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"No runs in {root}. Start with: evodom evolve demo\n"
    given = invoke("--data-dir", tmp_path / "new")
    assert given.stderr.endswith(f"evodom evolve demo --data-dir {tmp_path}/new\n")
    assert json.loads(invoke("--json").stdout) == []


def test_a_data_folder_that_is_a_file_is_refused(root, monkeypatch):
    (root / "file").touch()
    monkeypatch.setenv("EVODOM_DATA_DIR", str(root / "file"))
    assert isinstance(invoke().exception, RunError)
    assert ShellComplete(command.runs, {}, "runs", "_RUNS_COMPLETE").get_completions(["show"], "") == []


def test_an_unreadable_run_is_listed_and_explained(root):
    make_run(root)
    (root / "runs" / "bad.sqlite").write_text("junk")
    result = invoke()
    assert result.exit_code == 0
    assert result.stdout.splitlines()[1].split()[:2] == ["bad", "unreadable"]
    assert result.stdout.splitlines()[2].split()[0] == "demo"
    assert "bad.sqlite is not an evodom run" in result.stderr
    assert result.stderr.count("\n") == 1


def test_show_tells_options_seed_versions_and_generations(root):
    make_run(root)
    lines = [line.split() for line in invoke("show", "demo").stdout.splitlines()]
    for line in (
        *("seed 7", "versions evodom 0.1.0, numpy 2.2.0", "kingdom Cellar, Moat", "players 4"),
        *("Generation 0 2", "best 0.5 0.75"),
    ):
        assert line.split() in lines
    shown = json.loads(invoke("show", "demo", "--json").stdout)
    assert (shown["key"], shown["n_generations"], shown["meta"]["seed"]) == ("demo", 3, 7)
    assert (shown["first"]["best"], shown["last"]["best"]) == (0.5, 0.75)
    RunStore(root).create("empty", {}, []).close()
    assert ["generations", "0"] in [line.split() for line in invoke("show", "empty").stdout.splitlines()]


@pytest.mark.parametrize("before", [True, False])
def test_options_may_stand_before_or_after_the_subcommand(tmp_path, before):
    make_run(tmp_path / "other")
    options, verb = ("--data-dir", tmp_path / "other", "--json"), ("show", "demo")
    result = invoke(*options, *verb) if before else invoke(*verb, *options)
    assert json.loads(result.stdout)["key"] == "demo"


def test_an_exported_run_is_imported_under_another_key_and_nothing_is_replaced_unasked(root):
    save_evolved(root)
    assert invoke("export", "demo", root / "out").exit_code == 0
    result = invoke("import", root / "out", "--key", "copy")
    assert (result.exit_code, result.stdout) == (0, "")
    assert [*RunStore(root)] == ["copy", "demo"]
    for words in (("export", "demo", root / "out"), ("import", root / "out")):
        assert isinstance(invoke(*words).exception, UsageError)
        assert invoke(*words, "--overwrite").exit_code == 0


def test_delete_asks_on_a_terminal_but_not_with_yes(root, monkeypatch):
    make_run(root)
    monkeypatch.setattr(command, "is_terminal", lambda stream: True)
    for words, typed, left in ((["demo"], "n\n", ["demo"]), (["demo"], "y\n", []), (["demo", "--yes"], "", [])):
        CliRunner().invoke(command.runs, ["delete", *words], input=typed)
        assert [*RunStore(root)] == left
        if not left:
            make_run(root)


def test_an_answer_is_one_line_of_the_list_and_shows_its_parts(root):
    save_answer(root)
    make_run(root)
    _, *rows = invoke().stdout.splitlines()
    assert [row.split()[0] for row in rows] == ["demo", "first-game"]
    assert [list(run["parts"]) for run in json.loads(invoke("--json").stdout)] == [[], sorted(PARTS)]

    shown = invoke("show", "first-game").stdout
    assert all(f"first-game:{part}" in shown for part in PARTS)
    assert json.loads(invoke("show", "first-game", "--json").stdout)["parts"][3] == "first-game:best-response"
    assert json.loads(invoke("show", "first-game:graded", "--json").stdout)["key"] == "first-game:graded"


def test_an_answer_is_exported_imported_and_deleted_as_one_file(root):
    save_answer(root)
    make_run(root)
    assert invoke("export", "first-game", root / "file").exit_code == 0
    assert invoke("delete", "first-game", "--yes").exit_code == 0
    assert os.listdir(root / "runs") == ["demo.sqlite"]
