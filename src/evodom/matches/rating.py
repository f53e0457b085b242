"""Ratings: the Plackett-Luce model, fitted to all places of all games by maximum likelihood.

Everybody has a strength; the winner of a table is drawn in proportion to the strengths, then the second among the
rest, and so on. At tables of two this is the model of Bradley and Terry. See Hunter, "MM algorithms for generalized
Bradley-Terry models" (Annals of Statistics 32, 2004) for the likelihood; it is concave in the logarithms of the
strengths, so that Newton's method finds its maximum, and its second derivatives there give the intervals.
"""

from itertools import permutations

import numpy as np
import numpy.typing as npt

from evodom.matches.seating import Tables
from evodom.statistics import DEFAULT_CONFIDENCE, IntervalEstimate, quantile

ELO = 400.0 / np.log(10.0)
"""Points of the Elo scale to one of log-strength: 400 points are odds of 10 to 1 for finishing in front."""

MEAN = 1500.0

PRIOR = 1.0
"""Everybody has also played this many drawn games against an average player: who always loses has a rating, too."""

TOLERANCE = 1e-9
MOST_STEPS = 100

Vector = npt.NDArray[np.float64]


def ratings(
    tables: Tables,
    points: Vector,
    n_entrants: int,
    *,
    confidence: float = DEFAULT_CONFIDENCE,
    anchor: int | None = None,
) -> list[IntervalEstimate]:
    """Return each entrant's rating on the Elo scale, the mean (or the entrant ``anchor``) at 1500.

    ``tables`` (n_games, n_seats) says who sat where, ``points`` of the same shape how many opponents were beaten there
    (ties count half). A tie counts as every order of those who tie, in equal parts. Intervals are those of the
    differences from the mean or the anchor.
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
    """Return the different orders in which entrants finished, best first, and how often each was seen."""
    seats = np.argsort(-points, axis=1, kind="stable")
    placed = np.take_along_axis(tables, seats, axis=1)
    scores = np.take_along_axis(points, seats, axis=1)
    # A whole number for each game's orders and ties: rows of it are found again.
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
    """Return the most likely log-strengths (n_entrants,) and their information matrix."""
    strengths = np.zeros(n_entrants)
    value, gradient, information = likelihood(strengths, orders, weights)
    for _ in range(MOST_STEPS):
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
    """Return the log-likelihood of finishing orders with the prior, its gradient and its negated second derivatives."""
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
    """Return all orders of those who finished, with ties resolved in every way."""
    found: list[tuple[int, ...]] = [()]
    for score in dict.fromkeys(scores.tolist()):
        tied = [entrant for entrant, own in zip(entrants, scores, strict=True) if own == score]
        found = [before + after for before in found for after in permutations(tied)]
    return found
