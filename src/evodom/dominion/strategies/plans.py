"""Define plans of purchases: an order of cards with limits and conditions. Each model builds genomes from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class BuyPlan:
    """The purchases that a genome is drawn from. A model ignores the conditions that its genomes lack.

    Attributes:
        order: the piles to gain, the most preferred first.
        opening: kingdom piles of the first two turns.
        limits: limits of owned cards, by pile. A pile that is not a key has no limit.
        gains_left: by pile of a Victory card, the number of gains to the end of the game at which its gains begin.
        last_turns: by pile, the last turn in which the card is gained.
        money_over: by pile, the coins of the deck's Treasures above which the card is gained.
        max_excess: terminal Actions are gained while at most this number of them exceeds the deck's extra Actions.
    """

    order: Sequence[int]
    opening: Sequence[int] = ()
    limits: Mapping[int, int] = field(default_factory=dict)
    gains_left: Mapping[int, int] = field(default_factory=dict)
    last_turns: Mapping[int, int] = field(default_factory=dict)
    money_over: Mapping[int, int] = field(default_factory=dict)
    max_excess: int | None = None
