"""Fights on the page: the table of `evodom spire play`, with limits, and never a file."""

import asyncio
import json
from contextlib import contextmanager
from threading import Thread

import numpy as np
import pytest

from evodom.reading import convert
from evodom.sessions.content import FightForm
from evodom.spire.engine.layout import FIGHT, STATUS_INDEX
from evodom.spire.engine.moves import END
from evodom.web.fight_view import FightPool, position

from .test_sessions import FIGHTS, Page


@pytest.fixture
def fights(served):
    return lambda **form: FightPage(served, FIGHTS, **form)


class FightPage(Page):
    """A page of one fight without a browser."""

    def do(self, what, **body):
        answer = self.send(what, **body)
        assert answer.status == 200, answer.text
        self.told = answer.json
        return self.told

    def refused(self, what, **body):
        answer = self.send(what, **body)
        return answer.status, answer.json["error"]

    def any_move(self, rng):
        return int(rng.choice([*([END] if self.told["can_end"] else []), *[one["move"] for one in self.told["moves"]]]))

    def move(self, text):
        return next(one["move"] for one in self.told["moves"] if one["text"].startswith(text))


def test_a_fight_is_played_taken_back_and_played_again(fights):
    page = fights()
    start = page.told
    assert start["enemies"][0]["name"] == "Cultist"
    assert start["enemies"][0]["intent"] == "Incantation"
    assert sum(card["n"] for card in start["hand"]) == 5

    page.do("play", move=page.move("Strike"))
    assert page.told["you"]["energy"] == 2
    assert page.told["enemies"][0]["hp"] == start["enemies"][0]["hp"] - 6
    assert page.told["log"] == ["Strike at Cultist"]
    page.do("play", move=END)
    assert page.told["turn"] == 2
    page.do("undo", n=0)

    same = ("you", "enemies", "hand", "piles", "moves", "turn", "log", "played")
    assert {key: page.told[key] for key in same} == {key: start[key] for key in same}


def test_every_move_is_weighed_proven_and_part_of_a_line(fights):
    page = fights(deck="4 Strike, 2 Defend")

    page.do("weigh", simulations=500)
    legal = {one["move"] for one in page.told["moves"]} | {END}
    assert {one["move"] for one in page.told["figures"]} == legal
    assert sum(one["visits"] for one in page.told["figures"]) >= 400
    numbers = [one["death"] for one in page.told["figures"] if one["visits"] >= 10]
    assert numbers
    assert all(0 <= death <= 1 for death in numbers)

    page.do("prove")
    assert {one["move"] for one in page.told["proven"]} == legal
    worths = [one["worth"] for one in page.told["proven"]]
    assert worths == sorted(worths, reverse=True)

    page.do("line", simulations=300)
    line = [one["text"] for one in page.told["line"]]
    page.do("play-line")
    assert page.told["log"] == line
    assert "figures" not in page.told


def test_what_cannot_be_played_or_was_meant_for_an_earlier_position_is_refused(fights):
    page = fights()
    assert page.refused("play", move=999) == (400, "that cannot be played now.")
    assert page.refused("undo") == (400, "there is no move to undo.")
    assert page.refused("play-line") == (400, "there is no line to play: find the best line first.")
    assert page.refused("weigh", simulations=10**7)[0] == 400


def test_a_fight_that_is_searched_is_shown_as_it_was_and_keeps_nobody_waiting(fights):
    page = fights()
    seat = page.served.site.part(FightPool).seat(page.told["name"])
    with locked(seat):
        assert page.served.get(page.home).json == page.told
        assert page.refused("play", move=END) == (503, "this fight is being searched ...")


@contextmanager
def locked(seat):
    """Hold the lock of a seat, as a search does."""
    lock, seat.lock = seat.lock, asyncio.Lock()
    acquiring = Thread(target=lambda: asyncio.run(seat.lock.acquire()))  # the browser's tests leave a loop in this one
    acquiring.start()
    acquiring.join()
    yield
    seat.lock = lock


def test_names_are_as_people_type_them():
    fight = convert(
        {"enemies": "nob", "deck": "bash+, 5 strike, defends", "relics": "vajra", "potions": "fire"}, FightForm
    ).fight()
    assert [name for name, _ in fight.encounter_names()] == ["Gremlin Nob"]
    assert dict(fight.setup.deck) == {"Bash+": 1, "Strike": 5, "Defend": 1}
    assert (fight.setup.relics, fight.setup.potions) == (("Vajra",), ("Fire Potion",))


def test_no_answer_tells_the_seed_or_what_is_not_shown_before_the_end(fights):
    rng, seats = np.random.default_rng(4), fights().served.site.part(FightPool)
    n_hidden = 0
    for enemies in ("2 louses", "blue slaver", "gremlin nob"):
        page = fights(enemies=enemies, seed=None, hp=20, ascension=20)
        seat = seats.seat(page.told["name"])
        while not page.told["over"]:
            assert page.told["seed"] is None
            assert str(seat.session.seed) not in json.dumps(page.told)
            n_hidden += hides(seat.session, rng)
            page.do("play", move=page.any_move(rng))
        assert page.told["seed"] == seat.session.seed
    assert n_hidden > 0


def hides(session, rng):
    """Return whether a louse's bite is not shown now. Check that a page shows the same, whatever it is."""
    record = np.frombuffer(bytearray(session.state), FIGHT)[0]
    intents = {one["place"]: one["intent"] for one in position(session)["enemies"]}
    bites = [place for place in range(1, 6) if record.status[place, STATUS_INDEX["Bite"]]]
    silent = [place for place in bites if "Bite" not in intents.get(place, "")]
    for place in silent:
        record.status[place, STATUS_INDEX["Bite"]] = rng.integers(20, 60)
    shown, played, start = position(session), session.history, session._start
    session.history, session._start = [], record.tobytes()
    other = position(session) | {"played": len(played)}
    session.history, session._start = played, start
    assert other == shown
    return bool(silent)
