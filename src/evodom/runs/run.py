"""Save and load runs (`Run`): one SQLite file per key, written in transactions, with nothing pickled.

This module is independent of games and strategies. A run is a JSON object (`meta`) and a sequence of generations, each
with a structured array of genomes, a ranking and a JSON summary. Its file may hold further runs, its parts: the part
"network" of the run "demo" has the key "demo:network". The process may be killed at any moment: SQLite's
rollback journal undoes an incomplete transaction, and a new file appears under its name only when it is complete.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from platformdirs import user_data_path

from evodom import __version__
from evodom.errors import RunError, UsageError, short
from evodom.files import check_new_name, check_output, modified_at, plain_name, remove_partials, replacing
from evodom.runs.file import (
    SCHEMA,
    Generation,
    acquire_lock,
    check_numbers,
    connect,
    connect_copy,
    convert_errors,
    damaged_error,
    generation_of,
    insert,
    is_locked,
    parse_object,
    read_entries,
    refuse_companions,
    remove,
    remove_companions,
    replace_rows,
    write_meta,
)

_MAX_KEY_LENGTH, _MAX_DIGITS = 64, 6

Contents = tuple[dict[str, Any], Iterable[Generation]]
"""The meta and the generations of a run."""

_MAX_NAMES = 5
"""Maximum number of names that an error lists in full."""


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


class Run:
    """An open run; use it as a context manager.

    Any number of processes may read a run while one writes it. Every failure of SQLite or of the file system is raised
    as a RunError of one line.
    """

    def __init__(
        self, key: str, path: Path, connection: sqlite3.Connection, resources: ExitStack, part: str = ""
    ) -> None:
        self.key = f"{key}:{part}" if part else key
        self._part = part
        self.path = path
        self._connection = connection
        self._resources = resources

    @classmethod
    def create(
        cls,
        key: str,
        meta: dict[str, Any],
        generations: Iterable[Generation],
        *,
        root: Path,
        overwrite: bool = False,
        parts: Mapping[str, Contents] = MappingProxyType({}),
    ) -> Self:
        """Start a run with its first generations and its parts, and open it for writing.

        With ``overwrite`` the complete new run replaces an old run in a single step. After an earlier failure the old
        run stays. Raises UsageError for the keys that `check_free` refuses.
        """
        path = _path(key, root)
        check_free(key, root, overwrite=True)  # before a lock file has the name
        with ExitStack() as resources:
            resources.enter_context(lock(key, root))
            check_free(key, root, overwrite=overwrite)
            with convert_errors(path), replacing(path) as file:
                _write_database(Path(file.name), key, {"": (meta, generations), **parts})
                _remove_journal(path)
            connection = resources.enter_context(connect(path, write=True))
            return cls(key, path, connection, resources.pop_all())

    @classmethod
    def open(cls, key: str, *, root: Path, write: bool = False) -> Self:
        """Open a saved run for reading, or with ``write`` for appending. Raise RunError if it is missing or invalid."""
        path, (name, part) = _existing_path(key, root), split_key(key)
        with ExitStack() as resources:
            if write:
                resources.enter_context(lock(key, root))
            connection = resources.enter_context(connect(path, write=write))
            check_numbers(connection, path)
            _check_part(part, name, connection, path)
            return cls(name, path, connection, resources.pop_all(), part)

    @classmethod
    def open_file(cls, path: Path) -> Self:
        """Open a copy of any file with a run for reading, after a check of all pages. The key is read from the file."""
        with ExitStack() as resources:
            connection = resources.enter_context(connect_copy(path))
            with convert_errors(path):
                (answer,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if answer != "ok":
                raise damaged_error(path, "its pages do not fit together")
            check_numbers(connection, path)
            _check_part("", path.name, connection, path)
            key = read_entries(connection, path, "")["key"]
            return cls(key, path, connection, resources.pop_all())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Generation]:
        return map(self.generation, range(self.n_generations))

    def close(self) -> None:
        """Close the file and let other processes write the run; closing it again does nothing."""
        self._resources.close()

    @property
    def meta(self) -> dict[str, Any]:
        """Read the JSON object saved with the run: options, seed, versions and so on."""
        return parse_object(read_entries(self._connection, self.path, self._part)["meta"], self.path)

    @property
    def parts(self) -> list[str]:
        """Read the names of the parts; none in a part."""
        return [] if self._part else _read_parts(self._connection, self.path)

    def part(self, name: str) -> Run:
        """Return a part. It is open as long as this run. Raise RunError if there is no such part."""
        _check_part(name, self.key, self._connection, self.path)
        return Run(self.key, self.path, self._connection, ExitStack(), name)

    def put_part(self, name: str, contents: Contents) -> None:
        """Save a part in one transaction, in place of an earlier part of this name."""
        with self._transaction():
            for table in ("run", "generation"):
                self._connection.execute(f"DELETE FROM {table} WHERE part = ?", (name,))
            _write_part(self._connection, self.key, name, contents)

    @property
    def n_generations(self) -> int:
        """Count the saved generations."""
        ((last,),) = self._select("SELECT max(number) FROM generation WHERE part = ?")
        return 0 if last is None else last + 1

    def generation(self, index: int) -> Generation:
        """Read one generation by its index, from 0; raise UsageError if there is no such generation."""
        if not 0 <= index < (n := self.n_generations):
            raise UsageError(f"run '{self.key}' has no generation {index}. It has {n}, counted from 0")
        columns = "number, summary, dtype, ranking, genomes, checksum"
        rows = self._select(f"SELECT {columns} FROM generation WHERE part = ? AND number = ?", index)
        if not rows:
            raise damaged_error(self.path, f"generation {index} is missing")
        return generation_of(rows[0], self.path)

    def last(self) -> Generation:
        """Read the newest generation."""
        return self.generation(max(0, self.n_generations - 1))

    def summaries(self) -> list[dict[str, Any]]:
        """Read the summaries of all generations in order, without reading any genomes."""
        rows = self._select("SELECT summary FROM generation WHERE part = ? ORDER BY number")
        return [parse_object(text, self.path) for (text,) in rows]

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read a consistent state of the run inside a block. Writers wait for its end, for at most 10 seconds."""
        with convert_errors(self.path):
            self._connection.execute("BEGIN")
        try:
            yield
        finally:
            with convert_errors(self.path):
                self._connection.execute("ROLLBACK")

    def append(self, generations: Sequence[Generation], *, replacements: Iterable[Generation] = ()) -> None:
        """Append generations in one transaction: all of them are saved, or none.

        The generations ``replacements`` replace those with the same numbers in the same transaction.
        """
        start = self.n_generations
        with self._transaction():
            replace_rows(self._connection, self._part, replacements)  # first: smaller rows free pages for the new ones
            insert(self._connection, self._part, generations, start)

    def set_meta(self, **changes: Any) -> None:
        """Change some entries of `meta` and keep the others."""
        with self._transaction():
            entries = read_entries(self._connection, self.path, self._part)
            meta = parse_object(entries["meta"], self.path) | changes
            write_meta(self._connection, self._part, entries["key"], meta)

    def _select(self, query: str, *values: int) -> list[Any]:
        """Return all rows of a query, whose first value is the name of the part."""
        # All rows are fetched immediately: an unfinished query would keep the writer from committing.
        with convert_errors(self.path):
            return self._connection.execute(query, (self._part, *values)).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with convert_errors(self.path), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            yield


def data_dir(explicit: Path | None = None) -> Path:
    """Return the folder for saved data: the given one, else $EVODOM_DATA_DIR, else the user's data folder.

    Raises RunError if EVODOM_DATA_DIR names something that is not a folder.
    """
    if explicit is not None:
        return explicit
    if value := os.environ.get("EVODOM_DATA_DIR"):
        return _folder_named(value)
    with suppress(RuntimeError):
        if (path := user_data_path("evodom", appauthor=False)).is_absolute():
            return path
    raise RunError("no home directory is known to save runs in. Name a folder with --data-dir, or in EVODOM_DATA_DIR")


def check_writable(key: str, root: Path) -> None:
    """Raise RunError unless a run can be saved under this key. Call it before a long computation."""
    with lock(key, root):
        pass


def check_key(key: str) -> str:
    """Return the key of a file if it is valid, else raise UsageError. `check_free` also checks new keys."""
    if is_key(key):
        return key
    got = repr(key) if len(key) <= _MAX_KEY_LENGTH else f"{len(key)} characters"
    allowed = f"1 to {_MAX_KEY_LENGTH} letters a-z, A-Z and digits, with hyphens between them"
    raise UsageError(f"a run's key is {allowed}, and got {got}. Try: {plain_name(key, 'demo', _MAX_KEY_LENGTH)}")


def is_key(text: str) -> bool:
    """Return whether a text is 1 to 64 letters a-z, A-Z and digits, with hyphens between them."""
    return text.isascii() and len(text) <= _MAX_KEY_LENGTH and all(word.isalnum() for word in text.split("-"))


def split_key(key: str) -> tuple[str, str]:
    """Split the key of a part, such as "demo:network", into ("demo", "network"). For other keys the part is ""."""
    name, colon, part = key.partition(":")
    if check_key(name) and colon and not _is_part(part):
        raise UsageError(f"{short(key)} names no part of a run. Allowed after the colon: a name, as in {name}:network")
    return name, part


def _is_part(text: str) -> bool:
    """Return whether a text is a key that begins with a letter."""
    return is_key(text) and text[0].isalpha()


class StrategyName(NamedTuple):
    """A strategy of a run: the key of a run or part, and perhaps a generation and a rank."""

    key: str
    generation: int | None
    rank: int | None

    @property
    def file(self) -> str:
        """The key of the file, without the part."""
        return self.key.partition(":")[0]

    @property
    def part(self) -> str:
        """The name of the part, "" without one."""
        return self.key.partition(":")[2]


def parse_name(text: str) -> StrategyName | None:
    """Split the name of a strategy, such as "demo@50:2" or "demo:network@3:2". Return None for other texts."""
    rest, _, rank = text.rpartition(":")
    if not (rest and _is_number(rank)):
        rest, rank = text, ""
    key, at, generation = rest.partition("@")
    name, colon, part = key.partition(":")
    is_valid = is_key(name) and (not colon or _is_part(part)) and (not at or _is_number(generation))
    return StrategyName(key, int(generation) if at else None, int(rank) if rank else None) if is_valid else None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS


def check_free(key: str, root: Path, *, overwrite: bool = False) -> None:
    """Raise UsageError if a run is already saved under this key, unless ``overwrite``.

    Also refused are new keys that are no file name on every system (see `check_new_name`).
    """
    check_new_name(key, known_keys(root), "run's key", "demo")
    if os.path.lexists(_path(key, root)) and not overwrite:
        advice = "Go on with --resume, replace it with --overwrite, or choose another key."
        raise UsageError(f"{_taken_message(key, root)}. {advice}")


def check_saved(key: str, root: Path) -> None:
    """Raise RunError, with the nearest known keys, if no run is saved under this key."""
    _existing_path(key, root)


def suggest_names(name: str, known: Sequence[str], listing: str, *, cutoff: float = 0.6) -> str:
    """Return a sentence with all known names if they are few, else with the nearest names and the command ``listing``.

    The nearest are up to three names with a similarity of at least ``cutoff``, from 0 to 1.
    """
    if len(known) <= _MAX_NAMES:
        return f"Known: {', '.join(sorted(known)) or 'none'}."
    folded = {each.casefold(): each for each in known}
    near = [folded[each] for each in get_close_matches(name.casefold(), folded, n=3, cutoff=cutoff)]
    nearest = f"Nearest: {', '.join(near)}. " if near else ""
    return f"{nearest}All {len(known)} are listed by: {listing}."


def is_written(key: str, root: Path) -> bool:
    """Return True if a process has the run open for writing."""
    path = _lock_path(key, root)
    return path.exists() and is_locked(path)


def known_keys(root: Path) -> list[str]:
    """Return the sorted keys of the saved runs without opening their files; none if there is no folder."""
    with suppress(OSError):
        return _list_keys(root / "runs")
    return []


def list_runs(root: Path) -> list[RunInfo]:
    """Return the `RunInfo` of every saved run, sorted by key."""
    folder = root / "runs"
    with convert_errors(folder):
        keys = _list_keys(folder) if folder.exists() else []
    return [describe(key, root) for key in keys]


def delete_run(key: str, root: Path) -> None:
    """Delete a run, even if damaged. Raise RunError if it does not exist or another process is writing it."""
    path = _existing_path(key, root)
    with lock(key, root), convert_errors(path):
        remove(path)


def export_run(key: str, file: Path, root: Path, *, overwrite: bool = False) -> None:
    """Write a copy of a run to a file for `import_run`; the run may be in use at the same time.

    A link is followed. Raise UsageError if the target is no regular file, such as a device.
    """
    if file.resolve().parent == (root / "runs").resolve():
        raise UsageError(f"{file} is in the folder of the saved runs itself. Export to another folder")
    if file.exists() and not (file.is_file() or file.is_dir()):
        raise UsageError(f"{file} is no file, but a device, pipe or socket. Choose another file")
    check_output(file, overwrite=overwrite)
    file = Path(os.path.realpath(file))
    with Run.open(check_key(key), root=root) as run, run.snapshot(), convert_errors(file), replacing(file) as new:
        refuse_companions(file)
        _write_database(Path(new.name), key, {"": (run.meta, run), **_contents_of_parts(run)})


def import_run(
    file: Path,
    key: str | None = None,
    *,
    root: Path,
    overwrite: bool = False,
    check: Callable[[Run], object] = lambda run: None,
) -> str:
    """Save a copy of an exported run under a key (by default the one it was exported from) and return the key.

    Every page and every generation is checked first. Nothing is saved from a file that fails a check. ``check`` raises
    an EvodomError for invalid contents of its kind of run.
    """
    with Run.open_file(file) as run:
        check(run)
        key = check_key(run.key if key is None else key)
        if os.path.lexists(_path(key, root)) and not overwrite:
            raise UsageError(f"{_taken_message(key, root)}. Replace it with --overwrite, or choose another with --key.")
        parts = _contents_of_parts(run)
        Run.create(key, run.meta, run, root=root, overwrite=overwrite, parts=parts).close()
        return key


@contextmanager
def lock(key: str, root: Path) -> Iterator[None]:
    """Keep other processes from writing a run. Raise RunError immediately if another process is writing it.

    The lock is an SQLite lock on a separate file next to the run. It does not block readers. The operating system
    releases it whenever the process ends.
    """
    path = _lock_path(key, root)
    with convert_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = acquire_lock(path, key)
    try:
        yield
    finally:
        # POSIX: delete before releasing the lock, else it might be the next writer's file that is deleted.
        # Windows: a file cannot be deleted before it is closed.
        with suppress(OSError):
            path.unlink()
        connection.close()
        if os.name == "nt":
            with suppress(OSError):
                path.unlink()


def _contents_of_parts(run: Run) -> dict[str, Contents]:
    parts = map(run.part, run.parts)
    return {part.key.partition(":")[2]: (part.meta, part) for part in parts}


def _read_parts(connection: sqlite3.Connection, path: Path) -> list[str]:
    """Return the sorted names of the parts in a file."""
    with convert_errors(path):
        rows = connection.execute("SELECT DISTINCT part FROM run WHERE part != '' ORDER BY part").fetchall()
    if not all(isinstance(part, str) and _is_part(part) for (part,) in rows):
        raise damaged_error(path, "it has a part of an invalid name")
    return [part for (part,) in rows]


def _check_part(part: str, key: str, connection: sqlite3.Connection, path: Path) -> None:
    """Raise RunError if a file has no part of this name, unless the name is "", or the name of a part is invalid."""
    if part not in ("", *(found := _read_parts(connection, path))):
        raise RunError(f"run '{key}' has no part '{part}'. Its parts: {', '.join(found) or 'none'}")


def _write_part(connection: sqlite3.Connection, key: str, part: str, contents: Contents) -> None:
    meta, generations = contents
    write_meta(connection, part, f"{key}:{part}" if part else key, {"evodom_version": __version__} | meta)
    insert(connection, part, generations, 0)


def _write_database(path: Path, key: str, parts: Mapping[str, Contents]) -> None:
    """Write a whole run to an empty file, which is of no use if that fails."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection, connection:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("BEGIN")
        for statement in SCHEMA:
            connection.execute(statement)
        for part, contents in parts.items():
            _write_part(connection, key, part, contents)


def _remove_journal(path: Path) -> None:
    """Delete the journal of a file about to be replaced, since SQLite would apply it to the new file."""
    with suppress(RunError), connect(path):
        pass  # connecting applies the journal to the old file, which is whole even if we are killed now
    remove_companions(path)


def _folder_named(value: str) -> Path:
    path = Path(os.path.expanduser(value))
    if os.path.exists(path) and not os.path.isdir(path):
        raise RunError(f"EVODOM_DATA_DIR is '{value}', which is no folder. Allowed: a folder, or the name of a new one")
    return path


def describe(key: str, root: Path) -> RunInfo:
    """Return the `RunInfo` of a file. A file that cannot be read has a `problem`."""
    path = _path(key, root)
    size, modified = 0, datetime.fromtimestamp(0, UTC)
    try:
        with convert_errors(path):
            size, modified = path.stat().st_size, modified_at(path)
        with Run.open(key, root=root) as run:
            parts = {name: run.part(name) for name in run.parts}
            infos = {
                name: RunInfo(part.key, part.n_generations, part.meta, size, modified) for name, part in parts.items()
            }
            return RunInfo(key, run.n_generations, run.meta, size, modified, None, infos)
    except RunError as error:
        return RunInfo(key, 0, {}, size, modified, str(error))


def _taken_message(key: str, root: Path) -> str:
    info = describe(key, root)
    size = f"{info.n_generations} generation{'s' * (info.n_generations != 1)}"
    return f"run '{key}' exists ({info.problem or size})"


def _existing_path(key: str, root: Path) -> Path:
    path = _path(key, root)
    if os.path.lexists(path):
        return path
    name, _ = split_key(key)
    nearest = suggest_names(name, known_keys(root), "evodom runs")
    raise RunError(f"no run named '{name}'. {nearest} Start one with: evodom evolve {name}")


def _path(key: str, root: Path) -> Path:
    return root / "runs" / f"{split_key(key)[0]}.sqlite"


def _lock_path(key: str, root: Path) -> Path:
    """Return the path of the lock file, one for keys that differ only in case: two processes cannot create both."""
    return root / "runs" / f"{split_key(key)[0].lower()}.lock"


def _list_keys(folder: Path) -> list[str]:
    stems = (name.removesuffix(".sqlite") for name in os.listdir(folder) if name.endswith(".sqlite"))
    return sorted(filter(is_key, stems))


def remove_leftovers(root: Path) -> None:
    """Remove partial files of games, fights, tasks and runs. Files of running processes stay."""
    with suppress(OSError):
        for folder in filter(Path.is_dir, root.iterdir()):
            remove_partials(folder)
