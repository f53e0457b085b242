"""Changes of a preference for local search, and their table CHANGES.

Small changes concern a shape, a place in an order, a limit, a condition or a play value. Changes of the plan concern a
card in both orders, two limits, or a block of an order. Each change applies to all genomes of an array, in place.
"""

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from evodom.dominion.cards import BASIC, GOLD, SILVER
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies import operators, play_genes
from evodom.dominion.strategies.base import Change, Genomes
from evodom.dominion.strategies.breeding import Breeding
from evodom.dominion.strategies.models.preferences import genetics
from evodom.dominion.strategies.record import UNLIMITED

MOVED_PLACES = 12
"""Places of an order among which local search moves piles. Later piles have no weight in any shape."""

# Small changes.


def shift_shape(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Make the weights of one phase flatter or sharper in each genome."""
    chosen = rng.integers(len(genetics.SHAPES), size=len(genomes))
    bounds = (0, len(genetics.SPACES[breeding.model]) - 1)
    for number, field in enumerate(genetics.SHAPES):
        stepped = operators.shifted(genomes[field], 1.0, genetics.SHAPE_STEP, bounds, rng)
        genomes[field] = np.where(chosen == number, stepped, genomes[field])


def move_pile(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Move a pile of the early order, the late order or both to another place."""
    chosen = rng.integers(len(genetics.ORDERS) + 1, size=len(genomes))
    sources, targets = (rng.integers(MOVED_PLACES, size=len(genomes)) for _ in range(2))
    targets = np.where(targets == sources, (targets + 1) % MOVED_PLACES, targets)
    piles = genomes["early_order"][np.arange(len(genomes)), sources]
    for number, field in enumerate(genetics.ORDERS):
        rows = np.flatnonzero((chosen == number) | (chosen == len(genetics.ORDERS)))
        places = (genomes[field][rows] == piles[rows, None]).argmax(axis=1)
        genomes[field][rows] = operators.moved(genomes[field][rows], places, targets[rows])


def step_limit(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Move the limit of Silver, Gold or a kingdom card by one, or redraw it."""
    rows = np.arange(len(genomes))
    limited = _limited_piles(breeding.kingdom)
    piles = limited[rng.integers(len(limited), size=len(rows))]
    limits = genomes["limits"][rows, piles].astype(int)
    stepped = np.clip(limits + rng.choice((-1, 1), size=len(rows)), 0, 10)
    redrawn = rng.choice((0, *operators.LIMITS), size=len(rows))
    is_redrawn = (limits == UNLIMITED) | (rng.random(len(rows)) < 0.3)
    genomes["limits"][rows, piles] = np.where(is_redrawn, redrawn, stepped)


def try_card(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Redraw the limit of a kingdom card. In half of the cases move it to the front of an order (`try_cards`)."""
    genetics.try_cards(genomes, replace(breeding, limit_mutation=1.0), rng)


def change_condition(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Step or redraw a condition, step the turn of the switch, or redraw the quantity that determines the phase."""
    fresh = genomes.copy()
    genetics.draw_conditions(fresh, breeding, rng)
    names = (*genetics.CONDITION_GENES, "switch_on", "switch")
    chosen = rng.integers(len(names), size=len(genomes))
    for number, field in enumerate(names):
        rows = chosen == number
        if field == "switch_on":
            genomes[field] = np.where(rows, fresh[field], genomes[field])
            continue
        if field == "switch":
            bounds = (breeding.switch_low, breeding.switch_high)
            stepped = operators.shifted(genomes[field], 1.0, genetics.SWITCH_STEP, bounds, rng)
        else:
            stepped = operators.shifted(
                genomes[field], 1.0, genetics.CONDITION_STEP, (0, genetics.CONDITION_GENES[field].maximum), rng
            )
            stepped = np.where(rng.random(len(genomes)) < 0.5, stepped, fresh[field])
        genomes[field] = np.where(rows, stepped, genomes[field])


def change_play(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Redraw a play value of each genome."""
    if breeding.evolves_card_values:
        play_genes.change_play(genomes, genetics.owned_piles(genomes, breeding), breeding, rng)


def swap_classes(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Swap two classes of Actions."""
    operators.swap_two(genomes["class_order"], 1.0, rng)


def _limited_piles(kingdom: Kingdom) -> npt.NDArray[np.intp]:
    """Return the piles whose limits change: Silver, Gold and the kingdom cards."""
    return np.array([SILVER, GOLD, *range(len(BASIC), len(kingdom.piles))])


# Changes of the plan.


def exchange_cards(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Exchange the places and limits of a bought pile and any other pile of each genome, in both orders."""
    piles = _limited_piles(breeding.kingdom)
    bought = genetics.is_bought(genomes, breeding)[:, piles]
    for number in np.flatnonzero(bought.any(axis=1)):
        pair = [rng.choice(piles[bought[number]]), rng.choice(piles)]
        limits = genomes["limits"][number]
        limits[pair] = limits[pair[::-1]]
        for order in (genomes[field][number] for field in genetics.ORDERS):
            places = [int(np.flatnonzero(order == pile)[0]) for pile in pair]
            order[places] = order[places[::-1]]


def drop_card(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Give a bought Silver, Gold or kingdom card of each genome the limit 0."""
    piles = _limited_piles(breeding.kingdom)
    bought = genetics.is_bought(genomes, breeding)[:, piles]
    for number in np.flatnonzero(bought.any(axis=1)):
        genomes["limits"][number, rng.choice(piles[bought[number]])] = 0


def step_two_limits(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Raise or lower the limits of two bought piles of each genome by 1."""
    for limits, bought in zip(genomes["limits"], genetics.is_bought(genomes, breeding), strict=True):
        operators.step_two(limits, np.flatnonzero(bought & (limits < UNLIMITED)), rng)


def swap_blocks(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Exchange two neighbouring blocks of an order of each genome, or of both orders."""
    for genome in genomes:
        places = operators.with_swapped_blocks(range(MOVED_PLACES), rng)
        for field in (genetics.ORDERS[:1], genetics.ORDERS[1:], genetics.ORDERS)[rng.integers(3)]:
            genome[field][:MOVED_PLACES] = genome[field][places]


CHANGES = (
    Change(shift_shape, 0.08),
    Change(move_pile, 0.27),
    Change(step_limit, 0.2),
    Change(try_card, 0.12),
    Change(change_condition, 0.2),
    Change(change_play, 0.08),
    Change(swap_classes, 0.03),
    Change(exchange_cards, 0.08),
    Change(drop_card, 0.03),
    Change(step_two_limits, 0.05),
    Change(swap_blocks, 0.06),
)
"""The changes of local search."""
