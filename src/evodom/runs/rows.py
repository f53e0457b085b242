"""The rows of a run's file: generations and meta as SQLite keeps them, checked when they are read."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evodom.errors import UsageError
from evodom.files import parse_json
from evodom.runs.file import FORMAT, damaged, explained

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Generation:
    """One generation: a 1-D structured array of genomes, their indices ranked best first, and a summary for JSON."""

    index: int
    genomes: NDArray[Any]
    ranking: NDArray[np.int32]
    summary: dict[str, Any]


def insert(connection: sqlite3.Connection, generations: Iterable[Generation], start: int) -> None:
    """Write generations, the first of which has to have the number ``start``."""
    for expected, generation in enumerate(generations, start):
        if generation.index != expected:
            raise UsageError(f"generation {expected} comes next, and got generation {generation.index}")
        connection.execute("INSERT INTO generation VALUES (?, ?, ?, ?, ?, ?)", _to_row(generation))


def replace_rows(connection: sqlite3.Connection, generations: Iterable[Generation]) -> None:
    """Write generations in place of those of the same numbers."""
    for generation in generations:
        connection.execute("REPLACE INTO generation VALUES (?, ?, ?, ?, ?, ?)", _to_row(generation))


def check_numbers(connection: sqlite3.Connection, path: Path) -> None:
    """Raise RunError unless the generations are numbered from 0 without a gap."""
    with explained(path):
        n, least, most = connection.execute("SELECT count(*), min(number), max(number) FROM generation").fetchone()
    if n and (least, most) != (0, n - 1):
        raise damaged(path, f"its {n} generations are numbered from {least} to {most}")


def meta_rows(key: str, meta: dict[str, Any]) -> list[tuple[str, str]]:
    """Return all rows of the table ``run``."""
    text = json.dumps(meta | {"format": FORMAT})
    return [("key", key), ("meta", text), ("checksum", str(_checksum(key, text)))]


def read_entries(connection: sqlite3.Connection, path: Path) -> dict[str, str]:
    """Return the rows of the table ``run`` by name, checked; in a file of format 1 there is no checksum."""
    with explained(path):
        # The version first: a writer at work only makes the file newer.
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        rows = connection.execute("SELECT name, value FROM run").fetchall()
    entries = dict(rows)
    names = {"key", "meta", "checksum"}
    if not all(isinstance(value, str) for row in rows for value in row) or {*entries, "checksum"} != names:
        raise damaged(path, "its key or its settings are missing")
    unchecked = version == 1 and "checksum" not in entries
    if not unchecked and entries.get("checksum") != str(_checksum(entries["key"], entries["meta"])):
        raise damaged(path, "its key or its settings have a wrong checksum")
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
    """Return the generation of a row; raises RunError for one that is not as it was written."""
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
            decoded_object(summary, path),
        )
    except (ValueError, TypeError, AttributeError, KeyError, IndexError, ArithmeticError, SyntaxError) as error:
        raise damaged(path, f"generation {index} cannot be read: {error}") from error


def _checksum(*parts: str | bytes) -> int:
    return zlib.crc32(b"\0".join(part.encode() if isinstance(part, str) else part for part in parts))


def _with_tuples(description: Any) -> Any:
    """Turn the fields and shapes of a dtype's description, which are lists in JSON, back into tuples."""
    if not isinstance(description, list):
        return description
    return [(name, _with_tuples(kind), *map(tuple, shape)) for name, kind, *shape in description]


def decoded_object(text: str, path: Path) -> dict[str, Any]:
    """Return the JSON object of a text; raises RunError for what is none."""
    try:
        value = parse_json(text)
    except (ValueError, TypeError) as error:
        raise damaged(path, f"its text cannot be read as JSON: {error}") from error
    if not isinstance(value, dict):
        raise damaged(path, "its text is no JSON object")
    return value
