"""The random player: any legal answer, all equally likely."""

from collections.abc import Collection
from typing import Any

from evodom.dominion.engine.rules import Rules
from evodom.dominion.engine.state import State
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.choices import sample_uniform
from evodom.dominion.strategies.model import Strategy
from evodom.dominion.strategies.traits import Traits
from evodom.dominion.strategies.wording import BuyOrder, Wording
from evodom.jit.kernel import kernel

ANYTHING = "anything, at random"


@kernel
def select_random(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return any legal choice, all equally likely."""
    return sample_uniform(state, state.legal)


def in_words(strategy: Strategy, kingdom: Kingdom) -> Wording:
    """Return in words what the random player buys."""
    return Wording((BuyOrder("", (ANYTHING,)),))


def traits(strategy: Strategy, kingdom: Kingdom, owned: Collection[str]) -> Traits:
    """Return how the random player buys."""
    return Traits("At each buy it takes any card it can afford, or none, all equally likely.")
