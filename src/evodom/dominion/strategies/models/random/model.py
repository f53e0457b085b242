"""The random player: any legal choice, all equally likely."""

from collections.abc import Collection
from typing import Any

from evodom.dominion.engine.rules import Rules
from evodom.dominion.engine.state import State
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import RANDOM, NetworkRecord, StrategyModel
from evodom.dominion.strategies.describe import BuyOrder, BuyOrders, StrategyDescription
from evodom.dominion.strategies.play.pick import sample_uniform
from evodom.dominion.strategies.record import Strategy
from evodom.jit.kernel import kernel

ANYTHING = "anything, at random"


@kernel
def select_random(rules: Rules, state: State, strategy: Strategy, network: NetworkRecord) -> Any:
    """Return any legal choice, all equally likely."""
    return sample_uniform(state, state.legal)


class RandomPlayer(StrategyModel):
    """The player that makes every choice at random."""

    name = RANDOM
    is_editable = False
    select = staticmethod(select_random)

    def describe_buys(self, strategy: Strategy, kingdom: Kingdom) -> BuyOrders:
        """Return the buys of the random player in words."""
        return BuyOrders((BuyOrder("", (ANYTHING,)),))

    def describe(self, strategy: Strategy, kingdom: Kingdom, owned: Collection[str]) -> StrategyDescription:
        """Return a description of the random player."""
        return StrategyDescription("It draws each buy uniformly among passing and the cards that it can afford.")


MODEL = RandomPlayer()
