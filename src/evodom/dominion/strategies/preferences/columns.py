"""The columns that preferences add to a strategy's record."""

import numpy as np

from evodom.dominion.engine.rules import N_PILES
from evodom.dominion.strategies.columns import ALWAYS
from evodom.dominion.strategies.model import Column, Strategy

COLUMNS: tuple[Column, ...] = (
    # Each phase's weights sum to 1.
    ("weights", "<f8", (2, N_PILES)),
    ("pass_weights", "<f8", (2,)),
    ("class_weights", "<f8", (3,)),
    ("cellar_victory_only", "<i4"),
    # With `graded` a buy is drawn among what can be bought and is wanted, and to pass, else from the whole preference.
    ("graded", "<i4"),
    # What is wanted: fewer than its limit of a pile; a pile once the game can end within `from_left` gains; Provinces
    # once the deck's Treasures make more than `province_coins`; a terminal Action while the deck has fewer than
    # `terminals`, and one more for each `terminal_per` cards (0: none) and each further Action that a card like Village
    # gives.
    ("limits", "<i4", (N_PILES,)),
    ("from_left", "<i4", (N_PILES,)),
    ("province_coins", "<i4"),
    ("terminals", "<i4"),
    ("terminal_per", "<i4"),
)

DEFAULTS = {"limits": ALWAYS, "from_left": ALWAYS, "terminals": ALWAYS}
"""What a blank record says: every card is wanted at any time."""


def is_sound(strategy: Strategy) -> bool:
    """Tell whether all weights are numbers: kernels draw by them."""
    return bool(all(np.isfinite(strategy[name]).all() for name in ("weights", "pass_weights", "class_weights")))
