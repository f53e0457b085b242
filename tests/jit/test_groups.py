"""Groups of kernels: which a command compiles, in which order, with which messages and marks."""

from types import SimpleNamespace

import pytest

from evodom.cli import common
from evodom.cli.common import compile_for, ensure_compiled
from evodom.entrants import find_entrants
from evodom.jit import groups
from evodom.jit.groups import GROUPS, compile_group


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """Return the settings of a machine without compiled groups, and the list of groups compiled on it."""
    common._warn_once.cache_clear()
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


def test_missing_groups_are_compiled_in_order_with_a_line_each_unless_quiet(machine, capsys):
    ensure_compiled("games", "learning", quiet=False)

    assert machine["done"] == [("games", True), ("learning", True)]
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    for line, name in zip(lines, ("games", "learning"), strict=True):
        assert GROUPS[name].text in line

    machine["problem"] = "No space left on device"
    ensure_compiled("games", quiet=True)
    assert machine["done"][2:] == [("games", True)]
    assert capsys.readouterr().err == ""


def test_compiled_groups_are_not_compiled_again_and_only_timed_groups_are_loaded(machine, capsys):
    machine["missing"] = set()

    ensure_compiled("games", "learning", "thinking", quiet=False)

    assert machine["done"] == [("thinking", "loaded")]
    assert capsys.readouterr().err == ""


def test_without_a_cache_only_the_necessary_tasks_are_compiled(machine, capsys, tmp_path):
    machine["can_cache"] = False

    ensure_compiled("games", quiet=False)

    assert machine["done"] == [("games", False)]
    assert f"{tmp_path} cannot be written" in capsys.readouterr().err


def test_a_cache_problem_is_printed_once(machine, capsys, tmp_path):
    machine["problem"] = "No space left on device"

    ensure_compiled("games", "learning", quiet=False)

    assert capsys.readouterr().err.count(f"{tmp_path} cannot be written (No space left on device)") == 1


def test_players_need_the_groups_of_their_kind(machine, tmp_path):
    for name, compiled in [
        ("big-money", ["games"]),
        ("network", ["games", "networks"]),
        ("network:1s", ["games", "thinking"]),
    ]:
        machine["done"].clear()
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
