"""What searching fights of Slay the Spire needs compiled, in two halves: neither needs what the other is at."""

import numpy as np

from evodom.jit.kernel import compile_halves, prepare
from evodom.spire.engine.compiling import compile_engine
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.layout import DICE, FIGHT, LOST
from evodom.spire.engine.rules import Setup
from evodom.spire.engine.turns import end_turn
from evodom.spire.search.player import Budget, Searcher


def compile_fights() -> None:
    """Compile all kernels of playing and searching, or see that the cache has them."""
    compile_halves(compile_search, compile_engine)


def compile_search() -> None:
    """Compile what searches. A fight that is over is searched, so that no move is played: that takes the engine."""
    game = SpireFight(Setup())
    over = np.zeros(1, FIGHT)
    over["over"] = LOST
    Searcher(game, budget=Budget(1, rollouts=1)).think(over.tobytes(), np.random.default_rng(0))
    # This half is done first, and so helps with the last part of the other.
    prepare(end_turn, game.record, over[0], np.zeros(1, DICE)[0])
