"""Genetic operators."""

from dataclasses import fields

import numpy as np
import pytest

from evodom.dominion.cards import BASIC
from evodom.dominion.engine.rules import N_PILES
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.genes import LIMITS, UNLIMITED, cross_orders, move_one, swap_two
from evodom.dominion.strategies.preferences.genome import (
    FRONT,
    GENOME,
    NEEDS,
    ORDERS,
    WORTHS,
    random_genomes,
)
from evodom.dominion.strategies.preferences.operators import (
    WORTH_STEP,
    cross,
    mutate,
    mutate_worths,
    try_cards,
)
from evodom.dominion.strategies.preferences.shapes import SPACES
from evodom.evolution.algorithm import Evolution, next_genomes, parent_pairs
from evodom.evolution.options import Options

CLASSIC, GRADED = "classic", "graded"


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def orders(n: int, seed: int) -> np.ndarray:
    return random_genomes(n, Options(), rng(seed))["early_order"]


def test_crossed_orders_are_permutations():
    children = cross_orders(orders(300, 1), orders(300, 2), 0.6, rng())

    assert (np.sort(children, axis=1) == np.arange(N_PILES)).all()


def test_crossed_orders_keep_the_places_of_the_fitter_parent_at_least_as_often_as_the_bias_says():
    fitter = orders(3000, 1)

    children = cross_orders(fitter, orders(3000, 2), 0.85, rng())

    assert (children == fitter).mean() >= 0.85


def test_a_place_not_kept_takes_the_other_parents_entry_where_it_is_free():
    fitter, other = orders(3000, 1), orders(3000, 2)

    children = cross_orders(fitter, other, 0.5, rng())

    from_neither = (children != fitter) & (children != other)
    assert from_neither.mean() < 0.25
    assert (children == other).mean() > 0.2


@pytest.mark.parametrize(("bias", "expected"), [(1.0, 1), (0.0, 2)])
def test_the_bias_at_its_ends_copies_one_parent(bias, expected):
    parents = {1: orders(50, 1), 2: orders(50, 2)}

    assert np.array_equal(cross_orders(parents[1], parents[2], bias, rng()), parents[expected])


def test_the_late_shape_of_a_child_comes_from_a_late_shape():
    fitter, other = random_genomes(500, Options(), rng(1)), random_genomes(500, Options(), rng(2))

    children = cross(fitter, other, Options(), rng())

    from_fitter = children["late_shape"] == fitter["late_shape"]
    assert (from_fitter | (children["late_shape"] == other["late_shape"])).all()
    assert 0.8 < from_fitter.mean() < 0.9


def test_the_order_of_classes_comes_from_the_fitter_parent_as_a_copy():
    fitter, other = random_genomes(20, Options(), rng(1)), random_genomes(20, Options(), rng(2))
    before = fitter.copy()

    children = mutate(cross(fitter, other, Options(), rng()), Options(class_mutation=1.0), rng())

    assert (children["class_order"] != fitter["class_order"]).any(axis=1).all()
    assert np.array_equal(fitter, before)


def test_swapping_exchanges_two_entries_of_a_row():
    before = orders(200, 1)
    after = before.copy()

    swap_two(after, 1.0, rng())

    assert ((before != after).sum(axis=1) == 2).all()
    assert (np.sort(after, axis=1) == np.arange(N_PILES)).all()


def test_shapes_move_by_one_to_four_places_at_the_given_rate_and_stay_in_the_space():
    options = Options(shape_mutation=0.1, model=CLASSIC)
    genomes = random_genomes(4000, options, rng(1))
    before = genomes.copy()

    mutate(genomes, options, rng())

    distance = np.abs(genomes["early_shape"].astype(int) - before["early_shape"])
    inside = (before["early_shape"] >= 4) & (before["early_shape"] < len(SPACES[CLASSIC].weights) - 4)
    assert set(distance[inside]) == {0, 1, 2, 3, 4}
    assert 0.08 < (distance[inside] > 0).mean() < 0.12
    assert genomes["early_shape"].min() >= 0
    assert genomes["early_shape"].max() < len(SPACES[CLASSIC].weights)


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

    following, _ = next_genomes(ranked, np.arange(64), Options(n_strategies=64, order_mutation=1.0), rng())

    assert following[0] == ranked[0]
    assert (following["early_order"][1] != ranked["early_order"][1]).any()


def test_a_generation_is_a_quarter_clones_a_half_offspring_and_a_quarter_new():
    """With no mutation and only the fitter parent's genes, clones and offspring are copies of the best half."""
    ranked = random_genomes(64, Options(), rng(1))
    rates = [option.name for option in fields(Options) if option.name.endswith("_mutation")]
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


# The fields of the graded model

MANY = 8000
RATE = 0.1


def near(share: float, expected: float, n: int = MANY) -> bool:
    """Tell whether a share among ``n`` is within five standard deviations of the one expected."""
    return abs(share - expected) <= 5 * np.sqrt(expected * (1 - expected) / n)


def are_permutations(found: np.ndarray) -> bool:
    return bool((np.sort(found, axis=1) == np.arange(found.shape[1])).all())


def changed(before: np.ndarray, after: np.ndarray) -> set[str]:
    """Return the fields in which any genome differs."""
    return {field for field in GENOME.names if not np.array_equal(before[field], after[field])}


def test_moving_one_entry_keeps_the_order_of_all_others():
    before = orders(300, 1)
    after = before.copy()

    move_one(after, 1.0, rng())

    assert are_permutations(after)
    for was, now in zip(before, after, strict=True):
        assert any(np.array_equal(was[was != pile], now[now != pile]) for pile in range(N_PILES))
        assert not np.array_equal(was, now)


def test_entries_move_at_the_given_rate():
    before = orders(MANY, 1)
    after = before.copy()

    move_one(after, RATE, rng())

    assert near((before != after).any(axis=1).mean(), RATE)


def test_an_entry_moves_from_anywhere_to_anywhere_else():
    """When two neighbours change places, either may have moved, so such moves are seen twice as often."""
    before = np.tile(np.arange(4, dtype=np.uint8), (MANY, 1))
    after = before.copy()

    move_one(after, 1.0, rng())

    found, counts = np.unique(after, axis=0, return_counts=True)
    assert len(found) == 9
    for order, count in zip(found, counts, strict=True):
        neighbours = (order != np.arange(4)).sum() == 2 and np.abs(np.diff(np.flatnonzero(order != np.arange(4)))) == 1
        assert near(count / MANY, (2 if neighbours else 1) / 12)


def test_limits_come_from_one_parent_or_the_other_pile_by_pile():
    fitter, other = random_genomes(MANY, Options(), rng(1)), random_genomes(MANY, Options(), rng(2))

    limits = cross(fitter, other, Options(fitter_bias=0.85), rng())["limits"]

    differ = fitter["limits"] != other["limits"]
    from_fitter = limits == fitter["limits"]
    assert (from_fitter | (limits == other["limits"])).all()
    assert near(from_fitter[differ].mean(), 0.85, int(differ.sum()))
    mixed = from_fitter.any(axis=1) & (limits != fitter["limits"]).any(axis=1)
    assert mixed.mean() > 0.5


@pytest.mark.parametrize("field", WORTHS)
def test_counts_come_from_one_parent_or_the_other(field):
    fitter, other = random_genomes(MANY, Options(), rng(1)), random_genomes(MANY, Options(), rng(2))

    children = cross(fitter, other, Options(fitter_bias=0.85), rng())

    differ = fitter[field] != other[field]
    from_fitter = children[field] == fitter[field]
    assert (from_fitter | (children[field] == other[field])).all()
    assert near(from_fitter[differ].mean(), 0.85, int(differ.sum()))


def test_the_order_of_worth_is_crossed_like_other_orders():
    fitter, other = random_genomes(500, Options(), rng(1)), random_genomes(500, Options(), rng(2))

    children = cross(fitter, other, Options(fitter_bias=0.85), rng())["worth_order"]

    assert are_permutations(children)
    assert (children == fitter["worth_order"]).mean() >= 0.85
    assert (children != fitter["worth_order"]).any(axis=1).mean() > 0.3


def test_simple_choices_leave_worths_to_the_fitter_parent():
    fitter, other = random_genomes(100, Options(), rng(1)), random_genomes(100, Options(), rng(2))

    children = cross(fitter, other, Options(choices="simple", fitter_bias=0.0), rng())

    assert all(np.array_equal(children[field], fitter[field]) for field in ("worth_order", *WORTHS))
    assert np.array_equal(children["limits"], other["limits"])


def test_the_classic_model_leaves_limits_to_the_fitter_parent():
    fitter, other = random_genomes(100, Options(), rng(1)), random_genomes(100, Options(), rng(2))

    children = cross(fitter, other, Options(model=CLASSIC, fitter_bias=0.0), rng())

    assert np.array_equal(children["limits"], fitter["limits"])


def test_limits_of_kingdom_piles_mutate_at_the_given_rate_one_at_a_time():
    options = Options(limit_mutation=RATE)
    genomes = random_genomes(MANY, options, rng(1))
    genomes["limits"][:, len(BASIC) :] = 7  # unlike any that can be drawn
    before = genomes.copy()

    try_cards(genomes, options, rng())

    new = genomes["limits"] != before["limits"]
    assert near(new.any(axis=1).mean(), RATE)
    assert new.sum(axis=1).max() == 1
    assert not new[:, : len(BASIC)].any()
    assert new[:, len(BASIC) :].any(axis=0).all()
    assert set(genomes["limits"][new]) == set(LIMITS)
    assert (genomes["limits"][:, : len(BASIC)] == UNLIMITED).all()


def test_every_other_card_whose_limit_changes_is_put_near_the_front_mostly_of_the_early_preference():
    options = Options(limit_mutation=1.0, choices="simple")
    genomes = random_genomes(MANY, options, rng(1))
    genomes["limits"][:, len(BASIC) :] = 7
    for field in ORDERS:  # the kingdom's piles last, so that each that is tried moves
        genomes[field] = np.arange(N_PILES)
    before = genomes.copy()

    try_cards(genomes, options, rng())

    pile = (genomes["limits"] != before["limits"]).argmax(axis=1)
    moved = {field: (genomes[field] != before[field]).any(axis=1) for field in ORDERS}
    assert near(moved["early_order"].mean(), 0.5 * 0.75)
    assert near(moved["late_order"].mean(), 0.5 * 0.25)
    assert not (moved["early_order"] & moved["late_order"]).any()
    for field, tried in moved.items():
        place = (genomes[field] == pile[:, None]).argmax(axis=1)
        assert set(place[tried]) == set(range(FRONT))
        assert are_permutations(genomes[field])


def test_worths_are_drawn_anew_only_for_cards_that_trash_and_only_where_they_are_tried():
    cards = ("Chapel", "Village", "Smithy", "Sentry", "Market", "Festival", "Laboratory", "Moat", "Witch", "Militia")
    kingdom = Kingdom(cards)
    options = Options(limit_mutation=1.0, kingdom=kingdom)
    piles = kingdom.piles
    genomes = random_genomes(MANY, options, rng(1))
    genomes["limits"][:, len(BASIC) :] = 7
    for field in (*ORDERS, "worth_order"):
        genomes[field] = np.arange(N_PILES)
    before = genomes.copy()

    try_cards(genomes, options, rng())

    pile = (genomes["limits"] != before["limits"]).argmax(axis=1)
    trashes = np.array([card.trashes for card in piles])[pile]
    tried = np.logical_or(*((genomes[field] != before[field]).any(axis=1) for field in ORDERS))
    redrawn = (genomes["worth_order"] != before["worth_order"]).any(axis=1)
    assert {card.name for card in piles if card.trashes} == {"Chapel", "Sentry"}
    assert np.array_equal(redrawn, tried & trashes)
    assert changed(before[redrawn], genomes[redrawn]) >= {"early_trash", "late_trash", "coin_floor"}
    assert changed(before[~redrawn], genomes[~redrawn]) == {"limits", *ORDERS}


def test_simple_choices_have_no_worths_to_draw_anew():
    options = Options(limit_mutation=1.0, choices="simple", kingdom=Kingdom(("Chapel",)))
    genomes = random_genomes(500, options, rng(1))
    before = genomes.copy()

    try_cards(genomes, options, rng())

    assert changed(before, genomes) == {"limits", *ORDERS}


def test_worths_mutate_each_at_the_given_rate_and_within_their_bounds():
    genomes = random_genomes(MANY, Options(), rng(1))
    for field in WORTHS:
        genomes[field] = 4
    before = genomes.copy()

    mutate_worths(genomes, RATE, rng())

    assert changed(before, genomes) == {"worth_order", *WORTHS}
    assert near((genomes["worth_order"] != before["worth_order"]).any(axis=1).mean(), RATE)
    for field in WORTHS:
        assert near((genomes[field] != 4).mean(), RATE)
        assert set(genomes[field]) == set(range(4 - WORTH_STEP, 4 + WORTH_STEP + 1))
    assert are_permutations(genomes["worth_order"])


def test_counts_do_not_fall_below_none_or_rise_above_their_greatest_value():
    genomes = random_genomes(MANY, Options(), rng(1))
    for field, greatest in WORTHS.items():
        genomes[field][::2], genomes[field][1::2] = 0, greatest

    mutate_worths(genomes, 1.0, rng())

    for field, greatest in WORTHS.items():
        assert set(genomes[field]) == {0, 1, 2, greatest - 2, greatest - 1, greatest}


@pytest.mark.parametrize(
    ("options", "fields"),
    [
        (Options(), {*GENOME.names}),
        (Options(choices="simple"), {*GENOME.names} - {"worth_order", *WORTHS}),
        (Options(switch_low=12, switch_high=12), {*GENOME.names} - {"switch", "switch_on"}),
        (Options(model=CLASSIC), {"early_shape", "late_shape", *ORDERS, "class_order"}),
        (
            Options(model=CLASSIC, choices="evolved", switch_low=1, switch_high=9),
            {*GENOME.names} - {"limits", "switch_on", *NEEDS},
        ),
    ],
)
def test_each_model_mutates_its_own_fields_and_in_place(options, fields):
    genomes = random_genomes(2000, options, rng(1))
    before = genomes.copy()

    assert mutate(genomes, options, rng()) is genomes
    assert changed(before, genomes) == fields


def test_graded_shapes_stay_in_their_space():
    options = Options(shape_mutation=1.0)
    genomes = random_genomes(500, options, rng(1))

    for seed in range(20):
        mutate(genomes, options, rng(seed))

    assert genomes["early_shape"].min() >= 0
    assert genomes["early_shape"].max() == len(SPACES[GRADED].weights) - 1


def test_graded_preferences_move_one_card_and_classic_ones_swap_two():
    """Three or more places change when a card moves further than to the next place."""
    places = {}
    for model in (GRADED, CLASSIC):
        options = Options(model=model, order_mutation=1.0, limit_mutation=0.0, choices="simple")
        genomes = random_genomes(300, options, rng(1))
        before = genomes.copy()
        mutate(genomes, options, rng())
        places[model] = (genomes["late_order"] != before["late_order"]).sum(axis=1)

    assert set(places[CLASSIC]) == {2}
    assert places[GRADED].max() > 10


def test_breeding_keeps_every_genome_whole():
    evolution = Evolution(Options(n_strategies=64), 2)
    for generation in range(30):
        genomes = evolution.ask()
        assert all(are_permutations(genomes[field]) for field in (*ORDERS, "worth_order", "class_order"))
        assert all(genomes[field].max() <= greatest for field, greatest in WORTHS.items())
        assert np.isin(genomes["limits"], LIMITS).all()
        evolution.tell(rng(generation).permutation(64))
