"""Render documents as text for terminals and pipes, at most 80 columns wide."""

import shlex
import textwrap
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from itertools import zip_longest

from evodom.presentation import document as doc
from evodom.presentation.format import NO_BREAK

WIDTH = 80

SPARK_BLOCKS = "▁▂▃▄▅▆▇█"

GAP = 2
"""Blanks between columns."""


@dataclass(frozen=True)
class TextLayout:
    """The width of a text, and whether block characters can be printed.

    A compact text does not break commands. `two_columns` sets a single list in two columns.
    """

    width: int = WIDTH
    block_characters: bool = True
    is_compact: bool = False
    two_columns: bool = False


def render(
    document: doc.Document, *, width: int = WIDTH, height: int | None = None, block_characters: bool = True
) -> str:
    """Return a document as lines of at most `width` columns; `block_characters` permits block characters.

    With a `height` there are no blank lines and no headings. If the text is too long, lists are set in two columns.
    Then blocks with a drop order are left out.
    """
    layout = TextLayout(width, block_characters)
    head_blocks = [block for block in document.head if doc.Media.TEXT in block.media]
    if height is not None:
        below = (block for section in document.sections for block in section.blocks_in(doc.Media.TEXT))
        return "\n".join(_fitted([*head_blocks, *below], layout, height))
    title = fill(document.title, width)
    parts = [[*title, "=" * max(map(len, title))]] if title else []
    parts += _parts(head_blocks, layout)
    for section in document.sections:
        first, *others = _parts(section.blocks_in(doc.Media.TEXT), layout) or [[]]
        if first:
            head = [section.title, "-" * len(section.title)] if section.title else []
            parts += [[*head, *first], *others]
    return "\n\n".join("\n".join(part) for part in parts)


def _parts(blocks: Sequence[doc.Block], layout: TextLayout) -> list[list[str]]:
    return [lines for lines in (lines_of(block, layout) for block in blocks) if lines]


def _fitted(blocks: list[doc.Block], layout: TextLayout, height: int) -> list[str]:
    """Return the lines of blocks without blank lines between them, at most `height` if blocks can be left out."""
    for two_columns in (False, True):
        layout = replace(layout, is_compact=True, two_columns=two_columns)
        parts = [lines_of(block, layout) for block in blocks]
        if sum(map(len, parts)) <= height:
            break
    for index, block in sorted(enumerate(blocks), key=lambda item: item[1].drop_order):
        if block.drop_order and sum(map(len, parts)) > height:
            parts[index] = []
    return [line for part in parts for line in part]


@singledispatch
def lines_of(block: doc.Block, layout: TextLayout) -> list[str]:
    """Return the lines of a block."""
    raise TypeError(f"no text of {type(block).__name__}")


@lines_of.register
def _(block: doc.Paragraph, layout: TextLayout) -> list[str]:
    return fill(block.text, layout.width) if block.text else []


@lines_of.register
def _(block: doc.Facts, layout: TextLayout) -> list[str]:
    title = [block.title] * bool(block.title and block.rows)
    return title + term_lines(block.rows, width=layout.width, indent=GAP * bool(title), term_width=block.term_width)


@lines_of.register
def _(block: doc.Tiles, layout: TextLayout) -> list[str]:
    return term_lines({tile.name: tile.column.format(tile.cell) for tile in block.tiles}, width=layout.width)


@lines_of.register
def _(block: doc.OrderedLists, layout: TextLayout) -> list[str]:
    lists = [
        [f"{number:2}  {' '.join(filter(None, line))}" for number, line in enumerate(lines, 1)]
        for _, lines in block.lists
    ]
    width = layout.width - block.indent
    if layout.two_columns and len(lists) == 1 and len(lists[0]) > 1:
        lists = _two_columns(lists[0], width)
    elif any(title for title, _ in block.lists):
        lists = [[title, *lines] for (title, _), lines in zip(block.lists, lists, strict=True)]
    if sum(max(map(len, lines)) + GAP for lines in lists) > width + GAP:
        shown = [part for lines in lists for line in lines for part in fill(line, width, 4)]
    else:
        shown = aligned_columns(list(zip_longest(*lists, fillvalue="")), left=range(len(lists)))
    return [" " * block.indent + line for line in shown]


def _two_columns(lines: list[str], width: int) -> list[list[str]]:
    """Set a list in two columns. Lines that are too long are wrapped."""
    half = -(-len(lines) // 2)
    whole = max(map(len, lines[:half])) + GAP + max(map(len, lines[half:])) <= width
    room = width if whole else (width - GAP) // 2
    return [[part for line in some for part in fill(line, room, 4)] for some in (lines[:half], lines[half:])]


@lines_of.register
def _(block: doc.Command, layout: TextLayout) -> list[str]:
    line = f"{block.label}: {block.line}"
    if layout.is_compact or len(line) <= layout.width:
        return [line]
    return [f"{block.label}:", *_wrapped_command(block.line, layout.width)]


@lines_of.register
def _(block: doc.Code, layout: TextLayout) -> list[str]:
    return block.text.splitlines()


@lines_of.register
def _(block: doc.DataTable, layout: TextLayout) -> list[str]:
    rows = [[column.name for column in block.columns]] * any(column.name for column in block.columns)
    rows += [[c.format(cell) for c, cell in zip(block.columns, row, strict=True)] for row in block.rows]
    left = [place for place, column in enumerate(block.columns) if column.is_text]
    return [*fill(block.title, layout.width), *table_lines(rows, left, layout.width)]


@lines_of.register
def _(block: doc.Chart, layout: TextLayout) -> list[str]:
    lines = block.drawing.text(layout.width, block_characters=layout.block_characters) if block.drawing else []
    return [*([block.title] if block.title and lines else []), *lines]


@lines_of.register
def _(block: doc.Beside, layout: TextLayout) -> list[str]:
    return _stacked(block.blocks, layout)


@lines_of.register
def _(block: doc.Folded, layout: TextLayout) -> list[str]:
    return [*([block.title] if block.title else []), *_stacked(block.blocks, layout)]


def _stacked(blocks: Sequence[doc.Block], layout: TextLayout) -> list[str]:
    parts = _parts([block for block in blocks if doc.Media.TEXT in block.media], layout)
    return "\n\n".join("\n".join(part) for part in parts).split("\n") if parts else []


def fill(text: str, width: int = WIDTH, indent: int = 0) -> list[str]:
    """Wrap a text, all lines but the first indented by `indent`. Words joined by a no-break space share a line."""
    lines = textwrap.wrap(
        text, width, subsequent_indent=" " * indent, break_on_hyphens=False, drop_whitespace=True, expand_tabs=False
    )
    return [line.replace(NO_BREAK, " ") for line in lines]


def aligned_columns(rows: Sequence[Sequence[str]], *, left: Collection[int] = (0,)) -> list[str]:
    """Return rows of cells as aligned lines; the columns in ``left`` are left-aligned, the others right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        sized = enumerate(zip(row, widths, strict=True))
        cells = (cell.ljust(width) if i in left else cell.rjust(width) for i, (cell, width) in sized)
        lines.append((" " * GAP).join(cells).rstrip())
    return lines


def table_lines(rows: Sequence[Sequence[str]], left: Collection[int], width: int) -> list[str]:
    """Return rows as aligned lines of at most `width`.

    If they are wider, a last column of text is wrapped. Without such a column, the columns that do not fit follow in a
    table below, after the repeated columns of text.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if sum(widths) + GAP * (len(widths) - 1) <= width:
        return aligned_columns([[cell.replace(NO_BREAK, " ") for cell in row] for row in rows], left=left)
    last = len(widths) - 1
    if last in left and last > 0:
        column = sum(widths[:-1]) + GAP * last
        # Trailing blanks would be stripped without the "|", which is cut off again below.
        heads = aligned_columns([[*row[:-1], "|"] for row in rows], left=left)
        wrapped = (
            zip_longest([head[:column]], fill(row[-1], max(width - column, WIDTH // 8)), fillvalue=" " * column)
            for head, row in zip(heads, rows, strict=True)
        )
        return [f"{head}{text or ''}".rstrip() for lines in wrapped for head, text in lines]
    n_repeated = max(left, default=0) + 1
    shown, free = n_repeated, width - sum(widths[:n_repeated]) - GAP * (n_repeated - 1)
    while shown < len(widths) and free >= widths[shown] + GAP:
        free -= widths[shown] + GAP
        shown += 1
    shown = max(shown, n_repeated + 1)  # shows a column more even if it is too wide
    first = aligned_columns([row[:shown] for row in rows], left=left)
    rest = [[*row[:n_repeated], *row[shown:]] for row in rows]
    return [*first, "", *table_lines(rest, left, width)] if shown < len(widths) else first


def term_lines(rows: Mapping[str, str], *, width: int = WIDTH, indent: int = 0, term_width: int = 0) -> list[str]:
    """Return lines of terms and texts in two columns, the texts wrapped."""
    column = max([term_width, *map(len, rows)]) + GAP
    lines: list[str] = []
    for term, text in rows.items():
        head = " " * indent + f"{term:<{column}}"
        wrapped = textwrap.wrap(head + text, width, subsequent_indent=" " * len(head), break_on_hyphens=False)
        lines += wrapped or [head.rstrip()]
    return [line.replace(NO_BREAK, " ") for line in lines]


def sparkline(values: Sequence[float]) -> str:
    """Return a block character for each value, on a scale from 0 to the largest."""
    top = max(values) or 1.0
    return "".join(SPARK_BLOCKS[round(value / top * (len(SPARK_BLOCKS) - 1))] for value in values)


def _wrapped_command(command: str, width: int) -> list[str]:
    """Break a command between its words so that it can still be pasted into a shell."""
    first, *others = map(shlex.quote, shlex.split(command))
    lines = [first]
    for word in others:
        if len(lines[-1]) + 1 + len(word) > width - 4:
            lines.append(f"  {word}")
        else:
            lines[-1] += f" {word}"
    return [f"{line} \\" for line in lines[:-1]] + lines[-1:]
