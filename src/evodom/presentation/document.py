"""Documents: sections of paragraphs, facts, lists, tables and charts, independent of their output format.

A result is built once as a `Document`. `presentation.text`, `presentation.page` and `presentation.csv_tables` render it
as text, HTML and CSV. Cells hold values, not strings. Their column formats them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Flag, auto
from fractions import Fraction
from typing import Protocol, TypeVar

from evodom.presentation.format import MISSING, Estimated, interval

Item = TypeVar("Item")

Cell = str | int | float | Fraction | Estimated | None


class Media(Flag):
    """The outputs that show a block."""

    TEXT = auto()
    PAGE = auto()
    CSV = auto()
    SHOWN = TEXT | PAGE
    ALL = TEXT | PAGE | CSV


@dataclass(frozen=True)
class DataColumn:
    """The heading of a column and the format of its cells.

    `is_percent` multiplies numbers by 100. `key` is the column's name in CSV, by default the heading.
    """

    name: str
    digits: int = 1
    is_percent: bool = False
    is_text: bool = False
    is_signed: bool = False
    key: str = ""

    def format(self, cell: Cell) -> str:
        """Return a cell as text; None is a dash."""
        if cell is None:
            return MISSING
        if isinstance(cell, str):
            return cell
        if isinstance(cell, int):
            return f"{cell:,}"
        if isinstance(cell, float | Fraction):
            return f"{float(100 * cell if self.is_percent else cell):{'+' * self.is_signed}z.{self.digits}f}"
        return f"{self.format(cell.value)} ({interval(self.format(cell.low), self.format(cell.high))})"


def text_column(name: str = "") -> DataColumn:
    """Return a left-aligned column of text."""
    return DataColumn(name, is_text=True)


def columns(*columns: str | DataColumn) -> list[DataColumn]:
    """Return columns. A heading alone stands for a column of text."""
    return [text_column(one) if isinstance(one, str) else one for one in columns]


def percent_column(name: str, digits: int = 1, *, key: str = "") -> DataColumn:
    """Return a column of shares, shown in per cent."""
    return DataColumn(name, digits, is_percent=True, key=key)


@dataclass(frozen=True)
class Block:
    """A part of a section, and the outputs that show it.

    A text of limited height leaves out blocks in `drop_order`, 1 first. Blocks with 0 always stay.
    """

    media: Media = field(default=Media.ALL, kw_only=True)
    drop_order: int = field(default=0, kw_only=True)


@dataclass(frozen=True)
class Paragraph(Block):
    """A text. `style` is "lede" for the introduction of a page, "note" for small print."""

    text: str
    style: str = ""


@dataclass(frozen=True)
class Facts(Block):
    """Terms and their descriptions. `term_width` is the minimum width of the terms' column in text."""

    rows: Mapping[str, str]
    title: str = ""
    term_width: int = 0


@dataclass(frozen=True)
class OrderedLists(Block):
    """Numbered lists, side by side if there is room.

    A list is a title, or "", and its items. An item is a main part and a remark.
    """

    lists: Sequence[tuple[str, Sequence[tuple[str, str]]]]
    indent: int = 0
    """Indentation in text."""


@dataclass(frozen=True)
class Tile:
    """A number shown in large type, with its name and a note. The default note is the number's interval."""

    name: str
    column: DataColumn
    cell: Cell
    note: str = ""


@dataclass(frozen=True)
class Tiles(Block):
    """The key figures at the top of a page."""

    tiles: Sequence[Tile]
    media: Media = field(default=Media.PAGE, kw_only=True)


@dataclass(frozen=True)
class Command(Block):
    """A shell command that reproduces the document or continues from it."""

    label: str
    line: str


@dataclass(frozen=True)
class Code(Block):
    """Preformatted lines, such as a file."""

    text: str


@dataclass(frozen=True)
class DataTable(Block):
    """Rows of cells; `name` is the name of its CSV file."""

    columns: Sequence[DataColumn]
    rows: Sequence[Sequence[Cell]]
    title: str = ""
    name: str = ""


def table_of(
    items: Iterable[Item], fields: Sequence[tuple[DataColumn, Callable[[Item], Cell]]], *, name: str = ""
) -> DataTable:
    """Return a table with a row for each item. A field is a column, and the function that returns an item's cell."""
    rows = [[cell(item) for _, cell in fields] for item in items]
    return DataTable([column for column, _ in fields], rows, name=name)


class Drawing(Protocol):
    """The drawing of a chart."""

    def svg(self, title: str) -> str:
        """Return the drawing as SVG."""

    @property
    def legend(self) -> Sequence[tuple[str, str]]:
        """The names of its series, each with the CSS class of its colour."""

    def text(self, width: int, *, block_characters: bool) -> list[str]:
        """Return the drawing as lines of text, [] if there is no text form.

        `block_characters` is True if the terminal can print block characters.
        """


@dataclass(frozen=True)
class Chart(Block):
    """A drawing with its caption."""

    title: str
    note: str
    drawing: Drawing | None
    """None if there is nothing to draw. The note then gives the reason."""
    is_separate: bool = False
    """True if the chart does not share a row with its neighbours."""
    media: Media = field(default=Media.PAGE, kw_only=True)


@dataclass(frozen=True)
class Beside(Block):
    """Blocks that stand side by side on a wide page."""

    blocks: Sequence[Block]


@dataclass(frozen=True)
class Folded(Block):
    """Blocks that a page hides until the reader opens them. Text shows them."""

    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Section:
    """Blocks under a heading, or without one. `name` is the anchor on a page, by default derived from the title."""

    title: str
    blocks: Iterable[Block]
    name: str = ""
    media: Media = Media.ALL

    def __post_init__(self) -> None:
        object.__setattr__(self, "blocks", tuple(self.blocks))

    def blocks_in(self, medium: Media) -> list[Block]:
        """Return the blocks that an output shows."""
        return [block for block in self.blocks if medium in block.media] if medium in self.media else []


@dataclass(frozen=True)
class Document:
    """A result: title, subtitle, the blocks before the first section (`head`), and the sections."""

    title: str
    sections: Sequence[Section]
    subtitle: str = ""
    head: Sequence[Block] = ()

    def blocks(self, medium: Media) -> Iterator[Block]:
        """Yield the blocks of an output in order, nested blocks after their parent."""
        yield from _within([block for block in self.head if medium in block.media], medium)
        for section in self.sections:
            yield from _within(section.blocks_in(medium), medium)


def _within(blocks: Sequence[Block], medium: Media) -> Iterator[Block]:
    for block in blocks:
        if medium in block.media:
            yield block
            yield from _within(block.blocks if isinstance(block, Beside | Folded) else (), medium)
