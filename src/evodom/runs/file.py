"""Open, check and lock the SQLite file of one run. Convert its errors to messages of one line.

All of `evodom.runs` opens a run's file through SQLite only. A process that closes any descriptor of a file loses every
POSIX lock that it holds on this file, SQLite's included.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evodom import __version__
from evodom.errors import RunError, UsageError
from evodom.files import parse_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


FORMAT = 2
"""Version of the file format. Since 2 a checksum covers the key and the meta. A file of format 1 can be read. It is
converted to format 2 when its meta changes."""

APPLICATION_ID = 0x45766F44  # "EvoD" in the file's header identifies a run

_BUSY_SECONDS = 10.0  # a commit keeps readers out for milliseconds

TABLES = {
    "run": "CREATE TABLE run (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    # The summary precedes the blobs: SQLite then reads it without following a row's overflow pages.
    "generation": "CREATE TABLE generation (number INTEGER PRIMARY KEY, summary TEXT NOT NULL, dtype TEXT NOT NULL, "
    "ranking BLOB NOT NULL, genomes BLOB NOT NULL, checksum INTEGER NOT NULL)",
}
"""The tables of a file by name. A file with other tables, or without one of these, is refused."""

SET_FORMAT = f"PRAGMA user_version = {FORMAT}"
SCHEMA = (*TABLES.values(), f"PRAGMA application_id = {APPLICATION_ID}", SET_FORMAT)

_EXPLANATIONS = {
    sqlite3.SQLITE_NOTADB: "{path} is not an evodom run, or is damaged",
    sqlite3.SQLITE_CORRUPT: "{path} is damaged. Restore it from an export, or delete it",
    sqlite3.SQLITE_FULL: "the disk is full: {path} was not written. Free some space and try again",
    sqlite3.SQLITE_BUSY: "{path} is in use by another process. Try again in a moment",
    sqlite3.SQLITE_READONLY: "{path} cannot be written. Check the permissions of the file and of its folder",
    sqlite3.SQLITE_CANTOPEN: "{path} cannot be opened. Check that its folder exists and that you may use both",
}


@contextmanager
def connect(path: Path, *, write: bool = False) -> Iterator[sqlite3.Connection]:
    """Connect to a run's file. Raise RunError unless a quick check finds a complete run."""
    with convert_errors(path):
        if not path.exists():
            raise RunError(f"{path} does not exist")
        if not path.is_file():
            raise RunError(f"{path} is not a file")
        # Readers connect read-write too: they may have to roll back the journal of a killed writer.
        uri = f"{path.absolute().as_uri()}?mode=rw"
        connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=_BUSY_SECONDS)
    with closing(connection):
        with convert_errors(path):
            connection.execute(f"PRAGMA query_only = {int(not write)}")
            _check_header(connection, path)
        yield connection


def _check_header(connection: sqlite3.Connection, path: Path) -> None:
    names = ("application_id", "user_version", "page_count", "page_size")
    application_id, version, n_pages, page_size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names)
    if application_id != APPLICATION_ID:
        raise RunError(f"{path} is not an evodom run")
    if version > FORMAT:
        raise RunError(f"{path} has format {version}, and evodom {__version__} reads up to {FORMAT}. Upgrade evodom")
    found = connection.execute("SELECT name, sql FROM sqlite_master LIMIT ?", (len(TABLES) + 1,)).fetchall()
    if sorted(found) != sorted(TABLES.items()):
        raise damaged_error(path, "its tables are not those of a run")
    # The size is read after the number of pages: a writer at work only makes the file longer.
    if (size := path.stat().st_size) < n_pages * page_size:
        raise damaged_error(path, f"it has {size} of {n_pages * page_size} bytes")


def acquire_lock(path: Path, key: str) -> sqlite3.Connection:
    """Lock the file ``path`` for the run ``key`` and return the connection that holds the lock."""
    while True:
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


def is_locked(path: Path) -> bool:
    """Return True if a process holds the lock of `acquire_lock` on a file."""
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=0)) as reader,
    ):
        try:
            reader.execute("PRAGMA schema_version").fetchone()
        except sqlite3.OperationalError as error:
            return error.sqlite_errorcode == sqlite3.SQLITE_BUSY
    return False


def partial_of(path: Path) -> Path:
    """Return the path of a new run's file before it is moved to ``path``."""
    return path.with_name(f"{path.name}.partial")


def journal_of(path: Path) -> Path:
    """Return the path of the rollback journal that SQLite keeps beside a file."""
    return path.with_name(f"{path.name}-journal")


def remove(path: Path) -> None:
    """Delete a run's file and its journal, if they are there."""
    path.unlink(missing_ok=True)
    journal_of(path).unlink(missing_ok=True)


def damaged_error(path: Path, what: str) -> RunError:
    """Return the error for a damaged file; ``what`` describes the damage."""
    return RunError(f"{path} is damaged: {what}. Restore it from an export, or delete it")


@contextmanager
def convert_errors(path: Path) -> Iterator[None]:
    """Convert errors of SQLite and of the file system to a RunError of one line."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte is the kind of error, the rest are details
        known = _EXPLANATIONS.get(code)
        raise RunError(known.format(path=path) if known else f"{path} cannot be used: {error}") from error
    except OSError as error:
        place = error.filename2 or error.filename or path  # of a move, the second is the destination
        raise RunError(f"{place} cannot be used: {error.strerror or error}") from error


@dataclass(frozen=True)
class Generation:
    """One generation: a 1-D structured array of genomes, the indices of the ranking (best first), a JSON summary."""

    index: int
    genomes: NDArray[Any]
    ranking: NDArray[np.int32]
    summary: dict[str, Any]


def insert(connection: sqlite3.Connection, generations: Iterable[Generation], start: int) -> None:
    """Write consecutive generations. Raise UsageError unless their numbers begin with ``start``."""
    for expected, generation in enumerate(generations, start):
        if generation.index != expected:
            raise UsageError(f"generation {expected} comes next, and got generation {generation.index}")
        connection.execute("INSERT INTO generation VALUES (?, ?, ?, ?, ?, ?)", _to_row(generation))


def replace_rows(connection: sqlite3.Connection, generations: Iterable[Generation]) -> None:
    """Write generations and replace those with the same numbers."""
    for generation in generations:
        connection.execute("REPLACE INTO generation VALUES (?, ?, ?, ?, ?, ?)", _to_row(generation))


def check_numbers(connection: sqlite3.Connection, path: Path) -> None:
    """Raise RunError unless the generations are numbered from 0 without a gap."""
    with convert_errors(path):
        n, least, most = connection.execute("SELECT count(*), min(number), max(number) FROM generation").fetchone()
    if n and (least, most) != (0, n - 1):
        raise damaged_error(path, f"its {n} generations are numbered from {least} to {most}")


def meta_rows(key: str, meta: dict[str, Any]) -> list[tuple[str, str]]:
    """Return all rows of the table ``run``."""
    text = json.dumps(meta | {"format": FORMAT})
    return [("key", key), ("meta", text), ("checksum", str(_checksum(key, text)))]


def read_entries(connection: sqlite3.Connection, path: Path) -> dict[str, str]:
    """Return the rows of the table ``run`` by name, checked. A file of format 1 has no checksum."""
    with convert_errors(path):
        # The version is read first: a concurrent writer only increases it.
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        rows = connection.execute("SELECT name, value FROM run").fetchall()
    entries = dict(rows)
    names = {"key", "meta", "checksum"}
    if not all(isinstance(value, str) for row in rows for value in row) or {*entries, "checksum"} != names:
        raise damaged_error(path, "its key or its settings are missing")
    unchecked = version == 1 and "checksum" not in entries
    if not unchecked and entries.get("checksum") != str(_checksum(entries["key"], entries["meta"])):
        raise damaged_error(path, "its key or its settings have a wrong checksum")
    return entries


def _to_row(generation: Generation) -> tuple[int, str, str, bytes, bytes, int]:
    import numpy as np

    dtype = generation.genomes.dtype.newbyteorder("<")
    if dtype.hasobject or generation.genomes.ndim != 1:
        raise TypeError(f"genomes are a 1-D array without Python objects, and got {generation.genomes.ndim}-D {dtype}")
    summary = json.dumps(generation.summary)
    description = json.dumps(np.lib.format.dtype_to_descr(dtype))
    ranking = generation.ranking.astype("<i4").tobytes()
    genomes = generation.genomes.astype(dtype).tobytes()
    return generation.index, summary, description, ranking, genomes, _checksum(summary, description, ranking, genomes)


def generation_of(row: tuple[int, str, str, bytes, bytes, int], path: Path) -> Generation:
    """Return the generation of a row. Raise RunError if the row is damaged."""
    import numpy as np

    index, summary, description, ranking, genomes, checksum = row
    try:
        if tuple(map(type, row)) != (int, str, str, bytes, bytes, int):
            raise ValueError("a value of the wrong type")
        # SQLite checks its pages, but not the contents of a blob.
        if _checksum(summary, description, ranking, genomes) != checksum:
            raise ValueError("wrong checksum")
        dtype = np.lib.format.descr_to_dtype(_with_tuples(parse_json(description)))
        return Generation(
            index,
            np.frombuffer(genomes, dtype).copy(),
            np.frombuffer(ranking, "<i4").astype(np.int32),
            parse_object(summary, path),
        )
    except (ValueError, TypeError, AttributeError, KeyError, IndexError, ArithmeticError, SyntaxError) as error:
        raise damaged_error(path, f"generation {index} cannot be read: {error}") from error


def _checksum(*parts: str | bytes) -> int:
    return zlib.crc32(b"\0".join(part.encode() if isinstance(part, str) else part for part in parts))


def _with_tuples(description: Any) -> Any:
    """Convert the fields and shapes of a dtype's description, lists in JSON, to tuples."""
    if not isinstance(description, list):
        return description
    return [(name, _with_tuples(kind), *map(tuple, shape)) for name, kind, *shape in description]


def parse_object(text: str, path: Path) -> dict[str, Any]:
    """Return the JSON object of a text. Raise RunError for any other text."""
    try:
        value = parse_json(text)
    except (ValueError, TypeError) as error:
        raise damaged_error(path, f"its text cannot be read as JSON: {error}") from error
    if not isinstance(value, dict):
        raise damaged_error(path, "its text is no JSON object")
    return value
