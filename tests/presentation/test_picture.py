"""Pictures of distributions, drawn with Matplotlib."""

import pytest

from evodom.distribution import uniform, weighted
from evodom.errors import EvodomError, UsageError
from evodom.presentation import histogram as plot
from evodom.presentation.histogram import check_picture, plot_distribution, plot_lines

DIE = uniform(range(1, 7))
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def drawn(monkeypatch):
    """Keep the axes of the next pictures."""
    kept = []
    label_axes = plot._label_axes
    monkeypatch.setattr(plot, "_label_axes", lambda axes, *rest: (label_axes(axes, *rest), kept.append(axes)))
    return kept


def test_png_and_svg_are_written_and_the_same_picture_is_the_same_file(tmp_path):
    for name in ("die.PNG", "a.svg", "b.svg"):
        plot_distribution(DIE, tmp_path / name, title="A die", label="pips")

    assert (tmp_path / "die.PNG").read_bytes().startswith(PNG)

    text = (tmp_path / "a.svg").read_text()
    assert text == (tmp_path / "b.svg").read_text()
    assert "<svg" in text
    assert "<dc:date>" not in text


def test_bars_are_probabilities_and_the_mean_is_marked(tmp_path, drawn):
    plot_distribution(weighted({1: 1, 3: 3}), tmp_path / "a.svg", title="Title", label="pips")

    axes = drawn[0]
    bars = {round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in axes.patches}
    assert bars == {1: 25, 2: 0, 3: 75}
    assert [text.get_text() for text in axes.texts] == ["mean 2.5"]
    assert list(axes.lines[0].get_xdata()) == [2.5, 2.5]
    assert (axes.get_title(loc="left"), axes.get_xlabel(), axes.get_ylabel()) == ("Title", "pips", "probability, %")


def test_groups_are_stacked_in_colours_of_their_own(tmp_path, drawn):
    odd = {True: "odd", False: "even"}
    plot_distribution(uniform(range(1, 201)), tmp_path / "a.svg", title="", label="", group=lambda n: odd[n % 2 == 1])

    axes = drawn[0]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["odd: 50.0 %", "even: 50.0 %"]
    assert len({bar.get_facecolor() for bar in axes.patches}) == 2
    assert max(bar.get_y() + bar.get_height() for bar in axes.patches) == pytest.approx(100 * 5 / 200)
    assert not axes.lines


def test_numbers_on_the_axis_are_written_as_asked(tmp_path, drawn):
    plot_distribution(uniform((-2, 2)), tmp_path / "a.svg", title="", label="", tick=lambda value: f"<{abs(value):g}>")

    assert drawn[0].xaxis.get_major_formatter()(-2, 0) == "<2>"


def test_a_picture_that_cannot_be_written_is_refused_in_one_line(tmp_path, monkeypatch):
    for name in ("die.jpg", "die", "die.svgz"):
        with pytest.raises(UsageError, match=r"ends in \.svg or \.png, got"):
            check_picture(tmp_path / name)
    with pytest.raises(EvodomError, match=r"a\.svg cannot be written: No such file or directory"):
        plot_distribution(DIE, tmp_path / "nowhere" / "a.svg", title="", label="")
    (tmp_path / "a.svg").mkdir()
    with pytest.raises(EvodomError, match=r"a\.svg cannot be written: Is a directory[^\n]*$"):
        plot_distribution(DIE, tmp_path / "a.svg", title="", label="")
    monkeypatch.setattr(plot, "find_spec", lambda name: None)
    with pytest.raises(EvodomError, match=r'pip install "evodom\[plot\]"'):
        plot_distribution(DIE, tmp_path / "b.svg", title="", label="")


def test_lines_are_drawn_by_name_with_the_same_bytes_each_time(tmp_path, drawn):
    for name in ("a.svg", "b.svg"):
        lines = {"You": [50.0, 20.0], "them": [50.0, 80.0]}
        plot_lines([1, 2], lines, tmp_path / name, title="Chances", labels=("turn", "chance, %"))

    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert [line.get_label() for line in drawn[0].lines] == ["You", "them"]
    assert drawn[0].lines[1].get_ydata().tolist() == [50.0, 80.0]
    assert (drawn[0].get_xlabel(), drawn[0].get_ylabel()) == ("turn", "chance, %")
