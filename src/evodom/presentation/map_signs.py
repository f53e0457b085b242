"""The signs of rooms on a picture of a map: outlines in the square from -1 to 1, in two tones on a disc."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from evodom.spire.map import Room

if TYPE_CHECKING:
    from matplotlib.path import Path as Outline


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


SKULL = (
    SignPart(
        "M 0 0.5 C 0.42 0.5 0.58 0.2 0.48 -0.1 C 0.43 -0.24 0.28 -0.24 0.28 -0.38 L 0.26 -0.62 "
        "Q 0 -0.7 -0.26 -0.62 L -0.28 -0.38 C -0.28 -0.24 -0.43 -0.24 -0.48 -0.1 C -0.58 0.2 -0.42 0.5 0 0.5 Z"
    ),
    SignPart("M 0.1 0.04 L 0.38 0.14 Q 0.42 -0.14 0.22 -0.14 Q 0.1 -0.14 0.1 0.04 Z", cut=True),
    SignPart("M -0.1 0.04 L -0.38 0.14 Q -0.42 -0.14 -0.22 -0.14 Q -0.1 -0.14 -0.1 0.04 Z", cut=True),
    SignPart("M 0 -0.14 L 0.08 -0.3 L -0.08 -0.3 Z", cut=True),
    SignPart("M -0.125 -0.45 L -0.075 -0.45 L -0.075 -0.7 L -0.125 -0.7 Z", cut=True),
    SignPart("M -0.025 -0.45 L 0.025 -0.45 L 0.025 -0.7 L -0.025 -0.7 Z", cut=True),
    SignPart("M 0.125 -0.45 L 0.075 -0.45 L 0.075 -0.7 L 0.125 -0.7 Z", cut=True),
)
HORNS = (
    SignPart("M 0.24 0.5 Q 0.5 0.5 0.62 0.82 Q 0.9 0.3 0.5 0.12 Z"),
    SignPart("M -0.24 0.5 Q -0.5 0.5 -0.62 0.82 Q -0.9 0.3 -0.5 0.12 Z"),
)
CROWN = (
    SignPart("M -0.36 0.54 L -0.44 0.92 L -0.19 0.72 L 0 1 L 0.19 0.72 L 0.44 0.92 L 0.36 0.54 Q 0 0.66 -0.36 0.54 Z"),
)

SIGNS = {
    Room.MONSTER: Sign(
        "#5b5148",
        (
            SignPart(
                "M -0.66 0.66 Q -0.5 0.34 -0.3 0.4 Q 0 0.5 0.3 0.4 Q 0.5 0.34 0.66 0.66 "
                "C 0.8 0.1 0.55 -0.45 0 -0.66 C -0.55 -0.45 -0.8 0.1 -0.66 0.66 Z"
            ),
            SignPart("M 0.1 -0.02 L 0.46 0.18 Q 0.44 -0.16 0.22 -0.16 Z", cut=True),
            SignPart("M -0.1 -0.02 L -0.46 0.18 Q -0.44 -0.16 -0.22 -0.16 Z", cut=True),
            SignPart(
                "M -0.26 -0.28 L -0.13 -0.34 L 0 -0.28 L 0.13 -0.34 L 0.26 -0.28 "
                "Q 0.14 -0.48 0 -0.5 Q -0.14 -0.48 -0.26 -0.28 Z",
                cut=True,
            ),
        ),
    ),
    Room.ELITE: Sign("#b8390e", (*HORNS, *SKULL)),
    Room.EVENT: Sign("#0072b2", (SignPart("?", height=1.2),)),
    Room.REST: Sign(
        "#00795a",
        (
            SignPart(
                "M 0.04 0.86 C 0.02 0.5 0.5 0.34 0.47 -0.06 C 0.45 -0.32 0.24 -0.44 0 -0.44 "
                "C -0.26 -0.44 -0.46 -0.3 -0.46 -0.04 C -0.46 0.16 -0.36 0.22 -0.32 0.4 "
                "C -0.22 0.34 -0.16 0.26 -0.14 0.14 C 0.02 0.3 0.1 0.56 0.04 0.86 Z"
            ),
            SignPart(
                "M 0.04 0.16 C 0.02 -0.02 0.22 -0.08 0.2 -0.26 Q 0.16 -0.4 0 -0.4 "
                "Q -0.17 -0.4 -0.19 -0.24 C -0.19 -0.08 0.02 -0.02 0.04 0.16 Z",
                cut=True,
            ),
            SignPart("M -0.62 -0.44 L -0.56 -0.34 L 0.62 -0.68 L 0.56 -0.8 Z"),
            SignPart("M 0.62 -0.44 L 0.56 -0.34 L -0.62 -0.68 L -0.56 -0.8 Z"),
        ),
    ),
    Room.SHOP: Sign(
        "#a86f00",
        (
            SignPart("M -0.16 0.44 L -0.36 0.8 Q -0.16 0.68 0 0.78 Q 0.16 0.68 0.36 0.8 L 0.16 0.44 Z"),
            SignPart("M -0.17 0.36 C -0.6 0.1 -0.86 -0.66 -0.4 -0.7 L 0.4 -0.7 C 0.86 -0.66 0.6 0.1 0.17 0.36 Z"),
            SignPart("$", cut=True, height=0.74),
        ),
    ),
    Room.TREASURE: Sign(
        "#8a3f86",
        (
            SignPart(
                "M -0.66 0.08 L -0.66 0.22 C -0.66 0.5 -0.5 0.6 -0.3 0.6 L 0.3 0.6 "
                "C 0.5 0.6 0.66 0.5 0.66 0.22 L 0.66 0.08 Z"
            ),
            SignPart("M -0.66 -0.02 L 0.66 -0.02 L 0.66 -0.58 L -0.66 -0.58 Z"),
            SignPart("M -0.17 0.2 L 0.17 0.2 L 0.17 -0.14 Q 0 -0.36 -0.17 -0.14 Z", cut=True),
            SignPart("M -0.07 0.1 L 0.07 0.1 L 0.07 -0.12 L -0.07 -0.12 Z"),
        ),
    ),
    Room.BOSS: Sign("#2b2420", (*CROWN, *HORNS, *SKULL)),
}
"""The signs of all rooms. The discs also differ in brightness, and every sign has a shape of its own."""


def outline(part: SignPart) -> Outline:
    """Return a part as an outline for Matplotlib; a character is centred."""
    if len(part.shape) == 1:
        return _character(part)
    from matplotlib.path import Path as Outline

    codes = {"M": (Outline.MOVETO,), "L": (Outline.LINETO,), "Q": (Outline.CURVE3,) * 2, "C": (Outline.CURVE4,) * 3}
    vertices: list[tuple[float, float]] = []
    kinds: list[Any] = []
    for letter, numbers in re.findall(r"([MLQC])([-\d. ]+)", part.shape):
        places = [float(number) for number in numbers.split()]
        vertices += list(zip(places[::2], places[1::2], strict=True))
        kinds += codes[letter]
    return Outline([*vertices, vertices[0]], [*kinds, Outline.CLOSEPOLY])


def _character(part: SignPart) -> Outline:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath
    from matplotlib.transforms import Affine2D

    raw = TextPath((0, 0), part.shape, size=100, prop=FontProperties(family="DejaVu Sans", weight="bold"), usetex=False)
    box = raw.get_extents()
    centre = ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2)
    place = Affine2D().translate(-centre[0], -centre[1]).scale(part.height / box.height)
    lower = -0.18 if part.cut else 0.0  # the $ on a shop's bag, which is widest below its middle
    return place.translate(0, lower).transform_path(raw)
