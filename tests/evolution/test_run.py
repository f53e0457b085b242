"""Runs: saved, resumed, the same for any number of threads, and getting better."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from evodom.dominion.kingdom import FIRST_GAME, parse_kingdom
from evodom.dominion.strategies.baselines import HELD_OUT_OPPONENTS, TRAINING_OPPONENTS, baseline
from evodom.dominion.strategies.preferences.genetics import random_genomes
from evodom.dominion.strategies.record import STRATEGY, strategies_of
from evodom.errors import UsageError
from evodom.evolution.algorithm import Evolution, distinct_first, evaluate, games_of
from evodom.evolution.options import Options
from evodom.evolution.runs import carry_on, champions, extend, options_of, start, with_rivals
from evodom.matches.seating import rotated
from evodom.matches.simulate import play_games
from evodom.runs import Generation, Run
from evodom.runs.lifecycle import RunMonitor
from evodom.tasks import Workers


@pytest.fixture
def workers():
    with ThreadPoolExecutor(1) as executor:
        yield Workers(executor, 1)


def evolve(root, workers, options, *, key="demo", seed=1, stop_after=None):
    """Evolve a new run, stopping after some generations if asked to; return all that was saved."""
    seen = []
    with start(key, options, seed, root=root, overwrite=False, workers=workers) as run:
        carry_on(
            run,
            workers,
            RunMonitor(
                on_generation=seen.append, should_stop=lambda: stop_after is not None and len(seen) >= stop_after
            ),
        )
        return saved(run)


def saved(run):
    return [
        (each.index, each.genomes.tobytes(), each.ranking.tolist(), each.summary)
        for each in map(run.generation, range(run.n_generations))
    ]


@pytest.mark.parametrize("players", [2, 3, 5, 6])
def test_a_run_for_any_number_of_players_resumes_too(tmp_path, workers, players):
    kingdom = parse_kingdom("random", seed=players, first_edition=True)
    options = Options(n_strategies=20, n_generations=4, games=1, race=1, players=players, kingdom=kingdom)
    whole = evolve(tmp_path, workers, options, key="whole")
    evolve(tmp_path, workers, options, key="parts", stop_after=2)

    with Run.open("parts", root=tmp_path, write=True) as run:
        assert options_of(run) == with_rivals(options)
        assert carry_on(run, workers)
        assert saved(run) == whole


def test_a_run_resumed_after_its_first_champions_entered_the_hall_ends_like_a_whole_one(tmp_path, workers):
    options = Options(n_strategies=8, n_generations=33, games=1, race=1, hall=2)
    whole = evolve(tmp_path, workers, options, key="whole")
    evolve(tmp_path, workers, options, key="parts", stop_after=31)

    with Run.open("parts", root=tmp_path, write=True) as run:
        assert carry_on(run, workers)
        assert saved(run) == whole


def test_an_extended_run_ends_like_a_longer_one(tmp_path, workers):
    whole = evolve(tmp_path, workers, Options(n_strategies=8, n_generations=9), key="whole")
    evolve(tmp_path, workers, Options(n_strategies=8, n_generations=4), key="short")

    with Run.open("short", root=tmp_path, write=True) as run:
        extend(run, 9)
        carry_on(run, workers)
        assert saved(run) == whole
        assert options_of(run).n_generations == 9


def test_a_run_cannot_be_resumed_to_fewer_generations_than_it_has(tmp_path, workers):
    evolve(tmp_path, workers, Options(n_strategies=8, n_generations=4))

    with Run.open("demo", root=tmp_path, write=True) as run, pytest.raises(UsageError, match="4 or more"):
        extend(run, 3)


def test_a_failing_generation_loses_none_that_was_finished(tmp_path, workers):
    seen = []

    def fail_at_third(generation):
        seen.append(generation)
        if len(seen) == 3:
            raise RuntimeError

    run = start("demo", Options(n_strategies=8, n_generations=9), 1, root=tmp_path, overwrite=False, workers=workers)
    with run, pytest.raises(RuntimeError):
        carry_on(run, workers, RunMonitor(on_generation=fail_at_third))

    with Run.open("demo", root=tmp_path) as run:
        assert run.n_generations == 4


def test_a_run_saved_with_other_names_resumes_as_if_it_had_never_stopped(tmp_path, workers):
    options = Options(n_strategies=16, n_generations=6, games=1, race=1, model="graded")
    evolve(tmp_path, workers, options, key="whole")
    evolve(tmp_path, workers, options, key="parts", stop_after=3)
    with Run.open("parts", root=tmp_path) as run:
        names = {"worth_order": "worth_order"}
        old = []
        for each in map(run.generation, range(run.n_generations)):
            dtype = [(names.get(field, field), each.genomes.dtype[field]) for field in each.genomes.dtype.names]
            old.append(Generation(each.index, each.genomes.astype(dtype), each.ranking, each.summary))
        Run.create("old", run.meta, old, root=tmp_path).close()

    with Run.open("old", root=tmp_path, write=True) as run, Run.open("whole", root=tmp_path) as whole:
        assert champions(run, 4).tobytes() == champions(whole, 4, whole.generation(3)).tobytes()
        assert carry_on(run, workers)
        assert run.last().genomes.tobytes() == whole.last().genomes.tobytes()


def test_the_champion_is_the_best_ranked_of_the_last_generation(tmp_path, workers):
    evolve(tmp_path, workers, Options(n_strategies=8, n_generations=3))

    with Run.open("demo", root=tmp_path) as run:
        last = run.last()
        best = champions(run, 3)

    assert np.array_equal(best[0], strategies_of(last.genomes[last.ranking[:1]], Options())[0])


def test_of_strategies_that_prefer_alike_only_the_best_is_a_champion_while_there_are_others():
    genomes = random_genomes(4, Options(), np.random.default_rng(0))[[0, 0, 1, 0, 2]]

    assert distinct_first(strategies_of(genomes, Options())).tolist() == [0, 2, 4, 1, 3]


def win_share(genome, name, options, games=2000):
    """Return a strategy's share of wins against three copies of a baseline."""
    strategies = np.zeros(4, STRATEGY)
    strategies[0] = strategies_of(genome, options)[0]
    strategies[1:] = baseline(name, options.kingdom)
    tables = rotated(np.arange(4)[None, :], games)
    results = play_games(
        FIRST_GAME.rules(4), strategies, tables, np.random.SeedSequence(0).generate_state(games, np.uint64)
    )
    return results["win"][:, :4][tables == 0].mean()


def points_of_the_best(options, seed, workers, asked):
    """Return the mean share of wins against Big Money of the ten best of some generations, and the last champion."""
    evolution = Evolution(options, seed)
    shares = []
    for index in range(options.n_generations):
        generation = evaluate(evolution, workers)
        best = generation.genomes[generation.ranking]
        if index in asked:
            points = [win_share(best[place : place + 1], "big-money", options, 400) for place in range(10)]
            shares.append(np.mean(points))
        evolution.tell(generation.ranking)
    return shares, best[:1]


def test_fitness_against_fixed_opponents_rises_over_thirty_generations(workers):
    options = Options(n_strategies=64, n_generations=30, games=2, race=2)

    shares, champion = points_of_the_best(options, 1, workers, (0, 15, 29))

    assert shares[0] < min(shares[1:])
    assert win_share(champion, "random", options) >= 0.99


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_fitness_against_fixed_opponents_rises_over_sixty_generations(workers, seed):
    options = Options(n_generations=60)

    shares, champion = points_of_the_best(options, seed, workers, (0, 20, 40, 59))

    assert max(shares[1:]) > shares[0]
    assert shares[-1] > shares[0]
    assert win_share(champion, "random", options) >= 0.99


@pytest.mark.parametrize("players", [2, 4])
def test_rivals_are_teachers_and_never_judges(players):
    rivals = with_rivals(Options(players=players)).rivals

    assert len(rivals) == 4
    assert set(rivals) <= set(TRAINING_OPPONENTS)
    assert not set(rivals) & set(HELD_OUT_OPPONENTS)


def test_a_summary_tells_what_the_champion_wins_in_the_race_against_the_baselines(workers):
    options = with_rivals(Options(n_strategies=16, games=1, rivals=("big-money", "smithy-ultimate")))

    summary = evaluate(Evolution(options, 1), workers).summary

    assert list(summary["race_wins_by_rival"]) == ["big-money", "smithy-ultimate"]
    assert summary["race_wins"] == pytest.approx(np.mean(list(summary["race_wins_by_rival"].values())))
    assert 0.0 <= summary["race_wins"] <= 1.0


def test_the_hall_does_not_count_for_the_wins_in_the_race(workers):
    options = with_rivals(Options(n_strategies=16, games=1, rivals=("random",)))
    evolution = Evolution(options, 1)
    evolution.hall = evolution.ask()[:2]

    summary = evaluate(evolution, workers).summary

    assert list(summary["race_wins_by_rival"]) == ["random"]
    # Two laps of 8 runners and 4: three rivals with 8 games, then with 16.
    assert summary["race_games"] == 3 * (8 * 8 + 4 * 16)


def test_all_games_of_a_generation_count_and_those_of_an_old_run_too(workers):
    generation = evaluate(Evolution(with_rivals(Options(n_strategies=8, games=1)), 1), workers)

    assert games_of(generation) == generation.summary["games"] + generation.summary["race_games"]
    assert games_of(Generation(0, generation.genomes, generation.ranking, {"games": 7})) == 7


def test_without_a_race_there_are_no_wins_in_it(workers):
    summary = evaluate(Evolution(Options(n_strategies=8, model="classic"), 1), workers).summary

    assert "race_wins" not in summary
    assert summary["best_points"] > 0
