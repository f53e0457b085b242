"""Short searches from a network: the best reply to given strategies that can be learned in so many games.

What a learner reaches against a strategy tells how well that can be exploited: at least so well (Timbers et al. 2022,
"Approximate exploitability: learning a best response").
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from evodom.dominion.strategies.model import Strategy
from evodom.dominion.strategies.networks.memory import weights_of, with_weights
from evodom.intervals import Share
from evodom.learning.adam import Adam
from evodom.learning.falling import Falling
from evodom.learning.league import League
from evodom.learning.learner import Learner
from evodom.matches.copies import wins_against
from evodom.matches.streams import Figure, generator
from evodom.matches.venue import Venue

GAMES = 512
FALLING = Falling(rate=(0.008, 0.001), entropy=(0.02, 0.003))
SELF_SHARE = 0.25


def attack(venue: Venue, start: Strategy, rival: Strategy, n_games: int, games: int) -> tuple[Strategy, Share]:
    """Set a learner that begins as ``start`` on a rival; return what it comes to, and what it wins in new games.

    It plays about ``n_games``, ``games`` are those of the figure. Both follow from the venue's seed, for any number of
    threads.
    """
    reply = learned_reply(venue, start, [rival], n_games, venue.stream(Figure.REPLY))
    return reply, wins_against(venue, reply, rival, games, Figure.REPLY)


def learned_reply(
    venue: Venue, start: Strategy, rivals: Sequence[Any], n_games: int, sequence: np.random.SeedSequence
) -> Strategy:
    """Return what a network comes to that begins as ``start`` and plays ``n_games`` against the rivals and itself."""
    rng = generator(sequence)
    weights = weights_of(start)
    learner = Learner(venue.kingdom, weights, Adam.of(weights), venue.workers)
    league = League(venue.n_seats, (), rivals, self_share=SELF_SHARE)
    played = 0
    while played < n_games:
        rate, entropy = FALLING.at(played / n_games)
        games = league.play(learner, GAMES, rng)
        learner.improve(games.decisions, rng, rate, entropy)
        played += len(games.tables)
        venue.on_games(len(games.tables))
    return with_weights(start, weights)
