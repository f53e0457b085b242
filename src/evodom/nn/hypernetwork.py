"""Compute rows of weights from named traits. The hypernetworks of all games use this module.

Each trait has a row of weights. The row of a card, a feature or a move is the sum of the rows of its traits, each times
the trait's amount. So similar cards share weights.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Traits = dict[str, float]
"""Amounts of traits by name, about -1 to 1. The amount of an absent trait is 0."""

Vector = npt.NDArray[np.float32]


@dataclass(frozen=True)
class RowSums:
    """Rows that are weighted sums of trait rows. `traits` and `amounts` of row n begin at index `begins[n]`."""

    begins: npt.NDArray[np.int64]
    traits: npt.NDArray[np.int64]
    amounts: Vector

    @classmethod
    def of(cls, rows: Iterable[Traits], trait_numbers: Mapping[str, int]) -> "RowSums":
        """Build the sums from the traits of each row. Ignore unknown traits. A row without traits is 0."""
        traits: list[int] = []
        amounts: list[float] = []
        begins = []
        for row in rows:
            begins.append(len(traits))
            traits.append(0)  # an entry of amount 0, because `np.add.reduceat` cannot sum an empty row
            amounts.append(0.0)
            for name, amount in row.items():
                if amount and name in trait_numbers:
                    traits.append(trait_numbers[name])
                    amounts.append(amount)
        return cls(np.array(begins, np.int64), np.array(traits, np.int64), np.array(amounts, np.float32))

    def rows(self, weights: Vector) -> Vector:
        """Return the rows, (n, width) float32, for the weights of the traits, (n_traits, width)."""
        found: Any = np.add.reduceat(weights[self.traits] * self.amounts[:, None], self.begins)
        return np.asarray(found, np.float32)
