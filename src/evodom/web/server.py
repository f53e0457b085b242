"""The HTTP server: join the routes behind the guard, listen on a socket, and shut down in order."""

import asyncio
import contextlib
import errno
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from html import escape
from threading import Thread
from types import FrameType

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from evodom import __version__
from evodom.errors import EvodomError, UsageError, one_line
from evodom.web import ask, maps, runs, sessions, tasks
from evodom.web.connections import LimitedConnection, max_connections
from evodom.web.guard import Guard
from evodom.web.site import STATIC, Missing, Site, answer, html_of, page, refuse, site_of, status_of


def make_app(site: Site, host: str, parts: Sequence[Sequence[BaseRoute]]) -> Starlette:
    """Return the app of a site. ``host`` is its listening address; ``parts`` are lists of routes."""

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        Thread(target=site.get_ready, daemon=True).start()  # a daemon: shutdown does not wait for compiling
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


def _refuse_page(request: Request, error: Exception) -> Response:
    """Return an error as a page if a browser navigates to an address, otherwise as JSON."""
    if request.url.path.startswith(("/api/", "/static/")) or "text/html" not in request.headers.get("accept", ""):
        return refuse(request, error)
    status, why = status_of(error)
    words = one_line(why)
    content = (
        f"\n<h1>Not found</h1>\n<p>{escape(words[:1].upper() + words[1:])}</p>\n"
        '<p><a class="button main" href="/">To the first page</a></p>\n'
    )
    return HTMLResponse(html_of("Not found · evodom", "missing", "app", content), status, {"Cache-Control": "no-store"})


async def _site_state(request: Request) -> Response:
    """Return the server's version, readiness, current step and problem."""
    site = site_of(request)
    return answer({"version": __version__, "ready": site.is_ready, "doing": site.doing, "problem": site.problem})


_ROUTES = (page("/", "index"), Route("/api/site", _site_state))


PARTS = (sessions.routes, ask.routes, runs.routes, tasks.routes, maps.routes)
"""The routes of each part."""

CLIENT_SECONDS = 10
"""Seconds that a client has to send a request, or to read an answer, before its connection ends."""

QUEUE = 1024
"""Maximum number of connections that wait for the server to accept them."""

LARGEST_HEADER = 16_000
"""Maximum number of bytes of a request line with its headers. Longer ones are refused with status 400."""

SHUTDOWN_SECONDS = 2
"""Seconds for open requests to finish after shutdown begins. Then connections end, and handlers have as long again."""


def serve(site: Site, host: str, port: int, on_start: Callable[[str], None]) -> bool:
    """Serve a site until SIGTERM or Ctrl-C. Return False after Ctrl-C.

    Running requests have SHUTDOWN_SECONDS to finish. Port 0 selects a free port; ``on_start`` is called with the
    address. Raises UsageError for an invalid host and EvodomError for a port that is taken or forbidden.
    """
    with listening(host, port) as sock:
        server = server_for(site, host)
        on_start(address(host, sock.getsockname()[1]))
        server.run(sockets=[sock])
    return server.stopped_by != signal.SIGINT


def server_for(site: Site, host: str) -> "Server":
    """Return a server that is not started. ``host`` is its listening address."""
    config = uvicorn.Config(
        make_app(site, host, PARTS),
        log_level="error",  # an attack would print a line for each refused request
        access_log=False,
        server_header=False,
        proxy_headers=False,
        http=LimitedConnection,
        backlog=4,  # connections that the event loop accepts in one step; replaced ones are closed after it
        ws="none",
        lifespan="on",
        limit_concurrency=max_connections(),
        timeout_keep_alive=CLIENT_SECONDS,
        h11_max_incomplete_event_size=LARGEST_HEADER,
        timeout_graceful_shutdown=2 * SHUTDOWN_SECONDS,
    )
    return Server(config, site)


class Server(uvicorn.Server):
    """A uvicorn server that shuts down in order and stores the signal in ``stopped_by``, for the caller's exit code."""

    stopped_by = 0

    def __init__(self, config: uvicorn.Config, site: Site) -> None:
        super().__init__(config)
        self._site = site

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to accept connections. Restore QUEUE, which uvicorn has replaced by its backlog."""
        await super().startup(sockets)
        for sock in sockets or []:
            sock.listen(QUEUE)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Set `closing` of the site. Connections end after SHUTDOWN_SECONDS at the latest."""
        self._site.closing.set()
        asyncio.get_running_loop().call_later(SHUTDOWN_SECONDS, self._end_connections)
        await super().shutdown(sockets)

    def _end_connections(self) -> None:
        for connection in list(self.server_state.connections):
            if connection.transport:
                connection.transport.abort()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Shut down in order at the first signal, immediately at the second."""
        numbers = (signal.SIGINT, signal.SIGTERM)
        try:
            before = {number: signal.signal(number, self.handle_exit) for number in numbers}
        except ValueError:  # signal handlers work in the main thread only; a thread's caller stops it
            before = {}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Store the signal and start the shutdown. A second signal forces the exit."""
        self.stopped_by = sig
        self.force_exit = self.should_exit
        self.should_exit = True


def listening(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises EvodomError if the address or port cannot be used."""
    try:
        family, kind, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (socket.gaierror, UnicodeError) as error:
        raise UsageError(f"--host is '{host}', which is no address of this machine. Try: 127.0.0.1") from error
    sock = socket.socket(family, kind)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(where)
        sock.listen(QUEUE)
    except OSError as error:
        sock.close()
        raise _explained(error, host, port) from error
    return sock


def address(host: str, port: int) -> str:
    """Return the server's URL for a browser on this machine."""
    everywhere = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}
    shown = everywhere.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}/"


def _explained(error: OSError, host: str, port: int) -> EvodomError:
    if error.errno == errno.EADDRINUSE:
        other = port + 1 if port < 65535 else port - 1
        return EvodomError(
            f"port {port} is taken, perhaps by another evodom serve: open {address(host, port)}, or choose another: "
            f"evodom serve --port {other}"
        )
    if error.errno == errno.EACCES:
        return EvodomError(f"port {port} cannot be used. Allowed without root rights: --port 1024 to 65535.")
    return UsageError(f"--host is '{host}', which is no address of this machine: {error.strerror}. Try: 127.0.0.1")
