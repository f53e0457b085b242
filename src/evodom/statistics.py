"""Confidence intervals: of shares of games (Wilson) and of means (normal)."""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

DEFAULT_CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Share:
    """A share of games in [0, 1] with its confidence interval."""

    share: float
    low: float
    high: float
    n_games: int

    @property
    def value(self) -> float:
        """The share, by the name that every estimate has."""
        return self.share


@dataclass(frozen=True, slots=True)
class IntervalEstimate:
    """An estimated number with its confidence interval."""

    value: float
    low: float
    high: float


def quantile(confidence: float) -> float:
    """Return the half-width, in standard errors, of the two-sided normal interval with this confidence."""
    return NormalDist().inv_cdf((1.0 + confidence) / 2.0)


def half_width(error: float, confidence: float = DEFAULT_CONFIDENCE) -> float:
    """Return half the width of the normal interval of an estimate with this standard error."""
    return quantile(confidence) * error


def wilson(wins: float, n_games: int, confidence: float = DEFAULT_CONFIDENCE) -> Share:
    """Return the share of ``wins`` with its Wilson score interval (Wilson 1927).

    A game counts from 0 to 1; a victory shared by k players counts 1/k. Such results vary less than those of a coin
    with the same mean. The interval is then slightly too wide, not too narrow.
    """
    share = wins / n_games
    widening = quantile(confidence) ** 2 / n_games
    centre = (share + widening / 2) / (1 + widening)
    half = float(np.sqrt(widening * (share * (1 - share) + widening / 4))) / (1 + widening)
    # At 0 and 1 an end of the interval equals the share up to rounding errors, which are removed here.
    return Share(share, min(share, max(0.0, centre - half)), max(share, min(1.0, centre + half)), n_games)


def mean_interval(values: npt.NDArray[np.float64], confidence: float = DEFAULT_CONFIDENCE) -> IntervalEstimate:
    """Return the mean of independent values, one a game, with its normal interval."""
    mean = float(values.mean())
    half = quantile(confidence) * float(values.std(ddof=1)) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return IntervalEstimate(mean, mean - half, mean + half)
