"""The program as a whole: start-up, help, unknown commands."""

import io
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

import evodom.cli
from evodom.api.progress import is_terminal
from evodom.cli import COMMANDS
from evodom.cli.common import command_line
from evodom.runs import RunStore
from tests.cli.program import run_program

needs_shell = pytest.mark.skipif(os.name == "nt", reason="Windows has no POSIX shell")
needs_dev_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no file that is always full")


def shell(line: str, root: Path) -> subprocess.CompletedProcess[str]:
    """Run `evodom` with what follows it in a shell, on one empty run `demo`."""
    RunStore(root).create("demo", {}, []).close()
    command = f"{shlex.quote(sys.executable)} -m evodom {line}"
    environment = os.environ | {"EVODOM_DATA_DIR": str(root)}
    return subprocess.run(["sh", "-c", command], check=False, capture_output=True, text=True, env=environment)


LIGHT = """
import sys, evodom, evodom.cli
def run(*words): evodom.cli.cli.main(list(words), standalone_mode=False)
for words in ("--help", "spire map 5", "runs", "cards", "cards moat", "kingdoms deck-top"):
    run(*words.split())
    assert not {"numpy", "numba", "tqdm"} & set(sys.modules), (words, sorted(sys.modules))
for name in evodom.cli.COMMANDS:
    run(name, "--help")
    assert "numba" not in sys.modules, name
"""


def test_help_loads_no_numba_and_exact_commands_no_numpy(tmp_path, store):
    store.create("demo", {}, []).close()
    environment = os.environ | {"EVODOM_DATA_DIR": str(tmp_path)}
    result = subprocess.run([sys.executable, "-c", LIGHT], check=True, capture_output=True, text=True, env=environment)

    assert all(f" {name} [" in result.stdout for name in COMMANDS)


def test_without_a_command_the_help_is_shown():
    result = run_program()

    assert "Commands:" in result.stdout + result.stderr
    assert "Error" not in result.stderr


FULL = "Error: standard input or output cannot be used: No space left on device\n"


@needs_shell
@pytest.mark.parametrize(
    ("line", "code", "error"),
    [
        ("runs show demo <&- >&- 2>&-", 0, ""),
        ("runs delete demo <&-", 2, "stdin is not a terminal. Add --yes\n"),
        ("runs show 2>&-", 2, ""),
        pytest.param("runs show demo >/dev/full", 1, FULL, marks=needs_dev_full),
        pytest.param("--help >/dev/full", 1, FULL, marks=needs_dev_full),
    ],
)
def test_closed_streams_are_no_failure_and_a_full_disk_is_an_error_of_one_line(tmp_path, line, code, error):
    result = shell(line, tmp_path)

    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (code, "", bool(error))
    assert result.stderr.endswith(error)


def print_unflushed(stdout: IO[str]) -> subprocess.CompletedProcess[str]:
    """Run a command that prints a line and leaves it in Python's buffer."""
    code = (
        "import sys, click, evodom.cli\n"
        "evodom.cli.cli.get_command = lambda ctx, name: click.Command(name, callback=lambda: print('a line'))\n"
        "sys.argv = ['evodom', 'runs']\n"
        "evodom.cli.main()"
    )
    command = [sys.executable, "-c", code]
    return subprocess.run(command, check=False, stdout=stdout, stderr=subprocess.PIPE, text=True)


@needs_dev_full
def test_a_full_disk_is_told_of_even_if_it_was_not_noticed_before_the_end():
    with open("/dev/full", "w") as full:
        result = print_unflushed(full)

    assert (result.returncode, result.stderr) == (1, FULL)


def test_a_reader_that_has_left_is_told_nothing():
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w") as nobody:
        result = print_unflushed(nobody)
        program = [sys.executable, "-m", "evodom", "strategies"]
        seen_by_click = subprocess.run(program, check=False, stdout=nobody, stderr=subprocess.PIPE, text=True)

    for one in (result, seen_by_click):
        assert (one.returncode, one.stderr) == (0, ""), "as in: evodom strategies | head -1"


def test_only_an_open_terminal_is_a_terminal():
    pty = pytest.importorskip("pty", reason="only POSIX has pseudo-terminals")
    parent, child = pty.openpty()
    with open(child, "w") as terminal:
        assert is_terminal(terminal)
    os.close(parent)
    assert not is_terminal(terminal)
    assert not is_terminal(io.StringIO())
    assert not is_terminal(None)


def test_a_command_is_told_as_a_shell_reads_it_with_the_data_folder_that_was_given():
    assert command_line("evodom", "report", "demo", data_dir=None) == "evodom report demo"
    assert command_line("evodom", "runs", data_dir=Path("my runs")) == "evodom runs --data-dir 'my runs'"


# Ctrl-C.


def press_and_turn_into(error: Exception) -> None:
    """Press Ctrl-C where somebody makes another error of it, as NumPy and Numba do."""
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        raise error from None


@pytest.mark.parametrize("error", [RuntimeError("a kernel could not be loaded"), ImportError("numpy failed")])
def test_ctrl_c_that_became_another_error_exits_with_130(monkeypatch, error):
    monkeypatch.setattr(evodom.cli.cli, "main", lambda **_: press_and_turn_into(error))

    result = run_program("runs")

    assert (result.exit_code, result.stderr) == (130, "Interrupted.\n")


def test_an_error_without_ctrl_c_stays_what_it_is(monkeypatch):
    def fail(**_):
        raise RuntimeError("a fault")

    monkeypatch.setattr(evodom.cli.cli, "main", fail)

    with pytest.raises(RuntimeError, match="a fault"):
        run_program("runs")


def test_ctrl_c_is_as_before_once_the_program_has_run():
    before = signal.getsignal(signal.SIGINT), sys.unraisablehook

    run_program("--version")

    assert (signal.getsignal(signal.SIGINT), sys.unraisablehook) == before


WHILE_IT_LOADS = (
    "import signal, sys, types\n"
    "class Interrupted:\n"
    "    def find_spec(self, name, path=None, target=None):\n"
    "        if name == 'click': signal.raise_signal(signal.SIGINT)\n"
    "sys.meta_path.insert(0, Interrupted())\n"
    "from evodom.start import main\n"
    "main()"
)

IN_A_DESTRUCTOR = (
    "import signal, evodom.cli\n"
    "class Careless:\n"
    "    def __del__(self): signal.raise_signal(signal.SIGINT)\n"
    "def careless(**_):\n"
    "    Careless()\n"
    "    raise SystemExit('went on')\n"
    "evodom.cli.cli.main = careless\n"
    "from evodom.start import main\n"
    "main()"
)


@pytest.mark.skipif(os.name == "nt", reason="Windows has another Ctrl-C")
@pytest.mark.parametrize(("code", "printed"), [(WHILE_IT_LOADS, ""), (IN_A_DESTRUCTOR, "Interrupted.\n")])
def test_ctrl_c_that_python_would_print_exits_with_130_and_no_traceback(code, printed):
    result = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)

    assert (result.returncode, result.stderr) == (130, printed)
