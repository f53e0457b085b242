"""The pages of runs, reports and tournaments, and the requests about them."""

import base64
import hashlib
import re
import secrets
from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from evodom.answers import is_saved
from evodom.dominion.strategies.baselines import BASELINES
from evodom.dominion.strategies.networks.model import lending
from evodom.entrants import IN_RUN, NETWORK, find_entrants
from evodom.errors import UsageError, short
from evodom.presentation.page import style
from evodom.reports import DEFAULT_GAMES
from evodom.runs import check_key
from evodom.web.app import api, page
from evodom.web.exchange import Json, Missing, Nothing, Seed, answer, body_of
from evodom.web.queue import Queue, summary
from evodom.web.run_view import described, listed, seen
from evodom.web.site import Site, site_of
from evodom.web.task import DONE, OPEN, REPORT, TOURNAMENT, ReportAsked, TournamentAsked

MOST_ENTRANTS = 16
MOST_SEED = 2**32


class NewTournament(Struct, forbid_unknown_fields=True):
    """A tournament between strategies that are named as at the command line, but no files."""

    entrants: Annotated[list[Annotated[str, Meta(max_length=120)]], Meta(max_length=MOST_ENTRANTS)]
    players: Annotated[int, Meta(ge=2, le=6)] = 2
    seed: Seed | None = None


_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


async def _list_runs(request: Request) -> Response:
    """List the saved runs, the last one changed first."""
    site = site_of(request)
    return answer({"runs": await site.quickly(lambda: listed(site.root))})


async def _see(request: Request) -> Response:
    """Tell all of one run, and of its reports."""
    site, key = site_of(request), check_key(str(request.path_params["key"]))
    queue = site.part(Queue)
    told = await site.quickly(lambda: seen(key, site.root))
    reports = [
        summary(queue, task) for task in queue.tasks() if isinstance(task.asked, ReportAsked) and task.asked.key == key
    ]
    return answer(told | {"reports": reports[:1]})


async def _report(request: Request) -> Response:
    """Put the report of a run at the end of the queue, unless it waits there already."""
    await body_of(request, Nothing)
    site, key = site_of(request), check_key(str(request.path_params["key"]))
    queue = site.part(Queue)

    def add() -> Json:
        told = described(key, site.root)
        if told["problem"]:
            raise UsageError(told["problem"])
        mine = [task for task in queue.tasks() if isinstance(task.asked, ReportAsked) and task.asked.key == key]
        if mine and mine[0].state in OPEN:
            return summary(queue, mine[0])
        task = queue.add(REPORT, f"Report of {key}", ReportAsked(key, DEFAULT_GAMES))
        for old in mine:
            queue.delete(old.name)
        return summary(queue, task)

    return answer(await site.quickly(add))


async def _report_page(request: Request) -> Response:
    """Show a report as `evodom report --html` writes it: a page without scripts, its style known by its hash."""
    site = site_of(request)
    queue = site.part(Queue)
    task = queue.task(str(request.path_params["name"]))
    if task.kind != REPORT or task.state != DONE:
        raise Missing("this report is not written yet.")
    result = await site.quickly(lambda: queue.result(task))
    html = str(result.get("page", ""))
    return HTMLResponse(html, headers={"Content-Security-Policy": _report_policy(html), "Cache-Control": "no-store"})


def _report_policy(html: str) -> str:
    """Return the policy of a report: nothing is loaded or runs, and only its own style holds."""
    style = _STYLE.search(html)
    digest = base64.b64encode(hashlib.sha256((style[1] if style else "").encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; frame-ancestors 'self'; sandbox"


async def _play_tournament(request: Request) -> Response:
    """Put a tournament at the end of the queue."""
    site, body = site_of(request), await body_of(request, NewTournament)
    queue = site.part(Queue)

    def add() -> Json:
        words = [_entrant(word, site) for word in body.entrants]
        if len(set(words)) < 2 or len(set(words)) < len(words):
            raise UsageError(f"a tournament needs 2 to {MOST_ENTRANTS} different strategies.")
        if body.players > len(words):
            raise UsageError(f"'players' is {body.players}. Allowed: 2 to {min(6, len(words))}.")
        seed = secrets.randbelow(MOST_SEED) if body.seed is None else body.seed
        with lending():  # nothing of them stays in the memory: the games are played by another process
            names = [
                one.name for one in find_entrants(words, root=site.root).entrants
            ]  # who cannot meet is told at once
        asked = TournamentAsked(words, body.players, seed)
        return summary(queue, queue.add(TOURNAMENT, ", ".join(names), asked))

    return answer(await site.quickly(add))


def _entrant(word: str, site: Site) -> str:
    """Return who plays, if it is a baseline, the network, or of a saved run: nothing else, and no file."""
    found = IN_RUN.fullmatch(word)
    if word in BASELINES or word == NETWORK or (found and is_saved(found[1], site.root)):
        return word
    raise UsageError(f"nobody here is called {short(word, 60)}. Allowed: a baseline, network, or a run.")


async def _pictures(request: Request) -> Response:
    """Return the style of pictures and tables, which is that of reports."""
    return Response(style("pictures"), media_type="text/css", headers={"Cache-Control": "no-cache"})


async def _who(request: Request) -> Response:
    """Tell who can be entered in a tournament besides the runs."""
    return answer({"baselines": list(BASELINES), "network": NETWORK})


routes = [
    page("/watch", "watch.html"),
    page("/watch/{key}", "run.html"),
    page("/tournament/{name}", "tournament.html"),
    api("/api/runs", _list_runs),
    api("/api/runs/{key}", _see),
    api("/api/runs/{key}/report", _report, "POST"),
    api("/api/tournaments", _play_tournament, "POST"),
    api("/api/entrants", _who),
    api("/report/{name}", _report_page),
    Route("/pictures.css", _pictures),
]
