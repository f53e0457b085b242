"""Shared by all parts of the server: the `Site`, errors and their status, JSON requests, constructors of routes."""

import asyncio
import os
import shlex
import time
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from string import Template
from threading import Event
from typing import Annotated, Any, Protocol, TypeVar, cast

from msgspec import Meta, Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from evodom.errors import EvodomError, RunError, UsageError, one_line
from evodom.files import parse_json
from evodom.reading import convert
from evodom.runs import RunStore
from evodom.sessions.files import LARGEST_SEED

T = TypeVar("T")


class SitePart(Protocol):
    """State that a part of the server keeps between requests."""

    def __init__(self, site: "Site") -> None: ...

    def close(self) -> None:
        """Finish saving and stop other work. Called when the server stops."""


P = TypeVar("P", bound=SitePart)


class Site:
    """State of one running server. ``store`` is that of the saved runs and games.

    ``prepare`` compiles missing kernels. It runs in a thread while pages are already served, and calls its argument
    with a phrase for each step.
    """

    def __init__(self, store: RunStore, prepare: Callable[[Callable[[str], None]], None] | None = None) -> None:
        self.store = store
        self.doing = "Starting"
        """Phrase for the current step of preparation; "" when the server is ready."""
        self.since = time.monotonic()
        """Start of that step on `time.monotonic`."""
        self.problem = ""
        """Reason of a failed preparation, or ""."""
        self.closing = Event()
        """Set when the server stops. Slow work checks it and ends."""
        # Threads for quick requests. They share Python's lock; compiled code releases it.
        self.quick = ThreadPoolExecutor(4, "quick")
        self.slow = ThreadPoolExecutor(2, "slow")
        """Threads for work of seconds (hints, reviews), apart so that moves do not wait for it."""
        self.n_processors = os.cpu_count() or 1
        self._prepare = prepare
        self._parts: dict[type, SitePart] = {}

    @property
    def is_ready(self) -> bool:
        """True when all kernels are compiled."""
        return not self.doing

    def part(self, kind: type[P]) -> P:
        """Return the site's instance of a class. The first call creates it."""
        if kind not in self._parts:
            self._parts[kind] = kind(self)
        return cast(P, self._parts[kind])

    def get_ready(self) -> None:
        """Compile missing kernels. Store a failure in ``problem``."""
        try:
            if self._prepare:
                self._prepare(self._set_step)
            self.doing = ""
        except Exception as error:  # the page shows any failure
            self.problem = f"the engine could not be compiled: {error}"

    def close(self) -> None:
        """Finish running work, cancel waiting work, stop the threads and close all parts."""
        self.closing.set()
        self.quick.shutdown(cancel_futures=True)
        self.slow.shutdown(cancel_futures=True)
        for part in self._parts.values():
            part.close()

    async def quickly(self, task: Callable[[], T]) -> T:
        """Run a task of milliseconds in a thread and return its result."""
        return await asyncio.get_running_loop().run_in_executor(self.quick, task)

    async def slowly(self, task: Callable[[], T]) -> T:
        """Run a task of a second or more in a thread and return its result."""
        return await asyncio.get_running_loop().run_in_executor(self.slow, task)

    def _set_step(self, what: str) -> None:
        self.doing, self.since = what, time.monotonic()


def site_of(request: Request) -> Site:
    """Return the site of a request."""
    site: Any = request.app.state.site
    assert isinstance(site, Site)
    return site


Json = dict[str, object]
"""A JSON object that is sent to a page."""

Seed = Annotated[int, Meta(ge=0, le=LARGEST_SEED)]


class Conflict(EvodomError):
    """The request was made for an earlier state. The page has to reload the state."""


class Missing(EvodomError):
    """The requested page, session, run or task does not exist."""


class NotReady(EvodomError):
    """The server is at its limit of work, or is being stopped."""


class Compiling(NotReady):
    """Kernels are being compiled. The response has status 200 and the progress: waiting is no failure.

    ``doing`` describes the step; ``since`` is its start on `time.monotonic`.
    """

    def __init__(self, doing: str, since: float) -> None:
        super().__init__(f"{doing} ...")
        self.progress = {"state": "compiling", "doing": doing, "seconds": round(time.monotonic() - since, 1)}


class Full(EvodomError):
    """The limit of saved sessions is reached. The user has to delete some."""


_STATUS = {Missing: 404, Conflict: 409, Full: 429, NotReady: 503, UsageError: 400, RunError: 400}
"""HTTP status of each error; other errors have 500."""


class Nothing(Struct, forbid_unknown_fields=True):
    """A request without fields."""


async def body_of(request: Request, kind: type[T]) -> T:
    """Return the JSON object of a request as a struct. Raises UsageError if it is invalid."""
    try:
        body = parse_json((await request.body()).decode())
    except (ValueError, RecursionError) as error:
        raise UsageError(f"the request is no JSON: {one_line(error, 200)}.") from None
    if not isinstance(body, dict):
        raise UsageError("the request is no JSON object.")
    return convert(body, kind)


def answer(data: Mapping[str, object], status: int = 200) -> Response:
    """Return a JSON response that browsers do not cache."""
    return JSONResponse(data, status, {"Cache-Control": "no-store"})


def refuse(request: Request, error: Exception) -> Response:
    """Return the response of an error: one line, or the progress of compiling."""
    if isinstance(error, Compiling):
        return answer(error.progress)
    return refusal(*status_of(error))


def status_of(error: Exception) -> tuple[int, str]:
    """Return the HTTP status of an error, and its text."""
    if isinstance(error, HTTPException):
        return error.status_code, _PHRASES.get(error.status_code, error.detail)
    return next((code for kind, code in _STATUS.items() if isinstance(error, kind)), 500), str(error)


def refusal(status: int, why: str) -> Response:
    """Return the response of a refusal, with its reason in one line."""
    return answer({"error": one_line(why)}, status)


_PHRASES = {404: "there is no such page.", 405: "this method is not allowed here."}


def command_line(store: RunStore, *words: str) -> str:
    """Return a shell command, with --data-dir if ``store`` is not the default."""
    try:
        usual = RunStore().root == store.root
    except RunError:
        usual = False
    return shlex.join(words if usual else (*words, "--data-dir", str(store.root)))


STATIC = Path(__file__).parent / "static"


def html_of(title: str, script: str, styles: str, content: str = "") -> str:
    """Return a page as HTML. ``styles`` are names of style sheets; ``content`` is its HTML before the script runs."""
    paths = ["/pictures.css" if name == "pictures" else f"/static/{name}.css" for name in styles.split()]
    links = "\n".join(f'<link rel="stylesheet" href="{path}">' for path in paths)
    template = Template((STATIC / "page.html").read_text(encoding="utf-8"))
    return template.substitute(title=title, script=script, styles=links, content=content)


def page(path: str, script: str, title: str = "", styles: str = "app panels") -> Route:
    """Return the route of a page. Its HTML is the same for all names in the path: the script reads the address."""
    html = html_of(f"{title} · evodom" if title else "evodom", script, styles)

    async def show(request: Request) -> Response:
        return HTMLResponse(html, headers={"Cache-Control": "no-cache"})

    return Route(path, show)


def api(path: str, endpoint: Callable[[Request], Awaitable[Response]], method: str = "GET") -> Route:
    """Return an API route. Until all kernels are compiled, it returns the progress of compiling."""

    async def reply(request: Request) -> Response:
        site = site_of(request)
        if site.problem:
            raise EvodomError(site.problem)
        if not site.is_ready:
            raise Compiling(site.doing, site.since)
        return await endpoint(request)

    return Route(path, reply, methods=[method])


def view(path: str, look: Callable[[Site, str], Awaitable[Json]]) -> Route:
    """Return the GET route of a view. ``look`` gets the name in the path, or ""."""

    async def endpoint(request: Request) -> Response:
        return answer(await look(site_of(request), name_in(request)))

    return api(path, endpoint)


def action(path: str, kind: type[T], act: Callable[[Site, str, T], Awaitable[Json]]) -> Route:
    """Return the POST route of an action. ``act`` gets the name in the path, or "", and the body as a struct."""

    async def endpoint(request: Request) -> Response:
        body = await body_of(request, kind)
        return answer(await act(site_of(request), name_in(request), body))

    return api(path, endpoint, "POST")


def name_in(request: Request) -> str:
    """Return the name in the path of a request, or ""."""
    return str(next(iter(request.path_params.values()), ""))
