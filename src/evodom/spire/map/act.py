"""Act maps: rooms on a grid, edges, and `draw_map` for terminals.

Open it to change the drawing. Rows and columns are counted from 0, floors from 1.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple


class Room(StrEnum):
    """Kinds of rooms. Values are the names of the game's classes."""

    MONSTER = "MonsterRoom"
    ELITE = "MonsterRoomElite"
    EVENT = "EventRoom"
    SHOP = "ShopRoom"
    REST = "RestRoom"
    TREASURE = "TreasureRoom"
    BOSS = "MonsterRoomBoss"

    @property
    def letter(self) -> str:
        """Letter in the game's legend."""
        return ROOM_ROWS[self].letter


class RoomRow(NamedTuple):
    """A kind of rooms as it is displayed: its letter in the game's legend, its name, and an ANSI colour code."""

    letter: str
    name: str
    colour: str = ""


ROOM_ROWS = {
    Room.MONSTER: RoomRow("M", "monster"),
    Room.EVENT: RoomRow("?", "event", "36"),
    Room.ELITE: RoomRow("E", "elite", "31"),
    Room.REST: RoomRow("R", "rest site", "32"),
    Room.SHOP: RoomRow("$", "shop", "33"),
    Room.TREASURE: RoomRow("T", "treasure", "35"),
    Room.BOSS: RoomRow("B", "boss", "1;31"),
}
"""All kinds of rooms, in the order of the legend."""


class Node(NamedTuple):
    """A node of the grid: column 0 to 6 from the left, row 0 to 14 from the bottom."""

    x: int
    y: int

    @property
    def floor(self) -> int:
        """Number of the floor in the act; the lowest is 1."""
        return self.y + 1

    @property
    def name(self) -> str:
        """The node as column,floor, such as "3,5"."""
        return f"{self.x},{self.floor}"


class Edge(NamedTuple):
    """An edge from a node to a node of the next higher row."""

    source: Node
    destination: Node


@dataclass(frozen=True)
class ActMap:
    """The map of an act.

    Attributes:
        rooms: kinds of rooms by node, sorted by (y, x).
        edges: sorted by (source y, source x, destination x).
        burning: the elite with the emerald key, and its buff. None if unknown, or if the map has no elites.

    Paths begin at any node of the lowest row and end at any node of the highest row.
    """

    rooms: Mapping[Node, Room]
    edges: tuple[Edge, ...]
    burning: tuple[Node, str] | None = None

    @cached_property
    def successors(self) -> dict[Node, tuple[Node, ...]]:
        """Successors of each node, from left to right."""
        found: dict[Node, list[Node]] = {node: [] for node in self.rooms}
        for source, destination in self.edges:
            found[source].append(destination)
        return {node: tuple(sorted(nodes)) for node, nodes in found.items()}

    def reachable(self, starts: Sequence[Node]) -> "ActMap":
        """Return the part of the map that can be reached from rooms of one row."""
        reached, waiting = set(starts), list(starts)
        while waiting:
            new = set(self.successors[waiting.pop()]) - reached
            reached |= new
            waiting += new
        rooms = {node: room for node, room in self.rooms.items() if node in reached}
        return ActMap(rooms, tuple(edge for edge in self.edges if edge.source in reached), self.burning)

    @cached_property
    def starts(self) -> tuple[Node, ...]:
        """Nodes of the lowest row."""
        lowest = min(node.y for node in self.rooms)
        return tuple(node for node in self.rooms if node.y == lowest)

    @cached_property
    def ends(self) -> tuple[Node, ...]:
        """Nodes of the highest row."""
        highest = max(node.y for node in self.rooms)
        return tuple(node for node in self.rooms if node.y == highest)


COLUMN_WIDTH = 4
"""Characters per column: a letter, two brackets of a path, and a space for edges."""
MARGIN = 5
"""Characters before the first column, for the number of the floor."""

BURNING = "*"
CROSSING = "X"
PATH_COLOUR = "1;33"
"""ANSI codes for bold and yellow."""


def draw_map(act_map: ActMap, *, path: Sequence[Node] = (), colour: bool = False) -> str:
    """Return a map as text, the highest floor on top, with a legend at the right.

    Nodes of `path` are in brackets. `colour` adds ANSI codes for terminals: rooms have colours, and the path is bold.
    """
    rows = range(act_map.starts[0].y, act_map.ends[0].y + 1)
    canvas = Canvas(colour=colour)
    steps = set(pairwise(path))
    for edge in act_map.edges:
        _draw_edge(canvas, edge, rows, on_path=tuple(edge) in steps)
    for node, room in act_map.rooms.items():
        _draw_room(canvas, act_map, node, room, rows, on_path=node in path)
    n_columns = max(node.x for node in act_map.rooms) + 1
    legend = _legend(act_map, has_path=bool(path))
    n_lines = max(2 * len(rows) - 1, len(legend))
    n_lines_above = (n_lines - len(legend)) // 2
    lines = []
    for line in range(n_lines):
        label = f"{rows[-1] - line // 2 + 1:>3}" if line % 2 == 0 and line // 2 < len(rows) else ""
        legend_text = f"   {legend[line - n_lines_above]}" if 0 <= line - n_lines_above < len(legend) else ""
        lines.append(f"{label:<{MARGIN}}{canvas.line(line, MARGIN, _first_character(n_columns))}{legend_text}".rstrip())
    columns = "".join(f" {x}".ljust(COLUMN_WIDTH) for x in range(n_columns))
    return "\n".join([*lines, "", f"{'':<{MARGIN}}{columns}".rstrip()])


class Canvas:
    """Characters by line and column, each with an ANSI colour."""

    def __init__(self, *, colour: bool) -> None:
        self._cells: dict[tuple[int, int], tuple[str, str]] = {}
        self._colour = colour

    def put(self, line: int, column: int, character: str, colour: str = "") -> None:
        """Write a character. Two crossing edges become CROSSING."""
        before = self._cells.get((line, column), (" ", ""))
        if {before[0], character} == {"/", "\\"}:
            character = CROSSING
        if before[1] == PATH_COLOUR:
            colour = PATH_COLOUR
        self._cells[line, column] = (character, colour)

    def line(self, line: int, first: int, last: int) -> str:
        """Return the characters of a line from column `first` to `last`, inclusive."""
        cells = (self._cells.get((line, column), (" ", "")) for column in range(first, last + 1))
        return "".join(self._painted(*cell) for cell in cells)

    def _painted(self, character: str, colour: str) -> str:
        return f"\x1b[{colour}m{character}\x1b[0m" if self._colour and colour else character


def _first_character(x: int) -> int:
    """Return the index of the first of a column's three characters before its space."""
    return MARGIN + COLUMN_WIDTH * x


def _draw_edge(canvas: Canvas, edge: Edge, rows: range, *, on_path: bool) -> None:
    """Draw an edge in the line between two rows. The middle of an edge to a distant column is horizontal.

    The first character is two columns from the letter of the source, the last two from the letter of the destination.
    """
    line = 2 * (rows[-1] - edge.destination.y) + 1
    begin, end = _first_character(edge.source.x) + 1, _first_character(edge.destination.x) + 1
    colour = PATH_COLOUR if on_path else ""
    if begin == end:
        canvas.put(line, begin, "|", colour)
        return
    sign, step = ("/", 1) if begin < end else ("\\", -1)
    cells = range(begin + 2 * step, end - step, step)
    for column in cells:
        canvas.put(line, column, sign if column in (cells[0], cells[-1]) else "-", colour)


def _draw_room(canvas: Canvas, act_map: ActMap, node: Node, room: Room, rows: range, *, on_path: bool) -> None:
    """Draw a room's letter, with brackets on the path and BURNING at the burning elite."""
    line, left = 2 * (rows[-1] - node.y), _first_character(node.x)
    is_burning = act_map.burning is not None and act_map.burning[0] == node
    letters = room.letter + (BURNING if is_burning else "")
    for i, letter in enumerate(letters, start=1):
        canvas.put(line, left + i, letter, PATH_COLOUR if on_path else ROOM_ROWS[room].colour)
    if on_path:
        canvas.put(line, left, "[", PATH_COLOUR)
        canvas.put(line, left + len(letters) + 1, "]", PATH_COLOUR)


def _legend(act_map: ActMap, *, has_path: bool) -> list[str]:
    """Return the lines of the legend: letters, names and numbers of rooms."""
    rooms = list(act_map.rooms.values())
    shown = {room: row for room, row in ROOM_ROWS.items() if room in rooms}
    lines = [f"{row.letter}   {row.name:<10}{rooms.count(room):>3}" for room, row in shown.items()]
    if act_map.burning:
        lines.append(f"E{BURNING}  burning: {act_map.burning[1]}")
    if has_path:
        lines.append("[ ] the path")
    return lines
