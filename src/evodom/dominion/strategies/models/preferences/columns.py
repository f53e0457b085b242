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
    """Whether a buy is drawn among the affordable and wanted piles and passing, else from all weights."""
    limits: Annotated[SmallNumbers, N_MODEL_PILES]
    """A pile is wanted while the deck has fewer of its cards."""
    max_gains_to_end: Annotated[SmallNumbers, N_MODEL_PILES]
    """A pile is wanted once the game can end within this number of gains."""
    province_coins: int
    """A Province is wanted once the Treasures of the deck make more coins."""
    terminals: int
    """A terminal Action is wanted while the deck has fewer, plus one for each ``terminal_per`` cards (0: none) and one
    for each extra Action of cards like Village.
    """
    terminal_per: int
