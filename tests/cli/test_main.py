"""The program as a whole: start-up, help, unknown commands."""

import subprocess
import sys

import pytest

from evodom.cli import COMMANDS, cli


def test_help_and_import_load_neither_numpy_nor_numba():
    code = (
        "import sys, evodom, evodom.cli\n"
        "evodom.cli.cli.main(['--help'], standalone_mode=False)\n"
        "assert not {'numpy', 'numba', 'tqdm'} & set(sys.modules), sorted(sys.modules)"
    )

    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_that_loads_no_numba(name):
    code = (
        "import sys, evodom.cli\n"
        f"evodom.cli.cli.main([{name!r}, '--help'], standalone_mode=False)\n"
        "assert 'numba' not in sys.modules"
    )

    result = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)

    assert f"{name} " in result.stdout
    assert cli.get_command(None, name).name == name


def test_an_unknown_command_is_a_usage_error():
    result = subprocess.run([sys.executable, "-m", "evodom", "evolv"], check=False, capture_output=True, text=True)

    assert result.returncode == 2
    assert "No such command 'evolv'" in result.stderr
    assert "Traceback" not in result.stderr
