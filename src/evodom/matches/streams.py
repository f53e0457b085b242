"""Which random stream is for what: one table, so that no two uses ever share one.

Everything random follows from a seed and a *key*, a tuple of small numbers (the ``spawn_key`` of a NumPy SeedSequence).
Keys belong to tasks, never to threads, so that a result is the same however the work is shared.

    (generation, BREEDING or RANKING)       evolution: what makes and what ranks one generation
    (use, 0, 0, figure, ...)                all else: who asks (`Use`), and for what (`Figure`, and numbers of its own)
    (Use.AGENT, 0, 0, seat)                 an agent written in Python; the seed is that of its game

Evolution spawns no child of BREEDING, which is why the keys of the second form are never its own. The numbers are part
of what a seed means: a new use takes a new number, and old ones stay.
"""

import math
from enum import IntEnum

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
