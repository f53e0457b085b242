"""Pearson's chi-square tests: do samples fit a distribution, and do two samples come from the same one?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from math import erfc, exp, lgamma, log, sqrt

LEAST_EXPECTED = 5.0
"""Outcomes are pooled until so many are expected in each bin (the usual rule: Cochran 1954)."""


def fit_probability(samples: Sequence[Hashable], chances: Sequence[tuple[Hashable, float]]) -> float:
    """Return how likely samples fit `chances` no better than these do, if they were drawn from them.

    `chances` are (outcome, probability), each outcome once, summing to 1; every sample must be one of the outcomes.
    """
    seen = Counter(samples)
    expected = [float(share) * len(samples) for _, share in chances]
    bins = _bins(expected)
    return tail(_statistic(bins, expected, [seen[outcome] for outcome, _ in chances]), bins[-1])


def same_probability(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Return how likely two samples differ no less than these do, if both were drawn from the same distribution."""
    one, other = Counter(first), Counter(second)
    both = one + other
    share = len(first) / both.total()
    expected = [share * n for n in both.values()], [(1 - share) * n for n in both.values()]
    bins = _bins(expected[0] if share < 1 / 2 else expected[1])
    seen = [one[kind] for kind in both], [other[kind] for kind in both]
    return tail(sum(_statistic(bins, *sides) for sides in zip(expected, seen, strict=True)), bins[-1])


def tail(statistic: float, degrees: int) -> float:
    """Return the probability that a chi-square variable exceeds `statistic`; 1 if it has no degree of freedom.

    Closed forms of the upper incomplete gamma function: Abramowitz and Stegun 26.4.4 and 26.4.5.
    """
    if degrees < 1 or statistic <= 0:
        return 1.0
    half = statistic / 2
    odd = degrees % 2
    terms = (exp((i + odd / 2) * log(half) - half - lgamma(i + odd / 2 + 1)) for i in range(degrees // 2))
    return min(1.0, sum(terms) + (erfc(sqrt(half)) if odd else 0.0))


def _bins(expected: Sequence[float]) -> list[int]:
    """Return the number of the bin of each outcome: neighbours share one until enough are expected in it."""
    numbers, n_full, filled = [], 0, 0.0
    for amount in expected:
        numbers.append(n_full)
        filled += amount
        if filled >= LEAST_EXPECTED:
            n_full, filled = n_full + 1, 0.0
    last = max(0, n_full - 1)
    return [min(number, last) for number in numbers]


def _statistic(bins: Sequence[int], expected: Sequence[float], seen: Sequence[int]) -> float:
    """Return the sum of (seen - expected)^2 / expected over the bins."""
    wanted, found = [0.0] * (bins[-1] + 1), [0] * (bins[-1] + 1)
    for number, amount, n in zip(bins, expected, seen, strict=True):
        wanted[number] += amount
        found[number] += n
    return sum((n - amount) ** 2 / amount for amount, n in zip(wanted, found, strict=True))
