"""The arithmetic of solving: values as exact fractions or as floats, and intervals that contain a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any, NamedTuple, cast

TIE = 1e-12
"""Floats that differ by less, relative to the larger of 1 and themselves, are called equal."""

Ratio = tuple[int, int]
"""A fraction: numerator and positive denominator, in lowest terms."""


class Interval(NamedTuple):
    """Two numbers between which a value certainly lies, up to the rounding of floats."""

    low: float
    high: float

    @property
    def middle(self) -> float:
        """The number half way between."""
        return (self.low + self.high) / 2


def as_point(value: Any) -> Any:
    """Return one number for a value: the middle of an `Interval`, and any other value as it is."""
    return value.middle if isinstance(value, Interval) else value


class ExactArithmetic:
    """Values as pairs of integers (numerator, denominator) in lowest terms."""

    def of(self, payoff: Any) -> Ratio:
        return cast(Ratio, payoff.as_integer_ratio())

    def as_number(self, value: Ratio) -> Fraction:
        return Fraction(*value)

    def add(self, value: Ratio, reward: Any) -> Ratio:
        return (Fraction(*value) + Fraction(reward)).as_integer_ratio()

    def mean(self, pairs: Sequence[tuple[Any, int]], total: int, values: Mapping[Any, Ratio]) -> Ratio:
        if len(pairs) == 1:
            return values[pairs[0][0]]
        found = [values[state] for state, _ in pairs]
        common = lcm(*[denominator for _, denominator in found])
        numerator = sum(
            [weight * top * (common // bottom) for (_, weight), (top, bottom) in zip(pairs, found, strict=True)]
        )
        denominator = common * total
        divisor = gcd(numerator, denominator)
        return numerator // divisor, denominator // divisor

    def greatest(self, values: list[Ratio]) -> Ratio:
        return values[self.pick(values, low=False)]

    def least(self, values: list[Ratio]) -> Ratio:
        return values[self.pick(values, low=True)]

    def pick(self, values: list[Ratio], low: bool) -> int:
        best, sign = 0, -1 if low else 1
        top, bottom = values[0]
        for i, value in enumerate(values):
            if sign * value[0] * bottom > sign * top * value[1]:
                best, (top, bottom) = i, value
        return best


class FloatArithmetic:
    """Values as floats; `mean`, `add` and the choices between values are rounded."""

    greatest = staticmethod(max)
    least = staticmethod(min)
    of = staticmethod(float)
    as_number = staticmethod(float)

    def add(self, value: float, reward: Any) -> float:
        return value + float(reward)

    def mean(self, pairs: Sequence[tuple[Any, Any]], total: Any, values: Mapping[Any, float]) -> float:
        if len(pairs) == 1:
            return values[pairs[0][0]]
        return cast(float, sum([weight * values[state] for state, weight in pairs]) / total)

    def pick(self, values: list[float], low: bool) -> int:
        best = min(values) if low else max(values)
        slack = TIE * max(1.0, abs(best))
        return next(i for i, value in enumerate(values) if abs(value - best) <= slack)
