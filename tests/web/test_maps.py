"""Maps on the page: the best route is that of `evodom spire route`, drawn by us, and a seed is never a file."""

import json
import re

import pytest

from evodom.presentation.act_map import map_svg, sign_svg
from evodom.spire.map import Room, generate
from tests.cli.program import run_program

USUAL = {
    "value": {"monster": "30", "elite": "50", "event": "20", "shop": "10", "rest": "40", "treasure": "0"},
    "risk": {"monster": "15", "elite": "50", "event": "5"},
}


def find(served, **more):
    return served.post("/api/map", {"seed": "AGCK93XT"} | USUAL | more)


def test_the_route_is_that_of_the_command_line(served):
    found = find(served, tolerance="0.3", at_least=["1 shop before 12"], best=3).json
    words = ("spire", "route", "AGCK93XT", "--tolerance", "0.3", "--at-least", "1 shop before 12", "--best", "3")
    told = json.loads(run_program(*words, "--json").stdout)

    assert [float(one["value"]) for one in found["routes"]] == pytest.approx(
        [one["value"]["value"] for one in told["routes"]]
    )
    path = [[step["column"], step["floor"]] for step in found["routes"][0]["steps"]]
    assert path == [
        [node["x"], node["floor"]] if isinstance(node, dict) else node for node in told["routes"][0]["path"]
    ]


def test_what_rooms_are_worth_by_default_is_what_the_command_takes(served):
    rooms = {room["name"]: room for room in served.get("/api/map").json["rooms"]}
    assert {name: room["value"] for name, room in rooms.items()} == {
        name: float(value) for name, value in USUAL["value"].items()
    }
    assert rooms["elite"]["risk"] == 50


def test_other_weights_lead_another_way(served):
    shops = find(served, value={"shop": "100"}, risk={}).json["routes"][0]
    assert next(one["n"] for one in shops["rooms"] if one["name"] == "shop") >= 2
    assert shops["value"] == str(100 * next(one["n"] for one in shops["rooms"] if one["name"] == "shop"))


def test_the_picture_names_every_room_and_marks_the_route():
    act_map = generate(673465884448, 1, ascension=20)
    path = [act_map.starts[0]]
    while nexts := act_map.successors[path[-1]]:
        path.append(nexts[0])

    drawn = map_svg(act_map, path=path, title="An act")

    assert len(re.findall(r'<g class="room', drawn)) == len(act_map.rooms) + 1  # and the boss
    assert drawn.count('class="way on"') == len(path)  # its steps, and the one to the boss
    assert drawn.count("on the route") == len(path) + 1
    assert "burning elite" in drawn
    assert "style=" not in drawn
    assert sign_svg(Room.SHOP).count("<text") == 1
