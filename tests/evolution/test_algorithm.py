"""The algorithm: who is cloned, who are parents, and that equal seeds breed equal generations."""

import numpy as np

from evodom.dominion.strategies.genes import LIMITS
from evodom.dominion.strategies.preferences.genetics import ORDERS, WORTHS, random_genomes
from evodom.evolution.algorithm import Evolution, next_genomes, parent_pairs
from evodom.evolution.options import Options


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def are_permutations(found: np.ndarray) -> bool:
    return bool((np.sort(found, axis=1) == np.arange(found.shape[1])).all())


def test_every_parent_is_used_once_before_any_is_used_twice():
    pairs = parent_pairs(96, 64, rng())

    assert sorted(pairs[:32].ravel()) == list(range(64))
    assert sorted(pairs[32:64].ravel()) == list(range(64))
    assert (pairs[:, 0] < pairs[:, 1]).all()


def test_the_best_strategy_is_kept_unmutated():
    ranked = random_genomes(64, Options(), rng(1))

    following, _ = next_genomes(ranked, np.arange(64), Options(n_strategies=64, order_mutation=1.0), rng())

    assert following[0] == ranked[0]
    assert (following["early_order"][1] != ranked["early_order"][1]).any()


def test_a_generation_is_a_quarter_clones_a_half_offspring_and_a_quarter_new():
    """With no mutation and only the fitter parent's genes, clones and offspring are copies of the best half."""
    ranked = random_genomes(64, Options(), rng(1))
    rates = [name for name in Options.__struct_fields__ if name.endswith("_mutation")]
    options = Options(n_strategies=64, fitter_bias=1.0, **dict.fromkeys(rates, 0.0))

    following, origins = next_genomes(ranked, np.arange(64)[::-1], options, rng())

    origin = [next((i for i, old in enumerate(ranked) if old == genome), -1) for genome in following]
    assert origin[:16] == list(range(16))
    assert all(0 <= place < 32 for place in origin[16:48])
    assert origin[48:] == [-1] * 16
    assert [kind for kind, *_ in origins] == ["elite"] + ["clone"] * 15 + ["child"] * 32 + ["new"] * 16
    assert [parent for _, parent, _ in origins[:48]] == [63 - place for place in origin[:48]]


def test_with_eight_strategies_the_four_best_are_the_parents():
    ranked = random_genomes(8, Options(), rng(1))

    options = Options(n_strategies=8, fitter_bias=1.0, order_mutation=0.0)
    following, _ = next_genomes(ranked, np.arange(8), options, rng())

    best = {order.tobytes() for order in ranked["early_order"][:4]}
    assert all(order.tobytes() in best for order in following["early_order"][2:6])


def test_equal_seeds_breed_equal_generations():
    def third_generation(seed: int) -> np.ndarray:
        evolution = Evolution(Options(n_strategies=16), seed)
        for _ in range(2):
            evolution.tell(np.arange(16))
        return evolution.ask()

    assert np.array_equal(third_generation(5), third_generation(5))
    assert not np.array_equal(third_generation(5), third_generation(6))


def test_an_evolution_resumed_after_a_generation_breeds_what_it_would_have_bred():
    evolution = Evolution(Options(n_strategies=16), 3)
    evolution.tell(np.arange(16))
    genomes, ranking = evolution.ask(), np.arange(16)[::-1]
    evolution.tell(ranking)

    resumed = Evolution.resume(Options(n_strategies=16), 3, 1, genomes, ranking)

    assert resumed.index == evolution.index
    assert all(np.array_equal(resumed.ask()[field], evolution.ask()[field]) for field in ORDERS)


def test_breeding_keeps_every_genome_whole():
    evolution = Evolution(Options(n_strategies=64), 2)
    for generation in range(30):
        genomes = evolution.ask()
        assert all(are_permutations(genomes[field]) for field in (*ORDERS, "worth_order", "class_order"))
        assert all(genomes[field].max() <= greatest for field, greatest in WORTHS.items())
        assert np.isin(genomes["limits"], LIMITS).all()
        evolution.tell(rng(generation).permutation(64))
