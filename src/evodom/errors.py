"""The exceptions that evodom raises on purpose, and helpers for the text of errors.

EvodomError                     a failure with a message of one line (exit code 1)
├── UsageError                  bad input (exit code 2)
│   └── IllegalChoice           a choice that the pending Decision does not allow
├── AgentError                  an agent of the user that fails or returns a choice that is not allowed
└── RunError                    a saved run that is missing, damaged, newer than this program or in use
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

MAX_WORD_LENGTH = 300
MAX_LINE_LENGTH = 2000
"""Maximum number of characters of a word, and of a whole message. Inputs quoted in a message may be of any length."""

MAX_NAMES = 5
"""Maximum number of known names that an error lists in full."""


def one_line(text: object, max_length: int = MAX_LINE_LENGTH) -> str:
    """Return a text as one line that is safe to print on a terminal.

    Characters that are not printable, such as those of escape sequences, are escaped. The middle of words and of texts
    that are too long is left out.
    """
    lines = " ".join(filter(None, map(str.strip, str(text).split("\n"))))
    brief = _cut(_cut_words(lines), 10 * max_length)
    return _cut(_cut_words(printable(brief)), max_length)


def printable(text: str) -> str:
    """Escape the characters of a text that are not printable, such as those of escape sequences."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def short(value: object, max_length: int = 40) -> str:
    """Return the repr of a value for an error message, cut to ``max_length`` characters; "missing" for None."""
    if value is None:
        return "missing"
    try:
        words = repr(value)
    except (ValueError, RecursionError):  # integers of thousands of digits have no repr, nor have their containers
        return "a number too large to show"
    return words if len(words) <= max_length else f"{words[: max_length - 3]}..."


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a question that suggests the known word most similar to ``word``, "" if none is similar."""
    from difflib import get_close_matches

    near = get_close_matches(word[:MAX_WORD_LENGTH], list(known), n=1)
    return f"Did you mean {near[0]}?" if near else ""


def suggest_names(name: str, known: Sequence[str], listing: str, *, cutoff: float = 0.6) -> str:
    """Return a sentence with all known names if they are few, else with the nearest names and the command ``listing``.

    The nearest are up to three names with a similarity of at least ``cutoff``, from 0 to 1.
    """
    from difflib import get_close_matches

    if len(known) <= MAX_NAMES:
        return f"Known: {', '.join(sorted(known)) or 'none'}."
    folded = {each.casefold(): each for each in known}
    near = [folded[each] for each in get_close_matches(name.casefold(), folded, n=3, cutoff=cutoff)]
    nearest = f"Nearest: {', '.join(near)}. " if near else ""
    return f"{nearest}All {len(known)} are listed by: {listing}."


def split_names(text: str, is_name: Callable[[str], object], max_words: int = 4) -> list[str]:
    """Return the names in a text that has spaces between them; [] if a part is no name.

    Names have at most ``max_words`` words. Longer names take precedence.
    """
    words, names = text[:MAX_LINE_LENGTH].split(), list[str]()
    while words:
        sizes = range(min(len(words), max_words), 0, -1)
        n = next((n for n in sizes if is_name(" ".join(words[:n]))), 0)
        if not n:
            return []
        names.append(" ".join(words[:n]))
        del words[:n]
    return names


def missing_comma(text: str, is_name: Callable[[str], object]) -> str:
    """Return a sentence with the names of a text if only the commas between them are missing, else ""."""
    names = split_names(text, is_name)
    return f"Commas are missing between the names: {', '.join(names)}." if len(names) > 1 else ""


def install_advice(extra: str) -> str:
    """Return the commands that install an extra of the package, from a wheel and in a clone."""
    return f'pip install "evodom[{extra}]", or in a clone: pip install -e ".[{extra}]"'


def _cut_words(text: str) -> str:
    """Leave out the middle of words longer than MAX_WORD_LENGTH."""
    # Every word is matched whole: a pattern with a minimum length would be tried again at each of its letters.
    return re.sub(r"\S+", lambda word: word[0] if len(word[0]) <= MAX_WORD_LENGTH else _cut(word[0], 100), text)


def _cut(text: str, max_length: int) -> str:
    """Leave out the middle of a text longer than ``max_length``."""
    half = (max_length - 3) // 2
    return text if len(text) <= max_length else f"{text[:half]}...{text[-half:]}"


class EvodomError(Exception):
    """Base of the errors that evodom raises on purpose. The message is one line for the user."""

    exit_code = 1

    def __str__(self) -> str:
        return one_line(super().__str__())


class UsageError(EvodomError, ValueError):
    """The input is invalid. The message contains the problem, the given value, the allowed values and a next step."""

    exit_code = 2


class IllegalChoice(UsageError):
    """The pending Decision does not allow this choice."""


def illegal_action(action: object, legal: Mapping[int, str], where: str = "") -> IllegalChoice:
    """Return the error of an illegal action. ``legal`` are the numbers and names of the legal actions."""
    allowed = ", ".join(f"{number} ({name})" for number, name in legal.items()) or "none: the game is over"
    return IllegalChoice(f"action {short(action)}{where} is not legal. Allowed: {allowed}.")


class AgentError(EvodomError):
    """An agent of the user fails, or returns a choice that the Decision does not allow."""


class RunError(EvodomError):
    """A saved run is missing, damaged, newer than this program, or in use."""


@contextmanager
def errors_at(place: str) -> Iterator[None]:
    """Prefix the message of a UsageError with a place, such as a file or a key."""
    try:
        yield
    except UsageError as error:
        raise UsageError(f"{place}: {error}") from None
