"""The groups of enemies that a person names for a fight to be solved: one group, left to right."""

from __future__ import annotations

from evodom.spire.exact.known import UnknownToSolver
from evodom.spire.fights.naming import find_enemies, letters, short

SHORT = {
    "tworedlouses": "Red Louse, Red Louse",
    "twolouses": "Red Louse, Green Louse",
    "twogreenlouses": "Green Louse, Green Louse",
    "smallslimes": "Spike Slime (S), Acid Slime (M)",
    "othersmallslimes": "Acid Slime (S), Spike Slime (M)",
}
"""Groups by the letters of their names, where the encounter of the act would be one of several groups."""


def spelled(text: str) -> str:
    """Return a text in which the groups that have short names are spelled out."""
    return ", ".join(SHORT.get(letters(part), part) for part in text.split(","))


def find_group(text: str) -> tuple[str, ...]:
    """Read "cultist", "sentries" or "Red Louse, Green Louse" into the names of enemies.

    Raises UsageError for a text that means no enemies, `UnknownToSolver` for an encounter with one of several groups.
    """
    groups = find_enemies(spelled(text))
    if len(groups) > 1:
        one = ", ".join(groups.most_likely())
        raise UnknownToSolver(f"{short(text)} may be one of {len(groups)} groups of enemies. Name one, such as {one}.")
    ((group, _),) = groups
    return group
