"""The parents of a generation, and what emitters return."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evodom.dominion.strategies.base import Genomes
from evodom.evolution.origins import NEW, NO_PARENT, Origin
from evodom.matches.tournament import Order


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
