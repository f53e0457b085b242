"""Measure how quickly `evodom serve` answers moves while many games are played at once.

    python benchmarks/serve.py [--games 50] [--opponents network,big-money] [--moves 40] [--think 0.0] [--searching]

Starts a server of its own, on a free port and with an empty folder; every game is a scripted client in a thread that
sends one move after the other. Prints the median, the 95th percentile and the slowest of the times from a request to
its whole answer, and how many were refused. With --think clients wait between moves, so many seconds on average;
with --searching a search for advice works meanwhile.
"""

import argparse
import http.client
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Client:
    """One game: it begins it, then sends moves over one connection and notes how long each takes."""

    port: int
    number: int
    opponents: list
    times: list = field(default_factory=list)
    problems: list = field(default_factory=list)

    def play(self, n_moves, think, start):
        """Play some moves, once everybody has begun."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
            self._play(connection, n_moves, think, start)

    def _play(self, connection, n_moves, think, start):
        pauses = random.Random(self.number)
        players = [{"person": "You"}, *({"who": word} for word in self.opponents)]
        body = {"players": players, "kingdom": "random", "seed": self.number, "name": f"client-{self.number}"}
        state = self._send(connection, "/api/play/games", body, timed=False)
        start.wait()
        for move in range(n_moves):
            while state.get("waiting"):
                state = self._send(connection, f"/api/play/games/client-{self.number}", None, timed=False)
            if "question" not in state or state["over"]:
                break
            time.sleep(2 * think * pauses.random())  # people do not click all at once
            body = {"seat": state["seat"], "at": state["at"], "names": choice(state, self.number + move)}
            state = self._send(connection, f"/api/play/games/{state['name']}/choose", body, timed=True)

    def _send(self, connection, path, body, *, timed):
        began = time.perf_counter()
        headers = {"Content-Type": "application/json"} if body else {}
        connection.request("POST" if body else "GET", path, json.dumps(body) if body else None, headers)
        response = connection.getresponse()
        answer = json.loads(response.read())
        if timed:
            self.times.append(time.perf_counter() - began)
        if response.status != 200:
            self.problems.append(f"{response.status} {answer.get('error')}")
        return answer


def choice(state, number):
    """Return an answer to the pending question: the dearest card that can be bought, any other choice in turn."""
    asked = state["question"]
    if asked["most"] > 1:
        there = dict(state["hand"] if asked["zone"] == "hand" else asked["there"])
        cards = [name for name in asked["choices"] for _ in range(there[name])][: asked["least"]]
        return [*cards, "pass"] if asked["optional"] else cards
    wanted = [name for name in ("Province", "Gold", "Silver") if name in asked["choices"]]
    if asked["kind"] == "buy":
        return wanted[:1] or ["pass"]
    return [asked["choices"][number % len(asked["choices"])]]


def measure(port, n_games, opponents, n_moves, think):
    """Play games at once against a server and return the clients."""
    clients = [Client(port, number, opponents) for number in range(n_games)]
    start = threading.Barrier(n_games)
    threads = [threading.Thread(target=client.play, args=(n_moves, think, start)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return clients


def quantile(times, share):
    """Return the time that so large a share of the times does not exceed."""
    return sorted(times)[min(int(share * len(times)), len(times) - 1)]


def main():
    """Start a server, measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--opponents", default="network")
    parser.add_argument("--moves", type=int, default=40)
    parser.add_argument("--think", type=float, default=0.0)
    parser.add_argument("--searching", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "evodom", "serve", "--port", "0", "--data-dir", folder]
        server = subprocess.Popen(
            command, stderr=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"}
        )
        try:
            port = int(re.search(r":(\d+)/", server.stderr.readline())[1])
            wait_until_ready(port)
            if given.searching:
                begin_search(port)
            began, cpu = time.perf_counter(), cpu_seconds(server.pid)
            clients = measure(port, given.games, given.opponents.split(","), given.moves, given.think)
            seconds, cpu = time.perf_counter() - began, cpu_seconds(server.pid) - cpu
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()
    times = [one for client in clients for one in client.times]
    problems = [one for client in clients for one in client.problems]
    told = ", ".join(f"{name} {1000 * quantile(times, share):.0f} ms" for name, share in SHARES.items())
    print(f"{given.games} games at once against {given.opponents}: {len(times):,} moves in {seconds:.1f} s; {told}")
    print(f"the server took {1000 * cpu / len(times):.1f} ms of CPU time a move (0 where that is not known)")
    print(f"{len(problems)} refused", *problems[:3], sep="\n  ")


SHARES = {"median": 0.5, "95 %": 0.95, "slowest": 1.0}


def cpu_seconds(pid):
    """Return the CPU time of a process so far, 0 where the system does not tell (it is Linux that does)."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def begin_search(port):
    """Begin a search for advice, and wait until it learns."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:

        def asked(path, body=None):
            headers = {"Content-Type": "application/json"} if body else {}
            connection.request("POST" if body else "GET", path, body and json.dumps(body), headers)
            return json.loads(connection.getresponse().read())

        name = asked("/api/ask", {"cards": [], "minutes": 30, "seed": 1})["name"]
        while asked(f"/api/tasks/{name}")["progress"].get("stage") != "learning":
            time.sleep(0.5)


def wait_until_ready(port):
    """Wait until the server has compiled everything."""
    while True:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
            connection.request("GET", "/api/site")
            if json.loads(connection.getresponse().read())["ready"]:
                return
        time.sleep(0.2)


if __name__ == "__main__":
    main()
