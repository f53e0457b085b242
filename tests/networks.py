"""Networks made by hand: they want cards by name, whatever the state."""

import numpy as np

from evodom.dominion.engine.observation import LEAD, ONE
from evodom.dominion.strategies.models.networks.layers import (
    FIRST_OUTPUT,
    GAIN,
    N_WEIGHTS,
    VALUE_COLUMN,
    network_arrays,
)
from evodom.dominion.strategies.models.networks.shipped import shipped

MONEY = {"Province": 6.0, "Gold": 4.0, "Duchy": 1.0, "Silver": 2.0, "Copper": -4.0, "Curse": -8.0, "Estate": -3.0}


def network(kingdom, wants=MONEY, kind=GAIN):
    """Return a network that gains a card e times as readily for each point that it is worth in ``wants``.

    ``kind`` is the kind of decisions that they are about. Its critic goes by the lead alone.
    """
    weights = np.zeros(N_WEIGHTS, np.float32)
    inputs = network_arrays(weights)["inputs"]
    for name, worth in wants.items():
        inputs[kind, ONE, FIRST_OUTPUT + kingdom.names.index(name)] = worth
    inputs[:, ONE, VALUE_COLUMN] = 0.5
    inputs[:, LEAD, VALUE_COLUMN] = 0.2
    return weights


def ship(monkeypatch, n_playouts):
    """Ship the network that buys money, and review games with few playouts."""
    for name in ("matches.entrants.shipped", "sessions.review.shipped", "sessions.review.usable"):
        monkeypatch.setattr(f"evodom.{name}_weights", network)
    for name in ("PLAYOUTS", "RECHECK_PLAYOUTS", "CHANCES_PLAYOUTS", "EFFECTS_PLAYOUTS"):
        monkeypatch.setattr(f"evodom.matches.playout_search.{name}", n_playouts)


def spoil_shipped_network(monkeypatch):
    """Give the cards another fingerprint than the shipped network was trained with."""
    monkeypatch.setattr("evodom.dominion.strategies.models.networks.shipped.fingerprint", lambda: "other cards")
    shipped.cache_clear()
