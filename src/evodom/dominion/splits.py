"""Split the random kingdoms of some sets: a fixed number of held-out kingdoms for tests, all others for training.

The shipped network of all kingdoms was not trained in the held-out kingdoms of the Base Set, of Base Set and Intrigue,
and of all sets.
"""

from functools import cache
from typing import TYPE_CHECKING

from evodom.dominion.cards import BASIC, COLONY_CARDS, SETS
from evodom.dominion.kingdom import DRAWN_SETS, RANDOM, Kingdom, draw_cards

if TYPE_CHECKING:
    import numpy as np

TRAIN, TEST = "train", "test"
SPLITS = (RANDOM, TRAIN, TEST)
"""Names of sets of kingdoms: all random kingdoms, the random kingdoms without the held-out ones, the held-out ones."""

N_HELD_OUT = 40
"""Number of held-out kingdoms of some sets."""

FIRST_SEED = 1_000_000
"""Seed of the first held-out kingdom of some sets. The next have the next seeds."""


@cache
def held_out_kingdoms(sets: tuple[str, ...] = DRAWN_SETS) -> tuple[Kingdom, ...]:
    """Return the held-out kingdoms of some sets. Every second has Platinum and Colony, unless the Base Set is alone.

    The order of ``sets`` does not matter.
    """
    sets = tuple(name for name in SETS if name in sets)
    has_colonies = sets != DRAWN_SETS
    return tuple(_drawn(FIRST_SEED + n, sets, has_colony=has_colonies and n % 2 == 1) for n in range(N_HELD_OUT))


def draw_kingdom(rng: "np.random.Generator", sets: tuple[str, ...], *, split: str = TRAIN) -> Kingdom:
    """Return a random kingdom of some sets: RANDOM or TRAIN. Colonies are as frequent as in held-out kingdoms."""
    while True:
        has_colony = rng.random() < 0.5 and sets != DRAWN_SETS
        kingdom = _drawn(int(rng.integers(2**63)), sets, has_colony=has_colony)
        if split != TRAIN or not is_held_out(kingdom, sets):
            return kingdom


def is_held_out(kingdom: Kingdom, *groups: tuple[str, ...]) -> bool:
    """Return whether a kingdom has the kingdom cards of a held-out kingdom of some sets. Colonies do not matter."""
    return any(_kingdom_cards(kingdom) in _held_out_cards(sets) for sets in groups)


def _drawn(seed: int, sets: tuple[str, ...], *, has_colony: bool) -> Kingdom:
    cards = tuple(card.name for card in draw_cards((), seed=seed, sets=sets))
    return Kingdom((*cards, COLONY_CARDS[0].name) if has_colony else cards)


@cache
def _held_out_cards(sets: tuple[str, ...]) -> frozenset[frozenset[str]]:
    return frozenset(map(_kingdom_cards, held_out_kingdoms(sets)))


def _kingdom_cards(kingdom: Kingdom) -> frozenset[str]:
    return frozenset(card.name for card in kingdom.piles[len(BASIC) : kingdom.kingdom_piles.stop])
