"""Versions of a game's rules: strategies found under some rules say under which."""

from dataclasses import dataclass

FIRST = 1
"""The version of the rules that a game began with, and of what was saved before runs noted one."""


@dataclass(frozen=True)
class Rules:
    """The rules of a game as evodom plays it; their version is the number of changes so far, and one.

    ``changes`` says in a few words what each version changed, from version 2 on.
    """

    game: str
    changes: tuple[str, ...] = ()

    @property
    def version(self) -> int:
        """The version that is played now."""
        return FIRST + len(self.changes)

    def since(self, version: int) -> tuple[str, ...]:
        """Return what was changed since a version, in order; nothing for the present one."""
        return self.changes[version - FIRST :]
