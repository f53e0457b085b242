"""The network of all kingdoms that comes with the package.

Its fingerprint covers the features and the traits of the cards it was trained with, but no card that is new.
`shipped_weights` raises an error where the network cannot be used. `preferred_weights` returns None, for callers that
can begin without it.
"""

from collections.abc import Callable
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import BASIC, CARDS
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.networks.features import SINGLES
from evodom.dominion.strategies.networks.hypernetwork import GENERAL, N_GENERAL, Cast
from evodom.dominion.strategies.networks.layers import Weights
from evodom.dominion.strategies.networks.traits import NAMES, OWN_CARDS, check_known, traits_of
from evodom.errors import UsageError
from evodom.shipping import OtherFingerprint, Unusable, read_numbers, shipped_numbers, write_numbers

FILE = "general.npz"
GUIDE = 'docs/learning.md, "After a card was added"'


class NetworkUnusable(UsageError):
    """The network of all kingdoms cannot be used; the text says why, and what to do."""

    def __init__(self, reason: object) -> None:
        super().__init__(
            f"the network of all kingdoms cannot be used: {reason}. Name a baseline or a run instead, or train a "
            f"network for these cards ({GUIDE})."
        )


def fingerprint() -> str:
    """Return a text that changes with the features, the layout, and the traits of the cards in BASIC and OWN_CARDS."""
    traits = {card.name: traits_of(card) for card in CARDS.values() if card in BASIC or card.name in OWN_CARDS}
    known = (NAMES, tuple(SINGLES.items()), GENERAL.descr, traits)
    return blake2b(repr(known).encode(), digest_size=12).hexdigest()


@lru_cache(1)
def shipped() -> npt.NDArray[np.float32]:
    """Return the numbers of the general network, (N_GENERAL,) float32; raise NetworkUnusable if it cannot be used."""
    return _checked(lambda: shipped_numbers("evodom.learning", FILE, fingerprint()))


def read(path: Path) -> npt.NDArray[np.float32]:
    """Return the general network of a file; raise NetworkUnusable if it cannot be used."""
    return _checked(lambda: read_numbers(path, fingerprint()))


def write(path: Path, general: npt.NDArray[np.float32]) -> None:
    """Write a general network to a file: 0.4 MB."""
    write_numbers(path, general, fingerprint())


def _checked(read: Callable[[], npt.NDArray[np.float32]]) -> npt.NDArray[np.float32]:
    try:
        general = read()
    except OtherFingerprint:
        reason = "it was trained with other cards or features than these, because a row was changed"
        raise NetworkUnusable(reason) from None
    except Unusable as error:
        raise NetworkUnusable(error) from None
    if general.shape != (N_GENERAL,) or not np.isfinite(general).all():
        raise NetworkUnusable(f"{FILE} has other numbers than a network of all kingdoms")
    return general


def shipped_weights(kingdom: Kingdom) -> Weights:
    """Return the network of a kingdom, (N_WEIGHTS,) float32, made of the shipped one.

    Raises NetworkUnusable, a UsageError, if that cannot be used.
    """
    general = shipped()
    try:
        return Cast(kingdom).weights(general)
    except UsageError as error:
        raise NetworkUnusable(error) from None


def preferred_weights(kingdom: Kingdom) -> Weights | None:
    """Return the network of a kingdom as `shipped_weights` does, but None if it cannot be used."""
    return None if why_unusable(kingdom) else shipped_weights(kingdom)


def why_unusable(kingdom: Kingdom = FIRST_GAME) -> str:
    """Return why the network of all kingdoms cannot be used in a kingdom, and what to do; "" if it can."""
    try:
        shipped()
        check_known(kingdom)
    except NetworkUnusable as error:
        return str(error)
    except UsageError as error:
        return str(NetworkUnusable(error))
    return ""
