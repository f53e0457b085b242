"""Imports of libraries that an extra installs."""

from collections.abc import Iterator
from contextlib import contextmanager

from evodom.errors import UsageError, install_advice


class MissingExtra(UsageError, ImportError):
    """A library of an extra is not installed."""


@contextmanager
def importing(library: str, extra: str = "", *, packages: str = "") -> Iterator[None]:
    """Raise MissingExtra if an import in the block fails. The message has the command that installs the library.

    The library belongs to an ``extra``, or else to ``packages`` that users install themselves.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        advice = install_advice(extra) if extra else f"pip install {packages}"
        raise MissingExtra(f"{library} is not installed. Install it: {advice}.") from error
