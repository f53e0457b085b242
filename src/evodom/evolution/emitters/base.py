"""Types of emitters: the parents of a generation, and the proposed genomes with their origins.

The kinds of origins:

- ELITE: an unchanged copy of a genome.
- IMPROVED: a copy that local search has changed.
- CLONE: a mutated copy.
- CHILD: a child of two parents.
- NEW: a genome without parents: random, a deck of the grammar, or an imitation.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evodom.dominion.strategies.base import Genomes
from evodom.matches.tournament import Order

KINDS = ELITE, IMPROVED, CLONE, CHILD, NEW = "elite", "improved", "clone", "child", "new"
"""Kinds of origins. `islands` calls a later kind a larger change."""

NO_PARENT = -1

ORIGINS = "origins"
"""Key of a summary with the origin of each genome."""

Origin = tuple[str, int, int]
"""Origin of a genome: its kind, and the index of each of two parents in the generation before, or NO_PARENT."""


@dataclass(frozen=True)
class Parents:
    """The last generation: its genomes from best to worst, and the index of each in its population."""

    ranked: Genomes
    numbers: Order


class Emitted(NamedTuple):
    """Genomes with their origins."""

    genomes: Genomes
    origins: list[Origin]

    @classmethod
    def new(cls, genomes: Genomes) -> "Emitted":
        """Return genomes without parents."""
        return cls(genomes, [(NEW, NO_PARENT, NO_PARENT)] * len(genomes))


def joined(parts: "list[Emitted]") -> Emitted:
    """Return the genomes of several emitters as one array, in order."""
    return Emitted(
        np.concatenate([part.genomes for part in parts]), [origin for part in parts for origin in part.origins]
    )
