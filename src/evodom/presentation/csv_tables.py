"""Render the tables of documents as CSV: a file for each, unformatted numbers, intervals in three columns."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from fractions import Fraction
from io import StringIO
from pathlib import Path

from evodom.errors import RunError, UsageError
from evodom.files import replace_text
from evodom.presentation.document import Cell, DataColumn, DataTable, Document, Media


def tables(document: Document, *, separator: str = "_") -> dict[str, str]:
    """Return the CSV text of every named table; `separator` stands between a column's name and "low" or "high"."""
    named = (block for block in document.blocks(Media.CSV) if isinstance(block, DataTable) and block.name)
    return {table.name: _text(table, separator) for table in named}


def write_tables(document: Document, folder: Path) -> list[Path]:
    """Write every table of a document into a folder, which is created if needed, and return the files.

    Raises RunError if they cannot be written.
    """
    found = {folder / f"{name}.csv": text for name, text in tables(document).items()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in found.items():
            replace_text(path, text)
    except OSError as error:
        raise RunError(f"cannot write tables to {folder}: {error.strerror}. Choose another folder.") from error
    return list(found)


def write_table(document: Document, name: str, file: Path) -> None:
    """Write one table of a document to a file."""
    replace_text(file, tables(document, separator=" ")[name])


def check_file(file: Path | None) -> None:
    """Refuse a file that could not be written, before anything is computed for it."""
    if file and not file.parent.is_dir():
        raise UsageError(f"{file} cannot be written: there is no folder {file.parent}. Create it, or name another.")


def _text(table: DataTable, separator: str) -> str:
    out = StringIO(newline="")
    writer = csv.writer(out)
    wide = [
        any(not isinstance(row[i], str | int | float | Fraction | None) for row in table.rows)
        for i in range(len(table.columns))
    ]
    writer.writerow(
        part for column, is_wide in zip(table.columns, wide, strict=True) for part in _names(column, is_wide, separator)
    )
    for row in table.rows:
        writer.writerow(part for cell, is_wide in zip(row, wide, strict=True) for part in _cells(cell, is_wide))
    return out.getvalue()


def _names(column: DataColumn, is_wide: bool, separator: str) -> Iterator[str]:
    name = column.key or column.name
    yield name
    if is_wide:
        yield from (f"{name}{separator}low", f"{name}{separator}high")


def _cells(cell: Cell, is_wide: bool) -> Iterator[str | int | float]:
    if isinstance(cell, str | int | float):
        yield cell
    elif isinstance(cell, Fraction):
        yield str(cell)
    elif cell is not None:
        yield from (cell.value, cell.low, cell.high)
        return
    else:
        yield ""
    if is_wide:
        yield from ("", "")
