"""Is the order clear? A test that may be looked at after every round.

Entrants are ordered by their share of the wins. For each pair the difference of their wins is added up over blocks, a
block being one table with everybody in each seat once. The interval around such a sum is a confidence sequence, the
empirical Bernstein one of Howard, Ramdas, McAuliffe and Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence
sequences" (Annals of Statistics 49, 2021, theorem 4) with their polynomial stitched boundary (equation 10): with the
stated confidence it holds the true difference at every look, however many there are and whenever one stops. It needs
no normal approximation, only that a block's difference is bounded. A union bound over all pairs makes the statement
one about the whole order.
"""

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from evodom.matches.seating import Tables

Matrix = npt.NDArray[np.float64]

S, ETA = 1.4, 2.0
ZETA_S = 3.105472778
"""The authors' choice of how the boundary grows, and Riemann's zeta function at S."""

FIRST_VARIANCE = 100.0
"""The boundary is tight from this sum of squared differences on: about a hundred games that one of two won."""


def boundary(variance: Matrix, scale: float, alpha: float) -> Matrix:
    """Return what a sum with this sum of squares stays below at all times, but for probability ``alpha``."""
    k1, k2 = (ETA**0.25 + ETA**-0.25) / 2**0.5, (ETA**0.5 + 1) / 2
    variance = np.maximum(variance, FIRST_VARIANCE)
    log_log = S * np.log(np.log(ETA * variance / FIRST_VARIANCE)) + np.log(ZETA_S / (alpha * np.log(ETA) ** S))
    stitched = np.sqrt(k1**2 * variance * log_log + (k2 * scale * log_log) ** 2) + k2 * scale * log_log
    return np.asarray(stitched, np.float64)


SHRINKAGE = 4.0
"""What an entrant wins at a table is guessed as if it had won its overall share there in so many blocks before."""


@dataclass
class OrderTest:
    """The differences between entrants so far; ``add`` whole passes over ``n_tables`` tables, then look."""

    n_entrants: int
    confidence: float
    n_tables: int = 1
    n_games: int = 0
    wins: Matrix = field(init=False)
    """Each entrant's wins at each table, (n_tables, n_entrants); one shared by k counts 1/k."""
    played: Matrix = field(init=False)
    """How many seats each entrant took there, over all games."""
    squares: Matrix = field(init=False)
    """Sums of products of what blocks won beyond what was expected, by pair."""
    scale: float = 0.0

    def __post_init__(self) -> None:
        self.wins, self.played = np.zeros((2, self.n_tables, self.n_entrants))
        self.squares = np.zeros((self.n_entrants, self.n_entrants))

    def add(self, tables: Tables, wins: Matrix) -> None:
        """Count games: who sat where, and the share of the win by seat, both (n_games, n_seats), block by block."""
        n_seats = tables.shape[1]
        blocks = tables[::n_seats]
        won, seats = np.zeros((2, len(blocks), self.n_entrants))
        np.add.at(won, ((np.arange(len(tables)) // n_seats)[:, None], tables), wins)
        np.add.at(seats, (np.arange(len(blocks))[:, None], blocks), n_seats)
        beyond = won - seats * np.resize(self._guess(n_seats), won.shape)
        self.squares += beyond.T @ beyond
        self.wins += won.reshape(-1, self.n_tables, self.n_entrants).sum(axis=0)
        self.played += seats.reshape(-1, self.n_tables, self.n_entrants).sum(axis=0)
        self.n_games += len(tables)
        self.scale = 2.0 * n_seats  # a block's difference lies between minus and plus its number of games

    def _guess(self, n_seats: int) -> Matrix:
        """Guess the share of a seat's wins at each table from the games so far.

        Any guess made before the games is allowed; a good one makes the squares small. Here it is what an entrant won
        at this table, drawn towards what it won at all.
        """
        total = self.played.sum(axis=0)
        overall = np.where(total > 0, self.wins.sum(axis=0) / np.maximum(total, 1.0), 1.0 / n_seats)
        before = SHRINKAGE * n_seats
        return np.asarray((self.wins + before * overall) / (self.played + before))

    @property
    def total(self) -> Matrix:
        """Each entrant's wins, (n_entrants,)."""
        return np.asarray(self.wins.sum(axis=0))

    @property
    def order(self) -> list[int]:
        """The entrants by falling share of the wins; equals by number."""
        return [int(entrant) for entrant in np.argsort(-self.total, kind="stable")]

    @property
    def margins(self) -> Matrix:
        """By how many wins each pair may be off either way, at this confidence for all pairs together."""
        n_pairs = max(1, self.n_entrants * (self.n_entrants - 1) // 2)
        spread = np.diag(self.squares)
        variance = spread[:, None] + spread[None, :] - 2.0 * self.squares
        return boundary(variance, self.scale, (1.0 - self.confidence) / (2 * n_pairs))

    def unclear(self) -> list[tuple[int, int]]:
        """Return the neighbours in the order whose order is not clear, the better placed first."""
        wins, margins = self.total, self.margins
        return [(a, b) for a, b in pairwise(self.order) if wins[a] - wins[b] <= margins[a, b]]
