"""The app: the parts' routes in one list, behind the guard, around one site."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from html import escape
from pathlib import Path
from string import Template
from threading import Thread

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from evodom import __version__
from evodom.errors import EvodomError, one_line
from evodom.web.exchange import Compiling, Missing, answer, refuse, status_of
from evodom.web.guard import Guard
from evodom.web.site import Site, site_of

STATIC = Path(__file__).parent / "static"

Endpoint = Callable[[Request], Awaitable[Response]]


def make_app(site: Site, host: str, parts: Sequence[Sequence[BaseRoute]]) -> Starlette:
    """Return the app that serves a site at ``host``; ``parts`` are the routes of each part."""

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        Thread(target=site.get_ready, daemon=True).start()  # nobody waits for it who wants to leave
        try:
            yield
        finally:
            await asyncio.to_thread(site.close)

    routes = [*_ROUTES, *(route for part in parts for route in part), Mount("/static", StaticFiles(directory=STATIC))]
    app = Starlette(
        routes=routes,
        middleware=[Middleware(Guard, host=host)],
        exception_handlers={EvodomError: refuse, HTTPException: _refuse_page, Missing: _refuse_page},
        lifespan=life,
    )
    app.state.site = site
    return app


def page(path: str, file: str) -> Route:
    """Return the route of a page, which is the same for every name in its path: its script reads the address."""

    async def show(request: Request) -> Response:
        return FileResponse(STATIC / file, headers={"Cache-Control": "no-cache"})

    return Route(path, show)


def api(path: str, endpoint: Endpoint, method: str = "GET") -> Route:
    """Return an API route. Until all kernels are compiled, it answers with the progress of compiling."""

    async def reply(request: Request) -> Response:
        site = site_of(request)
        if site.problem:
            raise EvodomError(site.problem)
        if not site.is_ready:
            raise Compiling(site.doing, site.since)
        return await endpoint(request)

    return Route(path, reply, methods=[method])


def _refuse_page(request: Request, error: Exception) -> Response:
    """Return an error as a page if a browser navigates to an address, else as JSON: pages request only /api."""
    if request.url.path.startswith(("/api/", "/static/")) or "text/html" not in request.headers.get("accept", ""):
        return refuse(request, error)
    status, why = status_of(error)
    text = Template((STATIC / "missing.html").read_text(encoding="utf-8"))
    words = one_line(why)
    html = text.substitute(why=escape(words[:1].upper() + words[1:]))
    return HTMLResponse(html, status, {"Cache-Control": "no-store"})


async def _tell_site(request: Request) -> Response:
    """Tell whether the server is ready, and what it is doing if it is not."""
    site = site_of(request)
    return answer({"version": __version__, "ready": site.is_ready, "doing": site.doing, "problem": site.problem})


_ROUTES = (page("/", "index.html"), Route("/api/site", _tell_site))
