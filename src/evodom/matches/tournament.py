"""Tournaments: play, until the order is clear or as many games as asked for, and say what came of it."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from evodom.dominion.kingdom import Kingdom
from evodom.errors import UsageError
from evodom.matches.elimination import run_tournament
from evodom.matches.entrant import Entrant
from evodom.matches.games import Games, Player
from evodom.matches.matrix import Meeting, win_matrix
from evodom.matches.rating import ratings
from evodom.matches.schedule import ARENA_KEY, one_table, round_robin
from evodom.matches.sequential import OrderTest
from evodom.matches.standings import Course, Standing, course, seat_shares, standing
from evodom.matches.statistics import DEFAULT_CONFIDENCE, Estimate, Share
from evodom.matches.workers import Workers

ROUND_ROBIN, DUELS, ELIMINATION = "round-robin", "duels", "elimination"
FORMATS = (ROUND_ROBIN, DUELS, ELIMINATION)

MOST_GAMES = 200_000
"""Where the order is not clear after so many games, it is said to be unclear."""

MATCH_GAMES = 1000
"""Games of a match of an elimination tournament, unless told."""

ELIMINATION_STREAM = 2


@dataclass(frozen=True)
class Arena:
    """Where and how entrants meet: everything a tournament needs besides them.

    The results depend on all of this but the workers; ``on_games`` is told of games played.
    """

    kingdom: Kingdom
    n_seats: int
    seed: int
    workers: Workers
    confidence: float = DEFAULT_CONFIDENCE
    on_games: Callable[[int], object] = lambda _: None

    def player(self, entrants: Sequence[Entrant]) -> Player:
        """Return what plays the games of these entrants."""
        return Player(entrants, self.kingdom, self.n_seats, self.workers, self.on_games)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a tournament or a match came to; standings, ratings and the matrix are in the same order, best first.

    ``order_clear`` is None where nothing was tested. Each of ``not_told_apart`` is a pair of neighbours in the
    standings.
    """

    n_tables: int
    standings: list[Standing]
    ratings: list[Estimate]
    matrix: list[list[Meeting | None]]
    seats: list[Share]
    course: Course
    order_clear: bool | None = None
    not_told_apart: tuple[tuple[str, str], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the outcome as plain JSON types."""
        return asdict(self)


def play_round_robin(
    arena: Arena, entrants: Sequence[Entrant], *, n_games: int | None = None, most_games: int = MOST_GAMES
) -> Outcome:
    """Play all tables until the order is clear, at most ``most_games``; or at least ``n_games`` if given."""
    schedule = round_robin(len(entrants), arena.n_seats, arena.seed)
    player = arena.player(entrants)
    test = OrderTest(len(entrants), arena.confidence, len(schedule.tables))
    left, number = schedule.passes(n_games) if n_games else max(1, most_games // schedule.pass_games), 0
    while left > 0:
        tables, seeds = schedule.round(number, left)
        results = player.play(tables, seeds)
        test.add(tables, results["win"][:, : arena.n_seats])
        left, number = left - schedule.blocks, number + 1
        if n_games is None and not test.unclear():
            break
    unclear = test.unclear()
    outcome = _outcome(arena, entrants, player.games, test.order)
    pairs = tuple((entrants[a].name, entrants[b].name) for a, b in unclear)
    return replace(outcome, order_clear=not pairs, not_told_apart=pairs)


def play_elimination(arena: Arena, entrants: Sequence[Entrant], *, match_games: int = MATCH_GAMES) -> Outcome:
    """Play rounds in which the weakest leave, as in evolution; a match is at least ``match_games`` games."""
    n, n_seats = len(entrants), arena.n_seats
    if n < n_seats:
        raise UsageError(f"{n} entrants do not fill a table of {n_seats}. Say --players {n}, or name more.")
    player = arena.player(entrants)
    stream = np.random.SeedSequence(arena.seed, spawn_key=(*ARENA_KEY, ELIMINATION_STREAM))
    ranking, _ = run_tournament(n, n_seats, -(-match_games // n_seats) * n_seats, stream, player.play)
    return _outcome(arena, entrants, player.games, [int(entrant) for entrant in ranking])


def play_match(arena: Arena, seated: Sequence[Entrant], *, n_games: int) -> Outcome:
    """Play at least ``n_games`` at one table, seats rotated; copies of one entrant are counted together."""
    origins = list(dict.fromkeys(entrant.origin for entrant in seated))
    numbers = [origins.index(entrant.origin) for entrant in seated]
    entrants = [seated[numbers.index(number)] for number in range(len(origins))]
    schedule = one_table(numbers, arena.seed)
    player = arena.player(entrants)
    left, number = schedule.passes(n_games), 0
    while left > 0:
        player.play(*schedule.round(number, left))
        left, number = left - schedule.blocks, number + 1
    return _outcome(arena, entrants, player.games, range(len(entrants)))


def _outcome(arena: Arena, entrants: Sequence[Entrant], games: Games, order: Sequence[int]) -> Outcome:
    """Return what games came to, the entrants in this order."""
    n, confidence = len(entrants), arena.confidence
    rated = ratings(games.tables, games.points, n, confidence=confidence)
    matrix = win_matrix(games, n, confidence)
    return Outcome(
        n_tables=len(np.unique(np.sort(games.tables, axis=1), axis=0)),
        standings=[standing(games, entrant, entrants[entrant].name, confidence) for entrant in order],
        ratings=[rated[entrant] for entrant in order],
        matrix=[[matrix[row][column] for column in order] for row in order],
        seats=seat_shares(games, confidence),
        course=course(games),
    )
