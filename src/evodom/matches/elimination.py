"""The elimination tournament: a ranking of a population by the games it plays.

A seeding round puts everybody in order; in each round after it the entrants meet in groups that spread the strong, and
the lowest scores leave. The order of leaving, reversed, is the ranking; the last table is ranked by a final match.

Any number of entrants can be seeded: where they do not fill the last table, some play at a second one, and a score is
the mean of a game. As many as are over full tables then leave, so that all tables of the rounds after it are full.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.state import ENDED_CUT, ENDED_PILES

Order = npt.NDArray[np.signedinteger]
PlayTables = Callable[[npt.NDArray[np.int32], npt.NDArray[np.uint64]], npt.NDArray[Any]]
"""Plays one game for each row of (tables, seeds) and returns its RESULT."""


@dataclass(slots=True)
class Tally:
    """What the games of a tournament came to, for the record of a generation."""

    points: npt.NDArray[np.float64]
    n_games: npt.NDArray[np.int64]
    total: dict[str, float] = field(default_factory=lambda: dict.fromkeys(("games", "rounds", "vp", "piles", "cut"), 0))

    def add(self, tables: npt.NDArray[np.int32], results: npt.NDArray[Any]) -> None:
        """Count the games of one round."""
        n_seats = tables.shape[1]
        np.add.at(self.points, tables, results["points"][:, :n_seats])
        np.add.at(self.n_games, tables, 1)
        self.total["games"] += len(results)
        self.total["rounds"] += float(results["turns"].max(axis=1).sum())
        self.total["vp"] += float(results["vp"][:, :n_seats].max(axis=1).sum())
        self.total["piles"] += float((results["ended"] == ENDED_PILES).sum())
        self.total["cut"] += float((results["ended"] == ENDED_CUT).sum())

    def summary(self, best: int) -> dict[str, float]:
        """Return the means: points a game of the best (up to one an opponent), rounds, winner's VP, ways to end."""
        games = self.total["games"]
        return {
            "best_points": float(self.points[best] / max(self.n_games[best], 1)),
            "games": int(games),
            "rounds": self.total["rounds"] / games,
            "winner_vp": self.total["vp"] / games,
            "ended_on_piles": self.total["piles"] / games,
            "cut": self.total["cut"] / games,
        }


def run_tournament(
    n: int, n_seats: int, games: int, seeds: np.random.SeedSequence, play: PlayTables
) -> tuple[Order, Tally]:
    """Return the entrants 0 to ``n`` - 1 from best to worst, and the tally of all games.

    ``n`` is at least ``n_seats``; each match is ``games`` games, the first with drawn seats, the others rotated.
    What is random in a round comes from a child of ``seeds`` of its own.
    """
    tally = Tally(np.zeros(n), np.zeros(n, np.int64))

    def match(groups: Order, stream: np.random.SeedSequence) -> npt.NDArray[np.float64]:
        rng = np.random.Generator(np.random.PCG64(stream))
        # Seats are drawn: the first is worth half as much again as the last, and groups come with the best in front.
        tables = rotated(rng.permuted(groups, axis=1), games)
        results = play(tables, rng.integers(2**64, size=len(tables), dtype=np.uint64))
        tally.add(tables, results)
        scores = np.zeros(n)
        np.add.at(scores, tables, results["points"][:, :n_seats])
        return scores / np.maximum(np.bincount(tables.ravel(), minlength=n), 1)

    shuffling, seeding = seeds.spawn(2)
    shuffled = np.random.Generator(np.random.PCG64(shuffling)).permutation(n)
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
    return np.concatenate([final, *reversed(leaving)]), tally


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


def rotated(groups: Order, games: int) -> npt.NDArray[np.int32]:
    """Return the tables (n_groups * games, n_seats) of all games: each game of a match begins one seat further on."""
    n_seats = groups.shape[1]
    seats = (np.arange(n_seats) + np.arange(games)[:, None]) % n_seats
    return np.ascontiguousarray(groups[:, seats].reshape(-1, n_seats), dtype=np.int32)
