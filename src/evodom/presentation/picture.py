"""Draw distributions of numbers as picture files with Matplotlib (the extra `plot`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import find_spec
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evodom.errors import EvodomError, UsageError, install_advice
from evodom.presentation.histogram import Bin, bins

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


ENDINGS = (".svg", ".png")
MOST_BARS = 80
SIZE = (8.0, 4.5)
"""Width and height in inches; a PNG has `DOTS` dots per inch."""
DOTS = 160

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#b8578f", "#56b4e9", "#e69f00")
"""The colours of Okabe and Ito (2008), which people with any colour vision can tell apart, ordered as in the report."""
INK, SOFT, RULE = "#1d2329", "#5a646e", "#e2ded5"

STYLE: Any = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],  # comes with Matplotlib: the same picture on every machine
    "font.size": 10,
    "text.color": INK,
    "axes.labelcolor": SOFT,
    "axes.edgecolor": SOFT,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "figure.constrained_layout.h_pad": 0.12,
    "figure.constrained_layout.w_pad": 0.12,
    "svg.hashsalt": "evodom",  # fixes the names inside the file, which are random otherwise
}


def check_picture(path: Path) -> None:
    """Check that a picture can be drawn and written, before anything is computed for it.

    Raises UsageError for another ending or a missing folder, and EvodomError where Matplotlib is missing.
    """
    if path.suffix.lower() not in ENDINGS:
        raise UsageError(f"a picture is a file that ends in .svg or .png, got {str(path)!r}. Name it so.")
    if not path.absolute().parent.is_dir():
        raise UsageError(f"there is no folder {path.absolute().parent} to write {path.name} to. Make it first.")
    if find_spec("matplotlib") is None:
        raise EvodomError(f"pictures are drawn with Matplotlib, not installed: {install_advice('plot')}")


def plot_distribution(
    distribution: Iterable[tuple[Any, Any]],
    path: Path,
    *,
    title: str,
    label: str,
    group: Callable[[Any], str] | None = None,
    tick: Callable[[float], str] | None = None,
) -> None:
    """Draw a distribution of numbers as a bar chart and write it to `path` (.svg or .png).

    `distribution` is a Distribution of numbers, or pairs of a number and its probability; `label` says what they are.
    `group` returns the name of an outcome's group: each group has its colour, and its probability in the legend.
    Without groups the mean is marked. `tick` formats the numbers on the axis. The same call writes the same bytes.
    Raises UsageError for another ending and EvodomError where Matplotlib is missing or the file cannot be written.
    """
    check_picture(path)
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    pairs = [(number, float(share)) for number, share in distribution]
    drawn = bins(pairs, MOST_BARS)
    with rc_context(STYLE):
        figure = Figure(figsize=SIZE, layout="constrained")
        axes = figure.add_subplot()
        _draw_bars(axes, drawn, group)
        if group is None:
            _mark_mean(axes, pairs)
        _label_axes(axes, title, label)
        _number_axis(axes, whole=all(number == int(number) for number, _ in pairs), tick=tick)
        save_picture(figure, path)


def plot_lines(
    xs: Sequence[float], lines: Mapping[str, Sequence[float]], path: Path, *, title: str, labels: tuple[str, str]
) -> None:
    """Draw lines over whole numbers `xs`, each by its name, and write them to `path` (.svg or .png).

    `labels` are those of x and y. The same call writes the same bytes. Raises as `plot_distribution` does.
    """
    check_picture(path)
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        figure = Figure(figsize=SIZE, layout="constrained")
        axes = figure.add_subplot()
        for (name, values), colour in zip(lines.items(), COLOURS, strict=False):
            axes.plot(xs, values, color=colour, linewidth=2, marker="o", markersize=4, label=name)
        axes.set_ylim(bottom=0)
        axes.legend(frameon=False, loc="best")
        _label_axes(axes, title, *labels)
        _number_axis(axes, whole=True, tick=None)
        save_picture(figure, path)


def save_picture(figure: Figure, path: Path) -> None:
    """Write a figure to `path`, with the same bytes each time; raise EvodomError if that cannot be written."""
    kind = path.suffix.lower()[1:]
    try:
        figure.savefig(path, format=kind, dpi=DOTS, metadata={"Date": None} if kind == "svg" else None)
    except OSError as error:
        raise EvodomError(f"cannot write {path}: {error.strerror or error}. Choose another file.") from error


def _draw_bars(axes: Axes, drawn: list[Bin], group: Callable[[Any], str] | None) -> None:
    """Draw a bar for each bin, with its groups stacked on each other."""
    names = list(dict.fromkeys(group(number) for one in drawn for number, _ in one.outcomes)) if group else [""]
    centres = [(one.low + one.high) / 2 for one in drawn]
    widths = [0.86 * (one.high - one.low) for one in drawn]
    bottoms = [0.0] * len(drawn)
    for name, colour in zip(names, COLOURS, strict=False):
        heights = [
            100 * fsum(share for number, share in one.outcomes if group is None or group(number) == name)
            for one in drawn
        ]
        label = f"{name}: {fsum(heights):.1f} %" if group else None
        axes.bar(centres, heights, widths, bottom=bottoms, color=colour, edgecolor=colour, linewidth=0.5, label=label)
        bottoms = [bottom + height for bottom, height in zip(bottoms, heights, strict=True)]
    axes.set_ylim(0, max(bottoms) * 1.12)
    if group:
        axes.legend(frameon=False, loc="best")


def _mark_mean(axes: Axes, pairs: list[tuple[Any, float]]) -> None:
    mean = fsum(float(number) * share for number, share in pairs) / fsum(share for _, share in pairs)
    axes.axvline(mean, color=INK, linewidth=1.2, linestyle=(0, (4, 3)))
    low, high = axes.get_xlim()
    right = mean < (low + high) / 2
    axes.annotate(
        f"mean {mean:.4g}",
        (mean, 0.97),
        xycoords=("data", "axes fraction"),
        xytext=(6 if right else -6, 0),
        textcoords="offset points",
        ha="left" if right else "right",
        va="top",
    )


def _label_axes(axes: Axes, title: str, label: str, height: str = "probability, %") -> None:
    """Write title and labels, and draw a light grid."""
    axes.set_title(title, loc="left", fontsize=12, fontweight="bold", pad=12)
    axes.set_xlabel(label)
    axes.set_ylabel(height)
    axes.yaxis.grid(visible=True, color=RULE, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)


def _number_axis(axes: Axes, *, whole: bool, tick: Callable[[float], str] | None) -> None:
    """Write numbers below the bars; where all outcomes are whole numbers, only whole ones."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(nbins=10, steps=[1, 2, 5, 10], min_n_ticks=1, integer=whole))
    if tick:
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: tick(value)))
