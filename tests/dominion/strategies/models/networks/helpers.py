"""Networks that want one thing, and what a network sees of a position."""

import numpy as np

from evodom.dominion.engine.observation import N_FEATURES, ONE, observe
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.models.networks.layers import FIRST_OUTPUT, N_WEIGHTS, network_arrays
from evodom.dominion.strategies.models.networks.model import network_strategy


def wanting(kind: int, output: int, kingdom: Kingdom, by: float = 50.0) -> np.record:
    """Return a network to which one output of a kind is worth so much more than all others, which are worth 0."""
    weights = np.zeros(N_WEIGHTS, np.float32)
    network_arrays(weights)["inputs"][kind, ONE, FIRST_OUTPUT + output] = by
    return network_strategy(weights, kingdom)


def seen(game: DominionGame, seat: int | None = None) -> np.ndarray:
    """Return the features that a seat sees, by default the one that decides."""
    features = np.full(N_FEATURES, 77, np.int8)
    observe(game.rules, game.state, int(game.state.decider) if seat is None else seat, features)
    return features
