"""The network of all kingdoms that comes with the package, if it fits these rules and features."""

from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import CARDS
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.networks.cards import NAMES, traits_of
from evodom.dominion.strategies.networks.features import SINGLES
from evodom.dominion.strategies.networks.general import GENERAL, N_GENERAL, Cast
from evodom.dominion.strategies.networks.layout import Weights
from evodom.shipping import read_numbers, shipped_numbers, write_numbers

FILE = "general.npz"


def fingerprint() -> str:
    """Return a text that changes with what a general network rests on: the features, the layout and what cards do."""
    known = (NAMES, tuple(SINGLES.items()), GENERAL.descr, {name: traits_of(card) for name, card in CARDS.items()})
    return blake2b(repr(known).encode(), digest_size=12).hexdigest()


@lru_cache(1)
def shipped() -> npt.NDArray[np.float32] | None:
    """Return the numbers of the general network, (N_GENERAL,) float32; None where none is there that fits."""
    return _checked(shipped_numbers("evodom.learning", FILE, fingerprint()))


def read(path: Path) -> npt.NDArray[np.float32] | None:
    """Return the general network of a file; None if it is damaged, or was trained with other rules or features."""
    return _checked(read_numbers(path, fingerprint()))


def write(path: Path, general: npt.NDArray[np.float32]) -> None:
    """Write a general network to a file: 0.4 MB."""
    write_numbers(path, general, fingerprint())


def _checked(general: npt.NDArray[np.float32] | None) -> npt.NDArray[np.float32] | None:
    is_sound = general is not None and general.shape == (N_GENERAL,) and bool(np.isfinite(general).all())
    return general if is_sound else None


def shipped_weights(kingdom: Kingdom) -> Weights | None:
    """Return the network of a kingdom, (N_WEIGHTS,) float32, made of the shipped one; None where there is none."""
    general = shipped()
    return None if general is None else Cast(kingdom).weights(general)
