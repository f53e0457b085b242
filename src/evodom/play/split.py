"""Split the course of a game: what own decisions, opponents' decisions and luck changed of the chance to win.

For each change from one point of the curve to the next:

    change = own decisions + opponents' decisions + luck of the draw

The effect of a decision is measured against the network's choices (`thinking.review.effects`). Luck is the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evodom.thinking import review as thinking
from evodom.thinking.review import Moment, effects
from evodom.thinking.search import Search

Shares = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Step:
    """A decision of any player, between points number ``point`` and ``point + 1`` of the curve."""

    point: int
    moment: Moment


@dataclass(frozen=True)
class Split:
    """The changes between the points of the curve by their causes, (n_points - 1,) each, as shares of the win.

    The errors are the standard errors of the sums.
    """

    own: Shares
    others: Shares
    luck: Shares
    own_error: float
    others_error: float
    luck_error: float

    @property
    def sums(self) -> dict[str, tuple[float, float]]:
        """The sum of each cause, with its standard error."""
        return {
            "your decisions": (float(self.own.sum()), self.own_error),
            "opponents' decisions": (float(self.others.sum()), self.others_error),
            "luck of the draw": (float(self.luck.sum()), self.luck_error),
        }


def split(
    search: Search, steps: Sequence[Step], curve: Shares, seat: int, rng: np.random.Generator, *, over: bool
) -> Split:
    """Split the changes of ``curve``, the chances of ``seat``; if the game is ``over``, it ends with the result."""
    own, own_error = _summed(search, [one for one in steps if one.moment.state.decider == seat], curve, seat, rng)
    others, others_error = _summed(search, [one for one in steps if one.moment.state.decider != seat], curve, seat, rng)
    ends = curve[:1] if over else curve[[0, -1]]
    variance = float((ends * (1 - ends)).sum()) / thinking.ROLLOUTS_CHANCES
    luck_error = float(np.sqrt(own_error**2 + others_error**2 + variance))
    return Split(own, others, np.diff(curve) - own - others, own_error, others_error, luck_error)


def _summed(
    search: Search, steps: Sequence[Step], curve: Shares, seat: int, rng: np.random.Generator
) -> tuple[Shares, float]:
    """Return the sum of the effects of decisions between each two points, and the standard error of the whole sum."""
    found, errors = effects(search, [one.moment for one in steps], seat, rng)
    summed = np.zeros(len(curve) - 1)
    np.add.at(summed, [one.point for one in steps], found)
    return summed, float(np.sqrt((errors**2).sum()))
