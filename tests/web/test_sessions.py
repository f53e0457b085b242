"""Games and fights over HTTP. tests/sessions/test_contract.py has the same for objects and files."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from types import SimpleNamespace

import pytest

from evodom.errors import RunError
from evodom.sessions.files import checksum, write_session
from evodom.spire.engine.moves import END
from evodom.web import pool
from evodom.web.dominion_view import GamePool
from evodom.web.fight_view import FightPool

from .served import Served, once_ready

GAMES = SimpleNamespace(  # against Big Money; an action passes
    noun="game",
    folder="games",
    pool=GamePool,
    home="/api/play/games",
    act="choose",
    field={"seat": 0, "names": ["pass"]},
    form={"players": [{"person": "You"}, {"who": "big-money"}], "kingdom": "First Game", "seed": 1, "drawSeats": False},
)
FIGHTS = SimpleNamespace(  # against a Cultist; an action ends the turn
    noun="fight",
    folder="fights",
    pool=FightPool,
    home="/api/fights",
    act="play",
    field={"move": END},
    form={"enemies": "cultist", "seed": 3},
)


@pytest.fixture(params=[GAMES, FIGHTS], ids=lambda kind: kind.noun)
def kind(request):
    return request.param


class Page:
    """A page of one session without a browser. It sends what it was sent last as the state that it has seen."""

    def __init__(self, served, kind, name=None, **form):
        self.served, self.kind = served, kind
        name = name or once_ready(lambda: served.post(kind.home, kind.form | form))["name"]
        self.home = f"{kind.home}/{name}"
        self.name = name
        self.told = self.look()

    @property
    def path(self):
        return self.served.site.store.root / self.kind.folder / f"{self.name}.json"

    def send(self, what, **body):
        return self.served.post(f"{self.home}/{what}", {"at": self.told["at"]} | body)

    def act(self):
        answer = self.send(self.kind.act, **self.kind.field)
        assert answer.status == 200, answer.text
        self.told = self.look() if answer.json.get("waiting") else answer.json
        return self.told

    def look(self):
        while (told := once_ready(lambda: self.served.get(f"{self.home}?seat=0"))).get("waiting"):
            time.sleep(0.01)
        return told


def test_a_session_outlives_the_server(kind, tmp_path):
    with Served(tmp_path) as first:
        page = Page(first, kind)
        page.act()
        left = page.look()
    with Served(tmp_path) as second:
        again = Page(second, kind, page.name)
        assert again.told == left
        listed = once_ready(lambda: second.get(kind.home))[kind.folder]
        assert [one["name"] for one in listed] == [page.name]
        assert listed[0]["problem"] == ""
        again.act()


def at_once(n, send):
    """Return the answers to requests that are sent at once."""
    with ThreadPoolExecutor(n) as threads:
        return [one.result() for one in [threads.submit(send) for _ in range(n)]]


def test_what_was_meant_for_another_state_is_refused(served, kind):
    page = Page(served, kind)
    gone_on = (409, {"error": f"this {kind.noun} has gone on in another window."})
    found = [answer.status for answer in at_once(8, lambda: page.send(kind.act, **kind.field))]
    assert found.count(200) == 1
    assert {*found} <= {200, 409, 503}
    again = page.send(kind.act, **kind.field)
    assert (again.status, again.json) == gone_on


def test_a_session_that_another_program_has_written_is_read_again(served, kind):
    page = Page(served, kind)
    before = page.path.read_text()
    page.act()
    page.path.write_text(before + "\n")
    assert page.send(kind.act, **kind.field).status == 409
    page.told = page.look()
    page.act()


def test_of_two_servers_on_a_folder_one_takes_a_move_and_the_other_follows(served, kind):
    with Served(served.site.store.root) as other:
        page = Page(served, kind)
        pages = [page, Page(other, kind, page.name)]
        for _ in range(6):
            gate = Barrier(2)

            def send(page, gate=gate):
                gate.wait()
                return page.send(kind.act, **kind.field).status

            with ThreadPoolExecutor(2) as threads:
                assert sorted(threads.map(send, pages)) == [200, 409]
            before = page.told
            for page in pages:
                page.told = page.look()
            assert pages[0].told == pages[1].told != before


def test_what_cannot_be_saved_did_not_happen(served, kind, monkeypatch):
    page = Page(served, kind)

    def refuse(path, session, **options):
        raise RunError(f"the {kind.noun} cannot be saved in {path}: No space left on device.")

    monkeypatch.setattr(pool, "write_session", refuse)
    assert page.send(kind.act, **kind.field).status == 400
    monkeypatch.setattr(pool, "write_session", write_session)
    assert page.look() == page.told


def test_a_damaged_file_is_told_and_listed_as_such(served, kind):
    page = Page(served, kind)
    content = json.loads(page.path.read_text()) | {"seed": -1}
    page.path.write_text(json.dumps(content | {"checksum": checksum(content)}))
    answer = served.get(page.home)
    assert answer.status == 400
    assert "seed is -1" in answer.json["error"]
    page.path.write_text("{")
    assert f"Delete it, or begin another {kind.noun}." in served.get(page.home).json["error"]
    listed = next(one for one in served.get(kind.home).json[kind.folder] if one["name"] == page.name)
    assert listed["problem"].startswith("It cannot be read: ")


def test_a_session_that_is_not_there_is_told(served, kind):
    page = Page(served, kind)
    page.path.unlink()
    assert served.get(page.home).status == 404
    assert served.get(f"{kind.home}/never").json == {"error": f"no {kind.noun} named 'never' is saved."}


def test_a_name_that_no_session_can_have_is_refused(served, kind):
    Page(served, kind)
    for name in ("..", "%2e%2e", "a%2fb", "a%5cb", "x%00", "-", "a--b", ".hidden", "a.b", "x" * 300):
        for answer in (
            served.get(f"{kind.home}/{name}"),
            served.post(f"{kind.home}/{name}/{kind.act}", {"at": 0} | kind.field),
        ):
            assert answer.status in (400, 404, 405), name
            assert "error" in answer.json


def test_a_request_of_wrong_content_is_refused(served, kind):
    page = Page(served, kind)
    for body in ({"at": -1}, {"at": 1.5}, {"at": True}, {"at": None}, {"more": 1}):
        answer = served.post(f"{page.home}/{kind.act}", {"at": page.told["at"]} | kind.field | body)
        assert answer.status == 400, body
        assert "Allowed: " in answer.json["error"]
    assert page.look() == page.told


def test_sessions_leave_the_memory_but_not_the_disk(served, kind, monkeypatch):
    monkeypatch.setattr(kind.pool, "most_in_memory", 3)
    pages = [Page(served, kind) for _ in range(6)]
    assert len(served.site.part(kind.pool)._seats) <= 3
    for page in pages:
        assert page.look() == page.told


def test_no_more_sessions_are_begun_than_the_folder_may_hold(served, kind, monkeypatch):
    Page(served, kind)
    monkeypatch.setattr(kind.pool, "most_saved", 1)
    answer = served.post(kind.home, kind.form)
    assert answer.status == 429
    assert f"{kind.noun}s are saved, and no more are begun. Delete some in " in answer.json["error"]
