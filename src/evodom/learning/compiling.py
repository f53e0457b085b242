"""What learning needs compiled beside the engine, in two halves: the first start does them in two processes at once."""

import numpy as np

from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.base import NETWORK
from evodom.dominion.strategies.record import STRATEGY
from evodom.dominion.strategies.select import load_model
from evodom.jit.kernel import compile_halves
from evodom.learning.optimiser import Adam
from evodom.learning.ppo import IMITATE, N_FIGURES, Learner, new_buffer, new_weights
from evodom.learning.rollouts import DECISION, RolloutGames
from evodom.matches.compiling import compile_games, compile_others

N_SEATS = 2


def compile_learning() -> None:
    """Compile all kernels of learning, or see that the cache has them; those of the engine are to be there."""
    compile_halves(compile_play, compile_demonstrations)


def load_kernels() -> None:
    """Compile all kernels of games and of learning, or load them from the cache, before a limit of time begins."""
    for load in (compile_games, compile_others, compile_play, compile_demonstrations):
        load()


def compile_play() -> None:
    """Compile what plays with learners, and what improves them."""
    tables = np.zeros((0, N_SEATS), np.int32)
    games = RolloutGames(tables, np.zeros(0, np.uint64), tables, np.zeros(0, np.float32))
    learner = _nobody()
    learner.play(np.zeros(1, STRATEGY), np.zeros(1, np.bool_), games, 0.0)
    learner.gradient(np.zeros(0, DECISION), IMITATE, 0.0, np.zeros(N_FIGURES))


def compile_demonstrations() -> None:
    """Compile what watches teachers, and what networks choose with."""
    tables = np.zeros((0, N_SEATS), np.int32)
    _nobody().collect_demonstrations(np.zeros(1, STRATEGY), tables, np.zeros(0, np.uint64))
    load_model(NETWORK)


def _nobody() -> Learner:
    """Return a learner that is to play no game."""
    weights = new_weights(np.random.default_rng(0))
    return Learner(FIRST_GAME, weights, Adam.of(weights), buffer=new_buffer(1))
