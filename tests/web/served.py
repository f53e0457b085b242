"""A server for tests, in a thread of its own, and a client that sends what it is told to, also what no browser does."""

import http.client
import json
import threading
import time
from dataclasses import dataclass, field

from evodom.runs import RunStore
from evodom.web.server import listening, server_for
from evodom.web.site import Site

HOST = "127.0.0.1"


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: dict
    text: str

    @property
    def json(self):
        return json.loads(self.text)


class Served:
    """A site that is served until the block ends."""

    def __init__(self, root, prepare=None):
        self.site = Site(RunStore(root), prepare)
        self.socket = listening(HOST, 0)
        self.port = self.socket.getsockname()[1]
        self.server = server_for(self.site, HOST)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.socket]}, daemon=True)

    def __enter__(self):
        self.thread.start()
        while not (self.server.started and (self.site.is_ready or self.site._prepare)):
            time.sleep(0.005)
        return self

    def __exit__(self, *_):
        self.server.should_exit = True
        self.thread.join(20)
        self.socket.close()
        assert not self.thread.is_alive()

    @property
    def address(self):
        return f"http://{HOST}:{self.port}"

    def send(self, method, path, body=None, headers=None):
        """Send a request just as it is given."""
        connection = http.client.HTTPConnection(HOST, self.port, timeout=120)
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read().decode())
        finally:
            connection.close()

    def get(self, path):
        return self.send("GET", path)

    def post(self, path, body):
        return self.send("POST", path, json.dumps(body), {"Content-Type": "application/json"})


def once_ready(send):
    """Send a request until what fights need is compiled or loaded."""
    end = time.monotonic() + 300
    while (answer := send()).json.get("state") == "compiling":
        assert time.monotonic() < end, answer.text
        time.sleep(0.05)
    assert answer.status == 200, answer.text
    return answer.json


@dataclass
class Player:
    """A page of one game without a browser: it keeps what it was told last, and every answer in ``heard``."""

    served: Served
    state: dict = field(default_factory=dict)
    heard: list = field(default_factory=list)

    @property
    def home(self):
        return f"/api/play/games/{self.state['name']}"

    def begin(self, *players, kingdom="First Game", seed=1, **more):
        """Begin a game: a word that starts with @ is a person."""
        seats = [{"person": word[1:]} if word[0] == "@" else {"who": word} for word in players]
        return self._take(
            self.served.post(
                "/api/play/games", {"players": seats, "kingdom": kingdom, "seed": seed, "drawSeats": False} | more
            )
        )

    def look(self, seat=None, log=None):
        asked = "&".join(f"{key}={value}" for key, value in (("seat", seat), ("log", log)) if value is not None)
        return self._take(self.served.get(f"{self.home}?{asked}"), seat)

    def choose(self, *names):
        return self._do("choose", {"names": list(names)})

    def undo(self):
        return self._do("undo", {}, self.state["people"][0] if self.state["seat"] is None else self.state["seat"])

    def treasures(self, ask):
        return self._do("treasures", {"ask": ask})

    def _do(self, what, body, seat=None):
        seat = self.state["seat"] if seat is None else seat
        return self._take(self.served.post(f"{self.home}/{what}", {"seat": seat, "at": self.state["at"]} | body), seat)

    def _take(self, answer, seat=None):
        """Note what was answered to somebody, who asks again while the others are still playing."""
        assert answer.status == 200, answer.text
        self.state = answer.json if "at" in answer.json else self.state | answer.json
        self.heard.append(self.state)
        while self.state.get("waiting"):
            self.look(self.state.get("seat") if seat is None else seat)
        return self.state

    def answers(self, rng):
        """Return an answer to the pending question, any of them: as many cards as are allowed, or none."""
        asked = self.state["question"]
        if asked["most"] > 1:
            there = dict(self.state["hand"] if asked["zone"] == "hand" else asked["there"])
            cards = [name for name in asked["choices"] for _ in range(there[name])]
            n = int(rng.integers(asked["least"], asked["most"] + 1))
            picked = [cards[index] for index in rng.permutation(len(cards))[:n]]
            return [*picked, "pass"] if asked["optional"] and n < asked["most"] else picked
        names = [*asked["choices"], *(["pass"] if asked["optional"] else [])]
        return [names[int(rng.integers(len(names)))]]
