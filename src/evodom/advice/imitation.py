"""Buy lists that buy roughly what a learned player bought: a start for finding one that people can follow.

What it opens with comes first, one of each; then what it took where it could have had something else. A list is slower
than the player it imitates, so it copies no turn from which on a Gold or a Province was no longer bought.
"""

import numpy as np

from evodom.dominion.cards import BASIC, COPPER, CURSE_PILE, SILVER, VICTORY
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.buy_lists.genetics import ALWAYS, GAINS_LEFT, GENOME, LAST_TURN, ROOM, TURNS
from evodom.dominion.strategies.genes import UNLIMITED
from evodom.dominion.strategies.model import Genomes
from evodom.learning.habits import Bought

RARE = 0.15
"""A card of which fewer are gained in a game has no rule."""

MOST_LISTED = 6
"""A kingdom card of which more are owned has no limit."""

OPENS = 0.3
"""A kingdom card that is gained in so many games in the first two turns is one to open with."""

FREE = 4
"""One of so many lists leaves out the opening."""

DEAR = 8
"""A Victory card that costs as much is bought at any time, others towards the end."""

SLOWER = 1.5
"""How much longer than the player a list buys Silver, if it stops at all."""


def like(bought: Bought, kingdom: Kingdom, n: int, rng: np.random.Generator) -> Genomes:
    """Return ``n`` lists that buy what was bought, the first as it was on average, the others more freely."""
    piles = [
        pile for pile in range(len(kingdom.piles)) if pile not in (COPPER, CURSE_PILE) and bought.per_game[pile] >= RARE
    ]
    first = [pile for pile in piles if pile >= len(BASIC) and bought.opening[pile] >= OPENS]
    first.sort(key=lambda pile: -kingdom.piles[pile].cost)
    genomes = np.zeros(n, GENOME)
    genomes["high"] = LAST_TURN
    for number in range(n):
        noise = rng.normal(0.0, 0.08, len(kingdom.piles)) if number else np.zeros(len(kingdom.piles))
        order = sorted(piles, key=lambda pile: -(_standing(bought, pile, piles) + noise[pile]))
        opening = first if number % FREE != FREE - 1 else []
        for place, pile in enumerate(opening[:ROOM]):
            _open_with(genomes[number], place, pile)
        for place, pile in enumerate(order[: ROOM - len(opening)], len(opening)):
            _write(genomes[number], place, pile, bought, kingdom, rng if number else None)
    return genomes


def _standing(bought: Bought, pile: int, piles: list[int]) -> float:
    """Return how often a pile was taken where one of the others could have been, from 0 to 1 on average."""
    shares = []
    for other in piles:
        for_it, against = bought.prefers[pile, other], bought.prefers[other, pile]
        if other != pile and for_it + against:
            shares.append(for_it / (for_it + against))
    return float(np.mean(shares)) if shares else 0.0


def _open_with(genome: np.void, place: int, pile: int) -> None:
    genome["pile"][place], genome["at_most"][place] = pile, 1
    genome["when"][place], genome["low"][place] = ALWAYS, 1


def _write(
    genome: np.void, place: int, pile: int, bought: Bought, kingdom: Kingdom, rng: np.random.Generator | None
) -> None:
    """Write the rule for a pile; with ``rng`` its limit and its time vary."""
    owned, card = bought.per_game[pile], kingdom.piles[pile]
    spread = float(rng.normal(0.0, 0.7)) if rng is not None else 0.0
    limit = max(round(owned + spread), 1)
    is_limited = pile >= len(BASIC) and owned <= MOST_LISTED
    genome["pile"][place], genome["at_most"][place] = pile, limit if is_limited else UNLIMITED
    genome["when"][place], genome["low"][place] = ALWAYS, 1
    if VICTORY in card.types and card.cost < DEAR:
        genome["when"][place] = GAINS_LEFT
        genome["low"][place] = int(np.clip(round(bought.gains_left[pile] + 2 * spread), 1, 30))
    elif pile == SILVER and rng is not None and rng.random() < 0.5:
        genome["when"][place] = TURNS
        genome["high"][place] = int(np.clip(round(SLOWER * bought.last_turn[pile] + 2 * spread), 1, LAST_TURN))
