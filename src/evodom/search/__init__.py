"""Tree search: what the moves of a position are worth, found by playing on from it, in any game of the contract.

`search` looks at one position, `policy` plays games by searching, a `Search` keeps its tree from move to move. Where a
game is small enough, `evodom.solve` says the same exactly. docs/search.md has an example.
"""

from typing import TYPE_CHECKING

from evodom._lazy import attach

if TYPE_CHECKING:
    from evodom.search.evaluators import Evaluation as Evaluation, exact as exact, rollouts as rollouts
    from evodom.search.player import (
        MoveFigures as MoveFigures,
        Options as Options,
        Search as Search,
        policy as policy,
        search as search,
    )


__getattr__, __dir__, __all__ = attach(
    __name__, {"evaluators": "Evaluation exact rollouts", "player": "MoveFigures Options Search policy search"}
)
