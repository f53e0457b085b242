"""Genetic operators that several models share, for orders of piles, limits and counts, and checks of genes.

All functions work on whole arrays, a row for each genome.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import ACTION, BASIC, NONTERMINAL
from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import Genomes
from evodom.dominion.strategies.record import UNLIMITED
from evodom.errors import UsageError

if TYPE_CHECKING:
    pass

Orders = npt.NDArray[np.uint8]
"""Permutations, (n, size), a row for each genome."""

LIMITS = np.array([1, 2, 3, 5, UNLIMITED], np.uint8)
"""Possible limits of the owned cards of a kingdom pile."""

BUY_NOISE = (2.0, 2.5)
"""Standard deviations of the noise of random buying orders in coins, for basic cards and for kingdom cards.

The cost of a kingdom card predicts its value less well.
"""

Entry = TypeVar("Entry")


MAX_STEPPED_LIMIT = 12
"""Maximum limit that `step_two` sets."""


def step_two(limits: npt.NDArray[np.unsignedinteger], places: npt.NDArray[np.intp], rng: np.random.Generator) -> None:
    """Change the limits at two of ``places`` by 1 in place. With fewer than two places, no limit changes."""
    if len(places) >= 2:
        chosen = rng.choice(places, size=2, replace=False)
        limits[chosen] = np.clip(limits[chosen].astype(int) + rng.choice((-1, 1), size=2), 1, MAX_STEPPED_LIMIT)


def with_swapped_blocks(entries: Sequence[Entry], rng: np.random.Generator) -> list[Entry]:
    """Return a sequence with two neighbouring blocks exchanged. Fewer than two entries stay the same."""
    if len(entries) < 2:
        return list(entries)
    start, middle, end = np.sort(rng.choice(len(entries) + 1, size=3, replace=False))
    return [*entries[:start], *entries[middle:end], *entries[start:middle], *entries[end:]]


Gene = tuple[str, tuple[int, ...], int]
"""A changed gene: its field, its place within the field, its value."""


def single_changes(genome: Genomes, genes: Sequence[Gene]) -> Genomes:
    """Return a copy of the only genome of an array for each of ``genes``, with this gene changed."""
    found = np.repeat(genome, len(genes))
    for number, (field, place, value) in enumerate(genes):
        found[field][(number, *place)] = value
    return found


def merge_changes(genome: Genomes, changed: Genomes, *, onto: "Genomes | None" = None) -> Genomes:
    """Return a copy of ``onto`` with all differences of ``genome`` from each of ``changed``.

    ``genome`` and ``onto`` (the default is ``genome``) are arrays of one genome. If two of ``changed`` set the same
    gene, the last counts. Orders cannot be merged.
    """
    merged = (genome if onto is None else onto).copy()
    for field in genome.dtype.names or ():
        for one in changed:
            differs = one[field] != genome[field][0]
            merged[field][0] = np.where(differs, one[field], merged[field][0])
    return merged


def check_dtype(genomes: Genomes, expected: np.dtype[np.void]) -> None:
    """Raise UsageError unless genomes have the expected type."""
    if genomes.dtype != expected:
        raise UsageError("its genomes have the fields of another version. Evolve it again.")


def check_genes(genomes: Genomes, maxima: Mapping[str, int], orders: Iterable[str] = ()) -> None:
    """Raise UsageError unless genes are from 0 to their maximum and rows of ``orders`` are permutations."""
    for gene, maximum in maxima.items():
        values = genomes[gene]
        if ((values < 0) | (values > maximum)).any():
            found = f"from {values.min()} to {values.max()}"
            raise UsageError(f"its genomes are damaged: {gene} is {found}. Allowed: 0 to {maximum}.")
    for gene in orders:
        if (np.sort(genomes[gene], axis=1) != np.arange(genomes[gene].shape[1])).any():
            raise UsageError(f"its genomes are damaged: {gene} is not a permutation.")


def terminal_piles(kingdom: Kingdom) -> tuple[int, ...]:
    """Return the piles of terminal Actions."""
    return kingdom.piles_where(lambda card: ACTION in card.types and card.action_class != NONTERMINAL)


def orders_by_cost(
    n: int, kingdom: Kingdom, noise: tuple[float, float], rng: np.random.Generator
) -> npt.NDArray[np.intp]:
    """Return ``n`` orders of the piles by falling cost with noise, (n, kingdom.n_columns)."""
    costs = np.full(kingdom.n_columns, -1.0)
    costs[: len(kingdom.piles)] = [card.cost + min(card.vp, 0) for card in kingdom.piles]
    spread = np.where(np.arange(len(costs)) < len(BASIC), *noise)
    return np.argsort(-(costs + spread * rng.standard_normal((n, len(costs)))), axis=1)


def moved(orders: Orders, sources: npt.NDArray[np.integer], targets: npt.NDArray[np.integer]) -> Orders:
    """Return orders (n, size) with the entry at each row's source moved to its target. Entries in between shift."""
    n, size = orders.shape
    # Half a place before or after the target, so that the entry at the target shifts towards the source.
    places = np.tile(np.arange(size, dtype=float), (n, 1))
    places[np.arange(n), sources] = targets + np.where(sources < targets, 0.5, -0.5)
    return np.take_along_axis(orders, np.argsort(places, axis=1), axis=1)


def move_one(orders: Orders, rate: float, rng: np.random.Generator) -> None:
    """Move an entry of each row to another place with probability ``rate``, in place. Entries in between shift.

    The relative order of all other entries stays the same.
    """
    n, size = orders.shape
    rows = np.flatnonzero(rng.random(n) < rate)
    source = rng.integers(size, size=len(rows))
    orders[rows] = moved(orders[rows], source, (source + rng.integers(1, size, size=len(rows))) % size)


def swap_two(orders: Orders, rate: float, rng: np.random.Generator) -> None:
    """Swap two different entries of each row with probability ``rate``, in place."""
    n, size = orders.shape
    rows = np.flatnonzero(rng.random(n) < rate)
    first = rng.integers(size, size=len(rows))
    second = (first + rng.integers(1, size, size=len(rows))) % size
    orders[rows, first], orders[rows, second] = orders[rows, second], orders[rows, first]


def cross_fields(
    children: Genomes, other: Genomes, fields: Iterable[str], bias: float, rng: np.random.Generator
) -> None:
    """Replace entries of ``children`` by those of ``other`` in place, each with probability 1 - ``bias``.

    ``children`` are copies of the fitter parents, ``other`` are the other parents.
    """
    for field in fields:
        children[field] = np.where(rng.random(children[field].shape) >= bias, other[field], children[field])


def cross_orders(fitter: Orders, other: Orders, bias: float, rng: np.random.Generator) -> Orders:
    """Return the children of pairs of permutations (n, size) by position-based crossover (Syswerda 1991).

    A child has the fitter parent's entry at each place with probability ``bias``. Other places have the other parent's
    entry if the child has it nowhere else. The last places get the missing entries in the other parent's order. Most
    entries keep their places, which determine their weights.
    """
    rows = np.arange(len(fitter))[:, None]
    keep = rng.random(fitter.shape) < bias
    used = np.zeros(fitter.shape, bool)
    used[np.broadcast_to(rows, fitter.shape)[keep], fitter[keep]] = True
    take = ~keep & ~np.take_along_axis(used, other.astype(np.intp), axis=1)
    used[np.broadcast_to(rows, fitter.shape)[take], other[take]] = True
    children = np.where(keep, fitter, other)
    # In each row, open places and unused entries of the other parent are equal in number.
    children[~keep & ~take] = other[~np.take_along_axis(used, other.astype(np.intp), axis=1)]
    return children


def shifted(
    values: npt.NDArray[np.integer], rate: float, step: int, bounds: tuple[int, int], rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    """Return the values, each moved by 1 to ``step`` up or down with probability ``rate`` and clipped to the bounds."""
    n = len(values)
    distance = rng.integers(1, step + 1, size=n) * rng.choice((-1, 1), size=n)
    changed = np.where(rng.random(n) < rate, values.astype(np.int64) + distance, values)
    return np.clip(changed, *bounds)


def heterozygosity(entries: npt.NDArray[np.integer]) -> float:
    """Return the diversity of rows of piles (n, places), from 0 to 1.

    It is the mean of the places' expected heterozygosity: 1 minus the sum of squared frequencies (Nei 1973).
    """
    n, n_places = entries.shape
    total = 0.0
    for place in range(n_places):
        frequencies = np.bincount(entries[:, place], minlength=N_MODEL_PILES) / n
        total += 1.0 - float((frequencies**2).sum())
    return float(total / n_places)
