"""Processes that the program starts execute no file of the current folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from evodom.subprocesses import python_command, python_environment, safe_spawning

from .poisoned import executed, poison

SPAWNING = """
import os
from evodom.tasks import Processes, Tasks
if __name__ == "__main__":
    with Tasks(lambda: Processes(2)) as processes:
        print(processes.map(bytes.upper, [b"one", b"two"]))
    print(os.environ.get("PYTHONSAFEPATH"))
"""

HALVES = """
from evodom.jit.pool import _start
helper = _start()
print("gc:collect", file=helper.stdin, flush=True)
assert helper.stdout.readline() == "done\\n"
helper.stdin.close()
helper.wait()
"""


@pytest.mark.parametrize("program", [SPAWNING, HALVES])
def test_processes_execute_no_file_of_the_current_folder(tmp_path, program):
    folder, file = tmp_path / "poisoned", tmp_path / "program.py"
    folder.mkdir()
    file.write_text(program)
    poison(folder)
    environment = {key: value for key, value in python_environment().items() if key != "PYTHONSAFEPATH"}

    command = [sys.executable, file]
    done = subprocess.run(command, check=False, cwd=folder, env=environment, capture_output=True, text=True)

    assert executed(folder) is None
    assert done.returncode == 0, done.stderr
    if program == SPAWNING:
        assert done.stdout == "[b'ONE', b'TWO']\nNone\n"


def test_a_started_process_imports_what_this_one_can_import_and_its_children_are_safe(tmp_path):
    poison(tmp_path)
    child = "subprocess.run([sys.executable, '-c', 'import numpy'], check=True)"
    code = f"import sys, tests.poisoned, numpy, subprocess; {child}"
    subprocess.run(python_command("-c", code), cwd=tmp_path, env=python_environment(), check=True)
    assert executed(tmp_path) is None
    assert Path.cwd().as_posix() in sys.path  # or the import above would show nothing


@pytest.mark.parametrize("before", [None, "", "x"])
def test_the_environment_is_as_before_after_spawning(monkeypatch, before):
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    if before is not None:
        monkeypatch.setenv("PYTHONSAFEPATH", before)
    with safe_spawning():
        assert os.environ["PYTHONSAFEPATH"] == "1"
    assert os.environ.get("PYTHONSAFEPATH") == before
