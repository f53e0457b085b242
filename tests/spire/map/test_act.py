"""Maps in the terminal."""

import re
from pathlib import Path

from evodom.spire.map import ActMap, Edge, Node, Room, draw_map, generate

PAGE = (Path(__file__).parents[3] / "docs" / "guide" / "maps.md").read_text()


def hand_made(edges, burning=None):
    """Return a map of monsters at the ends of edges."""
    edges = [Edge(Node(*source), Node(*to)) for source, to in edges]
    nodes = sorted({node for edge in edges for node in edge}, key=lambda node: (node.y, node.x))
    return ActMap(dict.fromkeys(nodes, Room.MONSTER), tuple(edges), burning)


def test_the_notebooks_map_is_drawn_as_in_the_guide():
    assert f"ascension 20\n\n{draw_map(generate(673465884448))}\n```" in PAGE


def test_drawn_paths_are_in_brackets():
    act_map = hand_made([((0, 0), (0, 1)), ((0, 0), (1, 1)), ((1, 0), (1, 1))])

    lines = draw_map(act_map, path=[Node(0, 0), Node(1, 1)]).splitlines()

    assert lines == [
        "  2   M  [M]     M   monster     4",
        "      | / |      [ ] the path",
        "  1  [M]  M",
        "",
        "      0   1",
    ]


def test_a_burning_elite_on_the_path_keeps_its_sign():
    act_map = ActMap({Node(0, 0): Room.ELITE}, (), (Node(0, 0), "Strength"))

    lines = draw_map(act_map, path=[Node(0, 0)]).splitlines()

    assert lines[0].startswith("  1  [E*]")
    assert any(line.endswith("E*  burning: Strength") for line in lines)


def test_drawn_edges_may_cross_and_be_wide():
    crossing = draw_map(hand_made([((0, 0), (1, 1)), ((1, 0), (0, 1))])).splitlines()
    wide = draw_map(hand_made([((0, 2), (3, 3))])).splitlines()
    steep = draw_map(hand_made([((6, 2), (3, 3))])).splitlines()

    assert crossing[1].split("  M")[0].rstrip() == "        X"
    assert wide[:3] == ["  4               M", "        /-------/        M   monster     2", "  3   M"]
    assert steep[1].startswith("                    \\-------\\")


def test_colours_only_add_ansi_codes():
    path = [Node(2, 0), Node(3, 1)]
    plain = draw_map(generate(673465884448), path=path)
    coloured = draw_map(generate(673465884448), path=path, colour=True)

    assert "\x1b[1;33m/\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain
    assert "\x1b" not in plain
