"""Attribute changes of the chance to win to own decisions, opponents' decisions and luck.

The curve has the chance to win at the start of each own turn. Its last point is the result of the game, or the chance
now. For each change between two points:

    change = own decisions + opponents' decisions + luck of the draw

The effect of a decision is its gain over the network's mixture of choices (`thinking.review.effects`). Luck is the
rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evodom.matches import review
from evodom.matches.playout_search import PlayoutSearch

Curve = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Step:
    """A decision of any player. It lies between points ``point`` and ``point + 1`` of the curve."""

    point: int
    moment: review.Moment


@dataclass(frozen=True)
class Split:
    """Changes of the chance to win by cause. Each array has the shape (n_points - 1,).

    Each ``*_error`` is the standard error of the sum over that array.
    """

    own: Curve
    others: Curve
    luck: Curve
    own_error: float
    others_error: float
    luck_error: float

    @property
    def sums(self) -> dict[str, tuple[float, float]]:
        """Return, for each label of a cause, the total change and its standard error."""
        return {
            "your decisions": (float(self.own.sum()), self.own_error),
            "opponents' decisions": (float(self.others.sum()), self.others_error),
            "luck of the draw": (float(self.luck.sum()), self.luck_error),
        }


def split(
    search: PlayoutSearch, steps: Sequence[Step], curve: Curve, seat: int, rng: np.random.Generator, *, over: bool
) -> Split:
    """Split the changes of ``curve``, the win chances of ``seat``. If ``over``, its last point is the exact result."""
    own, own_error = _summed(search, [one for one in steps if one.moment.state.decider == seat], curve, seat, rng)
    others, others_error = _summed(search, [one for one in steps if one.moment.state.decider != seat], curve, seat, rng)
    estimated_ends = curve[:1] if over else curve[[0, -1]]  # The result of a finished game has no error.
    variance = float((estimated_ends * (1 - estimated_ends)).sum()) / review.ROLLOUTS_CHANCES
    luck_error = float(np.sqrt(own_error**2 + others_error**2 + variance))
    return Split(own, others, np.diff(curve) - own - others, own_error, others_error, luck_error)


def _summed(
    search: PlayoutSearch, steps: Sequence[Step], curve: Curve, seat: int, rng: np.random.Generator
) -> tuple[Curve, float]:
    """Sum the effects of decisions per interval of the curve. Return also the standard error of the total."""
    found, errors = review.effects(search, [one.moment for one in steps], seat, rng)
    summed = np.zeros(len(curve) - 1)
    np.add.at(summed, [one.point for one in steps], found)
    return summed, float(np.sqrt((errors**2).sum()))
