"""Runs of evolution: saved, resumed, extended, and stronger over the generations."""

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest

from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import HELD_OUT_OPPONENTS, TRAINING_OPPONENTS, baseline
from evodom.dominion.strategies.files import parse_strategy
from evodom.dominion.strategies.models.preferences.genetics import random_genomes
from evodom.dominion.strategies.record import STRATEGY, strategies_of
from evodom.evolution import Archive, Evolution, Options, RankedPopulation, evaluate
from evodom.evolution.algorithm import hall_generations
from evodom.evolution.history import games_of
from evodom.evolution.ranking import HELD_OUT_WINS, champion_of, copies_last, held_out_wins
from evodom.evolution.runs import evaluated_generation, generation_of, options_of, resolve_rivals
from evodom.matches import Purpose, Tally, Venue, standing
from evodom.matches.tournament import strongest_baselines
from evodom.tasks import Workers
from tests.evolution.conftest import evolve


@pytest.mark.parametrize("model", ["graded", pytest.param("buy-list", marks=pytest.mark.full)])
def test_a_run_with_local_search_resumes_from_any_generation(tmp_path, store, workers, model):
    """Generation 9 is pruned and enters the hall of fame."""
    options = Options(model=model, n_strategies=8, n_generations=12, games=1, race=4, players=2, search_rounds=2)
    evolve(tmp_path, workers, options, key="whole")
    with store.open("whole") as run:
        options, generations = options_of(run), [generation_of(run, index) for index in range(12)]
    assert sum(one.summary.get("search_accepted", 0) for one in generations) > 0
    with ThreadPoolExecutor(2) as executor:
        for before, after in pairwise(generations):
            hall = [champion_of(generations[index]) for index in hall_generations(before.index, options)]
            halls, archive = np.concatenate([before.genomes[:0], *hall]), Archive.of(before.summary)
            evolution = Evolution(options, 1, before.genomes, before.index, halls, archive=archive)
            evolution.tell(RankedPopulation.of(before))
            found = evaluated_generation(evolution, Workers(executor, 2))
            assert json.loads(json.dumps(found.summary)) == after.summary
            assert found.to_table() == after.to_table()


def test_champions_are_distinct_strategies():
    genomes = random_genomes(4, Options(), np.random.default_rng(0))[[0, 0, 1, 0, 2]]

    assert copies_last(strategies_of(genomes, Options())).tolist() == [0, 2, 4, 1, 3]

    texts = [
        f'buy = ["Province", "Smithy if count_in_deck({card}) < 2", "Gold"]' for card in ("Silver", "Silver", "Moat")
    ]
    lists = np.array([parse_strategy(text).record(FIRST_GAME) for text in texts], STRATEGY)
    assert copies_last(lists).tolist() == [0, 2, 1], "the two conditions differ in their terms only"


def win_share(genome, name, options, games=2000):
    """Return a strategy's share of wins against three copies of a baseline."""
    venue, strategy = Venue(FIRST_GAME, 4, seed=1), strategies_of(genome, options)[0]
    found = Tally.of(venue.against(strategy, [baseline(name, FIRST_GAME)], games, venue.stream(Purpose.EXPECTED)))
    return standing(found.games, 0).win.share


def points_of_the_best(options, seed, workers, asked):
    """Return the mean share of wins against Big Money of the ten best of some generations, and the last champion."""
    evolution = Evolution(options, seed)
    shares = []
    for index in range(options.n_generations):
        generation = evaluate(evolution, workers)
        best = generation.genomes[generation.ranking]
        if index in asked:
            points = [win_share(best[place : place + 1], "big-money", options, 200) for place in range(10)]
            shares.append(np.mean(points))
        evolution.tell(RankedPopulation.of(generation))
    return shares, best[:1]


def test_fitness_against_fixed_opponents_rises_over_generations(workers):
    options = Options(n_strategies=16, n_generations=10, games=2, race=8)

    shares, champion = points_of_the_best(options, 1, workers, (0, 8, 9))

    assert shares[0] < min(shares[1:])
    assert win_share(champion, "random", options) >= 0.99


def test_rivals_are_training_opponents_and_never_held_out():
    for players in (2, 4):
        rivals = resolve_rivals(Options(players=players)).rivals

        assert len(rivals) == 4
        assert set(rivals) <= set(TRAINING_OPPONENTS)
        assert not set(rivals) & set(HELD_OUT_OPPONENTS)


def test_a_summary_counts_the_games_and_has_the_win_rate_against_held_out_baselines(workers):
    options = resolve_rivals(Options(n_strategies=16, games=1, race=8, search_rounds=0, start="random"))

    generation = evaluated_generation(Evolution(options, 1), workers)
    summary = generation.summary

    # Two stages of 8 and 4 candidates, with 8 games and then with 16.
    assert summary["race_games"] == 8 * 8 + 4 * 16
    assert games_of(generation.summary) == summary["games"] + summary["race_games"]
    assert games_of(summary | {"search_games": 9}) == games_of(generation.summary) + 9
    assert games_of({"games": 7}) == 7
    champion = champion_of(generation)
    assert summary[HELD_OUT_WINS] == held_out_wins(champion, options, 1, 0, None)[HELD_OUT_WINS]
    judges = strongest_baselines(options.kingdom, 4, 2, among=HELD_OUT_OPPONENTS)
    means = [win_share(champion, name, options) for name in judges]
    assert summary[HELD_OUT_WINS] == pytest.approx(np.mean(means), abs=0.15)
