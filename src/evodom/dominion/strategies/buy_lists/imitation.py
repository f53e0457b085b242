"""Buy lists that buy roughly what another strategy bought: a start for finding one that people can follow."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import BASIC, COPPER, CURSE_PILE, VICTORY
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.buy_lists.genome import ALWAYS, GAINS_LEFT, GENOME, LAST_TURN, ROOM, TURNS
from evodom.dominion.strategies.genes import UNLIMITED
from evodom.dominion.strategies.model import Genomes

RARE = 0.15
"""A card of which fewer are gained in a game has no rule."""

MOST_LISTED = 6
"""A kingdom card of which more are owned has no limit."""


@dataclass(frozen=True)
class Bought:
    """What a strategy gained, by pile: how many a game, on which turn at the latest, with how many gains left at first.

    ``prefers`` (n_piles, n_piles) counts how often one pile was taken while another could have been.
    """

    per_game: npt.NDArray[np.float64]
    last_turn: npt.NDArray[np.float64]
    gains_left: npt.NDArray[np.float64]
    prefers: npt.NDArray[np.float64]


def like(purchases: Bought, kingdom: Kingdom, n: int, rng: np.random.Generator) -> Genomes:
    """Return ``n`` lists that buy what was bought, the first as it was on average, the others more freely."""
    piles = [
        pile
        for pile in range(len(kingdom.piles))
        if pile not in (COPPER, CURSE_PILE) and purchases.per_game[pile] >= RARE
    ]
    genomes = np.zeros(n, GENOME)
    genomes["high"] = LAST_TURN
    for number in range(n):
        noise = rng.normal(0.0, 0.08, len(kingdom.piles)) if number else np.zeros(len(kingdom.piles))
        order = sorted(piles, key=lambda pile: -(_standing(purchases, pile, piles) + noise[pile]))
        for place, pile in enumerate(order[:ROOM]):
            _write(genomes[number], place, pile, purchases, kingdom, rng if number else None)
    return genomes


def _standing(purchases: Bought, pile: int, piles: list[int]) -> float:
    """Return how often a pile was taken where one of the others could have been, from 0 to 1 on average."""
    shares = []
    for other in piles:
        for_it, against = purchases.prefers[pile, other], purchases.prefers[other, pile]
        if other != pile and for_it + against:
            shares.append(for_it / (for_it + against))
    return float(np.mean(shares)) if shares else 0.0


def _write(
    genome: np.void, place: int, pile: int, purchases: Bought, kingdom: Kingdom, rng: np.random.Generator | None
) -> None:
    """Write the rule for a pile; with ``rng`` its limit and its time vary."""
    owned = purchases.per_game[pile]
    spread = float(rng.normal(0.0, 0.7)) if rng is not None else 0.0
    limit = max(round(owned + spread), 1)
    is_kingdom = pile >= len(BASIC)
    genome["pile"][place] = pile
    genome["at_most"][place] = limit if is_kingdom and owned <= MOST_LISTED else UNLIMITED
    genome["when"][place], genome["low"][place] = ALWAYS, 1
    if VICTORY in kingdom.piles[pile].types and kingdom.piles[pile].cost < 8:
        genome["when"][place] = GAINS_LEFT
        genome["low"][place] = int(np.clip(round(purchases.gains_left[pile] + 2 * spread), 1, 30))
    elif not is_kingdom and pile and purchases.last_turn[pile] + 2 * spread < LAST_TURN / 2:
        genome["when"][place] = TURNS
        genome["low"][place] = 1
        genome["high"][place] = int(np.clip(round(purchases.last_turn[pile] + 2 * spread), 1, LAST_TURN))
