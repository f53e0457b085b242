"""Where a game is shown and a person types: injected, so that it can be a terminal, a pipe or a test."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import click

from evodom.dominion.cards import CARDS
from evodom.dominion.engine.effects import Type

_COLOURS = (
    (Type.CURSE, "magenta"),
    (Type.ATTACK, "red"),
    (Type.REACTION, "blue"),
    (Type.TREASURE, "yellow"),
    (Type.VICTORY, "green"),
    (Type.ACTION, "cyan"),
)
_CARD_NAMES = re.compile(r"\b(" + "|".join(sorted(CARDS, key=len, reverse=True)) + r")\b")


WARNING = "! "
"""What a line begins with that is to be seen."""

WIDEST = 120
"""A wider terminal is not filled: longer lines are hard to read."""


@dataclass(frozen=True)
class Size:
    """How many columns and lines there are to write on."""

    width: int = 80
    height: int = 24


@dataclass(frozen=True)
class Console:
    """``read`` returns a line without its end and raises EOFError when there is none; ``write`` prints a line.

    ``colour`` styles card names by type; ``clear`` begins a screen at the top of an empty one; ``measure`` returns the
    size, which may change.
    """

    read: Callable[[str], str]
    write: Callable[[str], None]
    colour: bool = False
    clear: Callable[[], None] | None = None
    measure: Callable[[], Size] = Size
    has_blocks: bool = True
    """True if curves can be drawn with block characters."""

    @property
    def size(self) -> Size:
        """The size now, within what a table can be drawn on."""
        found = self.measure()
        return Size(max(MIN_SIZE.width, min(found.width, WIDEST)), max(MIN_SIZE.height, found.height))

    def show(self, lines: Iterable[str]) -> None:
        """Print lines."""
        for line in lines:
            self.write(paint(line) if self.colour else line)


MIN_SIZE = Size(40, 16)
"""What is drawn on a smaller terminal is cut off by it."""


def paint(line: str) -> str:
    """Return a line with its card names coloured by type; a warning is red as a whole."""
    if line.startswith(WARNING):
        return click.style(line, fg="red", bold=True)
    return _CARD_NAMES.sub(lambda match: click.style(match[0], fg=_colour(match[0])), line)


def _colour(name: str) -> str:
    return next(colour for kind, colour in _COLOURS if kind in CARDS[name].types)
