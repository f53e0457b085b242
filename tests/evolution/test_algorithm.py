"""The genetic algorithm: clones, parents, equal seeds. Successive halving against rivals. The penalty."""

from dataclasses import replace

import numpy as np
import pytest

from evodom.dominion.cards import COPPER, CURSE_PILE, DUCHY, ESTATE, GOLD, PROVINCE, SILVER
from evodom.dominion.engine.batch import RESULT
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import baseline_records
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.models.buy_lists.genetics import genome_of
from evodom.dominion.strategies.models.buy_lists.language import parse_rules
from evodom.dominion.strategies.models.preferences.genetics import (
    SPACES,
    check_genomes,
    early_victory_weight,
    random_genomes,
)
from evodom.dominion.strategies.operators import LIMITS
from evodom.dominion.strategies.record import strategies_of
from evodom.errors import UsageError
from evodom.evolution import Archive, Evolution, Options, RankedPopulation, algorithm, evaluate
from evodom.evolution.algorithm import hall_generations
from evodom.evolution.archive import GROWING_ROUNDS, MIN_GROWING, MIN_START_SHARE, YOUNG_ROUNDS, Line
from evodom.evolution.emitters import Emitted
from evodom.evolution.ranking import (
    MIN_CANDIDATES,
    NETWORK_SHARE,
    Opponents,
    halving_stages,
    penalise,
    race_size,
    rank_genomes,
    successive_halving,
    weighted_opponents,
)
from evodom.matches.venue import Venue
from tests.dominion.strategies.drawn import rng


def test_equal_seeds_breed_equal_generations():
    def third_generation(seed: int) -> np.ndarray:
        evolution = Evolution(Options(n_strategies=16, start="random"), seed)
        for _ in range(2):
            evolution.tell(RankedPopulation(np.arange(16)))
        return evolution.ask()

    assert np.array_equal(third_generation(5), third_generation(5))
    assert not np.array_equal(third_generation(5), third_generation(6))


def test_breeding_keeps_genes_valid_and_the_latest_champions():
    options = Options(n_strategies=64, start="random", hall=2)
    evolution, champions = Evolution(options, 2), []
    for generation in range(30):
        check_genomes(evolution.ask(), options)
        assert np.isin(evolution.ask()["limits"], LIMITS).all()
        ranking = rng(generation).permutation(64)
        champions.append(evolution.ask()[ranking[:1]].tobytes())
        assert evolution.hall.tobytes() == b"".join(champions[one] for one in hall_generations(generation, options))
        evolution.tell(RankedPopulation(ranking))
    assert hall_generations(30, options) == [19, 29]
    assert len(evolution.hall) == 2


@pytest.mark.parametrize(
    "ranking", [[0, 1, 2, 3], [0] * 8, np.linspace(0, 1, 8), range(1, 9), np.arange(8)[:, None], [], [True] * 8, 3]
)
def test_a_ranking_that_is_no_permutation_is_refused(ranking):
    evolution = Evolution(Options(n_strategies=8, start="random"), 1)
    before = evolution.ask().tobytes()
    with pytest.raises(UsageError, match=r"the ranking is .* Allowed: the indices 0 to 7, each once, the best"):
        evolution.tell(RankedPopulation(ranking))
    assert (evolution.index, evolution.ask().tobytes()) == (0, before)
    with pytest.raises(UsageError, match=r"tell got .* Allowed: RankedPopulation"):
        evolution.tell(np.arange(8))


@pytest.mark.parametrize(
    ("entries", "allowed"),
    [
        ({"cells": [0] * 7}, "cells is .* Allowed: 8 integers"),
        ({"cells": [0.5] * 8}, "cells is .* Allowed: 8 integers"),
        ({"win_rates": [np.nan] * 8}, "win_rates is .* Allowed: 8 finite numbers"),
        ({"win_rates": [[1.0]] * 8}, "win_rates is .* Allowed: 8 finite numbers"),
        ({"is_new": [0] * 8}, "is_new is .* Allowed: 8 bools"),
    ],
)
def test_results_that_do_not_fit_the_genomes_are_refused(entries, allowed):
    with pytest.raises(UsageError, match=allowed):
        Evolution(Options(n_strategies=8, start="random"), 1).tell(RankedPopulation(np.arange(8), **entries))


def test_fitness_ranks_genomes_and_has_statistics():
    assert RankedPopulation.of_fitness([1, 3, 2, 3]).ranking.tolist() == [1, 3, 2, 0]
    evolution = Evolution(Options(n_strategies=8, start="random"), 1)
    row = evolution.statistics(range(8))
    assert row.pop("diversity") > 0
    shares = {"elite": 0, "improved": 0, "clone": 0, "child": 0, "new": 1}
    assert row == {"generation": 1, "best": 7, "mean": 3.5, **shares}
    for fitness in ([1.0] * 7, [np.nan] * 8, [np.inf] * 8, ["a"] * 8):
        with pytest.raises(UsageError, match=r"fitness is .* Allowed: 8 finite numbers"):
            evolution.statistics(fitness)
    with pytest.raises(UsageError, match="fitness is"):
        RankedPopulation.of_fitness([0.5, np.nan])


def test_genomes_that_are_asked_for_are_read_only():
    evolution = Evolution(Options(n_strategies=8, start="random"), 1)
    with pytest.raises(ValueError, match="read-only"):
        evolution.ask()["limits"][0] = 0
    evolution.replace_genome(0, evolution.ask()[1:2])
    assert evolution.ask()[0] == evolution.ask()[1]


@pytest.mark.parametrize(
    "emitters", [3, "ab", [], [print], [(print,)], [("emit", 1.0)], [(print, -1)], [(print, 0)], [(print, np.nan)]]
)
def test_wrong_emitters_are_refused(emitters):
    with pytest.raises(UsageError, match=r"emitters is .* Allowed: pairs of a function"):
        Evolution(Options(n_strategies=8), 1, emitters=emitters)


@pytest.mark.parametrize("emitted", [None, Emitted.of(np.zeros(3, "i1")), np.zeros(8, "i1")])
def test_an_emitter_of_another_number_of_genomes_is_refused(emitted):
    with pytest.raises(UsageError, match=r"an emitter returned .* for 8 genomes. Allowed: Emitted.of"):
        Evolution(Options(n_strategies=8), 1, emitters=[(lambda *_: emitted, 1.0)])


# Lines of local search


def test_the_race_has_the_best_eighth_with_local_search():
    assert [race_size(n, Options()) for n in (128, 32, 8, 3)] == [16, 4, 4, 3]
    assert [race_size(n, Options(search_rounds=0)) for n in (128, 8)] == [64, 4]


def told(evolution, cells, shares=None, ranking=None):
    """Breed the next generation; return the lines by the number of their genome before."""
    n = len(evolution.ask())
    before = evolution.ask().copy()
    ranking = np.arange(n) if ranking is None else np.array(ranking)
    is_new = evolution.origins["kind"] == "new"
    evolution.tell(RankedPopulation(ranking, np.array(cells), None if shares is None else np.array(shares), is_new))
    return {
        int(np.flatnonzero(before == evolution.ask()[place])[0]): line
        for place, line in evolution.archive.lines.items()
    }


def evolution_of(n=32, **options):
    return Evolution(Options(n_strategies=n, start="random", **options), 1)


def test_first_lines_are_the_best_of_each_cell_that_win_enough():
    shares = [0.5] * 32
    shares[4] = 0.9 * MIN_START_SHARE * 0.5
    found = told(evolution_of(), [number // 2 for number in range(32)], shares)

    assert list(found) == [0, 2, 5, 6, 8, 10, 12, 14]
    assert (found[6].cell, found[6].strength, found[6].rounds) == (3, 0.5, 0)
    assert len({line.name for line in found.values()}) == len(found)
    assert told(evolution_of(search_rounds=0), [0] * 32) == {}
    assert list(told(evolution_of(), [7] * 32)) == [0]


def test_lines_enter_unchanged_whatever_their_rank():
    evolution = evolution_of()
    told(evolution, range(32))
    lines = evolution.ask()[list(evolution.archive.lines)].tobytes()
    evolution.archive.lines = {
        number: replace(line, rounds=YOUNG_ROUNDS) for number, line in evolution.archive.lines.items()
    }

    evolution.tell(RankedPopulation(np.arange(32)[::-1], np.arange(32)))

    # The best genome enters too, in place of the weakest line.
    assert list(evolution.archive.lines) == list(range(1, 8))
    assert lines.startswith(evolution.ask()[1:8].tobytes())
    assert set(evolution.origins["kind"][list(evolution.archive.lines)]) == {"elite"}


def test_new_lines_join_while_few_grow():
    evolution = evolution_of(64)
    told(evolution, range(64))
    evolution.archive.lines = {0: Line(0, 0.5, rounds=GROWING_ROUNDS), 1: Line(1, 0.4, rounds=GROWING_ROUNDS)}
    new = np.flatnonzero(evolution.origins["kind"] == "new").tolist()
    others = set(range(2, 64)) - set(new)

    found = told(evolution, [number % 7 + 2 for number in range(64)])

    assert len(found) == 2 + MIN_GROWING == 6
    assert sum(number in new for number in found) == sum(number in others for number in found) == 2
    assert all(line.rounds == 0 for number, line in found.items() if number > 1)
    evolution.archive.lines = {0: Line(0, 0.5, rounds=GROWING_ROUNDS)} | {
        number: Line(1, 0.4) for number in range(2, 7)
    }
    assert len(told(evolution, [5] * 64)) == 6


def test_hard_opponents_have_large_weights():
    options = Options(players=2, model="buy-list", kingdom=Kingdom(("Moat",)))
    opponents = Lineup.of(baseline_records(["big-money", "random"], options.kingdom))
    champion = genome_of(parse_rules("Silver"), options.kingdom)

    found = weighted_opponents(champion, opponents, options, None, np.random.SeedSequence(1))

    assert found.weights.sum() == pytest.approx(1.0)
    assert found.weights[0] > found.weights[1] > 0
    assert found.weights[2] == NETWORK_SHARE


SEARCHING = Options(n_strategies=16, games=1, race=4, rivals=("big-money",), players=2, search_rounds=12)


def test_improved_genomes_replace_their_lines_and_say_so():
    evolution = Evolution(SEARCHING, 1)
    n_improved, max_games = 0, 2 * sum((each.n_candidates + 2) * each.games for each in algorithm.SHORT_ROUND)
    for _ in range(4):
        before, lines = evolution.ask().copy(), dict(evolution.archive.lines)
        generation = evaluate(evolution)
        summary = generation.summary
        changed = [number for number in range(16) if evolution.ask()[number] != before[number]]
        assert set(changed) <= set(lines)
        assert (evolution.origins["kind"][changed] == "improved").all()
        assert summary.get("search_accepted", 0) >= len(changed)
        games, least = summary.get("search_games", 0), SEARCHING.search_rounds * algorithm.ROUND_GAMES
        # The last round begins before the games are used up.
        assert (least <= games < least + max_games) if lines else not games
        n_improved += len(changed)
        evolution.tell(RankedPopulation.of(generation))
    assert n_improved > 0


def test_the_strongest_line_that_is_not_young_is_the_champion():
    lines = {
        2: Line(strength=0.7, rounds=YOUNG_ROUNDS - 1),
        5: Line(strength=0.6, rounds=YOUNG_ROUNDS),
        6: Line(strength=0.5, rounds=90),
    }

    assert Archive(lines).champion_first(np.arange(8)).tolist() == [5, 0, 1, 2, 3, 4, 6, 7]
    assert Archive({2: lines[2]}).champion_first(np.arange(8)).tolist() == list(range(8))


def test_an_evolution_takes_its_emitters_and_its_archive():
    class NoLines(Archive):
        def select(self, genomes, results, n_max, index):
            return {}

    def emit_copies(parents, n, options, rng):
        return Emitted.of(np.repeat(seed_genome, n))

    seed_genome = evolution_of().ask()[:1]
    evolution = Evolution(Options(n_strategies=32), 1, emitters=[(emit_copies, 1.0)], archive=NoLines())
    assert (evolution.ask() == seed_genome[0]).all()

    assert told(evolution, [0] * 32) == {}

    assert (evolution.ask()[evolution.origins["kind"] == "new"] == seed_genome[0]).all()


def test_without_opponents_nothing_is_improved():
    evolution = Evolution(Options(n_strategies=8, rivals=(), clone_share=0.125, start="random"), 1)
    evolution.tell(RankedPopulation.of(evaluate(evolution)))

    assert evaluate(evolution).summary.get("search_rounds", 0) == 0


CLASSIC = Options(model="classic")


def stronger_wins(tables, seeds):
    """Play games that the highest number at the table wins alone."""
    results = np.zeros(len(tables), RESULT)
    winners = tables == tables.max(axis=1, keepdims=True)
    results["win"][:, : tables.shape[1]] = winners / winners.sum(axis=1, keepdims=True)
    return results


def test_successive_halving_ranks_by_results():
    """Candidates win with a probability that grows with their number, so the order shows only over many games."""
    draws = rng(1)

    def play(places, games):
        return (draws.random((len(places), games)) < places[:, None] / 40).astype(float)

    found = successive_halving(32, halving_stages(32, 40), play)

    assert found.order[0] == 31
    assert set(found.order[:4].tolist()) <= set(range(26, 32))


def test_after_a_round_half_leave_and_the_number_of_games_doubles():
    rounds = []

    def play(places, games):
        rounds.append((len(places), games))
        return np.repeat(places[:, None] * 1.0, games, axis=1)

    found = successive_halving(32, halving_stages(32, 4), play)

    assert rounds == [(32, 4), (16, 8), (8, 16), (4, 32)]
    assert rounds[-1][0] == MIN_CANDIDATES
    assert found.n_games == 512
    assert found.order.tolist() == list(range(31, -1, -1))
    assert found.means.tolist() == list(range(32))


def test_all_candidates_of_a_race_play_the_same_seeds_and_opponents(monkeypatch):
    seen = []

    def play(self, players, tables, seeds):
        seen.append((tables, seeds))
        return stronger_wins(tables, seeds)

    monkeypatch.setattr(Venue, "play", play)
    options = Options(n_strategies=16, players=2, rivals=("big-money",), start="random", race=6)
    genomes = Evolution(options, 1).ask()
    opponents = Opponents(Lineup.of(baseline_records(["big-money", "random"], options.kingdom)), np.array([0.5, 0.5]))

    ranking = rank_genomes(genomes, opponents, options, np.random.SeedSequence(1), None, [3])

    assert ranking.played[3] > 0
    assert (ranking.played > 0).sum() >= race_size(16, options)
    assert ranking.payoffs.games.sum(axis=1).tolist() == ranking.played.tolist()
    assert ranking.payoffs.wins[3].sum() == pytest.approx(ranking.win_rates[3] * ranking.played[3])
    assert ranking.payoffs.of(3, ["a", "a"]) == {"a": (ranking.payoffs.wins[3].sum(), ranking.played[3])}
    tables, seeds = next((tables, seeds) for tables, seeds in seen if (tables >= 16).any())
    others = tables.max(axis=1).reshape(-1, len(np.unique(seeds)))
    assert (others == others[0]).all()
    assert sorted(others[0].tolist()) == [16] * 3 + [17] * 3
    assert (seeds.reshape(others.shape) == seeds[: others.shape[1]]).all()


def test_opponents_with_fixed_weights_keep_them_when_others_are_left_out():
    options = Options()
    lineup = Lineup.of(baseline_records(["big-money", "random", "big-money-smithy"], options.kingdom))
    opponents = Opponents(lineup, np.array([0.3, 0.6, 0.1]), n_fixed=1)
    assert opponents.without(1).weights.tolist() == pytest.approx([0.9, 0.1])
    assert opponents.without([0, 1]).weights.tolist() == [1.0]


def test_the_penalty_applies_to_the_strongest_line():
    options = Options(
        n_strategies=16, players=2, model="graded", start="random", rivals=("big-money",), vp_penalty=np.inf
    )
    evolution = Evolution(options, 1)
    penalties = early_victory_weight(strategies_of(evolution.ask(), options))
    worst = int(penalties.argmax())
    evolution.archive.lines = {worst: Line(strength=9.0, rounds=99)}

    generation = evaluate(evolution)

    penalties = early_victory_weight(strategies_of(generation.genomes, options))
    assert penalties[worst] > penalties.min() == penalties[generation.ranking[0]]


def genomes_preferring(*favourites):
    """Return a genome for each favourite: 90 % for it in the early game, Province, Gold, Silver in the late game."""
    genomes = random_genomes(len(favourites), Options(), np.random.default_rng(0))
    genomes["early_shape"] = genomes["late_shape"] = len(SPACES["classic"]) - 1
    harmless = [SILVER, GOLD, PROVINCE, COPPER]
    for genome, favourite in zip(genomes, favourites, strict=True):
        head = [favourite, *(pile for pile in harmless if pile != favourite)][:4]
        genome["early_order"] = [*head, *(pile for pile in range(17) if pile not in head)]
        genome["late_order"] = [*harmless, *(pile for pile in range(17) if pile not in harmless)]
    return genomes


def penalised(order, favourites, penalty):
    return penalise(np.array(order), strategies_of(genomes_preferring(*favourites), CLASSIC), penalty).tolist()


def test_early_weight_for_victory_cards_costs_places():
    for order, favourites, penalty, expected in [
        ([0, 1, 2, 3], (CURSE_PILE, SILVER, GOLD, PROVINCE), 1.0, [1, 2, 3, 0]),
        ([0, 1, 2, 3], (ESTATE, SILVER, GOLD, PROVINCE), 1.0, [1, 2, 3, 0]),
        ([0, 1, 2, 3], (DUCHY, SILVER, GOLD, PROVINCE), 1.0, [1, 2, 3, 0]),
        ([0, 1, 2, 3], (PROVINCE, SILVER, GOLD, COPPER), 1.0, [0, 1, 2, 3]),
        ([2, 0, 3, 1], (ESTATE, SILVER, DUCHY, GOLD), 0.0, [2, 0, 3, 1]),
    ]:
        assert penalised(order, favourites, penalty) == expected
    assert penalised(range(20), [ESTATE] + [SILVER] * 19, 0.25).index(0) == 4
    assert penalised([0, 1, 2, 3], (ESTATE, SILVER, DUCHY, GOLD), np.inf)[:2] == [1, 3]
    waiting = strategies_of(genomes_preferring(DUCHY, SILVER, GOLD, COPPER), CLASSIC)
    waiting["preferences"]["max_gains_to_end"][0, DUCHY] = 5
    assert penalise(np.arange(4), waiting, 1.0).tolist() == [0, 1, 2, 3]
