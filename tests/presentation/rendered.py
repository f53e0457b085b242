"""Check a document in all its outputs: width of the text, numbers in text, page and CSV, a page that opens offline."""

import csv
import re
from html import unescape
from html.parser import HTMLParser
from io import StringIO

from evodom.presentation import page, text
from evodom.presentation.csv_tables import tables
from evodom.presentation.document import DataTable, Media

NUMBER = re.compile(r"\d+(?:[.,/]\d+)*")
VOID = {"meta", "br", "path", "rect", "circle", "link", "hr"}


class Tags(HTMLParser):
    """Compare opening and closing tags."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        assert not [value for name, value in attrs if name in ("src", "onclick", "onload") or "//" in (value or "")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert tag in VOID or self.open.pop() == tag


def plain(html):
    """Return the text of a page."""
    return unescape(re.sub(r"<style>.*?</style>|<[^>]*>", " ", html, flags=re.DOTALL)).replace(
        "\N{NON-BREAKING HYPHEN}", "-"
    )


def one_line(lines):
    """Return a text without its line breaks."""
    return " ".join(lines.split())


def check(document):
    """Check a document, and return it as text and as a page."""
    shown, html = text.render(document), page.render(document)
    assert max(map(len, shown.splitlines())) <= 80
    assert html.startswith("<!DOCTYPE html>")
    assert "<script" not in html
    tags = Tags()
    tags.feed(html)
    assert tags.open == []
    missing = set(NUMBER.findall(shown)) - set(NUMBER.findall(plain(html)))
    assert not missing, f"numbers of the text that the page lacks: {missing}"
    files = tables(document)
    for table in document.blocks(Media.CSV):
        if isinstance(table, DataTable) and table.name:
            header, *rows = csv.reader(StringIO(files[table.name]))
            assert len(rows) == len(table.rows)
            assert all(len(row) == len(header) for row in rows)
            for row, cells in zip(rows, table.rows, strict=True):
                values = [getattr(cell, "value", cell) for cell in cells]
                assert {str(value) for value in values if value is not None} <= set(row)
    return shown, html
