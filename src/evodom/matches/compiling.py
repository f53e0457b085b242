"""What Dominion needs compiled, in two halves: the first start does them in two processes at once.

Each begins with what the other needs last, and finds the other's kernels in the cache by then.
"""

import numpy as np

from evodom.dominion.engine.rules import N_PILES
from evodom.dominion.game import DominionGame
from evodom.dominion.strategies.baselines import RANDOM, baseline
from evodom.dominion.strategies.buy_lists.select import select_by_list
from evodom.kernel import compile_halves, prepare
from evodom.matches import batch, census


def compile_dominion() -> None:
    """Compile all kernels of single games, of many games and of the census, or see that the cache has them."""
    compile_halves(compile_games, compile_others)


def compile_games() -> None:
    """Compile what plays many games, and what counts a strategy's choices."""
    batch.warm_up()
    game = DominionGame(log=False)
    strategy = baseline(RANDOM, game.kingdom)
    counts = np.zeros(N_PILES + 1, np.int64)
    batch.choice_counts(game.rules, game.state, game.state.copy(), strategy, counts, 1)


def compile_others() -> None:
    """Compile what plays a single game step by step, and games with a census."""
    game = DominionGame()
    strategy = baseline(RANDOM, game.kingdom)
    prepare(select_by_list, game.rules, game.state, strategy)
    game.enact(game.strategy_choice(strategy))
    game.log = False
    game.enact(game.strategy_choice(strategy))
    census.warm_up()
