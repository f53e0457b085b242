"""A learned strategy in words: that it is one. What it does is told from its games (`evodom.learning.habits`)."""

from collections.abc import Collection

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.model import Strategy
from evodom.dominion.strategies.traits import Traits
from evodom.dominion.strategies.wording import BuyOrder, Wording

AS_LEARNED = "what its network prefers in each position"


def in_words(strategy: Strategy, kingdom: Kingdom) -> Wording:
    """Return that a learned strategy has no list."""
    return Wording((BuyOrder("", (AS_LEARNED,)),))


def traits(strategy: Strategy, kingdom: Kingdom, owned: Collection[str]) -> Traits:
    """Return how a learned strategy chooses."""
    return Traits("At each decision it draws one of the choices by what its network says each is worth.")
