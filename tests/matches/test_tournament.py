"""Tournaments: the known order, the same result for any number of workers, unclear pairs. Opening buys."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from evodom.dominion.engine.batch import RESULT
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.files import parse_strategy
from evodom.errors import UsageError
from evodom.matches.entrants import find_entrants
from evodom.matches.tournament import (
    GAMES_LIMIT,
    SPLITS,
    best_first,
    filled,
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
def baselines(store):
    return lambda *names: find_entrants(names, store=store).entrants


@pytest.fixture
def venue(workers):
    def make(n_seats=4, *, seed=1, **others):
        return Venue(FIRST_GAME, n_seats, seed, workers=workers, **others)

    return make


def names(result):
    return [one.name for one in result.standings]


@pytest.mark.parametrize("n_seats", [2, 4])
def test_a_round_robin_stops_when_the_order_is_clear(venue, baselines, n_seats):
    result = play_round_robin(venue(n_seats), baselines(*FOUR))

    assert names(result) == ORDER
    assert result.order_clear
    assert result.not_told_apart == ()
    assert 0 < result.summary.n_games < GAMES_LIMIT / 4
    rated = [one.value for one in result.ratings]
    assert rated == sorted(rated, reverse=True)
    assert all(result.matrix[a][b].beats.share > 0.5 for a in range(4) for b in range(a + 1, 4))


def test_a_round_robin_plays_a_given_number_of_games(venue, baselines):
    result = play_round_robin(venue(2), baselines("big-money", "big-money-militia", "random"), n_games=24)

    assert result.summary.n_games == 24
    assert not result.order_clear
    assert ("big-money-militia", "big-money") in [tuple(sorted(pair, reverse=True)) for pair in result.not_told_apart]

    (entrant,) = baselines("big-money")
    twins = [entrant, replace(entrant, name="twin", origin=("twin",))]
    at_most = play_round_robin(venue(2), twins, most_games=2999)
    fixed = play_round_robin(venue(2), baselines("random", "big-money"), n_games=5000)

    assert (at_most.summary.n_games, at_most.order_clear) == (2998, False)
    assert (fixed.summary.n_games, fixed.order_clear) == (5000, True)


def test_entrants_play_equally_often_and_copies_fill_seats(venue, baselines):
    result = play_round_robin(venue(3), baselines(*FOUR), n_games=1000)

    assert {one.win.n_games for one in result.standings} == {3 * result.summary.n_games // 4}
    assert sum(one.win.share for one in result.standings) == pytest.approx(4 / 3)
    assert all(one.chance_level == pytest.approx(1 / 3) for one in result.standings)

    result = play_round_robin(venue(4), baselines("random", "big-money"), n_games=200)

    assert [(one.name, one.seats, one.chance_level) for one in result.standings] == [
        ("big-money", 2, 0.5),
        ("random", 2, 0.5),
    ]
    assert result.standings[0].win.share > 0.95


def test_a_tournament_depends_on_its_seed_but_not_on_workers(venue, baselines):
    def play(seed, n=2, on_games=lambda _: None):
        with ThreadPoolExecutor(n) as executor:
            place = Venue(FIRST_GAME, 4, seed, workers=Workers(executor, n), on_games=on_games)
            return play_round_robin(place, baselines(*FOUR))

    counted = []
    result = play(5, on_games=counted.append)

    assert play(5, 1) == result == play(5, 3)
    assert play(6) != result
    assert sum(counted) == result.summary.n_games
    assert len(counted) > 1


def test_elimination_ranks_the_strongest_first(venue, baselines):
    result = play_elimination(venue(2), baselines(*FOUR), match_games=200)

    assert names(result) == ORDER
    assert result.order_clear is None
    with pytest.raises(UsageError, match=r"2 entrants do not fill a table of 4\. Say --players 2"):
        play_elimination(venue(4), baselines("random", "big-money"))


def test_copies_in_a_match_are_counted_together(venue, baselines):
    result = play_match(venue(4), baselines("random", "big-money", "random", "random"), n_games=400)
    only_copies = play_match(venue(3), baselines(*["big-money"] * 3), n_games=90)

    assert names(result) == ["random", "big-money"]
    assert [one.seats for one in result.standings] == [3, 1]
    assert sum(one.win.share for one in result.standings) == pytest.approx(1.0)
    assert result.matrix[1][0].beats.n_games == 400
    assert [one.win.share for one in only_copies.standings] == [pytest.approx(1.0)]
    assert [share.n_games for share in only_copies.seats] == [90] * 3


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


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5, 6])
def test_any_population_is_ranked_at_full_tables(n_seats):
    for n in (8, 12, 20, 64, 100, 128, 252, 512):
        ranking, games, rounds = recorded(n, n_seats=n_seats, games=2)
        seen = [tables for tables, _ in rounds]
        seeds = [seed for _, seeds in rounds for seed in seeds.tolist()]
        in_seeding = np.bincount(filled(np.arange(n), n_seats).ravel())

        assert sorted(ranking) == list(range(n))
        assert ranking[0] == n - 1
        assert all(len(set(table)) == n_seats for tables in seen for table in tables)
        assert sorted(set(seen[0].ravel())) == list(range(n))
        # The final table ranks its players by its own games.
        assert ranking[:n_seats].tolist() == sorted(seen[-1][0], reverse=True)
        assert all(len(set(tables.ravel())) * 2 == tables.size for tables in seen[1:])
        assert len(games) == sum(map(len, seen))
        assert len(set(seeds)) == len(seeds)
        assert set(in_seeding) <= {1, 2}
        assert (in_seeding == 2).sum() == -n % n_seats


def test_entrants_are_seated_filled_up_spread_and_sorted():
    assert filled(np.array([7, 3, 5, 1, 0, 2, 6, 4]), 3).tolist() == [[7, 3, 5], [1, 0, 2], [6, 4, 7]]
    assert snake(np.arange(12), 4).tolist() == [[0, 3, 8, 11], [1, 4, 7, 10], [2, 5, 6, 9]]
    assert best_first(np.array([3, 0, 2, 1]), np.array([1.0, 5.0, 1.0, 1.0])).tolist() == [1, 3, 0, 2]
    _, _, ((seeding, _), *_) = recorded(64)
    assert not np.array_equal(np.sort(seeding, axis=1), np.arange(64).reshape(-1, 4))
    assert [len(tournament(128, games=games)[1]) for games in (1, 3)] == [144, 432]


def test_an_entrant_with_two_seeding_games_is_scored_by_their_mean():
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
def test_rankings_of_a_seed_stay_the_same(n, n_seats, games, expected):
    assert tournament(n, n_seats=n_seats, games=games, seed=1, play=luck_decides)[0].tolist() == expected


def buys(strategy, kingdom, n_players=2):
    return {opening.coins: opening.buys for opening in openings(strategy, kingdom, n_players, 1)}


def test_opening_buys_depend_on_the_split_of_the_first_coins():
    assert buys(baseline("big-money", FIRST_GAME), FIRST_GAME) == {
        (4, 3): ("Silver", "Silver"),
        (3, 4): ("Silver", "Silver"),
        (5, 2): ("Silver", "nothing"),
        (2, 5): ("nothing", "Silver"),
    }
    witches = buys(baseline("double-witch", WITCH_KINGDOM), WITCH_KINGDOM, n_players=4)
    assert (witches[5, 2], witches[4, 3]) == (("Witch", "nothing"), ("Silver", "Silver"))


def test_the_opening_of_a_stochastic_strategy_has_its_frequency():
    text = 'model = "preferences"\n[early]\nSilver = 3\nVillage = 1'
    found = openings(parse_strategy(text).record(FIRST_GAME), FIRST_GAME, 2, 1)

    assert [opening.coins for opening in found] == list(SPLITS)
    assert found[0].buys == ("Silver", "Silver")
    assert 0.3 < found[0].share < 0.9
