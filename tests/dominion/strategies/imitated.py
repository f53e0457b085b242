"""Statistics of a teacher's gains, which genomes imitate."""

import numpy as np

from evodom.dominion.kingdom import Kingdom
from evodom.matches.gains import GainStatistics

imitated_kingdom = Kingdom(("Chapel", "Laboratory", "Militia", "Village", "Smithy"))

GAINS = {
    "Province": (4.2, 6, 0), "Gold": (3.0, 9, 0), "Laboratory": (3.1, 9, 0.1), "Duchy": (1.0, 4, 0),
    "Militia": (1.0, 20, 0.8), "Silver": (1.0, 20, 0.6), "Chapel": (1.0, 20, 0.9),
}  # fmt: skip
"""Gains by card, the most preferred first: per game, gains to the end, in the opening."""


def _statistics() -> GainStatistics:
    n = 17
    figures, prefers = np.zeros((3, n)), np.zeros((n, n))
    order = [imitated_kingdom.pile(name) for name in GAINS]
    for place, (pile, values) in enumerate(zip(order, GAINS.values(), strict=True)):
        figures[:, pile] = values
        prefers[pile, order[place + 1 :]] = 1
    return GainStatistics(*figures, prefers)


IMITATED = _statistics()
