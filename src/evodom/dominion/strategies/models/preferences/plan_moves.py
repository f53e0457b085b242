"""Changes of the whole plan of a preference, for local search: a card, a block of an order, a part of another genome."""

from collections.abc import Sequence

import numpy as np

from evodom.dominion.cards import BASIC, GOLD, SILVER
from evodom.dominion.strategies import operators
from evodom.dominion.strategies.models.preferences import genetics
from evodom.dominion.strategies.record import UNLIMITED


def exchange_cards(genomes, others, breeding, rng) -> None:
    """Exchange two piles of each genome, a bought kingdom card and any other, in all orders and limits."""
    bought = genetics.is_bought(genomes, breeding)
    piles = np.array([SILVER, GOLD, *range(len(BASIC), len(breeding.kingdom.piles))])
    for number in range(len(genomes)):
        used = piles[bought[number, piles]]
        if not len(used):
            continue
        first, second = rng.choice(used), rng.choice(piles)
        for field in genetics.ORDERS:
            order = genomes[field][number]
            one, two = (order == first).argmax(), (order == second).argmax()
            order[[one, two]] = order[[two, one]]
        limits = genomes["limits"][number]
        limits[[first, second]] = limits[[second, first]]


def swap_blocks(genomes, others, breeding, rng) -> None:
    """Exchange two neighbouring blocks of an order of each genome."""
    for number in range(len(genomes)):
        fields = (("early_order",), ("late_order",), genetics.ORDERS)[rng.integers(3)]
        a, b, c = np.sort(rng.choice(genetics.MOVED_PLACES + 1, size=3, replace=False))
        for field in fields:
            order = genomes[field][number]
            order[a:c] = np.concatenate([order[b:c], order[a:b]])


PHASES = (("early_shape", "early_order", "early_pass"), ("late_shape", "late_order", "late_pass"))


def copy_phase(genomes, others, breeding, rng) -> None:
    """Replace one preference of each genome by its other preference."""
    to_late = rng.random(len(genomes)) < 0.5
    for early, late in zip(*PHASES, strict=True):
        before = genomes[early].copy()
        genomes[early][~to_late] = genomes[late][~to_late]
        genomes[late][to_late] = before[to_late]


PARTS = (
    ("early_shape", "early_order", "early_pass"),
    ("late_shape", "late_order", "late_pass"),
    ("early_shape", "early_order", "early_pass", "limits"),
    ("late_shape", "late_order", "late_pass", "switch", "switch_on", "switch_left"),
    ("switch", "switch_on", "switch_left"),
    ("limits",),
    (*genetics.PLAY_GENES, "class_order"),
    ("estate_left", "duchy_left", "province_coins"),
    ("terminals", "terminal_per"),
)


def take_part(genomes, others, breeding, rng) -> None:
    """Take a part of another genome: a preference, the switch, the limits, the card values or the conditions."""
    if not len(others):
        return
    for number in range(len(genomes)):
        other = others[rng.integers(len(others))]
        for field in PARTS[rng.integers(len(PARTS))]:
            genomes[field][number] = other[field]


def take_card(genomes, others, breeding, rng) -> None:
    """Take a card of another genome: its limit, and its place in both orders."""
    if not len(others):
        return
    sources = others[rng.integers(len(others), size=len(genomes))]
    bought = genetics.is_bought(sources, breeding)
    for number in range(len(genomes)):
        source = sources[number]
        piles = [p for p in range(len(bought[number])) if bought[number, p]]
        if not piles:
            continue
        pile = rng.choice(piles)
        genomes["limits"][number, pile] = source["limits"][pile]
        for field in genetics.ORDERS:
            order = genomes[field][number : number + 1]
            here = (order == pile).argmax(axis=1)
            order[:] = operators.moved(order, here, (source[field][None] == pile).argmax(axis=1))


def drop_card(genomes, others, breeding, rng) -> None:
    """Give a bought kingdom card of each genome the limit 0."""
    bought = genetics.is_bought(genomes, breeding)
    for number in range(len(genomes)):
        used = [p for p in range(len(BASIC), len(bought[number])) if bought[number, p]]
        if used:
            genomes["limits"][number, rng.choice(used)] = 0


def step_limits(genomes, others, breeding, rng) -> None:
    """Change the limits of two bought cards of each genome, in the same or in opposite directions."""
    bought = genetics.is_bought(genomes, breeding)
    for number in range(len(genomes)):
        limits = genomes["limits"][number]
        used = np.flatnonzero(bought[number] & (limits < UNLIMITED) & (limits > 0))
        if len(used) < 2:
            continue
        sign = rng.choice((-1, 1))
        for place, step in zip(rng.permutation(used)[:2], (sign, sign * rng.choice((-1, 1))), strict=True):
            limits[place] = np.clip(int(limits[place]) + step, 1, 12)


PLAN_MOVES: Sequence[tuple[operators.Change, float]] = (
    (exchange_cards, 0.08),
    (swap_blocks, 0.06),
    (copy_phase, 0.02),
    (take_part, 0.08),
    (take_card, 0.08),
    (drop_card, 0.03),
    (step_limits, 0.05),
)
