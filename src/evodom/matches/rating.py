"""Rate and order entrants: Plackett-Luce ratings, and a sequential test whether the order is clear.

**Ratings** fit the Plackett-Luce model to all places of all games by maximum likelihood. The winner of a table is drawn
in proportion to the strengths, then the second among the rest, and so on. At tables of two this is the Bradley-Terry
model. See Hunter, "MM algorithms for generalized Bradley-Terry models" (Annals of Statistics 32, 2004). The likelihood
is concave in the log-strengths, so Newton's method finds the maximum. The second derivatives there give the intervals.

**The order test** is valid at every stopping time. Entrants are ordered by their share of the wins. For each pair the
difference of their wins is summed over blocks. A block is one table with each entrant in each seat once. The interval
around this sum is an empirical Bernstein confidence sequence. See Howard, Ramdas, McAuliffe and Sekhon, "Time-uniform,
nonparametric, nonasymptotic confidence sequences" (Annals of Statistics 49, 2021, theorem 4) and their polynomial
stitched boundary (equation 10). With the stated confidence, the interval contains the true difference after every
block. The method needs no normal approximation, only bounded differences of a block. A union bound over all pairs
covers the whole order.
"""

from dataclasses import dataclass, field
from itertools import pairwise, permutations

import numpy as np
import numpy.typing as npt

from evodom.matches.seating import Tables
from evodom.statistics import DEFAULT_CONFIDENCE, IntervalEstimate, quantile

ELO = 400.0 / np.log(10.0)
"""Points of the Elo scale per unit of log-strength: 400 points are odds of 10 to 1 for finishing in front."""

MEAN = 1500.0

PRIOR = 1.0
"""Number of ties with an average player that are added to each entrant, so that every rating is finite."""

TOLERANCE = 1e-9
MAX_STEPS = 100

Vector = npt.NDArray[np.float64]


def ratings(
    tables: Tables,
    points: Vector,
    n_entrants: int,
    *,
    confidence: float = DEFAULT_CONFIDENCE,
    anchor: int | None = None,
) -> list[IntervalEstimate]:
    """Return each entrant's rating on the Elo scale. The mean, or the entrant ``anchor``, has 1500.

    ``tables`` (n_games, n_seats) are the entrants by seat. ``points`` of the same shape are the opponents beaten (ties
    count half). A tie counts as all orders of the tied entrants in equal parts. An interval is for the difference from
    the mean or the anchor.
    """
    orders, weights = finishing_orders(tables, points)
    strengths, information = fit(orders, weights, n_entrants)
    centring = np.eye(n_entrants)
    centring -= 1.0 / n_entrants if anchor is None else np.eye(n_entrants)[anchor]
    variances = np.diag(centring @ np.linalg.inv(information) @ centring.T)
    values = MEAN + ELO * (centring @ strengths)
    halves = ELO * quantile(confidence) * np.sqrt(np.maximum(variances, 0.0))
    return [
        IntervalEstimate(float(value), float(value - half), float(value + half))
        for value, half in zip(values, halves, strict=True)
    ]


def finishing_orders(tables: Tables, points: Vector) -> tuple[Tables, Vector]:
    """Return the distinct finishing orders, best first, and the frequency of each."""
    seats = np.argsort(-points, axis=1, kind="stable")
    placed = np.take_along_axis(tables, seats, axis=1)
    scores = np.take_along_axis(points, seats, axis=1)
    # Doubled points are whole numbers, so equal orders with equal ties are equal rows.
    rows, counts = np.unique(np.concatenate([placed, 2.0 * scores], axis=1), axis=0, return_counts=True)
    n_seats = tables.shape[1]
    orders: list[tuple[int, ...]] = []
    weights: list[float] = []
    for row, count in zip(rows, counts, strict=True):
        found = _untied(tuple(int(entrant) for entrant in row[:n_seats]), row[n_seats:])
        orders += found
        weights += [count / len(found)] * len(found)
    return np.array(orders, np.int32), np.array(weights)


def fit(orders: Tables, weights: Vector, n_entrants: int) -> tuple[Vector, Vector]:
    """Return the maximum-likelihood log-strengths (n_entrants,) and their information matrix."""
    strengths = np.zeros(n_entrants)
    value, gradient, information = likelihood(strengths, orders, weights)
    for _ in range(MAX_STEPS):
        step = np.linalg.solve(information, gradient)
        if float(np.abs(step).max()) < TOLERANCE:
            break
        # Far from the maximum a whole step may lead too far.
        while (new := likelihood(strengths + step, orders, weights))[0] < value and np.abs(step).max() >= TOLERANCE:
            step = step / 2.0
        strengths = strengths + step
        value, gradient, information = new
    return strengths, information


def likelihood(strengths: Vector, orders: Tables, weights: Vector) -> tuple[float, Vector, Vector]:
    """Return the log-likelihood of finishing orders (with the prior), its gradient and negated second derivatives."""
    n = len(strengths)
    sigmoid = 1.0 / (1.0 + np.exp(-strengths))
    value = PRIOR * float(0.5 * np.log(sigmoid * (1.0 - sigmoid)).sum())
    gradient = PRIOR * (0.5 - sigmoid)
    information = np.diag(PRIOR * sigmoid * (1.0 - sigmoid))
    for place in range(orders.shape[1] - 1):
        left = orders[:, place:]
        exponents = strengths[left]
        top = exponents.max(axis=1, keepdims=True)
        parts = np.exp(exponents - top)
        total = parts.sum(axis=1, keepdims=True)
        value += float((weights * (exponents[:, 0] - top[:, 0] - np.log(total[:, 0]))).sum())
        chances = np.zeros((len(orders), n))
        np.add.at(chances, (np.arange(len(orders))[:, None], left), parts / total)
        gradient += np.bincount(left[:, 0], weights, n) - weights @ chances
        information += np.diag(weights @ chances) - chances.T @ (weights[:, None] * chances)
    return value, gradient, information


def _untied(entrants: tuple[int, ...], scores: Vector) -> list[tuple[int, ...]]:
    """Return all finishing orders with ties resolved in every way."""
    found: list[tuple[int, ...]] = [()]
    for score in dict.fromkeys(scores.tolist()):
        tied = [entrant for entrant, own in zip(entrants, scores, strict=True) if own == score]
        found = [before + after for before in found for after in permutations(tied)]
    return found


Matrix = npt.NDArray[np.float64]

S = 1.4
"""Exponent of the boundary, called s by Howard et al."""

ETA = 2.0
"""Ratio of the boundary's epochs, called eta by Howard et al."""

ZETA_S = 3.105472778
"""Riemann's zeta function at S."""

FIRST_VARIANCE = 100.0
"""Sum of squared differences above which the boundary is tight. About 100 games won by one of two entrants suffice."""


def boundary(variance: Matrix, scale: float, alpha: float) -> Matrix:
    """Return a bound for a sum with this sum of squares. The probability that it is ever exceeded is ``alpha``."""
    k1, k2 = (ETA**0.25 + ETA**-0.25) / 2**0.5, (ETA**0.5 + 1) / 2
    variance = np.maximum(variance, FIRST_VARIANCE)
    log_log = S * np.log(np.log(ETA * variance / FIRST_VARIANCE)) + np.log(ZETA_S / (alpha * np.log(ETA) ** S))
    stitched = np.sqrt(k1**2 * variance * log_log + (k2 * scale * log_log) ** 2) + k2 * scale * log_log
    return np.asarray(stitched, np.float64)


SHRINKAGE = 4.0
"""Weight of an entrant's overall share in the prediction of its wins at a table, as a number of blocks."""


@dataclass
class OrderTest:
    """Sequential test of the order. ``add`` games in whole passes over ``n_tables`` tables, then call ``unclear``."""

    n_entrants: int
    confidence: float
    n_tables: int = 1
    n_games: int = 0
    wins: Matrix = field(init=False)
    """Wins of each entrant at each table, (n_tables, n_entrants). A win shared by k counts 1/k."""
    played: Matrix = field(init=False)
    """Seats of each entrant at each table, over all games, (n_tables, n_entrants)."""
    squares: Matrix = field(init=False)
    """For each pair of entrants: sum over blocks of the product of their residuals (wins minus predicted wins)."""
    scale: float = 0.0

    def __post_init__(self) -> None:
        self.wins, self.played = np.zeros((2, self.n_tables, self.n_entrants))
        self.squares = np.zeros((self.n_entrants, self.n_entrants))

    def add(self, tables: Tables, wins: Matrix) -> None:
        """Count games, block by block: entrants by seat, and their shares of the win, both (n_games, n_seats)."""
        n_seats = tables.shape[1]
        blocks = tables[::n_seats]
        won, seats = np.zeros((2, len(blocks), self.n_entrants))
        np.add.at(won, ((np.arange(len(tables)) // n_seats)[:, None], tables), wins)
        np.add.at(seats, (np.arange(len(blocks))[:, None], blocks), n_seats)
        residuals = won - seats * np.resize(self._predicted_shares(n_seats), won.shape)
        self.squares += residuals.T @ residuals
        self.wins += won.reshape(-1, self.n_tables, self.n_entrants).sum(axis=0)
        self.played += seats.reshape(-1, self.n_tables, self.n_entrants).sum(axis=0)
        self.n_games += len(tables)
        self.scale = 2.0 * n_seats  # a block's difference lies between minus and plus its number of games

    def _predicted_shares(self, n_seats: int) -> Matrix:
        """Predict each entrant's wins per seat at each table, from the games so far.

        Any prediction made before the games is valid. A good prediction makes the squares small. This prediction is the
        entrant's share at the table, shrunk towards its overall share.
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
        """Entrants by descending share of the wins, ties by number."""
        return [int(entrant) for entrant in np.argsort(-self.total, kind="stable")]

    @property
    def margins(self) -> Matrix:
        """Half-width of each pair's interval in wins, with simultaneous confidence for all pairs."""
        n_pairs = max(1, self.n_entrants * (self.n_entrants - 1) // 2)
        spread = np.diag(self.squares)
        variance = spread[:, None] + spread[None, :] - 2.0 * self.squares
        return boundary(variance, self.scale, (1.0 - self.confidence) / (2 * n_pairs))

    def unclear(self) -> list[tuple[int, int]]:
        """Return the pairs of neighbours whose order is not clear, the better placed entrant first."""
        wins, margins = self.total, self.margins
        return [(a, b) for a, b in pairwise(self.order) if wins[a] - wins[b] <= margins[a, b]]
