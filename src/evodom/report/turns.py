"""Summarise a strategy's games turn by turn, with means from the census."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from evodom.dominion.cards import Card

REACHED = 0.1
"""Turns reached in a smaller share of the games are left out: their means would be over few and unusual games."""


@dataclass(frozen=True, slots=True)
class ByTurn:
    """What a strategy has and does in each of its turns, from the first: means over the games that had the turn.

    ``reached`` is the share of the games with that turn, ``coins`` the coins to buy with, ``cards`` the number of cards
    in hand and in play at that time, ``vp`` the score after the turn. The dicts are by card, for cards that occur:
    copies ``bought`` in the turn, ``played`` (in play before the first buy) and owned after it (``deck``).
    """

    rank: int
    n_games: int
    reached: list[float]
    coins: list[float]
    cards: list[float]
    vp: list[float]
    bought: dict[str, list[float]]
    played: dict[str, list[float]]
    deck: dict[str, list[float]]

    @property
    def n_turns(self) -> int:
        """How many turns the lists cover."""
        return len(self.reached)


def by_turn(rank: int, census: Any, piles: tuple[Card, ...]) -> ByTurn:
    """Return the means by turn of one CENSUS record; ``piles`` are the cards of its columns."""
    games = int(census["games"])
    turns = census["turns"]
    n = 1 + int(np.flatnonzero(turns >= max(REACHED * games, 1)).max(initial=0))
    taken = turns[1:n]

    def means(field: str) -> list[float]:
        return [float(mean) for mean in census[field][1:n] / taken]

    def means_by_card(field: str) -> dict[str, list[float]]:
        table = census[field][1:n] / taken[:, None]
        return {
            card.name: [float(mean) for mean in table[:, pile]]
            for pile, card in enumerate(piles)
            if table[:, pile].any()
        }

    return ByTurn(
        rank=rank,
        n_games=games,
        reached=[float(share) for share in taken / games],
        coins=means("coins"),
        cards=means("cards"),
        vp=means("vp"),
        bought=means_by_card("bought"),
        played=means_by_card("played"),
        deck=means_by_card("owned"),
    )
