"""The picture of a search while it works: what the learner, and then the lists, win by now."""

from evodom.presentation.charts import Series, lines
from evodom.report.figures import figure
from evodom.web.task import Task

FEWEST = 2
"""Points from which on there is a picture."""

_EVOLVED = {"buy-list": ("best buy list", "c0"), "graded": ("best preferences", "c2")}


def course(task: Task) -> str:
    """Return the course of a search for advice so far as a figure of HTML; "" as long as there is none."""
    par = 100 / task.asked["players"]
    pictures = []
    learned = task.samples.get("learning", [])
    if len(learned) >= FEWEST:
        chart = lines(
            "What the learner wins by now, per cent",
            [x for x, _ in learned],
            [Series("the learner", "c1", _smooth([y for _, y in learned]))],
            ("thousand games", "% of the wins"),
            par=par,
        )
        pictures.append(
            figure("The learner", "Against lists and baselines that it learns from, means of its last games.", chart)
        )
    evolved = {model: task.samples.get(model, []) for model in _EVOLVED}
    shown = {model: points for model, points in evolved.items() if len(points) >= FEWEST}
    if shown:
        n = min(len(points) for points in shown.values())
        chart = lines(
            "What the best evolved strategies win, per cent",
            [x for x, _ in next(iter(shown.values()))[:n]],
            [Series(*_EVOLVED[model], [y for _, y in points[:n]]) for model, points in shown.items()],
            ("generation", "% of the wins"),
            par=par,
        )
        legend = [_EVOLVED[model] for model in shown]
        pictures.append(
            figure("What evolves", "The best of each generation against the baselines of its race.", chart, legend)
        )
    return f'<div class="grid">{"".join(pictures)}</div>' if pictures else ""


def _smooth(values: list[float], width: int = 8) -> list[float]:
    """Return means of a few values up to each."""
    return [sum(part) / len(part) for part in (values[max(0, at - width + 1) : at + 1] for at in range(len(values)))]
