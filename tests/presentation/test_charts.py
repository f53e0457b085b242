"""Pictures: well-formed, to scale, and inside their frame."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from benchmarks.stacked_bars import StackedBars
from evodom.evolution.cells import TREASURE_LABELS
from evodom.presentation.charts import (
    BOLD_LETTER_WIDTH,
    HEIGHT,
    LABEL_HEIGHT,
    LETTER_WIDTH,
    WIDTH,
    AreaChart,
    Bar,
    BarChart,
    HeatMap,
    LineChart,
    Series,
)

SERIES = [Series("a & b", "c0", [1.0, 3.0, 2.0], [0.5, 2.5, 1.5], [1.5, 3.5, 2.5]), Series("c", "c1", [0.0, 1.0, 4.0])]

BARS = [Bar("big-money", 0.5, 0.45, 0.55, 0.1), Bar("random", 1.0, 0.99, 1.0)]
STACKED = [Series("Copper", "copper", [7.0, 1.0]), Series("Gold", "gold", [0.0, 3.0]), Series("Moat", "c1", [1.0, 0.2])]
AMOUNT_LABELS = [Bar("Council Room", 12.0), Bar("Gold & more", 3.0, colour="gold"), Bar("Moat", 0.0)]


def pictures():
    return {
        "lines": LineChart([0, 5, 10], SERIES, ("turn", "coins"), reference=2.0).svg("x < y"),
        "areas": AreaChart([1, 2, 3], SERIES, ("turn", "cards")).svg("areas"),
        "bars": BarChart(BARS, reference=0.25).svg("bars"),
        "heat": HeatMap(["0", "9"], ["0", "9"], [[None, 0.2], [0.9, None]], ("others", "mine"), digits=0).svg("heat"),
        "amounts": BarChart(AMOUNT_LABELS, is_percent=False).svg("deck"),
        "stacked": StackedBars(["a & b", "c"], STACKED).svg("decks"),
        "a point": LineChart([3], [Series("a", "c0", [0.0])], ("turn", "coins")).svg("one"),
    }


def points(path):
    return points_of(path.get("d"))


def points_of(line):
    return [tuple(map(float, point.split())) for point in line.strip("MZ").split("L")]


def test_a_picture_is_well_formed_and_has_a_title():
    for drawn in pictures().values():
        root = ElementTree.fromstring(drawn)
        assert root.get("role") == "img"
        assert root[0].tag == "title"
        assert root[0].text


def test_a_line_is_to_scale():
    root = ElementTree.fromstring(pictures()["lines"])
    first, second = (path for path in root.iter("path") if path.get("class").startswith("line"))

    # 3 is as far above 1 as 1 above -1: from 0 to 4 in equal steps
    ys = [y for _, y in points(first) + points(second)]
    at = dict(zip([1, 3, 2, 0, 1, 4], ys, strict=True))
    assert at[3] - at[2] == pytest.approx(at[2] - at[1], abs=0.11)
    assert at[4] - at[0] == pytest.approx(4 * (at[1] - at[0]), abs=0.3)


def test_areas_are_stacked():
    root = ElementTree.fromstring(pictures()["areas"])
    low, high = (points(path) for path in root.iter("path") if path.get("class").startswith("area"))

    assert high[3:] == low[:3][::-1]


def test_all_points_lie_inside_the_frame():
    for name in ("lines", "areas", "a point"):
        for path in ElementTree.fromstring(pictures()[name]).iter("path"):
            if path.get("class").split()[0] in ("line", "area", "band"):
                assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in points(path))


def test_a_bar_ends_at_its_value_and_ties_are_its_end():
    root = ElementTree.fromstring(pictures()["bars"])
    clear, tied, full, none = (float(rect.get("width")) for rect in root.findall(".//rect"))

    assert full == pytest.approx(2 * (clear + tied), abs=0.3)
    assert tied == pytest.approx(0.1 * full, abs=0.2)
    assert none == 0.0


def test_one_against_itself_is_an_empty_cell():
    root = ElementTree.fromstring(pictures()["heat"])
    assert len(root.findall(".//rect[@class='none']")) == 2
    assert [rect.get("fill-opacity") for rect in root.findall("rect[@class='heat']")] == ["0.20", "0.90"]


def test_a_heat_map_has_a_scale_in_its_colours_and_its_unit():
    for drawn, values in (
        (HeatMap(["a"], ["0"], [[0.2]], ("x", "y"), digits=0, unit="%"), ["0", "50", "100 %"]),
        (HeatMap(["a"], ["0"], [[0.2]], ("x", "y"), top=2.4, unit="buys"), ["0", "1.2", "2.4 buys"]),
    ):
        scale = ElementTree.fromstring(drawn.svg("heat")).find("g[@class='scale']")
        shades = [float(rect.get("fill-opacity")) for rect in scale.findall("rect")]
        assert (shades[0], shades[len(shades) // 2], shades[-1]) == (0.04, 0.5, 1.0)
        assert [text.text for text in scale.findall("text")] == values


def test_a_line_has_a_gap_and_a_mark_where_a_part_begins():
    drawn = LineChart([0, 1, 2, 3], [Series("a", "c0", [1.0, 3.0, 0.5, 2.0])], ("x", "y"), parts=[2])
    root = ElementTree.fromstring(drawn.svg("parts"))
    (line,) = (path.get("d") for path in root.iter("path") if path.get("class").startswith("line"))
    (mark,) = (path.get("d") for path in root.iter("path") if path.get("class") == "part")

    before, after = (points_of(part) for part in line.removeprefix("M").split("M"))
    assert (len(before), len(after)) == (2, 2)
    assert before[-1][0] < float(mark[1:].split()[0]) < after[0][0]


def test_bars_of_numbers_are_to_scale():
    drawn = BarChart([Bar("Silver", 8.0), Bar("Gold", 2.0)], is_percent=False).svg("deck")
    widths = [float(width) for width in re.findall(r'class="bar"[^>]* width="([0-9.]+)"', drawn)]
    assert widths[1] == pytest.approx(widths[0] / 4, abs=0.1)
    assert BarChart([], is_percent=False).svg("nothing").startswith("<svg")


def test_stacked_bars_are_to_scale_and_have_the_key_of_their_colours():
    root = ElementTree.fromstring(pictures()["stacked"])
    parts = [rect for rect in root.findall("rect") if rect.find("title") is not None]
    first, last = ([(float(part.get("x")), float(part.get("width"))) for part in parts[at : at + 3]] for at in (0, 3))

    assert [part.findtext("title") for part in parts[:2]] == ["a & b: 7.0 Copper", "a & b: 0.0 Gold"]
    unit = first[0][1] / 7
    assert [wide for _, wide in (*first, *last)] == pytest.approx([unit * n for n in (7, 0, 1, 1, 3, 0.2)], abs=0.1)
    assert [x for x, _ in last[1:]] == pytest.approx([x + wide for x, wide in last[:2]], abs=0.11)
    assert [text.text for text in root.findall("text[@class='inside']")] == ["7.0", "1.0", "1.0", "3.0"]
    assert [text.text for text in root.findall("text[@class='value']")] == ["8.0", "4.2"]
    assert [text.text for text in root.findall("text[@class='name']")] == ["a & b", "c", "Copper", "Gold", "Moat"]
    assert float(root.get("viewBox").split()[3]) > max(float(rect.get("y")) + 11 for rect in root.findall("rect"))


@pytest.mark.parametrize(
    ("columns", "shown"), [(TREASURE_LABELS, TREASURE_LABELS), ([str(n) for n in range(0, 480, 10)], ["0", "40", "80"])]
)
def test_columns_of_a_heat_map_are_named_unless_the_names_would_overlap(columns, shown):
    drawn = HeatMap(["0-3"], columns, [[0.5] * len(columns)], ("x", "y")).svg("heat")
    texts = ElementTree.fromstring(drawn).findall("text[@class='tick']")
    half = [LETTER_WIDTH * len(text.text) / 2 for text in texts]
    xs = [float(text.get("x")) for text in texts]

    assert [text.text for text in texts][: len(shown)] == list(shown)
    assert all(xs[at] + half[at] <= xs[at + 1] - half[at + 1] for at in range(len(xs) - 1))


def test_labels_of_areas_lie_inside_their_areas_and_cover_no_other():
    # The second and third are highest at the same place, where the label of one alone has room.
    values = {
        "Copper": [7, 7, 7, 7],
        "Province": [0, 0, 0, 1.8],
        "Council Room": [0, 0, 0, 1.9],
        "Market": [9, 9, 1, 0],
    }
    chart = AreaChart([0, 1, 2, 3], [Series(name, "c0", values[name]) for name in values], ("turn", "cards"))
    root = ElementTree.fromstring(chart.svg("deck"))
    areas = [points(path) for path in root.iter("path") if path.get("class").startswith("area")]
    shapes = dict(zip(values, areas, strict=True))
    inside = root.findall(".//text[@class='inside']")
    labels = {text.text: (float(text.get("x")), float(text.get("y"))) for text in inside}

    assert labels.keys() == {"Copper", "Market"}
    for name, (x, y) in labels.items():
        half = BOLD_LETTER_WIDTH * len(name) / 2
        upper, lower = shapes[name][:4], shapes[name][4:][::-1]
        for place in (x - half, x, x + half):
            top, bottom = (np.interp(place, *zip(*line, strict=True)) for line in (upper, lower))
            assert top <= y - 4 - LABEL_HEIGHT / 2 + 0.2
            assert y - 4 + LABEL_HEIGHT / 2 <= bottom + 0.2


def test_a_label_beside_a_bar_is_cut_where_it_has_no_room():
    name = "a-strategy-with-a-name-of-forty-letters--"
    charts = BarChart([Bar(name, 0.5, 0.4, 0.6)]), BarChart([Bar(name, 2.0)], is_percent=False)
    for drawn in (chart.svg("wins") for chart in charts):
        text = ElementTree.fromstring(drawn).find(".//text[@class='name']")
        assert text.text == "a-strategy-with-a-na..."
        assert len(text.text) * LETTER_WIDTH <= float(text.get("x"))
        assert name in drawn  # in the tooltip
