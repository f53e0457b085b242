"""Python processes that the program starts: they import no file of the current folder.

``python -c`` and ``python -m`` put the current folder first on the import path, and would execute a ``numpy.py`` there.
Start a process with `python_command` and `python_environment`, and those of `multiprocessing` inside `safe_spawning`.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_SAFE_PATH = "PYTHONSAFEPATH"

_spawning = Lock()


def python_command(*arguments: str) -> list[str]:
    """Return the command that starts this Python without the current folder on its import path."""
    return [sys.executable or "python3", "-P", *arguments]


def python_environment() -> dict[str, str]:
    """Return the environment of such a process: its import path is that of this process."""
    path = os.pathsep.join(folder for folder in sys.path if folder)
    return os.environ | {"PYTHONPATH": path, _SAFE_PATH: "1"}


@contextmanager
def safe_spawning() -> Iterator[None]:
    """Set the variable that keeps the current folder off the import path of new processes.

    `multiprocessing` has no parameter for it.
    """
    with _spawning:
        before = os.environ.get(_SAFE_PATH)
        os.environ[_SAFE_PATH] = "1"
        try:
            yield
        finally:
            if before is None:
                del os.environ[_SAFE_PATH]
            else:
                os.environ[_SAFE_PATH] = before
