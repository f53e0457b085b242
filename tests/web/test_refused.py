"""Requests that are refused in one line: for advice, games, fights, runs, tournaments and routes. Nothing is saved."""

import time

from tests.crafted import save_evolved

from .served import Served

TEN = ["Cellar", "Market", "Merchant", "Militia", "Mine", "Moat", "Remodel", "Smithy", "Village", "Workshop"]
GAME = {"players": [{"person": "You"}, {"who": "big-money"}], "kingdom": "First Game", "seed": 1}

REFUSED = [
    ("/api/ask", {"cards": TEN}, [
        ({"minutes": 1000}, "minutes is 1000. Allowed: 0.05 to 60."),
        ({"minutes": float("nan")}, "NaN is no number of JSON"), ({"minutes": True}, "minutes is True"),
        ({"players": 7}, "players is 7. Allowed: 2 to 6."), ({"generations": 100_000}, "generations is 100000"),
        ({"games": 10**9}, "games is 1000000000"),
        ({"strategies": 10}, "--nstrat is 10. Allowed: 8 to 512, divisible by 4."), ({"seed": -1}, "seed is -1"),
        ({"cards": [*TEN, "Witch"]}, "the kingdom has 11 cards. Allowed: up to 10."),
        ({"cards": ["Moat"] * 13}, "Allowed: a list of at most 12 items."),
        ({"cards": ["Moat", "moat"]}, "Moat is twice"), ({"cards": ["Copper"]}, "Copper is in every Supply"),
        ({"cards": ["../../etc/passwd"]}, "passwd"), ({"cards": ["mine.toml"]}, "mine.toml"),
        ({"cards": "Moat"}, "cards is 'Moat'"), ({"key": "../mine"}, "'key' is unknown"),
    ]),
    ("/api/ask", {}, [({}, "cards is missing")]),
    ("/api/play/games", GAME, [
        ({"kingdom": "Chapel, Nonsense"}, "no card named 'Nonsense'"),
        ({"kingdom": "x" * 500}, "Allowed: a text of at most 400 characters"),
        ({"players": []}, "Allowed: a list of 2 to 6 items"),
        ({"players": [{"who": "big-money"}] * 2}, "At least one of the players must be a person"),
        ({"players": [{"person": "You"}] * 7}, "Allowed: a list of 2 to 6 items"),
        ({"players": [{"person": "Ann"}, {"person": "ann"}]}, "names of persons must differ"),
        ({"players": [{"person": "Ann"}, {"person": " "}]}, "names of persons must differ"),
        ({"players": [{"person": "Ann"}, {"who": "big-money", "person": "x"}]}, "each of 'players'"),
        ({"players": ["You", "big-money"]}, "players[0] is 'You'. Allowed: an object with person, who."),
        ({"players": [{"person": "You"}, {"who": "gardens-rush"}]}, "gardens-rush buys"),
        ({"seed": -1}, "Allowed: 0 to"),
        ({"seed": True}, "Allowed: 0 to"),
        ({"name": "../secret"}, "a name is 1 to 64 letters"),
        ({"name": "x" * 65}, "a name is 1 to 64 letters"),
        ({"name": "Aux"}, "a game's name cannot be 'Aux': Windows reserves it. Try: game-Aux"),
        ({"drawSeats": "yes"}, "Allowed: true or false"),
        ({"surprise": 1}, "'surprise' is unknown"),
    ]),
    ("/api/fights", {}, [
        ({"enemies": "dragon"}, "dragon"), ({"enemies": "fight.toml"}, "fight.toml"),
        ({"enemies": "../../etc/passwd"}, "passwd"), ({"deck": "5 Smash"}, "Smash"),
        ({"deck": '"] \n relics = "x'}, "deck"), ({"relics": "Nothing Such"}, "Nothing Such"),
        ({"hp": 0}, "hp is 0. Allowed: 1 to 999 or null."), ({"hp": 90, "max_hp": 80}, "hp is 90"),
        ({"payoff": "gold"}, "gold"), ({"enemies": "x" * 601}, "Allowed: a text of at most 600 characters."),
    ]),
    ("/api/map", {"seed": "AGCK93XT"}, [
        ({"seed": "../map.json"}, "a seed is a number"), ({"seed": "/etc/passwd"}, "a seed is a number"),
        ({"seed": ""}, "a seed is a number"), ({"act": 5}, "act is 5. Allowed: 1 to 4."),
        ({"value": {"dragon": "1"}}, "Allowed: one of elite, event, monster, rest, shop, treasure."),
        ({"value": {"shop": "many"}}, "a number such as 3, -2.5 or 1/3 is needed"),
        ({"value": {"shop": "1e999"}}, "numbers go up to"), ({"tolerance": "2"}, "'tolerance' is 2. Allowed: 0 to 1."),
        ({"at_least": ["9 shops"]}, "9 shops"), ({"at_least": ["1 shop"] * 9}, "Allowed: a list of at most 8 items."),
        ({"hp": 1}, "HP"),
    ]),
    ("/api/runs", {"key": "new", "kingdom": "First Game"}, [
        ({"key": "demo"}, "exists"), ({"key": "../demo"}, "'../demo'"), ({"key": "new:list"}, "got 'new:list'"),
        ({"kingdom": "Chapell"}, "Chapell"),
    ]),
    ("/api/tournaments", {}, [
        ({"entrants": ["mine.toml", "big-money"]}, "'mine.toml' is a strategy file, which does not play here."),
        ({"entrants": ["./mine.py", "big-money"]}, "'./mine.py' is an agent in Python, which does not play here."),
        ({"entrants": ["os:getcwd", "big-money"]}, "'os:getcwd' is an agent in Python, which does not play here."),
        ({"entrants": ["../demo", "big-money"]}, "'../demo' is a strategy file, which does not play here."),
        ({"entrants": ["big-money"]}, "a tournament needs 2 to 16 different strategies."),
        ({"entrants": ["big-money", "big-money"]}, "a tournament needs 2 to 16 different strategies."),
        ({"entrants": ["big-money"] * 17}, "Allowed: a list of at most 16 items."),
        ({"entrants": ["double-witch", "big-money"]}, "Witch"),
        ({"entrants": ["network:1s", "big-money"]}, "a network with search plays tournaments only on the command line"),
    ]),
]  # fmt: skip
"""For each address and usual fields: other fields, and a part of the error."""


def test_requests_are_refused_in_one_line_and_save_nothing(tmp_path):
    save_evolved(tmp_path)
    with Served(tmp_path) as served:
        while served.get("/api/fights/none").json.get("state") == "compiling":
            time.sleep(0.05)
        before = {*tmp_path.rglob("*.*")}
        for path, usual, rows in REFUSED:
            for fields, said in rows:
                answer = served.post(path, usual | fields)
                assert (answer.status, said in answer.json["error"]) == (400, True), (path, fields, answer.text)
                assert answer.json["error"].isprintable()
        assert {*tmp_path.rglob("*.*")} == before
