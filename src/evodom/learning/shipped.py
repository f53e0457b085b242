"""The network of all kingdoms that comes with the package, if there is one that fits these rules and features."""

from functools import lru_cache
from importlib.resources import as_file, files

import numpy as np

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.networks.general import N_GENERAL, Cast
from evodom.dominion.strategies.networks.layout import Weights

FILE = "general.npy"


@lru_cache(1)
def shipped() -> "Weights | None":
    """Return the numbers of the general network, (N_GENERAL,) float32; None where there is none."""
    source = files("evodom.learning") / FILE
    if not source.is_file():
        return None
    with as_file(source) as path:
        general = np.load(path, allow_pickle=False).astype(np.float32)
    return general if general.shape == (N_GENERAL,) else None


def shipped_weights(kingdom: Kingdom) -> "Weights | None":
    """Return the network of a kingdom, (N_WEIGHTS,) float32, made of the shipped one; None where there is none."""
    general = shipped()
    return None if general is None else Cast(kingdom).weights(general)
