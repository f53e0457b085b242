"""A table as a picture, for the render mode "rgb_array": lines of text, and zones of cards as tiles."""

from collections.abc import Mapping, Sequence
from functools import cache
from textwrap import wrap
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import find_card
from evodom.dominion.effects.effect import Type
from evodom.environments.extras import importing

Picture = npt.NDArray[np.uint8]

# Size of each picture in pixels. Videos need frames of one size. Lines and tiles below the frame are cut off.
WIDTH, HEIGHT = 960, 540

_MARGIN, _LINE, _TILE = 10, 18, 44
_TILES_PER_ROW, _LETTERS = 8, 140
_PAPER, _INK = "#f4efe6", "#2b2420"

_COLOURS = (
    (Type.CURSE, "#b48cc8"),
    (Type.ATTACK, "#e08a7a"),
    (Type.REACTION, "#8fb4dc"),
    (Type.DURATION, "#f0b060"),
    (Type.TREASURE, "#e6c84f"),
    (Type.VICTORY, "#8cbf7a"),
    (Type.ACTION, "#dcd6cc"),
)
"""Colours of tiles by the first type that a card has."""


class CardTile(NamedTuple):
    """A card on the table and a note below its name."""

    card: str
    note: str


def draw_table(lines: Sequence[str], zones: Mapping[str, Sequence[CardTile]]) -> Picture:
    """Draw lines of text, then the tiles of each zone. Return the picture, (HEIGHT, WIDTH, 3) uint8."""
    with importing("Pillow", "rl"):
        from PIL import Image, ImageDraw
    image = Image.new("RGB", (WIDTH, HEIGHT), _PAPER)
    pen, top = ImageDraw.Draw(image), _MARGIN
    for line in lines:
        for part in wrap(line, _LETTERS, subsequent_indent="    "):
            pen.text((_MARGIN, top), part, _INK, _font())
            top += _LINE
    for zone, tiles in zones.items():
        pen.text((_MARGIN, top + _LINE // 2), zone, _INK, _font())
        top += 2 * _LINE
        for number, tile in enumerate(tiles):
            row, column = divmod(number, _TILES_PER_ROW)
            _draw_tile(pen, tile, _MARGIN + column * ((WIDTH - _MARGIN) // _TILES_PER_ROW), top + row * _TILE)
        top += -(-len(tiles) // _TILES_PER_ROW) * _TILE
    return np.array(image)


def _draw_tile(pen: Any, tile: CardTile, left: int, top: int) -> None:
    """Draw a card at a place of the picture, in the colour of its type."""
    types = find_card(tile.card).types
    colour = next(colour for kind, colour in _COLOURS if kind in types)
    right, bottom = left + (WIDTH - _MARGIN) // _TILES_PER_ROW - 6, top + _TILE - 6
    pen.rounded_rectangle((left, top, right, bottom), 5, fill=colour, outline=_INK)
    pen.text((left + 5, top + 2), tile.card, _INK, _font())
    pen.text((left + 5, top + 2 + _LINE), tile.note, _INK, _font())


@cache
def _font() -> Any:
    """Return Pillow's own font, so that the picture is the same on each machine."""
    from PIL import ImageFont

    return ImageFont.load_default(13)
