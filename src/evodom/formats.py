"""Formats of saved files: each kind of file has one version of its format, and files of other versions are refused.

Increase the version of a `FileFormat` when the content of its files changes, or when equal rows of a game play
differently. Nothing converts a file. A refused file stays where it is; it is listed and can be deleted.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evodom import __version__
from evodom.errors import RunError, short

RULES = "rules"
"""Entry of a file with the fingerprint of its game's rules."""


def versions() -> dict[str, str]:
    """Return the versions of evodom, Python, NumPy and Numba."""
    from importlib.metadata import version
    from platform import python_version

    libraries = {name: version(name) for name in ("numpy", "numba")}
    return {"evodom": __version__, "python": python_version()} | libraries


@dataclass(frozen=True)
class FileFormat:
    """A kind of saved file: its noun, and the only version of its format that is written and read."""

    noun: str
    version: int

    def stamp(self, rules: str = "") -> dict[str, Any]:
        """Return the first entries of a new file: format, version of evodom, fingerprint of the game's rules."""
        return {"format": self.version, "evodom_version": __version__, RULES: rules}

    def check(self, where: str, saved: Mapping[str, object], rules: str | None = None) -> None:
        """Raise RunError unless a file has this format and, unless None, these rules. ``where`` names the file."""
        form, made = saved.get("format"), saved.get(RULES)
        if type(form) is not int or form != self.version:
            self._refuse(where, saved, f"format {short(form)}", f"reads format {self.version}")
        if rules is not None and made != rules:
            self._refuse(where, saved, f"rules {short(made)}", f"has rules '{rules}'")

    def _refuse(self, where: str, saved: Mapping[str, object], found: str, present: str) -> None:
        writer = saved.get("evodom_version")
        by = f"evodom {writer}" if isinstance(writer, str) and len(writer) < 40 else "an unknown version"
        raise RunError(
            f"{where} is a {self.noun} of {found}, written by {by}; evodom {__version__} {present}. "
            "Open it with the version that wrote it, or delete it."
        )
