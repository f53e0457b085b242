"""Routes of the pages of runs, reports and tournaments: lists, charts of a saved run, new tasks."""

import base64
import hashlib
from collections.abc import Sequence
from typing import Any, cast

from msgspec import structs
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from evodom.advice.answer import ANSWERS, BEST_RESPONSE, PARTS
from evodom.comparison.run import COMPARISONS
from evodom.dominion.kingdom import CUSTOM, Kingdom
from evodom.dominion.strategies.baselines import BASELINES
from evodom.dominion.strategies.describe import describe_buys, plural
from evodom.dominion.strategies.registry import MODEL_PRESETS, model_of
from evodom.errors import EvodomError, UsageError, one_line
from evodom.evolution.ranking import HELD_OUT_WINS
from evodom.evolution.runs import champions, options_of
from evodom.learning.fights import KIND as OF_FIGHTS
from evodom.learning.training import KIND as OF_LEARNING
from evodom.learning.training import TrainEffort
from evodom.matches.entrants import find_entrants
from evodom.matches.names import NETWORK
from evodom.presentation.charts import LineChart, Series
from evodom.presentation.document import Chart, Section
from evodom.presentation.format import counted
from evodom.presentation.page import fragment, style
from evodom.reports import DEFAULT_GAMES
from evodom.runs import Run, RunInfo, RunStore, check_key, split_key
from evodom.statistics import evenly_spaced
from evodom.web.site import Json, Missing, Nothing, Site, action, api, name_in, page, site_of, view
from evodom.web.task import DONE, MAX_ENTRANTS, RUNNING, EvolutionAsked, ReportAsked, Task, TournamentAsked, read_result
from evodom.web.tasks import SiteTasks, summary

EVOLVED, LEARNED, FIGHTS, ANSWER = "evolved", "learned", "fights", "answer"
"""Kinds of entries in the list of runs."""

PART_TITLES = {NETWORK: "its network", BEST_RESPONSE: "its best response"}
PART_TITLES |= {name: f"its {plural(preset.noun)}" for name, preset in MODEL_PRESETS.items()}
"""Names of the parts of an answer."""

_KINDS = {OF_LEARNING: LEARNED, OF_FIGHTS: FIGHTS, ANSWERS.name: ANSWER}

_NOT_SHOWN = (COMPARISONS.name,)
"""Kinds of saved files without a page."""

WINS = "% of the wins"

_X_AXES = {EVOLVED: "generation", LEARNED: "thousand games", FIGHTS: "iteration"}

_COURSES = {
    EVOLVED: (
        (
            "Champion's win rate",
            "Each generation's champion against two held-out baselines, %.",
            HELD_OUT_WINS,
            WINS,
            "c0",
        ),
        ("Diversity", "Mean distance between the strategies of each generation.", "diversity", "diversity", "c2"),
        ("Length of games", "Mean rounds per game of each generation.", "rounds", "rounds", "c5"),
    ),
    LEARNED: (
        ("Win rate", "The best start against its training opponents, at each checkpoint.", "shares", WINS, "c1"),
    ),
    FIGHTS: (("Value of its fights", "Means of each iteration.", "value", "worth", "c3"),),
    ANSWER: (),
}
"""The charts of each kind of run: title, note, figure of the summaries, label of its axis, colour."""

MAX_POINTS = 200
"""Maximum number of points of a chart."""

LONGEST = 200
"""Maximum number of characters that are shown of a text from a file."""

RunJson = dict[str, Any]


def listed(store: RunStore) -> list[RunJson]:
    """Return the entries of the list of runs, last changed first."""
    infos = (info for info in store.infos() if info.meta.get("kind") not in _NOT_SHOWN)
    return sorted((_described(info, store) for info in infos), key=lambda one: one["modified"])[::-1]


def described(key: str, store: RunStore) -> RunJson:
    """Return the list entry of one run or part. Raises Missing for an unknown key."""
    name, part = split_key(key)
    info = store.describe(name) if name in store else None
    if info is not None and part:
        info = info.parts.get(part)
    if info is None or info.meta.get("kind") in _NOT_SHOWN:
        raise Missing(f"no run named '{one_line(key, 64)}' is saved.")
    return _described(info, store)


def _described(info: RunInfo, store: RunStore) -> RunJson:
    """Return the list entry of a run. Metadata of the file is not trusted."""
    fields: RunJson = {
        "key": info.key,
        "problem": info.problem or "",
        "modified": info.modified.isoformat(timespec="seconds"),
        "active": store.has_writer(info.key),
    }
    if info.problem:
        return fields
    options = info.meta.get("options")
    options = options if isinstance(options, dict) else {}
    kind = _KINDS.get(str(info.meta.get("kind", "")), EVOLVED)
    goals = {EVOLVED: options.get("n_generations"), LEARNED: TrainEffort.n_checkpoints}
    goal, fights = goals.get(kind, options.get("iterations")), options.get("fights")
    if kind == ANSWER:
        fields["parts"] = [
            {"key": part.key, "title": PART_TITLES[name]} for name in PARTS if (part := info.parts.get(name))
        ]
    return fields | {
        "kind": kind,
        "done": info.n_generations - (kind != EVOLVED),
        "goal": goal if type(goal) is int else None,
        "unit": "generation" if kind == EVOLVED else "checkpoint",
        "players": options.get("players") if type(options.get("players")) is int else None,
        "kingdom": _kingdom(options),
        "model": one_line(options.get("model", ""), LONGEST),
        "seed": str(info.meta.get("seed", ""))[:LONGEST],
        "created": one_line(info.meta.get("created", ""), LONGEST),
        "fights": counted(len(fights) if isinstance(fights, list) else 0, "fight") if kind == FIGHTS else "",
    }


def _kingdom(options: RunJson) -> RunJson | None:
    """Return the kingdom of a run's settings, or None if it is missing or invalid in this version."""
    cards = options.get("kingdom")
    if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
        return None
    try:
        kingdom = Kingdom(tuple(cards))
    except EvodomError:
        return None
    return {"name": "" if kingdom.name == CUSTOM else kingdom.name, "cards": list(kingdom.cards)}


def seen(key: str, store: RunStore) -> RunJson:
    """Return the JSON of a run's page. Raises EvodomError for a run that cannot be read."""
    fields = described(key, store)
    if fields["problem"]:
        return fields
    with store.open(key) as run:
        charts = _charts(fields["kind"], run.summaries(), fields["players"])
        fields |= {"course": fragment([Section("", charts)]), "plan": None, "note": ""}
        if fields["kind"] == EVOLVED:
            try:
                fields["plan"] = _plan(run)
            except EvodomError as error:  # other rules or a later version: the charts are shown nevertheless
                fields["note"] = str(error)
    return fields


def _plan(run: Run) -> RunJson:
    """Return the champion of the last generation in words. ``draws`` is True if it draws its buys at random."""
    kingdom = options_of(run).kingdom
    (champion,) = champions(run, 1)
    wording = describe_buys(model_of(champion).reachable(champion, kingdom), kingdom)
    return {
        "lists": [{"when": order.when, "lines": list(order.lines)} for order in wording.lists],
        "notes": list(wording.notes),
        "draws": model_of(champion).is_stochastic,
    }


def _charts(kind: str, summaries: Sequence[RunJson], players: int | None) -> list[Chart]:
    """Return the charts of a run, without those of fewer than two points."""
    charts = []
    for title, note, figure, label, colour in _COURSES[kind]:
        scale, chance_level = (100, 100 / (players or 2)) if label == WINS else (1, None)
        points = _points(summaries, figure, by_games=kind == LEARNED)
        if len(points) > 1:
            line = Series(title, colour, [scale * y for _, y in points])
            drawing = LineChart([x for x, _ in points], [line], (_X_AXES[kind], label), chance_level)
            charts.append(Chart(title, note, drawing))
    return charts


def _points(summaries: Sequence[RunJson], figure: str, *, by_games: bool) -> list[tuple[float, float]]:
    """Return points of at most MAX_POINTS summaries, evenly spaced.

    ``x`` is the number of the summary, or its games in thousands. ``y`` is the figure; of a list, the mean.
    """
    found = []
    for number, one in enumerate(summaries, 1):
        x, y = one.get("games") if by_games else 1000 * number, one.get(figure)
        values = y if isinstance(y, list) else [y]
        if type(x) in (int, float) and values and all(type(value) in (int, float) for value in values):
            found.append((cast(float, x) / 1000, sum(values) / len(values)))
    return [found[place] for place in evenly_spaced(range(len(found)), MAX_POINTS)] if found else []


async def _list_runs(site: Site, _: str) -> Json:
    """List the saved runs, last changed first."""
    return {"runs": await site.quickly(lambda: listed(site.store))}


async def _evolve(site: Site, _: str, asked: EvolutionAsked) -> Json:
    """Start a run of evolution. Tasks of complete runs are deleted."""
    tasks = site.part(SiteTasks)

    def add() -> Json:
        if check_key(asked.key) in site.store:
            raise UsageError(f"run '{asked.key}' exists. Choose another name.")
        site.store.check_free(asked.key)
        title = f"{asked.key} in {asked.options.kingdom.name}"  # refuse an unknown kingdom before a task starts
        task = tasks.add(title, asked)
        for old in tasks.all():
            if isinstance(old.asked, EvolutionAsked) and old.state == DONE:
                tasks.delete(old.name)
        return summary(task)

    return await site.quickly(add)


def _reports(key: str, tasks: SiteTasks) -> list[Task]:
    """Return the reports of a run, the newest first."""
    return [task for task in tasks.all() if isinstance(task.asked, ReportAsked) and task.asked.key == key]


async def _see(site: Site, name: str) -> Json:
    """Return one run with its newest report."""
    fields = await site.quickly(lambda: seen(name, site.store))
    return fields | {"reports": [summary(task) for task in _reports(name, site.part(SiteTasks))[:1]]}


async def _report(site: Site, name: str, _: Nothing) -> Json:
    """Start the report of a run, unless it is running. Earlier reports of the run are deleted."""
    key, tasks = name, site.part(SiteTasks)

    def add() -> Json:
        fields = described(key, site.store)
        if fields["problem"]:
            raise UsageError(fields["problem"])
        mine = _reports(key, tasks)
        if mine and mine[0].state == RUNNING:
            return summary(mine[0])
        task = tasks.add(f"Report of {key}", ReportAsked(key, DEFAULT_GAMES))
        for old in mine:
            tasks.delete(old.name)
        return summary(task)

    return await site.quickly(add)


async def _report_page(request: Request) -> Response:
    """Return a report as `evodom report --html` writes it. Scripts are blocked; its style is allowed by hash."""
    site, name = site_of(request), name_in(request)
    task = site.part(SiteTasks).task(name)
    if not isinstance(task.asked, ReportAsked) or task.state != DONE:
        raise Missing("this report does not exist yet.")
    result = await site.quickly(lambda: read_result(name, site.store.root))
    html = str(result.get("page", ""))
    return HTMLResponse(html, headers={"Content-Security-Policy": _report_policy(html), "Cache-Control": "no-store"})


def _report_policy(html: str) -> str:
    """Return the Content-Security-Policy of a report: only its inline style and data images are allowed."""
    style, end, _ = html.partition("<style>")[2].partition("</style>")
    digest = base64.b64encode(hashlib.sha256((style if end else "").encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; frame-ancestors 'self'; sandbox"


async def _play_tournament(site: Site, _: str, asked: TournamentAsked) -> Json:
    """Start a tournament. Raises UsageError for invalid entrants."""
    tasks = site.part(SiteTasks)

    def add() -> Json:
        words = asked.entrants
        if len(set(words)) < 2 or len(set(words)) < len(words):
            raise UsageError(f"a tournament needs 2 to {MAX_ENTRANTS} different strategies.")
        if (asked.players or 2) > len(words):
            raise UsageError(f"'players' is {asked.players}. Allowed: 2 to {min(6, len(words))}.")
        found = find_entrants(words, store=site.store, agents=False, files=False)  # refuse those that cannot meet
        if found.has_searching_agents:
            raise UsageError("a network with search plays tournaments only on the command line: evodom tournament")
        chosen = structs.replace(asked, players=asked.players or found.players or 2)
        return summary(tasks.add(", ".join(one.name for one in found.entrants), chosen))

    return await site.quickly(add)


async def _pictures(request: Request) -> Response:
    """Return the style sheet of pictures and tables, shared with reports."""
    return Response(style("pictures"), media_type="text/css", headers={"Cache-Control": "no-cache"})


async def _who(_: Site, __: str) -> Json:
    """Return the entrants of tournaments that are no runs."""
    return {"baselines": list(BASELINES), "network": NETWORK}


routes = [
    page("/watch", "watch", "Watch", "pictures app panels"),
    page("/watch/{key}", "run", "Run", "pictures app panels"),
    page("/tournament/{name}", "tournament", "Tournament", "pictures app panels"),
    view("/api/runs", _list_runs),
    action("/api/runs", EvolutionAsked, _evolve),
    view("/api/runs/{key}", _see),
    action("/api/runs/{key}/report", Nothing, _report),
    action("/api/tournaments", TournamentAsked, _play_tournament),
    view("/api/entrants", _who),
    api("/report/{name}", _report_page),
    Route("/pictures.css", _pictures),
]
