"""Plans of purchases, which genomes of every model follow: an order of cards with limits and conditions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class BuyPlan:
    """The purchases that a genome is drawn from. A model ignores the conditions that its genomes lack.

    Attributes:
        order: the piles to gain, the most preferred first.
        opening: kingdom piles of the first two turns.
        limits: limits of owned cards, by pile. A pile that is not a key has no limit.
        gains_left: Victory cards that are gained late, by pile: gain them once this many gains can end the game.
        last_turns: last turn of the gains of a card, by pile.
        money_over: cards that are gained once the Treasures of the deck make more coins, by pile.
    """

    order: Sequence[int]
    opening: Sequence[int] = ()
    limits: Mapping[int, int] = field(default_factory=dict)
    gains_left: Mapping[int, int] = field(default_factory=dict)
    last_turns: Mapping[int, int] = field(default_factory=dict)
    money_over: Mapping[int, int] = field(default_factory=dict)
