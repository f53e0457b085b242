"""Open, check and write the SQLite file of one run. Convert its errors to messages of one line.

A file holds a run, and further runs as its *parts*. Rows have the name of the part, "" for the run itself.

Saved runs are opened through SQLite only: a process that opens and closes a file by other means loses the POSIX locks
that SQLite holds on the file. Imported files are untrusted. `connect_copy` reads them from a copy in memory. A
*companion* is a file in the same folder that SQLite uses with a database, such as a journal. Companions are untrusted,
too: `check_journal` and `check_no_companions` refuse them.
"""

import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from evodom import __version__
from evodom.errors import RunError, UsageError
from evodom.files import parse_json
from evodom.formats import FileFormat
from evodom.runs.generation import Contents, Generation
from evodom.runs.names import check_part, is_part

FORMAT = FileFormat("run", 8)

APPLICATION_ID = 0x45766F44  # "EvoD" in the file's header identifies a run

_SUPER_JOURNAL = bytes.fromhex("d9d505f920a163d7")
"""Last bytes of a journal that names a super-journal. After the rollback, SQLite would delete the file of that name."""

MAX_COPY_BYTES = 2**31
"""Maximum size of a file that is copied to memory."""

TABLES = {
    "run": "CREATE TABLE run (part TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (part, name)) "
    "WITHOUT ROWID",
    # The summary comes before the genomes, so that SQLite reads the summary without the overflow pages of the genomes.
    "generation": "CREATE TABLE generation (part TEXT NOT NULL, number INTEGER NOT NULL, summary TEXT NOT NULL, "
    "dtype TEXT NOT NULL, genomes BLOB NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (part, number))",
}
"""The tables of a file by name."""

_SCHEMA_ENTRIES = [*TABLES.items(), ("sqlite_autoindex_generation_1", None)]
"""Names and statements of all tables and indices. A file must have exactly these."""

SCHEMA = (*TABLES.values(), f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {FORMAT.version}")

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
    """Connect to the file of a saved run. Raise RunError unless a quick check finds a complete run."""
    with convert_errors(path):
        _check_is_file(path)
        check_journal(path)
    # Readers connect read-write too: they may have to roll back the journal of a killed writer.
    with convert_errors(path):
        uri = f"{path.absolute().as_uri()}?mode=rw"
        # A commit keeps readers out for milliseconds.
        connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=10.0)
    with closing(connection):
        with convert_errors(path):
            connection.execute(f"PRAGMA query_only = {int(not write)}")
            _check_header(connection, path)
        _check_rows(connection, path)
        yield connection


@contextmanager
def connect_copy(path: Path) -> Iterator[sqlite3.Connection]:
    """Copy any file into memory and connect to the copy, for reading. Do the checks of `connect`, and check all pages.

    SQLite changes neither the file nor other files. Raise RunError if the file has companions.
    """
    with convert_errors(path):
        _check_is_file(path)
        with path.open("rb") as file:
            header = file.read(20)
        if header[:16] != b"SQLite format 3\0":
            raise RunError(f"{path} is not an evodom run")
        if header[18:] != b"\1\1":
            raise RunError(f"{path} was changed by another program, to the WAL mode of SQLite. Export the run again")
        before = path.stat()
        if before.st_size > MAX_COPY_BYTES:
            raise RunError(f"{path} is too large for a run: more than {MAX_COPY_BYTES:,} bytes")
        content = path.read_bytes()
        after = path.stat()
        check_no_companions(path)  # no journal: no writer changed the file while it was copied
        if (before.st_mtime_ns, before.st_size) != (after.st_mtime_ns, after.st_size):
            raise RunError(f"{path} was changed while it was read. Try again, or export the run again")
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        with convert_errors(path):
            connection.deserialize(content)
            del content
            connection.execute("PRAGMA query_only = 1")
            _check_header(connection, path)
            (answer,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if answer != "ok":
            raise damaged_error(path, "its pages do not fit together")
        _check_rows(connection, path)
        yield connection


def _check_is_file(path: Path) -> None:
    if not path.exists():
        raise RunError(f"{path} does not exist")
    if not path.is_file():
        raise RunError(f"{path} is not a file")


def check_journal(path: Path) -> None:
    """Raise RunError if the file of a saved run has companions with which SQLite would change or delete other files.

    The only companion allowed is a rollback journal that names no super-journal.
    """
    journal, *others = _companions_of(Path(os.path.realpath(path)))  # SQLite resolves links, too
    if found := next(filter(os.path.lexists, others), None):
        raise RunError(f"{found} was not written by evodom. Delete it, or the run")
    with suppress(FileNotFoundError):  # a writer has deleted its journal
        if journal.is_symlink() or (journal.exists() and not journal.is_file()):
            raise RunError(f"{journal} is not a file. Delete it, or the run")
        with journal.open("rb") as file:
            file.seek(max(0, journal.stat().st_size - len(_SUPER_JOURNAL)))
            if file.read() == _SUPER_JOURNAL:
                raise RunError(f"{journal} would make SQLite delete another file. Delete it, or the run")


def check_no_companions(path: Path) -> None:
    """Raise RunError if a file outside of the data folder has companions."""
    if found := next(filter(os.path.lexists, _companions_of(Path(os.path.realpath(path)))), None):
        raise RunError(f"{path} is in use or incomplete: {found} belongs to it. Use another file")


def _companions_of(path: Path) -> list[Path]:
    """Return the paths of all possible companions: journal, write-ahead log, index of the write-ahead log."""
    return [path.with_name(f"{path.name}{suffix}") for suffix in ("-journal", "-wal", "-shm")]


def _check_header(connection: sqlite3.Connection, path: Path) -> None:
    names = ("application_id", "user_version", "page_count", "page_size")
    application_id, version, n_pages, page_size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names)
    if application_id != APPLICATION_ID:
        raise RunError(f"{path} is not an evodom run")
    if version != FORMAT.version:
        FORMAT.check(str(path), {"evodom_version": _version_of_writer(connection), "format": version})
    found = connection.execute("SELECT name, sql FROM sqlite_master LIMIT ?", (len(_SCHEMA_ENTRIES) + 1,)).fetchall()
    if sorted(found, key=str) != sorted(_SCHEMA_ENTRIES, key=str):
        raise damaged_error(path, "its tables are not those of a run")
    # The size is read after the number of pages: a writer at work only makes the file longer.
    if (size := path.stat().st_size) < n_pages * page_size:
        raise damaged_error(path, f"it has {size} of {n_pages * page_size} bytes")


def _version_of_writer(connection: sqlite3.Connection) -> object:
    """Return the version of evodom that wrote a file of any format, None if it is not found."""
    with suppress(sqlite3.Error, ValueError, TypeError, AttributeError):
        (text,) = connection.execute("SELECT value FROM run WHERE name = 'meta'").fetchone()
        return parse_json(text).get("evodom_version")
    return None


def remove_companions(path: Path) -> None:
    """Delete the companions of a file, if they exist."""
    for companion in _companions_of(path):
        companion.unlink(missing_ok=True)


def apply_journal(path: Path) -> None:
    """Apply and delete a file's journal before a new file replaces the file. SQLite would apply it to the new file."""
    with suppress(RunError), connect(path):
        pass  # SQLite applies a journal when a file is opened. If this process is killed now, the old file is complete.
    remove_companions(path)


def damaged_error(path: Path, what: str) -> RunError:
    """Return the error for a damaged file; ``what`` describes the damage."""
    return RunError(f"{path} is damaged: {what}. Restore it from an export, or delete it")


@contextmanager
def convert_errors(path: Path) -> Iterator[None]:
    """Convert errors of SQLite and of the file system to a RunError with a message of one line."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte is the kind of error, the rest are details
        known = _EXPLANATIONS.get(code)
        raise RunError(known.format(path=path) if known else f"{path} cannot be used: {error}") from error
    except OSError as error:
        place = error.filename2 or error.filename or path  # of a move, the second is the destination
        raise RunError(f"{place} cannot be used: {error.strerror or error}") from error


def insert(connection: sqlite3.Connection, part: str, generations: Iterable[Generation], start: int) -> None:
    """Write consecutive generations of a part. Raise UsageError unless their numbers begin with ``start``."""
    for expected, generation in enumerate(generations, start):
        if generation.index != expected:
            raise UsageError(f"generation {expected} comes next, and got generation {generation.index}")
        connection.execute("INSERT INTO generation VALUES (?, ?, ?, ?, ?, ?)", (part, *_to_row(generation)))


def replace_rows(connection: sqlite3.Connection, part: str, generations: Iterable[Generation]) -> None:
    """Write generations of a part and replace those with the same numbers."""
    for generation in generations:
        connection.execute("REPLACE INTO generation VALUES (?, ?, ?, ?, ?, ?)", (part, *_to_row(generation)))


def _check_rows(connection: sqlite3.Connection, path: Path) -> None:
    """Raise RunError unless parts have valid names, and generations are numbered from 0 without a gap."""
    read_parts(connection, path)
    query = "SELECT count(*), min(number), max(number) FROM generation GROUP BY part"
    with convert_errors(path):
        rows = connection.execute(query).fetchall()
    for n, first, last in rows:
        if (first, last) != (0, n - 1):
            raise damaged_error(path, f"its {n} generations are numbered from {first} to {last}")


def read_parts(connection: sqlite3.Connection, path: Path) -> list[str]:
    """Return the sorted names of the parts in a file. Raise RunError if one is invalid."""
    with convert_errors(path):
        rows = connection.execute("SELECT DISTINCT part FROM run WHERE part != '' ORDER BY part").fetchall()
    if not all(isinstance(part, str) and is_part(part) for (part,) in rows):
        raise damaged_error(path, "it has a part of an invalid name")
    return [part for (part,) in rows]


def write_database(path: Path, key: str, parts: Mapping[str, Contents]) -> None:
    """Write a whole run to an empty file. The file is unusable after a failure."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = OFF")
        fill_database(connection, key, parts)


def fill_database(connection: sqlite3.Connection, key: str, parts: Mapping[str, Contents]) -> None:
    """Write a whole run to an empty database, in one transaction."""
    with connection:
        connection.execute("BEGIN")
        for statement in SCHEMA:
            connection.execute(statement)
        for part, contents in parts.items():
            write_part(connection, key, part, contents)


def write_part(connection: sqlite3.Connection, key: str, part: str, contents: Contents) -> None:
    """Write the meta and all generations of a part. The run itself has the name ""."""
    if part:
        check_part(part)
    meta, generations = contents
    write_meta(connection, part, f"{key}:{part}" if part else key, {"evodom_version": __version__} | meta)
    insert(connection, part, generations, 0)


def write_meta(connection: sqlite3.Connection, part: str, key: str, meta: dict[str, Any]) -> None:
    """Write all rows of a part in the table ``run``. ``key`` includes the name of the part."""
    text = json.dumps(meta | {"format": FORMAT.version})
    rows = [("key", key), ("meta", text), ("checksum", str(_checksum(key, text)))]
    connection.executemany("REPLACE INTO run VALUES (?, ?, ?)", [(part, *row) for row in rows])


def read_entries(connection: sqlite3.Connection, path: Path, part: str) -> dict[str, str]:
    """Return the rows of a part in the table ``run`` by name, checked."""
    with convert_errors(path):
        rows = connection.execute("SELECT name, value FROM run WHERE part = ?", (part,)).fetchall()
    entries = dict(rows)
    if not all(isinstance(value, str) for row in rows for value in row) or {*entries} != {"key", "meta", "checksum"}:
        raise damaged_error(path, "its key or its settings are missing")
    if entries["checksum"] != str(_checksum(entries["key"], entries["meta"])):
        raise damaged_error(path, "its key or its settings have a wrong checksum")
    return entries


def _to_row(generation: Generation) -> tuple[int, str, str, bytes, int]:
    summary = json.dumps(generation.summary)
    description, rows = generation.to_table()
    return generation.index, summary, description, rows, _checksum(summary, description, rows)


def generation_of(row: tuple[int, str, str, bytes, int], path: Path) -> Generation:
    """Return the generation of a row. Raise RunError if the row is damaged."""
    index, summary, description, rows, checksum = row
    try:
        if tuple(map(type, row)) != (int, str, str, bytes, int):
            raise ValueError("a value of the wrong type")
        # SQLite checks its pages, but not the contents of a blob.
        if _checksum(summary, description, rows) != checksum:
            raise ValueError("wrong checksum")
        return Generation.of_table(index, parse_object(summary, path), description, rows)
    except (ValueError, TypeError, AttributeError, KeyError, IndexError, ArithmeticError, SyntaxError) as error:
        raise damaged_error(path, f"generation {index} cannot be read: {error}") from error


def _checksum(*parts: str | bytes) -> int:
    return zlib.crc32(b"\0".join(part.encode() if isinstance(part, str) else part for part in parts))


def parse_object(text: str, path: Path) -> dict[str, Any]:
    """Return the JSON object of a text. Raise RunError for any other text."""
    try:
        value = parse_json(text)
    except (ValueError, TypeError) as error:
        raise damaged_error(path, f"its text cannot be read as JSON: {error}") from error
    if not isinstance(value, dict):
        raise damaged_error(path, "its text is no JSON object")
    return value
