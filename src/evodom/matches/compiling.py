"""What Dominion needs compiled, in two halves: the first start does them in two processes at once.

Neither half needs what the other is at, until the other has left it in the cache. Networks are left to the first
command at whose table one sits down.
"""

from collections.abc import Iterable

import numpy as np

from evodom.dominion.engine.rules import N_PILES
from evodom.dominion.game import DominionGame
from evodom.dominion.position import parse_position
from evodom.dominion.strategies.base import BUY_LIST, NETWORK, PREFERENCES, RANDOM, Strategy, model_of
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.select import load_model
from evodom.jit.kernel import compile_halves
from evodom.matches.agents import PythonAgent
from evodom.matches.simulate import choice_counts, compile_batch, compile_census


def compile_dominion() -> None:
    """Compile all kernels of single games, of many games and of the census, or see that the cache has them."""
    compile_halves(compile_games, compile_others)


def compile_games() -> None:
    """Compile what plays many games, and the strategies that evolve."""
    compile_batch()
    load_model(PREFERENCES)


def compile_others() -> None:
    """Compile buy lists, what plays a single game step by step, games with a census, and counts of choices."""
    load_model(BUY_LIST)
    game = DominionGame()
    strategy = baseline(RANDOM, game.kingdom)
    game.enact(game.strategy_choice(strategy))
    game.log = False
    game.enact(game.strategy_choice(strategy))
    parse_position("P1: hand 5 Copper; deck 5 Copper | P2: deck 10 Copper", game.kingdom, 2, seed=1)
    compile_census()
    counts = np.zeros(N_PILES + 1, np.int64)
    choice_counts(game.rules, game.state, game.state.copy(), strategy, counts, 1)


def compile_networks() -> None:
    """Compile what networks choose with."""
    load_model(NETWORK)


def has_network(players: Iterable[Strategy | PythonAgent | None]) -> bool:
    """Tell whether one of the players, records of STRATEGY among others, is a network."""
    records = (player for player in players if player is not None and not isinstance(player, PythonAgent))
    return any(model_of(record).name == NETWORK for record in records)
