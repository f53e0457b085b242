"""What playing fights of Slay the Spire move by move needs compiled."""

import numpy as np

from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.rules import Setup


def compile_engine() -> None:
    """Compile the engine, or see that the cache has it."""
    game = SpireFight(Setup())
    rng = np.random.default_rng(0)
    state = game.start(rng)
    game.returns(game.sample(state, game.actions(state)[0], rng))
