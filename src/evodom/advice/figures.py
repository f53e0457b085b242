"""The two figures that advice is made of: what one strategy wins against copies of another, and its deck at the end."""

import numpy as np
import numpy.typing as npt

from evodom.dominion.strategies.record import Strategy
from evodom.matches.games import Tally
from evodom.matches.intervals import Share
from evodom.matches.standings import win_share
from evodom.matches.venue import Venue


def wins_against(venue: Venue, one: Strategy, other: Strategy, n_games: int, *path: int) -> Share:
    """Return the share of the wins of one strategy against copies of another; a shared win counts in parts.

    ``path``, a Figure and perhaps further numbers, is the random stream: equal ones are equal luck, whoever plays.
    """
    return win_share(Tally.of(venue.against(one, [other], n_games, venue.stream(*path))).games, 0)


def final_deck(venue: Venue, one: Strategy, other: Strategy, n_games: int, *path: int) -> npt.NDArray[np.float64]:
    """Return how many cards of each pile a strategy owns at the end against copies of another, on average."""
    return Tally.of(venue.against(one, [other], n_games, venue.stream(*path))).deck(0)
