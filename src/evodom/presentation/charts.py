"""Draw charts as inline SVG: lines with bands, stacked areas, bars with intervals, heat maps.

Colours are CSS classes of the page, so that a chart follows its light and dark theme: ``c0`` to ``c9`` set ``--c``.
Every mark of interest has a <title>, which browsers show as a tooltip and screen readers read.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

from evodom.presentation.format import Estimated, clipped, percent
from evodom.presentation.text import sparkline

WIDTH, HEIGHT = 480, 260
LEFT, RIGHT, TOP, BOTTOM = 44, 14, 12, 40
PLOT_WIDTH, PLOT_HEIGHT = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

BAR_HEIGHT, CELL_HEIGHT = 30, 18
"""Heights of a bar with its label, and of a cell without a text."""

N_SHADES = 9
"""Number of colour samples on the scale of a heat map."""

MIN_SHADE = 0.04
"""Opacity of a cell with the value 0."""

LABEL_HEIGHT = 15
"""Height of a label inside an area."""

LETTER_WIDTH, BOLD_LETTER_WIDTH = 8.8, 9.2
"""Widths of a letter in a label, and in a bold label inside an area. The style sheet enlarges labels on phones."""

MAX_LABEL_WIDTH = 220
"""Maximum width of a bar's label. Longer labels are cut."""

N_LABEL_POSITIONS = 48
"""Number of places that are compared for the label of an area."""


@dataclass(frozen=True, slots=True)
class Series:
    """One line or area: its name, the CSS class of its colour, its values, and the band around them if it has one."""

    name: str
    colour: str
    values: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None


def estimates(name: str, colour: str, values: Sequence[Estimated], scale: float = 100.0) -> Series:
    """Return a line of estimates with the band of their intervals, by default in per cent."""
    parts = ([scale * getattr(estimate, end) for estimate in values] for end in ("value", "low", "high"))
    return Series(name, colour, *parts)


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its value, the interval of an estimate, and the part of the value that comes from ties."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None
    tied: float = 0.0
    colour: str = "c0"


def estimate_bar(label: str, share: Estimated, *, tied: float = 0.0, colour: str = "c0") -> Bar:
    """Return the bar of an estimate."""
    return Bar(label, share.value, share.low, share.high, tied, colour)


class _Drawing:
    """Base class of drawings, without a text form and a legend. Subclasses can add both."""

    legend: Sequence[tuple[str, str]] = ()

    def text(self, width: int, *, block_characters: bool) -> list[str]:
        """Return no lines."""
        return []


class _Curves(_Drawing):
    """Series over common positions."""

    series: Sequence[Series]

    @property
    def legend(self) -> Sequence[tuple[str, str]]:  # type: ignore[override]  # computed here
        """The names and colours of the series; empty for a single series."""
        return [(series.name, series.colour) for series in self.series] if len(self.series) > 1 else []


@dataclass(frozen=True)
class LineChart(_Curves):
    """Lines over `xs`; `axes` are the labels of x and y, `reference` is a level to compare with.

    `parts` are the indices of `xs` where a new part begins. There the lines have a gap and a vertical mark.
    """

    xs: Sequence[float]
    series: Sequence[Series]
    axes: tuple[str, str]
    reference: float | None = None
    parts: Sequence[int] = ()

    def svg(self, title: str) -> str:
        """Return the chart as SVG."""
        xs, reference = self.xs, self.reference
        tops = [max(series.high or series.values) for series in self.series] + [reference or 0.0]
        lows = [min(series.low or series.values) for series in self.series]
        plot = _Plot(xs, min(0.0, *lows), max(tops))
        marks = [plot.frame(self.axes)]
        if reference is not None:
            marks.append(f'<path class="par" d="M{LEFT} {plot.y(reference):.1f}H{WIDTH - RIGHT}"/>')
        marks += [
            f'<path class="part" d="M{plot.x((xs[at - 1] + xs[at]) / 2):.1f} {TOP}V{HEIGHT - BOTTOM}"/>'
            for at in self.parts
        ]
        marks += [
            f'<path class="band {series.colour}" d="{plot.outline(xs, series.low, series.high)}"/>'
            for series in self.series
            if series.low is not None and series.high is not None
        ]
        for number, series in enumerate(self.series):
            label = f"<title>{escape(series.name)}: {series.values[0]:.3g} to {series.values[-1]:.3g}</title>"
            points = plot.points(xs, series.values)
            ends = zip([0, *self.parts], [*self.parts, len(points)], strict=True)
            lines = "".join(f"M{'L'.join(points[first:last])}" for first, last in ends)
            marks.append(f'<path class="line d{number % 4} {series.colour}" d="{lines}">{label}</path>')
            if len(xs) == 1:
                x, y = plot.x(xs[0]), plot.y(series.values[0])
                marks.append(f'<circle class="dot {series.colour}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>')
        return svg_document(title, "".join(marks))

    def text(self, width: int, *, block_characters: bool) -> list[str]:
        """Return a sparkline for each series with its range; none for single points."""
        if not block_characters or len(self.xs) < 2:
            return []
        names = max(len(series.name) for series in self.series)
        return [
            f"{series.name:<{names}}  {sparkline(series.values)}  "
            f"{min(series.values):z.1f} to {max(series.values):z.1f}"
            for series in self.series
        ]


@dataclass(frozen=True)
class AreaChart(_Curves):
    """Areas stacked on each other over `xs`, the first at the bottom, with labels inside if they fit."""

    xs: Sequence[float]
    series: Sequence[Series]
    axes: tuple[str, str]

    def svg(self, title: str) -> str:
        """Return the chart as SVG."""
        xs = self.xs
        plot = _Plot(
            xs, 0.0, max(sum(column) for column in zip(*(series.values for series in self.series), strict=True))
        )
        marks, labels = [plot.frame(self.axes)], []
        base = [0.0] * len(xs)
        for series in self.series:
            top = [low + value for low, value in zip(base, series.values, strict=True)]
            label = f"<title>{escape(series.name)}: {series.values[0]:.2g} to {series.values[-1]:.2g}</title>"
            marks.append(f'<path class="area {series.colour}" d="{plot.outline(xs, base, top)}">{label}</path>')
            labels.append(_area_label(plot, xs, series, base))
            base = top
        return svg_document(title, "".join(marks + labels))


@dataclass(frozen=True)
class BarChart(_Drawing):
    """Horizontal bars of numbers, or of shares in per cent with 95 % intervals. The part from ties is paler.

    `reference` is a level to compare with. `scale` is the value that fills the width, by default just over the maximum.
    """

    rows: Sequence[Bar]
    reference: float | None = None
    scale: float | None = None
    is_percent: bool = True
    legend: Sequence[tuple[str, str]] = ()

    def svg(self, title: str) -> str:
        """Return the chart as SVG."""
        reference, height = self.reference, BAR_HEIGHT * len(self.rows) + (26 if self.is_percent else 8)
        largest = max([bar.value if bar.high is None else bar.high for bar in self.rows] + [reference or 0.0])
        full = self.scale or (min(1.0, 1.08 * largest) if self.is_percent else largest) or 1.0
        left = min(MAX_LABEL_WIDTH, 12 + LETTER_WIDTH * max((len(bar.label) for bar in self.rows), default=0))
        wide = WIDTH - left - 58
        marks = []
        if reference is not None:
            x = left + wide * reference / full
            marks.append(f'<path class="par" d="M{x:.1f} 2V{height - 22}"/>')
            at = f'x="{x:.1f}" y="{height - 6}" text-anchor="middle"'
            marks.append(f'<text class="tick" {at}>chance {100 * reference:.0f} %</text>')
        marks += [self._bar(bar, BAR_HEIGHT * index + 6, left, wide / full) for index, bar in enumerate(self.rows)]
        return svg_document(title, "".join(marks), height)

    def _bar(self, bar: Bar, y: float, left: float, unit: float) -> str:
        """Return a bar at the height `y`, with its label left of `left`; `unit` is the length of 1."""
        size, times = BAR_HEIGHT - 12, 100 if self.is_percent else 1
        middle, end, clear = y + size / 2, left + unit * bar.value, unit * max(bar.value - bar.tied, 0.0)
        value, whisker, after = f"{times * bar.value:z.1f}", "", end
        label = f"{bar.label}: {value}{' %' if self.is_percent else ''}"
        if bar.low is not None and bar.high is not None:
            low, high = left + unit * bar.low, left + unit * bar.high
            label += f" ({times * bar.low:z.1f} to {times * bar.high:z.1f})"
            path = f"M{low:.1f} {middle}H{high:.1f}m0 -4v8M{low:.1f} {middle - 4}v8"
            whisker, after = f'<path class="whisker" d="{path}"/>', max(high, end)
        tied = f'<rect class="tied" x="{left + clear:.1f}" y="{y}" width="{end - left - clear:.1f}" height="{size}"/>'
        return (
            f'<g class="{bar.colour}"><title>{escape(label)}</title>{bar_label(bar.label, left, middle)}'
            f'<rect class="bar" x="{left:.1f}" y="{y}" width="{clear:.1f}" height="{size}"/>'
            f"{tied if bar.low is not None else ''}{whisker}"
            f'<text class="value" x="{after + 6:.1f}" y="{middle + 4:.1f}">{value}</text></g>'
        )


@dataclass(frozen=True)
class HeatMap(_Drawing):
    """A matrix of cells whose colour grows stronger with their values, from 0 to `top`; None is an empty cell.

    `digits` are the decimals of the values in per cent that are written into the cells; None writes nothing. Below the
    cells is the scale of the colours, with its `unit`.
    """

    rows: Sequence[str]
    columns: Sequence[str]
    values: Sequence[Sequence[float | None]]
    axes: tuple[str, str]
    digits: int | None = None
    top: float = 1.0
    unit: str = ""

    def svg(self, title: str) -> str:
        """Return the map as SVG."""
        rows, columns = self.rows, self.columns
        left = 14 + LETTER_WIDTH * max(len(row) for row in rows)
        wide = (WIDTH - left - 4) / len(columns)
        high = CELL_HEIGHT if self.digits is None else min(wide, 34.0)
        bottom = 22 + high * len(rows)
        every = ceil((LETTER_WIDTH * max(map(len, columns)) + 2) / wide)
        marks = [
            f'<text class="tick" x="{left + wide * (at + 0.5):.1f}" y="16" text-anchor="middle">{escape(name)}</text>'
            for at, name in enumerate(columns)
            if at % every == 0
        ]
        for row, (name, line) in enumerate(zip(rows, self.values, strict=True)):
            y = 22 + high * row
            place = f'x="{left - 6:.1f}" y="{y + high / 2 + 4:.1f}" text-anchor="end"'
            marks.append(f'<text class="name" {place}>{escape(name)}</text>')
            marks += [
                self._cell((left + wide * column, y), (wide, high), value, f"{name}, {columns[column]}")
                for column, value in enumerate(line)
            ]
        text = f"{escape(self.axes[1])} by {escape(self.axes[0])}"
        marks.append(f'<text class="axis" x="{left:.1f}" y="{bottom + 16:.1f}">{text}</text>')
        return svg_document(title, "".join([*marks, self._scale(left, bottom + 26)]), ceil(bottom + 58))

    def _scale(self, left: float, y: float) -> str:
        """Return the scale: samples of the colours, and the values of the first, the middle and the last."""
        wide = min(180, WIDTH - left - 4) / N_SHADES
        shares = [step / (N_SHADES - 1) for step in range(N_SHADES)]
        marks = [
            f'<rect class="heat" x="{left + wide * step:.1f}" y="{y:.1f}" width="{wide:.1f}" height="10" '
            f'fill-opacity="{_shade(share):.2f}"/>'
            for step, share in enumerate(shares)
        ]
        for share, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end")):
            value = f"{share * self.top:.2g}" if self.digits is None else f"{percent(share * self.top, 0)}"
            label = f"{value} {self.unit}" if share == 1.0 and self.unit else value
            x = left + wide * N_SHADES * share
            place = f'x="{x:.1f}" y="{y + 25:.1f}" text-anchor="{anchor if share != 1.0 else "middle"}"'
            marks.append(f'<text class="tick" {place}>{escape(label)}</text>')
        return f'<g class="scale">{"".join(marks)}</g>'

    def _cell(self, at: tuple[float, float], size: tuple[float, float], value: float | None, name: str) -> str:
        box = f'x="{at[0]:.1f}" y="{at[1]:.1f}" width="{size[0] - 1:.1f}" height="{size[1] - 1:.1f}"'
        if value is None:
            return f'<rect class="none" {box}/>'
        label = f"{value:.2f}" if self.digits is None else percent(value, self.digits)
        shade = f'fill-opacity="{_shade(value / self.top):.2f}"'
        cell = f'<rect class="heat" {box} {shade}><title>{escape(name)}: {label}</title></rect>'
        if self.digits is None:
            return cell
        ink = "on" if value > 0.55 else "off"
        place = f'x="{at[0] + size[0] / 2:.1f}" y="{at[1] + size[1] / 2 + 4:.1f}"'
        return f'{cell}<text class="cell {ink}" {place} text-anchor="middle">{label}</text>'


def _shade(share: float) -> float:
    """Return the opacity of a cell with this share of the largest value."""
    return max(MIN_SHADE, share)


def bar_label(label: str, left: float, middle: float) -> str:
    """Return the label of a bar that begins at ``left``. The label is cut to MAX_LABEL_WIDTH."""
    text = escape(clipped(label, int((MAX_LABEL_WIDTH - 12) / LETTER_WIDTH)))
    return f'<text class="name" x="{left - 8:.1f}" y="{middle + 4:.1f}" text-anchor="end">{text}</text>'


def _area_label(plot: "_Plot", xs: Sequence[float], one: Series, base: Sequence[float]) -> str:
    """Return the label of an area, at the place with the most room for it; "" if there is no room.

    Areas do not overlap, and so no label covers another.
    """
    places = [plot.x(x) for x in xs]
    lower = [plot.y(low) for low in base]
    upper = [plot.y(low + value) for low, value in zip(base, one.values, strict=True)]
    half = BOLD_LETTER_WIDTH * len(one.name) / 2
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
        """Return the height of the room, and the nearness of ``x`` to the middle."""
        top, bottom = room(x)
        return round(bottom - top), -abs(x - (first + last) / 2)

    x = max((first + (last - first) * place / N_LABEL_POSITIONS for place in range(N_LABEL_POSITIONS + 1)), key=merit)
    top, bottom = room(x)
    if bottom - top < LABEL_HEIGHT:
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

    def points(self, xs: Sequence[float], ys: Sequence[float]) -> list[str]:
        """Return the points of a line."""
        return [f"{self.x(x):.1f} {self.y(y):.1f}" for x, y in zip(xs, ys, strict=True)]

    def outline(self, xs: Sequence[float], low: Sequence[float], high: Sequence[float]) -> str:
        """Return the outline of the area between two lines."""
        return f"M{'L'.join([*self.points(xs, high), *self.points(xs, low)[::-1]])}Z"

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


def svg_document(title: str, content: str, height: int = HEIGHT) -> str:
    """Return a drawing with its title."""
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{content}</svg>"
    )
