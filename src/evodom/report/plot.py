"""Distributions of numbers as pictures in a file, drawn with Matplotlib (the extra `plot`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.util import find_spec
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evodom.errors import EvodomError, UsageError
from evodom.report.bins import Bin, bins

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ENDINGS = (".svg", ".png")
MOST_BARS = 80
SIZE = (8.0, 4.5)
"""Inches; a PNG has `DOTS` dots to each."""
DOTS = 160

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#b8578f", "#56b4e9", "#e69f00")
"""Okabe and Ito (2008), which people with any colour vision tell apart, in the order of the report's page."""
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
    "svg.hashsalt": "evodom",  # names inside the file, else drawn anew each time
}


def check_picture(path: Path) -> None:
    """Refuse a picture that could not be drawn or written, before anything is computed for it."""
    if path.suffix.lower() not in ENDINGS:
        raise UsageError(f"a picture is a file that ends in .svg or .png, got {str(path)!r}. Name it so.")
    if not path.absolute().parent.is_dir():
        raise UsageError(f"there is no folder {path.absolute().parent} to write {path.name} to. Make it first.")
    if find_spec("matplotlib") is None:
        raise EvodomError('pictures are drawn with Matplotlib, which is not installed: pip install "evodom[plot]"')


def plot_distribution(
    distribution: Iterable[tuple[Any, Any]],
    path: Path,
    *,
    title: str,
    label: str,
    group: Callable[[Any], str] | None = None,
    tick: Callable[[float], str] | None = None,
) -> None:
    """Draw how likely the numbers of a distribution are, and write the picture to `path` (.svg or .png).

    `distribution` is a Distribution of numbers, or pairs of a number and its probability; `label` says what they are.
    `group` names what an outcome belongs to: each group has its colour, named with its probability. Without groups
    the mean is marked. `tick` writes the numbers on the axis. The same picture is the same file, byte for byte.
    Raises UsageError for another ending and EvodomError where Matplotlib is missing or the file cannot be written.
    """
    check_picture(path)
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    pairs = [(number, float(share)) for number, share in distribution]
    found = bins(pairs, MOST_BARS)
    with rc_context(STYLE):
        figure = Figure(figsize=SIZE, layout="constrained")
        axes = figure.add_subplot()
        _draw_bars(axes, found, group)
        if group is None:
            _mark_mean(axes, pairs)
        _dress(axes, title, label)
        _number(axes, whole=all(number == int(number) for number, _ in pairs), tick=tick)
        save_picture(figure, path)


def save_picture(figure: Figure, path: Path) -> None:
    """Write a figure to `path`, the same bytes each time. Raises EvodomError where that cannot be written."""
    kind = path.suffix.lower()[1:]
    try:
        figure.savefig(path, format=kind, dpi=DOTS, metadata={"Date": None} if kind == "svg" else None)
    except OSError as error:
        raise EvodomError(f"cannot write {path}: {error.strerror or error}. Choose another file.") from error


def _draw_bars(axes: Axes, found: list[Bin], group: Callable[[Any], str] | None) -> None:
    """Draw a bar for each bin, those of several groups upon each other."""
    names = list(dict.fromkeys(group(number) for one in found for number, _ in one.outcomes)) if group else [""]
    centres = [(one.low + one.high) / 2 for one in found]
    widths = [0.86 * (one.high - one.low) for one in found]
    bottoms = [0.0] * len(found)
    for name, colour in zip(names, COLOURS, strict=False):
        heights = [
            100 * fsum(share for number, share in one.outcomes if group is None or group(number) == name)
            for one in found
        ]
        told = f"{name}: {fsum(heights):.1f} %" if group else None
        axes.bar(centres, heights, widths, bottom=bottoms, color=colour, edgecolor=colour, linewidth=0.5, label=told)
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


def _dress(axes: Axes, title: str, label: str) -> None:
    """Write title and labels, and draw a light grid."""
    axes.set_title(title, loc="left", fontsize=12, fontweight="bold", pad=12)
    axes.set_xlabel(label)
    axes.set_ylabel("probability, %")
    axes.yaxis.grid(visible=True, color=RULE, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)


def _number(axes: Axes, *, whole: bool, tick: Callable[[float], str] | None) -> None:
    """Write numbers below the bars, none between whole ones where there is nothing else."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(nbins=10, steps=[1, 2, 5, 10], min_n_ticks=1, integer=whole))
    if tick:
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: tick(value)))
