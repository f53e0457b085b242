"""The best routes for all tolerances of risk: the stretches of tolerance on which the same route is best.

The value of a path is linear in the tolerance, so the best value is the maximum of many lines: a convex function with
exact breakpoints. It is found by asking for the best route where two known lines cross, until no route lies above.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from evodom.spire.map.act import ActMap
from evodom.spire.route.dynamic import Routes, find_routes, route_along
from evodom.spire.route.evaluation import Evaluation, Number
from evodom.spire.route.rules import RouteRule

At = Callable[[Number], Evaluation]
"""An evaluation for each tolerance, linear in it, such as `RISK.at`."""


@dataclass(frozen=True)
class Stretch:
    """The tolerances from `low` to `high`, for which the same routes are best.

    The best value at a tolerance is `intercept + slope * tolerance`. `routes` are the best ones in the middle.
    """

    low: Fraction
    high: Fraction
    intercept: Fraction
    slope: Fraction
    routes: Routes

    def value(self, tolerance: Number) -> Fraction:
        """Return the best value at a tolerance of the stretch."""
        return self.intercept + self.slope * Fraction(tolerance)


@dataclass(frozen=True)
class _ValueLine:
    intercept: Fraction
    slope: Fraction

    def value(self, tolerance: Fraction) -> Fraction:
        return self.intercept + self.slope * tolerance


def stretches(act_map: ActMap, at: At, rules: Sequence[RouteRule] = ()) -> tuple[Stretch, ...]:
    """Return the stretches from tolerance 0 to 1, in order; where two meet, the routes of both are best."""

    def best_line(tolerance: Fraction) -> _ValueLine:
        path = find_routes(act_map, at(tolerance), rules).best[0].path
        none, all_ = (route_along(act_map, at(end), path).value for end in (0, 1))
        return _ValueLine(none, all_ - none)

    lines = _upper_edge(best_line, Fraction(0), Fraction(1))
    bounds = [Fraction(0), *(_crossing(left, right) for left, right in pairwise(lines)), Fraction(1)]
    return tuple(
        Stretch(low, high, line.intercept, line.slope, find_routes(act_map, at((low + high) / 2), rules))
        for line, (low, high) in zip(lines, pairwise(bounds), strict=True)
        if low < high
    )


def _upper_edge(best_line: Callable[[Fraction], _ValueLine], low: Fraction, high: Fraction) -> list[_ValueLine]:
    """Return the lines that are highest somewhere between `low` and `high`, by slope."""
    edge = [best_line(low)]
    ahead = [best_line(high)]
    while ahead:
        left, right = edge[-1], ahead[-1]
        if left.slope >= right.slope:  # the same line, or one that is best at a single point
            ahead.pop()
            continue
        crossing = _crossing(left, right)
        between = best_line(crossing)
        if between.value(crossing) > left.value(crossing):
            ahead.append(between)
        else:
            edge.append(ahead.pop())
    return edge


def _crossing(left: _ValueLine, right: _ValueLine) -> Fraction:
    return (left.intercept - right.intercept) / (right.slope - left.slope)
