"""Who sits where: groups of players, and the tables at which each game begins one seat further on.

A *group* is who plays together, a row of ``n_seats`` numbers; a *table* is one game's seats in turn order. The first
seat is worth half as much again as the last, so that a fair figure has everybody in each seat equally often.
"""

import numpy as np
import numpy.typing as npt

Players = npt.NDArray[np.signedinteger]
"""Numbers of strategies."""

Tables = npt.NDArray[np.int32]
"""Numbers of strategies by seat, (n_games, n_seats) or (n_groups, n_seats)."""


def rotated(groups: Players, n_games: int) -> Tables:
    """Return the tables (n_groups * n_games, n_seats) of all games, those of a group one after another.

    In game g of a group its player p sits in seat (p - g) modulo the number of seats.
    """
    n_seats = groups.shape[1]
    seats = (np.arange(n_seats) + np.arange(n_games)[:, None]) % n_seats
    return np.ascontiguousarray(groups[:, seats].reshape(-1, n_seats), dtype=np.int32)


def against_copies(players: Players, rivals: Players, n_seats: int) -> Tables:
    """Return a group for each player and rival: the player first, copies of the rival in all other seats.

    They are (n_players * n_rivals, n_seats), those of a player one after another.
    """
    groups = np.empty((len(players), len(rivals), n_seats), np.int32)
    groups[:] = rivals[None, :, None]
    groups[:, :, 0] = players[:, None]
    return groups.reshape(-1, n_seats)


def first_players_seats(n_groups: int, n_games: int, n_seats: int) -> npt.NDArray[np.intp]:
    """Return in which seat the first of each group sits, (n_groups * n_games,), at the tables of `rotated`."""
    return np.tile(-np.arange(n_games) % n_seats, n_groups)


def shuffled(n_players: int, n_games: int, rng: np.random.Generator) -> Tables:
    """Return tables (n_games, n_players) of everybody: two begin in turn, more sit in a new order every game."""
    order = np.arange(n_players, dtype=np.int32)
    if n_players == 2:
        return rotated(order[None, :], n_games)
    return rng.permuted(np.tile(order, (n_games, 1)), axis=1)


def dealt(n_players: int, n_games: int, n_seats: int, rng: np.random.Generator) -> Tables:
    """Return tables at which each of the players sits in at least ``n_games`` games, drawn anew each time.

    In each of ``n_games`` rounds everybody is dealt to tables of ``n_seats``; the first dealt fill up the last table.
    """
    n_dealt = -(-n_players // n_seats) * n_seats
    rounds = rng.permuted(np.tile(np.arange(n_players, dtype=np.int32), (n_games, 1)), axis=1)
    return np.ascontiguousarray(rounds[:, np.arange(n_dealt) % n_players].reshape(-1, n_seats), dtype=np.int32)


def whole_rounds(n_games: int, n_seats: int) -> int:
    """Return how many games to play, at least ``n_games``, for everybody to sit in each seat equally often."""
    return max(1, -(-n_games // n_seats)) * n_seats
