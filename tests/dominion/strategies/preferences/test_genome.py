"""Genomes: how they are drawn, what the strategies of the graded model are made of, and genomes of older versions."""

import hashlib
from collections import Counter

import numpy as np
import pytest

from evodom.dominion.cards import BASIC, COPPER, CURSE_PILE, DUCHY, ESTATE, GOLD, PROVINCE
from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.genes import LIMITS, UNLIMITED
from evodom.dominion.strategies.preferences.genetics import (
    FLOOR_DRAWN,
    FRONT,
    GENOME,
    NEEDS,
    ORDERS,
    RENAMED,
    SPACES,
    TRASH_DRAWN,
    WORTHS,
    draw_worths,
    first_genomes,
    put_in_front,
    random_genomes,
    upgrade,
)
from evodom.dominion.strategies.record import EARLY, LATE, strategies_of
from evodom.errors import UsageError
from evodom.evolution.algorithm import Evolution
from evodom.evolution.options import Options

OLD_FIELDS = ("early_shape", "early_order", "late_shape", "late_order", "class_order", "switch")
"""What a genome had before the graded model."""

MANY = 4000


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def are_permutations(orders: np.ndarray) -> bool:
    return bool((np.sort(orders, axis=1) == np.arange(orders.shape[1])).all())


def test_the_blur_keeps_what_is_dear_mostly_before_what_is_cheap():
    genomes = random_genomes(MANY, Options(), rng())
    place = np.argsort(genomes["worth_order"], axis=1)

    assert (place[:, PROVINCE] < place[:, COPPER]).mean() > 0.99
    assert 0.75 < (place[:, GOLD] < place[:, DUCHY]).mean() < 0.95


def test_a_pile_is_put_among_the_first_places_all_equally_often_in_place():
    orders = random_genomes(MANY, Options(), rng(1))["early_order"].copy()
    before = orders.copy()

    put_in_front(orders, np.full(MANY, 16), rng())

    places = (orders == 16).argmax(axis=1)
    assert np.bincount(places).min() > MANY / FRONT * 0.85
    assert places.max() == FRONT - 1
    assert all(np.array_equal(row[row != 16], was[was != 16]) for row, was in zip(orders, before, strict=True))


def test_graded_genomes_hold_permutations_and_counts_within_their_bounds():
    genomes = random_genomes(MANY, Options(), rng())

    assert all(are_permutations(genomes[field]) for field in (*ORDERS, "worth_order", "class_order"))
    for field in ("early_trash", "late_trash"):
        assert set(genomes[field]) == set(range(TRASH_DRAWN[0], TRASH_DRAWN[1] + 1))
    assert set(genomes["coin_floor"]) == set(range(FLOOR_DRAWN[0], FLOOR_DRAWN[1] + 1))
    assert all(genomes[field].max() <= greatest for field, greatest in WORTHS.items())
    assert set(genomes["early_shape"]) == set(range(len(SPACES["graded"].weights)))


def test_basic_cards_have_no_limit_and_each_limit_of_a_kingdom_pile_is_equally_likely():
    limits = random_genomes(MANY, Options(), rng())["limits"]
    counts = Counter(limits[:, len(BASIC) :].ravel().tolist())

    assert (limits[:, : len(BASIC)] == UNLIMITED).all()
    assert set(counts) == set(LIMITS.tolist())
    assert max(counts.values()) / min(counts.values()) < 1.1


def test_a_kingdom_pile_stands_among_the_first_places_of_every_early_preference():
    early = random_genomes(MANY, Options(), rng())["early_order"]

    assert (early[:, :FRONT] >= len(BASIC)).any(axis=1).all()


def test_the_first_generation_spreads_graded_shapes_evenly():
    genomes = first_genomes(144, Options(), rng())

    assert set(np.bincount(genomes["early_shape"])) == {2}
    assert set(np.bincount(genomes["late_shape"])) == {2}


def test_drawing_worths_changes_nothing_else():
    options = Options()
    genomes = random_genomes(50, options, rng())
    before = genomes.copy()

    draw_worths(genomes, options.kingdom, rng(9))

    changed = {field for field in GENOME.names if not np.array_equal(genomes[field], before[field])}
    assert changed == {"worth_order", "early_trash", "late_trash", "coin_floor"}


def test_simple_choices_draw_no_worths():
    simple = random_genomes(20, Options(choices="simple"), rng())

    assert not simple["worth_order"].any()
    assert not simple["coin_floor"].any()


# Strategies


def test_a_strategy_ranks_cards_by_their_place_and_trashes_so_many_of_the_worst():
    options = Options()
    genomes = random_genomes(200, options, rng())

    for genome, strategy in zip(genomes, strategies_of(genomes, options), strict=True):
        assert strategy.worth_owning[genome["worth_order"]].tolist() == list(range(N_MODEL_PILES, 0, -1))
        for phase, field in ((EARLY, "early_trash"), (LATE, "late_trash")):
            n = genome[field]
            trashed = np.flatnonzero(strategy.worth_owning < strategy.trash_below[phase])
            assert set(trashed) == set(genome["worth_order"][N_MODEL_PILES - n :])
        assert strategy.coin_floor == genome["coin_floor"]
        assert strategy.limits.tolist() == genome["limits"].tolist()
        assert (strategy.graded, strategy.ranks_cards) == (1, 1)


def test_in_hand_victory_cards_and_curses_are_worth_nothing_and_all_else_as_much_as_to_own():
    options = Options(kingdom=Kingdom(("Gardens", "Village", "Chapel")))
    (strategy,) = strategies_of(random_genomes(1, options, rng()), options)
    useless = [
        ESTATE,
        DUCHY,
        PROVINCE,
        CURSE_PILE,
        list(options.kingdom.names).index("Gardens"),
    ]

    assert not strategy.worth_in_hand[useless].any()
    others = [pile for pile in range(N_MODEL_PILES) if pile not in useless]
    assert np.array_equal(strategy.worth_in_hand[others], strategy.worth_owning[others])


def test_a_classic_strategy_has_no_limits_and_neither_is_graded_nor_ranks_cards():
    options = Options(model="classic")
    (strategy,) = strategies_of(random_genomes(1, options, rng()), options)

    assert (strategy.graded, strategy.ranks_cards) == (0, 0)
    assert set(strategy.limits) == {UNLIMITED}


def test_a_classic_strategy_may_rank_cards():
    options = Options(model="classic", choices="evolved")
    genomes = random_genomes(30, options, rng())

    strategies = strategies_of(genomes, options)

    assert are_permutations(genomes["worth_order"])
    assert (strategies["graded"] == 0).all()
    assert (strategies["ranks_cards"] == 1).all()
    assert (strategies["limits"] == UNLIMITED).all()


# The classic model is as it was.


@pytest.mark.parametrize(
    ("switch", "digest"),
    [
        ((12, 12), "da5e35d3d7efc3c53f08b08a88eea4b191ae2570648b47916c79b5ee20f66e44"),
        ((6, 25), "ac428fb22f22834b82777bb42bba73c50205d9c1f4754d04ca6b997bc8912127"),
    ],
)
def test_a_classic_run_breeds_what_it_bred_before_there_was_another_model(switch, digest):
    """The digests are of four generations bred by the version before."""
    evolution = Evolution(Options(n_strategies=32, model="classic", switch_low=switch[0], switch_high=switch[1]), 7)
    found = hashlib.sha256()
    for generation in range(4):
        for field in OLD_FIELDS:
            found.update(np.ascontiguousarray(evolution.ask()[field]).tobytes())
        if generation < 3:
            evolution.tell(np.random.default_rng(generation).permutation(32))

    assert found.hexdigest() == digest


def test_a_classic_simple_run_leaves_the_new_fields_alone():
    evolution = Evolution(Options(n_strategies=16, model="classic", limit_mutation=1.0, worth_mutation=1.0), 1)
    evolution.tell(np.arange(16))

    nothing = {field: need.nothing for field, need in NEEDS.items()}
    for field in set(GENOME.names) - set(OLD_FIELDS):
        assert (evolution.ask()[field] == nothing.get(field, 0)).all()


# Genomes of an older version


def saved(genomes: np.ndarray) -> np.ndarray:
    """Return genomes as they were saved when the order of worth had another name."""
    return genomes.astype([(RENAMED.get(field, field), GENOME[field]) for field in GENOME.names])


def test_a_saved_genome_plays_as_it_did():
    options = Options()
    genomes = random_genomes(20, options, rng())

    upgraded = upgrade(saved(genomes), options)

    assert upgraded.dtype == GENOME
    assert strategies_of(upgraded, options).tobytes() == strategies_of(genomes, options).tobytes()


def test_a_genome_of_this_version_is_left_as_it_is():
    genomes = random_genomes(5, Options(), rng())

    assert upgrade(genomes, Options()) is genomes


def test_genomes_of_other_fields_are_refused():
    with pytest.raises(UsageError, match=r"its genomes are not those of this version\. Evolve it anew\."):
        upgrade(np.zeros(3, [("early_shape", "<i2")]), Options())
