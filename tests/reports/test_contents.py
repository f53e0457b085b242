"""Reports as data: reproducible, consistent, plain JSON."""

import json
from math import inf

import numpy as np
import pytest

from evodom.dominion.kingdom import FIRST_GAME, KINGDOMS, Kingdom
from evodom.dominion.strategies.baselines import HELD_OUT_OPPONENTS, baseline, fitting_baselines
from evodom.dominion.strategies.files import parse_strategy
from evodom.dominion.strategies.preferences.genetics import first_genomes
from evodom.dominion.strategies.record import STRATEGY
from evodom.errors import RunError
from evodom.evolution.options import Options
from evodom.matches import venue
from evodom.matches.simulate import play_games
from evodom.matches.tournament import strongest_baselines
from evodom.reports.evolved import milestone_generations, read_report_data
from evodom.reports.measure import purchases_of_best
from evodom.runs import Generation, RunStore
from tests.reports.test_evolved_document import render


def test_a_report_depends_on_its_seed_but_not_on_jobs_or_batches(entries, report_on, monkeypatch):
    report = report_on(entries, games=8)
    assert report_on(entries, seed=4, games=8).best_games != report.best_games
    monkeypatch.setattr(venue, "BATCH", 7)
    assert report_on(entries, jobs=3, games=8).to_json() == report.to_json()


def test_a_run_without_generations_or_seed_is_refused(tmp_path):
    options = Options(n_strategies=8)
    genomes = first_genomes(options.n_strategies, options, np.random.default_rng(1))
    generation = Generation(0, genomes, np.arange(8, dtype=np.int32), {})
    empty = r"run 'demo' has no generation yet\. Evolve it again: evodom evolve demo -o$"
    for number, (seed, generations, message) in enumerate(
        [(3, [], empty), *((seed, [generation], "run 'demo': seed is ") for seed in (None, "7", [3]))]
    ):
        rules = options.kingdom.rules_fingerprint
        meta, root = {"options": options.to_json(), "seed": seed, "rules": rules}, tmp_path / str(number)
        with RunStore(root).create("demo", meta, generations) as run, pytest.raises(RunError, match=message):
            read_report_data(run)


def test_a_report_is_plain_json(report, saved_entries, report_on):
    found = report.to_json()
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    infinite = report_on(saved_entries(n_generations=1, vp_penalty=inf, model="classic"), games=20).to_json()
    assert json.loads(json.dumps(infinite, allow_nan=False))["run"]["options"]["vp_penalty"] == "inf"


def test_figures_of_a_report_are_consistent(report, entries):
    assert sum(seat.share for seat in report.best_games.seats) == pytest.approx(1.0)
    assert sum(entrant.win.share for entrant in report.best_games.entrants) == pytest.approx(1.0)
    assert sum(report.best_games.ended.values()) == pytest.approx(1.0)
    (champion,) = (one.win for one in report.baselines if (one.baseline, one.rank) == ("big-money", 1))
    assert champion == report.champions[-1].against_big_money
    turns = report.turns[0]
    assert report.purchases.n_games == turns.n_games
    assert report.purchases.by_stage["opening"]["Silver"] == pytest.approx(sum(turns.bought["Silver"][:2]))
    assert parse_strategy(report.strategies[0]).record(FIRST_GAME) == entries.best[0]


def test_three_strategies_play_the_simplest_and_the_strongest_held_out_baselines(report):
    names = list(dict.fromkeys(one.baseline for one in report.baselines))
    assert names[:2] == ["random", "big-money"]
    strongest = strongest_baselines(FIRST_GAME, 4, 5, among=HELD_OUT_OPPONENTS)
    assert names[2:] == [name for name in strongest if name != "big-money"][::-1]
    assert [(one.baseline, one.rank) for one in report.baselines] == [(name, n) for name in names for n in (1, 2, 3)]


def test_up_to_twelve_generations_are_measured():
    assert [milestone_generations(n) for n in (1, 3, 12)] == [[0], [0, 1, 2], list(range(12))]
    assert milestone_generations(100) == [0, 9, 18, 27, 36, 45, 54, 63, 72, 81, 90, 99]


def test_the_hall_of_fame_has_no_diagonal(report):
    hall = report.hall_of_fame
    assert hall.generations == [0, 1, 2, 3, 4]
    assert [[win is None for win in line] for line in hall.wins] == np.eye(5, dtype=bool).tolist()
    assert all(0.0 <= win <= 1.0 for line in hall.wins for win in line if win is not None)


def test_the_lineage_of_a_new_run_begins_with_a_random_strategy(report):
    line = report.lineage.line
    assert (line[0].generation, line[0].rank, line[-1].kind) == (4, 1, "new")
    assert [one.generation for one in line] == list(range(4, 4 - len(line), -1))
    assert len(report.lineage.n_ancestors) == 5


def test_figures_of_curves_have_a_quarter_of_the_games(report):
    assert [one.against_big_money.n_games for one in report.champions] == [28, 28, 28, 28, 100]
    assert {(one.rank, one.win.n_games) for one in report.baselines} == {(1, 100), (2, 28), (3, 28)}


def test_a_held_out_baseline_named_as_a_rival_is_marked(report, saved_entries, report_on):
    assert not any(one.met for one in report.baselines)

    found = report_on(saved_entries(n_generations=1, rivals=("smithy-duchies", "smithy-ultimate")), games=20)

    assert {one.baseline for one in found.baselines if one.met} == {"smithy-duchies"}


def test_purchases_are_counted_by_generation_and_stage(report):
    assert [one.generation for one in report.best_purchases] == [0, 1, 2, 3, 4]
    for one in report.best_purchases:
        assert list(one.bought.by_stage) == ["opening", "early", "middle", "late"]
        assert 0.0 < sum(one.bought.by_stage["opening"].values()) <= 2 * 2


def test_purchases_of_the_best_quarter_are_means_per_game():
    smithy = np.repeat(np.array([baseline("big-money-smithy", FIRST_GAME)], STRATEGY), 8)
    found = purchases_of_best(venue.Venue(FIRST_GAME, 2, 1), 3, smithy).bought
    assert found.n_games == 8 * 24
    # a hand of 4 or 5 coins, 5 in 6 of first turns, buys one of two Smithies
    assert 0.9 < found.by_stage["opening"]["Smithy"] < 1.3
    assert found.in_all["Smithy"] == pytest.approx(2.0, abs=0.05)
    assert found.in_all["Moat"] == 0.0
    assert found.by_stage["late"]["Province"] > found.by_stage["early"]["Province"]


def test_win_rates_count_shared_victories_in_part(report):
    for one in report.baselines:
        assert one.alone + one.tied / 4 <= one.win.share + 1e-9 <= one.alone + one.tied / 2 + 2e-9
        assert 1.0 <= one.place <= 4.0


def test_the_sample_is_a_game_of_the_best_with_a_seed(report, entries):
    sample = report.sample
    assert sample.names == ["#1", "#2", "#3", "#4"]
    assert all(line.startswith(name) for line, name in zip(sample.rounds[0], sample.names, strict=True))
    assert sorted(sample.places)[0] == 1
    assert abs(len(sample.rounds) - report.best_games.rounds.p50) <= 3
    table, seeds = np.arange(4, dtype=np.int32)[None], np.array([sample.seed], np.uint64)
    (result,) = play_games(FIRST_GAME.rules(4), entries.best[:4], table, seeds)
    assert result["vp"][:4].tolist() == sample.scores


def test_three_players_are_reported_on(saved_entries, report_on):
    found = report_on(saved_entries(n_generations=1, players=3, model="buy-list"), games=20)
    assert len(found.best_games.seats) == len(found.best_games.entrants) == 3
    assert found.games == found.best_games.n_games == 21  # every strategy sits in each seat equally often
    assert "chance level is 33.3 %" in " ".join(render(found).split())


def test_only_baselines_that_fit_the_kingdom_are_played(saved_entries, report_on):
    told = []
    entries = saved_entries(n_generations=1, kingdom=Kingdom(KINGDOMS["Deck Top"]))
    found = report_on(entries, games=20, on_games=told.append)
    assert {one.baseline for one in found.baselines} <= set(fitting_baselines(Kingdom(KINGDOMS["Deck Top"])))
    assert sum(told) == entries.n_games(20)
