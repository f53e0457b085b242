"""Summarise a census of games: means by turn, cards bought by stage of the game, cards owned."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import Card
from evodom.dominion.engine.rules import MAX_TURNS
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import Strategies
from evodom.matches.seating import Figure
from evodom.matches.venue import Venue

IntArray = npt.NDArray[np.int64]

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


class CensusFields(Protocol):
    """A CENSUS record, or an array of them: counts by the name of a field."""

    def __getitem__(self, field: str, /) -> IntArray: ...


def by_turn(rank: int, census: CensusFields, piles: tuple[Card, ...]) -> ByTurn:
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


BEST_SHARE = 0.25
"""The share of a generation, best first, whose purchases are counted."""

N_GAMES = 24
"""Games in which each of them sits; the figures are of all of them together."""

ENOUGH_SEATS = 1_000
"""Where they are many, each sits in fewer games, but all of them together in so many seats.

The figures have no interval: a mean of a thousand seats is off by less than a tenth of a card.
"""

LEAST_OWNED = 0.01
"""A card is owned at all if there are so many of it on average, over all turns of all games."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of a game: a player's own turns from ``first`` to ``last``."""

    name: str
    when: str
    first: int
    last: int


STAGES = (
    Stage("opening", "turns 1-2", 1, 2),
    Stage("early", "turns 3-6", 3, 6),
    Stage("middle", "turns 7-12", 7, 12),
    Stage("late", "turn 13 on", 13, MAX_TURNS),
)


@dataclass(frozen=True, slots=True)
class Purchases:
    """How many of each card a player buys in a game, on average over ``n_games``, by stage and card of the Supply."""

    n_games: int
    by_stage: dict[str, dict[str, float]]

    @property
    def in_all(self) -> dict[str, float]:
        """How many of each card in the whole game."""
        stages = list(self.by_stage.values())
        return {card: sum(stage[card] for stage in stages) for card in stages[0]}


@dataclass(frozen=True, slots=True)
class PurchasesOfBest:
    """What the best quarter of a generation buys in games among themselves."""

    generation: int
    bought: Purchases


def best_quarter(ranked: Strategies) -> Strategies:
    """Return the first quarter of a generation's strategies, but at least one."""
    return ranked[: max(1, round(BEST_SHARE * len(ranked)))]


def n_games_of_each(n: int) -> int:
    """Return in how many games each of `n` strategies sits for what they buy."""
    return min(N_GAMES, -(-ENOUGH_SEATS // n))


def purchases(census: CensusFields, kingdom: Kingdom) -> Purchases:
    """Return the purchases of one CENSUS record, or of an array of them together."""
    records: CensusFields = np.atleast_1d(np.asarray(census))
    n_games = int(records["games"].sum())
    bought = records["bought"].sum(axis=0)
    by_stage = {
        stage.name: {
            name: float(bought[stage.first : stage.last + 1, pile].sum()) / max(n_games, 1)
            for pile, name in enumerate(kingdom.names)
        }
        for stage in STAGES
    }
    return Purchases(n_games, by_stage)


def purchases_of_best(venue: Venue, generation: int, best: Strategies) -> PurchasesOfBest:
    """Let the best of a generation play among themselves and return what they buy."""
    _, census = venue.census_among(best, n_games_of_each(len(best)), venue.stream(Figure.PURCHASES, generation))
    return PurchasesOfBest(generation, purchases(census, venue.kingdom))


def owned_cards(census: CensusFields, kingdom: Kingdom) -> tuple[str, ...]:
    """Return the cards that a strategy owns in the games of its CENSUS record, if only now and then."""
    means = census["owned"].sum(axis=0) / max(int(census["turns"].sum()), 1)
    return tuple(name for pile, name in enumerate(kingdom.names) if means[pile] >= LEAST_OWNED)
