"""Maps to find routes on, and all paths of a map one by one."""

from collections.abc import Iterator
from pathlib import Path

from evodom.spire.map import ActMap, Edge, Node, Room, read_map

FOLDER = Path(__file__).parents[2] / "data" / "maps"
FILES = ("673465884448_Act1", "673465884448_Act2", "1_Act3", "0_A0_Act1")
LETTERS = {room.letter: room for room in Room}


def from_file(name: str) -> ActMap:
    return read_map(FOLDER / f"{name}.json")


def from_rows(*rows: str) -> ActMap:
    """Make a map of rows of letters, the lowest first; every room leads to its neighbours in the next row."""
    rooms = {Node(x, y): LETTERS[letter] for y, row in enumerate(rows) for x, letter in enumerate(row) if letter != " "}
    edges = [Edge(a, b) for a in rooms for b in rooms if b.y == a.y + 1 and abs(a.x - b.x) <= 1]
    return ActMap(rooms, tuple(edges))


def all_paths(act_map: ActMap) -> Iterator[tuple[Node, ...]]:
    """Yield every path, the further left one first."""

    def onwards(path: tuple[Node, ...]) -> Iterator[tuple[Node, ...]]:
        if path[-1] in act_map.ends:
            yield path
        for node in act_map.successors[path[-1]]:
            yield from onwards((*path, node))

    for start in act_map.starts:
        yield from onwards((start,))
