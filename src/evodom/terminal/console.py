"""Play a session at a terminal: the console, and the loop that reads and executes lines and saves the session."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from textwrap import wrap
from typing import Generic, TypeVar

import click

from evodom.dominion.cards import CARDS
from evodom.dominion.effects.effect import Type
from evodom.errors import EvodomError
from evodom.sessions.files import ChangedElsewhere, Session, Slot, write_session

PROMPT = "> "

MAX_IDLE_LINES = 200
"""Maximum number of successive lines without effect. More of them end the session."""

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
"""Prefix of a warning line."""

MAX_WIDTH = 120
"""Maximum width of a screen. Longer lines are hard to read."""


@dataclass(frozen=True)
class Size:
    """The columns and lines of a terminal."""

    width: int = 80
    height: int = 24


@dataclass(frozen=True)
class Console:
    """The input and output of a terminal. ``read`` returns a line without its end, or raises EOFError without input.

    ``write`` prints a line. With ``colour`` card names are coloured by type. ``clear`` empties the screen. ``measure``
    returns the present size.
    """

    read: Callable[[str], str]
    write: Callable[[str], None]
    colour: bool = False
    clear: Callable[[], None] | None = None
    measure: Callable[[], Size] = Size
    has_block_characters: bool = True
    """True if curves can be drawn with block characters."""

    @property
    def size(self) -> Size:
        """The current size, at least MIN_SIZE and at most MAX_WIDTH columns wide."""
        found = self.measure()
        return Size(max(MIN_SIZE.width, min(found.width, MAX_WIDTH)), max(MIN_SIZE.height, found.height))

    def show(self, lines: Iterable[str]) -> None:
        """Print lines."""
        for line in lines:
            self.write(paint(line) if self.colour else line)


MIN_SIZE = Size(40, 16)
"""Minimum size of screens. Smaller terminals show only a part."""


def paint(line: str) -> str:
    """Return a line with its card names coloured by type. A warning is red."""
    if line.startswith(WARNING):
        return click.style(line, fg="red", bold=True)

    def styled(match: re.Match[str]) -> str:
        types = CARDS[match[0]].types
        return click.style(match[0], fg=next(colour for kind, colour in _COLOURS if kind in types))

    return _CARD_NAMES.sub(styled, line)


class SessionEnd(Enum):
    """The reason why a session at a terminal ended."""

    OVER = "over"
    LEFT = "left"
    NO_INPUT = "no input"
    INTERRUPTED = "interrupted"


class PersonLeft(Exception):
    """The person typed quit."""


S = TypeVar("S", bound=Session)


class Terminal(ABC, Generic[S]):
    """One person at one session. A subclass shows it and executes lines.

    The session is saved in ``slot`` after each line that changed it. An existing file is overwritten only if it is this
    session's (``is_saved``) or with ``may_replace``. Otherwise the session takes the next free slot.
    """

    def __init__(
        self, session: S, console: Console, slot: Slot, *, is_saved: bool = False, may_replace: bool = False
    ) -> None:
        self.session, self.console, self.slot = session, console, slot
        self.is_saved, self.may_replace = is_saved, may_replace
        self.is_lost = False
        """True if the session could not be saved at its end."""
        self._n_idle = 0
        self._notes: list[str] = []
        self._has_failed = False
        """True if the last attempt to save the session failed."""

    @abstractmethod
    def _play(self) -> None:
        """Play until the session is over. Raises PersonLeft if the person quits. Errors of the console pass through."""

    @abstractmethod
    def _read_again(self) -> None:
        """Replace the session by the one in its file. Raises EvodomError if it cannot be read."""

    @abstractmethod
    def _end(self, outcome: SessionEnd) -> None:
        """Show the end, and save the session."""

    def run(self) -> SessionEnd:
        """Play until the session is over, the person leaves or the input ends. Return the reason of the end."""
        outcome = SessionEnd.OVER
        try:
            self._play()
        except PersonLeft:
            outcome = SessionEnd.LEFT
        except EOFError:
            outcome = SessionEnd.NO_INPUT
        except KeyboardInterrupt:
            outcome = SessionEnd.INTERRUPTED
        self._end(outcome)
        return outcome

    @property
    def _width(self) -> int:
        return self.console.size.width

    def _read(self) -> str:
        """Return the next line. Raise EOFError after MAX_IDLE_LINES successive lines without effect."""
        self._n_idle += 1
        if self._n_idle > MAX_IDLE_LINES:
            self._say(f"{MAX_IDLE_LINES} lines in a row had no effect: leaving the {self.session.kind.noun}.")
            raise EOFError
        return self.console.read(PROMPT)

    def _say(self, *texts: str) -> None:
        """Show messages, wrapped."""
        for text in texts:
            self.console.show(wrap(text, self._width, subsequent_indent="  "))

    def _save_quietly(self) -> None:
        """Save the session after a line that has changed it. A failure is noted once, and the session goes on."""
        if not self.session.is_begun and not self.is_saved:
            return
        objection = self._write()
        if objection and not self._has_failed:
            self._notes.append(objection)
        self._has_failed = bool(objection)

    def _save_and_leave(self) -> str:
        """Save the session and show how to continue it. Return why it could not be saved, "" if it was."""
        objection = self._write()
        self._say(*self._notes)
        self.is_lost = bool(objection)
        if not objection:
            noun = self.session.kind.noun
            self.console.show([f"The {noun} is saved. Continue it with:", f"  {self.slot.continue_command}"])
        return objection

    def _write(self) -> str:
        """Save the session. Return why it could not be saved, "" if it was.

        If another program has changed the file, the session is read again, and a note is added.
        """
        is_new = not (self.is_saved or self.may_replace)
        try:
            if is_new:
                self.slot = self.slot.claimed()
            try:
                write_session(self.slot.path, self.session, overwrite=not (self.is_saved or is_new))
            except ChangedElsewhere as error:
                self._read_again()
                noun = self.session.kind.noun
                self._notes = [f"{sentence(error)} The {noun} continues from there, without unsaved choices."]
        except EvodomError as error:
            if is_new:
                self.slot.release()
            return sentence(error)
        self.is_saved = True
        return ""


def sentence(error: EvodomError) -> str:
    """Return an error as a sentence with a capital letter."""
    text = str(error)
    return text[:1].upper() + text[1:]
