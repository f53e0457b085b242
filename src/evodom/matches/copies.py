"""Many strategies, each against copies of each of some rivals, all with the same luck."""

import numpy as np
import numpy.typing as npt

from evodom.matches.elimination import PlayTables
from evodom.matches.seating import Players, against_copies, first_players_seats, rotated


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
