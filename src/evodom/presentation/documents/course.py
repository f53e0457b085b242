"""Draw the charts of a running search for advice: win rates of the learner and of the evolved strategies."""

from collections.abc import Mapping
from itertools import accumulate, cycle, groupby

from evodom.advice.answer import EVOLVED
from evodom.dominion.strategies.registry import MODEL_PRESETS
from evodom.presentation.charts import LineChart, Series
from evodom.presentation.document import Chart, Section
from evodom.presentation.page import fragment

MIN_POINTS = 2
"""Minimum number of points of a chart."""

N_AVERAGED = 8
"""Number of points of a moving average."""

_EVOLVED = {
    name: (f"best {MODEL_PRESETS[name].noun}", colour)
    for name, colour in zip(reversed(EVOLVED), cycle(("c0", "c2", "c3", "c4")), strict=False)
}
"""The label and the colour of the chart of each evolved model."""

_WINS = "% of the wins"


def course(samples: Mapping[str, list[list[float]]], players: int) -> str:
    """Return the charts of a search as HTML; "" while there are too few points. ``samples`` has the points by chart."""
    chance_level = 100 / players
    charts = []
    learned = samples.get("learning", [])
    if len(learned) >= MIN_POINTS:
        segments = [[y for _, y, *_ in part] for _, part in groupby(learned, key=lambda point: point[2:])]
        wins = Series("the learner", "c1", [y for part in segments for y in _smooth(part)])
        begins = list(accumulate(map(len, segments[:-1])))
        drawn = LineChart([x for x, *_ in learned], [wins], ("thousand games", _WINS), chance_level, begins)
        note = "Win rate against its training opponents, mean of the latest games."
        if begins:
            note += (
                " At a dotted line another network is trained, or the opponents change. The win rate then begins near "
                "the chance level; compare it within a part only."
            )
        charts.append(Chart("The learner", note, drawn))
    evolved = {model: samples.get(model, []) for model in _EVOLVED}
    shown = {model: points for model, points in evolved.items() if len(points) >= MIN_POINTS}
    if shown:
        n = min(len(points) for points in shown.values())
        series = [Series(*_EVOLVED[model], [y for _, y in points[:n]]) for model, points in shown.items()]
        drawn = LineChart([x for x, _ in next(iter(shown.values()))[:n]], series, ("generation", _WINS), chance_level)
        note = "Win rate of each generation's champion against its training opponents."
        charts.append(Chart("The evolved strategies", note, drawn))
    return fragment([Section("", charts)]) if charts else ""


def _smooth(values: list[float]) -> list[float]:
    """Return the moving averages of the last N_AVERAGED values."""
    parts = (values[max(0, end - N_AVERAGED) : end] for end in range(1, len(values) + 1))
    return [sum(part) / len(part) for part in parts]
