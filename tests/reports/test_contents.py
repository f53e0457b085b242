"""Reports as data: reproducible, consistent, plain JSON; the table of the best, means by turn, profiles."""

import json
from math import inf

import numpy as np
import pytest

from evodom.dominion.cards import ESTATE, SILVER
from evodom.dominion.effects.ops import Ending
from evodom.dominion.engine.batch import RESULT
from evodom.dominion.kingdom import FIRST_GAME, KINGDOMS, Kingdom
from evodom.dominion.strategies.baselines import HELD_OUT_OPPONENTS, baseline, fitting_baselines
from evodom.dominion.strategies.files import parse_strategy
from evodom.dominion.strategies.models.preferences.genetics import first_genomes
from evodom.dominion.strategies.record import STRATEGY
from evodom.errors import RunError, UsageError
from evodom.evolution.options import Options
from evodom.matches import venue
from evodom.matches.results import Tally, spread
from evodom.matches.simulate import CENSUS, play_games
from evodom.matches.tournament import strongest_baselines
from evodom.reports.evolved import MAX_GENERATIONS, evenly_spaced, profile, read_report_data
from evodom.reports.measure import by_turn, purchases_of_best, results_of_table
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
    assert [evenly_spaced(range(n), MAX_GENERATIONS) for n in (1, 3, 12)] == [[0], [0, 1, 2], list(range(12))]
    assert evenly_spaced(range(100), MAX_GENERATIONS) == [0, 9, 18, 27, 36, 45, 54, 63, 72, 81, 90, 99]


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


def test_percentiles_are_values_that_occurred():
    found = spread(np.array([10] * 50 + [20] * 50))
    assert (found.mean, found.p5, found.p50, found.p95) == (15.0, 10, 10, 20)


def two_results():
    """Return two games of three strategies: the champion wins the first, and shares the second with number 2."""
    results = np.zeros(2, RESULT)
    tables = np.array([[0, 1, 2], [1, 2, 0]], np.int32)
    results["ended"] = Ending.PROVINCES, Ending.CUT
    results["turns"][:, :3] = [[20, 20, 19], [30, 30, 30]]
    results["vp"][:, :3] = [[40, 10, 20], [-5, 30, 30]]
    results["win"][:, :3] = [[1, 0, 0], [0, 0.5, 0.5]]
    results["owned"][:, :3, 0] = [[7, 8, 9], [1, 2, 4]]
    return tables, results


def tallied(*games):
    return results_of_table(Tally.of(games), FIRST_GAME)


def test_a_table_has_results_by_strategy_by_seat_and_by_ending():
    table = tallied(two_results())
    assert [entrant.win.share for entrant in table.entrants] == [0.75, 0.0, 0.25]
    assert [entrant.vp.mean for entrant in table.entrants] == [35.0, 2.5, 25.0]
    assert [seat.share for seat in table.seats] == [0.5, 0.25, 0.25]
    assert (table.winner_vp.mean, table.rounds.mean) == (35.0, 25.0)
    # A shared victory counts each winner's deck by its share.
    assert table.winner_deck["Copper"] == (7 + (2 + 4) / 2) / 2
    assert table.champion_deck["Copper"] == (7 + 4) / 2
    assert table.ended == {"provinces": 0.5, "empty_piles": 0.0, "cut": 0.5}
    tables, results = two_results()
    assert tallied((tables[:1], results[:1]), (tables[1:], results[1:])) == table


def a_census():
    """Twenty games: ten end after the first turn, nine after the second, and one has a third."""
    census = np.zeros(1, CENSUS)[0]
    census["games"] = 20
    census["turns"][1:4] = 20, 10, 1
    census["coins"][1:4] = 60, 50, 8
    census["vp"][1:3] = 60, 45
    census["cards"][1:3] = 100, 60
    census["bought"][1, SILVER], census["bought"][2, SILVER] = 10, 10
    census["owned"][1:3, ESTATE] = 60, 30
    return census


def test_means_by_turn_are_over_the_games_that_reach_it():
    found = by_turn(1, a_census(), FIRST_GAME.piles)

    assert (found.reached, found.coins, found.vp, found.cards) == ([1.0, 0.5], [3.0, 5.0], [3.0, 4.5], [5.0, 6.0])
    assert found.bought == {"Silver": [0.5, 1.0]}
    assert found.deck == {"Estate": [3.0, 3.0]}
    assert found.played == {}
    assert found.n_turns == 2  # few games reach the third


def test_a_report_has_turns_of_the_best(report):
    assert [one.rank for one in report.turns] == [1, 2, 3, 4]
    champion = report.turns[0]
    assert champion.n_games == 28  # a quarter of the 100 games' rounds, begun
    assert champion.reached[0] == 1.0
    assert sum(champion.deck[name][0] for name in champion.deck) >= 10.0


def test_a_profile_has_the_rules_for_owned_cards_and_probed_buys():
    found = profile(baseline("big-money", FIRST_GAME), FIRST_GAME, 2, FIRST_GAME.names)
    cards = ("Province", "Gold", "Silver")
    of_owned = profile(baseline("big-money-smithy", FIRST_GAME), FIRST_GAME, 2, cards)

    assert found.traits.rules[0] == "Province"
    assert [answer.stage for answer in found.answers] == ["opening", "middle", "end"]
    assert [rule.split(" if ")[0] for rule in of_owned.traits.rules] == list(cards)
    with pytest.raises(UsageError, match="a strategy of one kingdom cannot play in another"):
        profile(baseline("big-money", FIRST_GAME), Kingdom(("Chapel",)), 2, ())
