"""Locks that keep other processes from writing a run. They do not block readers.

A lock is an SQLite lock on a separate file next to the run. The operating system releases it whenever the process ends.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from evodom.errors import RunError
from evodom.runs.file import check_companions, convert_errors


@contextmanager
def locked(path: Path, key: str) -> Iterator[None]:
    """Hold the lock file ``path`` of the run ``key``. Raise RunError immediately if another process holds it."""
    with convert_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = _acquire(path, key)
    try:
        yield
    finally:
        # POSIX: delete the file before the lock is released. Afterwards it can be the file of the next writer.
        # Windows: a file cannot be deleted before it is closed.
        with suppress(OSError):
            path.unlink()
        connection.close()
        if os.name == "nt":
            with suppress(OSError):
                path.unlink()


def is_locked(path: Path) -> bool:
    """Return True if a process holds the lock file ``path``."""
    with suppress(sqlite3.Error, RunError):
        check_companions(path)
        # In this mode SQLite does not create a missing file.
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=0)) as reader:
            try:
                reader.execute("PRAGMA schema_version").fetchone()
            except sqlite3.OperationalError as error:
                return error.sqlite_errorcode == sqlite3.SQLITE_BUSY
    return False


def _acquire(path: Path, key: str) -> sqlite3.Connection:
    """Lock a file and return the connection that holds the lock."""
    while True:
        check_companions(path)
        if path.is_symlink():
            raise RunError(f"{path} is a link. Delete it")
        path.touch()  # updates the time of an existing file without opening it
        with ExitStack() as resources, suppress(FileNotFoundError):
            before = path.stat()
            connection = resources.enter_context(closing(sqlite3.connect(path, isolation_level=None, timeout=0)))
            try:
                connection.execute("PRAGMA journal_mode = OFF")
                connection.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                    raise
                busy = f"run '{key}' is being written by another process. Wait for it, or use another key."
                raise RunError(busy) from None
            # The last owner may have unlinked the file we locked, between our opening and our locking it.
            if os.path.samestat(before, path.stat()):
                resources.pop_all()
                return connection
