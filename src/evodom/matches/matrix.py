"""The win matrix: how often one entrant finishes ahead of another at the same table."""

from dataclasses import dataclass

import numpy as np

from evodom.matches.games import Games
from evodom.statistics import Share, wilson


@dataclass(frozen=True, slots=True)
class PairRecord:
    """How one entrant did against another: shares of the games both played; ``tied`` is neither ahead nor behind.

    ``beats`` counts a tie as half and has the interval.
    """

    ahead: float
    tied: float
    behind: float
    beats: Share


def win_matrix(games: Games, n_entrants: int, confidence: float) -> list[list[PairRecord | None]]:
    """Return each row's record against each column; None for itself, and for those who never met.

    Copies of an entrant count as one that plays all their games; the interval counts the game once.
    """
    n = n_entrants
    met, ahead = np.zeros((n, n)), np.zeros((n, n))
    tables, points = games.tables.astype(np.intp), games.points
    n_seats = tables.shape[1]
    for seat in range(n_seats):
        for other in range(n_seats):
            if seat == other:
                continue
            pair = tables[:, seat] * n + tables[:, other]
            met += np.bincount(pair, minlength=n * n).reshape(n, n)
            ahead += np.bincount(pair, points[:, seat] > points[:, other], n * n).reshape(n, n)
    # Where there are fewer entrants than seats everybody is at every table, and every game is one meeting.
    n_games = np.full((n, n), len(games)) if n < n_seats else met

    def meeting(a: int, b: int) -> PairRecord | None:
        if a == b or not met[a, b]:
            return None
        wins, losses = float(ahead[a, b] / met[a, b]), float(ahead[b, a] / met[a, b])
        ties = max(0.0, 1.0 - wins - losses)
        games_met = int(n_games[a, b])
        return PairRecord(wins, ties, losses, wilson((wins + ties / 2) * games_met, games_met, confidence))

    return [[meeting(a, b) for b in range(n)] for a in range(n)]
