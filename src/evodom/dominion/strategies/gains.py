"""Count the gains of a strategy, and draw plans that imitate them (`imitations`)."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import COPPER, CURSE_PILE, GOLD, SILVER, VICTORY
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.plans import BuyPlan

MIN_GAINS = 0.15
"""A card with fewer gains a game is not imitated."""

MAX_LIMITED_GAINS = 6
"""A kingdom card with more gains a game has no limit."""

MIN_OPENING_GAINS = 0.3
"""A kingdom card with this number of gains a game in the first two turns is an opening buy."""

PREFERENCE_NOISE, LIMIT_NOISE, GAINS_LEFT_NOISE = 0.08, 0.7, 1.4
"""Standard deviations of the random variations of a preference, a limit and a bound of the gains to the end."""

MAX_GAINS_LEFT = 18
"""Largest bound of the gains to the end."""


@dataclass(frozen=True)
class GainStatistics:
    """Gains of a strategy by pile, all arrays (n_piles,).

    Attributes:
        per_game: mean number of gains per game and seat.
        gains_to_end: fewest further gains that could end the game, at a gain; a high quantile over the gains.
        opening: mean number of gains in the first two turns.
        prefers: (n_piles, n_piles), number of gains of the row's pile while the column's pile was available.
    """

    per_game: npt.NDArray[np.float64]
    gains_to_end: npt.NDArray[np.float64]
    opening: npt.NDArray[np.float64]
    prefers: npt.NDArray[np.float64]


NO_OPENING_EVERY = 4
"""Every NO_OPENING_EVERY-th imitation leaves out the opening."""


def imitations(stats: GainStatistics, n: int, kingdom: Kingdom, rng: np.random.Generator) -> list[BuyPlan]:
    """Return ``n`` plans that imitate gains: the first follows the means, the others vary at random."""
    plans = [imitation(stats, kingdom, rng if number else None) for number in range(n)]
    return [
        replace(plan, opening=()) if number % NO_OPENING_EVERY == NO_OPENING_EVERY - 1 else plan
        for number, plan in enumerate(plans)
    ]


def imitation(stats: GainStatistics, kingdom: Kingdom, rng: np.random.Generator | None) -> BuyPlan:
    """Return a plan that follows the means of the gains, or with ``rng`` a random variation."""

    def noise(deviation: float) -> float:
        return float(rng.normal(0.0, deviation)) if rng else 0.0

    piles = [
        pile
        for pile in range(len(kingdom.piles))
        if pile not in (COPPER, CURSE_PILE) and stats.per_game[pile] >= MIN_GAINS
    ]
    values = {pile: _preference(stats, pile, piles) + noise(PREFERENCE_NOISE) for pile in piles}
    of_kingdom = [pile for pile in piles if pile in kingdom.kingdom_piles]
    opening = [pile for pile in of_kingdom if stats.opening[pile] >= MIN_OPENING_GAINS]
    limited = [pile for pile in of_kingdom if stats.per_game[pile] <= MAX_LIMITED_GAINS]
    # The Victory card with the highest cost is bought at any time, cheaper ones near the end.
    victory = kingdom.piles_where(lambda card: VICTORY in card.types)
    highest = max(kingdom.piles[pile].cost for pile in victory)
    late = [pile for pile in piles if pile in victory and kingdom.piles[pile].cost < highest]
    limits = {pile: max(round(stats.per_game[pile] + noise(LIMIT_NOISE)), 1) for pile in limited}
    if rng:
        for pile in piles:
            _vary_limit(pile, limits, rng)
    return BuyPlan(
        order=sorted(piles, key=lambda pile: -values[pile]),
        opening=sorted(opening, key=lambda pile: -kingdom.piles[pile].cost),
        limits=limits,
        gains_left={
            pile: int(np.clip(round(stats.gains_to_end[pile] + noise(GAINS_LEFT_NOISE)), 1, MAX_GAINS_LEFT))
            for pile in late
        },
    )


def _vary_limit(pile: int, limits: dict[int, int], rng: np.random.Generator) -> None:
    """Limit Silver or Gold to 0 to 3 in some variations, and remove other limits or set them to 0, in place.

    Small changes of a list do not lead to a deck of another kind: with or without Treasures, with two or ten of an
    Action. So the variations have decks of many kinds.
    """
    chance = rng.random()
    if pile in (SILVER, GOLD):
        if chance < 0.25:
            limits[pile] = int(rng.integers(0, 4))
    elif pile in limits and chance < 0.2:
        del limits[pile]
    elif pile in limits and chance < 0.25:
        limits[pile] = 0


def _preference(stats: GainStatistics, pile: int, piles: list[int]) -> float:
    """Return the share of choices between a pile and another that gained the pile: the mean over the other piles."""
    shares = []
    for other in piles:
        gained, other_gained = stats.prefers[pile, other], stats.prefers[other, pile]
        if other != pile and gained + other_gained:
            shares.append(gained / (gained + other_gained))
    return float(np.mean(shares)) if shares else 0.0
