"""What thinking needs compiled, beside what plays games."""

from functools import lru_cache

import numpy as np

from evodom.dominion.game import DominionGame
from evodom.dominion.strategies.networks.layout import N_WEIGHTS
from evodom.jit.kernel import mark_compiled, needs_compiling
from evodom.thinking.search import Budget, Search

NAME = "thinking"


def needs_time() -> bool:
    """Tell whether the first thought takes long, because its kernels are not compiled yet."""
    return needs_compiling(NAME)


@lru_cache(1)
def warm_up() -> None:
    """Compile the kernels of a search, or load them from the cache, so that no thought begins with that."""
    game = DominionGame(n_players=2, log=False)
    game.play_treasures_automatically(0, 1)
    search = Search(game.rules, np.zeros(N_WEIGHTS, np.float32))
    search.think(game.state, np.random.default_rng(0), Budget(rollouts=1))
    mark_compiled(NAME)
