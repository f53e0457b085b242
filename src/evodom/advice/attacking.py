"""The last test of an answer: a learner is set on it, goes on against everybody known, and may take its place."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from evodom.dominion.strategies.model import Strategy
from evodom.dominion.strategies.registry import was_learned
from evodom.intervals import Share
from evodom.learning.reply import attack, learned_reply
from evodom.matches.copies import wins_against
from evodom.matches.entrant import Entrant
from evodom.matches.streams import Figure, Use
from evodom.matches.venue import Venue

FINALISTS = 4
"""So many of the best count when answers are compared, because beating the weak counts for nothing."""

FEWER = 4
"""Games that only choose are those of a figure divided by this."""

MARGIN = 0.015
"""A reply becomes the answer if it is better by so much of the wins: some more than chance alone."""

REPLY = "reply"
"""The name of a learner that was set on the answer and took its place."""


@dataclass(frozen=True)
class Met:
    """An opponent of the answer, and what the answer wins against copies of it."""

    name: str
    wins: Share


@dataclass(frozen=True)
class Reply:
    """What a learner that was set on the answer reached in so many games; ``taken`` if it became the answer."""

    n_games: int
    wins: Share
    taken: bool


def attacked(venue: Venue, ranked: list[Entrant], n_games: int, games: int) -> tuple[list[Entrant], Reply | None]:
    """Set a learner on the best; return all by their places, the reply first if it becomes the answer, and the Reply.

    The learner has two lessons of ``n_games``. In the first it meets the best, and who beats that. In the second it
    goes on against everybody: what beats one may lose to others, and what evolution found can be beaten by more than
    those win who never met it. After either lesson it may become the answer (`_chosen`).
    """
    start = next((one for one in ranked if was_learned(one.strategy)), None)
    if start is None or not n_games:
        return ranked, None
    best, everybody = ranked[0], [one.strategy for one in ranked]
    stronger = _beaten_by(venue, best.strategy, everybody[1:], games)
    first, wins = attack(venue, start.strategy, [best.strategy, *stronger], n_games, games)
    second = learned_reply(venue, first, everybody, n_games, venue.stream(Figure.REPLY, 2))
    chosen = _chosen(venue, [best.strategy, first, second], everybody, games)
    if chosen == 2:
        n_games, wins = 2 * n_games, wins_against(venue, second, best.strategy, games, Figure.REPLY, 3)
    taken = [Entrant(REPLY, ("reply", best.name), one) for one in (first, second)[chosen - 1 : chosen]]
    return [*taken, *ranked], Reply(n_games, wins, taken=bool(taken))


def _chosen(venue: Venue, answers: Sequence[Strategy], known: Sequence[Strategy], games: int) -> int:
    """Return the number of the answer to give; the first of them, the best that is ``known``, needs no MARGIN.

    An answer that nobody clearly beats is better than one that somebody beats: a trick against the best is no answer.
    Of the former that is chosen which wins most against the best FINALISTS, of the latter that which loses least to
    whoever does best against it.
    """
    par, final = 1.0 / venue.n_seats, replace(venue, use=Use.ADVICE_FINAL)

    def worth(number: int) -> tuple[bool, float]:
        others = [(place, one) for place, one in enumerate([*known, *answers[1:]]) if one is not answers[number]]
        met = {
            place: wins_against(final, answers[number], one, games // FEWER, Figure.REPLY, place)
            for place, one in others
        }
        stands = all(wins.high >= par for wins in met.values())
        finals = [met[place].share if place in met else par for place in range(min(FINALISTS, len(known)))]
        share = float(np.mean(finals)) if stands else min(wins.share for wins in met.values())
        return stands, share + MARGIN * (number == 0)

    return max(range(len(answers)), key=worth)


def _beaten_by(venue: Venue, strategy: Strategy, others: Sequence[Strategy], games: int) -> list[Strategy]:
    """Return who of others clearly beats a strategy."""
    par = 1.0 / venue.n_seats
    wins = [wins_against(venue, strategy, one, games // FEWER, Figure.REPLY, 1) for one in others]
    return [one for one, share in zip(others, wins, strict=True) if share.high < par]


def hardest(venue: Venue, record: Strategy, others: Sequence[Entrant], games: int) -> Met:
    """Return the opponent against whom a strategy wins least."""
    shares = [wins_against(venue, record, one.strategy, games // FEWER, Figure.HARDEST).share for one in others]
    met = others[int(np.argmin(shares))]
    return Met(met.name, wins_against(venue, record, met.strategy, games, Figure.HARDEST, 1))
