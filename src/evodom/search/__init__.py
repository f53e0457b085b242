"""Search: values of the actions of a position, by simulations or playouts, in any game of `evodom.games`.

`search` searches one position, `policy` plays games by searching, and a `TreeSearch` keeps its tree from move to move.
Games whose rules are compiled (`evodom.games.compiled`) have a tree in machine code (`evodom.search.compiled`). If a
game is small enough, `evodom.solve` computes the values exactly. docs/guide/search.md has an example.
"""

from typing import TYPE_CHECKING

from evodom._lazy import attach

if TYPE_CHECKING:
    from evodom.search.evaluators import (
        LeafEvaluation as LeafEvaluation,
        exact_evaluator as exact_evaluator,
        playout_evaluator as playout_evaluator,
    )
    from evodom.search.options import ActionEstimate as ActionEstimate, SearchOptions as SearchOptions
    from evodom.search.python_tree import (
        TreeOptions as TreeOptions,
        TreeSearch as TreeSearch,
        policy as policy,
        search as search,
    )


__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "evaluators": "LeafEvaluation exact_evaluator playout_evaluator",
        "options": "ActionEstimate SearchOptions",
        "python_tree": "TreeOptions TreeSearch policy search",
    },
)
