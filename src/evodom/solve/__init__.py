"""Solve games exactly: the value of every state and the best policy, for games that list their outcomes.

`solve` computes exact values if no state can recur. `evodom.solve.cycles.solve_bounds` computes lower and upper bounds
if states recur. `solve_or_bound` tries the first, then the second. `evaluate` returns the value of a given policy.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from evodom.distribution import Distribution
from evodom.errors import EvodomError
from evodom.games import Solvable
from evodom.games.contract import A, H
from evodom.solve.arithmetic import Interval, as_point
from evodom.solve.limits import Limits, Progress, TooLarge, no_progress
from evodom.solve.solution import ActionValue, Cyclic, FixedPolicyGame, Solution, evaluate, solve

if TYPE_CHECKING:
    from evodom.solve.cycles import BoundedSolution

__all__ = [
    "ActionValue",
    "Cyclic",
    "FixedPolicyGame",
    "Interval",
    "Limits",
    "Solution",
    "TooLarge",
    "as_point",
    "evaluate",
    "no_progress",
    "solve",
    "solve_or_bound",
]


def solve_or_bound(
    game: Solvable[H, A],
    start: H | Distribution[H] | None = None,
    *,
    number_type: type[Any] = Fraction,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Solution[H, A, Any] | BoundedSolution[H, A]:
    """Return the `Solution` of a game, or its `BoundedSolution` if a state can recur.

    The arguments are those of `solve`. A `BoundedSolution` ignores `number_type`. If the second attempt raises an
    EvodomError, its `__cause__` is the `Cyclic` error of the first.
    """
    try:
        return solve(game, start, number_type=number_type, limits=limits, progress=progress)
    except Cyclic as cyclic:
        from evodom.solve.cycles import solve_bounds  # compiled: loaded only where it is needed

        try:
            return solve_bounds(game, start, limits=limits, progress=progress)
        except EvodomError as error:
            raise error from cyclic
