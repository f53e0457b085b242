"""Genomes of preferences: shape spaces, drawing, crossing, mutation, and the strategies they encode."""

import hashlib
from collections import Counter

import numpy as np
import pytest

from evodom.dominion.cards import BASIC, COPPER, GOLD, NONTERMINAL, PROVINCE, SILVER, TERMINAL, TERMINAL_DRAW
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.files import parse_strategy
from evodom.dominion.strategies.models.preferences import genetics
from evodom.dominion.strategies.operators import LIMITS
from evodom.dominion.strategies.plans import BuyPlan
from evodom.dominion.strategies.record import EARLY, LATE, UNLIMITED, strategies_of
from evodom.errors import UsageError
from evodom.evolution import Evolution, Options, RankedPopulation
from evodom.matches.gains import imitations
from tests.dominion.helpers import COLONY_GAME
from tests.dominion.strategies.drawn import MANY, are_permutations, near, rng
from tests.dominion.strategies.imitated import IMITATED, imitated_kingdom

CLASSIC, GRADED = "classic", "graded"

N_PILES = FIRST_GAME.n_columns

GENES = genetics.genome_dtype(FIRST_GAME).names
MUTABLE = {*GENES} - {"option_values"}  # FIRST_GAME has no card with options.

OLD_FIELDS = ("early_shape", "early_order", "late_shape", "late_order", "class_order", "switch")
"""What a genome had before the graded model."""

RATE = 0.1


def changed(before: np.ndarray, after: np.ndarray) -> set[str]:
    """Return the fields in which any genome differs."""
    return {field for field in GENES if not np.array_equal(before[field], after[field])}


# Shape spaces.


def test_181_classic_shapes_of_three_to_five_piles_fall_and_sum_to_one():
    space = genetics.weights_of(genetics.SPACES[CLASSIC], N_PILES)
    n_piles = (space > 2 * genetics.EPSILON).sum(axis=1)
    keys = [tuple(np.round(shape, 6)[[0, 2, 1]]) for shape in space]

    assert len(space) == 181
    assert np.bincount(n_piles).tolist() == [0, 0, 0, 33, 64, 84]
    assert np.allclose(space.sum(axis=1), 1.0, atol=1e-12)
    assert (np.diff(space, axis=1) <= 0).all()
    assert space.min() == genetics.EPSILON
    assert keys == sorted(keys)
    assert np.allclose(space[-1, :3], [0.9, 0.05, 0.05])


def test_a_preference_gives_each_pile_the_weight_of_its_place_in_the_order():
    genomes = genetics.random_genomes(1, Options(), rng())
    genomes["early_shape"] = len(genetics.SPACES[CLASSIC]) - 1
    genomes["early_order"][0, :3] = PROVINCE, GOLD, SILVER
    genomes["early_order"][0, 3:] = [pile for pile in range(N_PILES) if pile not in (PROVINCE, GOLD, SILVER)]

    weights = genetics.preference_weights(genomes, genetics.SPACES[CLASSIC])[0, EARLY]

    assert np.allclose(weights[[PROVINCE, GOLD, SILVER]], [0.9, 0.05, 0.05])
    assert weights[COPPER] == genetics.EPSILON


def test_a_strategy_has_the_preferences_classes_and_switch_of_its_genome():
    options = Options(cellar="victory", model=CLASSIC)
    genomes = genetics.random_genomes(3, options, rng())

    strategies = strategies_of(genomes, options)

    assert np.array_equal(
        strategies["preferences"]["weights"][..., :N_PILES],
        genetics.preference_weights(genomes, genetics.SPACES[CLASSIC])[..., :N_PILES],
    )
    assert not strategies["preferences"]["pass_weights"].any()
    assert np.array_equal(strategies["preferences"]["class_weights"].argmax(axis=1), genomes["class_order"][:, 0])
    assert strategies["switch"].tolist() == genomes["switch"].tolist()
    assert strategies["preferences"]["cellar_victory_only"].tolist() == [1, 1, 1]
    assert not np.array_equal(
        strategies["preferences"]["weights"][:, EARLY], strategies["preferences"]["weights"][:, LATE]
    )


def test_diversity_is_zero_among_copies_and_near_its_limit_among_random_genomes():
    genomes = genetics.random_genomes(400, Options(model=CLASSIC), rng())

    assert genetics.diversity(genomes[:1].repeat(10)) == 0.0
    assert 0.9 < genetics.diversity(genomes) <= 1 - 1 / N_PILES


def test_graded_weights_fall_by_a_constant_factor_from_flat_to_sharp():
    space = genetics.weights_of(genetics.SPACES[GRADED], N_PILES)

    assert len(space) == len(genetics.GRADED_SIZES) * len(genetics.FACTORS) == 72
    assert np.bincount((space > 0).sum(axis=1)).tolist() == [0, 0, 0] + [len(genetics.FACTORS)] * 8
    assert (np.diff(space[:, 0]) >= 0).all()
    assert np.allclose(space[-1, :3], np.array([1_000_000, 1000, 1]) / 1_001_001)
    for shape in space:
        n = int((shape > 0).sum())
        ratios = shape[1:n] / shape[: n - 1]

        assert np.allclose(ratios, ratios[0])
        assert min(abs(ratios[0] - factor) for factor in genetics.FACTORS) < 1e-12
        assert (shape[n:] == 0.0).all()
        assert abs(shape.sum() - 1.0) < 1e-12


# Drawing genomes, and what they encode.


def test_random_genomes_have_valid_genes_and_uniform_fields():
    genomes = genetics.random_genomes(MANY, Options(switch_low=9, switch_high=9), rng())
    limits = genomes["limits"]
    counts = Counter(limits[:, len(BASIC) :].ravel().tolist())

    assert all(are_permutations(genomes[field]) for field in (*genetics.ORDERS, "class_order"))
    assert set(genomes["switch"]) == {9}
    assert not any(genomes[field].any() for field in genetics.PLAY_GENES)
    assert set(genomes["early_shape"]) == set(range(len(genetics.SPACES["graded"])))
    assert (limits[:, : len(BASIC)] == UNLIMITED).all()
    assert set(counts) == set(LIMITS.tolist())
    assert max(counts.values()) / min(counts.values()) < 1.1
    assert (genomes["early_order"][:, : genetics.N_FRONT_PLACES] >= len(BASIC)).any(axis=1).all()
    assert set(genetics.random_genomes(500, Options(switch_low=10, switch_high=30), rng())["switch"]) == set(
        range(10, 31)
    )


@pytest.mark.parametrize(("model", "n", "times"), [(GRADED, 144, {2}), (CLASSIC, 128, {0, 1}), (CLASSIC, 512, {2, 3})])
def test_the_first_generation_covers_the_shapes_evenly(model, n, times):
    genomes = genetics.first_genomes(n, Options(model=model), rng())

    for field in genetics.SHAPES:
        assert set(np.bincount(genomes[field], minlength=len(genetics.SPACES[model]))) == times


@pytest.mark.parametrize("model", [CLASSIC, GRADED])
def test_genomes_have_the_piles_of_their_kingdom(model):
    options = Options(model=model, kingdom=COLONY_GAME)
    genomes = genetics.mutate(genetics.random_genomes(300, options, rng()), options, rng())
    children = genetics.cross(genomes[:150], genomes[150:], options, rng())

    genetics.check_genomes(children, options)
    assert children["early_order"].shape[1] == len(COLONY_GAME.piles) == N_PILES + 2
    with pytest.raises(UsageError, match=r"its genomes have the fields of another version\. Evolve it again\."):
        genetics.check_genomes(children, Options(model=model))
    weights = strategies_of(children, options)["preferences"]["weights"]
    assert (weights[:, EARLY, N_PILES:-1].max(axis=1) > 0.1).any()
    assert not weights[..., -1].any()
    totals = weights.sum(axis=2) + strategies_of(children, options)["preferences"]["pass_weights"]
    assert np.allclose(totals, 1)


def test_a_graded_strategy_plays_with_computed_values_and_its_own_limits():
    options = Options()
    genomes = genetics.random_genomes(20, options, rng())
    default = parse_strategy('model = "preferences"\nplay_values = "computed"\n[early]\nGold = 1').record(FIRST_GAME)

    for genome, strategy in zip(genomes, strategies_of(genomes, options), strict=True):
        for field in ("deck_value", "hand_value", "trash_below", "coin_floor", "discard_to", "computed", "play_values"):
            assert np.array_equal(strategy[field], default[field])
        assert strategy["preferences"].limits[:N_PILES].tolist() == genome["limits"].tolist()
        assert (strategy["preferences"].graded, strategy.uses_card_values) == (1, 1)


@pytest.mark.parametrize("choices", ["simple", "evolved"])
def test_a_classic_strategy_has_no_limits_and_ranks_cards_where_choices_are_evolved(choices):
    options = Options(model=CLASSIC, choices=choices)

    strategies = strategies_of(genetics.random_genomes(30, options, rng()), options)

    assert set(strategies["uses_card_values"]) == {int(choices == "evolved")}
    assert not strategies["preferences"]["graded"].any()
    assert (strategies["preferences"]["limits"] == UNLIMITED).all()


@pytest.mark.parametrize(
    ("switch", "digest"),
    [
        ((12, 12), "da5e35d3d7efc3c53f08b08a88eea4b191ae2570648b47916c79b5ee20f66e44"),
        ((6, 25), "ac428fb22f22834b82777bb42bba73c50205d9c1f4754d04ca6b997bc8912127"),
    ],
)
def test_classic_generations_stay_the_same(switch, digest):
    """The digests are of four generations bred by the version before."""
    evolution = Evolution(Options(n_strategies=32, model="classic", switch_low=switch[0], switch_high=switch[1]), 7)
    found = hashlib.sha256()
    for generation in range(4):
        for field in OLD_FIELDS:
            found.update(np.ascontiguousarray(evolution.ask()[field]).tobytes())
        if generation < 3:
            evolution.tell(RankedPopulation(np.random.default_rng(generation).permutation(32)))

    assert found.hexdigest() == digest


# Crossing and mutating.


def test_the_order_of_classes_comes_from_the_fitter_parent_as_a_copy():
    fitter, other = genetics.random_genomes(20, Options(), rng(1)), genetics.random_genomes(20, Options(), rng(2))
    before = fitter.copy()

    children = genetics.mutate(genetics.cross(fitter, other, Options(), rng()), Options(class_mutation=1.0), rng())

    assert (children["class_order"] != fitter["class_order"]).any(axis=1).all()
    assert np.array_equal(fitter, before)


@pytest.mark.parametrize("model", [CLASSIC, GRADED])
def test_shapes_move_by_one_to_four_places_at_the_given_rate(model):
    options = Options(shape_mutation=0.1, model=model)
    genomes = genetics.random_genomes(4000, options, rng(1))
    before = genomes.copy()

    genetics.mutate(genomes, options, rng())

    distance = np.abs(genomes["early_shape"].astype(int) - before["early_shape"])
    inside = (before["early_shape"] >= 4) & (before["early_shape"] < len(genetics.SPACES[model]) - 4)
    assert set(distance[inside]) == {0, 1, 2, 3, 4}
    assert 0.08 < (distance[inside] > 0).mean() < 0.12
    assert genomes["early_shape"].min() >= 0
    assert genomes["early_shape"].max() < len(genetics.SPACES[model])


def test_only_an_evolved_switch_mutates_within_its_bounds():
    fixed, evolved = (
        Options(switch_mutation=1.0, switch_low=12, switch_high=12),
        Options(switch_mutation=1.0, switch_low=10, switch_high=30),
    )
    genomes = genetics.random_genomes(500, evolved, rng(1))

    assert set(genetics.mutate(genetics.random_genomes(50, fixed, rng()), fixed, rng())["switch"]) == {12}
    for _ in range(20):
        genetics.mutate(genomes, evolved, rng())
    assert genomes["switch"].min() >= 10
    assert genomes["switch"].max() <= 30


def test_each_gene_comes_from_one_of_the_parents_with_the_given_bias():
    fitter, other = genetics.random_genomes(MANY, Options(), rng(1)), genetics.random_genomes(MANY, Options(), rng(2))
    for field in genetics.PLAY_GENES:
        other[field] = 1

    children = genetics.cross(fitter, other, Options(fitter_bias=0.85), rng())

    for field in ("late_shape", *genetics.PLAY_GENES):
        differ = fitter[field] != other[field]
        from_fitter = children[field] == fitter[field]
        assert (from_fitter | (children[field] == other[field])).all()
        assert near(from_fitter[differ].mean(), 0.85, int(differ.sum()))
    assert ((children["limits"] == fitter["limits"]) | (children["limits"] == other["limits"])).all()
    assert are_permutations(children["late_order"])
    assert (children["late_order"] != fitter["late_order"]).any(axis=1).mean() > 0.3


def test_a_child_buys_cards_that_only_one_of_its_parents_buys():
    options = Options(fitter_bias=1.0)
    smithy, moat = options.kingdom.pile("Smithy"), options.kingdom.pile("Moat")
    plans = [BuyPlan([PROVINCE, pile, GOLD, SILVER], limits={pile: 2}) for pile in (smithy, moat)]
    fitter, other = (genetics.from_plans([plan] * 400, options, rng()) for plan in plans)

    children = genetics.cross(fitter, other, options, rng(1))

    has_both = children["limits"][:, moat] == 2
    assert near(has_both.mean(), genetics.ADDED_SHARE, 400)
    assert (children["limits"][:, smithy] == 2).all()
    assert set(map(tuple, children["early_order"][has_both, :4].tolist())) == {(PROVINCE, moat, smithy, GOLD)}
    assert genetics.is_bought(children[has_both], options)[:, [moat, smithy]].all()


def test_changes_of_a_genome_are_merged():
    first = genetics.random_genomes(1, Options(), rng(1))
    changed = np.repeat(first, 3)
    changed["switch"][0] += 1
    changed["early_order"][1] = np.roll(first["early_order"][0], 1)
    changed["early_order"][2], changed["coin_floor"][2] = np.roll(first["early_order"][0], 2), 9

    merged = genetics.merge(first, changed)

    assert (merged["switch"][0], merged["coin_floor"][0]) == (first["switch"][0] + 1, 9)
    assert merged["early_order"][0].tolist() == changed["early_order"][1].tolist()


@pytest.mark.parametrize(
    ("options", "kept", "crossed"),
    [
        ({"choices": "simple"}, genetics.PLAY_GENES, "limits"),
        ({"model": CLASSIC}, ("limits",), "late_shape"),
    ],
)
def test_genes_that_a_model_does_not_use_come_from_the_fitter_parent(options, kept, crossed):
    fitter, other = genetics.random_genomes(100, Options(), rng(1)), genetics.random_genomes(100, Options(), rng(2))
    other["coin_floor"] = other["deck_value"] = 1

    children = genetics.cross(fitter, other, Options(fitter_bias=0.0, **options), rng())

    assert all(np.array_equal(children[field], fitter[field]) for field in kept)
    assert np.array_equal(children[crossed], other[crossed])


def with_tried_cards(options: Options, *orders: str) -> tuple[np.ndarray, np.ndarray]:
    """Return genomes whose limits are unlike any that can be drawn, and the same genomes after cards were tried.

    In these orders the kingdom's piles are last, so that each pile that is tried moves.
    """
    genomes = genetics.random_genomes(MANY, options, rng(1))
    genomes["limits"][:, len(BASIC) :] = 7
    for field in orders:
        genomes[field] = np.arange(N_PILES)
    before = genomes.copy()
    genetics.try_cards(genomes, options, rng())
    return before, genomes


def test_limits_mutate_at_the_given_rate():
    before, genomes = with_tried_cards(Options(limit_mutation=RATE))

    new = genomes["limits"] != before["limits"]
    assert near(new.any(axis=1).mean(), RATE)
    assert new.sum(axis=1).max() == 1
    assert not new[:, : len(BASIC)].any()
    assert new[:, len(BASIC) :].any(axis=0).all()
    assert set(genomes["limits"][new]) == set(LIMITS)
    assert (genomes["limits"][:, : len(BASIC)] == UNLIMITED).all()


def test_half_of_the_cards_with_a_new_limit_move_to_the_front():
    before, genomes = with_tried_cards(Options(limit_mutation=1.0, choices="simple"), *genetics.ORDERS)

    pile = (genomes["limits"] != before["limits"]).argmax(axis=1)
    moved = {field: (genomes[field] != before[field]).any(axis=1) for field in genetics.ORDERS}
    assert near(moved["early_order"].mean(), 0.5 * 0.75)
    assert near(moved["late_order"].mean(), 0.5 * 0.25)
    assert not (moved["early_order"] & moved["late_order"]).any()
    for field, tried in moved.items():
        place = (genomes[field] == pile[:, None]).argmax(axis=1)
        assert set(place[tried]) == set(range(genetics.N_FRONT_PLACES))
        assert are_permutations(genomes[field])


@pytest.mark.parametrize(
    ("options", "fields"),
    [
        (Options(), MUTABLE),
        (Options(choices="simple"), MUTABLE - {*genetics.PLAY_GENES}),
        (Options(switch_low=12, switch_high=12), MUTABLE - {"switch", "switch_on"}),
        (Options(model=CLASSIC), {"early_shape", "late_shape", *genetics.ORDERS, "class_order"}),
        (
            Options(model=CLASSIC, choices="evolved", switch_low=1, switch_high=9),
            MUTABLE - {"limits", "switch_on", *genetics.CONDITION_GENES},
        ),
    ],
)
def test_mutation_changes_the_genes_of_the_model_in_place(options, fields):
    genomes = genetics.random_genomes(2000, options, rng(1))
    before = genomes.copy()

    assert genetics.mutate(genomes, options, rng()) is genomes
    assert changed(before, genomes) == fields


def test_graded_orders_move_a_card_and_classic_orders_swap_two():
    """Three or more places change when a card moves further than to the next place."""
    places = {}
    for model in (GRADED, CLASSIC):
        options = Options(model=model, order_mutation=1.0, limit_mutation=0.0, choices="simple")
        genomes = genetics.random_genomes(300, options, rng(1))
        before = genomes.copy()
        genetics.mutate(genomes, options, rng())
        places[model] = (genomes["late_order"] != before["late_order"]).sum(axis=1)

    assert set(places[CLASSIC]) == {2}
    assert places[GRADED].max() > 10


# Local search


def test_simpler_genomes_lack_one_condition_limit_or_card():
    genome = genetics.random_genomes(1, Options(), rng())
    for field, need in genetics.CONDITION_GENES.items():
        genome[field] = need.nothing
    genome["limits"] = 0
    genome["limits"][0, [GOLD, SILVER]] = UNLIMITED, 2
    genome["terminals"], genome["hand_value"][0, COPPER] = 1, 3

    found = genetics.without_one_part(genome, Options())

    limits = [{int(pile): int(one["limits"][pile]) for pile in (GOLD, SILVER)} for one in found]
    assert limits == [
        {GOLD: UNLIMITED, SILVER: 2}, {GOLD: UNLIMITED, SILVER: UNLIMITED}, {GOLD: UNLIMITED, SILVER: 0},
        {GOLD: 0, SILVER: 2}, {GOLD: UNLIMITED, SILVER: 2},
    ]  # fmt: skip
    nothing = genetics.CONDITION_GENES["terminals"].nothing
    assert found["terminals"].tolist() == [nothing, 1, 1, 1, 1]
    assert found["hand_value"][:, COPPER].tolist() == [3, 3, 3, 3, 0]
    classic = Options(model=CLASSIC)
    assert len(genetics.without_one_part(genetics.random_genomes(1, classic, rng()), classic)) == 0


# Imitation


def test_a_genome_prefers_what_its_teacher_prefers():
    options = Options(kingdom=imitated_kingdom)
    genomes = genetics.from_plans(imitations(IMITATED, 40, options.kingdom, rng(1)), options, rng(1))

    genetics.check_genomes(genomes, options)
    names = imitated_kingdom.names
    for field in genetics.ORDERS:
        order = [names[pile] for pile in genomes[field][0][:7]]
        assert order == ["Province", "Gold", "Laboratory", "Duchy", "Militia", "Silver", "Chapel"]
    limits = dict(zip(names, genomes["limits"][0].tolist(), strict=False))
    assert (limits["Laboratory"], limits["Militia"], limits["Chapel"], limits["Smithy"]) == (3, 1, 1, 0)
    assert limits["Gold"] == UNLIMITED
    assert (genomes["duchy_left"][0], genomes["estate_left"][0]) == (4, 0)
    assert (genomes["class_order"] == [NONTERMINAL, TERMINAL_DRAW, TERMINAL]).all()
    assert len(np.unique(genomes["early_order"], axis=0)) > 5
    assert len(np.unique(genomes["limits"], axis=0)) > 20
    weights = genetics.preference_weights(genomes[:1], genetics.SPACES[GRADED])[0, EARLY]
    assert (weights[genomes["early_order"][0][:7]] > 0).all()
    assert (weights[genomes["early_order"][0][7:]] == 0).all()


def test_classic_genomes_imitate_the_order_alone():
    options = Options(model=CLASSIC, kingdom=imitated_kingdom)
    genomes = genetics.from_plans(imitations(IMITATED, 3, options.kingdom, rng(1)), options, rng(1))

    genetics.check_genomes(genomes, options)
    order = [imitated_kingdom.names[pile] for pile in genomes["early_order"][0][:3]]
    assert order == ["Province", "Gold", "Laboratory"]
    assert len(genetics.from_plans([], options, rng())) == 0
