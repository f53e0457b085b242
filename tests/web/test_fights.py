"""Fights on the page: the table of `evodom spire play`, with limits, and never a file."""

import time
from threading import Thread

import pytest

from evodom.errors import UsageError
from evodom.spire.engine.moves import END
from evodom.web.fights.sitting import MOST_FIGHTS, Fights, fight_of_form


@pytest.fixture(scope="module")
def fights(served):
    """Return what begins a fight, once what fights need is compiled."""

    def begin(**form):
        end = time.monotonic() + 300
        while (answer := served.post("/api/fights", {"enemies": "cultist", "seed": 3} | form)).status == 503:
            assert time.monotonic() < end, answer.text
            time.sleep(0.2)
        assert answer.status == 200, answer.text
        return Page(served, answer.json["name"])

    return begin


class Page:
    """A page of one fight without a browser."""

    def __init__(self, served, name):
        self.served, self.home = served, f"/api/fights/{name}"
        self.told = served.get(self.home).json

    def do(self, what, **body):
        answer = self.served.post(f"{self.home}/{what}", {"at": self.told["at"]} | body)
        assert answer.status == 200, answer.text
        self.told = answer.json
        return self.told

    def refused(self, what, **body):
        answer = self.served.post(f"{self.home}/{what}", {"at": self.told["at"]} | body)
        return answer.status, answer.json["error"]

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
    assert all(0 <= one["death"] <= 1 for one in page.told["figures"])

    page.do("prove")
    assert {one["move"] for one in page.told["proven"]} == legal
    worths = [one["worth"] for one in page.told["proven"]]
    assert worths == sorted(worths, reverse=True)

    page.do("line", simulations=300)
    line = [one["text"] for one in page.told["line"]]
    page.do("play-line")
    assert page.told["log"] == line[-8:]
    assert "figures" not in page.told


def test_what_cannot_be_played_or_was_meant_for_an_earlier_position_is_refused(fights):
    page = fights()
    assert page.refused("play", move=999) == (400, "that cannot be played now.")
    assert page.refused("undo") == (400, "there is no move to take back.")
    assert page.refused("play-line") == (400, "there is no line to play: find one first.")
    assert page.refused("weigh", simulations=10**7)[0] == 400
    assert page.refused("play", at=5, move=END) == (409, "this fight has gone on in another window.")
    assert page.served.get("/api/fights/0000000000000000").status == 404


def test_a_fight_that_is_searched_is_shown_as_it_was_and_keeps_nobody_waiting(fights):
    page = fights()
    seat = page.served.site.part(Fights).seat(page.home.rpartition("/")[2])
    with seat.lock:
        assert page.served.get(page.home).json == page.told
        assert page.refused("play", move=END) == (503, "this fight is being searched ...")


def test_the_same_seed_is_the_same_fight(fights):
    shown = [fights(enemies="exordium wildlife", seed=8).told for _ in range(2)]
    for told in shown:
        del told["name"]
    assert shown[0] == shown[1]


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"enemies": "dragon"}, "dragon"),
        ({"enemies": "fight.toml"}, "fight.toml"),
        ({"enemies": "../../etc/passwd"}, "passwd"),
        ({"deck": "5 Smash"}, "Smash"),
        ({"deck": '"] \n relics = "x'}, "deck"),
        ({"relics": "Nothing Such"}, "Nothing Such"),
        ({"hp": 0}, "'hp' is 0. Allowed: 1 to 999."),
        ({"hp": 90, "max_hp": 80}, "hp is 90"),
        ({"payoff": "gold"}, "gold"),
        ({"enemies": "x" * 601}, "Allowed: a text of up to 600 characters."),
    ],
)
def test_a_form_that_makes_no_fight_is_refused_in_one_line(form, said):
    with pytest.raises(UsageError) as refused:
        fight_of_form(form)
    assert said in str(refused.value)
    assert str(refused.value).isprintable()


def test_names_are_as_people_type_them():
    fight = fight_of_form({"enemies": "nob", "deck": "bash+, 5 strike, defends", "relics": "vajra", "potions": "fire"})
    assert [name for name, _ in fight.named()] == ["Gremlin Nob"]
    assert dict(fight.setup.deck) == {"Bash+": 1, "Strike": 5, "Defend": 1}
    assert (fight.setup.relics, fight.setup.potions) == (("Vajra",), ("Fire Potion",))


def test_only_so_many_fights_are_kept(fights):
    first = fights()
    for _ in range(MOST_FIGHTS):
        fights()
    assert first.served.get(first.home).json == {"error": "this fight is no longer kept: begin it again."}


def test_many_pages_at_once_are_answered(fights):
    page = fights()
    told = []
    threads = [Thread(target=lambda: told.append(page.served.get(page.home).status)) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told == [200] * 20
