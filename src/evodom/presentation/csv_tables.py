"""Render the tables of documents as CSV: a file for each, unformatted numbers, intervals in three columns."""

import csv
from collections.abc import Iterator
from fractions import Fraction
from io import StringIO
from pathlib import Path

from evodom.errors import RunError
from evodom.files import write_output
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
    except OSError as error:
        raise RunError(f"{folder} cannot be created: {error.strerror}. Choose another folder.") from error
    for path, text in found.items():
        write_output(path, text)
    return list(found)


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


def _plain(text: str) -> str:
    """Return a text that spreadsheets do not read as a formula. Control characters are escaped, as in \\x1b."""
    text = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
    return f"'{text}" if text[:1] in tuple("=+-@") else text


def _names(column: DataColumn, is_wide: bool, separator: str) -> Iterator[str]:
    name = _plain(column.key or column.name)
    yield name
    if is_wide:
        yield from (f"{name}{separator}low", f"{name}{separator}high")


def _cells(cell: Cell, is_wide: bool) -> Iterator[str | int | float]:
    if isinstance(cell, str):
        yield _plain(cell)
    elif isinstance(cell, int | float):
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
