"""Short searches from a network: the best reply to given strategies that can be learned in so many games."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.model import Strategy
from evodom.dominion.strategies.networks.memory import weights_of, with_weights
from evodom.learning.adam import Adam
from evodom.learning.falling import Falling
from evodom.learning.league import League
from evodom.learning.learner import Learner
from evodom.matches.streams import generator
from evodom.matches.workers import Workers

GAMES = 512
FALLING = Falling(rate=(0.002, 0.0004), entropy=(0.01, 0.003))
SELF_SHARE = 0.25


def learned_reply(
    start: Strategy,
    rivals: Sequence[Any],
    kingdom: Kingdom,
    n_seats: int,
    n_games: int,
    sequence: np.random.SeedSequence,
    workers: Workers | None = None,
) -> Strategy:
    """Return what a network comes to that begins as ``start`` and plays ``n_games`` against the rivals and itself."""
    rng = generator(sequence)
    weights = weights_of(start)
    learner = Learner(kingdom, weights, Adam.of(weights), workers)
    league = League(n_seats, (), rivals, self_share=SELF_SHARE)
    played = 0
    while played < n_games:
        rate, entropy = FALLING.at(played / n_games)
        games = league.play(learner, GAMES, rng)
        learner.improve(games.decisions, rng, rate, entropy, epochs=1)
        played += len(games.tables)
    return with_weights(start, weights)
