"""Connections of the server: time limits for what a client sends and receives, and a limit for each address.

uvicorn has no limit for a request that does not arrive: a client that sends nothing holds its connection for good.
"""

import asyncio
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from evodom.web.exchange import refusal
from evodom.web.guard import add_headers

HEADER_SECONDS = 10.0
"""Time limit for the line and the headers of a request, from the start of the connection or the last response."""

BODY_SECONDS = 20.0
"""Time limit for the body of a request, from the end of its headers."""

STALL_SECONDS = 30.0
"""Time limit for a client that does not receive its response."""

LINGER_SECONDS = 1.0
"""Time between a refusal and the end of its connection."""

LAST_SECONDS = 2
"""Time that requests have to end once the server is told to stop."""

MOST_FROM_ADDRESS = 64
"""Connections of one address. A browser opens six."""

MOST_REFUSED = 200
"""Refused connections that are kept for LINGER_SECONDS. Others end without a refusal."""


class Connection(H11Protocol):
    """A connection with time limits."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._awaited: object = None
        self._timer: asyncio.TimerHandle | None = None
        self._stall_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn's
        """Refuse the connection if its address has too many, or start the time limit for its first request."""
        address = _address_of(transport)
        if sum(_address_of(one.transport) == address for one in self.connections) >= MOST_FROM_ADDRESS:
            transport.set_protocol(_Refused(transport, address))
            return
        super().connection_made(transport)
        self._set_limit()

    def data_received(self, data: bytes) -> None:
        """Read a part of a request."""
        super().data_received(data)
        self._set_limit()

    def on_response_complete(self) -> None:
        """Start the time limit for the next request."""
        super().on_response_complete()
        self._set_limit()

    def pause_writing(self) -> None:
        """Start the time limit for a client that does not receive."""
        super().pause_writing()
        self._stall_timer = self.loop.call_later(STALL_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """End that time limit."""
        super().resume_writing()
        _cancel(self._stall_timer)

    def connection_lost(self, exc: Exception | None) -> None:
        """End all time limits."""
        _cancel(self._timer)
        _cancel(self._stall_timer)
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """End the connection: at once if it waits for a body, after LAST_SECONDS if it has not ended by then."""
        if self._waits_for_body:
            self.transport.abort()
        else:
            super().shutdown()
            self.loop.call_later(LAST_SECONDS, self.transport.abort)

    @property
    def _waits_for_headers(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    @property
    def _waits_for_body(self) -> bool:
        return not self._waits_for_headers and self.cycle.more_body

    def _set_limit(self) -> None:
        """Start the time limit for what the connection waits for, unless that is unchanged."""
        awaited = self.cycle, self._waits_for_headers, self._waits_for_body
        if awaited != self._awaited:
            self._awaited = awaited
            _cancel(self._timer)
            if self._waits_for_headers or self._waits_for_body:
                seconds = HEADER_SECONDS if self._waits_for_headers else BODY_SECONDS
                self._timer = self.loop.call_later(seconds, self._expire, seconds)

    def _expire(self, seconds: float) -> None:
        """End a connection whose request did not arrive in time."""
        if self.transport.is_closing():  # its last response was not received
            self.transport.abort()
            return
        began = self._waits_for_body or bool(self.conn.trailing_data[0])
        if began and not (self._waits_for_body and self.cycle.response_started):
            self.transport.write(_response(408, f"the request did not arrive within {seconds:g} s."))
        self.transport.close()
        self.loop.call_later(LINGER_SECONDS, self.transport.abort)


class _Refused(asyncio.Protocol):
    """A connection beyond the limit: it gets one line, and what it sends is ignored."""

    n = 0

    def __init__(self, transport: asyncio.Transport, address: str) -> None:
        _Refused.n += 1
        if _Refused.n > MOST_REFUSED:
            transport.abort()
            return
        asyncio.get_running_loop().call_later(LINGER_SECONDS, transport.abort)
        why = f"too many connections from {address}. Allowed: {MOST_FROM_ADDRESS} at once. Close some and try again."
        transport.write(_response(429, why))
        transport.write_eof()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no longer."""
        _Refused.n -= 1


def _response(status: int, why: str) -> bytes:
    """Return a refusal as bytes, for a connection without a request."""
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
