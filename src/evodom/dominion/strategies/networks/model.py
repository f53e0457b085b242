"""The model of learned strategies: networks as records of STRATEGY, and their edits."""

from collections.abc import Callable, Collection

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import Strategy, StrategyModel
from evodom.dominion.strategies.describe import BuyOrder, Traits, Wording
from evodom.dominion.strategies.networks.features import ONE, OWNS
from evodom.dominion.strategies.networks.layers import FIRST_OUTPUT, GAIN, Weights, parts
from evodom.dominion.strategies.networks.policy import select_by_network
from evodom.dominion.strategies.networks.weights import keep, weights_of, with_weights
from evodom.dominion.strategies.record import blank_strategies
from evodom.dominion.strategies.registry import NETWORK


def network_record(weights: Weights, kingdom: Kingdom) -> Strategy:
    """Return a network of a kingdom as a STRATEGY record; a copy of the weights (N_WEIGHTS,) is kept for good."""
    return record_at(keep(weights), kingdom)


def record_at(address: int, kingdom: Kingdom) -> Strategy:
    """Return the network whose weights lie at an address as a STRATEGY record, good as long as they lie there."""
    record: Strategy = blank_strategies(1, NETWORK, kingdom)[0]
    record["network"] = address
    return record


NEVER = -1000.0
FIRST = 12.0
"""What is added to the worth of a card that is never to be gained, or gained first: no network comes near it."""

AS_LEARNED = "what its network prefers in each position"


def forbid(weights: Weights, pile: int) -> None:
    """Let a network, in place, never gain a card of a pile if it may gain another, or none."""
    parts(weights)["inputs"][GAIN, ONE, FIRST_OUTPUT + pile] += NEVER


class NetworkModel(StrategyModel):
    """Strategies whose preferences depend on the state; `evodom.learning` trains them."""

    name = NETWORK
    is_learned = True
    identity_columns = ("network",)

    @property
    def select(self) -> Callable[..., int]:
        """The kernel that chooses for the pending Decision."""
        return select_by_network

    def is_sound(self, strategy: Strategy) -> bool:
        """Return whether a record holds no address: a file has the weights themselves."""
        return int(strategy["network"]) == 0

    def traits(self, strategy: Strategy, kingdom: Kingdom, owned: Collection[str]) -> Traits:
        """Return how a learned strategy chooses."""
        return Traits("At each decision it draws one of the choices by what its network says each is worth.")

    def in_words(self, strategy: Strategy, kingdom: Kingdom) -> Wording:
        """Return that a learned strategy has no list."""
        return Wording((BuyOrder("", (AS_LEARNED,)),))

    def without(self, strategy: Strategy, card: str, kingdom: Kingdom) -> Strategy:
        """Return the strategy that never gains a card if it may gain another, or none."""
        weights = weights_of(strategy)
        forbid(weights, kingdom.pile(card))
        return with_weights(strategy, weights)

    def with_more(self, strategy: Strategy, card: str, n: int, kingdom: Kingdom) -> Strategy:
        """Return the strategy that gains the first of a card as soon as it can; ``n`` is not looked at."""
        weights = weights_of(strategy)
        output = FIRST_OUTPUT + kingdom.pile(card)
        rows = parts(weights)["inputs"][GAIN]
        rows[ONE, output] += FIRST
        rows[OWNS + kingdom.pile(card), output] -= FIRST
        return with_weights(strategy, weights)


MODEL = NetworkModel()
