"""Which tables are played, and who sits where.

A *group* is a row of ``n_seats`` strategy numbers that play together. A *table* is one game's seats in turn order. The
first seat wins half as often again as the last, so fair figures seat each strategy equally often in every seat. A
schedule is a list of groups. One *block* of a group is ``n_seats`` games: an order is drawn, then rotated by one seat
each game. Randomness in a block follows from the seed, the group and the number of the block alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from evodom.matches.streams import Figure, Use, generator, stream

Players = npt.NDArray[np.signedinteger]
"""Numbers of strategies."""

Tables = npt.NDArray[np.int32]
"""Numbers of strategies by seat, (n_games, n_seats) or (n_groups, n_seats)."""


def rotated(groups: Players, n_games: int) -> Tables:
    """Return the tables (n_groups * n_games, n_seats) of all games, those of a group one after another.

    In game g of a group its player p sits in seat (p - g) modulo the number of seats.
    """
    n_seats = groups.shape[1]
    seats = (np.arange(n_seats) + np.arange(n_games)[:, None]) % n_seats
    return np.ascontiguousarray(groups[:, seats].reshape(-1, n_seats), dtype=np.int32)


def against_copies(players: Players, rivals: Players, n_seats: int) -> Tables:
    """Return a group for each player and rival: the player first, copies of the rival in all other seats.

    They are (n_players * n_rivals, n_seats), those of a player one after another.
    """
    groups = np.empty((len(players), len(rivals), n_seats), np.int32)
    groups[:] = rivals[None, :, None]
    groups[:, :, 0] = players[:, None]
    return groups.reshape(-1, n_seats)


def first_players_seats(n_groups: int, n_games: int, n_seats: int) -> npt.NDArray[np.intp]:
    """Return in which seat the first of each group sits, (n_groups * n_games,), at the tables of `rotated`."""
    return np.tile(-np.arange(n_games) % n_seats, n_groups)


def shuffled(n_players: int, n_games: int, rng: np.random.Generator) -> Tables:
    """Return tables (n_games, n_players) of everybody: two begin in turn, more sit in a new order every game."""
    order = np.arange(n_players, dtype=np.int32)
    if n_players == 2:
        return rotated(order[None, :], n_games)
    return rng.permuted(np.tile(order, (n_games, 1)), axis=1)


def dealt(n_players: int, n_games: int, n_seats: int, rng: np.random.Generator) -> Tables:
    """Return tables at which each of the players sits in at least ``n_games`` games, drawn anew each time.

    In each of ``n_games`` rounds everybody is dealt to tables of ``n_seats``; the first dealt fill up the last table.
    """
    n_dealt = -(-n_players // n_seats) * n_seats
    rounds = rng.permuted(np.tile(np.arange(n_players, dtype=np.int32), (n_games, 1)), axis=1)
    return np.ascontiguousarray(rounds[:, np.arange(n_dealt) % n_players].reshape(-1, n_seats), dtype=np.int32)


def whole_rounds(n_games: int, n_seats: int) -> int:
    """Return how many games to play, at least ``n_games``, for everybody to sit in each seat equally often."""
    return max(1, -(-n_games // n_seats)) * n_seats


MOST_TABLES = 1024
"""Where there are more different tables than this, about as many are drawn, with everybody at equally many."""

ROUND_GAMES = 1024
"""A round plays at least about so many games: little enough to look at the order often."""


@dataclass(frozen=True)
class TournamentSchedule:
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


def one_table(seats: Sequence[int], seed: int, use: Use = Use.TOURNAMENT) -> TournamentSchedule:
    """Return the schedule of a single table; an entrant may take several of the seats."""
    return TournamentSchedule(np.array([seats], np.int32), len(set(seats)), seed, use)


def round_robin(n_entrants: int, n_seats: int, seed: int, use: Use = Use.TOURNAMENT) -> TournamentSchedule:
    """Return a schedule in which everybody plays equally often, and every two meet equally often.

    These are all tables of different entrants. Where there are fewer entrants than seats, everybody takes equally many
    seats, and all choices of who takes one more are played. Of more than MOST_TABLES a balanced sample is drawn: there
    everybody still plays equally often, and any two meet about as often as any others.
    """
    everybody, n_more = divmod(n_seats, n_entrants)
    if comb(n_entrants, n_more) > MOST_TABLES:
        return TournamentSchedule(_sampled(n_entrants, n_seats, seed, use), n_entrants, seed, use)
    common = tuple(range(n_entrants)) * everybody
    tables = [common + more for more in combinations(range(n_entrants), n_more)]
    return TournamentSchedule(np.array(tables, np.int32), n_entrants, seed, use)


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
