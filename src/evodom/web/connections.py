"""Limit the time of slow clients and the number of connections per address.

uvicorn has no timeout for incomplete requests. A client that sends nothing keeps its connection open indefinitely.
"""

import asyncio
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from evodom.web.exchange import refusal
from evodom.web.guard import add_headers

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
