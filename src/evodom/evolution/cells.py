"""Cells: 18 kinds of decks, by their numbers of Actions, Treasures and Coppers.

The archive keeps the best genomes of each cell (`archive`). Use `cells_of` to find the cells of decks.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import ACTION, COPPER, TREASURE
from evodom.dominion.kingdom import Kingdom

MAX_FEW = 3.5  # Upper bound of the mean number of Actions, or of Treasures without Coppers, that counts as few.
MAX_SOME = 7.5  # Upper bound of the mean number that counts as some. Higher numbers count as many.

MAX_THIN_COPPERS = 3.5
"""Upper bound of the mean number of Coppers in a thin deck."""

N_AMOUNTS = 3
"""Number of amounts: few, some, many."""

N_CELLS = N_AMOUNTS * N_AMOUNTS * 2

AMOUNT_LABELS = ("0-3", "4-7", "8+")
"""Labels of the amounts in reports."""

TREASURE_LABELS = tuple(f"{amount}{' thin' * thin}" for amount in AMOUNT_LABELS for thin in range(2))
"""Labels of the six cells with one amount of Actions, in their order. They name the amount of Treasures, and "thin"."""

Cells = npt.NDArray[np.int64]
Decks = npt.NDArray[np.float64]
"""Mean cards owned at the end of a game, (n, N_MODEL_PILES)."""


def cells_of(decks: Decks, kingdom: Kingdom) -> Cells:
    """Return the cells of decks, (n,), from 0 to 17."""

    def amount(counts: Decks) -> Cells:
        return np.digitize(counts, (MAX_FEW, MAX_SOME))

    actions = decks[:, kingdom.piles_where(lambda card: card.types & ACTION)].sum(axis=1)
    treasures = decks[:, kingdom.piles_where(lambda card: card.types & TREASURE)].sum(axis=1) - decks[:, COPPER]
    is_thin = decks[:, COPPER] < MAX_THIN_COPPERS
    return (amount(actions) * N_AMOUNTS + amount(treasures)) * 2 + is_thin


def best_of_cells(ranking: Sequence[int], cells: Cells) -> list[int]:
    """Return the best genome of each cell, in the order of the ranking."""
    found: dict[int, int] = {}
    for number in ranking:
        found.setdefault(int(cells[number]), int(number))
    return list(found.values())
