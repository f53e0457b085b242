"""Pictures: the SVG of a page with its styles in a file."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from evodom.errors import EvodomError, UsageError
from evodom.presentation.histogram import Histogram
from evodom.presentation.picture import check_picture, save_picture


def test_a_picture_is_the_svg_of_a_page_with_the_colours_of_its_styles(tmp_path):
    save_picture(Histogram([(1, 0.25), (3, 0.75)]).svg("pips < 4"), tmp_path / "a.svg")

    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.findtext("{*}title") == "pips < 4"
    assert {"--card:#fff", "svg .bar{fill:var(--c)}", "--o0:#0072b2"} <= set(
        root.findtext("{*}style").replace(";", "\n").replace("}svg", "}\nsvg").split("\n")
    )
    assert len(root.findall(".//{*}rect")) >= 2


@pytest.mark.parametrize("name", ["die.png", "die.jpg", "die", "die.svgz"])
def test_another_ending_is_refused_with_the_right_one(name):
    with pytest.raises(UsageError, match=rf"^pictures are SVG files, got '{name}'. Name a file that ends in \.svg\.$"):
        check_picture(Path(name))


def test_a_picture_that_cannot_be_written_is_refused_in_one_line(tmp_path):
    with pytest.raises(EvodomError, match=r"a\.svg cannot be written: No such file or directory"):
        save_picture("<svg></svg>", tmp_path / "nowhere" / "a.svg")
