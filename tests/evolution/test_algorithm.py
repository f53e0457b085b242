"""The genetic algorithm: clones, parents, equal seeds. Successive halving against rivals. The penalty."""

import numpy as np
import pytest

from evodom.dominion.cards import COPPER, CURSE_PILE, DUCHY, ESTATE, GOLD, PROVINCE, SILVER
from evodom.dominion.engine.batch import RESULT
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import baseline_records
from evodom.dominion.strategies.buy_lists.genetics import genome_of
from evodom.dominion.strategies.buy_lists.rules import parse_rules
from evodom.dominion.strategies.operators import LIMITS
from evodom.dominion.strategies.preferences.genetics import (
    ORDERS,
    SPACES,
    THRESHOLD_GENES,
    diversity,
    random_genomes,
)
from evodom.dominion.strategies.record import strategies_of
from evodom.evolution.algorithm import MIN_DIVERSITY, Evolution, evaluate, next_genomes, parent_pairs, unchanged_places
from evodom.evolution.halving import MIN_CANDIDATES, race_against
from evodom.evolution.lines import EPOCH_LENGTH, begins_epoch, n_lines, place_new_lines
from evodom.evolution.options import Options
from evodom.evolution.ranking import n_raced, penalise
from evodom.evolution.rivals import weighted_opponents


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def are_permutations(found: np.ndarray) -> bool:
    return bool((np.sort(found, axis=1) == np.arange(found.shape[1])).all())


def test_every_parent_is_used_once_before_any_is_used_twice():
    pairs = parent_pairs(96, 64, rng())

    assert sorted(pairs[:32].ravel()) == list(range(64))
    assert sorted(pairs[32:64].ravel()) == list(range(64))
    assert (pairs[:, 0] < pairs[:, 1]).all()


def test_a_generation_is_a_quarter_clones_a_half_offspring_and_a_quarter_new():
    """With no mutation and only the fitter parent's genes, clones and offspring are copies of the best half."""
    ranked = random_genomes(64, Options(), rng(1))
    rates = [name for name in Options.__struct_fields__ if name.endswith("_mutation")]
    options = Options(n_strategies=64, fitter_bias=1.0, **dict.fromkeys(rates, 0.0))

    following, origins = next_genomes(ranked, np.arange(64)[::-1], np.arange(1), options, rng())

    origin = [next((i for i, old in enumerate(ranked) if old == genome), -1) for genome in following]
    assert origin[:16] == list(range(16))
    assert all(0 <= place < 32 for place in origin[16:48])
    assert origin[48:] == [-1] * 16
    assert [kind for kind, *_ in origins] == ["elite"] + ["clone"] * 15 + ["child"] * 32 + ["new"] * 16
    assert [parent for _, parent, _ in origins[:48]] == [63 - place for place in origin[:48]]
    options = Options(n_strategies=64, order_mutation=1.0)
    mutated, _ = next_genomes(ranked, np.arange(64), np.arange(1), options, rng())
    assert mutated[0] == ranked[0]
    assert (mutated["early_order"][1] != ranked["early_order"][1]).any()


def test_equal_seeds_breed_equal_generations():
    def third_generation(seed: int) -> np.ndarray:
        evolution = Evolution(Options(n_strategies=16, start="random"), seed)
        for _ in range(2):
            evolution.tell(np.arange(16))
        return evolution.ask()

    assert np.array_equal(third_generation(5), third_generation(5))
    assert not np.array_equal(third_generation(5), third_generation(6))


def test_a_resumed_evolution_breeds_the_same_generations():
    evolution = Evolution(Options(n_strategies=16), 3)
    evolution.tell(np.arange(16))
    genomes, ranking = evolution.ask(), np.arange(16)[::-1]
    evolution.tell(ranking)

    resumed = Evolution(Options(n_strategies=16), 3, genomes, 1)
    resumed.tell(ranking)

    assert resumed.index == evolution.index
    assert all(np.array_equal(resumed.ask()[field], evolution.ask()[field]) for field in ORDERS)


def test_breeding_keeps_genes_valid():
    evolution = Evolution(Options(n_strategies=64, start="random"), 2)
    for generation in range(30):
        genomes = evolution.ask()
        assert all(are_permutations(genomes[field]) for field in (*ORDERS, "worth_order", "class_order"))
        assert all(genomes[field].max() <= greatest for field, greatest in THRESHOLD_GENES.items())
        assert np.isin(genomes["limits"], LIMITS).all()
        evolution.tell(rng(generation).permutation(64))


# Lines of local search


def test_the_first_epoch_has_more_lines():
    options = Options()
    assert [n_lines(index, options) for index in (0, 1, EPOCH_LENGTH - 1, EPOCH_LENGTH, 900)] == [0, 8, 8, 3, 3]
    assert n_lines(1, Options(n_strategies=8)) == n_lines(EPOCH_LENGTH, Options(n_strategies=8)) == 2
    assert n_lines(1, Options(clone_share=0.01)) == 1
    assert n_lines(1, Options(search_rounds=0)) == n_lines(1, Options(model="classic")) == 0
    assert [index for index in range(40) if begins_epoch(index, options)] == [12, 24, 36]
    assert not begins_epoch(EPOCH_LENGTH, Options(search_rounds=0))


def test_successive_halving_ranks_the_best_quarter_with_local_search():
    assert [n_raced(n, Options()) for n in (128, 16, 8, 3)] == [32, 4, 4, 3]
    assert [n_raced(n, Options(search_rounds=0)) for n in (128, 8)] == [64, 4]


def test_first_lines_are_the_best_distinct_genomes_and_enter_unchanged():
    ranked = random_genomes(32, Options(), rng(1))
    ranked[1] = ranked[2] = ranked[0]
    ranked[1]["switch"] += 1
    options = Options(n_strategies=32, start="random")

    kept = unchanged_places(ranked, np.arange(32), options, 1)
    following, origins = next_genomes(ranked, np.arange(32), kept, options, rng())

    assert len(kept) == 8
    assert kept[0] == 0
    assert not {1, 2} & set(kept.tolist())
    pairs = [(one, other) for one in kept for other in kept if one < other]
    assert all(diversity(ranked[[one, other]]) >= MIN_DIVERSITY for one, other in pairs)
    assert following[:8].tobytes() == ranked[kept].tobytes()
    assert [kind for kind, *_ in origins[:9]] == ["elite"] * 8 + ["child"]
    assert len(following) == 32


def test_lines_stay_for_an_epoch_whatever_their_rank():
    ranked = random_genomes(32, Options(), rng(1))
    ranking = np.arange(32)[::-1]
    options = Options(n_strategies=32)

    # The genome at place p has number 31 - p: lines 1 to 7 are at places 30 to 24.
    assert unchanged_places(ranked, ranking, options, 5).tolist() == [0, 30, 29, 28, 27, 26, 25, 24]
    assert unchanged_places(ranked, ranking, options, EPOCH_LENGTH).tolist() == [0]
    assert unchanged_places(ranked, ranking, options, EPOCH_LENGTH + 1).tolist() == [0, 30, 29]
    assert unchanged_places(ranked, ranking, Options(n_strategies=32, search_rounds=0), 5).tolist() == [0]
    assert unchanged_places(ranked, ranking, Options(n_strategies=32, n_elite=2), EPOCH_LENGTH + 1).tolist() == [
        0,
        1,
        30,
    ]


def test_the_best_new_genomes_become_lines(workers):
    evolution = Evolution(Options(n_strategies=32, players=2, rivals=("big-money",), start="random"), 1)
    for _ in range(EPOCH_LENGTH):
        evolution.tell(np.arange(32))
    before, origins = evolution.ask().copy(), list(evolution.origins)

    n_games = place_new_lines(evolution, workers)

    after = evolution.ask()
    assert n_games > 0
    assert sorted(one.tobytes() for one in after) == sorted(one.tobytes() for one in before)
    assert [kind for kind, *_ in evolution.origins[:3]] == ["elite", "new", "new"]
    assert after[0] == before[0]
    moved = [number for number in range(32) if after[number] != before[number]]
    assert {1, 2} <= set(moved)
    assert all(origins[number][0] == "new" for number in moved[2:])


def test_hard_opponents_have_large_weights():
    options = Options(players=2, model="buy-list", kingdom=Kingdom(("Moat",)))
    opponents = baseline_records(["big-money", "random"], options.kingdom)
    champion = genome_of(parse_rules("Silver"), options.kingdom)

    found = weighted_opponents(champion, opponents, options, None, np.random.SeedSequence(1))

    assert found.weights.sum() == pytest.approx(1.0)
    assert found.weights[0] > found.weights[1] > 0


def test_halving_ranks_by_weighted_results():
    def play(tables, seeds):
        """Let 2 beat opponent 0, and 3 beat opponent 1."""
        results = np.zeros(len(tables), RESULT)
        for game, table in enumerate(tables.tolist()):
            is_won = set(table) in ({0, 2}, {1, 3})
            results["win"][game, : len(table)] = [float((seat > 1) == is_won) for seat in table]
        return results

    def order(*weights):
        return race_against(
            np.array([2, 3]), np.array([0, 1]), 2, 2, np.random.SeedSequence(1), play, np.array(weights)
        ).order.tolist()

    assert order(0.9, 0.1) == [0, 1]
    assert order(0.1, 0.9) == [1, 0]


SEARCHING = Options(n_strategies=8, games=1, race=1, rivals=("big-money",), players=2)


def test_improved_genomes_replace_their_lines_and_say_so():
    evolution = Evolution(SEARCHING, 1)
    n_improved = 0
    for _ in range(6):
        before = evolution.ask().copy()
        generation = evaluate(evolution)
        summary = generation.summary
        assert evolution.ask()[2:].tobytes() == before[2:].tobytes()
        for number in range(2):
            changed = evolution.ask()[number] != before[number]
            assert (evolution.origins[number][0] == "improved") == changed
            n_improved += changed
        assert summary.get("search_rounds", 0) == (2 if generation.index else 0)
        assert summary.get("search_accepted", 0) == sum(kind == "improved" for kind, *_ in evolution.origins)
        assert set(range(2)) <= set(generation.ranking[:4].tolist()) or generation.index == 0
        evolution.tell(generation.ranking)
    assert n_improved > 0


def test_without_opponents_nothing_is_improved():
    evolution = Evolution(Options(n_strategies=8, rivals=(), clone_share=0.125, start="random"), 1)
    evolution.tell(evaluate(evolution).ranking)

    assert evaluate(evolution).summary["search_rounds"] == 0


CLASSIC = Options(model="classic")


def stronger_wins(tables, seeds):
    """Play games that the highest number at the table wins alone."""
    results = np.zeros(len(tables), RESULT)
    best = tables.max(axis=1, keepdims=True)
    winners = tables == best
    results["win"][:, : tables.shape[1]] = winners / winners.sum(axis=1, keepdims=True)
    return results


def halved(n, *, rivals=(0,), n_seats=4, games=4, play=stronger_wins, seed=0):
    candidates = np.random.default_rng(seed).permutation(np.arange(len(rivals), len(rivals) + n))
    result = race_against(candidates, np.array(rivals), n_seats, games, np.random.SeedSequence(seed), play)
    return candidates, result


def test_successive_halving_ranks_by_results():
    """Candidates win with a probability that grows with their number, so the order shows only over many games."""

    def play(tables, seeds):
        results = np.zeros(len(tables), RESULT)
        luck = np.array([np.random.default_rng(int(seed)).random() for seed in seeds])
        strong = tables.max(axis=1)
        at = (tables == strong[:, None]).argmax(axis=1)
        results["win"][np.arange(len(tables)), at] = luck < strong / 40
        return results

    candidates, result = halved(32, play=play, games=40)

    assert candidates[result.order][0] == 32
    assert set(candidates[result.order][:4]) <= set(range(27, 33))


def test_after_a_round_half_leave_and_the_number_of_games_doubles():
    rounds = []

    def play(tables, seeds):
        rounds.append((len(set(tables.ravel())) - 1, len(tables)))
        return stronger_wins(tables, seeds)

    _, result = halved(32, play=play, games=4)

    assert rounds == [(32, 128), (16, 128), (8, 128), (4, 128)]
    assert rounds[-1][0] == MIN_CANDIDATES
    assert result.n_games == 512


def test_all_candidates_play_the_same_seeds():
    seen = []

    def play(tables, seeds):
        seen.append((tables.copy(), seeds.copy()))
        return stronger_wins(tables, seeds)

    halved(8, play=play, rivals=(0, 1), games=2)
    _, uneven = halved(13, n_seats=2)
    _, against_two = halved(4, rivals=(0, 9), games=4)

    _, seeds = seen[0]
    assert len(np.unique(seeds)) == 2 * 2
    assert (seeds.reshape(8, 4) == seeds[:4]).all()
    assert sorted(uneven.order) == list(range(13))
    assert against_two.means.tolist() == [[1.0, 0.0]] * 4


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
