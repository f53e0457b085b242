"""Rows of weights from named traits: the part that the hypernetworks of all games share.

A trait is a column with a row of weights. The row of a card, a feature or a move is the sum of the rows of its traits,
each times the trait's amount. So similar cards share weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Traits = dict[str, float]
"""Amounts by name, about -1 to 1; absent names are 0."""

Vector = npt.NDArray[np.float32]


@dataclass(frozen=True)
class RowSums:
    """Rows that are weighted sums of columns. Row n has `columns` and `amounts` from index `begins[n]` on."""

    begins: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int64]
    amounts: Vector

    @classmethod
    def of(cls, rows: Iterable[Traits], places: Mapping[str, int]) -> RowSums:
        """Build the sums from columns by name. Unknown columns are ignored; an empty row is 0."""
        columns: list[int] = []
        amounts: list[float] = []
        begins = []
        for row in rows:
            begins.append(len(columns))
            columns.append(0)
            amounts.append(0.0)
            for name, amount in row.items():
                if amount and name in places:
                    columns.append(places[name])
                    amounts.append(amount)
        return cls(np.array(begins, np.int64), np.array(columns, np.int64), np.array(amounts, np.float32))

    def rows(self, weights: Vector) -> Vector:
        """Return the rows, (n, width) float32, for the weights of the columns, (columns, width)."""
        found: Any = np.add.reduceat(weights[self.columns] * self.amounts[:, None], self.begins)
        return np.asarray(found, np.float32)
