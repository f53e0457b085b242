"""Draw the map of an act as SVG for a page: rooms, ways, the best route; the places are those of the picture file."""

from collections.abc import Iterator, Sequence
from html import escape

from evodom.presentation.act_map import BOSS_RADIUS, RADIUS, RING, SIGN_SIZE, RoomMark, Sheet
from evodom.presentation.map_signs import SIGNS, SignPart
from evodom.spire.map import ActMap, Node, Room
from evodom.spire.map.act import NAMES

UNIT = 40.0
"""Pixels of one unit of the sheet at full size."""

SIDE, BELOW, ABOVE = 0.85, 0.95, 0.45
"""What is left free beside, below and above the rooms, in units."""


def map_svg(act_map: ActMap, *, path: Sequence[Node] = (), worths: Sequence[str] = (), title: str = "") -> str:
    """Return a map as SVG, with the ways and rooms of ``path`` marked; ``worths`` tell what each of its rooms is worth.

    Colours of ink and ways are those of the page (classes `way`, `ring`, `floor`); those of the rooms are their own.
    Every room has a <title> with its place, and the group of the path comes last, on top.
    """
    return _Drawing(act_map, path, worths).svg(title)


class _Drawing:
    """The marks of one map; y grows downwards, as in SVG."""

    def __init__(self, act_map: ActMap, path: Sequence[Node], worths: Sequence[str]) -> None:
        self._map, self._path = act_map, tuple(path)
        self._worths = dict(zip(path, worths, strict=False))
        self._sheet = sheet = Sheet(act_map)
        columns, rows = sheet.columns, sheet.rows
        self._left = sheet.column(columns[0]) - SIDE - 0.35
        self._right = sheet.column(columns[-1]) + SIDE
        top = sheet.boss[1] + BOSS_RADIUS * RING if sheet.has_boss_above else sheet.row(rows[-1]) + RADIUS
        self._top, self._bottom = top + ABOVE, sheet.row(rows[0]) - BELOW

    def svg(self, title: str) -> str:
        """Return the whole picture."""
        width, height = UNIT * (self._right - self._left), UNIT * (self._top - self._bottom)
        marks = "".join((*self._numbers(), *self._ways(), *map(self._room, self._sheet.rooms(self._path))))
        return (
            f'<svg class="map" viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{escape(title)}">'
            f"<title>{escape(title)}</title>{marks}</svg>"
        )

    def _at(self, place: tuple[float, float]) -> tuple[float, float]:
        """Return where a place of the sheet is in the picture."""
        return UNIT * (place[0] - self._left), UNIT * (self._top - place[1])

    def _numbers(self) -> Iterator[str]:
        """Number floors and columns."""
        sheet = self._sheet
        for row in sheet.rows:
            x, y = self._at((self._left + 0.3, sheet.row(row)))
            yield f'<text class="floor" x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle">{row + 1}</text>'
        for column in sheet.columns:
            x, y = self._at((sheet.column(column), self._bottom + 0.22))
            yield f'<text class="floor" x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{column}</text>'

    def _ways(self) -> Iterator[str]:
        """Draw the ways, those of the path on top."""
        for begin, end, is_marked in self._sheet.ways(self._path):
            (x1, y1), (x2, y2) = self._at(begin), self._at(end)
            kind = "way on" if is_marked else "way"
            yield f'<path class="{kind}" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"/>'

    def _room(self, mark: RoomMark) -> str:
        """Draw a room, with a ring if it is on the path."""
        (x, y), r, node = self._at(mark.place), UNIT * mark.radius, mark.node
        name = "burning elite" if mark.is_burning else NAMES[mark.room]
        title = f"{name} in column {node.x} of floor {node.floor}" if node else "the boss"
        worth = self._worths.get(node, "") if node else ""
        title += ", on the route" * mark.is_marked
        title += f", worth {worth}" if worth else ""
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
