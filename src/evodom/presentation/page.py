"""Render documents as HTML: whole pages that open offline, or fragments for the server's pages.

All texts are escaped. Pages have no scripts, and contain their style sheet.
"""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache, singledispatch
from html import escape
from pathlib import Path

from evodom.presentation import document as doc
from evodom.presentation.format import NO_BREAK, NO_BREAK_HYPHEN


@cache
def style(name: str) -> str:
    """Return a style sheet: "report" for whole pages, "pictures" for pictures and tables on any page."""
    return (Path(__file__).parent / f"{name}.css").read_text(encoding="utf-8")


def render(document: doc.Document) -> str:
    """Return a document as a whole page."""
    head = [block for block in document.head if doc.Media.PAGE in block.media]
    left = "".join(element(block) for block in head if not isinstance(block, doc.Chart))
    right = "".join(element(block) for block in head if isinstance(block, doc.Chart))
    first = f'<div class="first"><div>{left}</div>{right}</div>' if right else left
    sections = [section for section in document.sections if section.blocks_in(doc.Media.PAGE)]
    links = "".join(
        f'<a href="#{anchor(section)}">{escape(section.title)}</a>' for section in sections if section.title
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>evodom: {escape(document.title)}</title><style>{style('report')}{style('pictures')}</style></head>"
        f'<body><header><p class="eyebrow">{escape(document.subtitle)}</p><h1>{escape(document.title)}</h1>{first}'
        f'<nav aria-label="Sections">{links}</nav></header><main>{fragment(sections)}</main></body></html>\n'
    )


def fragment(sections: Iterable[doc.Section]) -> str:
    """Return sections without the frame of a page."""
    return "".join(_section(section) for section in sections if section.blocks_in(doc.Media.PAGE))


def anchor(section: doc.Section) -> str:
    """Return the id of a section."""
    return section.name or re.sub(r"[^a-z0-9]+", "-", section.title.lower()).strip("-")


def _section(section: doc.Section) -> str:
    content = _elements(section.blocks_in(doc.Media.PAGE))
    if not section.title:
        return content
    name = anchor(section)
    return (
        f'<section id="{name}" aria-labelledby="{name}-title"><h2 id="{name}-title">{escape(section.title)}</h2>'
        f"{content}</section>"
    )


def _elements(blocks: Sequence[doc.Block]) -> str:
    """Return the elements of blocks; charts that follow each other stand side by side."""
    parts: list[str] = []
    figures: list[str] = []
    for block in [*blocks, None]:
        if isinstance(block, doc.Chart) and not block.is_separate:
            figures.append(element(block))
            continue
        if figures:
            parts.append(_grid(figures))
            figures = []
        if block is not None:
            parts.append(element(block))
    return "".join(parts)


def _grid(elements: Sequence[str], style: str = "grid") -> str:
    return f'<div class="{style}">{"".join(elements)}</div>' if elements else ""


@singledispatch
def element(block: doc.Block) -> str:
    """Return the element of a block."""
    raise TypeError(f"no element for {type(block).__name__}")


@element.register
def _(block: doc.Paragraph) -> str:
    kind = f' class="{block.style}"' if block.style else ""
    return f"<p{kind}>{_flowing(block.text)}</p>" if block.text else ""


def _flowing(text: str) -> str:
    """Return an escaped text that is wrapped between all words, but not before a per cent sign.

    Texts keep phrases together for the lines of a terminal. On a phone such a phrase is wider than the page.
    """
    return escape(text.replace(NO_BREAK, " ").replace(" %", f"{NO_BREAK}%"))


@element.register
def _(block: doc.Facts) -> str:
    rows = "".join(f"<dt>{escape(term)}</dt><dd>{_flowing(text)}</dd>" for term, text in block.rows.items())
    return f'{_heading(block.title)}<dl class="facts">{rows}</dl>' if rows else ""


@element.register
def _(block: doc.OrderedLists) -> str:
    return _grid([f"<div>{_heading(title)}{_ordered(lines)}</div>" for title, lines in block.lists])


def _heading(title: str) -> str:
    return f"<h3>{escape(title)}</h3>" if title else ""


def _ordered(lines: Sequence[tuple[str, str]]) -> str:
    shown = (
        f"<b>{escape(first)}</b>" * bool(first) + f" <span>{escape(rest)}</span>" * bool(rest) for first, rest in lines
    )
    return f'<ol class="plan">{"".join(f"<li>{line.strip()}</li>" for line in shown)}</ol>'


@element.register
def _(block: doc.Tiles) -> str:
    return f'<dl class="tiles">{"".join(map(_tile, block.tiles))}</dl>'


def _tile(tile: doc.Tile) -> str:
    column, cell, note = tile.column, tile.cell, tile.note
    if not isinstance(cell, str | int | float | Fraction | None):
        note = note or " to ".join(column.format(end) for end in (cell.low, cell.high))
        cell = cell.value
    unit = "<small> %</small>" if column.is_percent else ""
    return (
        f"<div><dt>{escape(tile.name)}<br><small>{escape(note)}</small></dt>"
        f"<dd>{escape(column.format(cell))}{unit}</dd></div>"
    )


@element.register
def _(block: doc.Command) -> str:
    return f"<p>{escape(block.label)}:</p><pre><code>{escape(block.line)}</code></pre>"


@element.register
def _(block: doc.Code) -> str:
    return f"<pre>{''.join(f'<span>{escape(line)}</span>' for line in block.text.splitlines())}</pre>"


@element.register
def _(block: doc.DataTable) -> str:
    def row(tag: str, cells: Iterable[str], scope: str = "") -> str:
        kinds = ("" if column.is_text else ' class="n"' for column in block.columns)
        shown = (f"<{tag}{kind}{scope}>{escape(cell)}</{tag}>" for kind, cell in zip(kinds, cells, strict=True))
        return f"<tr>{''.join(shown)}</tr>"

    caption = f"<caption>{escape(block.title)}</caption>" if block.title else ""
    # Ranges in a heading ("turns 3-6") are not broken.
    heads = [re.sub(r"(?<=\d)-(?=\d)", NO_BREAK_HYPHEN, column.name) for column in block.columns]
    head = row("th", heads, ' scope="col"')
    body = "".join(
        row("td", [column.format(cell) for column, cell in zip(block.columns, cells, strict=True)])
        for cells in block.rows
    )
    return f'<div class="scroll" tabindex="0"><table>{caption}<thead>{head}</thead><tbody>{body}</tbody></table></div>'


@element.register
def _(block: doc.Chart) -> str:
    drawing = block.drawing
    keys = "".join(
        f'<li class="{colour}"><i></i>{escape(name)}</li>' for name, colour in (drawing.legend if drawing else ())
    )
    legend = f'<ul class="legend">{keys}</ul>' if keys else ""
    kind = ' class="single"' if block.is_separate else ""
    return (
        f"<figure{kind}><figcaption><b>{escape(block.title)}</b>{escape(block.note)}</figcaption>"
        f"{drawing.svg(block.title) if drawing else ''}{legend}</figure>"
    )


@element.register
def _(block: doc.Beside) -> str:
    blocks = [inner for inner in block.blocks if doc.Media.PAGE in inner.media]
    parts = [element(inner) if isinstance(inner, doc.Chart) else f"<div>{element(inner)}</div>" for inner in blocks]
    return _grid(parts, "grid tables" if all(isinstance(inner, doc.DataTable) for inner in blocks) else "grid")


@element.register
def _(block: doc.Folded) -> str:
    blocks = [inner for inner in block.blocks if doc.Media.PAGE in inner.media]
    return f"<details><summary>{escape(block.title)}</summary>{_elements(blocks)}</details>"
