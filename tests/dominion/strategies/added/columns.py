"""The block of ladders in the record of a strategy."""

from typing import Annotated, Protocol

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.rules import N_MODEL_PILES


class LadderColumns(Protocol):
    """The piles to buy, the most wanted first."""

    order: Annotated[npt.NDArray[np.uint8], N_MODEL_PILES]
    n_rungs: int
    """Number of piles to buy."""
