"""The emitters of a generation, and how many genomes each proposes."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from evodom.evolution.emitters import crossover, grammar, imitation, kicks, random
from evodom.evolution.emitters.base import Emitted, Parents, joined
from evodom.evolution.options import MIXED, Options

NewEmitter: TypeAlias = Callable[[Parents | None, int, Options, np.random.Generator], Emitted]
"""An emitter of new genomes, which has no parents in the first generation."""

NEW_EMITTERS: Sequence[tuple[NewEmitter, float]] = ((random.emit, 0.1), (grammar.emit, 0.7), (imitation.emit, 0.2))
"""The emitters of new genomes with ``options.start`` MIXED, and their shares. Otherwise all are random."""


def emit_new(parents: Parents | None, n: int, options: Options, rng: np.random.Generator) -> Emitted:
    """Return ``n`` new genomes."""
    rows = NEW_EMITTERS if options.start == MIXED else NEW_EMITTERS[:1]
    ends = np.rint(np.cumsum([share for _, share in rows]) / sum(share for _, share in rows) * n).astype(int)
    sizes = np.diff(ends, prepend=0).tolist()
    return joined([emit(parents, size, options, rng) for (emit, _), size in zip(rows, sizes, strict=True)])


def emit_all(parents: Parents, n_unchanged: int, options: Options, rng: np.random.Generator) -> Emitted:
    """Return the genomes of a generation that has ``n_unchanged`` genomes of the last one."""
    n_kicks = max(options.n_clones - n_unchanged, 0)
    n_new = options.n_strategies - n_unchanged - n_kicks - options.n_offspring
    parts = ((kicks.emit, n_kicks), (crossover.emit, options.n_offspring), (emit_new, n_new))
    return joined([emit(parents, n, options, rng) for emit, n in parts])
