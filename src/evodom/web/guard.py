"""Protection of the server: refused requests, headers of every response, limits of connections.

By default the server listens on this machine only and has no logins. Two attacks reach it through a local browser:

- A page of another site sends requests here. The header Origin names its site.
- A site makes its name resolve to this machine (DNS rebinding) and reads responses. The header Host names its site.

uvicorn has no timeout for incomplete requests. `Connection` limits the time of slow clients.
"""

import asyncio
import ipaddress
import sys
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from evodom.errors import one_line
from evodom.web.site import refusal

LARGEST_BODY = 64_000
"""Maximum number of bytes of a request. No choice in a game takes a tenth of that."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-src 'self'",
        "frame-ancestors 'self'",
    )
)
"""Content-Security-Policy: pages load from this server only, and inline scripts are forbidden."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",  # browsers revalidate: new versions show immediately, unchanged files are not resent
}

_SAFE = ("GET", "HEAD")


def add_headers(headers: MutableHeaders) -> None:
    """Add `HEADERS` to the headers of a response. Keep headers that it already has."""
    for name, value in HEADERS.items():
        headers.setdefault(name, value)


class Guard:
    """Middleware around the whole app. ``host`` is where the server listens."""

    def __init__(self, app: ASGIApp, host: str) -> None:
        self.app, self.host = app, host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request to the app, or refuse it with an error of one line."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = False

        async def send_guarded(message: Message) -> None:
            nonlocal began
            if message["type"] == "http.response.start":
                began = True
                add_headers(MutableHeaders(scope=message))
            await send(message)

        try:
            why = self._objection(scope) or await _too_large(Headers(scope=scope))
            if why:
                await refusal(*why)(scope, receive, send_guarded)
            else:
                await self.app(scope, _limited(receive), send_guarded)
        except RequestTooLarge:
            await refusal(*_TOO_LARGE)(scope, receive, send_guarded)
        except ClientDisconnect:
            pass  # no client is left
        except Exception as error:
            print(
                one_line(f"{scope['method']} {scope['path']} failed: {type(error).__name__}: {error}"), file=sys.stderr
            )
            if not began:
                await refusal(500, f"internal error in evodom: {type(error).__name__}: {error}")(
                    scope, receive, send_guarded
                )

    def _objection(self, scope: Scope) -> tuple[int, str] | None:
        """Return the status and the reason of a refusal, or None for an accepted request."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not is_ours(host, self.host):
            return 421, f"this server does not answer for host '{host}'. Open the address that evodom serve printed."
        if is_foreign(headers, host):
            return 403, "requests from pages of other sites are refused."
        kind = headers.get("content-type", "").partition(";")[0].strip()
        if scope["method"] not in _SAFE and kind != "application/json":
            return 415, "the request body must be JSON."
        return None


class RequestTooLarge(Exception):
    """The body of a request exceeds LARGEST_BODY without a Content-Length that says so."""


_TOO_LARGE = 413, f"the request is too large. Allowed: up to {LARGEST_BODY:,} bytes."


def is_ours(host: str, listening: str) -> bool:
    """Return whether a Host header names this server; ``listening`` is its own host (--host).

    The owner of a domain can resolve it to this machine. Therefore the only accepted names are ``localhost`` and
    ``listening``. Addresses are accepted, but only loopback addresses if the server listens on loopback.
    """
    try:
        parts = urlsplit(f"//{host}")
        name, _ = parts.hostname or "", parts.port
    except ValueError:
        return False
    if name in ("localhost", listening):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or not is_local(listening)


def is_local(listening: str) -> bool:
    """Return whether a server that listens at this address can be reached from this machine only."""
    try:
        return ipaddress.ip_address(listening).is_loopback
    except ValueError:
        return listening == "localhost"


def is_foreign(headers: Headers, host: str) -> bool:
    """Return whether a request was made by a page of another site.

    A followed link is not foreign: the other page cannot read the response.
    """
    origin = headers.get("origin")
    if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
        return True
    follows_link = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return headers.get("sec-fetch-site", "none") in ("cross-site", "same-site") and not follows_link


async def _too_large(headers: Headers) -> tuple[int, str] | None:
    length = headers.get("content-length", "0")
    return None if length.isdecimal() and int(length[:12]) <= LARGEST_BODY else _TOO_LARGE


def _limited(receive: Receive) -> Receive:
    """Count received bytes. Chunked requests announce no length, so the callable raises RequestTooLarge."""
    n_bytes = 0

    async def receive_counted() -> Message:
        nonlocal n_bytes
        message = await receive()
        n_bytes += len(message.get("body", b""))
        if n_bytes > LARGEST_BODY:
            raise RequestTooLarge
        return message

    return receive_counted


HEADER_SECONDS = 10.0
"""Seconds to receive the request line and headers.

The timer starts with the connection or after the previous response.
"""

BODY_SECONDS = 20.0
"""Seconds to receive the body of a request, from the end of its headers."""

STALL_SECONDS = 30.0
"""Seconds before a connection with a full write buffer is aborted."""

LINGER_SECONDS = 1.0
"""Seconds between an error response and the abort of its connection."""

SHUTDOWN_SECONDS = 2
"""Seconds for open requests to finish after shutdown begins."""

MOST_FROM_ADDRESS = 64
"""Maximum number of connections per address. A browser opens six."""

MOST_REFUSED = 200
"""Maximum number of refused connections that wait for their client. Further ones are aborted without a response."""


class Connection(H11Protocol):
    """uvicorn's HTTP/1.1 connection with time limits."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._awaited_state: object = None
        self._timer: asyncio.TimerHandle | None = None
        self._stall_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn's
        """Refuse the connection if its address has too many. Otherwise start the timer for the first request."""
        address = _address_of(transport)
        if sum(_address_of(one.transport) == address for one in self.connections) >= MOST_FROM_ADDRESS:
            transport.set_protocol(_Refused(transport, address))
            return
        super().connection_made(transport)
        self._set_limit()

    def data_received(self, data: bytes) -> None:
        """Read a part of a request. Restart the timer if the request has a new phase."""
        super().data_received(data)
        self._set_limit()

    def on_response_complete(self) -> None:
        """Start the timer for the next request."""
        super().on_response_complete()
        self._set_limit()

    def pause_writing(self) -> None:
        """Start the timer that aborts a stalled connection."""
        super().pause_writing()
        self._stall_timer = self.loop.call_later(STALL_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Cancel the stall timer."""
        super().resume_writing()
        _cancel(self._stall_timer)

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel all timers."""
        _cancel(self._timer)
        _cancel(self._stall_timer)
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Abort the connection if it waits for a body. Otherwise close it, and abort it after SHUTDOWN_SECONDS."""
        if self._waits_for_body:
            self.transport.abort()
        else:
            super().shutdown()
            self.loop.call_later(SHUTDOWN_SECONDS, self.transport.abort)

    @property
    def _waits_for_headers(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    @property
    def _waits_for_body(self) -> bool:
        return not self._waits_for_headers and self.cycle.more_body

    def _set_limit(self) -> None:
        """Restart the timer if the connection now waits for something else."""
        awaited = self.cycle, self._waits_for_headers, self._waits_for_body
        if awaited != self._awaited_state:
            self._awaited_state = awaited
            _cancel(self._timer)
            if self._waits_for_headers or self._waits_for_body:
                seconds = HEADER_SECONDS if self._waits_for_headers else BODY_SECONDS
                self._timer = self.loop.call_later(seconds, self._expire, seconds)

    def _expire(self, seconds: float) -> None:
        """Close a connection whose request did not arrive in time."""
        if self.transport.is_closing():  # the client has not read its last response
            self.transport.abort()
            return
        request_began = self._waits_for_body or bool(self.conn.trailing_data[0])
        # Send no 408 into a response that has started.
        if request_began and not (self._waits_for_body and self.cycle.response_started):
            self.transport.write(_response(408, f"the request did not arrive within {seconds:g} s."))
        self.transport.close()
        self.loop.call_later(LINGER_SECONDS, self.transport.abort)


class _Refused(asyncio.Protocol):
    """A connection beyond the limit. Send a 429 response and ignore input."""

    n_open = 0

    def __init__(self, transport: asyncio.Transport, address: str) -> None:
        _Refused.n_open += 1
        if _Refused.n_open > MOST_REFUSED:
            transport.abort()
            return
        asyncio.get_running_loop().call_later(LINGER_SECONDS, transport.abort)
        why = f"too many connections from {address}. Allowed: {MOST_FROM_ADDRESS} at a time. Close some and try again."
        transport.write(_response(429, why))
        transport.write_eof()

    def connection_lost(self, exc: Exception | None) -> None:
        """Decrement the number of refused connections."""
        _Refused.n_open -= 1


def _response(status: int, why: str) -> bytes:
    """Return an error response as raw bytes. No request exists to answer through Starlette."""
    response = refusal(status, why)
    add_headers(response.headers)
    response.headers["connection"] = "close"
    lines = [f"{name}: {value}" for name, value in response.headers.items()]
    return "\r\n".join((f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", *lines, "", "")).encode() + bytes(
        response.body
    )


def _address_of(transport: asyncio.BaseTransport) -> str:
    peer = transport.get_extra_info("peername")
    return str(peer[0]) if isinstance(peer, tuple) else ""


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
