"""Learned strategies with a card less, or with one more: changed by what the network thinks the card is worth."""

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.model import IsAsGood, Strategy
from evodom.dominion.strategies.networks.features import ONE, OWNS
from evodom.dominion.strategies.networks.layers import FIRST_OUTPUT, GAIN, Weights, parts
from evodom.dominion.strategies.networks.weights import weights_of, with_weights

NEVER = -1000.0
FIRST = 12.0
"""What is added to the worth of a card that is never to be gained, or gained first: no network comes near it."""


def without(strategy: Strategy, card: str, kingdom: Kingdom) -> Strategy:
    """Return the strategy that never gains a card if it may gain another, or none."""
    weights = weights_of(strategy)
    forbid(weights, kingdom.pile(card))
    return with_weights(strategy, weights)


def forbid(weights: Weights, pile: int) -> None:
    """Let a network, in place, never gain a card of a pile if it may gain another, or none."""
    parts(weights)["inputs"][GAIN, ONE, FIRST_OUTPUT + pile] += NEVER


def with_more(strategy: Strategy, card: str, n: int, kingdom: Kingdom) -> Strategy:
    """Return the strategy that gains the first of a card as soon as it can; ``n`` is not looked at."""
    weights = weights_of(strategy)
    output = FIRST_OUTPUT + kingdom.pile(card)
    rows = parts(weights)["inputs"][GAIN]
    rows[ONE, output] += FIRST
    rows[OWNS + kingdom.pile(card), output] -= FIRST
    return with_weights(strategy, weights)


def simplified(strategy: Strategy, kingdom: Kingdom, is_as_good: IsAsGood) -> Strategy:
    """Return the strategy as it is: a network has nothing that could be left out."""
    return strategy


def as_rules(strategy: Strategy, kingdom: Kingdom) -> tuple[str, ...] | None:
    """Return None: no list follows from the numbers of a network."""
    return None
