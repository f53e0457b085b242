"""Create, open, list, check, delete, export and import the saved runs of a data directory.

    store = RunStore()
    with store.open("demo") as run:
        print(run.last().summary)

A file is written under a temporary name and renamed when it is complete. A killed process leaves no incomplete run.
A `MemoryStore` holds runs in memory only.

A lock keeps other processes from writing a run. Readers are not blocked. The lock is an SQLite lock on a separate file
next to the run. The operating system releases it when the process ends.
"""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from platformdirs import user_data_path

from evodom.errors import RunError, UsageError, suggest_names
from evodom.files import check_new_name, check_output, modified_at, remove_partials, replacing
from evodom.runs import file as run_file
from evodom.runs.generation import Contents, Generation
from evodom.runs.names import check_key, is_key, split_key
from evodom.runs.run import Run


@contextmanager
def locked(path: Path, key: str) -> Iterator[None]:
    """Hold the lock file ``path`` of the run ``key``. Raise RunError immediately if another process holds it."""
    with run_file.convert_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = _acquire(path, key)
    try:
        yield
    finally:
        # POSIX: delete the file before the lock is released. After the release, the next writer may use the file.
        # Windows: a file cannot be deleted before it is closed.
        with suppress(OSError):
            path.unlink()
        connection.close()
        if os.name == "nt":
            with suppress(OSError):
                path.unlink()


def _acquire(path: Path, key: str) -> sqlite3.Connection:
    """Lock a file and return the connection that holds the lock."""
    while True:
        run_file.check_journal(path)
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
            # The last owner may have deleted the file after it was opened here, and before it was locked.
            if os.path.samestat(before, path.stat()):
                resources.pop_all()
                return connection


@dataclass(frozen=True)
class RunInfo:
    """A summary of a saved run and its parts. ``problem`` is the error if the file cannot be read, else None.

    ``size`` and ``modified`` of a part are those of the whole file.
    """

    key: str
    n_generations: int
    meta: dict[str, Any]
    size: int
    modified: datetime
    problem: str | None = None
    parts: dict[str, "RunInfo"] = field(default_factory=dict)


class RunStore:
    """The saved runs of the data directory ``root``, by default $EVODOM_DATA_DIR, else the user's data folder.

    Errors of SQLite and of the file system, and an invalid EVODOM_DATA_DIR, raise RunError with a message of one line.
    Iteration and `remove_leftovers` ignore errors of the file system.
    """

    def __init__(self, root: str | Path | None = None) -> None:
        self._given_root = root

    @cached_property
    def root(self) -> Path:
        """The data directory. It may not exist yet. It also contains the folders of sessions and tasks."""
        if self._given_root is not None:
            return Path(self._given_root)
        if value := os.environ.get("EVODOM_DATA_DIR"):
            path = Path(os.path.expanduser(value))
            if os.path.exists(path) and not os.path.isdir(path):
                allowed = "Allowed: a folder, or the name of a new one"
                raise RunError(f"EVODOM_DATA_DIR is '{value}', which is no folder. {allowed}")
            return path
        with suppress(RuntimeError):
            if (path := user_data_path("evodom", appauthor=False)).is_absolute():
                return path
        raise RunError(
            "there is no home directory to save runs in. Name a folder with --data-dir, or in EVODOM_DATA_DIR"
        )

    def __iter__(self) -> Iterator[str]:
        """Yield the sorted keys of the saved runs, without opening files; nothing if the folder cannot be read."""
        with suppress(OSError):
            yield from self._keys()

    def __contains__(self, key: object) -> bool:
        return any(key == each for each in self)

    def infos(self) -> list[RunInfo]:
        """Return the `RunInfo` of every saved run, sorted by key."""
        with run_file.convert_errors(self._folder):
            keys = self._keys() if self._folder.exists() else []
        return list(map(self.describe, keys))

    def describe(self, key: str) -> RunInfo:
        """Return the `RunInfo` of a run. If its file is missing or cannot be read, ``problem`` is set."""
        path = self._path(key)
        size, modified = 0, datetime.fromtimestamp(0, UTC)
        try:
            with run_file.convert_errors(path):
                size, modified = path.stat().st_size, modified_at(path)
            with self.open(key) as run:
                parts = {name: run.part(name) for name in run.parts}
                infos = {
                    name: RunInfo(part.key, part.n_generations, part.meta, size, modified)
                    for name, part in parts.items()
                }
                return RunInfo(key, run.n_generations, run.meta, size, modified, None, infos)
        except RunError as error:
            return RunInfo(key, 0, {}, size, modified, str(error))

    def open(self, key: str, *, write: bool = False) -> Run:
        """Open a saved run or a part of one for reading, or with ``write`` also for writing.

        Raise RunError if it is missing or invalid or, with ``write``, if another process is writing it.
        """
        path, (name, part) = self._existing_path(key), split_key(key)
        with ExitStack() as resources:
            if write:
                resources.enter_context(self._lock(key))
            connection = resources.enter_context(run_file.connect(path, write=write))
            return Run(name, path, connection, resources, part)

    def create(
        self,
        key: str,
        meta: dict[str, Any],
        generations: Iterable[Generation],
        *,
        overwrite: bool = False,
        parts: Mapping[str, Contents] = MappingProxyType({}),
    ) -> Run:
        """Save a run with its first generations and its parts, and open it for writing.

        With ``overwrite``, replace an existing run atomically. If the new run cannot be written, the existing run is
        kept. Raise UsageError if `check_free` refuses the key, RunError if another process is writing the run.
        """
        path = self._path(key)
        self.check_free(key, overwrite=True)  # before the lock file is created
        with ExitStack() as resources:
            resources.enter_context(self._lock(key))
            self.check_free(key, overwrite=overwrite)
            with run_file.convert_errors(path), replacing(path) as file:
                run_file.write_database(Path(file.name), key, {"": (meta, generations), **parts})
                run_file.apply_journal(path)
            connection = resources.enter_context(run_file.connect(path, write=True))
            return Run(key, path, connection, resources)

    def delete(self, key: str) -> None:
        """Delete a run with its parts, even if damaged.

        Raise UsageError for the key of a part, and RunError if the run does not exist or another process is writing it.
        """
        path = self._existing_path(check_key(key))
        with self._lock(key), run_file.convert_errors(path):
            path.unlink(missing_ok=True)
            run_file.remove_companions(path)

    def export_file(self, key: str, file: Path, *, overwrite: bool = False) -> None:
        """Write a copy of a run to ``file``, for `import_file`. Other processes may use the run at the same time.

        If ``file`` is a symbolic link, write to its target. Raise UsageError if ``file`` is in the folder of the saved
        runs, is not a regular file, or exists and ``overwrite`` is false.
        """
        if file.resolve().parent == self._folder.resolve():
            raise UsageError(f"{file} is in the folder of the saved runs itself. Export to another folder")
        if file.exists() and not (file.is_file() or file.is_dir()):
            raise UsageError(f"{file} is no file, but a device, pipe or socket. Choose another file")
        check_output(file, overwrite=overwrite)
        file = Path(os.path.realpath(file))
        with self.open(check_key(key)) as run, run.snapshot(), run_file.convert_errors(file), replacing(file) as new:
            run_file.check_no_companions(file)
            run_file.write_database(Path(new.name), key, {"": (run.meta, run), **run.contents_of_parts()})

    def import_file(
        self,
        file: Path,
        key: str | None = None,
        *,
        overwrite: bool = False,
        check: Callable[[Run], object] = lambda run: None,
    ) -> str:
        """Save a copy of an exported run under ``key``, by default its original key, and return the key.

        Check all pages and generations of the file. If a check fails, save nothing. ``check`` is called with the run
        before it is saved, and raises an EvodomError if the contents are invalid.
        """
        with Run.open_file(file) as run:
            check(run)
            key = check_key(run.key if key is None else key)
            if os.path.lexists(self._path(key)) and not overwrite:
                advice = "Replace it with --overwrite, or choose another with --key."
                raise UsageError(f"{self._taken_message(key)}. {advice}")
            self.create(key, run.meta, run, overwrite=overwrite, parts=run.contents_of_parts()).close()
            return key

    def check_free(self, key: str, *, overwrite: bool = False) -> None:
        """Raise UsageError if a run exists under this key, unless ``overwrite`` is true.

        Also raise it for a new key that is not usable as a file name on every system (see `check_new_name`).
        """
        check_new_name(key, [*self], "run's key", "demo")
        if os.path.lexists(self._path(key)) and not overwrite:
            advice = "Go on with --resume, replace it with --overwrite, or choose another key."
            raise UsageError(f"{self._taken_message(key)}. {advice}")

    def check_saved(self, key: str) -> None:
        """Raise RunError if no run is saved under this key. The message suggests similar keys."""
        self._existing_path(key)

    def check_writable(self, key: str) -> None:
        """Raise RunError if another process is writing the run or its lock file cannot be written.

        Call this before a long computation.
        """
        with self._lock(key):
            pass

    def has_writer(self, key: str) -> bool:
        """Return True if a process has the run open for writing."""
        path = self._lock_path(key)
        with suppress(sqlite3.Error, RunError):
            run_file.check_journal(path)
            # In this mode SQLite does not create a missing file.
            with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=0)) as reader:
                try:
                    reader.execute("PRAGMA schema_version").fetchone()
                except sqlite3.OperationalError as error:
                    return error.sqlite_errorcode == sqlite3.SQLITE_BUSY
        return False

    def remove_leftovers(self) -> None:
        """Remove the partial files of processes that no longer run, from all folders of the data directory."""
        with suppress(OSError):
            for folder in filter(Path.is_dir, self.root.iterdir()):
                remove_partials(folder)

    def _lock(self, key: str) -> AbstractContextManager[None]:
        return locked(self._lock_path(key), key)

    @property
    def _folder(self) -> Path:
        return self.root / "runs"

    def _path(self, key: str) -> Path:
        return self._folder / f"{split_key(key)[0]}.sqlite"

    def _lock_path(self, key: str) -> Path:
        """Return the path of the lock file. Keys that differ in case share it: two processes cannot create both."""
        return self._folder / f"{split_key(key)[0].lower()}.lock"

    def _existing_path(self, key: str) -> Path:
        path = self._path(key)
        if os.path.lexists(path):
            return path
        name, _ = split_key(key)
        nearest = suggest_names(name, [*self], "evodom runs")
        raise RunError(f"no run named '{name}'. {nearest} Start one with: evodom evolve {name}")

    def _keys(self) -> list[str]:
        stems = (name.removesuffix(".sqlite") for name in os.listdir(self._folder) if name.endswith(".sqlite"))
        return sorted(filter(is_key, stems))

    def _taken_message(self, key: str) -> str:
        info = self.describe(key)
        size = f"{info.n_generations} generation{'s' * (info.n_generations != 1)}"
        return f"run '{key}' exists ({info.problem or size})"


class MemoryStore(RunStore):
    """A store of runs in memory. A run exists until it is closed. A killed process leaves no files."""

    def __init__(self) -> None:
        super().__init__(Path("memory"))

    def check_free(self, key: str, *, overwrite: bool = False) -> None:
        """Accept every key."""

    def create(
        self,
        key: str,
        meta: dict[str, Any],
        generations: Iterable[Generation],
        *,
        overwrite: bool = False,
        parts: Mapping[str, Contents] = MappingProxyType({}),
    ) -> Run:
        """Return a new run, open for writing."""
        with ExitStack() as resources:
            connection = resources.enter_context(closing(sqlite3.connect(":memory:", isolation_level=None)))
            run_file.fill_database(connection, key, {"": (meta, generations), **parts})
            return Run(key, self._path(key), connection, resources)
