"""Read the fields of a file with checks: every error is one line that says which key, what was got, what is allowed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from difflib import get_close_matches
from typing import Any, TypeVar

from evodom.errors import UsageError

T = TypeVar("T")

MAX_BYTES = 200_000
"""The longest file that is read."""


class Table:
    """A table of a file, whose keys are all known; `where` is how errors begin that are about one of its keys."""

    def __init__(self, content: Any, keys: Iterable[str], where: str = "") -> None:
        """Check the keys; UsageError for what is no table or has a key that is not among `keys`."""
        self.keys, self.where = tuple(keys), where
        if not isinstance(content, dict):
            raise UsageError(f"{where.rstrip('.')} is {kind(content)}. Allowed: a table of {', '.join(self.keys)}.")
        self.content: dict[str, Any] = content
        for key in content:
            if key not in self.keys:
                near = get_close_matches(key[:60], self.keys, n=1)
                hint = f"Did you mean {near[0]}? " if near else ""
                raise UsageError(f"{where}{plain(key)} is no key. {hint}Allowed: {', '.join(self.keys)}.")

    def __contains__(self, key: str) -> bool:
        return key in self.content

    def need(self, key: str, allowed: str) -> Any:
        """Return what a key has; UsageError if it is missing."""
        if key not in self.content:
            raise UsageError(f"{self.where}{key} is missing. Allowed: {allowed}.")
        return self.content[key]

    def whole(self, key: str, least: int, most: int) -> int:
        """Return a whole number."""
        allowed = f"a whole number from {least} to {most}"
        return whole(self.need(key, allowed), f"{self.where}{key}", least, most)

    def number(self, key: str, least: int, most: int) -> float:
        """Return a number."""
        allowed = f"a number from {least} to {most}"
        value = self.need(key, allowed)
        return float(decimal(value, f"{self.where}{key}", least, most))

    def text(self, key: str, allowed: str) -> str:
        """Return a text; a list of texts is put together with commas."""
        value = self.need(key, allowed)
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return ", ".join(value)
        if not isinstance(value, str):
            raise UsageError(f"{self.where}{key} is {kind(value)}. Allowed: {allowed}.")
        return value

    def choice(self, key: str, allowed: Iterable[str]) -> str:
        """Return one of the allowed texts."""
        listed = ", ".join(f'"{one}"' for one in allowed)
        value = self.need(key, listed)
        if not isinstance(value, str) or value not in tuple(allowed):
            raise UsageError(f"{self.where}{key} is {kind(value)}. Allowed: {listed}.")
        return value

    def named(self, key: str, allowed: str, read: Callable[[str], T]) -> T:
        """Return what `read` makes of a text; its errors get the key."""
        text = self.text(key, allowed)
        with under(f"{self.where}{key}"):
            return read(text)

    def amounts(self, key: str, allowed: str) -> dict[str, Any]:
        """Return a table of amounts by name."""
        value = self.need(key, allowed)
        if not isinstance(value, dict):
            raise UsageError(f"{self.where}{key} is {kind(value)}. Allowed: {allowed}.")
        return value


@contextmanager
def under(where: str) -> Iterator[None]:
    """Have errors begin with where they are."""
    try:
        yield
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from None


def whole(value: Any, where: str, least: int, most: int) -> int:
    """Return a whole number of a file."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise UsageError(f"{where} is {kind(value)}. Allowed: a whole number from {least} to {most}.")
    return value


def decimal(value: Any, where: str, least: int, most: int) -> Decimal:
    """Return a number of a file, exactly as it is written, with at most three decimals."""
    good = isinstance(value, int | Decimal) and not isinstance(value, bool)
    if good and Decimal(value).is_finite() and least <= value <= most:
        number = Decimal(value)
        if number == number.quantize(Decimal("0.001")):
            return number
    raise UsageError(f"{where} is {kind(value)}. Allowed: a number from {least} to {most}, at most three decimals.")


def plain(key: str) -> str:
    """Return a key for an error message, in quotes unless it is a simple word."""
    if key.isidentifier() and key.isascii() and len(key) <= 40:
        return key
    return repr(key) if len(repr(key)) <= 40 else f"{repr(key)[:37]}..."


def kind(value: Any) -> str:
    """Return a value of a file for an error message, in few words."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "an empty list" if not value else "a list"
    words = repr(value) if isinstance(value, str) else str(value)
    return words if len(words) <= 40 else f"{words[:37]}..."
