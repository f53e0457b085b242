"""Connections that hang: time limits, the limit for an address, and the end of the server, by raw sockets."""

import json
import socket
import time
from contextlib import ExitStack, contextmanager

import pytest

from evodom.web import guard

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


def error_in(text):
    return json.loads(text.partition("\r\n\r\n")[2])["error"]


@pytest.fixture
def brief(tmp_path, monkeypatch):
    """A server with short time limits."""
    monkeypatch.setattr(guard, "HEADER_SECONDS", 0.3)
    monkeypatch.setattr(guard, "BODY_SECONDS", 0.3)
    with Served(tmp_path) as served:
        yield served


@pytest.mark.parametrize("sent", [HALF_A_HEADER, HALF_A_BODY])
def test_a_request_that_does_not_arrive_in_time_is_refused(brief, sent):
    with raw(brief, sent) as made:
        answer = received(made)
    assert answer.startswith("HTTP/1.1 408 Request Timeout\r\n")
    names = [line.partition(":")[0].lower() for line in answer.partition("\r\n\r\n")[0].splitlines()[1:]]
    assert "content-security-policy" in names
    assert len(names) == len(set(names))
    assert "cache-control: no-store" in answer.lower()
    assert error_in(answer) == "the request did not arrive within 0.3 s."


def test_a_header_that_arrives_byte_by_byte_has_the_same_limit(brief):
    with raw(brief) as made:
        made.settimeout(0.05)
        for _ in range(500):
            try:
                made.sendall(b"G")
                answer = made.recv(65536)
                break
            except TimeoutError:
                pass
    assert answer.startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize("sent", [NOTHING, WHOLE])
def test_a_connection_without_a_request_ends_without_a_word(brief, sent):
    with raw(brief, sent) as made:
        answer = received(made)
    assert answer.count("HTTP/1.1 ") == (sent == WHOLE)


def test_a_second_request_of_a_connection_has_a_limit_of_its_own(brief):
    with raw(brief, WHOLE) as made:
        time.sleep(0.1)
        made.sendall(WHOLE + HALF_A_HEADER)
        answer = received(made)
    assert answer.count("HTTP/1.1 200 OK") == 2
    assert answer.count("HTTP/1.1 408 Request Timeout") == 1


def test_an_address_has_only_so_many_connections_and_hanging_ones_make_room(tmp_path, monkeypatch):
    monkeypatch.setattr(guard, "MOST_FROM_ADDRESS", 5)
    monkeypatch.setattr(guard, "HEADER_SECONDS", 3.0)
    with Served(tmp_path) as served, ExitStack() as opened:
        for _ in range(5):
            opened.enter_context(raw(served))
        answer = served.get("/")
        assert answer.status == 429
        assert answer.json["error"] == (
            "too many connections from 127.0.0.1. Allowed: 5 at a time. Close some and try again."
        )
        deadline = time.monotonic() + 20
        while (status := served.get("/").status) == 429 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert status == 200


def test_a_client_that_does_not_receive_its_response_is_let_go(tmp_path, monkeypatch):
    monkeypatch.setattr(guard, "STALL_SECONDS", 0.3)
    with Served(tmp_path) as served, socket.socket() as made:
        served.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)  # a few responses fill it, not hundreds
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        made.connect((HOST, served.port))
        made.sendall(b"GET /static/board.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 40)
        connections, deadline = served.server.server_state.connections, time.monotonic() + 60
        while not connections and time.monotonic() < deadline:
            time.sleep(0.01)
        assert connections
        while connections and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not connections


def test_connections_that_hang_do_not_keep_the_server_from_ending(tmp_path):
    with ExitStack() as opened:
        with Served(tmp_path) as served:
            for sent in (NOTHING, HALF_A_HEADER, HALF_A_BODY, WHOLE) * 3:
                opened.enter_context(raw(served, sent))
            while len(served.server.server_state.connections) < 12:
                time.sleep(0.01)
            began = time.monotonic()
        assert time.monotonic() - began < 3 * guard.SHUTDOWN_SECONDS
