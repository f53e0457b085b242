"""How preference genomes are crossed and mutated: small functions on whole arrays of genomes.

Each takes the random generator it draws from and changes nothing it is given, but for ``mutate`` and what it is made
of, which work in place.
"""

import numpy as np

from evodom.dominion.cards import BASIC
from evodom.dominion.engine.rules import N_PILES
from evodom.dominion.strategies.breeding import Breeding
from evodom.dominion.strategies.genes import LIMITS, cross_orders, move_one, shifted, swap_two
from evodom.dominion.strategies.model import Genomes
from evodom.dominion.strategies.preferences.genome import (
    NEEDS,
    ORDERS,
    SHAPES,
    WORTHS,
    draw_needs,
    draw_worths,
    put_in_front,
)
from evodom.dominion.strategies.preferences.shapes import SPACES

SHAPE_STEP = 4
SWITCH_STEP = 3
WORTH_STEP = 2
NEED_STEP = 2
TRIED_IN = (0.75, 0.25)
"""How often a card is tried in the early, and in the late preference."""


def cross(fitter: Genomes, other: Genomes, breeding: Breeding, rng: np.random.Generator) -> Genomes:
    """Return one child of each pair: each gene mostly the fitter's, the order of classes always."""
    children = fitter.copy()
    for field in (*SHAPES, "switch", *(WORTHS if breeding.evolves_worths else ())):
        from_other = rng.random(len(fitter)) >= breeding.fitter_bias
        children[field] = np.where(from_other, other[field], fitter[field])
    for field in ORDERS:
        children[field] = cross_orders(fitter[field], other[field], breeding.fitter_bias, rng)
    if breeding.evolves_worths:
        children["worth_order"] = cross_orders(fitter["worth_order"], other["worth_order"], breeding.fitter_bias, rng)
    if SPACES[breeding.model].is_graded:
        for field in ("switch_on", *NEEDS):
            from_other = rng.random(len(fitter)) >= breeding.fitter_bias
            children[field] = np.where(from_other, other[field], fitter[field])
        from_other = rng.random(fitter["limits"].shape) >= breeding.fitter_bias
        children["limits"] = np.where(from_other, other["limits"], fitter["limits"])
    return children


def mutate(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> Genomes:
    """Mutate genomes in place and return them."""
    space = SPACES[breeding.model]
    bounds = (0, len(space) - 1)
    for field in SHAPES:
        genomes[field] = shifted(genomes[field], breeding.shape_mutation, SHAPE_STEP, bounds, rng)
    change = move_one if space.is_graded else swap_two
    for field in ORDERS:
        change(genomes[field], breeding.order_mutation, rng)
    swap_two(genomes["class_order"], breeding.class_mutation, rng)
    if breeding.evolves_switch:
        bounds = (breeding.switch_low, breeding.switch_high)
        genomes["switch"] = shifted(genomes["switch"], breeding.switch_mutation, SWITCH_STEP, bounds, rng)
    if space.is_graded:
        try_cards(genomes, breeding, rng)
        mutate_needs(genomes, breeding, rng)
    if breeding.evolves_worths:
        mutate_worths(genomes, breeding.worth_mutation, rng)
    return genomes


def try_cards(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """With probability ``limit_mutation`` give a kingdom card another limit, every other time a place near the front.

    A card that trashes is tried with worths newly drawn: those of genomes that had no use for them have drifted. In
    place.
    """
    rows = np.flatnonzero(rng.random(len(genomes)) < breeding.limit_mutation)
    piles = rng.integers(len(BASIC), N_PILES, size=len(rows))
    genomes["limits"][rows, piles] = rng.choice(LIMITS, size=len(rows))
    tried = rng.random(len(rows)) < 0.5
    fields = rng.choice(len(ORDERS), p=TRIED_IN, size=len(rows))
    for number, field in enumerate(ORDERS):
        chosen = tried & (fields == number)
        orders = genomes[field][rows[chosen]]
        put_in_front(orders, piles[chosen], rng)
        genomes[field][rows[chosen]] = orders
    trashing = breeding.kingdom.piles_where(lambda card: card.trashes)
    if breeding.evolves_worths:
        redrawn = rows[tried & np.isin(piles, trashing)]
        fresh = genomes[redrawn]
        draw_worths(fresh, breeding.kingdom, rng)
        genomes[redrawn] = fresh


def mutate_needs(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Change, in place and each with probability ``need_mutation``, what decides when a card is wanted.

    Half of the changes are small steps, half draw the gene anew: to ask for nothing is no step away from anything.
    """
    rate = breeding.need_mutation
    fresh = genomes.copy()
    draw_needs(fresh, breeding, rng)
    for field, need in NEEDS.items():
        stepped = shifted(genomes[field], rate / 2, NEED_STEP, (0, need.greatest), rng)
        genomes[field] = np.where(rng.random(len(genomes)) < rate / 2, fresh[field], stepped)
    genomes["switch_on"] = np.where(rng.random(len(genomes)) < rate, fresh["switch_on"], genomes["switch_on"])


def mutate_worths(genomes: Genomes, rate: float, rng: np.random.Generator) -> None:
    """Change, in place and each with probability ``rate``, the order of worth and the counts."""
    move_one(genomes["worth_order"], rate, rng)
    for field, greatest in WORTHS.items():
        genomes[field] = shifted(genomes[field], rate, WORTH_STEP, (0, greatest), rng)
