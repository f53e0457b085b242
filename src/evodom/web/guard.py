"""Protection of the server: refused requests and headers of every response.

By default the server listens on this machine only and has no logins. Two attacks reach it through a local browser:

- A page of another site sends requests here. The header Origin names its site.
- A site makes its name resolve to this machine (DNS rebinding) and reads responses. The header Host names its site.
"""

import ipaddress
import sys
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from evodom.errors import one_line
from evodom.web.site import refusal

LARGEST_BODY = 64_000
"""Maximum number of bytes of a request body. Choices in games have less than a tenth."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'self'; frame-src 'self'; frame-ancestors 'self'"
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
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
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
            problem = f"{type(error).__name__}: {error}"
            print(one_line(f"{scope['method']} {scope['path']} failed: {problem}"), file=sys.stderr)
            if not began:
                await refusal(500, f"internal error in evodom: {problem}")(scope, receive, send_guarded)

    def _objection(self, scope: Scope) -> tuple[int, str] | None:
        """Return the status and the reason of a refusal, or None for an accepted request."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not is_ours(host, self.host):
            return 421, f"this server does not answer for host '{host}'. Open the address that evodom serve printed."
        if is_foreign(headers, host):
            return 403, "requests from pages of other sites are refused."
        kind = headers.get("content-type", "").partition(";")[0].strip()
        if scope["method"] not in ("GET", "HEAD") and kind != "application/json":
            return 415, "the request body must be JSON."
        return None


class RequestTooLarge(Exception):
    """The body of a request exceeds LARGEST_BODY without a Content-Length that says so."""


_TOO_LARGE = 413, f"the request is too large. Allowed: up to {LARGEST_BODY:,} bytes."


def is_ours(host: str, listening: str) -> bool:
    """Return True if a Host header names this server. ``listening`` is the host of --host.

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
    """Return True if only this machine can reach a server that listens at this address."""
    try:
        return ipaddress.ip_address(listening).is_loopback
    except ValueError:
        return listening == "localhost"


def is_foreign(headers: Headers, host: str) -> bool:
    """Return True if a page of another site made the request.

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
