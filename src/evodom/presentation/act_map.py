"""The layout of an act's map: places of rooms and ways in one list of marks, which each output draws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import NamedTuple

from evodom.spire.map import ActMap, Node, Room

Place = tuple[float, float]

COLUMN, ROW = 1.22, 1.08
"""The distance between columns and between rows; a room's disc has the radius `RADIUS`."""
RADIUS, BOSS_RADIUS = 0.31, 0.74
BOSS_ABOVE = 1.85
GAP = 0.06
"""The gap between a room's disc and the ways; those of the path begin at the ring around the disc instead."""
LEGEND_WIDTH = 3.0
LEGEND_RADIUS, LEGEND_STEP = 0.27, 0.78
MARGIN = 0.95
TITLE_HEIGHT = 1.0
LEAST_HEIGHT = 8.0
SIGN_SIZE = 0.9
"""The size of a sign, in radii of its disc."""
RING = 1.27
"""The radius of the ring around a room of the path, in radii of its disc."""
JITTER = 0.11
"""How far a room may be drawn from its place on the grid, so that the map looks drawn by hand."""


class Way(NamedTuple):
    """A way between two rooms, from the edge of one disc to that of the other."""

    begin: Place
    end: Place
    is_marked: bool


class RoomMark(NamedTuple):
    """A room as it is drawn; the boss above the highest row has no node."""

    place: Place
    radius: float
    room: Room
    node: Node | None
    is_burning: bool
    is_marked: bool


class Sheet:
    """The positions and sizes of all that is drawn on the sheet of a map."""

    def __init__(self, act_map: ActMap) -> None:
        self.map = act_map
        self.columns = range(min(node.x for node in act_map.rooms), max(node.x for node in act_map.rooms) + 1)
        self.rows = range(act_map.starts[0].y, act_map.ends[0].y + 1)
        self.has_boss_above = Room.BOSS not in act_map.rooms.values()
        above = BOSS_ABOVE + BOSS_RADIUS if self.has_boss_above else RADIUS
        self.map_width = max(COLUMN * (len(self.columns) - 1), 4 * COLUMN)
        self.width = 2 * MARGIN + self.map_width + 1.3 + LEGEND_WIDTH
        content = ROW * (len(self.rows) - 1) + above
        self.height = max(content + 2 * MARGIN + TITLE_HEIGHT + 0.75, LEAST_HEIGHT)
        self.bottom = MARGIN + 0.75 + (self.height - 2 * MARGIN - TITLE_HEIGHT - 0.75 - content) / 2

    def column(self, x: float) -> float:
        """Return the horizontal position of the middle of a column."""
        spread = COLUMN * (len(self.columns) - 1)
        return MARGIN + 0.7 + (self.map_width - spread) / 2 + COLUMN * (x - self.columns[0])

    def row(self, y: float) -> float:
        """Return the vertical position of the middle of a row."""
        return self.bottom + ROW * (y - self.rows[0])

    def place(self, node: Node) -> Place:
        """Return the position of a room: near its place on the grid, and the same in every picture."""
        angle = 2 * pi * noise(node.x, node.y)
        distance = JITTER * noise(node.y, node.x + 17)
        return self.column(node.x) + distance * cos(angle), self.row(node.y) + distance * sin(angle)

    @property
    def boss(self) -> Place:
        """The position of the boss above the highest row."""
        return self.column((self.columns[0] + self.columns[-1]) / 2), self.row(self.rows[-1]) + BOSS_ABOVE

    def ways(self, path: Sequence[Node]) -> Iterator[Way]:
        """Yield all ways, those of `path` marked and last."""
        steps = set(pairwise(path))
        found = [(edge.source, self.place(edge.destination), RADIUS, tuple(edge) in steps) for edge in self.map.edges]
        if self.has_boss_above:
            found += [(node, self.boss, BOSS_RADIUS, node in path) for node in self.map.ends]
        for source, end, radius, is_marked in sorted(found, key=lambda way: way[-1]):
            begin = self.place(source)
            length = hypot(end[0] - begin[0], end[1] - begin[1])
            x, y = (end[0] - begin[0]) / length, (end[1] - begin[1]) / length
            first, last = RING * RADIUS + GAP * (not is_marked), RING * radius + GAP * (not is_marked)
            yield Way((begin[0] + first * x, begin[1] + first * y), (end[0] - last * x, end[1] - last * y), is_marked)

    def rooms(self, path: Sequence[Node]) -> Iterator[RoomMark]:
        """Yield all rooms, and the boss above them if the map has none of its own."""
        burning = self.map.burning[0] if self.map.burning else None
        for node, room in self.map.rooms.items():
            yield RoomMark(self.place(node), RADIUS, room, node, node == burning, node in path)
        if self.has_boss_above:
            yield RoomMark(self.boss, BOSS_RADIUS, Room.BOSS, None, False, bool(path))


def noise(first: int, second: int) -> float:
    """Return a number from 0 to 1 that looks random but follows from the two given numbers."""
    return (sin(12.9898 * first + 78.233 * second + 1.7) * 43758.5453) % 1
