"""Schedules of tables with seats, and the table of random streams.

A *group* is a row of ``n_seats`` strategy numbers that play together. A *table* is one game's seats in turn order. The
first seat wins half as often again as the last, so fair figures seat each strategy equally often in every seat. A
schedule is a list of groups. One *block* of a group is ``n_seats`` games: an order is drawn, then rotated by one seat
each game. Randomness in a block follows from the seed, the group and the number of the block alone.

All randomness follows from a seed and a *key*, a tuple of small numbers (the ``spawn_key`` of a NumPy SeedSequence).
Keys belong to tasks, never to threads. So a result is the same for any number of threads.

    (generation, BREEDING or RANKING)       evolution: what makes and what ranks one generation
    (use, 0, 0, figure, ...)                all else: who asks (`Use`), and for what (`Figure`, and numbers of its own)
    (Use.AGENT, 0, 0, seat)                 an agent written in Python; the seed is that of its game

Evolution spawns no child of BREEDING, so its keys and those of the second form are disjoint. The numbers are part of
the meaning of a seed: a new use takes a new number, and old ones stay.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

BREEDING, RANKING = 0, 1
"""The two streams of a generation."""


class Use(IntEnum):
    """Who plays games: two of them with the same seed play different games."""

    REPORT = 0
    TOURNAMENT = 1
    ADVICE = 2
    ADVICE_FINAL = 3
    BASELINES = 4
    PUBLISHED = 5
    AGENT = 6
    BENCHMARK = 7
    LEARNING = 8
    THINKING = 9
    ISLANDS = 10


class Figure(IntEnum):
    """What the games are played for."""

    # Tournaments and matches: which tables are drawn, a round of games, the rounds of an elimination.
    TABLES = 0
    ROUND = 1
    ELIMINATION = 2
    # Reports: strategies of the last generation at one table, one against others, a game to read, what the best of a
    # generation buy among themselves.
    TABLE = 10
    AGAINST_FIRST_GENERATION = 11
    AGAINST_CHAMPION = 12
    AGAINST_BASELINE = 13
    SAMPLE = 14
    PURCHASES = 15
    # Advice: final decks, whether a line of the list matters, what to expect, cards tried, changes tried, whether
    # a list plays as well as what it was made from.
    DECKS = 20
    LIST = 21
    EXPECTED = 22
    CARDS = 23
    CHANGES = 24
    HARDEST = 25
    REPLY = 26
    WITHOUT_CARD = 27
    READABLE = 28
    # Known results: a match, one player alone, the first two hands.
    MATCH = 30
    ALONE = 31
    HANDS = 32


def generation_stream(seed: int, generation: int, use: int) -> np.random.SeedSequence:
    """Return the random stream of one use, BREEDING or RANKING, in one generation of a run."""
    return np.random.SeedSequence(seed, spawn_key=(generation, use))


def stream(seed: int, use: Use, *path: int) -> np.random.SeedSequence:
    """Return the random stream of a use; ``path`` begins with a `Figure` and says which of its parts."""
    return np.random.SeedSequence(seed, spawn_key=(use, 0, 0, *path))


def island_seed(seed: int, island: int) -> int:
    """Return the seed of an island of a run: each evolves as a run with a seed of its own would."""
    return int(stream(seed, Use.ISLANDS, island).generate_state(1, np.uint64)[0])


def generator(sequence: np.random.SeedSequence) -> np.random.Generator:
    """Return a random generator of a stream."""
    return np.random.Generator(np.random.PCG64(sequence))


def game_seeds(sequence: np.random.SeedSequence, *shape: int) -> npt.NDArray[np.uint64]:
    """Return where the random streams of games start: an array of this shape; more games begin with the same ones."""
    return sequence.generate_state(math.prod(shape), np.uint64).astype(np.uint64).reshape(shape)


def agent_generator(game_seed: int, seat: int) -> np.random.Generator:
    """Return the random numbers of an agent written in Python, for one game and seat."""
    return generator(stream(game_seed, Use.AGENT, seat))


PlayerNumbers = npt.NDArray[np.signedinteger]
"""Numbers of strategies."""

Tables = npt.NDArray[np.int32]
"""Numbers of strategies by seat, (n_games, n_seats) or (n_groups, n_seats)."""


def rotated(groups: PlayerNumbers, n_games: int) -> Tables:
    """Return the tables (n_groups * n_games, n_seats) of all games, those of a group one after another.

    In game g of a group its player p sits in seat (p - g) modulo the number of seats.
    """
    n_seats = groups.shape[1]
    seats = (np.arange(n_seats) + np.arange(n_games)[:, None]) % n_seats
    return np.ascontiguousarray(groups[:, seats].reshape(-1, n_seats), dtype=np.int32)


def against_copies(players: PlayerNumbers, rivals: PlayerNumbers, n_seats: int) -> Tables:
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
