"""A figure that advice is made of, beside wins: what a strategy owns at the end."""

import numpy as np
import numpy.typing as npt

from evodom.dominion.strategies.record import Strategy
from evodom.matches.games import Tally
from evodom.matches.venue import Venue

Deck = npt.NDArray[np.float64]
"""How many cards of each pile a strategy owns, on average."""


def final_deck(venue: Venue, one: Strategy, other: Strategy, n_games: int, *path: int) -> Deck:
    """Return how many cards of each pile a strategy owns at the end against copies of another, on average."""
    return Tally.of(venue.against(one, [other], n_games, venue.stream(*path))).deck(0)
