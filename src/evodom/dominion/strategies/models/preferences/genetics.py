"""Define the genomes of preferences, their genetic operators, and their encoding as strategies.

A preference gives weights to piles. Its genes are an order of the piles and a *shape*: the weight of each place in the
order. A classic shape has 3 to 5 falling weights that are multiples of 5 % and sum to 100 %. Other piles have the
weight EPSILON. A graded shape has 3 to 10 weights that fall by a constant factor. Other piles have the weight 0.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import BASIC, CURSE_PILE, DUCHY, ESTATE, KINGDOM_SIZE, PROVINCE
from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies import operators, play_genes, record
from evodom.dominion.strategies.base import Genomes, Strategies
from evodom.dominion.strategies.breeding import MAX_SWITCH_TURN, Breeding
from evodom.dominion.strategies.plans import BuyPlan
from evodom.dominion.strategies.play.card_values import DECK_VALUES, HAND_VALUES

EPSILON = 1e-9
"""Weight of a pile outside a classic shape. It is positive, so that the weights of any choice can be normalised."""

PERCENT_STEP = 5
MIN_PILES, MAX_PILES = 3, 5

GRADED_SIZES = range(3, 11)
FACTORS = (0.7, 0.5, 0.35, 0.2, 0.1, 0.05, 0.02, 0.005, 0.001)
"""Ratios of successive weights of a graded shape."""

Shape = npt.NDArray[np.float64]
"""The weights of the piles of a shape, in falling order."""


@dataclass(frozen=True)
class ShapeSpace:
    """The shapes of a model. ``other_weight`` is the weight of each pile outside a shape.

    If ``is_graded``, buys are drawn among wanted and affordable piles, and genomes have conditions. Otherwise buys are
    up to three draws from the whole preference.
    """

    make_shapes: Callable[[], list[Shape]]
    other_weight: float
    is_graded: bool

    @cached_property
    def shapes(self) -> list[Shape]:
        """All shapes, from flat to sharp, without the weights of other piles."""
        return self.make_shapes()

    def __len__(self) -> int:
        return len(self.shapes)


@cache
def weights_of(space: ShapeSpace, n_piles: int) -> npt.NDArray[np.float64]:
    """Return the weights of all shapes of a space by place, (n_shapes, n_piles), falling within a shape."""
    found = np.full((len(space), n_piles), space.other_weight)
    for weights, shape in zip(found, space.shapes, strict=True):
        weights[: len(shape)] = shape
        weights[len(shape) - 1] -= space.other_weight * (n_piles - len(shape))
    found.setflags(write=False)
    return found


def partitions(total: int, n_parts: int, largest: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write ``total`` as ``n_parts`` positive, falling numbers of at most ``largest``."""
    if n_parts == 1:
        if total <= largest:
            yield (total,)
        return
    for first in range(min(total - n_parts + 1, largest), 0, -1):
        for rest in partitions(total - first, n_parts - 1, first):
            yield (first, *rest)


def classic_shapes() -> list[Shape]:
    """Return the 181 classic shapes, without the weights of other piles."""
    steps = 100 // PERCENT_STEP
    shapes = [shape for n in range(MIN_PILES, MAX_PILES + 1) for shape in partitions(steps, n, steps)]
    shapes.sort(key=lambda shape: (shape[0], shape[2], shape[1]))
    return [np.array(shape) * (PERCENT_STEP / 100) for shape in shapes]


def graded_shapes() -> list[Shape]:
    """Return the graded shapes: each number of piles with each factor."""
    shapes = [factor ** np.arange(n) for n in GRADED_SIZES for factor in FACTORS]
    return sorted((shape / shape.sum() for shape in shapes), key=lambda shape: (shape[0], -len(shape)))


SPACES = {
    "graded": ShapeSpace(graded_shapes, 0.0, is_graded=True),
    "classic": ShapeSpace(classic_shapes, EPSILON, is_graded=False),
}
"""Shape spaces by value of ``--model``."""


def genome_dtype(kingdom: Kingdom) -> "np.dtype[np.void]":
    """Return the dtype of a genome. A population is a one-dimensional array."""
    shapes = dict.fromkeys((*ORDERS, "limits"), (kingdom.n_columns,)) | {"class_order": (3,)}
    own = [(name, "<i2" if name in SHAPES else "u1", shapes.get(name, ())) for name in GENES]
    return np.dtype([*own, *(field for field in play_genes.PLAY_FIELDS if field[0] in PLAY_GENES)])


GENES = (
    "early_shape", "early_order", "late_shape", "late_order", "class_order", "switch", "limits", "switch_on",
    "switch_left", "early_pass", "late_pass", "estate_left", "duchy_left", "province_coins", "terminals",
    "terminal_per",
)  # fmt: skip
"""The fields of a genome without the genes of the play, in order."""

PLAY_GENES = tuple(key for key in play_genes.PLAY_GENES if key != "play")
"""The genes of the play of cards. `class_order` replaces the order of play of buy lists."""

SHAPES = ("early_shape", "late_shape")
ORDERS = ("early_order", "late_order")
PASS_PLACES = ("early_pass", "late_pass")
NO_PASS = len(BASIC) + KINGDOM_SIZE
"""Gene for a pass weight of 0. The strategy then passes only if it wants no affordable pile."""

TERMINALS = (1, 2, 3, 4, 5, record.UNLIMITED)
TERMINAL_PER = (0, 20, 16, 12, 10, 8)
"""Numbers by the values of the genes of these names."""


@dataclass(frozen=True, slots=True)
class ConditionGene:
    """The distribution of a condition gene.

    With probability ``p_nothing`` a drawn gene is ``nothing``, which stands for no condition. Otherwise it is uniform
    from ``low`` to ``high``. ``maximum`` is the maximum of a mutated gene.
    """

    low: int
    high: int
    maximum: int
    nothing: int
    p_nothing: float = 0.0


NO_GAINS_BOUND = 20
"""Gene for no condition on gains left. `gains_to_end` never reaches it: 6 players have 18 Provinces."""

CONDITION_GENES = {
    "switch_left": ConditionGene(2, 8, 18, 0),
    "early_pass": ConditionGene(3, 10, NO_PASS, NO_PASS, 0.8),
    "late_pass": ConditionGene(3, 10, NO_PASS, NO_PASS, 0.8),
    "estate_left": ConditionGene(1, 5, NO_GAINS_BOUND, NO_GAINS_BOUND, 0.2),
    "duchy_left": ConditionGene(2, 8, NO_GAINS_BOUND, NO_GAINS_BOUND, 0.2),
    "province_coins": ConditionGene(8, 18, 24, 0, 0.5),
    "terminals": ConditionGene(0, 3, len(TERMINALS) - 1, len(TERMINALS) - 1, 0.5),
    "terminal_per": ConditionGene(1, 5, len(TERMINAL_PER) - 1, 0, 0.5),
}
"""Genes of conditions for buying cards, with their distributions."""

N_FRONT_PLACES = 6
"""Number of places at the front of a preference. Cards there are bought in most games."""

CLASS_WEIGHTS = np.array([0.999 - EPSILON, 0.001, EPSILON])
"""Weights of the first, second and third class of Actions. In practice the order is strict."""


def random_genomes(n: int, breeding: Breeding, rng: np.random.Generator) -> Genomes:
    """Return ``n`` random genomes. `draw_orders_and_conditions` draws orders and limits of a graded space."""
    space = SPACES[breeding.model]
    genomes = np.zeros(n, genome_dtype(breeding.kingdom))
    for field in SHAPES:
        genomes[field] = rng.integers(len(space), size=n)
    for field in (*ORDERS, "class_order"):
        size = genomes[field].shape[1]
        genomes[field] = rng.permuted(np.tile(np.arange(size, dtype=np.uint8), (n, 1)), axis=1)
    genomes["switch"] = rng.integers(breeding.switch_low, breeding.switch_high + 1, size=n)
    if space.is_graded:
        draw_orders_and_conditions(genomes, breeding, rng)
    else:
        clear_conditions(genomes)
    return genomes


def draw_orders_and_conditions(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Draw orders by falling cost, limits and conditions in place. Move one kingdom card near the front."""
    n, n_piles = len(genomes), breeding.kingdom.n_columns
    for field in ORDERS:
        genomes[field] = operators.orders_by_cost(n, breeding.kingdom, operators.BUY_NOISE, rng)
    genomes["limits"] = record.UNLIMITED
    genomes["limits"][:, len(BASIC) :] = rng.choice(operators.LIMITS, size=(n, n_piles - len(BASIC)))
    if breeding.kingdom.has_colony:
        genomes["limits"][:, breeding.kingdom.kingdom_piles.stop :] = record.UNLIMITED
    move_to_front(genomes["early_order"], rng.integers(len(BASIC), n_piles, size=n), rng)
    draw_conditions(genomes, breeding, rng)


def draw_conditions(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Draw the conditions of cards and of the late preference in place."""
    n = len(genomes)
    for field, gene in CONDITION_GENES.items():
        drawn = rng.integers(gene.low, gene.high + 1, size=n)
        genomes[field] = np.where(rng.random(n) < gene.p_nothing, gene.nothing, drawn)
    if breeding.evolves_switch:
        genomes["switch_on"] = rng.integers(record.SWITCH_GAINS + 1, size=n)


def clear_conditions(genomes: Genomes) -> None:
    """Set the genes of conditions in place to no condition."""
    genomes["switch_on"] = record.SWITCH_TURN
    for field, gene in CONDITION_GENES.items():
        genomes[field] = gene.nothing


def move_to_front(orders: operators.Orders, piles: npt.NDArray[np.integer], rng: np.random.Generator) -> None:
    """Move one pile of each order (n, n_piles) to a random place among the first N_FRONT_PLACES, in place."""
    sources = (orders == piles[:, None]).argmax(axis=1)
    orders[:] = operators.moved(orders, sources, rng.integers(N_FRONT_PLACES, size=len(orders)))


def first_genomes(n: int, breeding: Breeding, rng: np.random.Generator) -> Genomes:
    """Return random genomes with all shapes of the space equally often, in random order."""
    genomes = random_genomes(n, breeding, rng)
    for field in SHAPES:
        genomes[field] = np.resize(rng.permutation(len(SPACES[breeding.model])), n)
    return genomes


def from_plans(plans: Sequence[BuyPlan], breeding: Breeding, rng: np.random.Generator) -> Genomes:
    """Return a genome for each plan. Both phases have the order of the plan, in the sharpest shape.

    Ungraded genomes follow the order alone.
    """
    genomes = random_genomes(len(plans), breeding, rng)
    space = SPACES[breeding.model]
    clear_conditions(genomes)
    n_piles = breeding.kingdom.n_columns
    n_weights = (weights_of(space, n_piles) > space.other_weight).sum(axis=1)
    for genome, plan in zip(genomes, plans, strict=True):
        others = [pile for pile in range(n_piles) if pile not in plan.order]
        size = min(max(len(plan.order), GRADED_SIZES.start), GRADED_SIZES.stop - 1)
        sharpest = np.flatnonzero(n_weights == size)[-1] if (n_weights == size).any() else len(space) - 1
        for order, shape in zip(ORDERS, SHAPES, strict=True):
            genome[order][:] = [*plan.order, *others]
            genome[shape] = sharpest
        if not space.is_graded:
            continue
        genome["class_order"] = np.arange(3)
        genome["limits"][:] = record.UNLIMITED
        genome["limits"][len(BASIC) :] = 0
        for pile in plan.order:
            genome["limits"][pile] = plan.limits.get(pile, record.UNLIMITED)
        for pile, field in ((ESTATE, "estate_left"), (DUCHY, "duchy_left")):
            genome[field] = plan.gains_left.get(pile, 0)
        genome["province_coins"] = plan.money_over.get(PROVINCE, 0)
        if plan.max_excess is not None:
            genome["terminals"] = TERMINALS.index(plan.max_excess + 1)
    return genomes


def merge(genome: Genomes, changed: Genomes) -> Genomes:
    """Return ``genome`` with its differences from each of ``changed``. It and the result are arrays of one genome.

    If several genomes change the same order, the first counts.
    """
    merged = operators.merge_changes(genome, changed)
    for field in (*ORDERS, "class_order"):
        differs = (changed[field] != genome[field]).any(axis=1)
        merged[field][0] = changed[field][differs][0] if differs.any() else genome[field][0]
    return merged


def preference_weights(genomes: Genomes, space: ShapeSpace) -> npt.NDArray[np.float64]:
    """Return the weights of each genome's preferences, (n, 2, n_piles + 1): by phase and pile, passing last."""
    n_piles = genomes["limits"].shape[1]
    weights_by_place = np.pad(weights_of(space, n_piles), ((0, 0), (0, 1)))
    weights = np.zeros((len(genomes), 2, n_piles + 1))
    rows, places = np.arange(len(genomes))[:, None], np.arange(n_piles)
    for phase, shape, order, passing in zip((record.EARLY, record.LATE), SHAPES, ORDERS, PASS_PLACES, strict=True):
        shapes, place = weights_by_place[genomes[shape]], genomes[passing][:, None].astype(np.intp)
        place[place == NO_PASS] = n_piles
        # Passing takes a place in the order. Each pile after it moves one place back and gets the next lower weight.
        weights[rows, phase, genomes[order]] = shapes[rows, places + (places >= place)]
        weights[:, phase, n_piles] = shapes[rows, place][:, 0]
    return weights


def encode(genomes: Genomes, breeding: Breeding, strategies: Strategies) -> None:
    """Write the strategies of genomes into blank records."""
    space = SPACES[breeding.model]
    weights = preference_weights(genomes, space)
    strategies["preferences"]["weights"][..., : breeding.kingdom.n_columns] = weights[..., :-1]
    strategies["preferences"]["pass_weights"] = weights[..., -1]
    class_weights = np.broadcast_to(CLASS_WEIGHTS, (len(genomes), 3))
    np.put_along_axis(
        strategies["preferences"]["class_weights"], genomes["class_order"].astype(np.intp), class_weights, axis=1
    )
    strategies["switch"] = genomes["switch"]
    strategies["preferences"]["cellar_victory_only"] = breeding.cellar == "victory"
    strategies["preferences"]["graded"] = space.is_graded
    if space.is_graded:
        _encode_conditions(strategies, genomes)
    if breeding.evolves_card_values:
        _encode_card_values(strategies, breeding.kingdom)
        play_genes.encode_play(genomes, strategies)


def _encode_conditions(strategies: Strategies, genomes: Genomes) -> None:
    """Write the conditions of cards and of the phase."""
    strategies["preferences"]["limits"][:, : genomes["limits"].shape[1]] = genomes["limits"]
    for pile, field in ((ESTATE, "estate_left"), (DUCHY, "duchy_left")):
        strategies["preferences"]["max_gains_to_end"][:, pile] = np.where(
            genomes[field] == NO_GAINS_BOUND, record.UNLIMITED, genomes[field]
        )
    strategies["preferences"]["terminals"] = np.array(TERMINALS)[genomes["terminals"]]
    strategies["preferences"]["terminal_per"] = np.array(TERMINAL_PER)[genomes["terminal_per"]]
    strategies["preferences"]["province_coins"] = genomes["province_coins"]
    for field in ("switch_on", "switch_left"):
        strategies[field] = genomes[field]


def _encode_card_values(strategies: Strategies, kingdom: Kingdom) -> None:
    """Write the default play, as a preferences file does."""
    strategies["uses_card_values"] = 1
    strategies["play_values"] = record.COMPUTED_VALUES
    strategies["trash_below"], strategies["coin_floor"] = record.TRASH_BELOW, record.COMPUTED
    strategies["computed"][:, [record.HAND_ROW, record.DECK_ROW]] = record.ALL_PILES
    for key, table in (("deck_value", DECK_VALUES), ("hand_value", HAND_VALUES)):
        strategies[key][:, : len(kingdom.names)] = [table.get(name, 0) for name in kingdom.names]


def check_genomes(genomes: Genomes, breeding: Breeding) -> None:
    """Raise UsageError unless each gene of saved genomes is valid."""
    operators.check_dtype(genomes, genome_dtype(breeding.kingdom))
    operators.check_genes(genomes, gene_maxima(breeding), (*ORDERS, "class_order"))


def gene_maxima(breeding: Breeding) -> dict[str, int]:
    """Return the maximum of each gene that is a number. The minimum is 0."""
    needs = {field: gene.maximum for field, gene in CONDITION_GENES.items()}
    shapes = dict.fromkeys(SHAPES, len(SPACES[breeding.model]) - 1)
    others = {"switch": MAX_SWITCH_TURN, "limits": record.UNLIMITED, "switch_on": record.SWITCH_GAINS}
    return needs | shapes | others | {key: play_genes.MAX_GENES[key] for key in PLAY_GENES}


def diversity(genomes: Genomes) -> float:
    """Return how much two random genomes differ in their five most preferred piles, from 0 to 1."""
    return operators.heterozygosity(np.concatenate([genomes[field][:, :5] for field in ORDERS], axis=1))


def early_victory_weight(strategies: Strategies) -> npt.NDArray[np.float64]:
    """Return the weight of each strategy for Curses and for Victory cards bought too early, (n,).

    It is the weight of Curse, Estate and Duchy in the early preference, unless they have a condition on the gains left
    (``max_gains_to_end``), plus the weight of Curse in the late preference. Provinces never count.
    """
    piles = [CURSE_PILE, ESTATE, DUCHY]
    too_early = np.where(
        strategies["preferences"]["max_gains_to_end"][:, piles] == record.UNLIMITED,
        strategies["preferences"]["weights"][:, record.EARLY, piles],
        0.0,
    )
    total: npt.NDArray[np.float64] = (
        too_early.sum(axis=1) + strategies["preferences"]["weights"][:, record.LATE, CURSE_PILE]
    )
    return total


SHAPE_STEP = 4
SWITCH_STEP = 3
CONDITION_STEP = 2
TRIAL_PROBABILITIES = (0.75, 0.25)
"""Probabilities that a card is tried in the early, and in the late preference."""


ADDED_SHARE = 0.75
"""Probability that a graded child buys a kingdom card that only the other parent buys."""


def cross(fitter: Genomes, other: Genomes, breeding: Breeding, rng: np.random.Generator) -> Genomes:
    """Return one child of each pair. A gene is the fitter parent's with ``fitter_bias``; the class order always is.

    Graded children also have kingdom cards that only the other parent buys, at its places (`add_cards`).
    """
    children, bias = fitter.copy(), breeding.fitter_bias
    played = PLAY_GENES if breeding.evolves_card_values else ()
    operators.cross_fields(children, other, (*SHAPES, "switch", *played), bias, rng)
    for field in ORDERS:
        children[field] = operators.cross_orders(fitter[field], other[field], bias, rng)
    if SPACES[breeding.model].is_graded:
        operators.cross_fields(children, other, ("switch_on", *CONDITION_GENES, "limits"), bias, rng)
        add_cards(children, fitter, other, breeding, rng)
    return children


def add_cards(children: Genomes, fitter: Genomes, other: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Add kingdom cards that only the other parents buy to children in place, each with probability ADDED_SHARE."""
    added = is_bought(other, breeding) & ~is_bought(fitter, breeding)
    added &= rng.random(added.shape) < ADDED_SHARE
    for pile in range(len(BASIC), len(breeding.kingdom.piles)):
        rows = np.flatnonzero(added[:, pile])
        children["limits"][rows, pile] = other["limits"][rows, pile]
        for field in ORDERS:
            source, target = ((genomes[field][rows] == pile).argmax(axis=1) for genomes in (children, other))
            children[field][rows] = operators.moved(children[field][rows], source, target)


def is_bought(genomes: Genomes, breeding: Breeding) -> npt.NDArray[np.bool_]:
    """Return whether the early preference of each genome buys each pile, (n, n_piles)."""
    space = SPACES[breeding.model]
    weights = preference_weights(genomes, space)[:, record.EARLY, :-1]
    return (weights > space.other_weight) & ((genomes["limits"] > 0) | (not space.is_graded))


def owned_piles(genomes: Genomes, breeding: Breeding) -> npt.NDArray[np.bool_]:
    """Return `is_bought` for all piles of records, (n, N_MODEL_PILES)."""
    bought = is_bought(genomes, breeding)
    return np.pad(bought, ((0, 0), (0, N_MODEL_PILES - bought.shape[1])))


def mutate(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> Genomes:
    """Mutate genomes in place and return them."""
    space = SPACES[breeding.model]
    bounds = (0, len(space) - 1)
    for field in SHAPES:
        genomes[field] = operators.shifted(genomes[field], breeding.shape_mutation, SHAPE_STEP, bounds, rng)
    change = operators.move_one if space.is_graded else operators.swap_two
    for field in ORDERS:
        change(genomes[field], breeding.order_mutation, rng)
    operators.swap_two(genomes["class_order"], breeding.class_mutation, rng)
    if breeding.evolves_switch:
        bounds = (breeding.switch_low, breeding.switch_high)
        genomes["switch"] = operators.shifted(genomes["switch"], breeding.switch_mutation, SWITCH_STEP, bounds, rng)
    if space.is_graded:
        try_cards(genomes, breeding, rng)
        mutate_conditions(genomes, breeding, rng)
    if breeding.evolves_card_values:
        chosen = rng.random(len(genomes)) < breeding.worth_mutation
        part = genomes[chosen]
        play_genes.change_play(part, owned_piles(part, breeding), breeding, rng)
        genomes[chosen] = part
    return genomes


def try_cards(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """With probability ``limit_mutation`` redraw the limit of one kingdom card. In half of these cases move it forward.

    Genomes change in place.
    """
    rows = np.flatnonzero(rng.random(len(genomes)) < breeding.limit_mutation)
    piles = rng.integers(len(BASIC), breeding.kingdom.n_columns, size=len(rows))
    genomes["limits"][rows, piles] = rng.choice(operators.LIMITS, size=len(rows))
    tried = rng.random(len(rows)) < 0.5
    fields = rng.choice(len(ORDERS), p=TRIAL_PROBABILITIES, size=len(rows))
    for number, field in enumerate(ORDERS):
        chosen = tried & (fields == number)
        orders = genomes[field][rows[chosen]]
        move_to_front(orders, piles[chosen], rng)
        genomes[field][rows[chosen]] = orders


def mutate_conditions(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Change the genes of conditions in place, each with probability ``need_mutation``.

    Half of the changes are small steps, half redraw the gene: no small step leads to or from "no condition".
    """
    rate = breeding.need_mutation
    fresh = genomes.copy()
    draw_conditions(fresh, breeding, rng)
    for field, gene in CONDITION_GENES.items():
        stepped = operators.shifted(genomes[field], rate / 2, CONDITION_STEP, (0, gene.maximum), rng)
        genomes[field] = np.where(rng.random(len(genomes)) < rate / 2, fresh[field], stepped)
    genomes["switch_on"] = np.where(rng.random(len(genomes)) < rate, fresh["switch_on"], genomes["switch_on"])


def without_one_part(genome: Genomes, breeding: Breeding) -> Genomes:
    """Return copies of the only genome of an array, each without one condition, limit, preferred pile or weight.

    A removed limit is UNLIMITED. A pile that is no longer preferred has the limit 0. For ungraded genomes return none.
    """
    if not SPACES[breeding.model].is_graded:
        return genome[:0]
    limits = genome["limits"][0]
    genes: list[operators.Gene] = [
        (field, (), gene.nothing) for field, gene in CONDITION_GENES.items() if genome[field][0] != gene.nothing
    ]
    limited = np.flatnonzero((limits != record.UNLIMITED) & (limits > 0))
    genes += [("limits", (pile,), record.UNLIMITED) for pile in limited.tolist()]
    genes += [("limits", (pile,), 0) for pile in np.flatnonzero(limits).tolist()]
    genes += play_genes.genes_in_use(genome)
    return operators.single_changes(genome, genes)
