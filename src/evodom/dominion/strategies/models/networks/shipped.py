"""Read the shipped general network, one network for all kingdoms. benchmarks/general_network.py trains and writes it.

The file has a fingerprint of the features, cards and traits that the network was trained with. Newer cards, traits and
features do not change the fingerprint. If the network cannot be used, `shipped_weights` raises NetworkUnusable, and
`usable_weights` returns None.
"""

from functools import lru_cache
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import BASIC, CARDS
from evodom.dominion.engine.observation import SCALAR_SCALES
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.models.networks.hypernetwork import TRAINED_SIZES, CardHypernetwork, extended, layout
from evodom.dominion.strategies.models.networks.layers import Weights
from evodom.dominion.strategies.models.networks.traits import CARD_COLUMNS, SHARED_COLUMNS, traits_of
from evodom.errors import UsageError
from evodom.files import Unusable, shipped_numbers

FILE = "general.npz"
GUIDE = 'docs/reference/learning.md, "After a card was added"'


class NetworkUnusable(UsageError):
    """The network of all kingdoms cannot be used. The message has the reason and the remedy."""

    def __init__(self, reason: object) -> None:
        super().__init__(
            f"the network of all kingdoms cannot be used: {reason}. Name a baseline or a run instead, or train a "
            f"network for these cards ({GUIDE})."
        )


def fingerprint() -> str:
    """Return a hash of the features, traits, cards and layout of weights of TRAINED_SIZES."""
    columns = SHARED_COLUMNS[: TRAINED_SIZES.shared]
    cards = (card for card in CARDS.values() if card in BASIC or card.name in CARD_COLUMNS[: TRAINED_SIZES.cards])
    traits = {card.name: {name: value for name, value in traits_of(card).items() if name in columns} for card in cards}
    known = (columns, tuple(SCALAR_SCALES.items())[: TRAINED_SIZES.scalars], layout(TRAINED_SIZES).descr, traits)
    return blake2b(repr(known).encode(), digest_size=12).hexdigest()


@lru_cache(1)
def shipped() -> npt.NDArray[np.float32]:
    """Return the weights of the shipped network, (N_GENERAL,) float32. Raise NetworkUnusable if it cannot be used."""
    try:
        general = shipped_numbers(__package__, FILE, fingerprint())
    except Unusable as error:
        raise NetworkUnusable(error) from None
    if general.nbytes != layout(TRAINED_SIZES).itemsize or not np.isfinite(general).all():
        raise NetworkUnusable(f"{FILE} has other numbers than a network of all kingdoms")
    return extended(general, TRAINED_SIZES)


def shipped_weights(kingdom: Kingdom) -> Weights:
    """Return the weights of the shipped network for one kingdom, (N_WEIGHTS,) float32.

    Raise NetworkUnusable, a UsageError, if it cannot be used.
    """
    return CardHypernetwork(kingdom).weights(shipped())


def usable_weights(kingdom: Kingdom) -> Weights | None:
    """Return `shipped_weights` for a kingdom, or None if the network cannot be used."""
    return None if why_unusable() else shipped_weights(kingdom)


def why_unusable() -> str:
    """Return why the network of all kingdoms cannot be used, and the remedy. Return "" if it can be used."""
    try:
        shipped()
    except NetworkUnusable as error:
        return str(error)
    return ""
