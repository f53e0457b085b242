"""Lay out text for the terminal: numbers, aligned columns, lists with hanging indents, sparklines."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evodom.statistics import Share


WIDTH = 80

BLOCKS = "▁▂▃▄▅▆▇█"

MISSING = "-"

LONGEST_NAME = 20
"""Longer names of strategies are cut in tables."""

NO_BREAK = "\N{NO-BREAK SPACE}"

NO_BREAK_HYPHEN = "\N{NON-BREAKING HYPHEN}"


def percent(share: float | None, digits: int = 1) -> str:
    """Return a share in per cent, without the sign, or a dash for None."""
    if share is None:
        return MISSING
    return f"{100 * share:.{digits}f}"


def decimal(value: float | None, digits: int) -> str:
    """Return a number with this many decimals, or a dash for None."""
    return MISSING if value is None else f"{value:.{digits}f}"


def counted(n: int, noun: str) -> str:
    """Return a number and its noun, in the plural unless the number is 1."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def with_interval(share: Share) -> str:
    """Return a share and its interval, in per cent."""
    return f"{percent(share.share)} ({percent(share.low)}-{percent(share.high)})"


def paragraph(text: str) -> str:
    """Return text wrapped to WIDTH columns, between the items of `joined` only."""
    return textwrap.fill(text, WIDTH, break_on_hyphens=False).replace(NO_BREAK, " ")


def joined(items: Iterable[str]) -> str:
    """Join items with commas into a text that `listing` breaks only between them."""
    return ", ".join(item.replace(" ", NO_BREAK) for item in items)


def columns(rows: Sequence[Sequence[str]], *, left: Collection[int] = (0,)) -> list[str]:
    """Return rows of cells as aligned lines; the columns in ``left`` are left-aligned, the others right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        sized = enumerate(zip(row, widths, strict=True))
        cells = (cell.ljust(width) if i in left else cell.rjust(width) for i, (cell, width) in sized)
        lines.append("  ".join(cells).rstrip())
    return lines


def clipped(text: str, width: int) -> str:
    """Return a text cut to ``width``, the cut shown by dots."""
    return text if len(text) <= width else text[: width - 3] + "..."


def short_name(name: str) -> str:
    """Return the name of a strategy as a table has room for: of a longer one the middle is left out."""
    half = LONGEST_NAME // 2 - 1
    return name if len(name) <= LONGEST_NAME else f"{name[:half]}..{name[-half:]}"


def listing(rows: Mapping[str, str], *, indent: int = 0) -> list[str]:
    """Return lines of terms with their texts beside them, the texts wrapped in a column of their own."""
    column = max(map(len, rows)) + 2
    lines: list[str] = []
    for term, text in rows.items():
        head = " " * indent + f"{term:<{column}}"
        hang = " " * len(head)
        lines += textwrap.wrap(head + text, WIDTH, subsequent_indent=hang, break_on_hyphens=False) or [head.rstrip()]
    return [line.replace(NO_BREAK, " ") for line in lines]


def sparkline(values: Sequence[float]) -> str:
    """Return a block character for each value, on a scale from 0 to the largest."""
    top = max(values) or 1.0
    return "".join(BLOCKS[round(value / top * (len(BLOCKS) - 1))] for value in values)
