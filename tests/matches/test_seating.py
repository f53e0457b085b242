"""Schedules of tables: each entrant in each seat equally often. Random streams: no two uses share one."""

from itertools import combinations, product

import numpy as np
import pytest

from evodom.matches.seating import (
    BREEDING,
    MAX_TABLES,
    RANKING,
    Purpose,
    Use,
    agent_generator,
    dealt,
    game_seeds,
    generation_stream,
    one_table,
    rotated,
    round_robin,
    stream,
    whole_rounds,
)


def test_a_player_sits_among_copies_of_one_rival_and_moves_on_by_a_seat_each_game():
    assert rotated(np.array([[7, 8, 9]]), 4).tolist() == [[7, 8, 9], [8, 9, 7], [9, 7, 8], [7, 8, 9]]

    for n_seats in range(2, 7):
        n_games = 2 * n_seats + 1
        tables = rotated(np.arange(n_seats)[None, :], n_games)
        assert (tables[np.arange(n_games), -np.arange(n_games) % n_seats] == 0).all()


def test_all_players_are_dealt_to_a_table_in_each_round():
    cases = {(1, 4): 4, (8, 4): 8, (9, 4): 12, (100, 6): 102, (0, 3): 3}
    assert {case: whole_rounds(*case) for case in cases} == cases

    for n_players, n_seats in ((2, 4), (5, 2), (8, 4), (7, 3)):
        tables = dealt(n_players, 6, n_seats, np.random.default_rng(1))

        assert tables.shape == (6 * -(-n_players // n_seats), n_seats)
        assert all(set(each.ravel()) == set(range(n_players)) for each in tables.reshape(6, -1))


def test_a_round_robin_plays_every_table_of_different_entrants_or_of_evenly_many_copies():
    for n_entrants, tables in [
        (2, [(0, 0, 1, 1)]),
        (3, [(0, 0, 1, 2), (0, 1, 1, 2), (0, 1, 2, 2)]),
        (6, list(combinations(range(6), 4))),
    ]:
        schedule = round_robin(n_entrants, 4, seed=1)
        assert sorted(tuple(sorted(table)) for table in schedule.tables.tolist()) == tables


def test_a_sample_of_tables_has_all_entrants_and_about_all_pairs_equally_often():
    tables = round_robin(40, 4, seed=1).tables
    played, met = np.bincount(tables.ravel(), minlength=40), np.zeros((40, 40))
    for a, b in combinations(range(4), 2):
        np.add.at(met, (tables[:, a], tables[:, b]), 1)
        np.add.at(met, (tables[:, b], tables[:, a]), 1)
    off_diagonal = met[~np.eye(40, dtype=bool)]

    assert 0.9 * MAX_TABLES < len(tables) <= MAX_TABLES
    assert len(set(played)) == 1
    assert all(len(set(table)) == 4 for table in tables.tolist())
    assert off_diagonal.mean() == pytest.approx(len(tables) * 12 / (40 * 39))
    assert off_diagonal.std() < 1.5 * off_diagonal.mean() ** 0.5


def test_in_a_block_each_entrant_has_each_seat_once():
    tables, seeds = round_robin(5, 3, seed=1).round(0)

    assert len(seeds) == len(np.unique(seeds)) == len(tables)
    for block in tables.reshape(-1, 3, 3):
        assert all(len(set(seat)) == 3 for seat in block.T.tolist())
    seeds_of = [round_robin(3, 3, seed).round(number)[1].tolist() for seed in (1, 2) for number in (0, 1)]
    assert len(set(map(tuple, seeds_of))) == 4


def test_a_round_plays_every_table_equally_often_in_drawn_orders():
    schedule = round_robin(4, 2, seed=1)
    tables, _ = schedule.round(3)
    _, counts = np.unique(np.sort(tables, axis=1), axis=0, return_counts=True)

    assert set(counts) == {2 * schedule.blocks}
    first = tables[::2]
    assert 0.35 < (first[:, 0] < first[:, 1]).mean() < 0.65


def test_fewer_games_are_the_first_of_more():
    schedule = round_robin(3, 3, seed=1)
    tables, seeds = schedule.round(2)
    few_tables, few_seeds = schedule.round(2, 5)

    assert len(few_tables) == 5 * schedule.games_per_pass
    assert (few_tables == tables[: len(few_tables)]).all()
    assert (few_seeds == seeds[: len(few_seeds)]).all()


def test_an_entrant_may_take_several_seats_of_one_table():
    schedule = one_table([0, 1, 1, 1], seed=1)

    assert (schedule.n_entrants, schedule.n_seats, schedule.games_per_pass, schedule.passes(9)) == (2, 4, 4, 3)
    assert (np.sort(schedule.round(0)[0], axis=1) == [0, 1, 1, 1]).all()


def test_all_uses_purposes_and_generations_have_different_streams():
    seed = 5
    streams = [stream(seed, use, figure) for use, figure in product(Use, Purpose)]
    streams += [stream(seed, use, Purpose.ROUND, 1) for use in Use]
    for generation, use in product(range(10), (BREEDING, RANKING)):
        streams.append(generation_stream(seed, generation, use))
    # What ranks a generation spawns children: the tournament's rounds, and theirs.
    for generation in range(10):
        ranking = generation_stream(seed, generation, RANKING)
        for child in ranking.spawn(4):
            streams += [child, *child.spawn(4)]

    first = [int(one.generate_state(1, np.uint64)[0]) for one in streams]

    assert len(set(first)) == len(first)


def test_streams_of_games_are_prefixes_and_those_of_agents_follow_from_game_and_seat():
    few, many = (game_seeds(stream(1, Use.REPORT, Purpose.TABLE), n) for n in (10, 1000))

    assert (many[:10] == few).all()
    assert len(set(many.tolist())) == 1000

    drawn = {key: agent_generator(*key).integers(2**60) for key in product(range(3), range(3))}

    assert all(drawn[a] != drawn[b] for a, b in combinations(drawn, 2))
    assert drawn[1, 2] == agent_generator(1, 2).integers(2**60)
