"""What a game is worth and how to play it: exact answers for any game that lists its outcomes.

`solve` is for games in which no state comes back, `evodom.solve.cycles.enclose` for those in which some do, and
`solve_or_enclose` for those of which you do not know. `evaluate` says what a policy of your own is worth.
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
    """Return the `Solution` of a game, or its `Enclosure` if a state can come back.

    The arguments are those of `solve`. An error that is raised while the value is being enclosed has the `Cyclic` error
    of the first attempt as its `__cause__`.
    """
    try:
        return solve(game, start, number=number, limits=limits, progress=progress)
    except Cyclic as cyclic:
        from evodom.solve.cycles import enclose  # compiled: loaded only where it is needed

        try:
            return enclose(game, start, limits=limits, progress=progress)
        except EvodomError as error:
            raise error from cyclic
