"""One network for every kingdom: it makes the network of a kingdom out of what its cards do.

Each number of a kingdom's network that belongs to a pile is a product of the general network's numbers with the pile's
`cards.descriptions`. So what is learned of one card is known of all that do the same, and every kingdom has its network
at once. As all of it is linear, gradients go back the same way.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.networks.features import FIRST_SINGLE, N_BLOCKS, SINGLES
from evodom.dominion.strategies.networks.layers import (
    CRITIC_UNITS,
    FIRST_CRITIC_UNIT,
    FIRST_OUTPUT,
    HIDDEN,
    N_KINDS,
    N_OUTPUTS,
    PASS_OUTPUT,
    WIDTH,
    Weights,
    blank,
    parts,
)
from evodom.dominion.strategies.networks.traits import N_NUMBERS, N_SHARED, Numbers, descriptions

_UNITS = np.r_[0:HIDDEN, FIRST_CRITIC_UNIT:WIDTH]
"""The places of a row that are no outputs: the units, the critic's and its guess."""

GENERAL = np.dtype(
    [
        # What a card owned, in hand or asking adds to the units, by block.
        ("cards", "<f4", (N_KINDS, N_BLOCKS, N_NUMBERS, len(_UNITS))),
        # What it adds to the worth of another card, and to that of its own pile.
        ("pairs", "<f4", (N_KINDS, N_BLOCKS, N_SHARED, N_SHARED)),
        ("same", "<f4", (N_KINDS, N_BLOCKS, N_NUMBERS)),
        # What each single feature adds to the units and to the worth of a card.
        ("singles", "<f4", (N_KINDS, len(SINGLES), len(_UNITS))),
        ("worths", "<f4", (N_KINDS, len(SINGLES), N_NUMBERS)),
        # What each unit adds to the worth of a card, and to the critic's guess.
        ("outputs", "<f4", (N_KINDS, HIDDEN, N_NUMBERS)),
        ("critic", "<f4", (N_KINDS, CRITIC_UNITS)),
    ]
)
"""The numbers of a general network."""

N_GENERAL = GENERAL.itemsize // 4


class Cast:
    """How a kingdom's network is made of the general one: `weights` there, `gradient` back."""

    def __init__(self, kingdom: Kingdom) -> None:
        described = descriptions(kingdom)
        self._piles = np.zeros((N_MODEL_PILES, N_NUMBERS), np.float32)
        self._piles[: len(described) - 1] = described[:-1]
        self._outputs: Numbers = np.zeros((N_OUTPUTS, N_NUMBERS), np.float32)
        self._outputs[:N_MODEL_PILES] = self._piles
        self._outputs[PASS_OUTPUT] = described[-1]

    def weights(self, general: npt.NDArray[np.float32]) -> Weights:
        """Return the kingdom's network, (N_WEIGHTS,), of the general one, (N_GENERAL,).

        Sums are taken in float64: rounded to float32, they do not show in which order a processor added.
        """
        source, found = general.view(GENERAL)[0], blank()
        target = parts(found)
        piles, outputs = self._piles.astype(float), self._outputs.astype(float)
        of_cards, singles = self._rows(target["inputs"])
        of_cards[..., _UNITS] = piles @ source["cards"]
        worth = piles[:, :N_SHARED] @ source["pairs"] @ outputs[:, :N_SHARED].T
        worth[..., np.arange(N_MODEL_PILES), np.arange(N_MODEL_PILES)] += source["same"] @ piles.T
        of_cards[..., FIRST_OUTPUT:FIRST_CRITIC_UNIT] = worth
        singles[..., _UNITS] = source["singles"]
        singles[..., FIRST_OUTPUT:FIRST_CRITIC_UNIT] = source["worths"] @ outputs.T
        target["inputs"][:, :FIRST_SINGLE] = of_cards.reshape(N_KINDS, FIRST_SINGLE, WIDTH)
        target["outputs"][:] = (source["outputs"] @ outputs.T).transpose(0, 2, 1)
        target["critic"][:] = source["critic"]
        return found

    def gradient(self, gradient: Weights) -> npt.NDArray[np.float32]:
        """Return the gradient by the general network's numbers, given that by the kingdom's."""
        given, found = parts(gradient), np.zeros(N_GENERAL, np.float32)
        target = found.view(GENERAL)[0]
        piles, outputs = self._piles, self._outputs
        of_cards, singles = self._rows(given["inputs"])
        target["cards"][:] = piles.T @ of_cards[..., _UNITS]
        worth = of_cards[..., FIRST_OUTPUT:FIRST_CRITIC_UNIT]
        target["pairs"][:] = piles[:, :N_SHARED].T @ worth @ outputs[:, :N_SHARED]
        target["same"][:] = worth[..., np.arange(N_MODEL_PILES), np.arange(N_MODEL_PILES)] @ piles
        target["singles"][:] = singles[..., _UNITS]
        target["worths"][:] = singles[..., FIRST_OUTPUT:FIRST_CRITIC_UNIT] @ outputs
        target["outputs"][:] = given["outputs"].transpose(0, 2, 1) @ outputs
        target["critic"][:] = given["critic"]
        return found

    @staticmethod
    def _rows(inputs: Numbers) -> tuple[Any, Any]:
        """Return the rows of cards, (N_KINDS, N_BLOCKS, N_MODEL_PILES, WIDTH), and those of single features."""
        return inputs[:, :FIRST_SINGLE].reshape(N_KINDS, N_BLOCKS, N_MODEL_PILES, WIDTH), inputs[:, FIRST_SINGLE:]


def new_general(rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """Return a general network that thinks all choices worth the same: its units differ, its outputs are 0."""
    general = np.zeros(N_GENERAL, np.float32)
    network = general.view(GENERAL)[0]
    without_guess = slice(0, len(_UNITS) - 1)
    for name, scale in (("cards", 0.07), ("singles", 0.15)):
        shape = network[name][..., without_guess].shape
        network[name][..., without_guess] = rng.normal(0.0, scale, shape)
    return general
