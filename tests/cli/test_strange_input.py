"""Arguments and files of any kind: one clear line, nothing echoed whole, nothing computed with them."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from evodom.api import progress
from tests.cli.program import refusal, run_program
from tests.crafted import resave, save_evolved, save_learned

LONG = "A" * 100_000


def refused(root: Path, *arguments: str, code: int = 2) -> str:
    """Return the one short line in which the program refuses its arguments."""
    result = run_program(*arguments, EVODOM_DATA_DIR=str(root))
    assert (result.stdout, result.stderr[:7], result.stderr.count("\n")) == ("", "Error: ", 1)
    return refusal(result, code)


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [(("play", "--opponent", "big-money", "--seed", "1"), "is no card here"), (("spire", "play", "nob"), "is no move")],
)
def test_what_is_typed_may_hold_any_bytes(tmp_path, arguments, answer):
    result = run_program(*arguments, typed=b"\x1b[31mred\nx\xff\nq\n", EVODOM_DATA_DIR=str(tmp_path))

    assert result.exit_code == 0
    assert f"'\\x1b[31mred' {answer}" in result.stdout
    assert f"'x\ufffd' {answer}" in result.stdout
    assert arguments[0] == "spire" or "\x1b" not in result.stdout  # click's own prompt is echoed by its CliRunner only


def test_more_rivals_than_allowed_are_refused(tmp_path):
    for command in (("evolve", "x"), ("train", "x", "--games", "2000")):
        line = refused(tmp_path, *command, *("--training-opponent", "big-money") * 65)
        assert line == "Error: there are 65 rivals. Allowed: at most 64."


@pytest.mark.parametrize(
    ("code", "said", "arguments"),
    [
        (1, "does not exist", ("runs", "import", LONG)),
        (2, "there is no file", ("match", f"./{LONG}.py", "big-money")),
        (2, "there is no folder", ("tournament", "big-money", "random", "--csv", f"{LONG}/a.csv")),
    ],
    ids=["runs", "match", "tournament"],
)
def test_a_file_name_of_any_length_is_refused_in_a_short_line(tmp_path, code, said, arguments):
    if sys.version_info < (3, 14):  # before, pathlib raised where a name is too long to be one
        code, said = 1, "File name too long"
    assert said in refused(tmp_path, *arguments, code=code)


# The data folder.


@pytest.mark.parametrize("command", [("evolve", "x"), ("train", "x"), ("advise",)], ids=" ".join)
def test_a_data_folder_that_cannot_be_written_is_told_before_anything_is_compiled(tmp_path, monkeypatch, command):
    (tmp_path / "file").touch()
    monkeypatch.setattr("evodom.kernel_groups.groups_to_compile", pytest.fail)

    line = refused(tmp_path / "file" / "data", *command, code=1)

    assert "cannot be used: Not a directory" in line


def homeless(*_, **__):
    raise RuntimeError("could not determine the home directory")


@pytest.mark.parametrize("command", [("runs",), ("evolve", "x"), ("report", "x"), ("play", "x")], ids=" ".join)
def test_without_a_home_directory_a_folder_is_asked_for(monkeypatch, command):
    monkeypatch.setattr("evodom.runs.store.user_data_path", homeless)
    result = run_program(*command, EVODOM_DATA_DIR="")

    assert result.exit_code == 1
    assert result.stderr == (
        "Error: there is no home directory to save runs in. Name a folder with --data-dir, or in EVODOM_DATA_DIR\n"
    )


def test_without_a_home_directory_nothing_is_kept_of_what_is_compiled(monkeypatch, capsys):
    monkeypatch.setattr("evodom.jit.cache.user_cache_path", homeless)
    monkeypatch.setattr("evodom.kernel_groups.groups_to_compile", lambda *names: list(names))
    monkeypatch.setattr("evodom.jit.cache.can_cache", lambda: False)
    monkeypatch.setattr("evodom.matches.simulate.compile_games", lambda: None)

    progress.ensure_compiled("games", quiet=False)

    assert "so this repeats at every start." in capsys.readouterr().err


# Runs.


@pytest.mark.parametrize("meta", [{"kind": ["train"]}, {"kind": None}, {"seed": None}, {"seed": "1"}])
def test_meta_of_wrong_types_is_refused_in_one_line(tmp_path, meta):
    resave(save_learned(tmp_path), **meta)

    for arguments in (("train", "demo", "--resume"), ("match", "demo", "random"), ("play", "demo")):
        if "kind" in meta or arguments[0] == "train":
            assert "run 'demo'" in refused(tmp_path, *arguments, code=1)
    assert run_program("runs", EVODOM_DATA_DIR=str(tmp_path)).exit_code == 0


def test_a_run_without_seed_or_games_is_not_resumed(tmp_path, store):
    path = save_learned(tmp_path)
    resave(path, lambda one: replace(one, summary={key: n for key, n in one.summary.items() if key != "games"}))
    assert "run 'demo'" in refused(tmp_path, "train", "demo", "--resume", code=1)

    with store.open("demo") as run:
        meta, saved = {key: value for key, value in run.meta.items() if key != "seed"}, list(run)
    store.create("demo", meta, saved, overwrite=True).close()
    assert "seed" in refused(tmp_path, "train", "demo", "--resume", code=1)


def test_a_damaged_old_generation_is_found_before_a_run_continues(tmp_path, store, monkeypatch):
    path = save_evolved(tmp_path, model="buy-list")
    with store.open("demo") as run:
        meta, (first, *others) = run.meta, list(run)
    store.create("demo", meta, [crooked(first), *others], overwrite=True).close()
    before = path.read_bytes()

    refused(tmp_path, "evolve", "demo", "--resume", code=1)
    assert path.read_bytes() == before


def crooked(generation):
    generation.genomes["pile"] = 70
    return generation


# Games.


def test_a_game_that_could_not_be_saved_is_a_failure(tmp_path):
    (tmp_path / "games").touch()

    result = run_program(
        "play", "--opponent", "random", "--seed", "1", typed="\n\nquit\n", EVODOM_DATA_DIR=str(tmp_path)
    )

    assert result.exit_code == 1
    assert "cannot be saved" in result.stdout
