"""Strategies with a card less, with one more, or with one thing less to say."""

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.model import IsAsGood, Strategy
from evodom.dominion.strategies.registry import edits_of


def without(strategy: Strategy, card: str, kingdom: Kingdom) -> Strategy:
    """Return a strategy that does not want a card."""
    return edits_of(strategy).without(strategy, card, kingdom)


def with_more(strategy: Strategy, card: str, n: int, kingdom: Kingdom) -> Strategy:
    """Return a strategy that buys up to ``n`` of a card before all that costs no more, but for Victory cards."""
    return edits_of(strategy).with_more(strategy, card, n, kingdom)


def simplified(strategy: Strategy, kingdom: Kingdom, is_as_good: IsAsGood) -> Strategy:
    """Return a strategy that leaves out all it can, one thing after the other, as long as ``is_as_good``."""
    return edits_of(strategy).simplified(strategy, kingdom, is_as_good)
