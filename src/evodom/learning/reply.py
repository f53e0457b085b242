"""Short searches from a network: the best reply to given strategies that can be learned in so many games.

What a learner reaches against a strategy tells how well that can be exploited: at least so well (Timbers et al. 2022,
"Approximate exploitability: learning a best response").
"""

from collections.abc import Sequence
from math import ceil, inf
from typing import Any

import numpy as np

from evodom.budget import NO_LIMIT, Budget
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import Strategy
from evodom.dominion.strategies.networks.weights import weights_of, with_weights
from evodom.learning.league import League
from evodom.learning.optimiser import Adam, Schedule
from evodom.learning.ppo import Learner
from evodom.matches.evaluate import wins_against
from evodom.matches.streams import Figure, generator
from evodom.matches.venue import Venue, gathered, lineup_of, packed_lineup
from evodom.statistics import Share
from evodom.tasks.packing import pack, unpack

GAMES = 512
"""Games of an iteration."""

LEAST = 64
"""Games of an iteration where the time left is short."""

SCHEDULE = Schedule(rate=(0.008, 0.001), entropy=(0.02, 0.003))
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
    venue: Venue, start: Strategy, rivals: Sequence[Any], n_games: float, sequence: np.random.SeedSequence
) -> Strategy:
    """Return a network that began as ``start`` and learned from ``n_games`` against the rivals and itself.

    It ends earlier where the venue's budget is over. The learning rate falls with the games or with the time.
    """
    rng = generator(sequence)
    weights = weights_of(start)
    learner = Learner(venue.kingdom, weights, Adam.of(weights), venue.workers)
    league = League(venue.n_seats, (), rivals, self_share=SELF_SHARE)
    played, done = 0, 0.0
    while done < 1.0:
        rate, entropy = SCHEDULE.at(done)
        games = league.play(learner, venue.budget.next_portion(played, LEAST, GAMES), rng)
        learner.improve(games, rng, rate, entropy)
        played += len(games.tables)
        done = max(played / n_games, venue.budget.share_spent)
        venue.on_games(len(games.tables))
    return with_weights(start, weights)


def learned_replies(
    venue: Venue, asked: Sequence[tuple[Strategy, np.random.SeedSequence]], rivals: Sequence[Any], n_games: float
) -> list[Strategy]:
    """Return what `learned_reply` does for each start and stream; on a cluster each is a task of its own."""
    tasks = venue.workers.tasks if venue.workers else None
    if tasks is None or not tasks.is_remote:
        venues = venue.divided([1.0] * len(asked))
        return [
            learned_reply(part, start, rivals, n_games, stream)
            for part, (start, stream) in zip(venues, asked, strict=True)
        ]
    at_once = venue.part(1.0 / ceil(len(asked) / max(tasks.n, 1)))
    jobs = [_job(at_once, start, rivals, n_games, stream) for start, stream in asked]
    done = tasks.map(reply_alone, jobs, lambda number: venue.on_games(0 if n_games == inf else int(n_games)))
    return [with_weights(start, unpack(result)[1]["weights"]) for (start, _), result in zip(asked, done, strict=True)]


def _job(venue: Venue, start: Strategy, rivals: Sequence[Any], n_games: float, stream: np.random.SeedSequence) -> bytes:
    facts = {
        "kingdom": list(venue.kingdom.cards),
        "n_seats": venue.n_seats,
        "n_games": None if n_games == inf else n_games,
        "seconds": venue.budget.seconds_left if venue.budget.is_limited else None,
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
    budget = NO_LIMIT if facts["seconds"] is None else Budget.starting_now(facts["seconds"])
    venue = Venue(Kingdom(tuple(facts["kingdom"])), facts["n_seats"], budget=budget)
    n_games = inf if facts["n_games"] is None else facts["n_games"]
    sequence = np.random.SeedSequence(facts["entropy"], spawn_key=tuple(facts["spawn_key"]))
    return pack({}, weights=weights_of(learned_reply(venue, start, rivals, n_games, sequence)))
