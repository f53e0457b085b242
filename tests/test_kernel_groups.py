"""Groups of kernels: which a command compiles, in which order, with which messages and marks."""

import os
import subprocess
import sys
import time
from importlib import import_module
from types import SimpleNamespace

import pytest

from evodom import kernel_groups as groups
from evodom.api import progress
from evodom.api.progress import compile_for, ensure_compiled
from evodom.dominion.kingdom import FIRST_GAME, engine_groups, parse_kingdom
from evodom.jit import cache, pool
from evodom.jit.kernel import COMPILED, kernel
from evodom.jit.pool import is_compiled, run_task, run_tasks
from evodom.kernel_groups import GROUPS, compile_groups
from evodom.matches.entrants import find_entrants


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """Return the settings of a machine without compiled groups, and the list of groups compiled on it."""
    progress._warn_once.cache_clear()
    facts = {"missing": set(GROUPS), "can_cache": True, "problem": "", "done": []}
    monkeypatch.setattr(groups, "groups_to_compile", lambda *names: [n for n in names if n in facts["missing"]])
    monkeypatch.setattr(groups, "compile_groups", lambda *names, show=None: facts["done"].append(names))
    monkeypatch.setattr(groups, "load_groups", lambda *names: facts["done"].append(("loaded", *names)))
    monkeypatch.setattr("evodom.jit.cache.can_cache", lambda: facts["can_cache"])
    monkeypatch.setattr("evodom.jit.cache.write_error", lambda: facts["problem"])
    monkeypatch.setattr("evodom.jit.cache.cache_folder", lambda: tmp_path)
    return facts


def test_kingdoms_with_cards_of_other_sets_need_more_kernels():
    base, intrigue = FIRST_GAME, parse_kingdom("Chapel,Pawn")

    assert engine_groups(base, parse_kingdom("Colony,Feast")) == ["games"]
    assert engine_groups(base, intrigue) == ["games", "expansions"]


def test_every_task_of_a_group_is_a_function():
    for path in {task for group in GROUPS.values() for task in group.tasks}:
        module, name = path.split(":")
        assert callable(getattr(import_module(module), name))


def test_missing_groups_are_compiled_together_with_a_line_unless_quiet(machine, capsys):
    ensure_compiled("games", "learning", quiet=False)

    assert machine["done"] == [("games", "learning"), ("loaded",)]
    text = groups.compile_text("games", "learning")
    assert capsys.readouterr().err == f"{text} ...\n"
    assert text.startswith("Compiling the engine, learning, once for this version (about ")

    machine["problem"] = "No space left on device"
    ensure_compiled("games", quiet=True)
    assert machine["done"][2] == ("games",)
    assert capsys.readouterr().err == ""


def test_compiled_groups_are_not_compiled_again_and_only_timed_groups_are_loaded(machine, capsys):
    machine["missing"] = set()

    ensure_compiled("games", "learning", "search", quiet=False)

    assert machine["done"] == [("loaded", "search")]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"can_cache": False}, "Compiling the engine, learning; {} cannot be written, so this repeats"),
        ({"problem": "No space left on device"}, "{} cannot be written (No space left on device)"),
    ],
)
def test_a_cache_that_cannot_be_written_is_named_once(machine, capsys, tmp_path, change, message):
    machine |= change

    ensure_compiled("games", "learning", quiet=False)

    assert capsys.readouterr().err.count(message.format(tmp_path)) == 1


def test_players_need_the_groups_of_their_kind(machine, store):
    for name, compiled in [
        ("big-money", ["games"]),
        ("network", ["games", "networks"]),
        ("network:1s", ["games", "search"]),
    ]:
        machine["done"].clear()
        entrants = find_entrants([name], store=store, agents=False).entrants
        compile_for([SimpleNamespace(strategy=None), *entrants], quiet=True)
        assert machine["done"][0] == tuple(compiled)
    machine["done"].clear()
    compile_for([SimpleNamespace(strategy=None)], groups=["single games"], quiet=True)
    assert machine["done"][0] == ("games", "single games")


def test_one_line_names_the_groups_of_a_command(machine, capsys):
    compile_for([], parse_kingdom("Chapel,Pawn"), groups=["imitation"], quiet=False)

    assert machine["done"][0] == ("games", "expansions", "imitation")
    assert "Compiling the engine, other sets of cards, imitation of strategies, once" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("pace", "about"),
    [(b"1.0", 40), (b"2.5", 100), (b"0.05", 2), (b"", 40), (b"nan", 40), (b"1e9", 40), (b"-1", 40), (b"x" * 99, 40)],
)
def test_the_estimate_follows_the_pace_of_the_last_groups(monkeypatch, tmp_path, pace, about):
    monkeypatch.setattr(cache, "FOLDER", tmp_path)
    monkeypatch.setattr(groups, "n_processors", lambda: 2)
    monkeypatch.setitem(GROUPS, "some", groups.KernelGroup("some", {"first": 40.0, "second": 40.0}))
    (tmp_path / "pace").write_bytes(pace)

    assert groups.compile_text("some") == f"Compiling some, once for this version (about {about} s)"


def test_the_pace_is_measured_whenever_groups_are_compiled(monkeypatch, tmp_path):
    monkeypatch.setattr(cache, "FOLDER", tmp_path)
    monkeypatch.setattr(groups, "can_cache", lambda: True)
    monkeypatch.setattr(groups, "run_tasks", lambda tasks: None)
    moments = iter([100.0, 160.0])
    monkeypatch.setattr(groups.time, "monotonic", lambda: next(moments))
    monkeypatch.setitem(GROUPS, "some", groups.KernelGroup("some", {"first": 20.0}))
    assert "(about 20 s)" in groups.compile_text("some")

    compile_groups("some")

    assert "(about 60 s)" in groups.compile_text("some")


def test_the_share_of_a_compilation_rises_to_one(monkeypatch, tmp_path):
    shares = []
    monkeypatch.setattr(cache, "FOLDER", tmp_path)
    monkeypatch.setattr(groups, "can_cache", lambda: True)
    monkeypatch.setattr(groups, "run_tasks", lambda tasks: time.sleep(0.7))
    monkeypatch.setitem(GROUPS, "some", groups.KernelGroup("some", {"first": 0.3}))

    compile_groups("some", show=shares.append)

    assert shares == sorted(shares)
    assert max(shares[:-1]) <= 0.99 < shares[-1] == 1.0


def test_a_quiet_call_logs_the_groups(machine, caplog):
    with caplog.at_level("INFO", "evodom"):
        ensure_compiled("games", "learning", quiet=True)

    assert caplog.messages == [f"{groups.compile_text('games', 'learning')} ..."]


def test_without_a_cache_this_process_compiles_all_tasks(monkeypatch):
    done = []
    monkeypatch.setattr(groups, "can_cache", lambda: False)
    monkeypatch.setattr(groups, "run_task", done.append)
    monkeypatch.setitem(GROUPS, "some", groups.KernelGroup("some", {"first": 1.0, "second": 1.0}))

    compile_groups("some", "some")

    assert done == ["first", "second"]


# Marks.


@kernel
def next_number(n):
    return n + 1


def use_next_number() -> None:
    """Compile `next_number`: the task of these tests."""
    next_number(3)


TASK = f"{__name__}:use_next_number"


@pytest.fixture
def marked(monkeypatch, tmp_path):
    """Run TASK with an empty cache, and return its folder."""
    if not COMPILED:
        pytest.skip("nothing is compiled")
    monkeypatch.setattr(cache, "FOLDER", tmp_path)
    monkeypatch.setattr(cache, "_write_errors", [])
    monkeypatch.setattr(cache, "CACHES", {})
    monkeypatch.setattr(pool, "CACHES", cache.CACHES)
    monkeypatch.setitem(globals(), "next_number", kernel(next_number.py_func))
    assert not is_compiled(TASK)
    run_task(TASK)
    assert is_compiled(TASK)
    return tmp_path


def test_a_mark_is_void_once_a_file_is_missing_or_has_another_size(marked):
    (path,) = marked.glob("*.code")
    content = path.read_bytes()
    for damage in (content + b"x", content[:-1], b""):
        path.write_bytes(damage)
        assert not is_compiled(TASK)
    path.unlink()
    assert not is_compiled(TASK)
    path.write_bytes(content)
    assert is_compiled(TASK)
    (mark,) = marked.glob("*.compiled")
    for strange in ("", "[]", "{}", '{"a": "b"}', "{", '{"no:file": {"a": 0}}', '{"evodom:no": {"a": 0}}'):
        mark.write_text(strange)
        assert not is_compiled(TASK)


def test_a_mark_is_void_once_the_key_of_a_kernel_changes(marked, monkeypatch):
    monkeypatch.setattr(cache, "cache_key", lambda kernel: "other")

    assert not is_compiled(TASK)


def test_a_mark_lists_no_kernel_of_another_package_and_stays_while_it_is_valid(marked):
    (mark,) = marked.glob("*.compiled")
    valid = mark.read_bytes()
    other = cache.KernelCache(next_number, suffix="other")
    other.used = {"other-file.code": 1}
    cache.CACHES.update({"other.package:kernel": other, "tests.other:kernel": other})
    run_task(TASK)
    assert mark.read_bytes() == valid

    mark.unlink()
    del cache.CACHES["tests.other:kernel"]
    run_task(TASK)

    assert mark.read_bytes() == valid


def test_nothing_is_marked_if_kernels_could_not_be_saved(marked, monkeypatch):
    for path in marked.iterdir():
        path.unlink()
    monkeypatch.setattr(cache, "_write_errors", ["No space left on device"])
    run_task(TASK)

    assert list(marked.iterdir()) == []


# The pool of tasks.

SECOND, FAILING = "tests.jit.tasks:second", "tests.jit.tasks:failing_in_another_process"


@pytest.fixture
def note(monkeypatch, tmp_path):
    """Return the file to which SECOND and FAILING write the number of their process."""
    monkeypatch.setenv("EVODOM_TEST_NOTE", str(tmp_path / "note"))
    monkeypatch.setenv("EVODOM_TEST_PID", str(os.getpid()))
    monkeypatch.setattr(pool, "n_processors", lambda: 2)
    monkeypatch.setattr(cache, "FOLDER", None)
    return tmp_path / "note"


@pytest.mark.parametrize(("task", "left"), [(SECOND, []), (FAILING, [FAILING])])
def test_another_process_runs_a_task_or_leaves_it_for_this_one(note, task, left):
    waiting = pool.deque([task])
    helper = pool._start()

    pool._feed(helper, waiting)
    helper.kill()
    helper.communicate()

    assert list(waiting) == left
    assert not note.exists() if left else note.read_text() != str(os.getpid())


def test_tasks_that_fail_in_another_process_run_here(note):
    run_tasks([FAILING, FAILING])

    assert note.read_text() == str(os.getpid())


@pytest.mark.parametrize("missing", ["processor", "interpreter"])
def test_without_processor_or_interpreter_all_tasks_run_here(note, monkeypatch, missing):
    if missing == "processor":
        monkeypatch.setattr(pool, "n_processors", lambda: 1)
    else:
        monkeypatch.setattr(sys, "executable", "/no/such/interpreter")
    run_tasks([SECOND, SECOND])

    assert note.read_text() == str(os.getpid())


def test_the_other_processes_end_when_compiling_is_interrupted(monkeypatch):
    helpers = []
    monkeypatch.setattr(pool, "n_processors", lambda: 2)
    monkeypatch.setattr(pool, "_start", lambda: helpers.append(sleeper()) or helpers[0])
    monkeypatch.setattr(pool, "run_task", lambda task: interrupted())

    with pytest.raises(KeyboardInterrupt):
        run_tasks([SECOND, SECOND, SECOND])

    assert helpers[0].poll() is not None


def interrupted() -> None:
    raise KeyboardInterrupt


def sleeper() -> subprocess.Popen:
    command = [sys.executable, "-c", "import time; time.sleep(60)"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
