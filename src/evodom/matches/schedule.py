"""Which tables are played, and in which order people sit at them.

A schedule is a list of tables. Playing one *block* of a table means as many games as it has seats: an order is drawn,
and each game begins one seat further on, so that everybody sits in each seat once. What is random in a block follows
from the seed, the table and the number of the block alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from evodom.matches.seating import Tables, rotated
from evodom.matches.streams import Figure, Use, generator, stream

MOST_TABLES = 1024
"""Where there are more different tables than this, about as many are drawn, with everybody at equally many."""

ROUND_GAMES = 1024
"""A round plays at least about so many games: little enough to look at the order often."""


@dataclass(frozen=True)
class Schedule:
    """The tables of a tournament, each as entrants by number; a round plays ``blocks`` blocks of every table."""

    tables: Tables
    n_entrants: int
    seed: int
    use: Use = Use.TOURNAMENT

    @property
    def n_seats(self) -> int:
        """How many play at a table."""
        return int(self.tables.shape[1])

    @property
    def pass_games(self) -> int:
        """How many games one block of every table is."""
        return int(self.tables.size)

    @property
    def blocks(self) -> int:
        """How many blocks of every table make a round."""
        return max(1, round(ROUND_GAMES / self.pass_games))

    def passes(self, n_games: int) -> int:
        """Return how many blocks of every table are at least ``n_games`` games."""
        return -(-n_games // self.pass_games)

    def round(self, number: int, most: int | None = None) -> tuple[Tables, npt.NDArray[np.uint64]]:
        """Return the tables (n_games, n_seats) and seeds of a round's games, those of a block one after another.

        With ``most`` only the first so many blocks of every table; they are the same games as without.
        """
        rng = generator(stream(self.seed, self.use, Figure.ROUND, number))
        # By block, then by table: the first blocks are the same however many follow.
        groups = rng.permuted(np.tile(self.tables, (self.blocks, 1)), axis=1)
        seeds = rng.integers(2**64, size=len(groups) * self.n_seats, dtype=np.uint64)
        n_groups = len(self.tables) * min(self.blocks, most or self.blocks)
        return rotated(groups[:n_groups], self.n_seats), seeds[: n_groups * self.n_seats]


def one_table(seats: Sequence[int], seed: int, use: Use = Use.TOURNAMENT) -> Schedule:
    """Return the schedule of a single table; an entrant may take several of the seats."""
    return Schedule(np.array([seats], np.int32), len(set(seats)), seed, use)


def round_robin(n_entrants: int, n_seats: int, seed: int, use: Use = Use.TOURNAMENT) -> Schedule:
    """Return a schedule in which everybody plays equally often, and every two meet equally often.

    These are all tables of different entrants. Where there are fewer entrants than seats, everybody takes equally many
    seats, and all choices of who takes one more are played. Of more than MOST_TABLES a balanced sample is drawn: there
    everybody still plays equally often, and any two meet about as often as any others.
    """
    everybody, n_more = divmod(n_seats, n_entrants)
    if comb(n_entrants, n_more) > MOST_TABLES:
        return Schedule(_sampled(n_entrants, n_seats, seed, use), n_entrants, seed, use)
    common = tuple(range(n_entrants)) * everybody
    tables = [common + more for more in combinations(range(n_entrants), n_more)]
    return Schedule(np.array(tables, np.int32), n_entrants, seed, use)


def _sampled(n_entrants: int, n_seats: int, seed: int, use: Use) -> Tables:
    """Return a sample of tables of different entrants, everybody at equally many.

    The entrants are put in a circle at random; a table is everybody at some drawn distances from one of them. The
    tables of all starting points hold everybody as often as there are seats.
    """
    rng = generator(stream(seed, use, Figure.TABLES))
    starts = np.arange(n_entrants)[:, None]
    circles = []
    for _ in range(max(1, MOST_TABLES // n_entrants)):
        distances = rng.choice(n_entrants, size=n_seats, replace=False)
        circles.append(rng.permutation(n_entrants)[(starts + distances) % n_entrants])
    return np.concatenate(circles).astype(np.int32)
