"""The race against rivals: who meets whom, how the leaders play on, and that luck is shared."""

import numpy as np
import pytest

from evodom.dominion.cards import COPPER, CURSE_PILE, DUCHY, ESTATE, GOLD, PROVINCE, SILVER
from evodom.dominion.strategies.preferences.genetics import SPACES, random_genomes
from evodom.dominion.strategies.record import strategies_of
from evodom.evolution.algorithm import FEWEST_RUNNERS, penalise, run_race
from evodom.evolution.options import Options
from evodom.matches.simulate import RESULT

CLASSIC = Options(model="classic")


def stronger_wins(tables, seeds):
    """Play games that the highest number at the table wins alone."""
    results = np.zeros(len(tables), RESULT)
    best = tables.max(axis=1, keepdims=True)
    winners = tables == best
    results["win"][:, : tables.shape[1]] = winners / winners.sum(axis=1, keepdims=True)
    return results


def race(n, *, rivals=(0,), n_seats=4, games=4, play=stronger_wins, seed=0):
    runners = np.random.default_rng(seed).permutation(np.arange(len(rivals), len(rivals) + n))
    finish = run_race(runners, np.array(rivals), n_seats, games, np.random.SeedSequence(seed), play)
    return runners, finish


def test_runners_finish_in_the_order_of_their_results():
    """Runners win with a probability that grows with their number, so the order shows only over many games."""

    def play(tables, seeds):
        results = np.zeros(len(tables), RESULT)
        luck = np.array([np.random.default_rng(int(seed)).random() for seed in seeds])
        strong = tables.max(axis=1)
        at = (tables == strong[:, None]).argmax(axis=1)
        results["win"][np.arange(len(tables)), at] = luck < strong / 40
        return results

    runners, finish = race(32, play=play, games=40)

    assert runners[finish.order][0] == 32
    assert set(runners[finish.order][:4]) <= set(range(27, 33))


def test_half_leave_after_a_lap_and_the_others_play_twice_as_many_games():
    laps = []

    def play(tables, seeds):
        laps.append((len(set(tables.ravel())) - 1, len(tables)))
        return stronger_wins(tables, seeds)

    _, finish = race(32, play=play, games=4)

    assert laps == [(32, 128), (16, 128), (8, 128), (4, 128)]
    assert laps[-1][0] == FEWEST_RUNNERS
    assert finish.n_games == 512


def test_all_runners_play_the_same_seeds():
    seen = []

    def play(tables, seeds):
        seen.append((tables.copy(), seeds.copy()))
        return stronger_wins(tables, seeds)

    race(8, play=play, rivals=(0, 1), games=2)

    _, seeds = seen[0]
    assert len(np.unique(seeds)) == 2 * 2
    assert (seeds.reshape(8, 4) == seeds[:4]).all()


def test_results_are_the_mean_share_of_the_win_against_each_rival():
    _, finish = race(4, rivals=(0, 9), games=4)

    assert finish.results.tolist() == [[1.0, 0.0]] * 4


def test_every_runner_is_ranked_once():
    _, finish = race(13, n_seats=2)

    assert sorted(finish.order) == list(range(13))


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


def penalised(order, favourites, penalty):
    return penalise(np.array(order), strategies_of(genomes_preferring(*favourites), CLASSIC), penalty).tolist()


@pytest.mark.parametrize(
    ("order", "favourites", "penalty", "expected"),
    [
        ([0, 1, 2, 3], (CURSE_PILE, SILVER, GOLD, PROVINCE), 1.0, [1, 2, 3, 0]),
        ([0, 1, 2, 3], (ESTATE, SILVER, GOLD, PROVINCE), 1.0, [1, 2, 3, 0]),
        ([0, 1, 2, 3], (DUCHY, SILVER, GOLD, PROVINCE), 1.0, [1, 2, 3, 0]),
        ([0, 1, 2, 3], (PROVINCE, SILVER, GOLD, COPPER), 1.0, [0, 1, 2, 3]),
        ([2, 0, 3, 1], (ESTATE, SILVER, DUCHY, GOLD), 0.0, [2, 0, 3, 1]),
    ],
)
def test_preferring_victory_points_but_provinces_early_costs_places(order, favourites, penalty, expected):
    assert penalised(order, favourites, penalty) == expected


def test_the_penalty_says_how_many_places():
    assert penalised(range(20), [ESTATE] + [SILVER] * 19, 0.25).index(0) == 4
    assert penalised([0, 1, 2, 3], (ESTATE, SILVER, DUCHY, GOLD), np.inf)[:2] == [1, 3]


def test_a_duchy_that_waits_for_the_end_costs_nothing():
    strategies = strategies_of(genomes_preferring(DUCHY, SILVER, GOLD, COPPER), CLASSIC)
    strategies["from_left"][0, DUCHY] = 5

    assert penalise(np.arange(4), strategies, 1.0).tolist() == [0, 1, 2, 3]
