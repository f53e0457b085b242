"""Genetic operators: small functions on whole arrays of genomes.

Each takes the random generator it draws from and changes nothing it is given, but for ``mutate``, which works in place.
"""

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import BASIC
from evodom.dominion.engine.rules import N_PILES
from evodom.evolution.genome import (
    LIMITS,
    NEEDS,
    ORDERS,
    SHAPES,
    WORTHS,
    Genomes,
    draw_needs,
    draw_worths,
    moved,
    put_in_front,
)
from evodom.evolution.model import GRADED, model_space
from evodom.evolution.options import EVOLVED_CHOICES, Options

SHAPE_STEP = 4
SWITCH_STEP = 3
WORTH_STEP = 2
NEED_STEP = 2
TRIED_IN = (0.75, 0.25)
"""How often a card is tried in the early, and in the late preference."""

Orders = npt.NDArray[np.uint8]


def crossover(fitter: Genomes, other: Genomes, options: Options, rng: np.random.Generator) -> Genomes:
    """Return one child of each pair: each gene mostly the fitter's, the order of classes always."""
    children = fitter.copy()
    weighs = options.choices == EVOLVED_CHOICES
    for field in (*SHAPES, "switch", *(WORTHS if weighs else ())):
        from_other = rng.random(len(fitter)) >= options.fitter_bias
        children[field] = np.where(from_other, other[field], fitter[field])
    for field in ORDERS:
        children[field] = crossover_orders(fitter[field], other[field], options.fitter_bias, rng)
    if weighs:
        children["keep_order"] = crossover_orders(fitter["keep_order"], other["keep_order"], options.fitter_bias, rng)
    if options.model == GRADED:
        for field in ("switch_on", *NEEDS):
            from_other = rng.random(len(fitter)) >= options.fitter_bias
            children[field] = np.where(from_other, other[field], fitter[field])
        from_other = rng.random(fitter["limits"].shape) >= options.fitter_bias
        children["limits"] = np.where(from_other, other["limits"], fitter["limits"])
    return children


def crossover_orders(fitter: Orders, other: Orders, bias: float, rng: np.random.Generator) -> Orders:
    """Return permutations (n, size) that keep each place of the fitter parent with probability ``bias``.

    A place not kept takes the other parent's entry if it is free; what remains is filled in the other parent's order
    (position-based crossover, Syswerda 1991). So both parents' entries stay at their places, where they have meaning.
    """
    rows = np.arange(len(fitter))[:, None]
    keep = rng.random(fitter.shape) < bias
    used = np.zeros(fitter.shape, bool)
    used[np.broadcast_to(rows, fitter.shape)[keep], fitter[keep]] = True
    take = ~keep & ~np.take_along_axis(used, other.astype(np.intp), axis=1)
    used[np.broadcast_to(rows, fitter.shape)[take], other[take]] = True
    children = np.where(keep, fitter, other)
    # Row by row there are as many open places as entries of the other parent still unused.
    children[~keep & ~take] = other[~np.take_along_axis(used, other.astype(np.intp), axis=1)]
    return children


def mutate(genomes: Genomes, options: Options, rng: np.random.Generator) -> Genomes:
    """Mutate genomes in place and return them."""
    bounds = (0, len(model_space(options.model)) - 1)
    for field in SHAPES:
        genomes[field] = _shift(genomes[field], options.shape_mutation, SHAPE_STEP, bounds, rng)
    change = move_one if options.model == GRADED else swap_two
    for field in ORDERS:
        change(genomes[field], options.order_mutation, rng)
    swap_two(genomes["class_order"], options.class_mutation, rng)
    if options.switch_low < options.switch_high:
        bounds = (options.switch_low, options.switch_high)
        genomes["switch"] = _shift(genomes["switch"], options.switch_mutation, SWITCH_STEP, bounds, rng)
    if options.model == GRADED:
        try_cards(genomes, options, rng)
        mutate_needs(genomes, options, rng)
    if options.choices == EVOLVED_CHOICES:
        mutate_worths(genomes, options.worth_mutation, rng)
    return genomes


def try_cards(genomes: Genomes, options: Options, rng: np.random.Generator) -> None:
    """With probability ``limit_mutation`` give a kingdom card another limit, every other time a place near the front.

    A card that trashes is tried with worths newly drawn: those of genomes that had no use for them have drifted. In
    place.
    """
    rows = np.flatnonzero(rng.random(len(genomes)) < options.limit_mutation)
    piles = rng.integers(len(BASIC), N_PILES, size=len(rows))
    genomes["limits"][rows, piles] = rng.choice(LIMITS, size=len(rows))
    tried = rng.random(len(rows)) < 0.5
    fields = rng.choice(len(ORDERS), p=TRIED_IN, size=len(rows))
    for number, field in enumerate(ORDERS):
        chosen = tried & (fields == number)
        orders = genomes[field][rows[chosen]]
        put_in_front(orders, piles[chosen], rng)
        genomes[field][rows[chosen]] = orders
    trashing = [pile for pile, card in enumerate(options.kingdom.piles) if card.trashes]
    if options.choices == EVOLVED_CHOICES:
        redrawn = rows[tried & np.isin(piles, trashing)]
        fresh = genomes[redrawn]
        draw_worths(fresh, options, rng)
        genomes[redrawn] = fresh


def mutate_needs(genomes: Genomes, options: Options, rng: np.random.Generator) -> None:
    """Change, in place and each with probability ``need_mutation``, what decides when a card is wanted.

    Half of the changes are small steps, half draw the gene anew: to ask for nothing is no step away from anything.
    """
    rate = options.need_mutation
    fresh = genomes.copy()
    draw_needs(fresh, options, rng)
    for field, need in NEEDS.items():
        shifted = _shift(genomes[field], rate / 2, NEED_STEP, (0, need.greatest), rng)
        genomes[field] = np.where(rng.random(len(genomes)) < rate / 2, fresh[field], shifted)
    genomes["switch_on"] = np.where(rng.random(len(genomes)) < rate, fresh["switch_on"], genomes["switch_on"])


def mutate_worths(genomes: Genomes, rate: float, rng: np.random.Generator) -> None:
    """Change, in place and each with probability ``rate``, the order of worth and the counts."""
    move_one(genomes["keep_order"], rate, rng)
    for field, greatest in WORTHS.items():
        genomes[field] = _shift(genomes[field], rate, WORTH_STEP, (0, greatest), rng)


def swap_two(orders: Orders, rate: float, rng: np.random.Generator) -> None:
    """Swap two different entries of each row with probability ``rate``, in place."""
    n, size = orders.shape
    rows = np.flatnonzero(rng.random(n) < rate)
    first = rng.integers(size, size=len(rows))
    second = (first + rng.integers(1, size, size=len(rows))) % size
    orders[rows, first], orders[rows, second] = orders[rows, second], orders[rows, first]


def move_one(orders: Orders, rate: float, rng: np.random.Generator) -> None:
    """Move an entry of each row to another place with probability ``rate``, in place; those between make room.

    Of an order in which one comes before the other, nothing but the place of that one entry changes.
    """
    n, size = orders.shape
    rows = np.flatnonzero(rng.random(n) < rate)
    source = rng.integers(size, size=len(rows))
    target = (source + rng.integers(1, size, size=len(rows))) % size
    orders[rows] = moved(orders[rows], source, target)


def _shift(
    values: npt.NDArray[np.integer],
    rate: float,
    step: int,
    bounds: tuple[int, int],
    rng: np.random.Generator,
) -> npt.NDArray[np.int64]:
    """Return the values, each moved by 1 to ``step`` up or down with probability ``rate`` and clipped to the bounds."""
    n = len(values)
    distance = rng.integers(1, step + 1, size=n) * rng.choice((-1, 1), size=n)
    moved = np.where(rng.random(n) < rate, values.astype(np.int64) + distance, values)
    return np.clip(moved, *bounds)
