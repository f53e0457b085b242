"""The strategy record: what `select` needs to know of a strategy, whatever its kind."""

from typing import Any, TypeAlias

import numpy as np

from evodom.dominion.rules import N_PILES

EARLY, LATE = 0, 1
"""The two phases of a preference strategy."""

KIND_RANDOM, KIND_MENU, KIND_PREFERENCE = 0, 1, 2

MAX_MENU = 16

Strategy: TypeAlias = Any
"""A record of STRATEGY (`numpy.record`)."""

STRATEGY = np.dtype(
    (
        np.record,
        [
            ("kind", "<i4"),
            # Preferences: each phase's weights sum to 1; from the turn after `switch` on those of LATE are used.
            ("weights", "<f8", (2, N_PILES)),
            ("class_weights", "<f8", (3,)),
            ("switch", "<i4"),
            ("cellar_victory_only", "<i4"),
            # With `graded` a buy is drawn among what can be bought and has weight, else from the whole preference. No
            # more than its limit of a pile is bought or gained by choice.
            ("graded", "<i4"),
            ("limits", "<i4", (N_PILES,)),
            # Menu: rows of (pile, own at most, Provinces left at most), the first that applies is bought.
            ("n_menu", "<i4"),
            ("menu", "<i4", (MAX_MENU, 3)),
            # What a card is worth to own, and to have in hand during a turn; with `weighs` all choices among cards go
            # by it (see `choices`). A card worth less than `trash_below` to own is trashed when it may be, in each
            # phase, but no Treasure that would leave the deck with less than `coin_floor` coins.
            ("weighs", "<i4"),
            ("keep", "<i4", (N_PILES,)),
            ("use", "<i4", (N_PILES,)),
            ("trash_below", "<i4", (2,)),
            ("coin_floor", "<i4"),
        ],
    )
)
"""One strategy; an array of them is a population or the players of a table."""
