"""The elimination tournament: a ranking of a population by the games it plays.

A seeding round puts everybody in order; in each round after it the entrants meet in groups that spread the strong, and
the lowest scores leave. The order of leaving, reversed, is the ranking; the last table is ranked by a final match.

Any number of entrants can be seeded: where they do not fill the last table, some play at a second one, and a score is
the mean of a game. As many as are over full tables then leave, so that all tables of the rounds after it are full.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from evodom.matches.batch import Results
from evodom.matches.games import Games
from evodom.matches.seating import Tables, rotated
from evodom.matches.streams import generator

Order = npt.NDArray[np.signedinteger]
"""Entrants by number, best first."""

PlayTables = Callable[[Tables, npt.NDArray[np.uint64]], Results]
"""Plays one game for each row of (tables, seeds) and returns its RESULT."""


def run_tournament(
    n: int, n_seats: int, games: int, seeds: np.random.SeedSequence, play: PlayTables
) -> tuple[Order, Games]:
    """Return the entrants 0 to ``n`` - 1 from best to worst, and all games.

    ``n`` is at least ``n_seats``; each match is ``games`` games, the first with drawn seats, the others rotated.
    What is random in a round comes from a child of ``seeds`` of its own.
    """
    played: list[Games] = []

    def match(groups: Order, stream: np.random.SeedSequence) -> npt.NDArray[np.float64]:
        rng = generator(stream)
        # Seats are drawn: the first is worth half as much again as the last, and groups come with the best in front.
        tables = rotated(rng.permuted(groups, axis=1), games)
        results = play(tables, rng.integers(2**64, size=len(tables), dtype=np.uint64))
        played.append(Games.of(tables, results))
        scores = np.zeros(n)
        np.add.at(scores, tables, results["points"][:, :n_seats])
        return scores / np.maximum(np.bincount(tables.ravel(), minlength=n), 1)

    shuffling, seeding = seeds.spawn(2)
    shuffled = generator(shuffling).permutation(n)
    standing = best_first(shuffled, match(filled(shuffled, n_seats), seeding))
    n_left = n - n % n_seats
    leaving, standing = [standing[n_left:]], standing[:n_left]
    while len(standing) > n_seats:
        groups = snake(standing, n_seats)
        standing = best_first(standing, match(groups, seeds.spawn(1)[0]))
        n_left = len(standing) - n_eliminated(len(standing), n_seats)
        leaving.append(standing[n_left:])
        standing = standing[:n_left]
    final = best_first(standing, match(standing[None, :], seeds.spawn(1)[0]))
    return np.concatenate([final, *reversed(leaving)]), Games.together(played)


def filled(shuffled: Order, n_seats: int) -> Order:
    """Seat entrants in groups (n_groups, n_seats); the first of them also fill what is empty at the last table."""
    return np.resize(shuffled, (-(-len(shuffled) // n_seats), n_seats))


def n_eliminated(n: int, n_seats: int) -> int:
    """Return how many of ``n`` entrants leave after a round: about one a table, so that full tables are left.

    Never so many that somebody would have to go who has won at their table (at tables of two that could be).
    """
    n_tables = n // n_seats
    leaving = n_tables + (n - n_tables) % n_seats
    return leaving if leaving <= n - n_tables else leaving - n_seats


def snake(standing: Order, n_seats: int) -> Order:
    """Deal entrants, best first, to groups (n_groups, n_seats): the best half forward, the other half backward."""
    rows = standing.reshape(n_seats, -1).copy()
    rows[(n_seats + 1) // 2 :] = rows[(n_seats + 1) // 2 :, ::-1]
    return rows.T


def best_first(standing: Order, scores: npt.NDArray[np.float64]) -> Order:
    """Return the entrants by falling score; equals keep their order."""
    return standing[np.argsort(-scores[standing], kind="stable")]
