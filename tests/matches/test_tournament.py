"""Tournaments of real games: the right order, the same for any number of workers, and honest about what is unclear.

What is bought on the first two turns.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.files import parse_strategy
from evodom.entrants import find_entrants
from evodom.errors import UsageError
from evodom.matches.simulate import RESULT
from evodom.matches.tournament import (
    MOST_GAMES,
    SPLITS,
    best_first,
    filled,
    n_eliminated,
    openings,
    play_elimination,
    play_match,
    play_round_robin,
    run_tournament,
    snake,
)
from evodom.matches.venue import Venue
from evodom.tasks import Workers
from tests.advice.conftest import WITCH_KINGDOM

FOUR = ("random", "big-money", "big-money-militia", "big-money-smithy")
ORDER = ["big-money-smithy", "big-money-militia", "big-money", "random"]
"""Strongest first: known from the baselines' own tests, and clear by a wide margin."""


@pytest.fixture
def baselines(tmp_path):
    return lambda *names: find_entrants(names, root=tmp_path).entrants


@pytest.fixture
def venue(workers):
    def make(n_seats=4, *, seed=1, **others):
        return Venue(FIRST_GAME, n_seats, seed, workers=workers, **others)

    return make


def names(result):
    return [one.name for one in result.standings]


@pytest.mark.parametrize("n_seats", [2, 4])
def test_a_round_robin_finds_the_order_and_stops(venue, baselines, n_seats):
    result = play_round_robin(venue(n_seats), baselines(*FOUR))

    assert names(result) == ORDER
    assert result.order_clear
    assert result.not_told_apart == ()
    assert 0 < result.course.n_games < MOST_GAMES / 4
    rated = [one.value for one in result.ratings]
    assert rated == sorted(rated, reverse=True)
    assert all(result.matrix[a][b].beats.share > 0.5 for a in range(4) for b in range(a + 1, 4))


def test_what_is_not_clear_when_the_games_are_played_is_said(venue, baselines):
    result = play_round_robin(venue(2), baselines("big-money", "big-money-militia", "random"), n_games=24)

    assert result.course.n_games == 24
    assert not result.order_clear
    assert ("big-money-militia", "big-money") in [tuple(sorted(pair, reverse=True)) for pair in result.not_told_apart]


def test_the_most_games_are_a_bound(venue, baselines):
    (entrant,) = baselines("big-money")
    twins = [entrant, replace(entrant, name="twin", origin=("twin",))]
    result = play_round_robin(venue(2), twins, most_games=2999)

    assert result.course.n_games == 2999 - 2999 % 2
    assert not result.order_clear


def test_a_fixed_number_of_games_is_played_though_the_order_is_clear(venue, baselines):
    result = play_round_robin(venue(2), baselines("random", "big-money"), n_games=5000)

    assert (result.course.n_games, result.order_clear) == (5000, True)


def test_everybody_plays_equally_often_and_wins_add_up(venue, baselines):
    result = play_round_robin(venue(3), baselines(*FOUR), n_games=1000)

    assert {one.win.n_games for one in result.standings} == {3 * result.course.n_games // 4}
    assert sum(one.win.share for one in result.standings) == pytest.approx(4 / 3)
    assert all(one.par == pytest.approx(1 / 3) for one in result.standings)


def test_copies_fill_the_table_where_there_are_too_few(venue, baselines):
    result = play_round_robin(venue(4), baselines("random", "big-money"), n_games=200)

    assert [(one.name, one.seats, one.par) for one in result.standings] == [("big-money", 2, 0.5), ("random", 2, 0.5)]
    assert result.standings[0].win.share > 0.95


def test_workers_do_not_change_a_tournament(baselines):
    found = []
    for n in (1, 2, 3):
        with ThreadPoolExecutor(n) as executor:
            venue = Venue(FIRST_GAME, 4, 5, workers=Workers(executor, n))
            found.append(play_round_robin(venue, baselines(*FOUR)).to_json())

    assert found[0] == found[1] == found[2]


def test_the_seed_decides_the_games(venue, baselines):
    def play(seed):
        return play_match(venue(2, seed=seed), baselines("random", "big-money"), n_games=100).to_json()

    assert play(1) == play(1)
    assert play(1) != play(2)


def test_elimination_ends_with_the_strongest_in_front(venue, baselines):
    result = play_elimination(venue(2), baselines(*FOUR), match_games=200)

    assert names(result) == ORDER
    assert result.order_clear is None


def test_elimination_needs_a_full_table(venue, baselines):
    with pytest.raises(UsageError, match=r"2 entrants do not fill a table of 4\. Say --players 2"):
        play_elimination(venue(4), baselines("random", "big-money"))


def test_copies_in_a_match_are_counted_together(venue, baselines):
    seated = baselines("random", "big-money", "random", "random")
    result = play_match(venue(4), seated, n_games=400)

    assert names(result) == ["random", "big-money"]
    assert [one.seats for one in result.standings] == [3, 1]
    assert sum(one.win.share for one in result.standings) == pytest.approx(1.0)
    assert result.matrix[1][0].beats.n_games == 400


def test_equal_players_win_equally_often(venue, baselines):
    result = play_match(venue(2), baselines("big-money", "big-money-smithy"), n_games=100)
    alone = play_match(venue(3), baselines(*["big-money"] * 3), n_games=90)

    assert len(result.standings) == 2
    assert [one.win.share for one in alone.standings] == [pytest.approx(1.0)]
    assert [share.n_games for share in alone.seats] == [90] * 3


def test_progress_is_told_game_by_game(venue, baselines):
    told = []
    result = play_match(venue(2, on_games=told.append), baselines("random", "big-money"), n_games=3000)

    assert sum(told) == result.course.n_games == 3000
    assert len(told) > 1


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


def recorded(n, **how):
    """Return the ranking, the games, and the tables and seeds of each round."""
    rounds = []

    def watched(tables, seeds):
        rounds.append((tables.copy(), seeds))
        return stronger_wins(tables, seeds)

    return *tournament(n, play=watched, **how), rounds


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


SIZES = (8, 12, 20, 64, 100, 128, 252, 512)


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("n", SIZES)
def test_any_population_is_ranked_at_full_tables_of_any_size_down_to_one(n, n_seats):
    ranking, games, rounds = recorded(n, n_seats=n_seats, games=2)
    seen = [tables for tables, _ in rounds]

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
    ranking, _, rounds = recorded(16)
    final, _ = rounds[-1]

    assert final.shape == (1, 4)
    assert ranking[:4].tolist() == sorted(final[0], reverse=True)


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


def test_seeding_tables_do_not_follow_the_list():
    _, _, ((first, _), *_) = recorded(64)

    assert not np.array_equal(np.sort(first, axis=1), np.arange(64).reshape(-1, 4))


def test_every_round_has_random_streams_of_its_own():
    seen = [seed for _, seeds in recorded(32, games=2)[2] for seed in seeds.tolist()]

    assert len(set(seen)) == len(seen)


def buys(strategy, kingdom, n_players=2):
    return {opening.coins: opening.buys for opening in openings(strategy, kingdom, n_players, 1)}


def test_big_money_opens_with_two_silvers_or_one():
    found = buys(baseline("big-money", FIRST_GAME), FIRST_GAME)

    assert found == {
        (4, 3): ("Silver", "Silver"),
        (3, 4): ("Silver", "Silver"),
        (5, 2): ("Silver", "nothing"),
        (2, 5): ("nothing", "Silver"),
    }


def test_witches_are_bought_with_five_coins():
    found = buys(baseline("double-witch", WITCH_KINGDOM), WITCH_KINGDOM, n_players=4)

    assert found[5, 2] == ("Witch", "nothing")
    assert found[4, 3] == ("Silver", "Silver")


def test_a_preference_tells_its_most_frequent_opening_and_how_frequent_it_is():
    text = 'model = "preferences"\n[early]\nSilver = 3\nVillage = 1'
    found = openings(parse_strategy(text).record(FIRST_GAME), FIRST_GAME, 2, 1)

    assert [opening.coins for opening in found] == list(SPLITS)
    assert found[0].buys == ("Silver", "Silver")
    assert 0.3 < found[0].share < 0.9
