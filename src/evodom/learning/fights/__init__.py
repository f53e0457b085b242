"""Networks for fights, trained by playing them; and which saved runs are such trainings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evodom.runs import Run

KIND = "fights"
"""Marks a run of this kind."""

ACT, WITHOUT = "act1", "none"
"""What is named in place of the key of a training: the network of act 1 that comes with evodom, or none."""


def is_for_fights(run: Run) -> bool:
    """Tell whether a run is a training for fights."""
    return run.meta.get("kind") == KIND
