"""The model space and the strategies that genomes play as."""

import numpy as np
import pytest

from evodom.dominion.cards import COPPER, GOLD, PROVINCE, SILVER
from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.strategies.preferences.genetics import (
    EPSILON,
    FACTORS,
    GRADED_TYPES,
    SPACES,
    diversity,
    first_genomes,
    preferences,
    random_genomes,
)
from evodom.dominion.strategies.record import EARLY, LATE, strategies_of
from evodom.evolution.options import Options

CLASSIC, GRADED = "classic", "graded"


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_there_are_181_shapes_of_three_to_five_types():
    n_types = (SPACES[CLASSIC].weights > 2 * EPSILON).sum(axis=1)

    assert len(SPACES[CLASSIC].weights) == 181
    assert np.bincount(n_types).tolist() == [0, 0, 0, 33, 64, 84]


def test_every_shape_falls_and_sums_to_one_with_epsilon_for_the_types_it_does_not_mention():
    space = SPACES[CLASSIC].weights

    assert np.allclose(space.sum(axis=1), 1.0, atol=1e-12)
    assert (np.diff(space, axis=1) <= 0).all()
    assert space.min() == EPSILON


def test_shapes_are_sorted_by_their_first_third_and_second_weight():
    keys = [tuple(np.round(shape, 6)[[0, 2, 1]]) for shape in SPACES[CLASSIC].weights]

    assert keys == sorted(keys)
    assert np.allclose(SPACES[CLASSIC].weights[-1, :3], [0.9, 0.05, 0.05])


def test_a_preference_gives_each_pile_the_weight_of_its_place_in_the_order():
    genomes = random_genomes(1, Options(), rng())
    genomes["early_shape"] = len(SPACES[CLASSIC].weights) - 1
    genomes["early_order"][0, :3] = PROVINCE, GOLD, SILVER
    genomes["early_order"][0, 3:] = [pile for pile in range(N_MODEL_PILES) if pile not in (PROVINCE, GOLD, SILVER)]

    weights = preferences(genomes, SPACES[CLASSIC])[0, EARLY]

    assert np.allclose(weights[[PROVINCE, GOLD, SILVER]], [0.9, 0.05, 0.05])
    assert weights[COPPER] == EPSILON


def test_random_genomes_hold_permutations_and_a_fixed_switch():
    genomes = random_genomes(50, Options(switch_low=9, switch_high=9), rng())

    for field in ("early_order", "late_order"):
        assert (np.sort(genomes[field], axis=1) == np.arange(N_MODEL_PILES)).all()
    assert (np.sort(genomes["class_order"], axis=1) == np.arange(3)).all()
    assert set(genomes["switch"]) == {9}


def test_an_evolved_switch_starts_anywhere_within_its_bounds():
    switches = random_genomes(500, Options(switch_low=10, switch_high=30), rng())["switch"]

    assert set(switches) == set(range(10, 31))


def test_the_first_generation_spreads_its_shapes_evenly_over_the_space():
    shapes = first_genomes(128, Options(model=CLASSIC), rng())["early_shape"]
    all_shapes = first_genomes(512, Options(model=CLASSIC), rng())["early_shape"]

    assert len(set(shapes)) == 128
    assert set(np.bincount(all_shapes)) == {2, 3}


def test_a_strategy_has_the_preferences_classes_and_switch_of_its_genome():
    options = Options(cellar="victory", model=CLASSIC)
    genomes = random_genomes(3, options, rng())

    strategies = strategies_of(genomes, options)

    assert np.array_equal(strategies["weights"], preferences(genomes, SPACES[CLASSIC])[..., :N_MODEL_PILES])
    assert not strategies["pass_weights"].any()
    assert np.array_equal(strategies["class_weights"].argmax(axis=1), genomes["class_order"][:, 0])
    assert strategies["switch"].tolist() == genomes["switch"].tolist()
    assert strategies["cellar_victory_only"].tolist() == [1, 1, 1]
    assert not np.array_equal(strategies["weights"][:, EARLY], strategies["weights"][:, LATE])


def test_diversity_is_zero_among_copies_and_near_its_limit_among_random_genomes():
    genomes = random_genomes(400, Options(model=CLASSIC), rng())

    assert diversity(genomes[:1].repeat(10)) == 0.0
    assert 0.9 < diversity(genomes) <= 1 - 1 / N_MODEL_PILES


# The graded model


def test_there_is_a_graded_shape_for_every_number_of_types_and_every_factor():
    space = SPACES[GRADED].weights
    n_types = (space > 0).sum(axis=1)

    assert len(space) == len(GRADED_TYPES) * len(FACTORS) == 72
    assert np.bincount(n_types).tolist() == [0, 0, 0] + [len(FACTORS)] * 8


def test_graded_weights_fall_by_one_factor_from_type_to_type_and_are_zero_for_the_rest():
    for shape in SPACES[GRADED].weights:
        n = int((shape > 0).sum())
        ratios = shape[1:n] / shape[: n - 1]

        assert np.allclose(ratios, ratios[0])
        assert min(abs(ratios[0] - factor) for factor in FACTORS) < 1e-12
        assert (shape[n:] == 0.0).all()


def test_graded_shapes_sum_to_one():
    assert np.allclose(SPACES[GRADED].weights.sum(axis=1), 1.0, atol=1e-12)


def test_graded_shapes_go_from_flat_to_sharp():
    space = SPACES[GRADED].weights

    assert (np.diff(space[:, 0]) >= 0).all()
    assert np.allclose(space[0, :10], 0.7 ** np.arange(10) / (0.7 ** np.arange(10)).sum())
    assert np.allclose(space[-1, :3], np.array([1_000_000, 1000, 1]) / 1_001_001)


@pytest.mark.parametrize("model", SPACES)
def test_a_space_is_computed_once_and_cannot_be_changed(model):
    assert SPACES[model].weights is SPACES[model].weights
    with pytest.raises(ValueError, match="read-only"):
        SPACES[model].weights[0, 0] = 1.0
