"""Draw an act's map as SVG: its rooms with their signs, and the ways between them."""

import tomllib
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import NamedTuple

from evodom.spire.map import ActMap, Node, Room
from evodom.spire.map.act import ROOM_ROWS

Place = tuple[float, float]

COLUMN_WIDTH, ROW_HEIGHT = 1.22, 1.08
"""Distance between columns, and between rows."""
RADIUS, BOSS_RADIUS = 0.31, 0.74
GAP = 0.06
"""The gap between the ring of a room, drawn or not, and the ways outside the path. Ways of the path touch the ring."""
SIGN_SIZE = 0.9
"""The size of a sign, in radii of its disc."""
RING = 1.27
"""The radius of the ring around a room of the path, in radii of its disc."""


class RoomMark(NamedTuple):
    """A room as it is drawn; the boss above the highest row has no node."""

    place: Place
    radius: float
    room: Room
    node: Node | None
    is_burning: bool
    is_marked: bool


def pseudo_random(first: int, second: int) -> float:
    """Return a number from 0 to 1 that looks random but follows from the two given numbers."""
    return (sin(12.9898 * first + 78.233 * second + 1.7) * 43758.5453) % 1


class SignPart(NamedTuple):
    """An outline in SVG's notation (M, L, Q, C and Z with absolute positions, but y upwards), or one character.

    A part that is `cut` has the colour of the disc, all others that of paper.
    """

    shape: str
    cut: bool = False
    height: float = 1.0
    """The height of the character."""


class Sign(NamedTuple):
    """The sign of a room: the colour of its disc, and the parts drawn on it."""

    colour: str
    parts: tuple[SignPart, ...]


_DRAWN = tomllib.loads(files(__package__).joinpath("signs.toml").read_text("utf-8"))

SIGNS = {
    Room[name]: Sign(
        sign["colour"],
        tuple(SignPart(**part) for outline in sign["outlines"] for part in _DRAWN["outlines"][outline]),
    )
    for name, sign in _DRAWN["rooms"].items()
}
"""The signs of all rooms. They differ in shape, and their discs in colour and brightness."""


UNIT = 40.0
"""Pixels of one unit of the sheet at full size."""

SIDE, BELOW, ABOVE = 0.85, 0.95, 0.45
"""Margins at the sides, below and above the rooms, in units."""


def map_svg(act_map: ActMap, *, path: Sequence[Node] = (), worths: Sequence[str] = (), title: str = "") -> str:
    """Return a map as SVG, with the ways and rooms of ``path`` marked.

    ``worths`` are the values of the rooms of ``path`` as text. The page's style sheet sets the colours of ink and ways
    (classes `way`, `ring`, `floor`), not the colours of rooms. Every room has a <title> with its place. Ways of the
    path cover other ways, and rooms cover all ways.
    """
    return _MapDrawing(act_map, path, worths).svg(title)


class _MapDrawing:
    """The positions and marks of one map; y grows downwards, as in SVG."""

    def __init__(self, act_map: ActMap, path: Sequence[Node], worths: Sequence[str]) -> None:
        self._map, self._path = act_map, tuple(path)
        self._worths = dict(zip(path, worths, strict=False))
        self._columns = range(min(node.x for node in act_map.rooms), max(node.x for node in act_map.rooms) + 1)
        self._rows = range(act_map.starts[0].y, act_map.ends[0].y + 1)
        self._has_boss_above = Room.BOSS not in act_map.rooms.values()
        middle = (self._columns[0] + self._columns[-1]) / 2
        self._boss = self._column(middle), self._row(self._rows[-1]) + 1.85
        self._left = self._column(self._columns[0]) - SIDE - 0.35
        self._right = self._column(self._columns[-1]) + SIDE
        top = self._boss[1] + BOSS_RADIUS * RING if self._has_boss_above else self._row(self._rows[-1]) + RADIUS
        self._top, self._bottom = top + ABOVE, self._row(self._rows[0]) - BELOW

    def svg(self, title: str) -> str:
        """Return the whole picture."""
        width, height = UNIT * (self._right - self._left), UNIT * (self._top - self._bottom)
        marks = "".join((*self._numbers(), *self._ways(), *map(self._room, self._rooms())))
        return (
            f'<svg class="map" viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{escape(title)}">'
            f"<title>{escape(title)}</title>{marks}</svg>"
        )

    def _column(self, x: float) -> float:
        """Return the horizontal position of the middle of a column."""
        return COLUMN_WIDTH * (x - self._columns[0])

    def _row(self, y: float) -> float:
        """Return the vertical position of the middle of a row."""
        return ROW_HEIGHT * (y - self._rows[0])

    def _place(self, node: Node) -> Place:
        """Return the position of a room: near its place on the grid, and the same in every picture."""
        angle = 2 * pi * pseudo_random(node.x, node.y)
        distance = 0.11 * pseudo_random(node.y, node.x + 17)  # makes the map look drawn by hand
        return self._column(node.x) + distance * cos(angle), self._row(node.y) + distance * sin(angle)

    def _at(self, place: Place) -> Place:
        """Return the position in the picture of a place on the sheet."""
        return UNIT * (place[0] - self._left), UNIT * (self._top - place[1])

    def _numbers(self) -> Iterator[str]:
        """Number floors and columns."""
        for row in self._rows:
            x, y = self._at((self._left + 0.3, self._row(row)))
            yield f'<text class="floor" x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle">{row + 1}</text>'
        for column in self._columns:
            x, y = self._at((self._column(column), self._bottom + 0.22))
            yield f'<text class="floor" x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{column}</text>'

    def _ways(self) -> Iterator[str]:
        """Draw the ways from the edge of one disc to that of the next, those of the path on top."""
        steps = set(pairwise(self._path))
        found = [(edge.source, self._place(edge.destination), RADIUS, tuple(edge) in steps) for edge in self._map.edges]
        if self._has_boss_above:
            found += [(node, self._boss, BOSS_RADIUS, node in self._path) for node in self._map.ends]
        for source, end, radius, is_marked in sorted(found, key=lambda way: way[-1]):
            begin = self._place(source)
            length = hypot(end[0] - begin[0], end[1] - begin[1])
            x, y = (end[0] - begin[0]) / length, (end[1] - begin[1]) / length
            # The distances from the centres of the two rooms at which the way begins and ends.
            near, far = (RING * size + GAP * (not is_marked) for size in (RADIUS, radius))
            x1, y1 = self._at((begin[0] + near * x, begin[1] + near * y))
            x2, y2 = self._at((end[0] - far * x, end[1] - far * y))
            kind = "way on" if is_marked else "way"
            yield f'<path class="{kind}" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"/>'

    def _rooms(self) -> Iterator[RoomMark]:
        """Yield all rooms, and the boss above them if the map itself has no boss."""
        burning = self._map.burning[0] if self._map.burning else None
        for node, room in self._map.rooms.items():
            yield RoomMark(self._place(node), RADIUS, room, node, node == burning, node in self._path)
        if self._has_boss_above:
            yield RoomMark(self._boss, BOSS_RADIUS, Room.BOSS, None, False, bool(self._path))

    def _room(self, mark: RoomMark) -> str:
        """Draw a room, with a ring if it is on the path."""
        (x, y), r, node = self._at(mark.place), UNIT * mark.radius, mark.node
        name = "burning elite" if mark.is_burning else ROOM_ROWS[mark.room].name
        title = f"{name} in column {node.x} of floor {node.floor}" if node else "the boss"
        worth = self._worths.get(node, "") if node else ""
        title += ", on the route" * mark.is_marked
        title += f", value {worth}" if worth else ""
        ring = f'<circle class="ring" r="{r * RING:.1f}"/>' if mark.is_marked else ""
        fire = f'<circle class="fire" r="{r * 1.2:.1f}"/>' if mark.is_burning else ""
        colour, parts = SIGNS[mark.room]
        sign = "".join(_part(part, colour, SIGN_SIZE * r) for part in parts)
        return (
            f'<g class="room{" on" if mark.is_marked else ""}" transform="translate({x:.1f} {y:.1f})">'
            f"<title>{escape(title)}</title>{fire}{ring}"
            f'<circle class="disc" r="{r:.1f}" fill="{colour}"/>{sign}</g>'
        )


def sign_svg(room: Room) -> str:
    """Return the sign of a room alone, for a legend."""
    colour, parts = SIGNS[room]
    r = UNIT * RADIUS
    drawn = "".join(_part(part, colour, SIGN_SIZE * r) for part in parts)
    box = f"{-r - 1:.1f} {-r - 1:.1f} {2 * r + 2:.1f} {2 * r + 2:.1f}"
    return f'<svg class="sign" viewBox="{box}" aria-hidden="true"><circle r="{r:.1f}" fill="{colour}"/>{drawn}</svg>'


def _part(part: SignPart, colour: str, size: float) -> str:
    """Return a part of a sign: an outline with y upwards, or a character."""
    ink = colour if part.cut else "#f1e6c9"
    if len(part.shape) == 1:
        lower = 0.18 * size if part.cut else 0.0
        height = part.height * size
        return (
            f'<text class="letter" color="{ink}" font-size="{1.37 * height:.1f}" text-anchor="middle" '
            f'y="{lower + height / 2:.1f}">{escape(part.shape)}</text>'
        )
    return f'<path fill="{ink}" transform="scale({size:.2f} {-size:.2f})" d="{part.shape}"/>'
