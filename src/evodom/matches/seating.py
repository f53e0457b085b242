"""Schedule the tables of tournaments and the seats at each table. Define the random streams of all callers.

A *group* is a row of ``n_seats`` strategy numbers that play together. A *table* is the same row as the seats of one
game, in turn order. A schedule is a list of groups. One *block* of a group is ``n_seats`` games: an order is drawn,
then rotated by one seat each game. So each strategy has every seat equally often. This is necessary because the first
seat wins 1.5 times as often as the last. The randomness of a block depends only on the seed, the group and the number
of the block.

All randomness depends on a seed and a *key*, a tuple of small numbers (the ``spawn_key`` of a NumPy SeedSequence). Keys
belong to tasks, never to threads. So a result is the same for any number of threads.

    (generation, BREEDING or RANKING ...)   evolution: breeding, ranking, local search or judging of one generation
    (use, 0, 0, purpose, ...)               other callers: a `Use`, a `Purpose` and further numbers
    (Use.AGENT, 0, 0, seat)                 an agent written in Python; the seed is the seed of its game
    (Use.MIXTURE, 0, 0, seat)               the strategy that a mixture draws; the seed is the seed of its game

A child of BREEDING in generation ``use`` would have a key of the second form, so evolution spawns none. The numbers are
part of the meaning of a seed: a new use takes a new number, and old numbers stay.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from evodom.options import checked_seed

# Streams of a generation.
BREEDING, RANKING, SEARCHING, JUDGING = 0, 1, 2, 3


class Use(IntEnum):
    """Caller that plays games. Different uses with the same seed play different games."""

    REPORT = 0
    TOURNAMENT = 1
    ADVICE = 2
    ADVICE_FINAL = 3
    BASELINES = 4
    PUBLISHED = 5
    AGENT = 6
    BENCHMARK = 7
    LEARNING = 8
    REVIEW = 9
    ISLANDS = 10
    SUITE = 11
    COMPARISON = 12
    MIXTURE = 13


class Purpose(IntEnum):
    """Purpose of the games within a use."""

    # Tournaments and matches: which tables are drawn, a round of games, the rounds of an elimination.
    TABLES = 0
    ROUND = 1
    ELIMINATION = 2
    # Reports: the best strategies at one table, a strategy against others, a sample game, purchases of the best.
    TABLE = 10
    AGAINST_FIRST_GENERATION = 11
    AGAINST_CHAMPION = 12
    AGAINST_BASELINE = 13
    SAMPLE = 14
    PURCHASES = 15
    # Advice. LIST: does a line of the list matter? EXPECTED: figures of the answer. READABLE: does a list play as well
    # as the strategy from which it was made?
    DECKS = 20
    LIST = 21
    EXPECTED = 22
    CARDS = 23
    CHANGES = 24
    HARDEST = 25
    BEST_RESPONSE = 26
    WITHOUT_CARD = 27
    READABLE = 28
    HABITS = 29
    # Known results: a match, one player alone, the first two hands.
    MATCH = 30
    ALONE = 31
    HANDS = 32
    # Advice again: changes of a user's strategy.
    REASONS = 33
    # Reports and advice: the mistakes of a strategy against a network.
    MISTAKES = 34


def generation_stream(seed: int, generation: int, use: int) -> np.random.SeedSequence:
    """Return the random stream of one use, such as BREEDING or RANKING, in one generation of a run."""
    return np.random.SeedSequence(checked_seed(seed, 64), spawn_key=(generation, use))


def stream(seed: int, use: Use, *path: int) -> np.random.SeedSequence:
    """Return the random stream of a use. ``path`` is a `Purpose` and, optionally, the numbers of its parts."""
    return np.random.SeedSequence(checked_seed(seed, 64), spawn_key=(use, 0, 0, *path))


def island_seed(seed: int, island: int) -> int:
    """Return the seed of an island of a run. Each island evolves like a run with this seed."""
    return int(stream(seed, Use.ISLANDS, island).generate_state(1, np.uint64)[0])


def generator(sequence: np.random.SeedSequence) -> np.random.Generator:
    """Return a random generator of a stream."""
    return np.random.Generator(np.random.PCG64(sequence))


def game_seeds(sequence: np.random.SeedSequence, *shape: int) -> npt.NDArray[np.uint64]:
    """Return seeds of games in an array of this shape. The first seeds do not depend on the shape."""
    return sequence.generate_state(math.prod(shape), np.uint64).astype(np.uint64).reshape(shape)


def agent_generator(game_seed: int, seat: int) -> np.random.Generator:
    """Return the random generator of an agent written in Python, for one game and seat."""
    return generator(stream(game_seed, Use.AGENT, seat))


PlayerNumbers = npt.NDArray[np.signedinteger]
"""Numbers of strategies."""

Tables = npt.NDArray[np.int32]
"""Numbers of strategies by seat, (n_games, n_seats) or (n_groups, n_seats)."""


def rotated(groups: PlayerNumbers, n_games: int) -> Tables:
    """Return the tables (n_groups * n_games, n_seats) of all games, ordered by group.

    In game g of a group, player p of the group sits in seat (p - g) modulo the number of seats.
    """
    n_seats = groups.shape[1]
    seats = (np.arange(n_seats) + np.arange(n_games)[:, None]) % n_seats
    return np.ascontiguousarray(groups[:, seats].reshape(-1, n_seats), dtype=np.int32)


def dealt(n_players: int, n_games: int, n_seats: int, rng: np.random.Generator) -> Tables:
    """Return random tables at which each player sits in at least ``n_games`` games.

    Each of ``n_games`` rounds shuffles all players and deals them to tables of ``n_seats``. The first players of the
    round fill up the last table.
    """
    n_dealt = -(-n_players // n_seats) * n_seats
    rounds = rng.permuted(np.tile(np.arange(n_players, dtype=np.int32), (n_games, 1)), axis=1)
    return np.ascontiguousarray(rounds[:, np.arange(n_dealt) % n_players].reshape(-1, n_seats), dtype=np.int32)


def whole_rounds(n_games: int, n_seats: int) -> int:
    """Return the smallest positive multiple of ``n_seats`` that is at least ``n_games``."""
    return max(1, -(-n_games // n_seats)) * n_seats


MAX_TABLES = 1024
"""Maximum number of distinct tables. If there are more, about this number is drawn, equally many for each entrant."""

ROUND_GAMES = 1024
"""Approximate minimum number of games of a round. It is small so that the order is tested often."""


@dataclass(frozen=True)
class TournamentSchedule:
    """Tables of a tournament, as numbers of entrants. A round plays ``blocks`` blocks of every table."""

    tables: Tables
    n_entrants: int
    seed: int
    use: Use = Use.TOURNAMENT

    @property
    def n_seats(self) -> int:
        """Number of seats at a table."""
        return int(self.tables.shape[1])

    @property
    def games_per_pass(self) -> int:
        """Number of games of a pass: every table plays one block."""
        return int(self.tables.size)

    @property
    def blocks(self) -> int:
        """Number of blocks of every table in a round."""
        return max(1, round(ROUND_GAMES / self.games_per_pass))

    def passes(self, n_games: int) -> int:
        """Return the number of passes for at least ``n_games`` games."""
        return -(-n_games // self.games_per_pass)

    def round(self, number: int, max_blocks: int | None = None) -> tuple[Tables, npt.NDArray[np.uint64]]:
        """Return the tables (n_games, n_seats) and seeds of a round's games, ordered by block.

        ``max_blocks`` limits the number of blocks of every table. It does not change the games of the first blocks.
        """
        rng = generator(stream(self.seed, self.use, Purpose.ROUND, number))
        # By block, then by table: the first blocks do not depend on the number of blocks.
        groups = rng.permuted(np.tile(self.tables, (self.blocks, 1)), axis=1)
        seeds = rng.integers(2**64, size=len(groups) * self.n_seats, dtype=np.uint64)
        n_groups = len(self.tables) * min(self.blocks, max_blocks or self.blocks)
        return rotated(groups[:n_groups], self.n_seats), seeds[: n_groups * self.n_seats]


def one_table(seats: Sequence[int], seed: int, use: Use = Use.TOURNAMENT) -> TournamentSchedule:
    """Return the schedule of a single table. An entrant may take several seats."""
    return TournamentSchedule(np.array([seats], np.int32), len(set(seats)), seed, use)


def round_robin(n_entrants: int, n_seats: int, seed: int, use: Use = Use.TOURNAMENT) -> TournamentSchedule:
    """Return a schedule with equal numbers of games for all entrants and for all pairs.

    It contains all tables of different entrants. With fewer entrants than seats, each entrant has equally many seats,
    and the remaining seats go to each combination of entrants in turn. A balanced sample replaces more than MAX_TABLES
    tables: all entrants still play equally often, and all pairs meet about equally often.
    """
    n_each, n_more = divmod(n_seats, n_entrants)
    if comb(n_entrants, n_more) > MAX_TABLES:
        return TournamentSchedule(_sampled(n_entrants, n_seats, seed, use), n_entrants, seed, use)
    common = tuple(range(n_entrants)) * n_each
    tables = [common + more for more in combinations(range(n_entrants), n_more)]
    return TournamentSchedule(np.array(tables, np.int32), n_entrants, seed, use)


def _sampled(n_entrants: int, n_seats: int, seed: int, use: Use) -> Tables:
    """Return a sample of tables of different entrants, with equally many tables for each entrant.

    The entrants are put in a random circle. A table has the entrants at some drawn distances from a starting point. The
    tables of all starting points contain each entrant ``n_seats`` times.
    """
    rng = generator(stream(seed, use, Purpose.TABLES))
    starts = np.arange(n_entrants)[:, None]
    circles = []
    for _ in range(max(1, MAX_TABLES // n_entrants)):
        distances = rng.choice(n_entrants, size=n_seats, replace=False)
        circles.append(rng.permutation(n_entrants)[(starts + distances) % n_entrants])
    return np.concatenate(circles).astype(np.int32)
