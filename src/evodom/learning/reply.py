"""Short searches from a network: the best reply to given strategies that can be learned in so many games.

What a learner reaches against a strategy tells how well that can be exploited: at least so well (Timbers et al. 2022,
"Approximate exploitability: learning a best response").
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.model import Strategy
from evodom.dominion.strategies.networks.memory import weights_of, with_weights
from evodom.intervals import Share
from evodom.learning.adam import Adam
from evodom.learning.falling import Falling
from evodom.learning.league import League
from evodom.learning.learner import Learner
from evodom.matches.copies import wins_against
from evodom.matches.sending import lineup_of, packed_lineup
from evodom.matches.streams import Figure, generator
from evodom.matches.venue import Venue, gathered
from evodom.tasks.packing import pack, unpack

GAMES = 512
FALLING = Falling(rate=(0.008, 0.001), entropy=(0.02, 0.003))
SELF_SHARE = 0.25


def attack(
    venue: Venue, start: Strategy, rivals: Sequence[Strategy], n_games: int, games: int
) -> tuple[Strategy, Share]:
    """Set a learner that begins as ``start`` on rivals; return what it comes to, and what it wins against the first.

    It plays about ``n_games``, ``games`` are those of the figure. Both follow from the venue's seed, for any number of
    threads.
    """
    reply = learned_reply(venue, start, rivals, n_games, venue.stream(Figure.REPLY))
    return reply, wins_against(venue, reply, rivals[0], games, Figure.REPLY)


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
        learner.improve(games, rng, rate, entropy)
        played += len(games.tables)
        venue.on_games(len(games.tables))
    return with_weights(start, weights)


def learned_replies(
    venue: Venue, asked: Sequence[tuple[Strategy, np.random.SeedSequence]], rivals: Sequence[Any], n_games: int
) -> list[Strategy]:
    """Return what `learned_reply` does for each start and stream; on a cluster each is a task of its own."""
    tasks = venue.workers.tasks if venue.workers else None
    if tasks is None or not tasks.is_remote:
        return [learned_reply(venue, start, rivals, n_games, stream) for start, stream in asked]
    jobs = [_job(venue, start, rivals, n_games, stream) for start, stream in asked]
    done = tasks.map(reply_alone, jobs, lambda number: venue.on_games(n_games))
    return [with_weights(start, unpack(result)[1]["weights"]) for (start, _), result in zip(asked, done, strict=True)]


def _job(venue: Venue, start: Strategy, rivals: Sequence[Any], n_games: int, stream: np.random.SeedSequence) -> bytes:
    facts = {
        "kingdom": list(venue.kingdom.cards),
        "n_seats": venue.n_seats,
        "n_games": n_games,
        "entropy": stream.entropy,
        "spawn_key": stream.spawn_key,
    }
    lineup = gathered([start, *rivals])
    assert isinstance(lineup, np.ndarray), "agents in Python teach nobody"
    return pack(facts, **packed_lineup(lineup))


def reply_alone(job: bytes) -> bytes:
    """Do a `learned_reply` as a task, in one thread, and return the weights."""
    facts, arrays = unpack(job)
    start, *rivals = lineup_of(arrays)
    venue = Venue(Kingdom(tuple(facts["kingdom"])), facts["n_seats"])
    sequence = np.random.SeedSequence(facts["entropy"], spawn_key=tuple(facts["spawn_key"]))
    return pack({}, weights=weights_of(learned_reply(venue, start, rivals, facts["n_games"], sequence)))
