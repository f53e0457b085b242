"""A strategy as something a player can read: what can be read off it, and what it buys when it is asked."""

from collections.abc import Collection
from dataclasses import dataclass

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.asking import Answer, ask_buys
from evodom.dominion.strategies.model import Strategy
from evodom.dominion.strategies.registry import parts_of
from evodom.dominion.strategies.traits import Traits


@dataclass(frozen=True, slots=True)
class Portrait:
    """What can be read off a strategy, and what it buys in the situations of `asking`."""

    traits: Traits
    answers: list[Answer]


def portrait(strategy: Strategy, kingdom: Kingdom, n_players: int, owned: Collection[str]) -> Portrait:
    """Return the portrait of a strategy at tables of ``n_players``; raises UsageError for one of another kingdom.

    Nothing is said about cards but those of ``owned``, which the strategy has in its games.
    """
    answers = ask_buys(strategy, kingdom, n_players)
    return Portrait(parts_of(strategy).traits(strategy, kingdom, owned), answers)
