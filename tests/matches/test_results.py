"""Standings, seat shares and the win matrix of games written by hand."""

import numpy as np
import pytest

from evodom.dominion.effects.ops import Ending
from evodom.matches.results import Games, seat_shares, standing, summarize_games, win_matrix


def games(*rows, ended=Ending.PROVINCES):
    """Return games from rows of ((entrant, VP), ...), in turn order; equal VP are a tie."""
    tables = np.array([[entrant for entrant, _ in row] for row in rows], np.int32)
    vp = np.array([[vp for _, vp in row] for row in rows], np.float32)
    more = vp[:, :, None] > vp[:, None, :]
    equal = vp[:, :, None] == vp[:, None, :]
    points = more.sum(axis=2) + 0.5 * (equal.sum(axis=2) - 1)
    first = ~(more.transpose(0, 2, 1)).any(axis=2)
    win = first / first.sum(axis=1, keepdims=True)
    n = len(rows)
    return Games(tables, points.astype(np.float32), win.astype(np.float32), vp, np.full(n, 20), np.full(n, ended))


THREE = games(
    ((0, 30), (1, 20), (2, 10)), ((1, 25), (2, 25), (0, 5)), ((2, 9), (0, 12), (1, 12)), ((0, 40), (2, 2), (1, 1))
)


def test_a_standing_counts_wins_ties_places_and_points():
    found = standing(THREE, 0, "a", 0.95)

    assert (found.seats, found.chance_level) == (1.0, pytest.approx(1 / 3))
    assert found.win.share == pytest.approx((1 + 0 + 0.5 + 1) / 4)
    assert (found.alone, found.shared) == (0.5, 0.25)
    assert found.place.value == pytest.approx((1 + 3 + 1.5 + 1) / 4)
    assert found.vp.value == pytest.approx((30 + 5 + 12 + 40) / 4)
    assert found.win.low < found.win.share < found.win.high


def test_a_standing_counts_only_games_of_the_entrant_and_combines_copies():
    found = standing(games(((0, 3), (1, 2)), ((2, 3), (1, 4)), ((0, 1), (2, 2))), 0, "a", 0.95)

    assert found.win.n_games == 2
    assert found.win.share == 0.5

    found = standing(games(((0, 3), (1, 2), (1, 9), (1, 9)), ((1, 1), (0, 2), (1, 2), (1, 0))), 1, "b", 0.95)

    assert (found.seats, found.chance_level) == (3.0, 0.75)
    assert found.win.share == pytest.approx((1.0 + 0.5) / 2)
    # Two copies that tie for the first place have won: nobody else has.
    assert (found.alone, found.shared) == (0.5, 0.5)
    assert found.vp.value == pytest.approx((20 / 3 + 1) / 2)


def test_the_summary_and_each_seat_have_their_shares_and_means():
    assert sum(standing(THREE, entrant, "", 0.95).win.share for entrant in range(3)) == pytest.approx(1.0)
    shares = [share.share for share in seat_shares(THREE, 0.95)]

    assert shares == pytest.approx([(1 + 0.5 + 0 + 1) / 4, (0 + 0.5 + 0.5 + 0) / 4, 0.5 / 4])

    found = summarize_games(games(((0, 3), (1, 2)), ((1, 5), (0, 2)), ended=Ending.PILES))

    assert found.ended == {"provinces": 0.0, "empty_piles": 1.0, "cut": 0.0}
    colonies = summarize_games(games(((0, 3), (1, 2)), ended=Ending.COLONIES))
    assert colonies.ended == {"provinces": 0.0, "colonies": 1.0, "empty_piles": 0.0, "cut": 0.0}
    assert (found.n_games, found.rounds, found.winner_vp) == (2, 20.0, 4.0)


def test_the_matrix_has_wins_ties_and_losses_of_each_pair():
    matrix = win_matrix(THREE, 3, 0.95)

    assert (matrix[0][1].ahead, matrix[0][1].tied, matrix[0][1].behind) == (0.5, 0.25, 0.25)
    assert matrix[0][1].beats.share == pytest.approx(0.625)
    assert matrix[1][0].beats.share == pytest.approx(0.375)
    assert (matrix[1][2].ahead, matrix[1][2].tied, matrix[1][2].behind) == (0.5, 0.25, 0.25)
    assert all(matrix[one][one] is None for one in range(3))


def test_the_matrix_counts_common_games_once():
    apart = win_matrix(games(((0, 3), (1, 2)), ((2, 3), (3, 4))), 4, 0.95)
    copies = win_matrix(games(((0, 3), (1, 2), (1, 4), (1, 3))), 2, 0.95)[0][1]

    assert apart[0][2] is None
    assert apart[0][1].beats.n_games == 1
    assert (copies.ahead, copies.tied, copies.behind) == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert copies.beats.n_games == 1
