"""Changes of a buy list for local search, and their table CHANGES.

Small changes concern a rule, a limit, a condition or a play value. Changes of the plan concern a card in all rules, two
limits, or a block of rules. Each change applies to all lists of an array, in place.
"""

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import COPPER, CURSE_PILE
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies import operators, play_genes
from evodom.dominion.strategies.base import Change, Genomes
from evodom.dominion.strategies.breeding import Breeding
from evodom.dominion.strategies.models.buy_lists import genetics
from evodom.dominion.strategies.record import UNLIMITED

# Small changes.


def insert_rule(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Insert a random rule at a random place among the rules in use. It replaces an unused rule, or the last rule."""
    n = len(genomes)
    rows, in_use = np.arange(n), genomes["at_most"] > 0
    # Unused rules go to the end, so that the inserted rule replaces one of them.
    genetics.reorder(genomes, np.argsort(~in_use, axis=1, kind="stable"))
    targets = rng.integers(np.minimum(in_use.sum(axis=1) + 1, genetics.N_RULES))
    # The last rule moves to the target. Rules from the target on shift by one.
    places = np.tile(np.arange(genetics.N_RULES), (n, 1))
    places = np.where(_mask_of_places(targets), genetics.N_RULES - 1, places - (places > targets[:, None]))
    genetics.reorder(genomes, places)
    for field in ("kind", "argument", "bound"):
        genomes[field][rows, targets] = 0
    genomes["pile"][rows, targets] = _random_piles(breeding.kingdom, n, rng)
    genomes["at_most"][rows, targets] = np.where(rng.random(n) < 0.5, UNLIMITED, rng.choice([1, 1, 2, 3, 4, 6], size=n))
    genetics.draw_conditions(genomes, _mask_of_places(targets), breeding.kingdom, rng)


def delete_rule(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Delete a random rule of each list."""
    genomes["at_most"][np.arange(len(genomes)), _random_rules(genomes, rng)] = 0


def move_rule(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Move a random rule of each list to another place."""
    genetics.move_rules(genomes, 1.0, rng)


def replace_card(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Replace the card of a random rule of each list."""
    piles = _random_piles(breeding.kingdom, len(genomes), rng)
    genomes["pile"][np.arange(len(genomes)), _random_rules(genomes, rng)] = piles


def step_limit(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Move the limit of a random rule of each list by one or two, or redraw it."""
    rows, places = np.arange(len(genomes)), _random_rules(genomes, rng)
    limits = genomes["at_most"][rows, places].astype(int)
    stepped = np.clip(limits + rng.choice([-2, -1, -1, 1, 1, 2], size=len(rows)), 1, UNLIMITED)
    redrawn = rng.choice([1, 2, 3, 5, UNLIMITED, UNLIMITED], size=len(rows))
    genomes["at_most"][rows, places] = np.where((limits == UNLIMITED) | (rng.random(len(rows)) < 0.4), redrawn, stepped)


def step_bound(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Move the bound of a random condition of each list. A list without conditions gets one."""
    present = ((genomes["kind"] != genetics.NONE) & (genomes["at_most"] > 0)[..., None]).reshape(len(genomes), -1)
    n_present = present.sum(axis=1)
    # Choose condition number `nth` of each list, from 0. Lists without conditions have no choice.
    nth = rng.integers(np.maximum(n_present, 1))
    chosen = present & (np.cumsum(present, axis=1) == nth[:, None] + 1)
    rows, places = np.nonzero(chosen)
    step = rng.choice([-3, -2, -1, -1, 1, 1, 2, 3], size=len(rows))
    numbers = genomes["bound"].reshape(len(genomes), -1)
    numbers[rows, places] = np.clip(numbers[rows, places].astype(int) + step, 0, genetics.MAX_BOUND)
    genomes["bound"] = numbers.reshape(genomes["bound"].shape)
    without = n_present == 0
    if without.any():
        part = genomes[without]
        redraw_condition(part, breeding, rng)
        genomes[without] = part


def redraw_condition(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Redraw a condition of a random rule of each list, or remove it with probability 1/3."""
    genetics.draw_conditions(genomes, _mask_of_places(_random_rules(genomes, rng)), breeding.kingdom, rng)


def change_play(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Redraw a play value of each list."""
    play_genes.change_play(genomes, genetics.cards_of(genomes), breeding, rng)


def _mask_of_places(places: npt.NDArray[np.integer]) -> npt.NDArray[np.bool_]:
    """Return a mask (n, N_RULES) that is True at a place of each list."""
    mask: npt.NDArray[np.bool_] = np.arange(genetics.N_RULES) == places[:, None]
    return mask


def _random_piles(kingdom: Kingdom, n: int, rng: np.random.Generator) -> npt.NDArray[np.intp]:
    """Return ``n`` random piles without Curses and Coppers."""
    wanted = np.array([pile for pile in range(len(kingdom.piles)) if pile not in (CURSE_PILE, COPPER)])
    return wanted[rng.integers(len(wanted), size=n)]


def _random_rules(genomes: Genomes, rng: np.random.Generator) -> npt.NDArray[np.intp]:
    """Return the place of a random rule in use of each list. A list without rules returns 0."""
    in_use = genomes["at_most"] > 0
    nth = rng.integers(np.maximum(in_use.sum(axis=1), 1))
    places: npt.NDArray[np.intp] = np.argmax(np.cumsum(in_use, axis=1) > nth[:, None], axis=1)
    return places


# Changes of the plan.


def replace_card_everywhere(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Replace a card of each list by another in all rules and conditions."""
    counted = genetics.is_of_card(genomes)
    for number, new in enumerate(_random_piles(breeding.kingdom, len(genomes), rng)):
        piles, arguments = genomes["pile"][number], genomes["argument"][number]
        used = piles[genomes["at_most"][number] > 0]
        if len(used):
            old = rng.choice(np.unique(used))
            piles[piles == old] = new
            arguments[counted[number] & (arguments == old)] = new


def drop_card(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Delete all rules for a card of each list."""
    for limits, piles in zip(genomes["at_most"], genomes["pile"], strict=True):
        used = np.unique(piles[limits > 0])
        if len(used):
            limits[piles == rng.choice(used)] = 0


def step_two_limits(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Raise or lower the limits of two rules of each list by 1."""
    for limits in genomes["at_most"]:
        operators.step_two(limits, np.flatnonzero((limits > 0) & (limits < UNLIMITED)), rng)


def swap_blocks(genomes: Genomes, breeding: Breeding, rng: np.random.Generator) -> None:
    """Exchange two neighbouring blocks of rules of each list."""
    for number in range(len(genomes)):
        rules = operators.with_swapped_blocks(genetics.rules_in_use(genomes[number]), rng)
        genetics.set_rules(genomes[number : number + 1], rules)


CHANGES = (
    Change(insert_rule, 0.25),
    Change(delete_rule, 0.08),
    Change(move_rule, 0.17),
    Change(replace_card, 0.08),
    Change(step_limit, 0.12),
    Change(step_bound, 0.15),
    Change(redraw_condition, 0.15),
    Change(change_play, 0.05),
    Change(replace_card_everywhere, 0.06),
    Change(drop_card, 0.03),
    Change(step_two_limits, 0.05),
    Change(swap_blocks, 0.06),
)
"""The changes of local search."""
