"""Maps in files: written as they have to be, read with what people change in them."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evodom.errors import UsageError
from evodom.spire.map import ActMap, Edge, Node, Room, generate, map_from_json, map_to_json, read_map, unused_nodes
from tests.effort import effort

MAPS = Path(__file__).parent.parent.parent / "data" / "maps"


def node(x, y, room="MonsterRoom"):
    return {"x": x, "y": y, "class": room}


def edge(x, y, to_x, to_y):
    return {"src_x": x, "src_y": y, "dst_x": to_x, "dst_y": to_y}


def page(nodes, edges=()):
    return json.dumps({"nodes": nodes, "edges": list(edges)})


@pytest.mark.parametrize("file", sorted(MAPS.glob("*.json")), ids=lambda file: file.stem)
def test_read_maps_are_written_byte_for_byte(file):
    assert map_to_json(read_map(file)).encode() == file.read_bytes()


@settings(max_examples=effort(30, 3, 3), deadline=None)
@given(st.integers(-(2**63), 2**63 - 1), st.integers(1, 4), st.sampled_from([0, 20]))
def test_json_round_trip_loses_only_the_burning_elite(seed, act, ascension):
    made = generate(seed, act, ascension=ascension)
    read = map_from_json(map_to_json(made))

    assert (list(read.rooms.items()), read.edges) == (list(made.rooms.items()), made.edges)
    assert read.burning is None


def message(act_map):
    """Return a map as a message of CommunicationMod: its highest rooms lead to the boss, two rows above."""
    rows = [
        {
            "x": node.x, "y": node.y, "symbol": room.letter, "parents": [],
            "children": [{"x": to.x, "y": to.y} for to in act_map.successors[node]] or [{"x": 3, "y": 16}],
        }
        for node, room in act_map.rooms.items()
    ]  # fmt: skip
    return {"in_game": True, "game_state": {"map": rows, "act": 1, "seed": 5, "screen_type": "MAP"}}


@pytest.mark.parametrize("act", [1, 2, 3])
def test_a_message_of_communicationmod_is_read_without_the_burning_elite(act):
    act_map = generate(673465884448, act, ascension=20)
    content = message(act_map)

    for text in (json.dumps(content), json.dumps(content["game_state"])):
        assert map_from_json(text) == ActMap(act_map.rooms, act_map.edges)


def test_messages_without_a_map_are_refused():
    for content, refusal in (
        ({"in_game": False}, "no run is in progress"),
        ({"game_state": {"screen_type": "NONE"}}, "map is missing"),
        ({"game_state": {"map": [{"x": 1, "y": 1, "symbol": "!"}]}}, "symbol is '!'. Allowed: one of"),
    ):
        with pytest.raises(UsageError, match=refusal):
            map_from_json(json.dumps(content))


def test_small_unordered_maps_with_extra_fields_are_read():
    nodes = [node(0, 4, "ShopRoom") | {"note": 1}, node(6, 3), node(1, 3, "EventRoom")]
    read = map_from_json(json.dumps({"by": "hand", "edges": [edge(6, 3, 0, 4), edge(1, 3, 0, 4)], "nodes": nodes}))

    assert list(read.rooms.items()) == [(Node(1, 3), Room.EVENT), (Node(6, 3), Room.MONSTER), (Node(0, 4), Room.SHOP)]
    assert read.edges == (Edge(Node(1, 3), Node(0, 4)), Edge(Node(6, 3), Node(0, 4)))
    assert (read.starts, read.ends) == ((Node(1, 3), Node(6, 3)), (Node(0, 4),))


def test_unused_nodes_are_returned():
    nodes = [node(0, 0), node(1, 0), node(0, 1), node(2, 1), node(3, 1), node(0, 2)]
    read = map_from_json(page(nodes, [edge(0, 0, 0, 1), edge(0, 1, 0, 2), edge(0, 0, 2, 1)]))

    # (1, 0) leads nowhere, (2, 1) is a dead end, (3, 1) is not reached.
    assert unused_nodes(read) == (Node(1, 0), Node(2, 1), Node(3, 1))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not JSON: Expecting value, line 1"),
        ("{'nodes': []}", "is not JSON"),
        ("[" * 200_000, "nested deeper than 64"),
        ("9" * 5000, "an integer has more than 64 bits"),
        ("[]", r"this is \[\]. Allowed: an object with edges, nodes"),
        ("null", "this is null"),
        ('{"edges": []}', "nodes is missing"),
        ('{"nodes": []}', r"nodes is \[\]. Allowed: a list of at least 1 items"),
        (page([]), r"nodes is \[\]. Allowed: a list of at least 1 items"),
        ('{"nodes": [{"x": 0, "y": 0, "class": "ShopRoom"}]}', "edges is missing"),
        ('{"nodes": {}, "edges": []}', "nodes is {}. Allowed: a list"),
        (page([3]), r"nodes\[0\] is 3. Allowed: an object with x, y, class"),
        (page([{"x": 0, "y": 0}]), r"class of nodes\[0\] is missing"),
        (page([node("0", 0)]), r"nodes\[0\].x is '0'. Allowed: 0 to 6"),
        (page([node(0, 0), node(1, True)]), r"nodes\[1\].y is True"),
        (page([node(0, 1.5)]), r"nodes\[0\].y is 1.5"),
        (page([node(None, 0)]), r"nodes\[0\].x is null"),
        (page([node(float("nan"), 0)]), "NaN is no number of JSON"),
        (page([node(7, 0)]), r"nodes\[0\].x is 7. Allowed: 0 to 6"),
        (page([node(0, 15)]), r"nodes\[0\].y is 15. Allowed: 0 to 14"),
        (page([node(0, -1)]), "is -1. Allowed: 0 to 14"),
        (page([node(10**400, 0)]), "an integer has more than 64 bits"),
        (page([node(0, 0, "Shop")]), r"is 'Shop'. Allowed: one of MonsterRoom, .* Did you mean ShopRoom\?"),
        (page([node(0, 0, 5)]), "nodes.0..class is 5. Allowed: one of"),
        (page([node(0, 0, ["ShopRoom"])]), "nodes.0..class is .'ShopRoom'."),
        (page([node(0, 0), node(0, 0, "ShopRoom")]), r"nodes\[1\] is at \(0, 0\) like another node"),
        (page([node(0, 0)], [edge(0, 0, 0, 1)]), r"edges\[0\] from \(0, 0\) to \(0, 1\) has no node at \(0, 1\)"),
        (page([node(0, 1)], [edge(3, 0, 0, 1)]), r"has no node at \(3, 0\)"),
        (page([node(0, 0), node(0, 2)], [edge(0, 0, 0, 2)]), "does not lead to the next row, which is row 1"),
        (page([node(0, 0), node(0, 1)], [edge(0, 1, 0, 0)]), "does not lead to the next row"),
        (page([node(0, 0), node(1, 0)], [edge(0, 0, 1, 0)]), "does not lead to the next row"),
        (page([node(0, 0), node(0, 1)], [edge(0, 0, 0, 1)] * 2), r"edges\[1\] .* is listed twice"),
        (page([node(0, 0), node(0, 1)]), "no path leads from the lowest row, 0, to the highest, 1"),
        (page([node(0, 0), node(0, 2)]), "no path leads from the lowest row, 0, to the highest, 2"),
    ],
)
def test_invalid_maps_raise_one_line_errors(text, message):
    with pytest.raises(UsageError, match=message) as error:
        map_from_json(text, name="mine.json")

    assert re.fullmatch(r"mine\.json.{,280}`evodom spire map SEED --json` prints a valid map\.", str(error.value))
