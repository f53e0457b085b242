"""Trace the champion's line of ancestors through the origins that are saved with each generation."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from evodom.evolution.emitters import KINDS, NEW, NO_PARENT, ORIGINS
from evodom.runs import Generation


@dataclass(frozen=True, slots=True)
class Ancestor:
    """One strategy of the line of ancestors: its rank in its generation (1 is best), its kind (one of KINDS), and the
    fields that differ from its parent. ``island`` is the number of its island from 0, or None without islands."""

    generation: int
    rank: int
    kind: str
    changed: list[str]
    island: int | None = None


@dataclass(frozen=True, slots=True)
class Lineage:
    """The champion's line of ancestors, youngest first, back to a new strategy. It follows the fitter of two parents.

    ``n_ancestors`` has the number of the champion's ancestors in each generation from ``first`` on. ``first`` is the
    earliest generation that the run keeps whole; the line ends there too. With islands, a step is a round, the kind is
    the event of the round, and ``n_ancestors`` is empty because other ancestors are not saved. ``steps`` has the number
    of steps of each kind.
    """

    line: list[Ancestor]
    n_ancestors: list[int]
    first: int = 0
    steps: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        counts = Counter(ancestor.kind for ancestor in self.line)
        object.__setattr__(self, "steps", {kind: counts[kind] for kind in KINDS if counts[kind]})

    @property
    def beginning(self) -> str:
        """The origin of the line as text."""
        oldest = self.line[-1]
        if oldest.kind == NEW:
            return f"a new strategy of {self.unit} {oldest.generation}"
        return f"{self.unit} {oldest.generation}, the earliest with all strategies saved"

    @property
    def unit(self) -> str:
        """The unit of a step: "generation", or "round" with islands."""
        return "generation" if self.line[0].island is None else "round"

    @property
    def island_stays(self) -> list[tuple[int, int, int]]:
        """The islands of the line, oldest first: the island, and the first and the last round there."""
        island_stays: list[tuple[int, int, int]] = []
        for one in reversed(self.line):
            if one.island is None:
                return []
            if island_stays and island_stays[-1][0] == one.island:
                island_stays[-1] = one.island, island_stays[-1][1], one.generation
            else:
                island_stays.append((one.island, one.generation, one.generation))
        return island_stays


def trace(generation: Callable[[int], Generation], last: int, size: int | None = None) -> Lineage:
    """Return the lineage of the best genome of generation ``last``.

    The lineage ends at the earliest whole generation. ``size`` is the size of an island, None without islands.
    """
    youngest = generation(last)
    present, index = youngest, int(youngest.ranking[0])
    ancestors, on_line = {index}, True
    line: list[Ancestor] = []
    counts: list[int] = []
    while True:
        counts.append(len(ancestors))
        origins = present.columns[ORIGINS].tolist()
        before = _before(generation, present)
        if on_line:
            kind, parent = _fitter_parent(origins[index], before)
            changed = [] if before is None or parent is None else _changed(present, index, before, parent)
            island = None if size is None else index // size
            line.append(Ancestor(present.index, _rank(present, index), kind, changed, island))
            on_line, index = parent is not None, index if parent is None else parent
        if before is None:
            return Lineage(line, counts[::-1] if size is None else [], present.index)
        ancestors = {parent for child in ancestors for parent in origins[child][1:] if parent >= 0}
        present = before


def _before(generation: Callable[[int], Generation], present: Generation) -> Generation | None:
    """Return the generation before ``present``; None if there is none or it is not whole."""
    if present.index == 0:
        return None
    before = generation(present.index - 1)
    return before if len(before.genomes) == len(present.genomes) else None


def _fitter_parent(origin: tuple[str, int, int], before: Generation | None) -> tuple[str, int | None]:
    """Return a genome's kind and the index of its better ranked parent, None without parents."""
    kind, *parents = origin
    if before is None:
        return kind, None
    known = [parent for parent in parents if parent != NO_PARENT]
    return kind, min(known, key=lambda parent: _rank(before, parent)) if known else None


def _rank(generation: Generation, index: int) -> int:
    return 1 + int(np.flatnonzero(generation.ranking == index)[0])


def _changed(child: Generation, index: int, before: Generation, parent: int) -> list[str]:
    """Return the names of the fields that differ between two genomes, with blanks for underscores."""
    new, old = child.genomes[index], before.genomes[parent]
    fields = [name for name in new.dtype.names or () if name in (old.dtype.names or ())]
    return [name.replace("_", " ") for name in fields if new[name].tobytes() != old[name].tobytes()]
