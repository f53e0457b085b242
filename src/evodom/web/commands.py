"""The commands that do at a terminal what a page did."""

import shlex
from pathlib import Path

from evodom.errors import RunError
from evodom.runs import data_dir


def command_line(root: Path, *words: str) -> str:
    """Return a command as one types it into a shell, with --data-dir unless runs are saved in the usual folder."""
    try:
        usual = data_dir() == root
    except RunError:
        usual = False
    return shlex.join(words if usual else (*words, "--data-dir", str(root)))
