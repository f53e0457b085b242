"""The saved runs of a data directory, by key: start, open, list, check, delete, export and import them.

    store = RunStore()
    with store.open("demo") as run:
        print(run.last().summary)

The process may be killed at any moment: a new file appears under its name only when it is complete.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from platformdirs import user_data_path

from evodom.errors import RunError, UsageError, suggest_names
from evodom.files import check_new_name, check_output, modified_at, remove_partials, replacing
from evodom.runs.file import (
    Contents,
    Generation,
    apply_journal,
    connect,
    convert_errors,
    refuse_companions,
    remove,
    write_database,
)
from evodom.runs.lock import is_locked, locked
from evodom.runs.names import check_key, is_key, split_key
from evodom.runs.run import Run


@dataclass(frozen=True)
class RunInfo:
    """Data of a run for lists, and of its parts. If the file cannot be read, `problem` is the reason."""

    key: str
    n_generations: int
    meta: dict[str, Any]
    size: int
    modified: datetime
    problem: str | None = None
    parts: dict[str, RunInfo] = field(default_factory=dict)


class RunStore:
    """The saved runs of the data directory ``root``. The default is $EVODOM_DATA_DIR, else the user's data folder.

    Every failure of SQLite or of the file system is raised as a RunError of one line, also an invalid EVODOM_DATA_DIR.
    """

    def __init__(self, root: str | Path | None = None) -> None:
        self._given = root

    @cached_property
    def root(self) -> Path:
        """The data directory, which may be missing. It also has folders of sessions and of tasks."""
        if self._given is not None:
            return Path(self._given)
        if value := os.environ.get("EVODOM_DATA_DIR"):
            return _folder_named(value)
        with suppress(RuntimeError):
            if (path := user_data_path("evodom", appauthor=False)).is_absolute():
                return path
        raise RunError(
            "no home directory is known to save runs in. Name a folder with --data-dir, or in EVODOM_DATA_DIR"
        )

    def __iter__(self) -> Iterator[str]:
        """Yield the sorted keys of the saved runs without opening their files; none if there is no folder."""
        with suppress(OSError):
            yield from self._keys()

    def __contains__(self, key: object) -> bool:
        return any(key == each for each in self)

    def infos(self) -> list[RunInfo]:
        """Return the `RunInfo` of every saved run, sorted by key."""
        with convert_errors(self._folder):
            keys = self._keys() if self._folder.exists() else []
        return list(map(self.describe, keys))

    def describe(self, key: str) -> RunInfo:
        """Return the `RunInfo` of a file. A file that cannot be read has a `problem`."""
        path = self._path(key)
        size, modified = 0, datetime.fromtimestamp(0, UTC)
        try:
            with convert_errors(path):
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
        """Open a saved run for reading, or with ``write`` for appending. Raise RunError if it is missing or invalid."""
        path, (name, part) = self._existing_path(key), split_key(key)
        with ExitStack() as resources:
            if write:
                resources.enter_context(self._lock(key))
            connection = resources.enter_context(connect(path, write=write))
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

        With ``overwrite`` the complete new run replaces an old run in a single step. If an earlier step fails, the old
        run stays. Raise UsageError for the keys that `check_free` refuses.
        """
        path = self._path(key)
        self.check_free(key, overwrite=True)  # before a lock file has the name
        with ExitStack() as resources:
            resources.enter_context(self._lock(key))
            self.check_free(key, overwrite=overwrite)
            with convert_errors(path), replacing(path) as file:
                write_database(Path(file.name), key, {"": (meta, generations), **parts})
                apply_journal(path)
            connection = resources.enter_context(connect(path, write=True))
            return Run(key, path, connection, resources)

    def delete(self, key: str) -> None:
        """Delete a run with its parts, even if damaged.

        Raise UsageError for the key of a part, and RunError if the run does not exist or another process is writing it.
        """
        path = self._existing_path(check_key(key))
        with self._lock(key), convert_errors(path):
            remove(path)

    def export_file(self, key: str, file: Path, *, overwrite: bool = False) -> None:
        """Write a copy of a run to a file for `import_file`; the run may be in use at the same time.

        A link is followed. Raise UsageError if the target is no regular file, such as a device.
        """
        if file.resolve().parent == self._folder.resolve():
            raise UsageError(f"{file} is in the folder of the saved runs itself. Export to another folder")
        if file.exists() and not (file.is_file() or file.is_dir()):
            raise UsageError(f"{file} is no file, but a device, pipe or socket. Choose another file")
        check_output(file, overwrite=overwrite)
        file = Path(os.path.realpath(file))
        with self.open(check_key(key)) as run, run.snapshot(), convert_errors(file), replacing(file) as new:
            refuse_companions(file)
            write_database(Path(new.name), key, {"": (run.meta, run), **run.contents_of_parts()})

    def import_file(
        self,
        file: Path,
        key: str | None = None,
        *,
        overwrite: bool = False,
        check: Callable[[Run], object] = lambda run: None,
    ) -> str:
        """Save a copy of an exported run under a key (by default the one it was exported from) and return the key.

        Every page and every generation is checked first. Nothing is saved from a file that fails a check. ``check``
        raises an EvodomError for invalid contents of its kind of run.
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
        """Raise UsageError if a run is already saved under this key, unless ``overwrite``.

        Also refused are new keys that are no file name on every system (see `check_new_name`).
        """
        check_new_name(key, [*self], "run's key", "demo")
        if os.path.lexists(self._path(key)) and not overwrite:
            advice = "Go on with --resume, replace it with --overwrite, or choose another key."
            raise UsageError(f"{self._taken_message(key)}. {advice}")

    def check_saved(self, key: str) -> None:
        """Raise RunError, with the nearest known keys, if no run is saved under this key."""
        self._existing_path(key)

    def check_writable(self, key: str) -> None:
        """Raise RunError unless a run can be saved under this key. Call it before a long computation."""
        with self._lock(key):
            pass

    def has_writer(self, key: str) -> bool:
        """Return True if a process has the run open for writing."""
        return is_locked(self._lock_path(key))

    def remove_leftovers(self) -> None:
        """Remove partial files of games, fights, tasks and runs. Files of running processes stay."""
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
        """Return the path of the lock file, one for keys that differ only in case: two processes cannot create both."""
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


def _folder_named(value: str) -> Path:
    path = Path(os.path.expanduser(value))
    if os.path.exists(path) and not os.path.isdir(path):
        raise RunError(f"EVODOM_DATA_DIR is '{value}', which is no folder. Allowed: a folder, or the name of a new one")
    return path
