"""The columns that all strategies share: the kingdom, the phase of the game, and what cards are worth."""

from typing import Any

import numpy as np

from evodom.dominion.engine.rules import N_PILES
from evodom.dominion.strategies.model import Column
from evodom.errors import UsageError

EARLY, LATE = 0, 1
"""The two phases of a strategy."""

SWITCH_TURN, SWITCH_PROVINCES, SWITCH_GAINS = 0, 1, 2
"""What tells the phase: the turn, the Provinces left, or the fewest gains that can end the game."""

ALWAYS = 99
"""No limit, and any time: more than a pile has cards."""

ANY_KINGDOM = 0
"""The fingerprint of a strategy that names no pile."""

SHARED_COLUMNS: tuple[Column, ...] = (
    # The place of its model in `registry.MODELS`.
    ("kind", "<i4"),
    # The fingerprint of the kingdom whose piles it is about; 0 for a strategy of any kingdom.
    ("kingdom", "<u8"),
    # The phase is LATE from the turn after `switch` on, or once what `switch_on` says is at most `switch_left`.
    ("switch", "<i4"),
    ("switch_on", "<i4"),
    ("switch_left", "<i4"),
    # What a card is worth to own, and to have in hand during a turn; with `ranks_cards` all choices among cards go
    # by it (see `choices`). A card worth less than `trash_below` to own is trashed when it may be, in each phase, but
    # no Treasure that would leave the deck with less than `coin_floor` coins.
    ("ranks_cards", "<i4"),
    ("worth_owning", "<i4", (N_PILES,)),
    ("worth_in_hand", "<i4", (N_PILES,)),
    ("trash_below", "<i4", (2,)),
    ("coin_floor", "<i4"),
)


def check_kingdom(strategies: Any, fingerprint: int) -> None:
    """Raise UsageError unless strategies, a record or an array of them, are about the piles of one kingdom."""
    own = np.atleast_1d(strategies["kingdom"])
    if ((own != ANY_KINGDOM) & (own != fingerprint)).any():
        raise UsageError(
            "a strategy of one kingdom cannot play in another, where its piles are other cards. "
            "Take one that was made for this kingdom."
        )
