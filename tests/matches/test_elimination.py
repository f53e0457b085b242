"""The elimination tournament and the victory-point penalty."""

import numpy as np
import pytest

from evodom.dominion.cards import COPPER, CURSE_PILE, DUCHY, ESTATE, GOLD, PROVINCE, SILVER
from evodom.dominion.strategies.preferences.genetics import SPACES, random_genomes
from evodom.dominion.strategies.record import strategies_of
from evodom.evolution.options import Options
from evodom.evolution.selection import penalise
from evodom.matches.seating import rotated
from evodom.matches.simulate import RESULT
from evodom.matches.tournament import best_first, filled, n_eliminated, run_tournament, snake


def stronger_wins(tables, seeds):
    """Play games in which the higher number always stands before the lower."""
    results = np.zeros(len(tables), RESULT)
    n_seats = tables.shape[1]
    results["points"][:, :n_seats] = (tables[:, :, None] > tables[:, None, :]).sum(axis=2)
    results["turns"][:, :n_seats] = 20
    return results


def luck_decides(tables, seeds):
    """Play games in which the higher number stands before the lower unless luck is against it."""
    luck = np.array([np.random.default_rng(int(seed)).random(tables.shape[1]) for seed in seeds])
    return stronger_wins(tables + 8 * luck, seeds)


def tournament(n, *, n_seats=4, games=1, seed=0, play=stronger_wins):
    return run_tournament(n, n_seats, games, np.random.SeedSequence(seed), play)


@pytest.mark.parametrize(
    ("n", "left"), [(128, 96), (96, 72), (72, 52), (52, 36), (36, 24), (24, 16), (16, 12), (12, 8), (8, 4)]
)
def test_after_each_round_full_tables_are_left(n, left):
    assert n - n_eliminated(n, 4) == left


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5, 6])
def test_every_size_of_table_comes_down_to_one_full_table(n_seats):
    n = 20 * n_seats
    while n > n_seats:
        n -= n_eliminated(n, n_seats)
        assert n % n_seats == 0
    assert n == n_seats


@pytest.mark.parametrize("n", [8, 16, 128, 512])
def test_everybody_is_ranked_once_and_the_strongest_first(n):
    ranking, _ = tournament(n)

    assert sorted(ranking) == list(range(n))
    assert ranking[0] == n - 1


SIZES = (8, 12, 20, 64, 100, 128, 252, 512)


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("n", SIZES)
def test_any_population_is_ranked_at_full_tables_of_any_size_down_to_one(n, n_seats):
    seen = []

    def watched(tables, seeds):
        seen.append(tables)
        return stronger_wins(tables, seeds)

    ranking, games = tournament(n, n_seats=n_seats, games=2, play=watched)

    assert sorted(ranking) == list(range(n))
    assert ranking[0] == n - 1
    assert all(len(set(table)) == n_seats for tables in seen for table in tables)
    assert sorted(set(seen[0].ravel())) == list(range(n))
    assert sorted(seen[-1][0]) == sorted(ranking[:n_seats])
    assert all(len(set(tables.ravel())) * 2 == tables.size for tables in seen[1:])
    assert len(games) == sum(map(len, seen))


def test_the_first_of_the_list_fill_the_last_seeding_table():
    assert filled(np.array([7, 3, 5, 1, 0, 2, 6, 4]), 3).tolist() == [[7, 3, 5], [1, 0, 2], [6, 4, 7]]


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("n", SIZES)
def test_in_the_seeding_nobody_plays_more_than_twice(n, n_seats):
    entrants = filled(np.arange(n), n_seats)

    counts = np.bincount(entrants.ravel())
    assert set(counts) <= {1, 2}
    assert (counts == 2).sum() == -n % n_seats


def test_who_plays_twice_in_the_seeding_is_judged_by_the_mean_of_a_game():
    """Every strategy scores the same in each game, so playing twice must bring no advantage."""
    seen = []

    def all_alike(tables, seeds):
        seen.append(tables)
        results = np.zeros(len(tables), RESULT)
        results["points"][:, : tables.shape[1]] = 1.0
        return results

    ranking, _ = tournament(8, n_seats=3, play=all_alike)

    twice = [entrant for entrant, n in enumerate(np.bincount(seen[0].ravel())) if n == 2]
    # Equals keep their order, and those who fill the last table are the first of the list; two leave from its end.
    assert len(twice) == 1
    assert set(ranking[-2:].tolist()) == set(seen[0][-1].tolist()) - set(twice)


@pytest.mark.parametrize(
    ("n", "n_seats", "games", "expected"),
    [
        (16, 4, 3, [15, 14, 12, 10, 13, 11, 9, 4, 8, 7, 1, 6, 3, 5, 2, 0]),
        (20, 4, 1, [19, 18, 13, 17, 15, 12, 14, 11, 9, 8, 16, 10, 4, 7, 6, 5, 2, 1, 0, 3]),
        (12, 3, 2, [9, 8, 10, 11, 6, 1, 4, 7, 5, 2, 3, 0]),
        (20, 5, 1, [18, 19, 16, 17, 11, 13, 14, 12, 15, 9, 8, 10, 7, 5, 6, 4, 1, 0, 2, 3]),
    ],
)
def test_full_tables_are_ranked_as_they_always_were(n, n_seats, games, expected):
    assert tournament(n, n_seats=n_seats, games=games, seed=1, play=luck_decides)[0].tolist() == expected


def test_the_final_is_played_and_ranks_the_last_four_as_they_finish_in_it():
    seen = []

    def watched(tables, seeds):
        seen.append(tables)
        return stronger_wins(tables, seeds)

    ranking, _ = tournament(16, play=watched)

    assert seen[-1].shape == (1, 4)
    assert ranking[:4].tolist() == sorted(seen[-1][0], reverse=True)


def test_a_tournament_of_128_plays_144_games_a_game_a_match():
    _, games = tournament(128)

    assert len(games) == 144
    assert len(tournament(128, games=3)[1]) == 432


def test_equals_keep_their_order_whatever_the_results_order():
    standing = np.array([3, 0, 2, 1])

    assert best_first(standing, np.array([1.0, 5.0, 1.0, 1.0])).tolist() == [1, 3, 0, 2]


def test_groups_spread_the_strong_the_best_half_forward_the_other_backward():
    groups = snake(np.arange(12), 4)

    assert groups.tolist() == [[0, 3, 8, 11], [1, 4, 7, 10], [2, 5, 6, 9]]


def test_each_game_of_a_match_begins_one_seat_further_on():
    tables = rotated(np.array([[7, 8, 9, 6]]), 4)

    assert tables.tolist() == [[7, 8, 9, 6], [8, 9, 6, 7], [9, 6, 7, 8], [6, 7, 8, 9]]


def test_seeding_tables_do_not_follow_the_list():
    first = []

    def watched(tables, seeds):
        first.append(tables.copy())
        return stronger_wins(tables, seeds)

    tournament(64, play=watched)

    assert not np.array_equal(np.sort(first[0], axis=1), np.arange(64).reshape(-1, 4))


def test_every_round_has_random_streams_of_its_own():
    seen = []

    def watched(tables, seeds):
        seen.extend(seeds.tolist())
        return stronger_wins(tables, seeds)

    tournament(32, games=2, play=watched)

    assert len(set(seen)) == len(seen)


def genomes_preferring(*favourites):
    """Return a genome for each favourite: 90 % for it in the early game, Province, Gold, Silver in the late game."""
    genomes = random_genomes(len(favourites), Options(), np.random.default_rng(0))
    genomes["early_shape"] = genomes["late_shape"] = len(SPACES["classic"].weights) - 1
    harmless = [SILVER, GOLD, PROVINCE, COPPER]
    for genome, favourite in zip(genomes, favourites, strict=True):
        head = [favourite, *(pile for pile in harmless if pile != favourite)][:4]
        genome["early_order"] = [*head, *(pile for pile in range(17) if pile not in head)]
        genome["late_order"] = [*harmless, *(pile for pile in range(17) if pile not in harmless)]
    return genomes


@pytest.mark.parametrize("bad", [CURSE_PILE, ESTATE, DUCHY])
def test_preferring_victory_points_early_costs_places(bad):
    genomes = genomes_preferring(bad, SILVER, GOLD, PROVINCE)

    assert penalise(np.arange(4), strategies_of(genomes, Options(model="classic")), 1.0).tolist() == [1, 2, 3, 0]


def test_early_provinces_are_free():
    genomes = genomes_preferring(PROVINCE, SILVER, GOLD, COPPER)

    assert penalise(np.arange(4), strategies_of(genomes, Options(model="classic")), 1.0).tolist() == [0, 1, 2, 3]


def test_a_mild_penalty_costs_fewer_places_than_results_are_worth():
    genomes = genomes_preferring(*([ESTATE] + [SILVER] * 19))

    assert penalise(np.arange(20), strategies_of(genomes, Options(model="classic")), 0.25).tolist().index(0) == 4


def test_an_infinite_penalty_puts_them_behind_all_others_in_their_order():
    genomes = genomes_preferring(ESTATE, SILVER, DUCHY, GOLD)

    assert penalise(np.array([0, 1, 2, 3]), strategies_of(genomes, Options(model="classic")), np.inf)[:2].tolist() == [
        1,
        3,
    ]


def test_no_penalty_leaves_the_ranking():
    genomes = genomes_preferring(ESTATE, SILVER, DUCHY, GOLD)

    assert penalise(np.array([2, 0, 3, 1]), strategies_of(genomes, Options(model="classic")), 0.0).tolist() == [
        2,
        0,
        3,
        1,
    ]


def test_a_duchy_that_waits_for_the_end_costs_nothing():
    genomes = genomes_preferring(DUCHY, SILVER, GOLD, COPPER)
    strategies = strategies_of(genomes, Options(model="classic"))
    strategies["from_left"][0, DUCHY] = 5

    assert penalise(np.arange(4), strategies, 1.0).tolist() == [0, 1, 2, 3]
