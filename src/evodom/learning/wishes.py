"""Which kingdom card a learner tries in a game: any, but most of all those that need many games to be understood.

A trasher makes a deck weaker before it makes it better, and only if what is trashed is chosen well: who meets it as
rarely as other cards gives it up before learning what to do with it.
"""

import numpy as np
import numpy.typing as npt

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.networks.traits import traits_of
from evodom.learning.experience import NO_WISH

TRASHER_WEIGHT = 5.0
"""What a card that trashes four cards weighs more than others; one that trashes fewer weighs less in proportion."""


def draw_wishes(
    kingdom: Kingdom, shape: tuple[int, ...], share: float, rng: np.random.Generator
) -> npt.NDArray[np.int32]:
    """Return the pile that each seat of each game tries, NO_WISH for all but about a ``share`` of them."""
    piles = np.array([kingdom.pile(card) for card in kingdom.cards], np.int32)
    if not len(piles):
        return np.full(shape, NO_WISH, np.int32)
    trashes = [traits_of(kingdom.piles[pile]).get("trashes from hand", 0.0) for pile in piles]
    weights = 1.0 + TRASHER_WEIGHT * np.array(trashes)
    wishes = rng.choice(piles, size=shape, p=weights / weights.sum())
    wishes[rng.random(shape) >= share] = NO_WISH
    return wishes.astype(np.int32)
