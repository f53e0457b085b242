"""Tournaments of real games: the right order, the same for any number of workers, and honest about what is unclear."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from evodom.dominion.kingdom import FIRST_GAME
from evodom.entrants import find_entrants
from evodom.errors import UsageError
from evodom.matches.tournament import MOST_GAMES, Arena, play_elimination, play_match, play_round_robin
from evodom.matches.workers import Workers

FOUR = ("random", "big-money", "big-money-militia", "big-money-smithy")
ORDER = ["big-money-smithy", "big-money-militia", "big-money", "random"]
"""Strongest first: known from the baselines' own tests, and clear by a wide margin."""


@pytest.fixture
def baselines(tmp_path):
    return lambda *names: find_entrants(names, root=tmp_path).entrants


@pytest.fixture
def arena(workers):
    def make(n_seats=4, *, seed=1, **others):
        return Arena(FIRST_GAME, n_seats, seed, workers, **others)

    return make


def names(outcome):
    return [one.name for one in outcome.standings]


@pytest.mark.parametrize("n_seats", [2, 4])
def test_a_round_robin_finds_the_order_and_stops(arena, baselines, n_seats):
    outcome = play_round_robin(arena(n_seats), baselines(*FOUR))

    assert names(outcome) == ORDER
    assert outcome.order_clear
    assert outcome.not_told_apart == ()
    assert 0 < outcome.course.n_games < MOST_GAMES / 4
    rated = [one.value for one in outcome.ratings]
    assert rated == sorted(rated, reverse=True)
    assert all(outcome.matrix[a][b].beats.share > 0.5 for a in range(4) for b in range(a + 1, 4))


def test_what_is_not_clear_when_the_games_are_played_is_said(arena, baselines):
    outcome = play_round_robin(arena(2), baselines("big-money", "big-money-militia", "random"), n_games=24)

    assert outcome.course.n_games == 24
    assert not outcome.order_clear
    assert ("big-money-militia", "big-money") in [tuple(sorted(pair, reverse=True)) for pair in outcome.not_told_apart]


def test_the_most_games_are_a_bound(arena, baselines):
    (entrant,) = baselines("big-money")
    twins = [entrant, replace(entrant, name="twin", origin=("twin",))]
    outcome = play_round_robin(arena(2), twins, most_games=2999)

    assert outcome.course.n_games == 2999 - 2999 % 2
    assert not outcome.order_clear


def test_a_fixed_number_of_games_is_played_though_the_order_is_clear(arena, baselines):
    outcome = play_round_robin(arena(2), baselines("random", "big-money"), n_games=5000)

    assert (outcome.course.n_games, outcome.order_clear) == (5000, True)


def test_everybody_plays_equally_often_and_wins_add_up(arena, baselines):
    outcome = play_round_robin(arena(3), baselines(*FOUR), n_games=1000)

    assert {one.win.n_games for one in outcome.standings} == {3 * outcome.course.n_games // 4}
    assert sum(one.win.share for one in outcome.standings) == pytest.approx(4 / 3)
    assert all(one.par == pytest.approx(1 / 3) for one in outcome.standings)


def test_copies_fill_the_table_where_there_are_too_few(arena, baselines):
    outcome = play_round_robin(arena(4), baselines("random", "big-money"), n_games=200)

    assert [(one.name, one.seats, one.par) for one in outcome.standings] == [("big-money", 2, 0.5), ("random", 2, 0.5)]
    assert outcome.standings[0].win.share > 0.95


def test_workers_do_not_change_a_tournament(baselines):
    found = []
    for n in (1, 2, 3):
        with ThreadPoolExecutor(n) as executor:
            arena = Arena(FIRST_GAME, 4, 5, Workers(executor, n))
            found.append(play_round_robin(arena, baselines(*FOUR)).to_json())

    assert found[0] == found[1] == found[2]


def test_the_seed_decides_the_games(arena, baselines):
    def play(seed):
        return play_match(arena(2, seed=seed), baselines("random", "big-money"), n_games=100).to_json()

    assert play(1) == play(1)
    assert play(1) != play(2)


def test_elimination_ends_with_the_strongest_in_front(arena, baselines):
    outcome = play_elimination(arena(2), baselines(*FOUR), match_games=200)

    assert names(outcome) == ORDER
    assert outcome.order_clear is None


def test_elimination_needs_a_full_table(arena, baselines):
    with pytest.raises(UsageError, match=r"2 entrants do not fill a table of 4\. Say --players 2"):
        play_elimination(arena(4), baselines("random", "big-money"))


def test_copies_in_a_match_are_counted_together(arena, baselines):
    seated = baselines("random", "big-money", "random", "random")
    outcome = play_match(arena(4), seated, n_games=400)

    assert names(outcome) == ["random", "big-money"]
    assert [one.seats for one in outcome.standings] == [3, 1]
    assert sum(one.win.share for one in outcome.standings) == pytest.approx(1.0)
    assert outcome.matrix[1][0].beats.n_games == 400


def test_equal_players_win_equally_often(arena, baselines):
    outcome = play_match(arena(2), baselines("big-money", "big-money-smithy"), n_games=100)
    alone = play_match(arena(3), baselines(*["big-money"] * 3), n_games=90)

    assert len(outcome.standings) == 2
    assert [one.win.share for one in alone.standings] == [pytest.approx(1.0)]
    assert [share.n_games for share in alone.seats] == [90] * 3


def test_progress_is_told_game_by_game(arena, baselines):
    told = []
    outcome = play_match(arena(2, on_games=told.append), baselines("random", "big-money"), n_games=3000)

    assert sum(told) == outcome.course.n_games == 3000
    assert len(told) > 1
