"""The block of preferences in the record of a strategy."""

from typing import Annotated, Protocol

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.rules import N_MODEL_PILES

Floats = npt.NDArray[np.float64]
SmallNumbers = npt.NDArray[np.int16]


class PreferenceColumns(Protocol):
    """Weights and conditions of the piles. Arrays of N_MODEL_PILES are indexed by pile."""

    weights: Annotated[Floats, (2, N_MODEL_PILES)]
    """The weights of a phase sum to 1, with the pass weight."""
    pass_weights: Annotated[Floats, 2]
    class_weights: Annotated[Floats, 3]
    """Weights of the classes of Actions."""
    cellar_victory_only: int
    graded: int
    """1: a buy is drawn among passing and the affordable, wanted piles. 0: it is drawn from all weights."""
    limits: Annotated[SmallNumbers, N_MODEL_PILES]
    """A pile is wanted while the deck has fewer of its cards."""
    max_gains_to_end: Annotated[SmallNumbers, N_MODEL_PILES]
    """A pile is wanted once the game can end within this number of gains."""
    province_coins: int
    """A Province is wanted once the deck's Treasures give more than this number of coins."""
    terminals: int
    """Maximum number of terminal Actions in the deck. ``terminal_per`` and each extra Action (Village) add to it."""
    terminal_per: int
    """If not 0, each ``terminal_per`` cards of the deck add 1 to ``terminals``."""
