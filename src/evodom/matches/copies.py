"""Strategies against copies of others: one against one, or many against each of some rivals with the same luck."""

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.matches.elimination import PlayTables
from evodom.matches.games import Tally
from evodom.matches.seating import Players, against_copies, first_players_seats, rotated
from evodom.matches.standings import win_share
from evodom.matches.venue import Venue
from evodom.statistics import Share


def shares_against_copies(
    play: PlayTables, players: Players, rivals: Players, n_seats: int, luck: npt.NDArray[np.uint64]
) -> npt.NDArray[np.float64]:
    """Return each player's share of the win in each game, (n_players, n_rivals, n_games).

    A player meets copies of one rival in all other seats, each game one seat further on. ``luck`` (n_rivals, n_games)
    are the seeds of the games: all players have the same (common random numbers), so that differences show sooner.
    """
    n_games = luck.shape[1]
    groups = against_copies(players, rivals, n_seats)
    tables = rotated(groups, n_games)
    results = play(tables, np.tile(luck.ravel(), len(players)))
    shares = results["win"][np.arange(len(tables)), first_players_seats(len(groups), n_games, n_seats)]
    return np.asarray(shares.reshape(len(players), len(rivals), n_games))


def shares_in_time(
    venue: Venue,
    strategies: Any,
    numbers: tuple[Players, Players],
    luck: npt.NDArray[np.uint64],
    least: int,
) -> npt.NDArray[np.float64]:
    """Return `shares_against_copies` of players and rivals, by number, in fewer games where the budget is over.

    ``least`` games, whole rounds, are played in any case.
    """
    players, rivals = numbers
    play, parts, first = partial(venue.play, strategies), [], 0
    for n in venue.budget.portions(luck.shape[1], least):
        part = luck[:, first : first + n]
        parts.append(shares_against_copies(play, players, rivals, venue.n_seats, part))
        first += n
    return np.concatenate(parts, axis=2)


def wins_against(venue: Venue, one: Any, other: Any, n_games: int, *path: int) -> Share:
    """Return the share of the wins of one strategy against copies of another; a shared win counts in parts.

    ``path``, a Figure and perhaps further numbers, is the random stream: equal ones are equal luck, whoever plays.
    """
    return win_share(Tally.of(venue.against(one, [other], n_games, venue.stream(*path))).games, 0)
