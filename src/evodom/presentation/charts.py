"""Draw charts as inline SVG: lines with bands, stacked areas, bars with intervals, heat maps.

Colours are CSS classes of the page, so that a chart follows its light and dark theme: ``c0`` to ``c9`` set ``--c``.
Every mark of interest has a <title>, which browsers show as a tooltip and screen readers read.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

from evodom.presentation.text import clipped

WIDTH, HEIGHT = 480, 260
LEFT, RIGHT, TOP, BOTTOM = 44, 14, 12, 40
PLOT_WIDTH, PLOT_HEIGHT = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

ROW, CELL = 30, 18
"""Heights of a bar with its label, and of a cell without a text."""

LABELLED = 15
"""Height of a label inside an area."""

LETTER, BOLD_LETTER = 8.8, 9.2
"""Widths of a letter in a label, and in one inside an area, on a phone: labels are larger there than on a desk."""

WIDEST = 220
"""Width of the widest labels beside bars; longer ones are cut."""

N_PLACES = 48
"""Places that are compared for the label of an area."""


@dataclass(frozen=True, slots=True)
class Series:
    """One line or area: its name, the CSS class of its colour, its values, and the band around them if it has one."""

    name: str
    colour: str
    values: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: a share with its interval, and the part of it that comes from ties."""

    label: str
    share: float
    low: float
    high: float
    tied: float = 0.0
    colour: str = "c0"


@dataclass(frozen=True, slots=True)
class Amount:
    """One bar of a number: what it counts, how many, and the CSS class of its colour."""

    label: str
    value: float
    colour: str = "c0"


def lines(
    title: str, xs: Sequence[float], series: Sequence[Series], axes: tuple[str, str], *, par: float | None = None
) -> str:
    """Return a chart of lines over ``xs``; ``axes`` are the labels of x and y, ``par`` is a level to compare with."""
    tops = [max(one.high or one.values) for one in series] + [par or 0.0]
    lows = [min(one.low or one.values) for one in series]
    plot = _Plot(xs, min(0.0, *lows), max(tops))
    marks = [plot.frame(axes)]
    if par is not None:
        marks.append(f'<path class="par" d="M{LEFT} {plot.y(par):.1f}H{WIDTH - RIGHT}"/>')
    for one in series:
        if one.low is not None and one.high is not None:
            upper = [f"{plot.x(x):.1f} {plot.y(y):.1f}" for x, y in zip(xs, one.high, strict=True)]
            lower = [f"{plot.x(x):.1f} {plot.y(y):.1f}" for x, y in zip(xs, one.low, strict=True)]
            marks.append(f'<path class="band {one.colour}" d="M{"L".join([*upper, *lower[::-1]])}Z"/>')
    for number, one in enumerate(series):
        points = [f"{plot.x(x):.1f} {plot.y(y):.1f}" for x, y in zip(xs, one.values, strict=True)]
        label = f"<title>{escape(one.name)}: {one.values[0]:.3g} to {one.values[-1]:.3g}</title>"
        marks.append(f'<path class="line d{number % 4} {one.colour}" d="M{"L".join(points)}">{label}</path>')
        if len(xs) == 1:
            marks.append(
                f'<circle class="dot {one.colour}" cx="{plot.x(xs[0]):.1f}" cy="{plot.y(one.values[0]):.1f}" r="4"/>'
            )
    return _svg(title, "".join(marks))


def areas(title: str, xs: Sequence[float], series: Sequence[Series], axes: tuple[str, str]) -> str:
    """Return a chart of areas stacked on each other, the first at the bottom, with labels inside if they fit."""
    plot = _Plot(xs, 0.0, max(sum(column) for column in zip(*(one.values for one in series), strict=True)))
    marks, labels = [plot.frame(axes)], []
    base = [0.0] * len(xs)
    for one in series:
        top = [low + value for low, value in zip(base, one.values, strict=True)]
        upper = [f"{plot.x(x):.1f} {plot.y(y):.1f}" for x, y in zip(xs, top, strict=True)]
        lower = [f"{plot.x(x):.1f} {plot.y(y):.1f}" for x, y in zip(xs, base, strict=True)]
        label = f"<title>{escape(one.name)}: {one.values[0]:.2g} to {one.values[-1]:.2g}</title>"
        marks.append(f'<path class="area {one.colour}" d="M{"L".join([*upper, *lower[::-1]])}Z">{label}</path>')
        labels.append(_area_label(plot, xs, one, base))
        base = top
    return _svg(title, "".join(marks + labels))


def bars(title: str, rows: Sequence[Bar], *, par: float | None = None, scale: float | None = None) -> str:
    """Return horizontal bars of shares in per cent with 95 % intervals; the part from ties is paler, at the end.

    ``par`` is a level to compare with; ``scale`` is the share that fills the width, by default just over the largest.
    """
    height = ROW * len(rows) + 26
    full = scale or min(1.0, max([bar.high for bar in rows] + [par or 0.0]) * 1.08)
    left = min(WIDEST, 12 + LETTER * max(len(bar.label) for bar in rows))
    wide = WIDTH - left - 58
    marks = []
    if par is not None:
        x = left + wide * par / full
        marks.append(f'<path class="par" d="M{x:.1f} 2V{height - 22}"/>')
        marks.append(
            f'<text class="tick" x="{x:.1f}" y="{height - 6}" text-anchor="middle">par {100 * par:.0f} %</text>'
        )
    for index, bar in enumerate(rows):
        y, size = ROW * index + 6, ROW - 12
        end, clear = wide * bar.share / full, wide * max(bar.share - bar.tied, 0.0) / full
        middle, low, high = y + size / 2, left + wide * bar.low / full, left + wide * bar.high / full
        label = f"{bar.label}: {100 * bar.share:.1f} % ({100 * bar.low:.1f} to {100 * bar.high:.1f})"
        marks.append(
            f'<g class="{bar.colour}"><title>{escape(label)}</title>'
            f"{_beside(bar.label, left, middle)}"
            f'<rect class="bar" x="{left:.1f}" y="{y}" width="{clear:.1f}" height="{size}"/>'
            f'<rect class="tied" x="{left + clear:.1f}" y="{y}" width="{end - clear:.1f}" height="{size}"/>'
            f'<path class="whisker" d="M{low:.1f} {middle}H{high:.1f}m0 -4v8'
            f'M{low:.1f} {middle - 4}v8"/>'
            f'<text class="value" x="{max(high, left + end) + 6:.1f}" y="{middle + 4:.1f}">{100 * bar.share:.1f}</text>'
            "</g>"
        )
    return _svg(title, "".join(marks), height)


def amounts(title: str, rows: Sequence[Amount]) -> str:
    """Return horizontal bars of numbers, with one decimal; the largest fills the width."""
    height = ROW * len(rows) + 8
    left = min(WIDEST, 12 + LETTER * max((len(row.label) for row in rows), default=0))
    wide = WIDTH - left - 58
    full = max((row.value for row in rows), default=0.0) or 1.0
    marks = []
    for index, row in enumerate(rows):
        y, size = ROW * index + 6, ROW - 12
        middle, width = y + size / 2, wide * row.value / full
        marks.append(
            f'<g class="{row.colour}"><title>{escape(row.label)}: {row.value:.1f}</title>'
            f"{_beside(row.label, left, middle)}"
            f'<rect class="bar" x="{left:.1f}" y="{y}" width="{width:.1f}" height="{size}"/>'
            f'<text class="value" x="{left + width + 6:.1f}" y="{middle + 4:.1f}">{row.value:.1f}</text></g>'
        )
    return _svg(title, "".join(marks), height)


def heat(
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float | None]],
    axes: tuple[str, str],
    *,
    text: Callable[[float], str] | None = None,
    top: float = 1.0,
) -> str:
    """Return a heat map: a matrix of cells whose colour grows stronger with their values, from 0 to ``top``.

    ``text`` formats the values, which are written into the cells if it is given. None is an empty cell.
    """
    left = 14 + LETTER * max(len(row) for row in rows)
    wide = (WIDTH - left - 4) / len(columns)
    high = min(wide, 34.0) if text else CELL
    height = 22 + high * len(rows) + 20
    every = ceil(len(columns) * (LETTER * max(map(len, columns)) + 8) / (WIDTH - left))
    marks = [
        f'<text class="tick" x="{left + wide * (index + 0.5):.1f}" y="16" text-anchor="middle">{escape(name)}</text>'
        for index, name in enumerate(columns)
        if index % every == 0
    ]
    for row, (name, line) in enumerate(zip(rows, values, strict=True)):
        y = 22 + high * row
        marks.append(
            f'<text class="name" x="{left - 6:.1f}" y="{y + high / 2 + 4:.1f}" text-anchor="end">{escape(name)}</text>'
        )
        marks += [
            _cell(left + wide * column, y, (wide, high), value, top, f"{name}, {columns[column]}", text)
            for column, value in enumerate(line)
        ]
    marks.append(
        f'<text class="axis" x="{left:.1f}" y="{height - 4:.1f}">{escape(axes[1])} by {escape(axes[0])}</text>'
    )
    return _svg(title, "".join(marks), ceil(height))


def _cell(
    x: float,
    y: float,
    size: tuple[float, float],
    value: float | None,
    top: float,
    name: str,
    text: Callable[[float], str] | None,
) -> str:
    box = f'x="{x:.1f}" y="{y:.1f}" width="{size[0] - 1:.1f}" height="{size[1] - 1:.1f}"'
    if value is None:
        return f'<rect class="none" {box}/>'
    label = text(value) if text else f"{value:.2f}"
    shade = f'fill-opacity="{max(0.04, value / top):.2f}"'
    cell = f'<rect class="heat" {box} {shade}><title>{escape(name)}: {label}</title></rect>'
    if text is None:
        return cell
    ink = "on" if value > 0.55 else "off"
    place = f'x="{x + size[0] / 2:.1f}" y="{y + size[1] / 2 + 4:.1f}"'
    return f'{cell}<text class="cell {ink}" {place} text-anchor="middle">{label}</text>'


def _beside(label: str, left: float, middle: float) -> str:
    """Return the label of a bar that begins at ``left``, cut to the widest that is allowed."""
    text = escape(clipped(label, int((WIDEST - 12) / LETTER)))
    return f'<text class="name" x="{left - 8:.1f}" y="{middle + 4:.1f}" text-anchor="end">{text}</text>'


def _area_label(plot: "_Plot", xs: Sequence[float], one: Series, base: Sequence[float]) -> str:
    """Return the label of an area, where it has the most room inside the area; "" if it has none.

    Areas do not overlap, and so no label covers another.
    """
    places = [plot.x(x) for x in xs]
    lower = [plot.y(low) for low in base]
    upper = [plot.y(low + value) for low, value in zip(base, one.values, strict=True)]
    half = BOLD_LETTER * len(one.name) / 2
    first, last = places[0] + half, places[-1] - half
    if first > last:
        return ""

    def room(x: float) -> tuple[float, float]:
        """Return the top and the bottom of the room for a label with this middle."""
        columns = [x - half, x + half, *(place for place in places if abs(place - x) < half)]
        return (
            max(_level(places, upper, column) for column in columns),
            min(_level(places, lower, column) for column in columns),
        )

    def merit(x: float) -> tuple[int, float]:
        """Return the height of the room, and how near it is to the middle."""
        top, bottom = room(x)
        return round(bottom - top), -abs(x - (first + last) / 2)

    x = max((first + (last - first) * place / N_PLACES for place in range(N_PLACES + 1)), key=merit)
    top, bottom = room(x)
    if bottom - top < LABELLED:
        return ""
    y = (top + bottom) / 2 + 4
    return f'<text class="inside" x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{escape(one.name)}</text>'


def _level(xs: Sequence[float], ys: Sequence[float], x: float) -> float:
    """Return the height of a line at ``x``, between its points."""
    after = min(max(bisect_left(xs, x), 1), len(xs) - 1)
    part = (x - xs[after - 1]) / (xs[after] - xs[after - 1])
    return ys[after - 1] + part * (ys[after] - ys[after - 1])


class _Plot:
    """The scales and the frame of a chart with two axes."""

    def __init__(self, xs: Sequence[float], low: float, high: float) -> None:
        self.first, self.last = min(xs), max(xs)
        self.step = _step(high - low)
        self.low = floor(low / self.step + 1e-9) * self.step
        self.high = max(ceil(high / self.step - 1e-9) * self.step, self.low + self.step)

    def x(self, value: float) -> float:
        """Return the horizontal position of a value of x."""
        span = self.last - self.first
        return LEFT + (PLOT_WIDTH * (value - self.first) / span if span else PLOT_WIDTH / 2)

    def y(self, value: float) -> float:
        """Return the vertical position of a value of y."""
        return TOP + PLOT_HEIGHT * (self.high - value) / (self.high - self.low)

    def frame(self, axes: tuple[str, str]) -> str:
        """Return the grid lines with their numbers, and the labels of the axes."""
        marks = []
        for index in range(round((self.high - self.low) / self.step) + 1):
            value = self.low + index * self.step
            y = self.y(value)
            marks.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>')
            marks.append(f'<text class="tick" x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
        every = max(1, _step(self.last - self.first))
        value = ceil(self.first / every) * every
        while value <= self.last:
            marks.append(
                f'<text class="tick" x="{self.x(value):.1f}" y="{HEIGHT - 22}" text-anchor="middle">{value:g}</text>'
            )
            value += every
        marks.append(
            f'<text class="axis" x="{WIDTH - RIGHT}" y="{HEIGHT - 6}" text-anchor="end">{escape(axes[0])}</text>'
        )
        marks.append(f'<text class="axis" x="4" y="{HEIGHT - 6}">{escape(axes[1])}</text>')
        return "".join(marks)


def _step(span: float) -> float:
    """Return a round step that divides a span into four to eight parts."""
    if span <= 0.0:
        return 1.0
    rough = span / 5
    size = 10.0 ** floor(log10(rough))
    return size * next(factor for factor in (1, 2, 5, 10) if rough <= factor * size)


def _svg(title: str, content: str, height: int = HEIGHT) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{content}</svg>"
    )
