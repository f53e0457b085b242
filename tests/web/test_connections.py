"""Limits of connections, of time and of headers, and the end of the server with hanging connections, by raw sockets."""

import asyncio
import socket
import sys
import time
from contextlib import ExitStack, contextmanager, suppress

import pytest
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route

from evodom.web import connections, server

from .served import HOST, Served

NOTHING = b""
HALF_A_HEADER = b"GET /api/site HTTP/1.1\r\nHost: 127"
HALF_A_BODY = (
    b"POST /api/ask/draw HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n{"
)


def page_of(path):
    """Return a complete request."""
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


WHOLE = page_of("/api/site")


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


def wait_until(is_true):
    """Wait until a condition holds, for at most 10 seconds."""
    deadline = time.monotonic() + 10
    while not is_true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def hasty(tmp_path, monkeypatch):
    """A server that waits for clients for 0.3 s, with the pages /long, /large and /stream."""

    async def answer_late(request):
        await asyncio.sleep(0.9)
        return PlainTextResponse("late")

    def answer_large(request):
        return PlainTextResponse(b"x" * 30_000_000)

    def stream(request):
        return StreamingResponse(b"x" * 100_000 for _ in range(300))

    pages = [Route("/long", answer_late), Route("/large", answer_large), Route("/stream", stream)]
    monkeypatch.setattr(server, "PARTS", [*server.PARTS, pages])
    monkeypatch.setattr(server, "CLIENT_SECONDS", 0.3)
    with Served(tmp_path) as served:
        yield served


@pytest.mark.parametrize("sent", [WHOLE, WHOLE * 2])
def test_a_connection_without_a_further_request_is_closed(hasty, sent):
    with raw(hasty, sent) as made:
        answer = received(made)
    assert answer.count("HTTP/1.1 200 OK") == answer.count("HTTP/1.1 ") == len(sent) // len(WHOLE)


@pytest.mark.parametrize(
    ("sent", "trickle"),
    [
        (NOTHING, b""),
        (HALF_A_HEADER, b""),
        (HALF_A_HEADER, b"1"),
        (HALF_A_BODY, b""),
        (HALF_A_BODY, b" "),
        (HALF_A_BODY.replace(b"json", b"text"), b" "),  # refused before its end
        (WHOLE + HALF_A_BODY, b" "),
        (page_of("/large"), b""),
        (page_of("/large").replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"), b""),
        (page_of("/stream"), b""),
        (page_of("/large") * 3, HALF_A_HEADER),
    ],
)
def test_a_client_that_the_server_waits_for_is_cut_off(hasty, sent, trickle):
    with raw(hasty, sent) as made:
        wait_until(lambda: hasty.server.server_state.total_requests or hasty.server.server_state.connections)
        deadline = time.monotonic() + 10
        while hasty.server.server_state.connections:
            assert time.monotonic() < deadline
            with suppress(OSError):
                made.send(trickle)
            time.sleep(0.02)


def test_work_on_an_answer_and_a_client_that_reads_are_not_cut_off(hasty):
    assert hasty.get("/long").text == "late"
    assert len(hasty.get("/large").text) == len(hasty.get("/stream").text) == 30_000_000


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of files")
def test_600_half_open_connections_do_not_keep_the_page_from_others(hasty):
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < 1024:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 1024), hard))
    with ExitStack() as opened:
        for _ in range(600):
            opened.enter_context(raw(hasty, b"GET / HT"))
        assert hasty.get("/").status == 200
        assert len(hasty.server.server_state.connections) < connections.MAX_CONNECTIONS
        wait_until(lambda: not hasty.server.server_state.connections)
        assert hasty.get("/").status == 200


def test_a_new_connection_replaces_the_longest_wait_unless_all_work(hasty):
    hasty.server.config.limit_concurrency = 4
    state, long = hasty.server.server_state, page_of("/long")
    with raw(hasty) as oldest, raw(hasty, long) as first, raw(hasty, long) as second:
        wait_until(lambda: (len(state.connections), len(state.tasks)) == (3, 2))
        with raw(hasty, long) as third:
            assert received(oldest) == ""
            wait_until(lambda: len(state.tasks) == 3)
            with raw(hasty, WHOLE) as fourth:
                assert received(fourth).startswith("HTTP/1.1 503 ")
            assert all("200 OK" in received(made) for made in (first, second, third))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of files")
@pytest.mark.parametrize(("most_files", "most"), [(64, 16), (256, 64), (2000, 500), (10**6, 500), (-1, 500)])
def test_connections_leave_files_for_other_uses(monkeypatch, most_files, most):
    monkeypatch.setattr("resource.getrlimit", lambda which: (most_files, -1))
    assert connections.max_connections() == most


def test_long_headers_are_refused_without_a_line_in_the_terminal(capfd, hasty):
    with raw(hasty, b"GET / HTTP/1.1\r\nX: " + b"x" * (server.LARGEST_HEADER + 1)) as made:
        assert received(made).startswith("HTTP/1.1 400 ")
    assert capfd.readouterr() == ("", "")


def test_connections_that_hang_do_not_keep_the_server_from_ending(tmp_path):
    with ExitStack() as opened:
        with Served(tmp_path) as served:
            for sent in (NOTHING, HALF_A_HEADER, HALF_A_BODY, WHOLE) * 3:
                opened.enter_context(raw(served, sent))
            wait_until(lambda: len(served.server.server_state.connections) == 12)
            began = time.monotonic()
        assert time.monotonic() - began < 3 * server.SHUTDOWN_SECONDS
