"""What a request has to be before any part sees it, and what every answer says about itself.

The server listens on this machine only, and so trusts whoever reaches it. Two strangers reach it nevertheless: a page
of another site, opened in a browser on this machine, can send requests here (they name their origin), and a site whose
name suddenly means this machine (DNS rebinding) gets to read the answers (requests name the host they are meant for).
"""

import ipaddress
import sys
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from evodom.errors import one_line
from evodom.web.exchange import refusal

LARGEST_BODY = 64_000
"""Bytes of the largest request: a whole game has no choice of a tenth of that."""

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
"""Content-Security-Policy: everything comes from this server, and no script stands in a page."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",  # a newer version is seen at once; what has not changed is not sent again
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
        """Refuse the request in one line, or have it answered."""
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
            pass  # nobody is there to be told
        except Exception as error:
            print(
                one_line(f"{scope['method']} {scope['path']} failed: {type(error).__name__}: {error}"), file=sys.stderr
            )
            if not began:
                await refusal(500, f"this failed inside evodom: {type(error).__name__}: {error}")(
                    scope, receive, send_guarded
                )

    def _objection(self, scope: Scope) -> tuple[int, str] | None:
        """Say with which status, and why, a request is refused; None if it is not."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not is_ours(host, self.host):
            return 421, f"this server does not answer for host '{host}'. Open the address that evodom serve printed."
        if is_foreign(headers, host):
            return 403, "requests from pages of other sites are not answered."
        kind = headers.get("content-type", "").partition(";")[0].strip()
        if scope["method"] not in _SAFE and kind != "application/json":
            return 415, "what is sent here has to be JSON."
        return None


class RequestTooLarge(Exception):
    """A request turned out to be larger than it said."""


_TOO_LARGE = 413, f"the request is too large. Allowed: up to {LARGEST_BODY:,} bytes."


def is_ours(host: str, listening: str) -> bool:
    """Tell whether a Host header names this server, which listens at an address or on all of them.

    A name can be made to mean this machine by whoever owns it, an address cannot: besides ``localhost`` and the name
    given to --host only addresses pass, and only those of this machine alone if that is where it listens.
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
    """Tell whether an address to listen at can be reached from this machine only."""
    try:
        return ipaddress.ip_address(listening).is_loopback
    except ValueError:
        return listening == "localhost"


def is_foreign(headers: Headers, host: str) -> bool:
    """Tell whether a request was made by a page of another site.

    To follow a link to here is no such request: the other page does not see what comes of it.
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
    """Count what is received, for what was not announced."""
    n_bytes = 0

    async def receive_counted() -> Message:
        nonlocal n_bytes
        message = await receive()
        n_bytes += len(message.get("body", b""))
        if n_bytes > LARGEST_BODY:
            raise RequestTooLarge
        return message

    return receive_counted
