"""The enemies that a person names for a fight to be solved exactly: one group, left to right."""

from __future__ import annotations

from evodom.spire.exact.known import UnknownToSolver
from evodom.spire.fights.names import find_enemies, short


def find_group(text: str) -> tuple[str, ...]:
    """Read "cultist", "sentries" or "Red Louse, Green Louse" into the names of enemies.

    Raises UsageError for a text that means no enemies, `UnknownToSolver` for an encounter with one of several groups.
    """
    groups = find_enemies(text)
    if len(groups) > 1:
        one = ", ".join(groups.most_likely())
        raise UnknownToSolver(f"{short(text)} may be one of {len(groups)} groups of enemies. Name one, such as {one}.")
    ((group, _),) = groups
    return group
