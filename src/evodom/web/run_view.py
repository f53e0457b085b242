"""What a page shows of a saved run: its settings, how far it is, its course as a picture, the best list so far."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from evodom.answers import Answer, answers
from evodom.dominion.kingdom import CUSTOM, Kingdom
from evodom.dominion.strategies.describe import in_words
from evodom.errors import EvodomError, one_line
from evodom.evolution.runs import champions, options_of
from evodom.learning.fights import KIND as OF_FIGHTS
from evodom.learning.training import KIND as OF_LEARNING
from evodom.learning.training import N_CHECKPOINTS
from evodom.presentation.charts import LineChart, Series
from evodom.presentation.document import Chart, Section
from evodom.presentation.page import fragment
from evodom.reports.evolved import chosen
from evodom.runs import Run, RunInfo, is_written, list_runs
from evodom.web.exchange import Missing

EVOLVED, LEARNED, FIGHTS, ANSWER = "evolved", "learned", "fights", "answer"
"""What a run is."""

_KINDS = {OF_LEARNING: LEARNED, OF_FIGHTS: FIGHTS}

WINS = "% of the wins"

MOST_POINTS = 200
"""Points of a picture."""

LONGEST = 200
"""Characters of a text of a file that is shown."""

Json = dict[str, Any]


def listed(root: Path) -> list[Json]:
    """Return the entries of the list of runs, the last changed first. An answer replaces its runs."""
    saved = answers(root)
    parts = {run.key for answer in saved for run in answer.runs.values()}
    told = [_described(info, root) for info in list_runs(root) if info.key not in parts]
    return sorted([*told, *(_described_answer(one, root) for one in saved)], key=lambda one: one["modified"])[::-1]


def _described_answer(answer: Answer, root: Path) -> Json:
    """Return the entry of an answer: its parts, and the progress of the part in work."""
    parts = [_described(run, root) | {"part": part} for part, run in answer.runs.items()]
    readable = [one for one in parts if not one["problem"]]
    shown = next((one for one in readable if one["active"]), readable[0])
    kingdom = answer.kingdom
    return shown | {
        "key": answer.key,
        "name": answer.name,
        "kind": ANSWER,
        "active": any(one["active"] for one in parts),
        "modified": max(one["modified"] for one in parts),
        "kingdom": {"name": "" if kingdom.name == CUSTOM else kingdom.name, "cards": list(kingdom.cards)},
        "players": answer.players,
        "parts": [{name: one[name] for name in ("key", "part", "active", "problem", "modified")} for one in parts],
    }


def described(key: str, root: Path) -> Json:
    """Return what a list tells of one run; raises Missing if there is none."""
    info = next((info for info in list_runs(root) if info.key == key), None)
    if info is None:
        raise Missing(f"no run named '{one_line(key, 64)}' is saved.")
    return _described(info, root)


def _described(info: RunInfo, root: Path) -> Json:
    """Return what a list tells of a run; a file may hold anything."""
    told: Json = {
        "key": info.key,
        "name": info.key,
        "problem": info.problem or "",
        "modified": info.modified.isoformat(timespec="seconds"),
        "active": is_written(info.key, root),
    }
    if info.problem:
        return told
    options = info.meta.get("options")
    options = options if isinstance(options, dict) else {}
    kind = _KINDS.get(str(info.meta.get("kind", "")), EVOLVED)
    goal = {EVOLVED: options.get("n_generations"), LEARNED: N_CHECKPOINTS, FIGHTS: options.get("iterations")}[kind]
    return told | {
        "kind": kind,
        "done": info.n_generations - (kind != EVOLVED),
        "goal": goal if type(goal) is int else None,
        "unit": "generation" if kind == EVOLVED else "checkpoint",
        "players": options.get("players") if type(options.get("players")) is int else None,
        "kingdom": _kingdom(options),
        "model": one_line(options.get("model", ""), LONGEST),
        "seed": str(info.meta.get("seed", ""))[:LONGEST],
        "created": one_line(info.meta.get("created", ""), LONGEST),
        "fights": _fights(options) if kind == FIGHTS else "",
    }


def _kingdom(options: Json) -> Json | None:
    """Return the kingdom of a run's settings, None where they name none that this version knows."""
    cards = options.get("kingdom")
    if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
        return None
    try:
        kingdom = Kingdom(tuple(cards))
    except EvodomError:
        return None
    return {"name": "" if kingdom.name == CUSTOM else kingdom.name, "cards": list(kingdom.cards)}


def _fights(options: Json) -> str:
    """Return how many fights a training is for."""
    fights = options.get("fights")
    n = len(fights) if isinstance(fights, list) else 0
    return f"{n} fight{'s' * (n != 1)}"


def seen(key: str, root: Path) -> Json:
    """Return all that the page of a run shows; raises EvodomError for a run that cannot be read."""
    told = described(key, root)
    if told["problem"]:
        return told
    with Run.open(key, root=root) as run:
        summaries = run.summaries()
        told |= {"course": fragment([Section("", _COURSES[told["kind"]](summaries, told))]), "plan": None, "note": ""}
        if told["kind"] == EVOLVED:
            try:
                told["plan"] = _plan(run)
            except EvodomError as error:  # of other rules, or of a later version: its course can be seen nevertheless
                told["note"] = str(error)
    return told


def without_never(lines: Sequence[str]) -> list[str]:
    """Return the lines of a list that may buy something: one that owns 0 of a card at most never does."""
    return [line for line in lines if not line.startswith("0 ")]


def _plan(run: Run) -> Json:
    """Return the champion of the last generation in words."""
    kingdom = options_of(run).kingdom
    wording = in_words(champions(run, 1)[0], kingdom)
    return {
        "lists": [{"when": order.when, "lines": without_never(order.lines)} for order in wording.lists],
        "notes": list(wording.notes),
    }


def _evolved(summaries: Sequence[Json], found: Json) -> list[Chart]:
    """Return the win rates of the champions in their race, the diversity, and the length of games."""
    wins = _points(summaries, "race_wins", 100)
    return [
        *_chart(
            Chart("What the best wins", "Each generation's champion against the baselines of its race, %.", None),
            wins,
            ("generation", WINS),
            "c0",
            100 / (found["players"] or 2),
        ),
        *_chart(
            Chart("How unlike they are", "Diversity of each generation: it falls as one kind wins.", None),
            _points(summaries, "diversity"),
            ("generation", "diversity"),
            "c2",
        ),
        *_chart(
            Chart("How long games are", "Rounds of a game, mean of each generation.", None),
            _points(summaries, "rounds"),
            ("generation", "rounds"),
            "c5",
        ),
    ]


def _learned(summaries: Sequence[Json], found: Json) -> list[Chart]:
    """Return the win rate of the best start at each checkpoint."""
    points = [
        (one["games"] / 1000, 100 * sum(one["shares"]) / len(one["shares"]))
        for one in summaries
        if _is_number(one.get("games")) and _are_numbers(one.get("shares"))
    ]
    caption = Chart("What it wins", "Its best start against the rivals it learns from, at each checkpoint.", None)
    return _chart(caption, points, ("thousand games", WINS), "c1", 100 / (found["players"] or 2))


def _for_fights(summaries: Sequence[Json], found: Json) -> list[Chart]:
    """Return the value of the fights at each checkpoint."""
    caption = Chart("What its fights are worth", "Means of each iteration.", None)
    return _chart(caption, _points(summaries, "value"), ("iteration", "worth"), "c3")


_COURSES: dict[str, Callable[[Sequence[Json], Json], list[Chart]]] = {
    EVOLVED: _evolved,
    LEARNED: _learned,
    FIGHTS: _for_fights,
}


def _points(summaries: Sequence[Json], name: str, scale: float = 1) -> list[tuple[float, float]]:
    """Return a figure of some summaries, evenly spaced, with their numbers."""
    found = [(float(at), scale * one[name]) for at, one in enumerate(summaries, 1) if _is_number(one.get(name))]
    return [found[place] for place in chosen(range(len(found)), MOST_POINTS)] if found else []


def _chart(
    caption: Chart, points: Sequence[tuple[float, float]], axes: tuple[str, str], colour: str, par: float | None = None
) -> list[Chart]:
    """Return a chart of one line; nothing as long as it would be a point."""
    if len(points) < 2:
        return []
    series = Series(caption.title, colour, [y for _, y in points])
    return [replace(caption, drawing=LineChart([x for x, _ in points], [series], axes, par))]


def _is_number(value: object) -> bool:
    return type(value) in (int, float)


def _are_numbers(value: object) -> bool:
    return isinstance(value, list) and len(value) > 0 and all(map(_is_number, value))
