"""Where the champion comes from: its line of ancestors, read from the origins saved with each generation."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from evodom.store import Generation

ORIGINS = "origins"
"""The entry of a generation's summary: for each genome its kind and the indices of its parents, or -1."""

KINDS = ("elite", "clone", "child", "new")
"""Unchanged, a mutated copy, of two parents, and drawn anew."""


@dataclass(frozen=True, slots=True)
class Ancestor:
    """One strategy of the line: its place in its generation's ranking, 1 the best, how it came about, and which parts
    of it differ from the ancestor before."""

    generation: int
    rank: int
    kind: str
    changed: list[str]


@dataclass(frozen=True, slots=True)
class Lineage:
    """The champion's line, youngest first, down to one that was drawn at random; of two parents the fitter one.

    ``n_ancestors`` counts, by generation from the first, all of its strategies that the champion descends from.
    """

    line: list[Ancestor]
    n_ancestors: list[int]


def trace(generation: Callable[[int], Generation], last: int) -> Lineage | None:
    """Return the lineage of the best of generation ``last``; None for a run whose generations tell no origins."""
    youngest = generation(last)
    present, index = youngest, int(youngest.ranking[0])
    ancestors, on_line = {index}, True
    line: list[Ancestor] = []
    counts: list[int] = []
    while True:
        counts.append(len(ancestors))
        origins = _origins(present)
        if origins is None and present.index > 0:
            return None
        before = generation(present.index - 1) if present.index > 0 else None
        if on_line:
            kind, parent = _fitter_parent(origins, index, before)
            changed = [] if before is None or parent is None else _changed(present, index, before, parent)
            line.append(Ancestor(present.index, _rank(present, index), kind, changed))
            on_line, index = parent is not None, index if parent is None else parent
        if before is None:
            return Lineage(line, counts[::-1])
        assert origins is not None
        ancestors = {parent for child in ancestors for parent in origins[child][1:] if parent >= 0}
        present = before


def _origins(generation: Generation) -> list[Any] | None:
    """Return the origins of a generation's genomes; None if it has none, or not one for each."""
    origins = generation.summary.get(ORIGINS)
    usable = isinstance(origins, list) and len(origins) == len(generation.genomes)
    return origins if usable else None


def _fitter_parent(origins: list[Any] | None, index: int, before: Generation | None) -> tuple[str, int | None]:
    """Return how a genome came about and its parent, of two the one that ranked better; None for one drawn anew."""
    if origins is None or before is None:
        return "new", None
    kind, *parents = origins[index]
    known = [int(parent) for parent in parents if parent >= 0]
    return str(kind), min(known, key=lambda parent: _rank(before, parent)) if known else None


def _rank(generation: Generation, index: int) -> int:
    return 1 + int(np.flatnonzero(generation.ranking == index)[0])


def _changed(child: Generation, index: int, before: Generation, parent: int) -> list[str]:
    """Return the fields in which two genomes differ, in words."""
    new, old = child.genomes[index], before.genomes[parent]
    fields = [name for name in new.dtype.names or () if name in (old.dtype.names or ())]
    return [name.replace("_", " ") for name in fields if new[name].tobytes() != old[name].tobytes()]
