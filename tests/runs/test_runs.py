"""Saved runs survive kills, failures and bad files; nothing that is not a run is touched."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import numpy as np
import pytest

from evodom import __version__
from evodom.errors import EvodomError, RunError, UsageError
from evodom.files import MACHINE
from evodom.runs import FORMAT, Generation, MemoryStore, Run, RunStore, check_key, parse_name
from tests.effort import effort

GENOME = np.dtype([("weights", "<f4", (17,)), ("order", "<i2", (2, 3)), ("child", [("id", "<i8")]), ("age", "<i4")])
META = {"options": {"n_strategies": 8}, "seed": 7}


def make_generation(index: int, n_genomes: int = 8) -> Generation:
    rng = np.random.default_rng(index)
    genomes = np.frombuffer(rng.bytes(n_genomes * GENOME.itemsize), GENOME)
    return Generation(index, genomes, rng.permutation(n_genomes).astype(np.int32), {"best": index / 2})


def make_generations(n: int, start: int = 0) -> list[Generation]:
    return [make_generation(index) for index in range(start, start + n)]


def make_run(root: Path, key: str = "demo", n: int = 3) -> Path:
    with RunStore(root).create(key, META, make_generations(n)) as run:
        return run.path


def assert_same(actual: Generation, expected: Generation) -> None:
    assert actual.index == expected.index
    assert actual.genomes.dtype == expected.genomes.dtype
    assert actual.genomes.tobytes() == expected.genomes.tobytes()
    assert actual.ranking.dtype == np.int32
    assert actual.ranking.tolist() == expected.ranking.tolist()
    assert actual.summary == expected.summary


def folder_listing(root: Path) -> list[str]:
    return sorted(os.listdir(root / "runs"))


# Saving and reading


def test_generations_are_read_as_they_were_saved(tmp_path, store):
    make_run(tmp_path, n=12)
    with store.open("demo") as run:
        assert run.n_generations == 12
        for actual, expected in zip(run, make_generations(12), strict=True):
            assert_same(actual, expected)
        assert_same(run.last(), make_generation(11))
        assert run.summaries() == [{"best": index / 2} for index in range(12)]
        run.last().genomes["age"] = 5  # a writable copy


def test_a_dtype_with_padding_keeps_its_layout_and_big_endian_becomes_little_endian(store):
    padded = np.ones(4, np.dtype([("a", "i1"), ("b", "i8")], align=True))
    big_endian = np.array([(1,), (256,), (3,), (4,)], np.dtype([("age", ">i4")]))
    generations = [
        Generation(i, genomes, np.arange(4, dtype=np.int32), {}) for i, genomes in enumerate((padded, big_endian))
    ]
    with store.create("demo", {}, generations) as run:
        assert run.generation(0).genomes.dtype == padded.dtype
        assert run.last().genomes["age"].tolist() == [1, 256, 3, 4]
        assert run.last().genomes.dtype["age"] == np.dtype("<i4")


def test_genomes_with_python_objects_are_refused(store):
    genomes = np.array([(None,)], np.dtype([("thing", "O")]))
    with pytest.raises(TypeError, match="without Python objects"):
        store.create("demo", {}, [Generation(0, genomes, np.arange(1, dtype=np.int32), {})])


def test_generations_are_appended_in_order_or_not_at_all(tmp_path, store):
    make_run(tmp_path, n=0)
    with store.open("demo", write=True) as run:
        with pytest.raises(UsageError, match="has no generation 0"):
            run.last()
        run.append(make_generations(2))
        with pytest.raises(UsageError, match="generation 3 comes next, and got generation 5"):
            run.append([make_generation(2), make_generation(5)])
        assert run.n_generations == 2
        run.append(make_generations(3, start=2))
        assert run.n_generations == 5
        assert_same(run.last(), make_generation(4))
    with store.open("demo") as run:
        with pytest.raises(UsageError, match=r"has no generation 5\. It has 5"):
            run.generation(5)
        with pytest.raises(RunError, match="cannot be written"):
            run.append([make_generation(5)])


def test_meta_has_format_and_version_and_changes_keep_the_other_entries(tmp_path, store):
    make_run(tmp_path)
    with store.open("demo", write=True) as run:
        assert run.meta == META | {"format": FORMAT.version, "evodom_version": __version__}
        run.set_meta(seed=8, note="new")
        assert (run.meta["seed"], run.meta["note"], run.meta["options"]) == (8, "new", META["options"])


def test_a_closed_run_is_one_file_and_equal_runs_are_equal_files(tmp_path):
    assert make_run(tmp_path / "a").read_bytes() == make_run(tmp_path / "b").read_bytes()
    assert folder_listing(tmp_path / "a") == ["demo.sqlite"]


# Where, and under which key


def test_the_data_folder_is_the_explicit_one_then_the_environments_then_the_users(tmp_path, store, monkeypatch):
    for value in (str(tmp_path / "env"), "~nobodyOfThisName/data"):
        monkeypatch.setenv("EVODOM_DATA_DIR", value)
        assert (store.root, RunStore().root) == (tmp_path, Path(value))
    (tmp_path / "file").touch()
    monkeypatch.setenv("EVODOM_DATA_DIR", str(tmp_path / "file"))
    with pytest.raises(RunError, match=r"^EVODOM_DATA_DIR is '.*file', which is no folder\. Allowed: .*$"):
        list(RunStore())
    assert store.root == tmp_path
    monkeypatch.delenv("EVODOM_DATA_DIR")
    assert RunStore().root.name == "evodom"


def test_a_key_has_letters_and_digits_with_hyphens_between_them():
    for key in ("a", "Demo7", "7", "x" * 64, "my-first-run", "demo-2"):
        assert check_key(key) == key
    for key in ("", "my run", "../etc", "a.b", "é", "x" * 65, "a\n", "²", "-a", "a-", "a--b"):
        with pytest.raises(UsageError, match=r"1 to 64 letters a-z, A-Z and digits, .* got .* Try: "):
            check_key(key)


def test_known_keys_are_sorted_and_only_those_of_runs(tmp_path, store):
    make_run(tmp_path, "big")
    make_run(tmp_path, "base")
    for name in (f".demo.sqlite.0.{MACHINE}.7.partial", "demo.lock", "notes.txt", "not a key.sqlite"):
        (tmp_path / "runs" / name).touch()
    assert [*store] == ["base", "big"]


def test_a_missing_run_is_refused_with_the_nearest_keys_and_creates_no_folder(tmp_path, store):
    assert [*store] == store.infos() == []
    with pytest.raises(RunError, match="Known: none"):
        RunStore(tmp_path / "data").open("demo", write=True)
    assert not (tmp_path / "data").exists()
    few, many = ("big", "base"), ("big-game", "demo-1", "demo-2", "other")
    for keys, names in (
        (few, "Known: base, big."),
        (many, "Nearest: demo-2, demo-1. All 6 are listed by: evodom runs."),
    ):
        for key in keys:
            make_run(tmp_path, key)
        with pytest.raises(RunError) as caught:
            store.open("demo")
        assert str(caught.value) == f"no run named 'demo'. {names} Start one with: evodom evolve demo"


# Replacing


def test_an_existing_key_is_refused_with_the_next_steps(tmp_path, store):
    store.check_free("demo")
    make_run(tmp_path, n=3)
    for use in (lambda: store.create("demo", META, []), lambda: store.check_free("demo")):
        with pytest.raises(UsageError, match=r"run 'demo' exists \(3 generations\)\. .*--resume.*--overwrite"):
            use()


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("CON", "a run's key cannot be 'CON': Windows reserves it. Try: demo-CON"),
        ("nul", "a run's key cannot be 'nul': Windows reserves it. Try: demo-nul"),
        ("Com1", "a run's key cannot be 'Com1': Windows reserves it. Try: demo-Com1"),
        ("lpt9", "a run's key cannot be 'lpt9': Windows reserves it. Try: demo-lpt9"),
        ("DEMO", "a run's key cannot be 'DEMO': it differs only in case from 'demo'. Choose another."),
        ("aux.txt", r"a run's key is 1 to 64 letters .* got 'aux\.txt'\. Try: aux-txt"),
        ("PRN.", r"a run's key is 1 to 64 letters .* got 'PRN\.'\. Try: demo-PRN"),
        ("com0", None),
        ("console", None),
        ("demo", None),
    ],
)
def test_a_new_key_is_a_name_of_a_new_file_on_every_system(tmp_path, store, key, message, overwrite):
    """Names of devices and of other runs' files are refused by every way to a new run, also with ``overwrite``."""
    make_run(tmp_path)
    store.export_file("demo", tmp_path / "out")
    uses = (
        lambda: store.create(key, META, [], overwrite=overwrite).close(),
        lambda: store.import_file(tmp_path / "out", key, overwrite=True),
        lambda: store.check_free(key, overwrite=True),
    )
    files = sorted(os.listdir(tmp_path / "runs"))
    for use in uses[key == "demo" :]:
        if message is None:
            use()
        else:
            with pytest.raises(UsageError, match=f"^{message}$"):
                use()
            assert sorted(os.listdir(tmp_path / "runs")) == files


def test_saved_runs_with_names_of_devices_or_other_cases_are_still_read_replaced_and_deleted(tmp_path, store):
    make_run(tmp_path)
    for key in ("Demo", "NUL"):
        shutil.copy(tmp_path / "runs" / "demo.sqlite", tmp_path / "runs" / f"{key}.sqlite")
    assert [*store] == ["Demo", "NUL", "demo"]
    for key in ("Demo", "NUL"):
        with store.open(key, write=True) as run:
            assert run.n_generations == 3
        store.create(key, META, [], overwrite=True).close()
        store.delete(key)
    assert [*store] == ["demo"]


def test_overwriting_replaces_a_run_even_a_damaged_one_which_can_be_appended_to(tmp_path, store):
    make_run(tmp_path, n=5)
    make_run(tmp_path, "bad").write_bytes(b"junk")
    for key in ("demo", "bad"):
        with store.create(key, {"seed": 9}, make_generations(1), overwrite=True) as run:
            run.append([make_generation(1)])
        with store.open(key) as run:
            assert (run.n_generations, run.meta["seed"]) == (2, 9)


def test_the_old_run_is_still_there_when_writing_the_new_one_fails(tmp_path, store):
    def failing():
        yield make_generation(0)
        raise KeyboardInterrupt

    before = make_run(tmp_path).read_bytes()
    with pytest.raises(KeyboardInterrupt):
        store.create("demo", {}, failing(), overwrite=True)
    assert (tmp_path / "runs" / "demo.sqlite").read_bytes() == before
    assert folder_listing(tmp_path) == ["demo.sqlite"]


def test_the_journal_of_a_replaced_run_is_not_rolled_back_into_the_new_one(tmp_path, store):
    path = make_run(tmp_path, n=1)
    with store.open("demo", write=True) as run:
        run._connection.execute("PRAGMA cache_size = 1")
        run._connection.execute("BEGIN")
        run._connection.execute("UPDATE generation SET genomes = zeroblob(100000)")
        killed = {p.name: p.read_bytes() for p in path.parent.glob("demo.sqlite*")}
        run._connection.execute("ROLLBACK")
    for name, content in killed.items():
        (path.parent / name).write_bytes(content)
    assert len(killed) == 2
    store.create("demo", {}, make_generations(2), overwrite=True).close()
    with Run.open_file(path) as run:
        assert_same(run.last(), make_generation(1))


@pytest.mark.skipif(os.name == "nt", reason="on Windows it is not known which processes run")
def test_the_leftovers_of_killed_processes_are_removed_and_those_of_running_ones_stay(tmp_path, store):
    make_run(tmp_path)
    (tmp_path / "games").mkdir()
    killed = subprocess.Popen([sys.executable, "-c", ""])
    killed.wait()
    pids = (killed.pid, os.getpid(), os.getppid())
    names = [f"{file}.0.{MACHINE}.{pid}.partial" for pid in pids for file in ("games/.demo.json", "runs/.demo.sqlite")]
    names += ["games/mine.json", "games/.mine.partial", "games/.mine.0.0badcafe.1.partial"]
    for name in (*names, "games/.mine.1.0badcafe.1.partial"):
        (tmp_path / name).touch()
    two_days_ago = time.time() - 48 * 3600
    os.utime(tmp_path / "games/.mine.1.0badcafe.1.partial", (two_days_ago, two_days_ago))  # of another machine
    (tmp_path / f"games/.link.0.{MACHINE}.{killed.pid}.partial").symlink_to(tmp_path / "games/mine.json")
    store.remove_leftovers()

    remaining = {path.relative_to(tmp_path).as_posix() for path in tmp_path.glob("*/*")}
    assert remaining == {"runs/demo.sqlite", *names[4:]}
    RunStore(tmp_path / "nowhere").remove_leftovers()


def test_the_copy_of_a_file_and_a_run_in_memory_need_no_files(tmp_path, monkeypatch):
    path = make_run(tmp_path, n=3)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "no folder"))
    monkeypatch.chdir(tmp_path)
    with Run.open_file(path) as run, MemoryStore().create("demo", run.meta, run) as copy:
        copy.append(make_generations(1, start=3))
        copy.save_part("part", ({}, make_generations(2)))
        copy.set_meta(more=1)
        assert (copy.n_generations, copy.part("part").n_generations, copy.meta["more"]) == (4, 2, 1)
        assert_same(copy.generation(2), run.last())
    assert {path.name for path in tmp_path.rglob("*")} == {"runs", "demo.sqlite"}


# Several processes

WRITER = """
import sys
import numpy as np
from evodom.runs import Generation, RunStore

with RunStore(sys.argv[1]).open("demo", write=True) as run:
    print("started", flush=True)
    run._connection.execute("PRAGMA cache_size = 4")  # spill to the file long before the commit
    while True:
        n = run.n_generations
        genomes, ranking = np.zeros(3000, [("a", "<i8")]), np.arange(3000, dtype=np.int32)
        run.append([Generation(i, np.full_like(genomes, i), ranking, {"i": i}) for i in (n, n + 1)])
"""


def test_a_run_can_be_read_while_it_is_written(tmp_path, store):
    make_run(tmp_path, n=1)
    with store.open("demo", write=True) as writer, store.open("demo") as reader:
        writer.append([make_generation(1)])
        assert reader.n_generations == 2
        assert store.infos()[0].n_generations == 2


def test_a_run_being_written_is_not_written_overwritten_or_deleted(tmp_path, store):
    make_run(tmp_path)
    uses = (
        lambda: store.open("demo", write=True),
        lambda: store.create("demo", {}, [], overwrite=True),
        lambda: store.delete("demo"),
    )
    with store.open("demo", write=True):
        with pytest.raises(RunError, match=r"^run 'Demo' is being written"):
            store.check_writable("Demo")  # the same file on systems that ignore case
        for use in (*uses, *uses):  # a refusal does not free the lock
            with pytest.raises(RunError, match=r"^run 'demo' is being written by another process\. Wait for it, or .*"):
                use()
        command = [sys.executable, "-c", WRITER, str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert "is being written by another process" in done.stderr
        store.create("other", {}, []).close()


def kill_a_writer(root: Path, seconds: float) -> None:
    with subprocess.Popen([sys.executable, "-c", WRITER, str(root)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"started\n"
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is POSIX")
def test_a_run_killed_at_any_moment_is_whole_and_goes_on(tmp_path, store):
    rng = random.Random(1)
    first = Generation(0, np.full(3000, 0, [("a", "<i8")]), np.arange(3000, dtype=np.int32), {"i": 0})
    store.create("demo", {}, [first]).close()
    for number in range(effort(4, 2, 2)):
        kill_a_writer(tmp_path, rng.uniform(0.0, 0.06) if number else 0.0)
        with store.open("demo") as reader:  # a reader rolls back what was left
            assert [summary["i"] for summary in reader.summaries()] == list(range(reader.n_generations))
            assert reader.n_generations % 2 == 1, "each transaction added two generations or none"
            for index in range(reader.n_generations):
                assert set(reader.generation(index).genomes["a"]) == {index}
        store.export_file("demo", tmp_path / "out", overwrite=True)
        Run.open_file(tmp_path / "out").close()
    with store.open("demo", write=True) as run:
        run.append([Generation(run.n_generations, first.genomes, first.ranking, {})])
    assert folder_listing(tmp_path) == ["demo.sqlite"]


# Bad files


def execute(path: Path, statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(statements)


def not_sqlite(path: Path) -> None:
    path.write_text("Dear diary, " * 1000)


def another_database(path: Path) -> None:
    path.unlink()
    execute(path, "CREATE TABLE diary (day)")


def first_page_overwritten(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:100] + b"\xff" * 3996 + content[4096:])


BAD_FILES = {
    "another format": (
        lambda path: execute(path, "PRAGMA user_version = 1"),
        "is a run of format 1, written by evodom",
    ),
    "truncated": (lambda path: path.write_bytes(path.read_bytes()[:-4096]), "is damaged"),
    "truncated within a page": (lambda path: path.write_bytes(path.read_bytes()[:-100]), "is damaged: it has "),
    "not SQLite": (not_sqlite, "is not an evodom run"),
    "another database": (another_database, "is not an evodom run"),
    "empty": (lambda path: path.write_bytes(b""), "is not an evodom run"),
    "first page overwritten": (first_page_overwritten, "is damaged"),
    "without tables": (
        lambda path: execute(path, "DROP TABLE generation; DROP TABLE run"),
        "its tables are not those of a run",
    ),
}


@pytest.mark.parametrize(("spoil", "message"), BAD_FILES.values(), ids=BAD_FILES)
def test_a_bad_file_is_refused_in_one_line_and_left_untouched(tmp_path, store, spoil, message):
    path = make_run(tmp_path, n=10)
    spoil(path)
    before = path.read_bytes()

    def read() -> None:
        with store.open("demo") as run:
            run.last()

    def write() -> None:
        with store.open("demo", write=True) as run:
            run.append([make_generation(10)])

    for use in (read, write, lambda: store.import_file(path, "copy")):
        with pytest.raises(RunError, match=r"^[^\n]+$") as caught:
            use()
        assert message in str(caught.value)
        assert caught.value.exit_code == 1
    assert path.read_bytes() == before
    assert folder_listing(tmp_path) == ["demo.sqlite"]


def test_a_bad_file_is_listed_with_its_problem_among_the_good_ones_and_can_be_deleted(tmp_path, store):
    not_sqlite(make_run(tmp_path, "bad"))
    make_run(tmp_path, "good", n=3)
    (tmp_path / "runs" / "folder.sqlite").mkdir()
    bad, folder, good = store.infos()
    assert (bad.key, bad.meta, bad.n_generations) == ("bad", {}, 0)
    assert "is not an evodom run" in (bad.problem or "")
    assert "is not a file" in (folder.problem or "")
    assert (good.key, good.n_generations, good.meta["seed"], good.problem) == ("good", 3, 7, None)
    assert good.size == (tmp_path / "runs" / "good.sqlite").stat().st_size
    for key in ("good", "bad"):
        store.delete(key)
    assert folder_listing(tmp_path) == ["folder.sqlite"]


def test_a_flipped_bit_in_the_genomes_and_a_missing_generation_are_noticed(tmp_path, store):
    path = make_run(tmp_path, n=3)
    content = path.read_bytes()
    genomes = make_generation(0).genomes.tobytes()[:32]
    assert content.count(genomes) == 1
    path.write_bytes(content.replace(genomes, bytes([genomes[0] ^ 1]) + genomes[1:]))
    with store.open("demo") as run, pytest.raises(RunError, match="generation 0 cannot be read"):
        run.generation(0)
    execute(path, "DELETE FROM generation WHERE number = 1")
    with pytest.raises(RunError, match="its 2 generations are numbered from 0 to 2"):
        store.import_file(path, "copy")


def test_a_data_folder_that_cannot_be_made_is_a_run_error(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(RunError, match="Not a directory"):
        RunStore(tmp_path / "file").create("demo", {}, [])


def test_a_run_without_write_permission_can_be_read_and_one_without_any_is_a_run_error(tmp_path, store):
    path = make_run(tmp_path)
    path.chmod(0o400)
    path.parent.chmod(0o500)
    try:
        if os.access(path.parent, os.W_OK):
            pytest.skip("this user is not held back by permissions")
        with store.open("demo") as run:
            assert_same(run.last(), make_generation(2))
        with pytest.raises(RunError, match="Permission denied"):
            store.open("demo", write=True)
        path.chmod(0)
        with pytest.raises(RunError, match="cannot be opened"):
            store.open("demo")
    finally:
        path.parent.chmod(0o700)


def test_a_full_disk_is_a_run_error_and_what_was_saved_stays(tmp_path, store):
    make_run(tmp_path, n=3)
    with store.open("demo", write=True) as run:
        (n_pages,) = run._connection.execute("PRAGMA page_count").fetchone()
        run._connection.execute(f"PRAGMA max_page_count = {n_pages}")
        with pytest.raises(RunError, match="the disk is full"):
            run.append(make_generations(9, start=3))
        assert_same(run.last(), make_generation(2))


# Deleting, exporting and importing


def test_an_exported_run_is_imported_under_its_key_or_a_new_one(tmp_path, store):
    make_run(tmp_path, n=3)
    with store.open("demo", write=True):  # also while it is written
        store.export_file("demo", tmp_path / "out.evodom")
    assert RunStore(tmp_path / "other").import_file(tmp_path / "out.evodom") == "demo"
    with RunStore(tmp_path / "other").open("demo") as run:
        assert run.meta["seed"] == 7
        assert_same(run.last(), make_generation(2))
    assert store.import_file(tmp_path / "out.evodom", "copy") == "copy"
    with Run.open_file(tmp_path / "runs" / "copy.sqlite") as run:
        assert run.key == "copy"


def contents_of(run):
    return {part: [(each.index, each.genomes.tobytes(), each.summary) for each in run.part(part)] for part in run.parts}


def test_parts_are_runs_in_one_file_which_are_replaced_exported_and_deleted_with_it(tmp_path, store):
    path = make_run(tmp_path)
    with store.open("demo", write=True) as run:
        run.save_part("graded", (META, make_generations(2)))
        run.save_part("network", (META | {"seed": 8}, make_generations(9)))
        run.part("graded").append(make_generations(1, 2))
        run.part("graded").set_meta(seed=9)
        run.save_part("network", (META | {"seed": 5}, make_generations(1)))
        assert run.parts == ["graded", "network"]
        before = contents_of(run)
    assert [run.n_generations for run in (store.open(key) for key in ("demo", "demo:graded"))] == [3, 3]
    store.export_file("demo", tmp_path / "file")
    store.import_file(tmp_path / "file", "copy")

    with store.open("copy") as run:
        assert contents_of(run) == before
        assert [run.part(part).meta["seed"] for part in run.parts] == [9, 5]
    with store.open("copy:graded", write=True) as part:
        assert (part.key, part.path.name, part.meta["seed"]) == ("copy:graded", "copy.sqlite", 9)
        with pytest.raises(RunError, match="another process"):
            store.open("copy", write=True)
    (_, listed) = store.infos()
    assert {name: info.n_generations for name, info in listed.parts.items()} == {"network": 1, "graded": 3}
    for key, message in (
        ("demo:more", "has no part 'more'. Its parts: graded, network"),
        ("demo:", "names no part"),
        ("demo:2", "names no part"),
    ):
        with pytest.raises(EvodomError, match=message):
            store.open(key)
    with pytest.raises(UsageError, match="a run's key is"):
        store.delete("demo:graded")
    store.delete("demo")
    assert not path.exists()


@pytest.mark.parametrize("name", ["buy_list-1", "1", "a:b", "a@1", "-a", "ä", "a" * 65])
def test_a_part_of_a_name_that_readers_refuse_is_not_written(tmp_path, store, name):
    make_run(tmp_path)
    with store.open("demo", write=True) as run:
        run.save_part("graded", (META, make_generations(1)))
        with pytest.raises(UsageError, match="a part of a run is called"):
            run.save_part(name, (META, make_generations(1)))
        assert run.parts == ["graded"]
    with pytest.raises(UsageError, match="a part of a run is called"):
        store.create("other", META, make_generations(1), parts={name: (META, make_generations(1))})
    assert "other" not in store


def test_a_part_is_replaced_as_a_whole_or_not_at_all(tmp_path, store):
    make_run(tmp_path)
    with store.open("demo", write=True) as run:
        run.save_part("graded", (META, make_generations(2)))
        before = contents_of(run)
        with pytest.raises(UsageError):
            run.save_part("graded", ({}, make_generations(2, 1)))
        assert contents_of(run) == before


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("demo", ("demo", None, None)), ("demo:2", ("demo", None, 2)), ("a-b@50:3", ("a-b", 50, 3)),
        ("demo:network", ("demo:network", None, None)), ("demo:best-response@7:2", ("demo:best-response", 7, 2)),
        ("demo:list", ("demo:list", None, None)),
        *((text, None) for text in ("", ":2", "demo:", "demo@", "demo@x", "demo:2:2", "demo:-x", "demo:1234567")),
        *((text, None) for text in ("demo:2@3", "-a", "a--b", "d\u00e9mo", "demo:\u0663", "../demo", "k" * 65)),
    ],
)  # fmt: skip
def test_names_of_strategies_have_a_part_a_generation_and_a_rank(text, name):
    assert parse_name(text) == name


def test_what_is_read_unchanged_is_one_state_of_a_run_that_grows(tmp_path, store):
    make_run(tmp_path, n=3)

    def grow() -> None:
        with store.open("demo", write=True) as writer:
            writer.append(make_generations(1, start=3))

    with store.open("demo") as reader, ThreadPoolExecutor(1) as thread:
        with reader.snapshot():
            assert reader.n_generations == 3
            written = thread.submit(grow)
            time.sleep(0.1)
            assert (reader.n_generations, written.done()) == (3, False)
        written.result()
        assert reader.n_generations == 4


def test_exporting_and_importing_replace_a_file_or_a_run_only_when_asked_to(tmp_path, store):
    make_run(tmp_path, n=3)
    out = tmp_path / "out"
    out.write_text("mine")
    with pytest.raises(UsageError, match="Replace it with --overwrite"):
        store.export_file("demo", out)
    assert out.read_text() == "mine"
    store.export_file("demo", out, overwrite=True)
    with pytest.raises(UsageError, match=r"run 'demo' exists \(3 generations\). Replace it with --overwrite"):
        store.import_file(out)
    store.import_file(out, overwrite=True)
    with pytest.raises(RunError, match="nothing does not exist"):
        store.import_file(tmp_path / "nothing")


@pytest.mark.skipif(os.name == "nt", reason="POSIX links and pipes")
def test_exporting_writes_the_file_of_a_link_and_replaces_no_pipe(tmp_path, store):
    make_run(tmp_path)
    (tmp_path / "out").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "out")
    os.mkfifo(tmp_path / "pipe")

    store.export_file("demo", tmp_path / "link", overwrite=True)

    assert (tmp_path / "link").is_symlink()
    Run.open_file(tmp_path / "out").close()
    for special in (tmp_path / "pipe", Path(os.devnull)):
        with pytest.raises(UsageError, match="is no file, but a device, pipe or socket"):
            store.export_file("demo", special)
    assert (tmp_path / "pipe").is_fifo()


def test_exporting_to_a_missing_folder_over_a_folder_or_among_the_runs_is_refused(tmp_path, store):
    path = make_run(tmp_path)
    (tmp_path / "out").mkdir()
    for file, message in (
        (tmp_path / "no" / "out", "no/out cannot be written: there is no folder"),
        (tmp_path / "out", "out is a folder. Name a file"),
        (path, "Export to another folder"),
    ):
        with pytest.raises((RunError, UsageError), match=message):
            store.export_file("demo", file, overwrite=True)


# Files of SQLite beside a run, which a stranger may have put there


def super_journal(victim: Path, n_pages: int) -> bytes:
    """Return a journal that makes SQLite delete another file: it names that file as its super-journal."""
    magic, name = bytes.fromhex("d9d505f920a163d7"), str(victim).encode()
    header = (magic + struct.pack(">5I", 0, 7, n_pages, 512, 4096)).ljust(512, b"\0")
    end = struct.pack(">II", len(name), sum(name))  # the length, and a checksum of ASCII letters
    return header + struct.pack(">I", 2**30 // 4096 + 1) + name + end + magic


USES = {
    "open": lambda store: store.open("demo"),
    "append to": lambda store: store.open("demo", write=True),
    "overwrite": lambda store: store.create("demo", META, [], overwrite=True).close(),
    "list": RunStore.infos,
    "ask if it is written": lambda store: store.has_writer("demo"),
    "import": lambda store: store.import_file(store.root / "runs" / "demo.sqlite", "copy"),
    "export over": lambda store: store.export_file("other", store.root / "export", overwrite=True),
    "delete": lambda store: store.delete("demo"),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_no_use_of_a_run_deletes_the_file_that_a_journal_beside_it_names(tmp_path, store, use):
    path, victim = make_run(tmp_path), tmp_path / "diary"
    make_run(tmp_path, "other")
    victim.write_text("mine")
    for place in (path, tmp_path / "runs" / "demo.lock", tmp_path / "export"):
        if not place.exists():
            place.write_bytes(path.read_bytes())
        place.with_name(f"{place.name}-journal").write_bytes(super_journal(victim, path.stat().st_size // 4096))

    with suppress(RunError):
        use(store)

    assert victim.read_text() == "mine"


def test_a_run_with_a_foreign_journal_is_refused_in_one_line_and_can_be_deleted(tmp_path, store):
    path = make_run(tmp_path)
    for suffix, content, message in (
        ("-journal", super_journal(tmp_path / "diary", 5), "would make SQLite delete another file"),
        ("-wal", b"", "was not written by evodom"),
        ("-shm", b"", "was not written by evodom"),
    ):
        path.with_name(f"demo.sqlite{suffix}").write_bytes(content)
        with pytest.raises(RunError, match=message):
            store.open("demo")
        assert message in (store.infos()[0].problem or "")
        path.with_name(f"demo.sqlite{suffix}").unlink()
    path.with_name("demo.sqlite-wal").touch()
    store.delete("demo")
    assert folder_listing(tmp_path) == []


@pytest.mark.parametrize("suffix", ["-journal", "-wal", "-shm"])
def test_an_imported_file_is_never_changed_and_is_refused_with_a_file_of_sqlite_beside_it(tmp_path, store, suffix):
    file, link = tmp_path / "run.evodom", tmp_path / "link"
    shutil.copy(make_run(tmp_path / "theirs"), file)
    link.symlink_to(file)
    beside = file.with_name(f"run.evodom{suffix}")
    beside.write_bytes(super_journal(tmp_path / "diary", 5))
    before = file.read_bytes()
    for path in (file, link):
        with pytest.raises(RunError, match=rf"^.*run.evodom{suffix} belongs to .*[^\n]$"):
            store.import_file(path)
    beside.unlink()
    file.chmod(0o400)
    assert store.import_file(file) == "demo"
    assert file.read_bytes() == before
    file.chmod(0o600)
    file.write_bytes(before[:18] + b"\2\2" + before[20:])  # as `PRAGMA journal_mode = WAL`
    with pytest.raises(RunError, match="WAL mode"):
        store.import_file(file, overwrite=True)
