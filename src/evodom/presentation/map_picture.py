"""Draw a map as a picture: a sheet of parchment with the rooms, dashed ways, the boss on top and a legend."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import cos, hypot, pi, sin
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evodom.presentation.act_map import (
    LEGEND_RADIUS,
    LEGEND_STEP,
    LEGEND_WIDTH,
    MARGIN,
    RING,
    SIGN_SIZE,
    SIGNS,
    MapLayout,
    outline,
    pseudo_random,
)
from evodom.presentation.histogram import STYLE, check_picture, save_picture
from evodom.spire.map import ActMap, Node, Room
from evodom.spire.map.act import ROOM_NAMES

if TYPE_CHECKING:
    from matplotlib.axes import Axes


PAPER_LIGHT, PAPER_EDGE, STAIN, BACKGROUND = "#f1e6c9", "#a98a56", "#c9ae78", "#2f2a2b"
EDGE = 0.3
PAPER_TONES = (
    (EDGE, "#8f7040"),
    (EDGE + 0.05, "#b0925d"),
    (EDGE + 0.11, "#c4a872"),
    (EDGE + 0.2, "#d0b884"),
    (EDGE + 0.32, "#dac594"),
    (EDGE + 0.48, "#e1cfa3"),
    (EDGE + 0.7, "#e5d5ad"),
)
"""The tones of the paper, from its edges inwards."""
INK, FADED, PATH = "#3a2f25", "#7d6a4b", "#9c1c1c"
FLAMES = ((0.95, 1.16, "#d9480f"), (0.6, 1.08, "#ffb52e"))
"""For each layer of flames: their height and their distance from the middle, in radii of the disc, and the colour."""
N_TONGUES = 9

DASHES = (0, (1.7, 1.35))
INCHES = 0.55
"""Inches per unit of `MapLayout`."""
TITLE_SIZE = 14.0
CHARACTER_WIDTH = 0.66
"""The width of a character of the bold title, as a share of its font size."""


def plot_map(act_map: ActMap, file: Path, *, path: Sequence[Node] = (), title: str = "") -> None:
    """Draw a map as the picture `file` (.svg or .png), with the ways and rooms of `path` marked.

    A map without a boss gets one above the highest row, as in the game. The same call writes the
    same bytes. Raises UsageError for another ending and EvodomError where Matplotlib is missing or the file cannot be
    written.
    """
    check_picture(file)
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    sheet = MapLayout(act_map)
    with rc_context(STYLE), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ignores that the font may lack a character of the title
        figure = Figure(figsize=(INCHES * sheet.width, INCHES * sheet.height), facecolor=BACKGROUND)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_xlim(0, sheet.width)
        axes.set_ylim(0, sheet.height)
        axes.set_axis_off()
        _draw_paper(axes, sheet)
        _draw_title(axes, sheet, title)
        _draw_numbers(axes, sheet)
        _draw_ways(axes, sheet, path)
        _draw_rooms(axes, sheet, path)
        _draw_legend(axes, sheet, has_path=bool(path))
        save_picture(figure, file)


def _draw_paper(axes: Axes, sheet: MapLayout) -> None:
    """Draw the sheet with torn and darker edges, and a few stains."""
    from matplotlib.patches import Ellipse, Polygon

    shadow = [(x + 0.1, y - 0.1) for x, y in _torn(sheet.width, sheet.height, EDGE)]
    axes.add_patch(Polygon(shadow, closed=True, facecolor="#00000066", edgecolor="none"))
    paper = None
    for inset, colour in PAPER_TONES:
        tone = Polygon(list(_torn(sheet.width, sheet.height, inset)), closed=True, facecolor=colour, edgecolor="none")
        axes.add_patch(tone)
        paper = paper or tone
    for i in range(9):
        x, y = pseudo_random(i, 3) * sheet.width, pseudo_random(i, 5) * sheet.height
        size, tilt = 2 + 3 * pseudo_random(i, 7), 180 * pseudo_random(i, 9)
        colour = PAPER_LIGHT if i % 2 else STAIN
        for share in range(1, 13):
            wide, high = 1.3 * size * share / 12, size * share / 12
            stain = axes.add_patch(Ellipse((x, y), wide, high, angle=tilt, facecolor=colour, alpha=0.035))
            stain.set_clip_path(paper)


def _torn(width: float, height: float, inset: float) -> Iterator[tuple[float, float]]:
    """Yield the corners of a sheet with torn edges."""
    corners = [(inset, inset), (width - inset, inset), (width - inset, height - inset), (inset, height - inset)]
    for side, ((x, y), (to_x, to_y)) in enumerate(pairwise([*corners, corners[0]])):
        n = max(2, round(hypot(to_x - x, to_y - y) / 0.16))
        normal = ((0, 1), (-1, 0), (0, -1), (1, 0))[side]
        for i in range(n):
            bite = 0.05 * pseudo_random(i, side) + 0.05 * sin(i / 4.3 + side) + 0.04 * sin(i / 11 + 2 * side)
            yield x + (to_x - x) * i / n + bite * normal[0], y + (to_y - y) * i / n + bite * normal[1]


def _draw_title(axes: Axes, sheet: MapLayout, title: str) -> None:
    """Write the title as large as the sheet allows."""
    if not title:
        return
    room = 72 * INCHES * (sheet.width - 2 * MARGIN)
    size = max(6.0, min(TITLE_SIZE, room / (CHARACTER_WIDTH * len(title))))
    axes.text(
        sheet.width / 2,
        sheet.height - MARGIN - 0.3,
        title,
        ha="center",
        va="center",
        fontsize=size,
        fontweight="bold",
        color=INK,
        parse_math=False,
    )


def _draw_numbers(axes: Axes, sheet: MapLayout) -> None:
    """Number floors, from 1, and columns, from 0."""
    style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 7.5, "color": FADED}
    for y in sheet.rows:
        axes.text(MARGIN, sheet.row(y), str(y + 1), **style)
    for x in sheet.columns:
        axes.text(sheet.column(x), sheet.row(sheet.rows[0]) - 0.76, str(x), **style)


def _draw_ways(axes: Axes, sheet: MapLayout, path: Sequence[Node]) -> None:
    """Draw the ways between rooms as dashed lines, those of the path as brush strokes."""
    for (x, y), (to_x, to_y), is_marked in sheet.ways(path):
        if is_marked:
            axes.plot((x, to_x), (y, to_y), color=PATH, linewidth=4.4, solid_capstyle="round", zorder=3)
        else:
            style: dict[str, Any] = {"linestyle": DASHES, "dash_capstyle": "butt", "zorder": 2}
            axes.plot((x, to_x), (y, to_y), color=INK, alpha=0.75, linewidth=2.0, **style)


def _draw_rooms(axes: Axes, sheet: MapLayout, path: Sequence[Node]) -> None:
    """Draw the rooms, those of the path with a ring, the burning elite with flames."""
    for mark in sheet.rooms(path):
        if mark.is_burning:
            _draw_flames(axes, mark.place, mark.radius)
        _draw_sign(axes, mark.place, mark.room, mark.radius)
        if mark.is_marked:
            _draw_ring(axes, mark.place, mark.radius)


def _draw_sign(axes: Axes, place: tuple[float, float], room: Room, radius: float) -> None:
    """Draw the disc of a room with its sign."""
    from matplotlib.patches import Circle, PathPatch
    from matplotlib.transforms import Affine2D

    colour, parts = SIGNS[room]
    axes.add_patch(Circle(place, radius, facecolor=colour, edgecolor=INK, linewidth=1.1, zorder=5))
    axes.add_patch(
        Circle(place, 0.9 * radius, facecolor="none", edgecolor=PAPER_LIGHT, linewidth=0.6, alpha=0.6, zorder=5)
    )
    put = Affine2D().scale(SIGN_SIZE * radius).translate(*place)
    for part in parts:
        shape = put.transform_path(outline(part))
        axes.add_patch(PathPatch(shape, facecolor=colour if part.cut else PAPER_LIGHT, edgecolor="none", zorder=6))


def _draw_ring(axes: Axes, place: tuple[float, float], radius: float) -> None:
    """Draw a ring around a disc like a brush stroke: not quite round, and with overlapping ends."""
    angles = [2 * pi * i / 60 for i in range(67)]
    distances = [RING * radius * (0.98 + 0.045 * sin(2 * angle + place[0]) + 0.006 * angle) for angle in angles]
    xs = [place[0] + distance * cos(angle + place[1]) for distance, angle in zip(distances, angles, strict=True)]
    ys = [place[1] + distance * sin(angle + place[1]) for distance, angle in zip(distances, angles, strict=True)]
    axes.plot(xs, ys, color=PATH, linewidth=2.6, solid_capstyle="round", zorder=7)


def _draw_flames(axes: Axes, place: tuple[float, float], radius: float) -> None:
    """Draw flames around a disc, which lean upwards."""
    from matplotlib.patches import Circle, PathPatch
    from matplotlib.path import Path as Outline

    for size, glow, colour in FLAMES:
        axes.add_patch(Circle(place, glow * radius, facecolor=colour, edgecolor="none", zorder=4))
        for i in range(N_TONGUES):
            begin, middle, end = (2 * pi * (i + part) / N_TONGUES for part in (-0.2, 0.5, 1.2))
            reach = size * (0.8 + 0.4 * pseudo_random(i, 1)) * (1 + 0.5 * max(0.0, sin(middle)))
            tip = (cos(middle) * (glow + 0.55 * reach), sin(middle) * (glow + 0.55 * reach) + 0.45 * reach)
            corners = [(glow * cos(begin), glow * sin(begin))]
            corners += [((glow + 0.32 * size) * cos(begin + 0.12), (glow + 0.32 * size) * sin(begin + 0.12)), tip]
            corners += [((glow + 0.32 * size) * cos(end - 0.12), (glow + 0.32 * size) * sin(end - 0.12))]
            corners += [(glow * cos(end), glow * sin(end)), (0.0, 0.0)]
            vertices = [(place[0] + radius * x, place[1] + radius * y) for x, y in corners]
            codes = [Outline.MOVETO, *(Outline.CURVE3,) * 4, Outline.LINETO]
            axes.add_patch(PathPatch(Outline(vertices, codes), facecolor=colour, edgecolor="none", zorder=4))


def _draw_legend(axes: Axes, sheet: MapLayout, *, has_path: bool) -> None:
    """Draw the legend: the meaning of each sign, and the number of its rooms."""
    rooms = list(sheet.map.rooms.values())
    lines: list[tuple[str, str]] = [(room, str(rooms.count(room))) for room in ROOM_NAMES if room in rooms]
    # The burning elite's note is its buff.
    lines += [("burning", sheet.map.burning[1])] if sheet.map.burning else []
    lines += [("path", "")] if has_path else []
    left, right = sheet.width - MARGIN - LEGEND_WIDTH + 0.35, sheet.width - MARGIN
    height = LEGEND_STEP * (len(lines) + 1) + 0.2
    top = (sheet.height + height) / 2
    _draw_box(axes, left, top - height, right - left, height)
    text: dict[str, Any] = {"va": "center", "color": INK, "fontsize": 9}
    axes.text((left + right) / 2, top - 0.1 - LEGEND_STEP / 2, "Legend", ha="center", **text | {"fontweight": "bold"})
    for i, (what, note) in enumerate(lines, start=1):
        x, y = left + 0.48, top - 0.1 - LEGEND_STEP * (i + 0.5)
        if what == "burning":
            _draw_flames(axes, (x, y - 0.08), 0.8 * LEGEND_RADIUS)
            _draw_sign(axes, (x, y - 0.08), Room.ELITE, 0.8 * LEGEND_RADIUS)
            axes.text(x + 0.5, y, f"burning elite:\n{note}", **text | {"fontsize": 8})
        elif what == "path":
            _draw_ring(axes, (x, y), 0.8 * LEGEND_RADIUS)
            axes.text(x + 0.5, y, "the path", **text)
        else:
            _draw_sign(axes, (x, y), Room(what), LEGEND_RADIUS)
            axes.text(x + 0.5, y, ROOM_NAMES[Room(what)], **text)
            axes.text(right - 0.2, y, note, ha="right", **text)


def _draw_box(axes: Axes, x: float, y: float, width: float, height: float) -> None:
    """Draw a lighter box with round corners."""
    from matplotlib.patches import FancyBboxPatch

    style: dict[str, Any] = {"facecolor": PAPER_LIGHT, "edgecolor": PAPER_EDGE, "linewidth": 1.0, "alpha": 0.8}
    axes.add_patch(FancyBboxPatch((x, y), width, height, "round,pad=0.0,rounding_size=0.2", zorder=1, **style))
