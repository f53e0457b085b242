"""What fights of Slay the Spire need compiled."""

import numpy as np

from evodom.kernel import compile_halves
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.rules import Setup
from evodom.spire.search.player import Budget, Searcher


def compile_fights() -> None:
    """Compile all kernels of playing and searching, or see that the cache has them."""
    compile_halves(compile_search, compile_moves)


def compile_search() -> None:
    """Compile what searches."""
    game = SpireFight(Setup())
    rng = np.random.default_rng(0)
    Searcher(game, budget=Budget(1, rollouts=1)).think(game.start(rng), rng)


def compile_moves() -> None:
    """Compile what plays single moves."""
    game = SpireFight(Setup())
    rng = np.random.default_rng(0)
    state = game.start(rng)
    game.returns(game.sample(state, game.actions(state)[0], rng))
