"""`evodom serve`: how it starts, what it refuses, and how it ends."""

import contextlib
import json
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from importlib.util import find_spec

import pytest

from evodom.cli import serve
from evodom.sessions.files import games
from tests.networks import spoil_shipped_network
from tests.poisoned import executed, poison

from .program import run_program

HALF_A_BODY = (
    b"POST /api/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
)


@pytest.fixture
def program(tmp_path):
    """Start the program on a free port; return the process and its address."""
    started = []

    def start(*arguments, **options):
        served = ["serve", "--port", "0", "--data-dir", str(tmp_path), *arguments]
        command = [sys.executable, "-P", "-m", "evodom", *served]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
        started.append(process)
        return process, re.search(r"http://\S+/", process.stderr.readline())[0]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def ask(address, path, body=None):
    request = urllib.request.Request(address + path, body and json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def wait_until_ready(address):
    while not ask(address, "api/site")["ready"]:
        time.sleep(0.05)


def last_lines(process):
    """Return the lines that the program wrote in the end, without those of a first start."""
    lines = process.stderr.read().splitlines()
    return [line for line in lines if not line.startswith("Compiling ") and line != "Ready."]


def test_sigterm_ends_it_in_order_with_every_game_saved_although_connections_hang(program, tmp_path):
    poison(tmp_path)
    process, address = program(cwd=tmp_path)
    assert address.startswith("http://127.0.0.1:")
    wait_until_ready(address)
    body = {"players": [{"person": "You"}, {"who": "network:2s"}], "drawSeats": False, "name": "mine", "seed": 1}
    ask(address, "api/play/games", body)
    with contextlib.ExitStack() as opened:
        for text in (b"", b"GET / HTT", HALF_A_BODY) * 10:
            port = int(address.rstrip("/").rpartition(":")[2])
            opened.enter_context(socket.create_connection(("127.0.0.1", port))).sendall(text)
        waiting = ask(address, "api/play/games/mine/choose", {"seat": 0, "at": 0, "names": ["pass"]})
        assert waiting["waiting"]  # the opponent is thinking
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    assert last_lines(process) == []
    assert executed(tmp_path) is None
    assert json.loads((tmp_path / "games" / "mine.json").read_text())["choices"] == ["pass"]
    assert [game.name for game in games(tmp_path).saved()] == ["mine"]


def test_ctrl_c_is_told(program):
    process, address = program()
    ask(address, "api/site")
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 130
    assert last_lines(process) == ["Stopped. Games are saved."]


def test_a_port_that_is_taken_is_told_in_one_line(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = run_program("serve", "--port", str(port), "--data-dir", str(tmp_path))
    assert result.exit_code == 1
    assert result.stderr == (
        f"Error: port {port} is taken, perhaps by another evodom serve: open http://127.0.0.1:{port}/, or choose "
        f"another: evodom serve --port {port + 1}\n"
    )


def test_without_the_extra_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(serve, "find_spec", lambda name: None if name == "uvicorn" else find_spec(name))
    result = run_program("serve")
    assert result.exit_code == 1
    commands = 'pip install "evodom[web]", or in a clone: pip install -e ".[web]"'
    assert result.stderr == f"Error: the page needs uvicorn, not installed: {commands}\n"


def test_a_network_that_cannot_be_used_is_noted_before_anybody_plays(monkeypatch, capsys):
    spoil_shipped_network(monkeypatch)
    monkeypatch.setattr(serve, "ensure_compiled", lambda *names, quiet: None)

    serve._prepare(print, quiet=False)

    assert (
        "Note: the network of all kingdoms cannot be used: general.npz is a network of rules" in capsys.readouterr().err
    )


def test_the_end_of_the_compilation_is_printed(monkeypatch, capsys):
    monkeypatch.setattr(serve, "ensure_compiled", lambda name, quiet: None)
    monkeypatch.setattr(serve, "note_unusable_network", lambda quiet: None)
    for missing, said in (["a kernel"], "Ready.\n"), ([], ""):
        monkeypatch.setattr("evodom.kernel_groups.groups_to_compile", lambda name, missing=missing: missing)
        serve._prepare([].append, quiet=False)
        assert capsys.readouterr().err == said
