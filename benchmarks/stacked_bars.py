"""Draw stacked bars with their key as SVG, for pictures in documents (`four_ways.py`)."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil

from evodom.presentation.charts import BAR_HEIGHT, LETTER_WIDTH, MAX_LABEL_WIDTH, WIDTH, Series, bar_label, svg_document

MIN_NUMBERED, KEY_COLUMNS, KEY_HEIGHT = 26, 4, 20
"""Least width of a part of a stacked bar with a number; columns and height of a row of the key below the bars."""


@dataclass(frozen=True)
class StackedBars:
    """Horizontal bars of numbers, a part for each series, with the key of the colours below the bars.

    A series has a value for each of the `rows`. The key is a part of the picture, so that it can be saved as a file.
    """

    rows: Sequence[str]
    series: Sequence[Series]

    def svg(self, title: str) -> str:
        """Return the chart as SVG."""
        left = min(MAX_LABEL_WIDTH, 12 + LETTER_WIDTH * max(len(row) for row in self.rows))
        sums = [sum(series.values[row] for series in self.series) for row in range(len(self.rows))]
        unit, below = (WIDTH - left - 44) / max(sums), BAR_HEIGHT * len(self.rows) + 14
        marks = []
        for row, (name, total) in enumerate(zip(self.rows, sums, strict=True)):
            y, x, size = BAR_HEIGHT * row + 6, left, BAR_HEIGHT - 8
            marks.append(bar_label(name, left, y + size / 2))
            for series in self.series:
                wide = unit * series.values[row]
                number = f"{series.values[row]:z.1f}"
                label = f"<title>{escape(f'{name}: {number} {series.name}')}</title>"
                box = f'x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{size}"'
                marks.append(f'<rect class="area {series.colour}" {box}>{label}</rect>')
                if wide >= MIN_NUMBERED:
                    at = f'x="{x + wide / 2:.1f}" y="{y + size / 2 + 4}" text-anchor="middle"'
                    marks.append(f'<text class="inside" {at}>{number}</text>')
                x += wide
            marks.append(f'<text class="value" x="{x + 6:.1f}" y="{y + size / 2 + 4}">{total:z.1f}</text>')
        for place, series in enumerate(self.series):
            x, y = 8 + WIDTH / KEY_COLUMNS * (place % KEY_COLUMNS), below + KEY_HEIGHT * (place // KEY_COLUMNS)
            marks.append(f'<rect class="area {series.colour}" x="{x:.1f}" y="{y}" width="11" height="11"/>')
            marks.append(f'<text class="name" x="{x + 17:.1f}" y="{y + 10}">{escape(series.name)}</text>')
        return svg_document(title, "".join(marks), below + KEY_HEIGHT * ceil(len(self.series) / KEY_COLUMNS))
