"""Emitters: functions that propose genomes.

An emitter of genomes without parents is called as `emit(parents, n, options, rng)` and returns `n` genomes with their
origins. Its result depends only on its arguments. To add an emitter, write such a function and pass `Evolution` a list
of `(emitter, share)`.

The kinds of origins:

- ELITE: an unchanged copy of a genome.
- IMPROVED: a copy that local search has changed.
- CLONE: a mutated copy.
- CHILD: a child of two parents.
- NEW: a genome without parents: random, a deck of the grammar, or an imitation.

Imitations buy like strong strategies, the *teachers*: the shipped network (`networks.shipped`), if it can be
used in the kingdom, and the strongest training baselines. Agreement with a teacher is a poor measure of
strength. So matches select among the imitations.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import inf
from typing import NamedTuple, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import Genomes
from evodom.dominion.strategies.baselines import TRAINING_OPPONENTS, baseline
from evodom.dominion.strategies.models.networks.model import network_strategy
from evodom.dominion.strategies.models.networks.shipped import usable_weights
from evodom.dominion.strategies.record import Strategy
from evodom.errors import UsageError, short
from evodom.evolution.grammar import random_decks
from evodom.evolution.options import MIXED, Options
from evodom.matches.gains import GainStatistics, gain_statistics, imitations
from evodom.matches.seating import game_seeds
from evodom.matches.tournament import Order, strongest_baselines
from evodom.matches.venue import Venue

KINDS = ELITE, IMPROVED, CLONE, CHILD, NEW = "elite", "improved", "clone", "child", "new"
"""Kinds of origins, from the smallest change to the largest. `islands` uses this order."""

NO_PARENT = -1

ORIGINS = "origins"
"""Column of a generation with the origin of each genome."""

ORIGIN = np.dtype([("kind", "<U8"), ("parent", "<i4"), ("other", "<i4")])
"""Origin of a genome: its kind, and the index of each of two parents in the generation before, or NO_PARENT."""

Origins = npt.NDArray[np.void]

N_BASELINES = 3
"""Number of training baselines that are imitated."""

NETWORK_SHARE = 0.5
"""Share of the imitations whose teacher is the network, if the network can be used."""

TEACHER_GAMES = 200
"""Games of each teacher against copies of itself."""

TEACHERS_SEED = 0


@dataclass(frozen=True)
class Parents:
    """The last generation: its genomes from best to worst, and the index of each in its population."""

    ranked: Genomes
    indices: Order


class Emitted(NamedTuple):
    """Genomes with their origins, an array of ORIGIN."""

    genomes: Genomes
    origins: Origins

    @classmethod
    def of(
        cls, genomes: Genomes, kind: str = NEW, parents: npt.ArrayLike = NO_PARENT, others: npt.ArrayLike = NO_PARENT
    ) -> Self:
        """Return genomes with the indices of their parents. By default they have none."""
        origins = np.empty(len(genomes), ORIGIN)
        origins["kind"], origins["parent"], origins["other"] = kind, parents, others
        return cls(genomes, origins)


def joined(parts: Sequence[Emitted]) -> Emitted:
    """Return the genomes of several emitters as one array, in order."""
    genomes, origins = zip(*parts, strict=True)
    return Emitted(np.concatenate(genomes), np.concatenate(origins))


NewEmitter: TypeAlias = Callable[[Parents | None, int, Options, np.random.Generator], Emitted]
"""An emitter of genomes without parents. In the first generation its ``parents`` are None."""


def emit_random(parents: Parents | None, n: int, options: Options, rng: np.random.Generator) -> Emitted:
    """Return random genomes. Those of the first generation (``parents`` is None) are spread evenly."""
    draw = options.genetics.first_genomes if parents is None else options.genetics.random_genomes
    return Emitted.of(draw(n, options, rng))


def emit_decks(parents: Parents | None, n: int, options: Options, rng: np.random.Generator) -> Emitted:
    """Return genomes of random decks of the grammar."""
    return Emitted.of(random_decks(n, options, rng))


def emit_imitations(parents: Parents | None, n: int, options: Options, rng: np.random.Generator) -> Emitted:
    """Return genomes that imitate the gains of the teachers. Each teacher has its share of the genomes."""
    teachers = teacher_gains(options.kingdom, options.players)
    sizes = part_sizes(np.cumsum([share for share, _ in teachers]), n)
    plans = [
        plan
        for (_, stats), size in zip(teachers, sizes, strict=True)
        for plan in imitations(stats, size, options.kingdom, rng)
    ]
    return Emitted.of(options.genetics.from_plans(plans, options, rng))


Emitters: TypeAlias = Sequence[tuple[NewEmitter, float]]
"""Emitters of genomes without parents, and the share of each."""

MIXED_EMITTERS: Emitters = ((emit_random, 0.1), (emit_decks, 0.7), (emit_imitations, 0.2))


def checked_emitters(emitters: Emitters) -> Emitters:
    """Return emitters. Raise UsageError unless they are pairs of a function and its share."""
    pairs = emitters if isinstance(emitters, Sequence) else ()
    shares = [
        share
        for emit, share in (pair for pair in pairs if isinstance(pair, tuple) and len(pair) == 2)
        if callable(emit) and isinstance(share, int | float) and 0 <= share < inf
    ]
    if len(shares) < len(pairs) or not sum(shares):
        allowed = "pairs of a function emit(parents, n, options, rng) and its share, such as [(emit, 1.0)]"
        raise UsageError(f"emitters is {short(emitters)}. Allowed: {allowed}.")
    return emitters


def default_emitters(options: Options) -> Emitters:
    """Return MIXED_EMITTERS, or random genomes alone, by the option ``start``."""
    return MIXED_EMITTERS if options.start == MIXED else ((emit_random, 1.0),)


def part_sizes(ends: npt.ArrayLike, n: int) -> list[int]:
    """Divide ``n`` genomes into parts and return their sizes. Part i ends at ``ends[i] * n``, rounded."""
    sizes: list[int] = np.diff(np.rint(np.asarray(ends) * n).astype(int), prepend=0).tolist()
    return sizes


@cache
def teacher_gains(kingdom: Kingdom, players: int) -> tuple[tuple[float, GainStatistics], ...]:
    """Return for each teacher its share of the imitations, and statistics of its gains.

    The gains are those of games against copies of itself, always with the same seed.
    """
    venue, seeds = Venue(kingdom, players), game_seeds(np.random.SeedSequence(TEACHERS_SEED), TEACHER_GAMES)
    return tuple(
        (share, gain_statistics(venue, teacher, seeds)) for share, teacher in weighted_teachers(kingdom, players)
    )


def weighted_teachers(kingdom: Kingdom, players: int) -> list[tuple[float, Strategy]]:
    """Return the network and the baselines, each with its share of the imitations. The shares sum to 1."""
    names = strongest_baselines(kingdom, players, N_BASELINES, among=TRAINING_OPPONENTS)
    weights = usable_weights(kingdom)
    network_share = 0.0 if weights is None else NETWORK_SHARE
    networks = [] if weights is None else [(network_share, network_strategy(weights, kingdom))]
    return networks + [((1.0 - network_share) / len(names), baseline(name, kingdom)) for name in names]


def emit_mutated_clones(parents: Parents, n: int, options: Options, rng: np.random.Generator) -> Emitted:
    """Return mutated clones of the genomes after the ``n_elite`` best."""
    places = options.n_elite + np.arange(n)
    return Emitted.of(options.genetics.mutate(parents.ranked[places], options, rng), CLONE, parents.indices[places])


def emit_children(parents: Parents, n: int, options: Options, rng: np.random.Generator) -> Emitted:
    """Return mutated children of pairs of the ``n_parents`` best genomes."""
    genetics, (fitter, other) = options.genetics, parent_pairs(n, options.n_parents, rng).T
    children = genetics.cross(parents.ranked[fitter], parents.ranked[other], options, rng)
    return Emitted.of(genetics.mutate(children, options, rng), CHILD, parents.indices[fitter], parents.indices[other])


def parent_pairs(n_pairs: int, n_parents: int, rng: np.random.Generator) -> npt.NDArray[np.intp]:
    """Draw pairs of ranks below ``n_parents``, an even number: (n_pairs, 2), the fitter parent first.

    All parents are used once before any parent is used twice.
    """
    n_rounds = -(-2 * n_pairs // n_parents)
    rounds = [rng.permutation(n_parents) for _ in range(n_rounds)]
    pairs = np.concatenate([*rounds, np.zeros(0, np.intp)]).astype(np.intp).reshape(-1, 2)[:n_pairs]
    return np.sort(pairs, axis=1)


def emit_new(
    emitters: Emitters, parents: Parents | None, n: int, options: Options, rng: np.random.Generator
) -> Emitted:
    """Return ``n`` genomes without parents. Raise UsageError for an emitter that returns another number."""
    ends = np.cumsum([share for _, share in emitters]) / sum(share for _, share in emitters)
    parts = []
    for (emit, _), size in zip(emitters, part_sizes(ends, n), strict=True):
        found = emit(parents, size, options, rng)
        if not isinstance(found, Emitted) or len(found.genomes) != size:
            allowed = f"Emitted.of(genomes) of {size} genomes"
            raise UsageError(f"an emitter returned {short(found)} for {size} genomes. Allowed: {allowed}.")
        parts.append(found)
    return joined(parts)


def emit_all(
    emitters: Emitters, parents: Parents, n_unchanged: int, options: Options, rng: np.random.Generator
) -> Emitted:
    """Return the genomes of the next generation, except the ``n_unchanged`` copies of the last generation."""
    n_mutated = max(options.n_clones - n_unchanged, 0)
    n_new = options.n_strategies - n_unchanged - n_mutated - options.n_offspring
    return joined(
        [
            emit_mutated_clones(parents, n_mutated, options, rng),
            emit_children(parents, options.n_offspring, options, rng),
            emit_new(emitters, parents, n_new, options, rng),
        ]
    )
