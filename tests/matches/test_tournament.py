"""Tournaments of real games: the right order, the same for any number of workers, and honest about what is unclear."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from evodom.dominion.kingdom import FIRST_GAME
from evodom.entrants import find_entrants
from evodom.errors import UsageError
from evodom.matches.tournament import MOST_GAMES, play_elimination, play_match, play_round_robin
from evodom.matches.venue import Venue
from evodom.tasks import Workers

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
