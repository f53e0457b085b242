"""Limits of connections and of headers, and the end of the server with hanging connections, by raw sockets."""

import socket
import time
from contextlib import ExitStack, contextmanager

import pytest

from evodom.web import server

from .served import HOST, Served

NOTHING = b""
HALF_A_HEADER = b"GET /api/site HTTP/1.1\r\nHost: 127"
HALF_A_BODY = (
    b"POST /api/ask/draw HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{"
)
WHOLE = b"GET /api/site HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@contextmanager
def raw(served, text=b""):
    """Yield a socket that has sent a text."""
    with socket.create_connection((HOST, served.port), timeout=20) as made:
        made.sendall(text)
        yield made


def received(made):
    """Return what the server sends until it ends the connection."""
    found = b""
    try:
        while part := made.recv(65536):
            found += part
    except ConnectionResetError:
        pass
    return found.decode()


@pytest.mark.parametrize("sent", [WHOLE, WHOLE * 2])
def test_a_connection_without_a_further_request_is_closed(tmp_path, monkeypatch, sent):
    monkeypatch.setattr(server, "IDLE_SECONDS", 0.3)
    with Served(tmp_path) as served, raw(served, sent) as made:
        answer = received(made)
    assert answer.count("HTTP/1.1 200 OK") == answer.count("HTTP/1.1 ") == len(sent) // len(WHOLE)


def test_connections_beyond_the_limit_and_long_headers_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 5)
    with Served(tmp_path) as served:
        with raw(served, b"GET / HTTP/1.1\r\nX: " + b"x" * (server.LARGEST_HEADER + 1)) as made:
            assert received(made).startswith("HTTP/1.1 400 ")
        with ExitStack() as opened:
            for _ in range(5):
                opened.enter_context(raw(served))
            assert served.get("/").status == 503
        deadline = time.monotonic() + 20
        while (status := served.get("/").status) == 503 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert status == 200


def test_connections_that_hang_do_not_keep_the_server_from_ending(tmp_path):
    with ExitStack() as opened:
        with Served(tmp_path) as served:
            for sent in (NOTHING, HALF_A_HEADER, HALF_A_BODY, WHOLE) * 3:
                opened.enter_context(raw(served, sent))
            while len(served.server.server_state.connections) < 12:
                time.sleep(0.01)
            began = time.monotonic()
        assert time.monotonic() - began < 3 * server.SHUTDOWN_SECONDS
