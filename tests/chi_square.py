"""Chi-square tests: do samples fit probabilities, or each other?"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

SIGNIFICANCE = 1e-6

LEAST_EXPECTED = 5.0
"""Least expected count of a bin; smaller outcomes are pooled (Cochran 1954)."""


def fits(counts: Mapping[Any, int], chances: Mapping[Any, float]) -> bool:
    """Return whether counts of outcomes fit their probabilities. Outcomes of probability 0 do not fit."""
    return all(chances.get(outcome, 0) > 0 for outcome in counts) and fit_p_value(counts, chances) > SIGNIFICANCE


def fit_p_value(counts: Mapping[Any, int], chances: Mapping[Any, float]) -> float:
    """Return the p-value of the test that `counts` were drawn from `chances`, which sum to 1 and have all outcomes."""
    total = sum(counts.values())
    expected = [chance * total for chance in chances.values()]
    bins = _bins(expected)
    return _tail(_statistic(bins, expected, [counts.get(outcome, 0) for outcome in chances]), bins[-1])


def same_p_value(first: Iterable[Hashable], second: Iterable[Hashable]) -> float:
    """Return the p-value of the test that two samples were drawn from the same distribution."""
    one, other = Counter(first), Counter(second)
    both = one + other
    share = one.total() / both.total()
    expected = [share * n for n in both.values()], [(1 - share) * n for n in both.values()]
    bins = _bins(expected[0] if share < 1 / 2 else expected[1])
    seen = [one[kind] for kind in both], [other[kind] for kind in both]
    return _tail(sum(_statistic(bins, *sides) for sides in zip(expected, seen, strict=True)), bins[-1])


def _tail(statistic: float, degrees: int) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(degrees, statistic)) if degrees else 1.0


def _bins(expected: Sequence[float]) -> list[int]:
    """Return the index of the bin of each outcome. Neighbours share a bin until LEAST_EXPECTED are expected in it."""
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
