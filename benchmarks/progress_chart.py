"""Draw the progress of a run as SVG: the picture of the README.

evodom report demo --json | python benchmarks/progress_chart.py > docs/progress.svg
"""

import json
import sys
from typing import Any

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 780, 300, 56, 44, 200, 44
LINES = (
    ("against_first_generation", "against 3 of generation 0", "#1b7f5c"),
    ("against_big_money", "against 3 Big Money", "#c2571a"),
)


def main() -> None:
    report = json.load(sys.stdin)
    print(draw(report["fitness"]))


def draw(generations: list[dict[str, Any]]) -> str:
    """Return the chart: generation across, win rate of the champion in percent up."""
    last = max(generation["generation"] for generation in generations) or 1
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="system-ui, sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#fbfaf7"/>',
        f'<text x="{LEFT}" y="26" font-size="15" font-weight="600" fill="#222">'
        "Win rate of each generation's champion, four players (par 25 %)</text>",
    ]
    for percent in (0, 25, 50, 75, 100):
        y = height_of(percent / 100)
        dashes = ' stroke-dasharray="4 4"' if percent == 25 else ""
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ccc"{dashes}/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" fill="#555">{percent} %</text>')
    for share in (0, 0.5, 1):
        x = place_of(share * last, last)
        label = f"{round(share * last)}" if share else "generation 0"
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - 16}" text-anchor="middle" fill="#555">{label}</text>')
    for name, label, colour in LINES:
        points = [(place_of(each["generation"], last), height_of(each[name]["share"])) for each in generations]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in points]
        parts.append(f'<text x="{points[-1][0] + 12:.1f}" y="{points[-1][1] + 4:.1f}" fill="{colour}">{label}</text>')
    return "\n".join([*parts, "</svg>"])


def place_of(generation: float, last: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * generation / last


def height_of(share: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share


if __name__ == "__main__":
    main()
