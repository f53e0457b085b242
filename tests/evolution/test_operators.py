"""Genetic operators."""

from dataclasses import fields

import numpy as np
import pytest

from evodom.dominion.rules import N_PILES
from evodom.evolution.algorithm import Evolution, next_genomes, parent_pairs
from evodom.evolution.genome import ORDERS, random_genomes
from evodom.evolution.model import CLASSIC, model_space
from evodom.evolution.operators import crossover, crossover_orders, mutate, swap_two
from evodom.evolution.options import Options


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def orders(n: int, seed: int) -> np.ndarray:
    return random_genomes(n, Options(), rng(seed))["early_order"]


def test_crossed_orders_are_permutations():
    children = crossover_orders(orders(300, 1), orders(300, 2), 0.6, rng())

    assert (np.sort(children, axis=1) == np.arange(N_PILES)).all()


def test_crossed_orders_keep_the_places_of_the_fitter_parent_at_least_as_often_as_the_bias_says():
    fitter = orders(3000, 1)

    children = crossover_orders(fitter, orders(3000, 2), 0.85, rng())

    assert (children == fitter).mean() >= 0.85


def test_a_place_not_kept_takes_the_other_parents_entry_where_it_is_free():
    fitter, other = orders(3000, 1), orders(3000, 2)

    children = crossover_orders(fitter, other, 0.5, rng())

    from_neither = (children != fitter) & (children != other)
    assert from_neither.mean() < 0.25
    assert (children == other).mean() > 0.2


@pytest.mark.parametrize(("bias", "expected"), [(1.0, 1), (0.0, 2)])
def test_the_bias_at_its_ends_copies_one_parent(bias, expected):
    parents = {1: orders(50, 1), 2: orders(50, 2)}

    assert np.array_equal(crossover_orders(parents[1], parents[2], bias, rng()), parents[expected])


def test_the_late_shape_of_a_child_comes_from_a_late_shape():
    fitter, other = random_genomes(500, Options(), rng(1)), random_genomes(500, Options(), rng(2))

    children = crossover(fitter, other, Options(), rng())

    from_fitter = children["late_shape"] == fitter["late_shape"]
    assert (from_fitter | (children["late_shape"] == other["late_shape"])).all()
    assert 0.8 < from_fitter.mean() < 0.9


def test_the_order_of_classes_comes_from_the_fitter_parent_as_a_copy():
    fitter, other = random_genomes(20, Options(), rng(1)), random_genomes(20, Options(), rng(2))
    before = fitter.copy()

    children = mutate(crossover(fitter, other, Options(), rng()), Options(class_mutation=1.0), rng())

    assert (children["class_order"] != fitter["class_order"]).any(axis=1).all()
    assert np.array_equal(fitter, before)


def test_swapping_exchanges_two_entries_of_a_row():
    before = orders(200, 1)
    after = before.copy()

    swap_two(after, 1.0, rng())

    assert ((before != after).sum(axis=1) == 2).all()
    assert (np.sort(after, axis=1) == np.arange(N_PILES)).all()


def test_shapes_move_by_one_to_four_places_at_the_given_rate_and_stay_in_the_model_space():
    options = Options(shape_mutation=0.1, model=CLASSIC)
    genomes = random_genomes(4000, options, rng(1))
    before = genomes.copy()

    mutate(genomes, options, rng())

    distance = np.abs(genomes["early_shape"].astype(int) - before["early_shape"])
    inside = (before["early_shape"] >= 4) & (before["early_shape"] < len(model_space(CLASSIC)) - 4)
    assert set(distance[inside]) == {0, 1, 2, 3, 4}
    assert 0.08 < (distance[inside] > 0).mean() < 0.12
    assert genomes["early_shape"].min() >= 0
    assert genomes["early_shape"].max() < len(model_space(CLASSIC))


def test_a_fixed_switch_never_mutates_and_an_evolved_one_stays_in_its_bounds():
    fixed, evolved = (
        Options(switch_mutation=1.0, switch_low=12, switch_high=12),
        Options(switch_mutation=1.0, switch_low=10, switch_high=30),
    )
    genomes = random_genomes(500, evolved, rng(1))

    assert set(mutate(random_genomes(50, fixed, rng()), fixed, rng())["switch"]) == {12}
    for _ in range(20):
        mutate(genomes, evolved, rng())
    assert genomes["switch"].min() >= 10
    assert genomes["switch"].max() <= 30


def test_every_parent_is_used_once_before_any_is_used_twice():
    pairs = parent_pairs(96, 64, rng())

    assert sorted(pairs[:32].ravel()) == list(range(64))
    assert sorted(pairs[32:64].ravel()) == list(range(64))
    assert (pairs[:, 0] < pairs[:, 1]).all()


def test_the_best_strategy_is_kept_unmutated():
    ranked = random_genomes(64, Options(), rng(1))

    following = next_genomes(ranked, Options(n_strategies=64, order_mutation=1.0), rng())

    assert following[0] == ranked[0]
    assert (following["early_order"][1] != ranked["early_order"][1]).any()


def test_a_generation_is_a_quarter_clones_a_half_offspring_and_a_quarter_new():
    """With no mutation and only the fitter parent's genes, clones and offspring are copies of the best half."""
    ranked = random_genomes(64, Options(), rng(1))
    rates = [option.name for option in fields(Options) if option.name.endswith("_mutation")]
    options = Options(n_strategies=64, fitter_bias=1.0, **dict.fromkeys(rates, 0.0))

    following = next_genomes(ranked, options, rng())

    origin = [next((i for i, old in enumerate(ranked) if old == genome), -1) for genome in following]
    assert origin[:16] == list(range(16))
    assert all(0 <= place < 32 for place in origin[16:48])
    assert origin[48:] == [-1] * 16


def test_with_eight_strategies_the_four_best_are_the_parents():
    ranked = random_genomes(8, Options(), rng(1))

    following = next_genomes(ranked, Options(n_strategies=8, fitter_bias=1.0, order_mutation=0.0), rng())

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
