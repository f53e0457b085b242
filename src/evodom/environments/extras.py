"""Imports of libraries that an extra installs."""

from collections.abc import Iterator
from contextlib import contextmanager

from evodom.errors import UsageError, install_advice


class MissingExtra(UsageError, ImportError):
    """A library of an extra is not installed."""


@contextmanager
def importing(library: str, extra: str) -> Iterator[None]:
    """Raise MissingExtra if an import in the block fails. The message has the command that installs the extra."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingExtra(f"{library} is not installed. Install it: {install_advice(extra)}.") from error
