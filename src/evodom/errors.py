"""The exceptions that evodom raises on purpose, as a tree.

EvodomError                     a failure, told in one line (exit code 1)
├── UsageError                  bad input (exit code 2)
│   └── IllegalChoice           an answer that the pending Decision does not allow
├── AgentError                  an agent of the user's own that fails or gives an answer that is not allowed
└── RunError                    a saved run that is missing, damaged, newer than this program or in use
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

LONGEST_WORD = 300
LONGEST_LINE = 2000
"""How many characters an error has of one word, and in all: what was given may have any number of them."""


def one_line(text: object, longest: int = LONGEST_LINE) -> str:
    """Return a text as one line that a terminal can be trusted with: printable, and short.

    What is not printable, as the escape sequences that a terminal obeys, is written out; of what is too long the middle
    is left out.
    """
    words = re.sub(r"\s*\n\s*", " ", str(text).strip())
    brief = _cut(_cut_words(words), 10 * longest)
    return _cut(_cut_words(printable(brief)), longest)


def printable(text: str) -> str:
    """Return a text with the characters written out that are not printable, such as those of escape sequences."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def short(value: object, longest: int = 40) -> str:
    """Return a value of a file for an error message: as Python writes it, cut if it is too long."""
    if value is None:
        return "missing"
    try:
        words = repr(value)
    except (ValueError, RecursionError):  # whole numbers of thousands of figures have no text, nor what holds them
        return "a number too large to tell"
    return words if len(words) <= longest else f"{words[: longest - 3]}..."


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a question that suggests the known word nearest to another, "" if none is near."""
    from difflib import get_close_matches

    near = get_close_matches(word[:LONGEST_WORD], list(known), n=1)
    return f"Did you mean {near[0]}?" if near else ""


def install_advice(extra: str) -> str:
    """Return the commands that install an extra of the package, from a wheel and in a clone."""
    return f'pip install "evodom[{extra}]", or in a clone: pip install -e ".[{extra}]"'


def _cut_words(text: str) -> str:
    """Leave out the middle of words that are too long."""
    return re.sub(rf"\S{{{LONGEST_WORD + 1},}}", lambda word: _cut(word[0], LONGEST_WORD // 3), text)


def _cut(text: str, longest: int) -> str:
    """Leave out the middle of a text that is too long."""
    half = (longest - 3) // 2
    return text if len(text) <= longest else f"{text[:half]}...{text[-half:]}"


class EvodomError(Exception):
    """The base of every error that evodom raises on purpose; its text is one line that a user can read."""

    exit_code = 1

    def __str__(self) -> str:
        return one_line(super().__str__())


class UsageError(EvodomError, ValueError):
    """The input cannot be used; the text says what is wrong, what was given, what is allowed and what to do."""

    exit_code = 2


class IllegalChoice(UsageError):
    """The pending Decision does not allow this answer."""


class AgentError(EvodomError):
    """An agent of the user's own fails, or gives an answer that the Decision does not allow."""


class RunError(EvodomError):
    """A saved run is missing, damaged, newer than this program, or in use."""


@contextmanager
def errors_at(place: str) -> Iterator[None]:
    """Put a place, such as a file or a key, before the text of a UsageError."""
    try:
        yield
    except UsageError as error:
        raise UsageError(f"{place}: {error}") from None
