"""Solve a game exactly where that can be done, and enclose its value in an interval where states come back."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from evodom.distribution import Distribution
from evodom.errors import EvodomError
from evodom.games import Solvable
from evodom.games.contract import A, H
from evodom.solve.exact import Cyclic, Solution, solve
from evodom.solve.limits import Limits, Progress

if TYPE_CHECKING:
    from evodom.solve.cycles import Enclosure


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
