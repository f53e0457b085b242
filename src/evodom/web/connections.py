"""Connections of the server: time limits for clients, and room for new clients when all connections are in use.

Uvicorn has a time limit for idle connections only. A client could keep its connection with half a request, or with an
answer that it does not read.
"""

import asyncio
import sys
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS = 500
"""Maximum number of open connections."""


def max_connections() -> int:
    """Return MOST_CONNECTIONS, or a quarter of the number of files that this process may open, if that is less.

    The other files are left for saved data and for connections that are being replaced.
    """
    if sys.platform == "win32":
        return MOST_CONNECTIONS
    import resource

    most_files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if most_files == resource.RLIM_INFINITY else min(MOST_CONNECTIONS, most_files // 4)


class LimitedConnection(H11Protocol):
    """A connection that ends when the server has waited ``timeout_keep_alive`` seconds for its client.

    The server waits for the client until it has received a whole request, and while the client does not read an answer.
    Work on an answer has no time limit.

    From ``limit_concurrency`` connections on, a new connection replaces that whose wait began first. If the server
    waits for no client, uvicorn refuses the new connection with status 503.
    """

    _deadline: asyncio.TimerHandle | None = None
    """Timer of the wait for the client. None while the server works on an answer."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in uvicorn
        """Start to wait for a request. Make room for this connection."""
        super().connection_made(transport)
        if self.limit_concurrency and len(self.connections) >= self.limit_concurrency:
            waiting = [each for each in self.connections if isinstance(each, LimitedConnection) and each._deadline]
            if waiting:
                min(waiting, key=LimitedConnection._ends_at).abort()
        self._update_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop to wait."""
        super().connection_lost(exc)
        self._stop_waiting()

    def data_received(self, data: bytes) -> None:
        """Read a part of a request. Stop to wait at its end."""
        super().data_received(data)
        self._update_deadline()

    def on_response_complete(self) -> None:
        """Start to wait again, until the client has read the answer and sent its next request.

        If the request was answered before its end, the deadline stays.
        """
        if not self.cycle.more_body:
            self._stop_waiting()
        super().on_response_complete()
        self._update_deadline()

    def pause_writing(self) -> None:
        """Wait for a client that leaves too much of an answer unread."""
        super().pause_writing()
        self._update_deadline()

    def resume_writing(self) -> None:
        """Stop to wait after the client has read most of an answer."""
        super().resume_writing()
        self._update_deadline()

    def abort(self) -> None:
        """End the connection immediately. Unsent data is lost."""
        self._stop_waiting()
        self.connections.discard(self)
        self.transport.abort()

    def _update_deadline(self) -> None:
        """Start or stop the timer if the server has begun or ended to wait for the client."""
        cycle: Any = self.cycle  # None before the first request
        is_working = cycle is not None and not cycle.more_body and not cycle.response_complete
        if is_working and not self.flow.write_paused:
            self._stop_waiting()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(self.timeout_keep_alive, self.abort)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _ends_at(self) -> float:
        assert self._deadline
        return self._deadline.when()
