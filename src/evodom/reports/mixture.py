"""The mixture of lines in the report of a run of evolution."""

from dataclasses import dataclass

from evodom.evolution.archive import Archive
from evodom.evolution.cells import AMOUNT_LABELS, TREASURE_LABELS
from evodom.evolution.mixtures import MIXTURE
from evodom.evolution.runs import mixed_genomes
from evodom.runs import Generation, Run


@dataclass(frozen=True, slots=True)
class MixedLine:
    """A line in the mixture: its rank and weight, its deck's Actions and Treasures, its estimated win rate in races."""

    rank: int
    weight: float
    actions: str
    treasures: str
    win_rate: float


def mixture_in(run: Run, generation: Generation) -> list[MixedLine]:
    """Return the lines in a generation's mixture, best first; [] without a mixture."""
    lines, found = Archive.of(generation.summary).lines, []
    for rank, number in mixed_genomes(run, generation).items():
        line, weight = lines[number], generation.summary[MIXTURE][str(number)]
        actions, treasures = divmod(line.cell, len(TREASURE_LABELS))
        labels = AMOUNT_LABELS[actions], TREASURE_LABELS[treasures]
        found.append(MixedLine(rank, weight, *labels, line.strength))
    return found
