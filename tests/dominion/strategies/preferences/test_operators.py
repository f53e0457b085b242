"""Genetic operators."""

import numpy as np
import pytest

from evodom.dominion.cards import BASIC
from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.genes import LIMITS, UNLIMITED
from evodom.dominion.strategies.preferences.genetics import (
    FRONT,
    GENOME,
    NEEDS,
    ORDERS,
    SPACES,
    WORTH_STEP,
    WORTHS,
    cross,
    mutate,
    mutate_worths,
    random_genomes,
    try_cards,
)
from evodom.evolution.options import Options

CLASSIC, GRADED = "classic", "graded"


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def orders(n: int, seed: int) -> np.ndarray:
    return random_genomes(n, Options(), rng(seed))["early_order"]


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
        genomes[field] = np.arange(N_MODEL_PILES)
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
        genomes[field] = np.arange(N_MODEL_PILES)
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
