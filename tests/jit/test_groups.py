"""Groups of kernels: what is compiled for whom, in which order, what is said, and what is marked."""

from types import SimpleNamespace

import pytest

from evodom.cli import common
from evodom.cli.common import compile_for, ensure_compiled
from evodom.entrants import find_entrants
from evodom.jit import groups
from evodom.jit.groups import GROUPS, compile_group

ENGINE = "Compiling the engine (about 15 s), once for this version ..."
LEARNING = "Compiling what learning needs (about 10 s), once for this version ..."


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """Return a machine whose cache lacks all groups: its settings, and the list of what is compiled."""
    common._tell_problem.cache_clear()
    facts = {"missing": set(GROUPS), "can_cache": True, "problem": "", "done": []}
    monkeypatch.setattr(groups, "groups_to_compile", lambda *names: [n for n in names if n in facts["missing"]])
    monkeypatch.setattr(groups, "compile_group", lambda name, cached=True: facts["done"].append((name, cached)))
    monkeypatch.setattr(groups, "load_groups", lambda name: facts["done"].append((name, "loaded")))
    monkeypatch.setattr("evodom.jit.kernel.can_cache", lambda: facts["can_cache"])
    monkeypatch.setattr("evodom.jit.kernel.cache_problem", lambda: facts["problem"])
    monkeypatch.setattr("evodom.jit.kernel.cache_folder", lambda: tmp_path)
    return facts


def test_every_task_of_a_group_is_a_function():
    for group in GROUPS.values():
        assert all(callable(groups._task(path)) for path in group.tasks)
        assert 1 <= len(group.tasks) <= 2


def test_groups_are_compiled_in_order_and_said_as_once(machine, capsys):
    ensure_compiled("games", "learning", quiet=False)

    assert machine["done"] == [("games", True), ("learning", True)]
    assert capsys.readouterr().err.splitlines() == [ENGINE, LEARNING]


def test_quiet_says_nothing(machine, capsys):
    machine["problem"] = "No space left on device"

    ensure_compiled("games", quiet=True)

    assert machine["done"] == [("games", True)]
    assert capsys.readouterr().err == ""


def test_what_has_been_compiled_is_not_compiled_again_and_only_timed_groups_are_loaded(machine, capsys):
    machine["missing"] = set()

    ensure_compiled("games", "learning", "thinking", quiet=False)

    assert machine["done"] == [("thinking", "loaded")]
    assert capsys.readouterr().err == ""


def test_without_a_cache_it_says_that_this_repeats_and_compiles_the_least(machine, capsys, tmp_path):
    machine["can_cache"] = False

    ensure_compiled("games", quiet=False)

    assert machine["done"] == [("games", False)]
    assert f"{tmp_path} cannot be written, so this repeats at every start." in capsys.readouterr().err


def test_a_cache_that_cannot_be_written_is_told_once(machine, capsys, tmp_path):
    machine["problem"] = "No space left on device"

    ensure_compiled("games", "learning", quiet=False)

    told = f"{tmp_path} cannot be written (No space left on device): what was compiled is not kept."
    assert capsys.readouterr().err.count(told) == 1


@pytest.mark.parametrize(
    ("name", "compiled"),
    [("big-money", ["games"]), ("network", ["games", "networks"]), ("network:1s", ["games", "thinking"])],
)
def test_players_get_what_they_need(machine, tmp_path, name, compiled):
    entrants = find_entrants([name], root=tmp_path, agents=False).entrants

    compile_for([SimpleNamespace(strategy=None), *entrants], quiet=True)

    assert [group for group, _ in machine["done"]] == compiled


@pytest.mark.parametrize(("cached", "tasks"), [(True, ["first", "second"]), (False, ["first"])])
def test_a_group_is_marked_after_its_tasks(monkeypatch, cached, tasks):
    done = []
    monkeypatch.setattr(groups, "_task", lambda path: lambda: done.append(path))
    monkeypatch.setattr(groups, "compile_in_parallel", lambda first, second: (first(), second()))
    monkeypatch.setattr(groups, "mark_compiled", done.append)
    monkeypatch.setitem(GROUPS, "some", groups.KernelGroup("some", ("first", "second"), uncached=1))

    compile_group("some", cached=cached)

    assert done == [*tasks, "some"]
