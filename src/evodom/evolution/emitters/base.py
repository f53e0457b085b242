"""The parents of a generation, what emitters return, and the origin of each genome."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evodom.dominion.strategies.base import Genomes
from evodom.matches.tournament import Order

KINDS = ELITE, IMPROVED, CLONE, CHILD, NEW = "elite", "improved", "clone", "child", "new"
"""Kinds of genomes: an unchanged copy, a copy improved by local search, a mutated copy, a child of two parents, and a
new genome. New genomes are random, decks of a grammar, or imitations.
"""

NO_PARENT = -1

ORIGINS = "origins"
"""Entry of a summary with the origin of each genome."""

Origin = tuple[str, int, int]
"""Origin of a genome: its kind, and the indices of its two parents in the generation before, or NO_PARENT."""


@dataclass(frozen=True)
class Parents:
    """The last generation: its genomes from best to worst, and the number of each in its population."""

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
    """Return all genomes of several emitters in order."""
    return Emitted(
        np.concatenate([part.genomes for part in parts]), [origin for part in parts for origin in part.origins]
    )
