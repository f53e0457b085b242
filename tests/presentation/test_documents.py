"""One synthetic document in all its outputs."""

import csv
from dataclasses import dataclass
from fractions import Fraction
from io import StringIO

import pytest

from evodom.errors import RunError
from evodom.presentation import document as doc
from evodom.presentation import page, text
from evodom.presentation.charts import BarChart, LineChart, Series, estimate_bar
from evodom.presentation.csv_tables import tables, write_tables
from evodom.presentation.format import NO_BREAK, clipped, counted, decimal, joined, mean_text, percent
from evodom.presentation.text import TextLayout, aligned_columns, lines_of, sparkline, term_lines
from evodom.statistics import IntervalEstimate, Share
from tests.presentation.rendered import check

WINS = Share(0.601, 0.589, 0.613, 4000)
TABLE = doc.DataTable(
    [
        doc.text_column("strategy"),
        doc.percent_column("wins, %", key="win"),
        doc.DataColumn("VP", 2),
        doc.DataColumn("games"),
        doc.DataColumn("gain", 1, is_signed=True),
    ],
    [("big <money>", WINS, 31.25, 4000, 0.5), ("random", None, Fraction(1, 3), 12, -2.0)],
    "Standings",
    "standings",
)
LISTS = doc.OrderedLists([("early", [("Chapel", ""), ("Silver", "once 2 Chapel")]), ("late", [("Gold & more", "")])])
LINES = LineChart([1, 2, 3], [Series("wins", "c0", [1.0, 4.0, 2.0])], ("turn", "%"))
SPARKS = doc.Chart("Sparks", "note", LINES, media=doc.Media.SHOWN)
FACTS = doc.Facts({"seed": "3", "range": "1.0 to 4.0"})
MORE = doc.Folded("More", [doc.Beside([TABLE, doc.Code("a < b")])])
DOCUMENT = doc.Document(
    "What run x found",
    [
        doc.Section("First", [doc.Paragraph("12 words.", "note"), TABLE, FACTS]),
        doc.Section("Charts", [SPARKS, doc.Chart("Bars", "n", BarChart([estimate_bar("a", WINS)]))]),
        doc.Section("", [LISTS, MORE, doc.Command("Repeat", "evodom report x")]),
        doc.Section("Page only", [doc.Paragraph("not in the text")], media=doc.Media.PAGE),
    ],
    "evodom report",
    [doc.Paragraph("It wins 60.1 %.", "lede"), doc.Tiles([doc.Tile("against it", doc.percent_column("wins"), WINS)])],
)


def test_a_document_has_the_same_numbers_in_all_its_outputs():
    shown, html = check(DOCUMENT)

    assert "60.1 (58.9-61.3)  31.25  4,000  +0.5" in shown
    assert "random                      -   0.33     12  -2.0" in shown
    assert "First\n-----\n12 words." in shown
    assert "not in the text" not in shown
    assert "not in the text" in html
    assert '<a href="#page-only">Page only</a>' in html
    assert "big &lt;money&gt;" in html
    assert "<dd>60.1<small> %</small></dd>" in html
    assert "58.9 to 61.3" in html
    assert html.count("<svg") == 2
    assert html.count('<div class="grid">') >= 2


def test_csv_has_unformatted_values_and_intervals_in_three_columns():
    rows = list(csv.reader(StringIO(tables(DOCUMENT)["standings"])))

    assert rows[0] == ["strategy", "win", "win_low", "win_high", "VP", "games", "gain"]
    assert rows[1] == ["big <money>", "0.601", "0.589", "0.613", "31.25", "4000", "0.5"]
    assert rows[2][:4] == ["random", "", "", ""]
    assert tables(DOCUMENT, separator=" ")["standings"].startswith("strategy,win,win low,win high")


def test_csv_has_no_formulas_and_no_control_characters():
    cells = ["=1+1", "+1", "-x", "@a", "\x1b[31m", "a-b", "Militia"]
    rows = [(cell, Fraction(-7, 2), -3.5) for cell in cells]
    table = doc.DataTable([doc.text_column("=name"), doc.DataColumn("VP"), doc.DataColumn("gain")], rows, name="names")

    header, *found = csv.reader(
        StringIO(tables(doc.Document("Names", [doc.Section("", [table])], "evodom report"))["names"])
    )

    assert header == ["'=name", "VP", "gain"]
    assert [row[0] for row in found] == ["'=1+1", "'+1", "'-x", "'@a", "\\x1b[31m", "a-b", "Militia"]
    assert {tuple(row[1:]) for row in found} == {("-7/2", "-3.5")}


def test_tables_are_written_as_files_or_refused_in_one_line(tmp_path):
    assert write_tables(DOCUMENT, tmp_path / "made") == [tmp_path / "made" / "standings.csv"]
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="cannot be created"):
        write_tables(DOCUMENT, tmp_path / "file")


def test_a_table_that_is_too_wide_goes_on_in_further_parts_with_its_first_column():
    wide = doc.DataTable(
        [doc.text_column(""), *(doc.DataColumn(str(n)) for n in range(40))], [("row", *(float(n) for n in range(40)))]
    )
    lines = lines_of(wide, TextLayout())

    assert max(map(len, lines)) <= 80
    assert sum(line.startswith("row") for line in lines) == lines.count("") + 1 > 2


def test_a_last_column_of_text_is_wrapped_in_its_column():
    table = doc.DataTable(
        [doc.text_column("a"), doc.text_column("b")], [("x", joined(["one two"] * 20)), ("y", "short")]
    )
    lines = lines_of(table, TextLayout())

    assert max(map(len, lines)) <= 80
    assert all(line.startswith("   one two") for line in lines[2:-1])
    assert lines[-1] == "y  short"


def test_a_text_of_limited_height_sets_lists_in_two_columns_then_drops_blocks_in_order():
    steps = doc.OrderedLists([("", [("a", ""), ("b", ""), ("c", "")])], indent=1)
    blocks = [doc.Paragraph("first"), steps, doc.Paragraph("second", drop_order=2), doc.Facts({"x": "4"}, term_width=4)]

    def fitted(height):
        return text.render(doc.Document("", [doc.Section("", blocks)]), height=height).splitlines()

    assert fitted(6) == ["first", "  1  a", "  2  b", "  3  c", "second", "x     4"]
    assert fitted(5) == ["first", "  1  a   3  c", "  2  b", "second", "x     4"]
    assert fitted(1) == ["first", "  1  a   3  c", "  2  b", "x     4"]


def test_lists_are_set_side_by_side_or_below_each_other():
    early, chapel = "early                     late", " 1  Chapel                 1  Gold & more"
    assert lines_of(LISTS, TextLayout())[:2] == [early, chapel]
    assert len(lines_of(LISTS, TextLayout(30))) == 5


def test_a_chart_in_text_is_a_sparkline_with_its_range_where_blocks_can_be_printed():
    assert lines_of(SPARKS, TextLayout()) == ["Sparks", "wins  ▃█▅  1.0 to 4.0"]
    assert lines_of(SPARKS, TextLayout(block_characters=False)) == []


def test_a_block_without_a_renderer_is_an_error():
    @dataclass(frozen=True)
    class Unknown(doc.Block):
        pass

    for render in (lambda block: lines_of(block, TextLayout()), page.element):
        with pytest.raises(TypeError, match="Unknown"):
            render(Unknown())


def test_columns_and_terms_are_aligned():
    assert aligned_columns([("a", "1"), ("bbb", "22")]) == ["a     1", "bbb  22"]
    assert aligned_columns([("a", "1"), ("bbb", "22")], left=()) == ["  a   1", "bbb  22"]
    lines = term_lines({"term": "word " * 30, "x": joined(["one two"] * 20)})
    assert all(line.startswith(("term", "x", "      ")) for line in lines)
    assert max(map(len, lines)) <= 80
    assert NO_BREAK not in "".join(lines)


def test_numbers_are_formatted_with_their_nouns_intervals_and_sparklines():
    assert doc.DataColumn("").format(IntervalEstimate(0.5, -1.0, 2.0)) == "0.5 (-1.0 to 2.0)"
    assert [sparkline([0.0, 0.5, 1.0]), sparkline([0.0, 0.0])] == ["▁▅█", "▁▁"]
    assert (clipped("abcdefgh", 6), clipped("abcdef", 6)) == ("abc...", "abcdef")
    assert [counted(n, "card") for n in (0, 1, 2, 1000)] == ["0 cards", "1 card", "2 cards", "1,000 cards"]


def test_a_number_that_is_rounded_to_zero_has_no_minus_sign():
    column = doc.DataColumn("VP")

    assert column.format(-0.04) == decimal(-0.04, 1) == percent(-0.0004) == "0.0"
    assert doc.DataColumn("gain", is_signed=True).format(-0.04) == "+0.0"
    assert column.format(-0.06) == "-0.1"
    assert mean_text(IntervalEstimate(-0.01, -0.04, 0.02)) == "0.0 (0.0 to 0.0)"
