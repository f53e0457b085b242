"""The last test of an answer: a learner is set on it, goes on against everybody known, and may take its place."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite

import numpy as np

from evodom.dominion.strategies.model import Strategy
from evodom.dominion.strategies.registry import was_learned
from evodom.learning.reply import learned_reply
from evodom.matches.copies import wins_against
from evodom.matches.entrant import Entrant
from evodom.matches.streams import Figure, Use
from evodom.matches.venue import Venue
from evodom.statistics import Share

FINALISTS = 4
"""So many of the best count when answers are compared, because beating the weak counts for nothing."""

FEWER = 4
"""Games that only choose are those of a figure divided by this."""

MARGIN = 0.015
"""A reply becomes the answer if it is better by so much of the wins: some more than chance alone."""

BEATEN_SHARE = 0.08
"""At most this share of a limited time goes into finding who beats the best."""

CHOOSING = 4.0, 0.3
"""The choice takes this many times the seconds of finding who beats the best; at most this share of the time left."""

LESSON_SHARE = 0.95
"""The share of the time of the choice and of a lesson that is for them; the rest is for the figure after them."""

HARDEST_SHARE = 0.2
"""The share of a limited time for the figure of the hardest opponent, once it is found."""

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


def attacked(venue: Venue, ranked: list[Entrant], n_games: float, games: int) -> tuple[list[Entrant], Reply | None]:
    """Set a learner on the best; return all by their places, the reply first if it becomes the answer, and the Reply.

    The learner has two lessons of ``n_games``. In the first it meets the best, and who beats that. In the second it
    goes on against everybody: what beats one may lose to others, and what evolution found can be beaten by more than
    those win who never met it. After either lesson it may become the answer (`_chosen`). Where the venue's budget is
    limited, all of it is used.
    """
    start = next((one for one in ranked if was_learned(one.strategy)), None)
    if start is None or not n_games:
        return ranked, None
    best, everybody = ranked[0], [one.strategy for one in ranked]
    trying = venue.part(BEATEN_SHARE)
    stronger = _beaten_by(trying, best.strategy, everybody[1:], games)
    seconds, most = CHOOSING
    lessons = venue.within(venue.budget.reserving(seconds * trying.budget.seconds_spent, most)).divided([1.0, 1.0])
    lesson = _Lesson(next(lessons), n_games)
    first = lesson.learn(start.strategy, [best.strategy, *stronger], venue.stream(Figure.REPLY))
    wins, played = wins_against(lesson.venue, first, best.strategy, games, Figure.REPLY), lesson.played
    lesson = _Lesson(next(lessons), n_games)
    second = lesson.learn(first, everybody, venue.stream(Figure.REPLY, 2))
    chosen = _chosen(venue.part(LESSON_SHARE), [best.strategy, first, second], everybody, games)
    if chosen == 2:
        played, wins = played + lesson.played, wins_against(venue, second, best.strategy, games, Figure.REPLY, 3)
    taken = [Entrant(REPLY, ("reply", best.name), one) for one in (first, second)[chosen - 1 : chosen]]
    return [*taken, *ranked], Reply(played, wins, taken=bool(taken))


class _Lesson:
    """A lesson of ``n_games``, or as long as the venue's budget allows."""

    def __init__(self, venue: Venue, n_games: float) -> None:
        self.venue, self._n_games = venue, n_games
        self.played = 0

    def learn(self, start: Strategy, rivals: Sequence[Strategy], stream: np.random.SeedSequence) -> Strategy:
        """Train a network from ``start`` against ``rivals`` and count its games."""

        def on_games(n: int) -> None:
            self.played += n
            self.venue.on_games(n)

        venue = replace(self.venue.part(LESSON_SHARE), on_games=on_games)
        learned = learned_reply(venue, start, rivals, self._n_games, stream)
        if isfinite(self._n_games):
            self.played = int(self._n_games)  # what was asked for; the last iteration may have some more
        return learned


def _chosen(venue: Venue, answers: Sequence[Strategy], known: Sequence[Strategy], games: int) -> int:
    """Return the number of the answer to give; the first of them, the best that is ``known``, needs no MARGIN.

    An answer that nobody clearly beats is better than one that somebody beats: a trick against the best is no answer.
    Of the former that is chosen which wins most against the best FINALISTS, of the latter that which loses least to
    whoever does best against it.
    """
    par, final = 1.0 / venue.n_seats, replace(venue, use=Use.ADVICE_FINAL)
    opponents = [
        [(place, one) for place, one in enumerate([*known, *answers[1:]]) if one is not answer] for answer in answers
    ]
    venues = final.divided([1.0] * sum(map(len, opponents)))

    def worth(number: int) -> tuple[bool, float]:
        met = {
            place: wins_against(next(venues), answers[number], one, games // FEWER, Figure.REPLY, place)
            for place, one in opponents[number]
        }
        stands = all(wins.high >= par for wins in met.values())
        finals = [met[place].share if place in met else par for place in range(min(FINALISTS, len(known)))]
        share = float(np.mean(finals)) if stands else min(wins.share for wins in met.values())
        return stands, share + MARGIN * (number == 0)

    return max(range(len(answers)), key=worth)


def _beaten_by(venue: Venue, strategy: Strategy, others: Sequence[Strategy], games: int) -> list[Strategy]:
    """Return who of others clearly beats a strategy."""
    par = 1.0 / venue.n_seats
    venues = venue.divided([1.0] * len(others))
    wins = [
        wins_against(part, strategy, one, games // FEWER, Figure.REPLY, 1)
        for part, one in zip(venues, others, strict=True)
    ]
    return [one for one, share in zip(others, wins, strict=True) if share.high < par]


def hardest(venue: Venue, record: Strategy, others: Sequence[Entrant], games: int) -> Met:
    """Return the opponent against whom a strategy wins least."""
    venues = venue.part(1.0 - HARDEST_SHARE).divided([1.0] * len(others))
    shares = [
        wins_against(part, record, one.strategy, games // FEWER, Figure.HARDEST).share
        for part, one in zip(venues, others, strict=True)
    ]
    met = others[int(np.argmin(shares))]
    return Met(met.name, wins_against(venue, record, met.strategy, games, Figure.HARDEST, 1))
