"""The cache of compiled kernels: damaged files are replaced, and write failures are reported once."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from numba.core.types import int64

from evodom.budget import Budget, work_time
from evodom.jit import cache
from evodom.jit.dispatch import DispatchTable
from evodom.jit.kernel import COMPILED, OPTIONS
from evodom.jit.linking import CAN_LINK_PARTS, Kernel

pytestmark = pytest.mark.skipif(not (COMPILED and CAN_LINK_PARTS), reason="nothing is cached")


def next_number(n):
    return n + 1


def last_number(n):
    return n - 1


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """Return a function that creates a kernel with nothing but the cache in a folder."""
    monkeypatch.setattr(cache, "_write_errors", [])
    monkeypatch.setattr(cache, "FOLDER", tmp_path / "cache")
    (tmp_path / "cache").mkdir()

    def make(function=next_number) -> Kernel:
        made = Kernel(function, OPTIONS)
        made.enable_caching()
        return made

    return make


def files(tmp_path: Path) -> list[Path]:
    return sorted(path for path in (tmp_path / "cache").rglob("*") if path.is_file())


def came_from_the_cache(made: Kernel) -> bool:
    return bool(made.stats.cache_hits)


def test_a_kernel_is_saved_in_a_file(tmp_path, fresh):
    assert fresh()(3) == 4
    again = fresh()

    assert again(4) == 5
    assert came_from_the_cache(again)
    assert [path.suffix for path in files(tmp_path)] == [".code"]


DAMAGES = {
    "emptied": lambda content: b"",
    "cut short": lambda content: content[: len(content) // 2],
    "cut within the hash": lambda content: content[:7],
    "a flipped bit at the front": lambda content: bytes([content[0] ^ 1]) + content[1:],
    "a flipped bit at the end": lambda content: content[:-1] + bytes([content[-1] ^ 1]),
    "zeroed": lambda content: bytes(len(content)),
    "made longer": lambda content: content + b"x",
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_replaced(tmp_path, fresh, damage):
    fresh()(3)
    (path,) = files(tmp_path)
    path.write_bytes(damage(path.read_bytes()))

    made, again = fresh(), fresh()

    assert made(3) == 4
    assert not came_from_the_cache(made)
    assert again(3) == 4
    assert came_from_the_cache(again)
    assert cache.write_error() == ""


def test_a_damaged_part_is_replaced(tmp_path, fresh):
    fresh().precompile(3)
    for path in files(tmp_path):
        path.write_bytes(path.read_bytes()[:50])
    made = fresh()

    made.precompile(3)

    assert len(made._parts) == 1
    assert cache.write_error() == ""


def test_the_file_of_another_kernel_counts_as_missing(tmp_path, fresh):
    fresh()(3)
    fresh().precompile(3)
    made = fresh(last_number)
    for path in files(tmp_path):
        path.rename(path.with_name(f"{made._cache.stem}-{path.name.rpartition('-')[2]}"))

    assert made(3) == 2
    assert not came_from_the_cache(made)
    assert made._part_cache.load_overload((int64,), made.targetctx) is None


@pytest.mark.skipif(os.name == "nt", reason="a folder in place of a file")
def test_a_file_that_cannot_be_opened_is_a_problem_and_no_error(tmp_path, fresh):
    fresh()(3)
    for path in files(tmp_path):
        path.unlink()
        path.mkdir()

    assert fresh()(3) == 4
    assert cache.write_error()


def full(*_):
    raise OSError(28, "No space left on device")


def test_after_a_full_disk_nothing_more_is_saved(fresh, monkeypatch):
    tried = []
    monkeypatch.setattr(cache, "replace_file", lambda *_: tried.append(1) or full())

    assert fresh()(3) == 4
    assert fresh()(3.0) == 4.0

    assert cache.write_error() == "No space left on device"
    assert len(tried) == 1


def test_a_deleted_folder_is_a_problem_and_no_error(tmp_path, fresh):
    (tmp_path / "cache").rmdir()

    assert fresh()(3) == 4
    assert cache.write_error()


def test_the_longest_unused_files_are_deleted_from_a_large_cache(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "MAX_BYTES", 100)
    for age, name in enumerate("abcd"):
        (tmp_path / name).write_bytes(bytes(25))
        os.utime(tmp_path / name, (1000 - age, 1000 - age))

    cache.remove_old_files(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "c", "d"]

    (tmp_path / "a").write_bytes(bytes(26))
    cache.remove_old_files(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a"]


def test_the_clock_of_time_limits_stands_still_while_a_kernel_is_compiled(monkeypatch, tmp_path, fresh):
    fresh()(3)  # the first compilation of a process also loads parts of Numba, which counts as work
    for damage in (lambda path: path.unlink(), lambda path: path.write_bytes(path.read_bytes()[:-1] + b"?")):
        for path in files(tmp_path):
            damage(path)
        budget, began = Budget.starting_now(60.0), time.monotonic()
        fresh()(3)
        real, counted = time.monotonic() - began, budget.seconds_spent
        assert real > 0.02
        assert counted < real / 2

    before = work_time()
    time.sleep(0.01)
    assert work_time() - before >= 0.01, "it goes on"


def other_processor():
    codegen = SimpleNamespace(magic_tuple=lambda: ("x86_64-unknown-linux-gnu", "haswell", ""))
    return SimpleNamespace(target_context=SimpleNamespace(codegen=lambda: codegen))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("sys", SimpleNamespace(implementation=SimpleNamespace(cache_tag="cpython-399"))),
        ("llvmlite", SimpleNamespace(__version__="0.1")),
        ("config", SimpleNamespace(BOUNDSCHECK=1, OPT=3)),
        ("cpu_target", other_processor()),
    ],
)
def test_each_version_flag_and_processor_has_a_folder(monkeypatch, name, value):
    ours = cache.environment_hash()
    monkeypatch.setattr(cache, name, value)

    assert cache.environment_hash() != ours


def test_ctrl_c_while_loading_a_kernel_shows_no_traceback(monkeypatch, capfd):
    def interrupted(table, number):
        raise KeyboardInterrupt

    monkeypatch.setattr(DispatchTable, "load", interrupted)

    DispatchTable("no_table", [], [])._load(0)

    assert capfd.readouterr().err == ""


@pytest.mark.full
@pytest.mark.skipif(os.name == "nt", reason="Windows has another Ctrl-C")
@pytest.mark.parametrize("seconds", [0.0, 1.0, 3.0, 6.0])
def test_ctrl_c_while_compiling_exits_with_130_and_no_traceback(tmp_path, seconds):
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path), "EVODOM_DATA_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "evodom", "match", "big-money", "big-money", "--games", "4"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        assert "Compiling the engine" in program.stderr.readline()
        time.sleep(seconds)
        program.send_signal(signal.SIGINT)
        _, stderr = program.communicate()

    assert (program.returncode, stderr.strip()) == (130, "Interrupted.")
