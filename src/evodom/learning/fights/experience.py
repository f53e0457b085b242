"""What a fight that was played teaches: the moves that were tried, and what each position turned out to be worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.spire.play.estimates import Trajectory

Vector = npt.NDArray[np.float32]


@dataclass(frozen=True)
class TrainingData:
    """Positions to learn from: `seen` and `tried` as in `Notes`, `aims` (n, 2) float32 the gain and the death."""

    seen: Vector
    tried: Vector
    aims: Vector

    def __len__(self) -> int:
        return len(self.aims)


def together(parts: Sequence[TrainingData]) -> TrainingData:
    """Return several experiences as one."""
    return TrainingData(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in ("seen", "tried", "aims"))
    )


def td_targets(notes: Trajectory, result: tuple[float, float], unit: float, trace: float) -> TrainingData:
    """Return what a fight teaches that paid and was lost as `result` says.

    What a position is worth is by `trace` what came of it, as it was judged later on and paid in the end, and otherwise
    what the search found there. What came of a move that was not the best is left out: it says nothing of good play.
    """
    aims = np.zeros((len(notes.notes), 2), np.float32)
    later: Any = np.array(result)
    for place in range(len(notes.notes) - 1, -1, -1):
        note = notes.notes[place]
        here = np.array([note["value"], note["death"]])
        later = trace * later + (1.0 - trace) * here if note["best"] else here
        aims[place] = (later[0] - note["stands"]) / unit, later[1]
    return TrainingData(notes.seen, notes.tried, aims)
