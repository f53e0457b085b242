"""Connections of the server: time limits for clients, and room for new clients when all connections are in use.

Uvicorn has a time limit for idle connections only. A client could keep its connection with half a request, or with an
answer that it does not read.
"""

import asyncio
import sys
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

MAX_CONNECTIONS = 500
"""From this number of connections on, each new one replaces another."""


def max_connections() -> int:
    """Return MAX_CONNECTIONS, or a quarter of the number of files that this process may open, if that is less.

    The other files are left for saved data and for connections that are being replaced.
    """
    if sys.platform == "win32":
        return MAX_CONNECTIONS
    import resource

    max_files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MAX_CONNECTIONS if max_files == resource.RLIM_INFINITY else min(MAX_CONNECTIONS, max_files // 4)


class LimitedConnection(H11Protocol):
    """A connection that ends when the server has waited ``timeout_keep_alive`` seconds for its client.

    The server waits for the client until it has received a whole request, and while the client does not read an answer.
    Work on an answer has no time limit.

    From ``limit_concurrency`` connections on, a new connection replaces the connection with the longest wait. If the
    server waits for no client, the new connection gets status 503.
    """

    _deadline: asyncio.TimerHandle | None = None
    """Timer of the wait for the client. None while the server works on an answer."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in uvicorn
        """Start the wait for a request. Make room for this connection."""
        super().connection_made(transport)
        limit = self.config.limit_concurrency or 0
        # Uvicorn refuses requests from this number of connections or of requests on, also of connections just ended.
        self.limit_concurrency = 2 * limit or None
        if limit and len(self.connections) >= limit:
            waiting = [each for each in self.connections if isinstance(each, LimitedConnection) and each._deadline]
            if waiting:
                min(waiting, key=LimitedConnection._end_time).abort()
            else:
                self.limit_concurrency = 1
        self._update_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        super().connection_lost(exc)
        self._stop_waiting()

    def data_received(self, data: bytes) -> None:
        """Read a part of a request. Stop waiting at its end."""
        super().data_received(data)
        self._update_deadline()

    def on_response_complete(self) -> None:
        """Start the wait for the client's next request.

        If a request was answered before its end, keep the deadline.
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
        """Stop waiting after the client has read most of an answer."""
        super().resume_writing()
        self._update_deadline()

    def abort(self) -> None:
        """End the connection immediately. Unsent data is lost."""
        self._stop_waiting()
        self.connections.discard(self)
        self.transport.abort()

    def _update_deadline(self) -> None:
        """Start the timer when the server begins to wait for the client. Stop it when the wait ends."""
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

    def _end_time(self) -> float:
        assert self._deadline
        return self._deadline.when()
