"""Who sits where: everybody in each seat equally often, one among copies of another."""

import numpy as np
import pytest

from evodom.matches.seating import against_copies, dealt, first_players_seats, rotated, shuffled, whole_rounds


def test_a_player_sits_among_copies_of_one_rival():
    groups = against_copies(np.array([7, 8]), np.array([1, 2]), 3)

    assert groups.tolist() == [[7, 1, 1], [7, 2, 2], [8, 1, 1], [8, 2, 2]]


def test_each_game_begins_one_seat_further_on():
    assert rotated(np.array([[7, 8, 9]]), 4).tolist() == [[7, 8, 9], [8, 9, 7], [9, 7, 8], [7, 8, 9]]


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5, 6])
def test_the_first_of_a_group_is_found_where_it_sits(n_seats):
    groups = against_copies(np.array([7, 8]), np.array([1]), n_seats)
    tables = rotated(groups, 2 * n_seats + 1)

    seats = first_players_seats(len(groups), 2 * n_seats + 1, n_seats)

    assert tables[np.arange(len(tables)), seats].tolist() == [7] * (2 * n_seats + 1) + [8] * (2 * n_seats + 1)


def test_two_begin_in_turn_and_more_sit_in_any_order():
    rng = np.random.default_rng(1)

    assert shuffled(2, 3, rng).tolist() == [[0, 1], [1, 0], [0, 1]]
    tables = shuffled(3, 600, rng)
    assert (np.sort(tables, axis=1) == [0, 1, 2]).all()
    assert np.unique(tables, axis=0, return_counts=True)[1].min() > 60


@pytest.mark.parametrize(("games", "players", "expected"), [(1, 4, 4), (8, 4, 8), (9, 4, 12), (100, 6, 102), (0, 3, 3)])
def test_whole_rounds_are_at_least_the_games_asked_for(games, players, expected):
    assert whole_rounds(games, players) == expected


@pytest.mark.parametrize(("n_players", "n_seats"), [(2, 4), (5, 2), (8, 4), (7, 3)])
def test_everybody_is_dealt_to_a_table_in_each_round(n_players, n_seats):
    tables = dealt(n_players, 6, n_seats, np.random.default_rng(1))

    n_tables = -(-n_players // n_seats)
    assert tables.shape == (6 * n_tables, n_seats)
    assert all(set(each.ravel()) == set(range(n_players)) for each in tables.reshape(6, -1))
