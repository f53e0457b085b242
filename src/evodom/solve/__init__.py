"""Solve games exactly: the value of every state and the best policy, for games that list their outcomes.

`solve` computes exact values if no state can recur. `evodom.solve.cycles.enclose` bounds the values if states recur.
`solve_or_enclose` tries the first and falls back to the second. `evaluate` returns the value of a given policy.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from evodom.distribution import Distribution
from evodom.errors import EvodomError
from evodom.games import Solvable
from evodom.games.contract import A, H
from evodom.solve.arithmetic import Interval, as_point
from evodom.solve.limits import Limits, Progress, TooLarge, silent
from evodom.solve.solution import ActionValue, Cyclic, FixedPolicyGame, Solution, evaluate, solve

if TYPE_CHECKING:
    from evodom.solve.cycles import Enclosure

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
    "silent",
    "solve",
    "solve_or_enclose",
]


def solve_or_enclose(
    game: Solvable[H, A],
    start: H | Distribution[H] | None = None,
    *,
    number: type[Any] = Fraction,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Solution[H, A, Any] | Enclosure[H, A]:
    """Return the `Solution` of a game, or its `Enclosure` if a state can recur.

    The arguments are those of `solve`. An `Enclosure` ignores `number`. If the second attempt raises an EvodomError,
    its `__cause__` is the `Cyclic` error of the first.
    """
    try:
        return solve(game, start, number=number, limits=limits, progress=progress)
    except Cyclic as cyclic:
        from evodom.solve.cycles import enclose  # compiled: loaded only where it is needed

        try:
            return enclose(game, start, limits=limits, progress=progress)
        except EvodomError as error:
            raise error from cyclic
