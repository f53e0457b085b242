"""The charts of a search while it works: win rates of the learner and of the evolved strategies so far."""

from evodom.presentation.charts import LineChart, Series
from evodom.presentation.document import Chart, Section
from evodom.presentation.page import fragment
from evodom.web.task import AdviceAsked, Task

FEWEST = 2
"""The least points of a chart."""

_EVOLVED = {"buy-list": ("best buy list", "c0"), "graded": ("best preferences", "c2")}

_WINS = "% of the wins"


def course(task: Task) -> str:
    """Return the charts of a search for advice so far as HTML; "" if there is nothing to draw yet."""
    assert isinstance(task.asked, AdviceAsked)
    par = 100 / task.asked.players
    charts = []
    learned = task.samples.get("learning", [])
    if len(learned) >= FEWEST:
        wins = Series("the learner", "c1", _smooth([y for _, y in learned]))
        drawn = LineChart([x for x, _ in learned], [wins], ("thousand games", _WINS), par)
        note = "Against lists and baselines that it learns from, means of its last games."
        charts.append(Chart("The learner", note, drawn))
    evolved = {model: task.samples.get(model, []) for model in _EVOLVED}
    shown = {model: points for model, points in evolved.items() if len(points) >= FEWEST}
    if shown:
        n = min(len(points) for points in shown.values())
        series = [Series(*_EVOLVED[model], [y for _, y in points[:n]]) for model, points in shown.items()]
        drawn = LineChart([x for x, _ in next(iter(shown.values()))[:n]], series, ("generation", _WINS), par)
        note = "The best of each generation against the baselines of its race."
        charts.append(Chart("The evolved strategies", note, drawn))
    return fragment([Section("", charts)]) if charts else ""


def _smooth(values: list[float], width: int = 8) -> list[float]:
    """Return means of a few values up to each."""
    return [sum(part) / len(part) for part in (values[max(0, at - width + 1) : at + 1] for at in range(len(values)))]
