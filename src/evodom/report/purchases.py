"""What strategies really buy: cards counted in their own games, by the stage of the game, and which they ever own."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from evodom.dominion.engine.rules import MAX_TURNS
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.model import Strategies
from evodom.matches.streams import Figure
from evodom.matches.venue import Venue

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


def purchases(census: Any, kingdom: Kingdom) -> Purchases:
    """Return the purchases of one CENSUS record, or of an array of them together."""
    records = np.atleast_1d(census)
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


def owned_cards(census: Any, kingdom: Kingdom) -> tuple[str, ...]:
    """Return the cards that a strategy owns in the games of its CENSUS record, if only now and then."""
    means = census["owned"].sum(axis=0) / max(int(census["turns"].sum()), 1)
    return tuple(name for pile, name in enumerate(kingdom.names) if means[pile] >= LEAST_OWNED)
