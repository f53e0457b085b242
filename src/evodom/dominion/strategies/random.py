"""The random player: any legal answer, all equally likely."""

from collections.abc import Collection
from typing import Any

from evodom.dominion.engine.rules import Rules
from evodom.dominion.engine.state import State
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import RANDOM, Strategy, StrategyModel
from evodom.dominion.strategies.choices import sample_uniform
from evodom.dominion.strategies.describe import BuyOrder, Traits, Wording
from evodom.jit.kernel import kernel

ANYTHING = "anything, at random"


@kernel
def select_random(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return any legal choice, all equally likely."""
    return sample_uniform(state, state.legal)


class RandomPlayer(StrategyModel):
    """The player who answers every Decision at random."""

    name = RANDOM
    is_editable = False
    select = staticmethod(select_random)

    def in_words(self, strategy: Strategy, kingdom: Kingdom) -> Wording:
        """Return what the random player buys, in words."""
        return Wording((BuyOrder("", (ANYTHING,)),))

    def traits(self, strategy: Strategy, kingdom: Kingdom, owned: Collection[str]) -> Traits:
        """Return how the random player buys."""
        return Traits("At each buy it takes any card it can afford, or none, all equally likely.")


MODEL = RandomPlayer()
