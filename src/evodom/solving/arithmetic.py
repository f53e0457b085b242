"""Arithmetic of the solver: exact fractions, floats, and the payoffs of player 0.

A payoff is one number: player 0 maximises it, a second player minimises it. A game of two players must be constant-sum.
Its returns then have the same sum in every final state, its rewards sum to zero, and player 0's payoff determines the
other's. Every payment that the solver reads is checked. Games of more players have no such value and are refused.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import gcd, isclose, lcm
from typing import Any, cast

from evodom.distribution import Number
from evodom.errors import UsageError
from evodom.games import Solvable, returns_of, rewards_of

TIE_TOLERANCE = 1e-12
"""Floats are equal if they differ by at most TIE_TOLERANCE * max(1, absolute value of the best)."""

Ratio = tuple[int, int]
"""A fraction: numerator and positive denominator, in lowest terms."""


class ExactArithmetic:
    """Values as pairs of integers (numerator, denominator) in lowest terms."""

    def from_number(self, payoff: Any) -> Ratio:
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
        return values[self.pick_best(values, low=False)]

    def least(self, values: list[Ratio]) -> Ratio:
        return values[self.pick_best(values, low=True)]

    def pick_best(self, values: list[Ratio], low: bool) -> int:
        best, sign = 0, -1 if low else 1
        top, bottom = values[0]
        for i, value in enumerate(values):
            if sign * value[0] * bottom > sign * top * value[1]:
                best, (top, bottom) = i, value
        return best


class FloatArithmetic:
    """Values as floats. `mean` and `add` round. `pick_best` finds the first value within TIE_TOLERANCE of the best."""

    greatest = staticmethod(max)
    least = staticmethod(min)
    from_number = staticmethod(float)
    as_number = staticmethod(float)

    def add(self, value: float, reward: Any) -> float:
        return value + float(reward)

    def mean(self, pairs: Sequence[tuple[Any, Any]], total: Any, values: Mapping[Any, float]) -> float:
        if len(pairs) == 1:
            return values[pairs[0][0]]
        return cast(float, sum([weight * values[state] for state, weight in pairs]) / total)

    def pick_best(self, values: list[float], low: bool) -> int:
        best = min(values) if low else max(values)
        slack = TIE_TOLERANCE * max(1.0, abs(best))
        return next(i for i, value in enumerate(values) if abs(value - best) <= slack)


SUM_TOLERANCE = 1e-9
"""Relative and absolute tolerance of sums of payoffs."""


def payoff_of(game: Solvable[Any, Any]) -> Callable[[Any], Any]:
    """Return the function that maps a final state to player 0's payoff.

    Raises UsageError for a game of more than two players. The returned function raises UsageError if two final states
    have returns with different sums.
    """
    returns = returns_of(game)
    if game.n_players == 1:
        return lambda state: returns(state)[0]
    if game.n_players > 2:
        raise UsageError(
            f"exact solving needs a game of one or two players, got {game.n_players}. "
            "Evaluate a policy of all players with evodom.solving.evaluate."
        )
    first_total: list[Number] = []

    def payoff(state: Any) -> Any:
        paid = returns(state)
        if not first_total:
            first_total.append(sum(paid))
        _check_same(first_total[0], sum(paid), "returns")
        return paid[0]

    return payoff


def reward_of(game: Solvable[Any, Any]) -> Callable[[Any, Any], Any] | None:
    """Return the function that maps (state, action) to player 0's reward; None for a game without rewards."""
    rewards = rewards_of(game)
    if rewards is None:
        return None
    given: Callable[[Any, Any], Sequence[Number]] = rewards
    if game.n_players == 1:
        return lambda state, action: given(state, action)[0]

    def reward(state: Any, action: Any) -> Any:
        paid = given(state, action)
        _check_same(0, sum(paid), "rewards")
        return paid[0]

    return reward


def minimises_of(game: Solvable[Any, Any]) -> Callable[[Any], bool] | None:
    """Return the function that is True if the player to move minimises the payoff; None with one player."""
    return None if game.n_players == 1 else lambda state: game.player(state) == 1


def _check_same(expected: Number, total: Number, what: str) -> None:
    if total != expected and not isclose(total, expected, rel_tol=SUM_TOLERANCE, abs_tol=SUM_TOLERANCE):
        raise UsageError(
            f"exact solving needs a game of constant sum, and its {what} add up to {total} where {expected} is needed"
        )
