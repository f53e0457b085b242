"""A hypernetwork: a linear map from the weights of one general network to those of a kingdom's network.

Each weight of a pile is a product of the general network's weights with the embedding of the pile's card
(`card_embeddings`), which has the card's traits. Similar cards share weights, and every kingdom has a network without
training. The outputs of options have embeddings of the options' Effects.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.observation import FIRST_SCALAR, N_PILE_PARTS, SCALAR_SCALES
from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.models.networks import layers
from evodom.dominion.strategies.models.networks.traits import (
    CARD_COLUMNS,
    PASSING,
    SHARED_COLUMNS,
    options_of,
    traits_of,
)
from evodom.nn.hypernetwork import RowSums, Traits

N_SHARED_COLUMNS = len(SHARED_COLUMNS)
EMBEDDING_SIZE = N_SHARED_COLUMNS + len(CARD_COLUMNS)

_COLUMNS = {name: place for place, name in enumerate((*SHARED_COLUMNS, *CARD_COLUMNS))}

Embeddings = npt.NDArray[np.float32]


def card_embeddings(kingdom: Kingdom) -> Embeddings:
    """Return the embeddings of a kingdom's piles and, last, of passing: (n_piles + 1, EMBEDDING_SIZE) float32."""
    return embeddings_of([*({**traits_of(card), card.name: 1.0} for card in kingdom.piles), {PASSING: 1.0}])


def option_embeddings(kingdom: Kingdom) -> Embeddings:
    """Return the embeddings of all options of a kingdom's cards, in the order of `list_effects`."""
    return embeddings_of([traits for card in kingdom.piles for traits in options_of(card)])


def embeddings_of(traits: list[Traits]) -> Embeddings:
    """Return traits as rows of embeddings, (n, EMBEDDING_SIZE). A card without a column has only its traits."""
    return RowSums.of(traits, _COLUMNS).rows(np.eye(EMBEDDING_SIZE, dtype=np.float32))


UNITS = np.r_[0 : layers.HIDDEN, layers.FIRST_CRITIC_UNIT : layers.VALUE_COLUMN + 1]
"""Indices of a row that are not outputs: the hidden units, the critic's units and its value."""

PILES = np.arange(N_MODEL_PILES)
"""Indices of the piles of a network."""


class Sizes(NamedTuple):
    """Sizes of a general network: its numbers of shared columns, card columns, scalar features and decision kinds."""

    shared: int
    cards: int
    scalars: int
    kinds: int


SIZES = Sizes(len(SHARED_COLUMNS), len(CARD_COLUMNS), len(SCALAR_SCALES), layers.N_KINDS)

TRAINED_SIZES = Sizes(shared=143, cards=112, scalars=60, kinds=5)
"""Sizes of the shipped network. Columns that are appended later have weights of 0 until the next training."""


def layout(sizes: Sizes) -> np.dtype[np.void]:
    """Return the dtype of the weights of a general network."""
    shared, cards, scalars, kinds = sizes
    return np.dtype(
        [
            # By block of features (owned, in hand, pending): contribution of a card to the units.
            ("cards", "<f4", (kinds, N_PILE_PARTS, shared + cards, len(UNITS))),
            # Contribution of such a card to the logit of each card, and in addition to the logit of its own pile.
            ("pairs", "<f4", (kinds, N_PILE_PARTS, shared, shared)),
            ("same", "<f4", (min(kinds, layers.OPTION), N_PILE_PARTS, shared + cards)),
            # Contribution of each single feature to the units and to the logit of a card.
            ("singles", "<f4", (kinds, scalars, len(UNITS))),
            ("worths", "<f4", (kinds, scalars, shared + cards)),
            # Contribution of each unit to the logit of a card, and to the value.
            ("outputs", "<f4", (kinds, layers.HIDDEN, shared + cards)),
            ("critic", "<f4", (kinds, layers.CRITIC_UNITS)),
        ]
    )


GENERAL = layout(SIZES)
"""The weights of a general network. The field names are part of its fingerprint."""

N_GENERAL = GENERAL.itemsize // 4

_EMBEDDED = {"cards": (2,), "pairs": (2, 3), "same": (2,), "worths": (2,), "outputs": (2,)}
"""Axes of each field along which the entries are columns of an embedding."""


def extended(general: npt.NDArray[np.float32], sizes: Sizes) -> npt.NDArray[np.float32]:
    """Return the weights of a general network of smaller ``sizes``, extended to SIZES: (N_GENERAL,).

    New columns have weights of 0. The policy stays the same in kingdoms without new columns.
    """
    found = np.zeros(N_GENERAL, np.float32)
    source, target = general.view(layout(sizes))[0], found.view(GENERAL)[0]
    columns = np.r_[: sizes.shared, N_SHARED_COLUMNS : N_SHARED_COLUMNS + sizes.cards]
    for name in source.dtype.names:
        places = [np.arange(n) for n in source[name].shape]
        for axis in _EMBEDDED.get(name, ()):
            places[axis] = columns[: len(places[axis])]
        target[name][np.ix_(*places)] = source[name]
    return found


class CardHypernetwork:
    """Map from the general network to a kingdom's network."""

    def __init__(self, kingdom: Kingdom) -> None:
        embeddings, options = card_embeddings(kingdom), option_embeddings(kingdom)[: layers.PASS_OUTPUT]
        piles = np.zeros((N_MODEL_PILES, EMBEDDING_SIZE), np.float32)
        piles[: len(embeddings) - 1] = embeddings[:-1]
        outputs = np.zeros((layers.N_KINDS, layers.N_OUTPUTS, EMBEDDING_SIZE), np.float32)
        outputs[: layers.OPTION, :N_MODEL_PILES] = piles
        outputs[:, layers.PASS_OUTPUT] = embeddings[-1]
        outputs[layers.OPTION, : len(options)] = options
        # All sums skip the columns that are 0 in this kingdom.
        self._columns = np.flatnonzero(piles.any(axis=0) | outputs.any(axis=(0, 1)))
        self._shared = self._columns[self._columns < N_SHARED_COLUMNS]
        self._piles: Embeddings = piles[:, self._columns]
        self._outputs: Embeddings = outputs[..., self._columns]

    def weights(self, general: npt.NDArray[np.float32]) -> layers.Weights:
        """Return the kingdom's network, (N_WEIGHTS,), from the general network, (N_GENERAL,).

        Sums use float64: after rounding to float32 they do not depend on the processor's order of addition.
        """
        source, found = general.view(GENERAL)[0], layers.zero_weights()
        target = layers.network_arrays(found)
        piles, outputs = self._piles.astype(float), self._outputs.astype(float).transpose(0, 2, 1)
        n_shared = len(self._shared)
        of_cards, singles = self._rows(target["inputs"])
        of_cards[..., UNITS] = piles @ source["cards"][:, :, self._columns]
        pairs = source["pairs"][:, :, self._shared[:, None], self._shared]
        logit = piles[:, :n_shared] @ pairs @ outputs[:, None, :n_shared]
        logit[: layers.OPTION, :, PILES, PILES] += source["same"][..., self._columns] @ piles.T
        of_cards[..., layers.FIRST_OUTPUT : layers.FIRST_CRITIC_UNIT] = logit
        singles[..., UNITS] = source["singles"]
        singles[..., layers.FIRST_OUTPUT : layers.FIRST_CRITIC_UNIT] = source["worths"][..., self._columns] @ outputs
        target["inputs"][:, :FIRST_SCALAR] = of_cards.reshape(layers.N_KINDS, FIRST_SCALAR, layers.WIDTH)
        target["outputs"][:] = (source["outputs"][..., self._columns] @ outputs).transpose(0, 2, 1)
        target["critic"][:] = source["critic"]
        return found

    @staticmethod
    def _rows(inputs: Embeddings) -> tuple[Any, Any]:
        """Return the rows of cards, (N_KINDS, N_PILE_PARTS, N_MODEL_PILES, WIDTH), and those of single features."""
        return inputs[:, :FIRST_SCALAR].reshape(layers.N_KINDS, N_PILE_PARTS, N_MODEL_PILES, layers.WIDTH), inputs[
            :, FIRST_SCALAR:
        ]
