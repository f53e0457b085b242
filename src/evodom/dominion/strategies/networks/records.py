"""Networks as records of STRATEGY, which play like any other strategy."""

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.model import Strategy
from evodom.dominion.strategies.networks import NETWORKS
from evodom.dominion.strategies.networks.layers import Weights
from evodom.dominion.strategies.networks.weights import keep
from evodom.dominion.strategies.record import blank_strategies


def network_record(weights: Weights, kingdom: Kingdom) -> Strategy:
    """Return a network of a kingdom as a STRATEGY record; a copy of the weights (N_WEIGHTS,) is kept for good."""
    return record_at(keep(weights), kingdom)


def record_at(address: int, kingdom: Kingdom) -> Strategy:
    """Return the network whose weights lie at an address as a STRATEGY record, good as long as they lie there."""
    record = blank_strategies(1, NETWORKS.name, kingdom)[0]
    record["network"] = address
    return record
