"""The random player: any legal choice, all equally likely."""

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
    """The player that makes every choice at random."""

    name = RANDOM
    is_editable = False
    select = staticmethod(select_random)

    def in_words(self, strategy: Strategy, kingdom: Kingdom) -> Wording:
        """Return the buys of the random player in words."""
        return Wording((BuyOrder("", (ANYTHING,)),))

    def traits(self, strategy: Strategy, kingdom: Kingdom, owned: Collection[str]) -> Traits:
        """Return a description of the random player."""
        return Traits("At each buy it takes any card it can afford, or none, all equally likely.")


MODEL = RandomPlayer()
