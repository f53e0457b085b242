"""The emitters of a generation, and the number of genomes that each proposes."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from evodom.evolution.emitters import grammar, imitation
from evodom.evolution.emitters.base import CHILD, CLONE, NO_PARENT, Emitted, Parents, joined
from evodom.evolution.options import MIXED, Options

NewEmitter: TypeAlias = Callable[[Parents | None, int, Options, np.random.Generator], Emitted]
"""An emitter of genomes without parents. In the first generation its ``parents`` are None."""


def emit_random(parents: Parents | None, n: int, options: Options, rng: np.random.Generator) -> Emitted:
    """Return random genomes. In the first generation (``parents`` is None) their shapes are spread evenly."""
    draw = options.genetics.first_genomes if parents is None else options.genetics.random_genomes
    return Emitted.new(draw(n, options, rng))


def emit_mutated_clones(parents: Parents, n: int, options: Options, rng: np.random.Generator) -> Emitted:
    """Return mutated clones of the genomes after the ``n_elite`` best."""
    places = options.n_elite + np.arange(n)
    clones = options.genetics.mutate(parents.ranked[places], options, rng)
    return Emitted(clones, [(CLONE, int(number), NO_PARENT) for number in parents.numbers[places]])


def emit_children(parents: Parents, n: int, options: Options, rng: np.random.Generator) -> Emitted:
    """Return mutated children of pairs of the ``n_parents`` best genomes."""
    genetics, pairs = options.genetics, parent_pairs(n, options.n_parents, rng)
    children = genetics.cross(parents.ranked[pairs[:, 0]], parents.ranked[pairs[:, 1]], options, rng)
    origins = [(CHILD, int(parents.numbers[fitter]), int(parents.numbers[other])) for fitter, other in pairs]
    return Emitted(genetics.mutate(children, options, rng), origins)


def parent_pairs(n_pairs: int, n_parents: int, rng: np.random.Generator) -> npt.NDArray[np.intp]:
    """Draw pairs of ranks below ``n_parents``, an even number: (n_pairs, 2), the fitter parent first.

    All parents are used once before any parent is used twice.
    """
    n_rounds = -(-2 * n_pairs // n_parents)
    rounds = [rng.permutation(n_parents) for _ in range(n_rounds)]
    pairs = np.concatenate([*rounds, np.zeros(0, np.intp)]).astype(np.intp).reshape(-1, 2)[:n_pairs]
    return np.sort(pairs, axis=1)


NEW_EMITTERS: Sequence[tuple[NewEmitter, float]] = ((emit_random, 0.1), (grammar.emit, 0.7), (imitation.emit, 0.2))
"""Emitters of new genomes, and the share of each if ``options.start`` is MIXED. Otherwise `emit_random` emits all."""


def emit_new(parents: Parents | None, n: int, options: Options, rng: np.random.Generator) -> Emitted:
    """Return ``n`` new genomes."""
    rows = NEW_EMITTERS if options.start == MIXED else NEW_EMITTERS[:1]
    ends = np.rint(np.cumsum([share for _, share in rows]) / sum(share for _, share in rows) * n).astype(int)
    sizes = np.diff(ends, prepend=0).tolist()
    return joined([emit(parents, size, options, rng) for (emit, _), size in zip(rows, sizes, strict=True)])


def emit_all(parents: Parents, n_unchanged: int, options: Options, rng: np.random.Generator) -> Emitted:
    """Return the genomes that join ``n_unchanged`` genomes of the last generation in the next generation."""
    n_mutated = max(options.n_clones - n_unchanged, 0)
    n_new = options.n_strategies - n_unchanged - n_mutated - options.n_offspring
    parts = ((emit_mutated_clones, n_mutated), (emit_children, options.n_offspring), (emit_new, n_new))
    return joined([emit(parents, n, options, rng) for emit, n in parts])
