"""One open run (`Run`): its metadata, generations and parts. `RunStore` opens it.

This module is independent of games and strategies. A run is a JSON object (`meta`) and a sequence of generations, each
with a structured array of genomes, a ranking, further columns and a JSON summary. Its file may hold further runs, its
parts: the part "network" of the run "demo" has the key "demo:network". The process may be killed at any moment:
SQLite's rollback journal undoes an incomplete transaction.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Self

from msgspec import Meta, Struct

from evodom.errors import RunError, UsageError
from evodom.reading import convert
from evodom.runs import file as run_file
from evodom.runs.generation import Contents, Generation

_PrintableWord = Annotated[str, Meta(pattern=r"^[!-~]{1,80}$", extra={"allowed": "1 to 80 printable characters"})]

COMPUTE_AGAIN = "Delete the run, or compute it again."
"""Advice in errors about invalid metadata and summaries."""


class Provenance(Struct, frozen=True):
    """Entries of `meta` that all runs have: the seed, and the time and the versions of packages at the start."""

    seed: Annotated[int, Meta(ge=0)]
    created: datetime
    versions: Annotated[dict[_PrintableWord, _PrintableWord], Meta(max_length=50)]


class Run:
    """An open run; use it as a context manager.

    Any number of processes may read a run while one writes it. Every failure of SQLite or of the file system is raised
    as a RunError of one line.
    """

    def __init__(
        self, key: str, path: Path, connection: sqlite3.Connection, resources: ExitStack, part: str = ""
    ) -> None:
        """Take over the open ``resources`` of a file.

        ``part`` is the name of a part, or "" for the run itself. Raise RunError if the file has no such part.
        """
        self.key = f"{key}:{part}" if part else key
        self._part = part
        self.path = path
        self._connection = connection
        if part and part not in (found := run_file.read_parts(connection, path)):
            raise RunError(f"run '{key}' has no part '{part}'. Its parts: {', '.join(found) or 'none'}")
        self._resources = resources.pop_all()

    @classmethod
    def open_file(cls, path: Path) -> Self:
        """Open a copy of any file with a run for reading, and check all pages. The key is read from the file."""
        with ExitStack() as resources:
            connection = resources.enter_context(run_file.connect_copy(path))
            return cls(run_file.read_entries(connection, path, "")["key"], path, connection, resources)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Generation]:
        return map(self.generation, range(self.n_generations))

    def close(self) -> None:
        """Close the file and let other processes write the run. A second call does nothing."""
        self._resources.close()

    @property
    def meta(self) -> dict[str, Any]:
        """Read the JSON object saved with the run: options, seed, versions and so on."""
        return run_file.parse_object(run_file.read_entries(self._connection, self.path, self._part)["meta"], self.path)

    def provenance(self) -> Provenance:
        """Read seed, start and versions. Raise RunError if one is missing or invalid."""
        found = {name: value for name, value in self.meta.items() if name in Provenance.__struct_fields__}
        return convert(found, Provenance, source=f"run '{self.key}'", next_step=COMPUTE_AGAIN, error=RunError)

    @property
    def parts(self) -> list[str]:
        """Read the names of the parts. A part has no parts."""
        return [] if self._part else run_file.read_parts(self._connection, self.path)

    def part(self, name: str) -> "Run":
        """Return a part, which is open as long as this run. Raise RunError if there is no such part."""
        return Run(self.key, self.path, self._connection, ExitStack(), name)

    def contents_of_parts(self) -> dict[str, Contents]:
        """Return the contents of each part by name."""
        parts = {name: self.part(name) for name in self.parts}
        return {name: (part.meta, part) for name, part in parts.items()}

    def save_part(self, name: str, contents: Contents) -> None:
        """Save a part in one transaction, in place of an earlier part of this name."""
        with self._transaction():
            for table in ("run", "generation"):
                self._connection.execute(f"DELETE FROM {table} WHERE part = ?", (name,))
            run_file.write_part(self._connection, self.key, name, contents)

    @property
    def n_generations(self) -> int:
        """Count the saved generations."""
        ((last,),) = self._select("SELECT max(number) FROM generation WHERE part = ?")
        return 0 if last is None else last + 1

    def generation(self, index: int) -> Generation:
        """Read one generation by its index, from 0. Raise UsageError if there is no such generation."""
        if not 0 <= index < (n := self.n_generations):
            raise UsageError(f"run '{self.key}' has no generation {index}. It has {n}, counted from 0")
        columns = "number, summary, dtype, genomes, checksum"
        rows = self._select(f"SELECT {columns} FROM generation WHERE part = ? AND number = ?", index)
        if not rows:
            raise run_file.damaged_error(self.path, f"generation {index} is missing")
        return run_file.generation_of(rows[0], self.path)

    def last(self) -> Generation:
        """Read the newest generation."""
        return self.generation(max(0, self.n_generations - 1))

    def summaries(self) -> list[dict[str, Any]]:
        """Read the summaries of all generations in order, without reading any genomes."""
        rows = self._select("SELECT summary FROM generation WHERE part = ? ORDER BY number")
        return [run_file.parse_object(text, self.path) for (text,) in rows]

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read a consistent state of the run inside a block. Writers wait for its end, for at most 10 seconds."""
        with run_file.convert_errors(self.path):
            self._connection.execute("BEGIN")
        try:
            yield
        finally:
            with run_file.convert_errors(self.path):
                self._connection.execute("ROLLBACK")

    def append(self, generations: Sequence[Generation], *, replacements: Iterable[Generation] = ()) -> None:
        """Append generations in one transaction: all of them are saved, or none.

        In the same transaction ``replacements`` replace saved generations with the same numbers.
        """
        start = self.n_generations
        with self._transaction():
            # Replacements come first: smaller rows free pages for the new ones.
            run_file.replace_rows(self._connection, self._part, replacements)
            run_file.insert(self._connection, self._part, generations, start)

    def set_meta(self, **changes: Any) -> None:
        """Change some entries of `meta` and keep the others."""
        with self._transaction():
            entries = run_file.read_entries(self._connection, self.path, self._part)
            meta = run_file.parse_object(entries["meta"], self.path) | changes
            run_file.write_meta(self._connection, self._part, entries["key"], meta)

    def _select(self, query: str, *values: int) -> list[Any]:
        """Return all rows of a query. The name of the part is bound to its first "?", ``values`` to the others."""
        # All rows are fetched immediately: an unfinished query would keep the writer from committing.
        with run_file.convert_errors(self.path):
            return self._connection.execute(query, (self._part, *values)).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with run_file.convert_errors(self.path), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            yield
