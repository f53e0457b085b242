"""How the numbers of a network lie in memory: four networks of one shape, one a kind of decision, each with a critic.

Each is a layer of HIDDEN rectified units (ReLU) beside a linear part. Row ``f`` of ``inputs`` holds what feature ``f``
adds to the units, directly to the outputs, to the critic's units and to its guess, so that one pass over the features
that are not 0 does it all. What units add to the outputs is in ``outputs`` and, for the critic, in ``critic``.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.rules import N_PILES
from evodom.dominion.strategies.networks.features import N_FEATURES

GAIN, PLAY, TRASH, CARDS = range(4)
"""The kinds of decisions: which card to gain, which Action to play, what to trash, and all else about cards."""

KIND_NAMES = ("gain", "play", "trash", "other cards")
N_KINDS = len(KIND_NAMES)

N_OUTPUTS = N_PILES + 1
"""The worth of each pile, and of passing."""

HIDDEN = 48
"""Units of a policy; with the outputs, the critic's units and its guess a row of ``inputs`` has 96 numbers."""


CRITIC_UNITS = 29

FIRST_OUTPUT = HIDDEN
FIRST_CRITIC_UNIT = FIRST_OUTPUT + N_OUTPUTS
GUESS = FIRST_CRITIC_UNIT + CRITIC_UNITS
WIDTH = GUESS + 1
"""Where the parts of a row begin, and its length."""

NETWORK = np.dtype(
    [
        ("inputs", "<f4", (N_KINDS, N_FEATURES, WIDTH)),
        ("outputs", "<f4", (N_KINDS, N_OUTPUTS, HIDDEN)),
        ("critic", "<f4", (N_KINDS, CRITIC_UNITS)),
    ]
)
"""One network for one kingdom."""

N_WEIGHTS = NETWORK.itemsize // 4

Weights = npt.NDArray[np.float32]
"""The numbers of a network as one vector, (N_WEIGHTS,)."""

OUTPUTS = N_KINDS * N_FEATURES * WIDTH
CRITIC = OUTPUTS + N_KINDS * HIDDEN * N_OUTPUTS
"""Where the second and the third part of NETWORK begin in the vector."""


LINE = 64
"""Bytes of a line of a processor's cache. A network begins with one, and so do its rows of ``inputs`` and ``outputs``:
sums over them are a fifth faster."""


def blank() -> Weights:
    """Return a network whose numbers are all 0."""
    room = np.zeros(4 * N_WEIGHTS + LINE, np.uint8)
    start = -room.ctypes.data % LINE
    return room[start : start + 4 * N_WEIGHTS].view(np.float32)


def copied(weights: Any) -> Weights:
    """Return a copy of a network's numbers, (N_WEIGHTS,) of any array."""
    copy = blank()
    copy[:] = weights
    return copy


def parts(weights: Weights) -> Any:
    """Return the vector as a record of NETWORK, a view."""
    return weights.view(NETWORK)[0]
