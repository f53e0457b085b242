"""Statistics of the gains of a strategy, from which genomes that imitate it are drawn."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import BASIC, COPPER, CURSE_PILE, GOLD, SILVER, VICTORY
from evodom.dominion.kingdom import Kingdom

MIN_GAINS = 0.15
"""A card with fewer gains a game is not imitated."""

MAX_LIMITED_GAINS = 6
"""A kingdom card with more gains a game has no limit."""

MIN_OPENING_GAINS = 0.3
"""A kingdom card with this number of gains a game in the first two turns is an opening buy."""

EXPENSIVE = 8
"""A Victory card of this cost or more is bought at any time, cheaper ones near the end."""

PREFERENCE_NOISE, LIMIT_NOISE, GAINS_LEFT_NOISE = 0.08, 0.7, 1.4
"""Standard deviations of random variations: of a share of choices, of a limit, of the gains to the end."""

MAX_GAINS_LEFT = 18


@dataclass(frozen=True)
class GainStatistics:
    """Gains of a strategy by pile, all arrays (n_piles,).

    Attributes:
        per_game: mean number of gains per game and seat.
        last_turn: a late quantile of the turns of the gains.
        gains_to_end: the same quantile, over the gains, of the fewest further gains that could end the game.
        opening: mean number of gains in the first two turns.
        prefers: (n_piles, n_piles), how often the row's pile was taken while the column's was available.
    """

    per_game: npt.NDArray[np.float64]
    last_turn: npt.NDArray[np.float64]
    gains_to_end: npt.NDArray[np.float64]
    opening: npt.NDArray[np.float64]
    prefers: npt.NDArray[np.float64]


@dataclass(frozen=True)
class ImitatedGains:
    """What a genome that imitates a strategy expresses.

    Attributes:
        order: the piles to gain, the most preferred first.
        opening: kingdom piles of the first two turns.
        limits: limits of owned cards of the piles of ``order``. Other piles have none.
        gains_left: bounds of the gains to the end for Victory cards that are gained late, by pile.
    """

    order: list[int]
    opening: list[int]
    limits: dict[int, int]
    gains_left: dict[int, int]


def imitated_gains(stats: GainStatistics, kingdom: Kingdom, rng: np.random.Generator | None) -> ImitatedGains:
    """Return what to imitate: the means, or with ``rng`` a random variation."""

    def noise(deviation: float) -> float:
        return float(rng.normal(0.0, deviation)) if rng else 0.0

    piles = [
        pile
        for pile in range(len(kingdom.piles))
        if pile not in (COPPER, CURSE_PILE) and stats.per_game[pile] >= MIN_GAINS
    ]
    values = {pile: _preference(stats, pile, piles) + noise(PREFERENCE_NOISE) for pile in piles}
    opening = [pile for pile in piles if pile >= len(BASIC) and stats.opening[pile] >= MIN_OPENING_GAINS]
    limited = [pile for pile in piles if pile >= len(BASIC) and stats.per_game[pile] <= MAX_LIMITED_GAINS]
    late = [pile for pile in piles if VICTORY in kingdom.piles[pile].types and kingdom.piles[pile].cost < EXPENSIVE]
    limits = {pile: max(round(stats.per_game[pile] + noise(LIMIT_NOISE)), 1) for pile in limited}
    if rng:
        for pile in piles:
            _vary_limit(pile, limits, rng)
    return ImitatedGains(
        order=sorted(piles, key=lambda pile: -values[pile]),
        opening=sorted(opening, key=lambda pile: -kingdom.piles[pile].cost),
        limits=limits,
        gains_left={
            pile: int(np.clip(round(stats.gains_to_end[pile] + noise(GAINS_LEFT_NOISE)), 1, MAX_GAINS_LEFT))
            for pile in late
        },
    )


def _vary_limit(pile: int, limits: dict[int, int], rng: np.random.Generator) -> None:
    """Vary whether a pile has a limit, in place.

    Decks of different kinds lie far apart: with or without Treasures, with two or ten of an Action. Small changes of
    one list do not lead from one kind to the other, so the variations begin at many of them.
    """
    drawn = rng.random()
    if pile in (SILVER, GOLD):
        if drawn < 0.25:
            limits[pile] = int(rng.integers(0, 4))
    elif pile in limits and drawn < 0.2:
        del limits[pile]
    elif pile in limits and drawn < 0.25:
        limits[pile] = 0


def _preference(stats: GainStatistics, pile: int, piles: list[int]) -> float:
    """Return the mean share of choices of a pile over each other pile that was available, from 0 to 1."""
    shares = []
    for other in piles:
        taken, passed_over = stats.prefers[pile, other], stats.prefers[other, pile]
        if other != pile and taken + passed_over:
            shares.append(taken / (taken + passed_over))
    return float(np.mean(shares)) if shares else 0.0
