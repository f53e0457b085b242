"""Confidence intervals of shares of games (Wilson) and of means (normal, Student); tests of paired differences."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin, sqrt, tan
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


def student_quantile(n_free: int, confidence: float = DEFAULT_CONFIDENCE) -> float:
    """Return the half-width, in standard errors, of Student's two-sided interval with ``n_free`` degrees of freedom.

    Invert the finite series of Abramowitz and Stegun, 26.7.3 and 26.7.4, by bisection.
    """
    low, high = 0.0, pi / 2
    for _ in range(60):
        angle = (low + high) / 2
        low, high = (angle, high) if _student_share(angle, n_free) < confidence else (low, angle)
    return sqrt(n_free) * tan(low)


def _student_share(angle: float, n_free: int) -> float:
    """Return the probability that |t| is at most the square root of ``n_free`` times the tangent of an angle."""
    is_odd = n_free % 2
    term, total = (cos(angle) if is_odd else 1.0), 0.0
    for power in range(1 + is_odd, n_free, 2):
        total += term
        term *= cos(angle) ** 2 * power / (power + 1)
    total *= sin(angle)
    return 2 / pi * (angle + total) if is_odd else total


def student_interval(values: Sequence[float], confidence: float = DEFAULT_CONFIDENCE) -> IntervalEstimate:
    """Return the mean of at least two independent values with Student's interval."""
    mean, n = float(np.mean(values)), len(values)
    half = student_quantile(n - 1, confidence) * float(np.std(values, ddof=1)) / sqrt(n)
    return IntervalEstimate(mean, mean - half, mean + half)


def sign_flip_p(differences: Sequence[float]) -> float:
    """Return the two-sided p value of the exact sign-flip permutation test (Fisher 1935) that the mean is zero.

    It is the share of all choices of signs whose mean is at least as far from zero. There are 2 ** n of them.
    """
    flipped = np.zeros(1)
    for difference in differences:
        flipped = np.concatenate([flipped + difference, flipped - difference])
    tolerance = 1e-12 * float(np.abs(differences).sum())
    return float((np.abs(flipped) >= abs(float(np.sum(differences))) - tolerance).mean())


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p values adjusted for their number by the step-down method of Holm (1979)."""
    adjusted, largest = [0.0] * len(p_values), 0.0
    for rank, number in enumerate(sorted(range(len(p_values)), key=lambda number: p_values[number])):
        largest = max(largest, min(1.0, p_values[number] * (len(p_values) - rank)))
        adjusted[number] = largest
    return adjusted


def evenly_spaced(values: Sequence[int], n: int) -> list[int]:
    """Return up to ``n`` of some values, evenly spaced, with the first and the last."""
    places = np.unique(np.linspace(0, len(values) - 1, min(n, len(values))).round())
    return [values[int(place)] for place in places]
