"""The race against rivals: who meets whom, how the leaders play on, and that luck is shared."""

import numpy as np

from evodom.evolution.selection import FEWEST_RUNNERS, run_race
from evodom.matches.simulate import RESULT


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
