"""The network of all kingdoms that comes with the package, if it fits these rules and features."""

import os
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import CARDS
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.networks.cards import NAMES, traits_of
from evodom.dominion.strategies.networks.features import SINGLES
from evodom.dominion.strategies.networks.general import GENERAL, N_GENERAL, Cast
from evodom.dominion.strategies.networks.layout import Weights

FILE = "general.npz"


def fingerprint() -> str:
    """Return a text that changes with what a general network rests on: the features, the layout and what cards do."""
    known = (NAMES, tuple(SINGLES.items()), GENERAL.descr, {name: traits_of(card) for name, card in CARDS.items()})
    return blake2b(repr(known).encode(), digest_size=12).hexdigest()


@lru_cache(1)
def shipped() -> npt.NDArray[np.float32] | None:
    """Return the numbers of the general network, (N_GENERAL,) float32; None where none is there that fits."""
    source = files("evodom.learning") / FILE
    if not source.is_file():
        return None
    with as_file(source) as path:
        return read(path)


def read(path: Path) -> npt.NDArray[np.float32] | None:
    """Return the general network of a file; None if it was trained with other rules or features."""
    with np.load(path, allow_pickle=False) as content:
        if str(content["fingerprint"]) != fingerprint():
            return None
        general = content["general"].astype(np.float32)
    return general if general.shape == (N_GENERAL,) and bool(np.isfinite(general).all()) else None


def write(path: Path, general: npt.NDArray[np.float32]) -> None:
    """Write a general network to a file, half as exactly as it was trained: 0.4 MB."""
    partial = path.with_suffix(".partial.npz")
    np.savez(partial, general=general.astype(np.float16), fingerprint=np.array(fingerprint()))
    os.replace(partial, path)


def shipped_weights(kingdom: Kingdom) -> Weights | None:
    """Return the network of a kingdom, (N_WEIGHTS,) float32, made of the shipped one; None where there is none."""
    general = shipped()
    return None if general is None else Cast(kingdom).weights(general)
