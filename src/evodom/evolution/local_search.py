"""Local search on match results: change a genome a little, play, keep the change if it wins more.

A round draws changed copies of a genome. All play the same opponents with common random numbers. After each stage the
best continue with more games (successive halving). The best changes are also tried together. The best copy replaces the
genome if its paired difference of win rates is clearly positive.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from evodom.dominion.strategies.base import Genomes
from evodom.dominion.strategies.breeding import Breeding
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.operators import apply_changes, merge_changes
from evodom.dominion.strategies.record import strategies_of
from evodom.evolution.ranking import HalvingStage, Opponents, Results, successive_halving
from evodom.matches.seating import game_seeds, generator, whole_rounds
from evodom.matches.tournament import Order, games_against
from evodom.matches.venue import Venue

MIN_Z = 0.5
"""A change is accepted if the mean paired difference exceeds this many standard errors."""


SHORT_ROUND = (HalvingStage(40, 8), HalvingStage(14, 24), HalvingStage(5, 72), HalvingStage(1, 216))
LONG_ROUND = (HalvingStage(60, 8), HalvingStage(24, 32), HalvingStage(8, 128), HalvingStage(2, 768))
"""Stages of a round. The games of a candidate are divided among the opponents."""

ROUND_GAMES = 1100
"""Number of games of local search in a generation for each of `Options.search_rounds`."""

NO_EFFECT = -1.0
"""Result of each game of a stage in which a copy plays all games like the genome. Such copies rank last."""

MARGIN_UNIT = 20.0
"""In all stages but the last, a margin of ``m`` victory points adds tanh(m / MARGIN_UNIT) to the result of a game."""

N_MERGED = (2, 3)
"""The last stage has two further candidates. They merge the changes of the best two, and of the best three."""

PART_COST = 0.001
"""Win rate that a change must gain for each rule, limit or condition that it adds. This keeps lists short."""

TWO_CHANGES_SHARE = 0.4
"""Share of the candidates with two changes. Some pairs of changes improve a genome, and neither does alone."""


@dataclass(frozen=True, slots=True)
class Success:
    """The success of each change of a genetics in local search: ``trials`` and ``gains``, (n_changes,)."""

    trials: npt.NDArray[np.float64]
    gains: npt.NDArray[np.float64]

    @classmethod
    def first(cls, breeding: Breeding) -> Success:
        n = len(breeding.changes)
        return cls(np.zeros(n), np.zeros(n))

    def probabilities(self, breeding: Breeding, *, takes: bool = False) -> npt.NDArray[np.float64]:
        weights = np.array([weight for _, weight in breeding.changes])
        weights /= weights.sum()
        mean = self.gains.sum() / max(self.trials.sum(), 1.0)
        if ADAPTS and mean > 0:
            weights = weights * (self.gains + PRIOR_TRIALS * mean) / (self.trials + PRIOR_TRIALS) / mean
            weights /= weights.sum()
        weights = np.maximum(weights, MIN_PROBABILITY)
        if not takes:
            weights[[change.__name__.startswith("take_") for change, _ in breeding.changes]] = 0.0
        return weights / weights.sum()

    def after(self, trials: npt.NDArray[np.float64], gains: npt.NDArray[np.float64]) -> Success:
        return Success(self.trials * DECAY + trials, self.gains * DECAY + gains)


ADAPTS = True
PRIOR_TRIALS = 100.0
MIN_PROBABILITY = 0.015
DECAY = 0.98


@dataclass(frozen=True, slots=True)
class SearchRound:
    """The result of a round: the genome (an array of one), whether it changed, its gain in win rate, and the games.

    ``trials`` and ``gains`` (n_changes,) have, for each change of the genetics, the number of copies with the change,
    and its part of the gain.
    """

    genome: Genomes
    accepted: bool
    gain: float
    n_games: int
    trials: npt.NDArray[np.float64]
    gains: npt.NDArray[np.float64]


def changed_copies(
    genome: Genomes,
    n: int,
    others: Genomes,
    breeding: Breeding,
    probabilities: npt.NDArray[np.float64],
    rng: np.random.Generator,
) -> tuple[Genomes, npt.NDArray[np.int64]]:
    """Return up to ``n`` different copies of a genome, an array of one, and the changes of each, (n, 2).

    Each copy has one or two changes. -1 stands for no second change.
    """
    changes = [change for change, _ in breeding.changes]
    drawn = rng.choice(len(changes), size=(n, 2), p=probabilities)
    drawn[rng.random(n) >= TWO_CHANGES_SHARE, 1] = -1
    changed = np.repeat(genome, n)
    for numbers in drawn.T:
        apply_changes(changed, others, changes, numbers, breeding, rng)
    _, first = np.unique(changed, return_index=True)
    first = first[changed[first] != genome[0]]
    return changed[first], drawn[first]


def search_round(
    genome: Genomes,
    opponents: Opponents,
    breeding: Breeding,
    venue: Venue,
    seeds: np.random.SeedSequence,
    stages: Sequence[HalvingStage] = SHORT_ROUND,
    others: Genomes | None = None,
    probabilities: npt.NDArray[np.float64] | None = None,
) -> SearchRound:
    """Play one round from ``genome``, an array of one, and return the better genome.

    Earlier stages score wins and margins of victory points. The last stage scores only wins. In the last stage,
    candidates that merge the best changes join the best candidates.
    """
    if others is None:
        others = genome[:0]
    if probabilities is None:
        probabilities = Success.first(breeding).probabilities(breeding)
    changed, drawn = changed_copies(
        genome, stages[0].n_candidates, others, breeding, probabilities, generator(seeds.spawn(1)[0])
    )
    trials = np.bincount(drawn[drawn >= 0], minlength=len(probabilities)).astype(float)
    gains = np.zeros(len(probabilities))
    if not len(changed):
        return SearchRound(genome, False, 0.0, 0, trials, gains)

    def play_stage(places: Order, games: int) -> Results:
        found = paired_differences(
            genome, changed[places], opponents, breeding, venue, seeds.spawn(1)[0], games, margin_weight=1.0
        )
        found[~found.any(axis=1)] = NO_EFFECT
        return found

    halving = successive_halving(len(changed), stages[:-1], play_stage)
    promising = halving.order[halving.means[halving.order] > 0]
    if not len(promising):
        return SearchRound(
            genome, False, 0.0, halving.n_games + sum(stage.games for stage in stages[:-1]), trials, gains
        )
    finalists, groups = with_merged(genome, changed, promising, stages[-1].n_candidates, breeding)
    final = paired_differences(genome, finalists, opponents, breeding, venue, seeds.spawn(1)[0], stages[-1].games)
    # Only games of the last stage count. Earlier results are too good: they selected these candidates.
    means, errors = final.mean(axis=1), final.std(axis=1) / np.sqrt(final.shape[1])
    costs = np.array([n_parts(one, breeding) for one in np.split(finalists, len(finalists))]) - n_parts(
        genome, breeding
    )
    net_gains = means - PART_COST * costs
    best = int(net_gains.argmax())
    accepted = bool(net_gains[best] > max(MIN_Z * errors[best], 0.0))
    # The genome itself plays all stages, too.
    n_games = halving.n_games + sum(stage.games for stage in stages) + final.size
    if accepted:
        used = drawn[groups[best]]
        used = used[used >= 0]
        np.add.at(gains, used, means[best] / len(used))
    return SearchRound(
        finalists[best : best + 1] if accepted else genome, accepted, float(means[best]), n_games, trials, gains
    )


def with_merged(
    genome: Genomes, changed: Genomes, order: Order, n: int, breeding: Breeding
) -> tuple[Genomes, list[Order]]:
    """Return the best ``n`` of the changed copies, and merges of the best changes, without duplicates.

    ``order`` has the indices of the copies, best first. Return the indices of the copies in each result, too.
    """
    merge = breeding.genetics.merge
    groups = [order[place : place + 1] for place in range(min(n, len(order)))]
    groups += [order[:size] for size in N_MERGED if size <= len(order)]
    finalists = np.concatenate(
        [merge(genome, changed[group]) if len(group) > 1 else changed[group] for group in groups]
    )
    _, first = np.unique(finalists, return_index=True)
    first = np.sort(first)
    return finalists[first], [groups[place] for place in first]


def n_parts(genome: Genomes, breeding: Breeding) -> int:
    """Return the number of parts of a genome, an array of one, that could be removed."""
    return len(breeding.genetics.without_one_part(genome, breeding))


def paired_differences(
    genome: Genomes,
    changed: Genomes,
    opponents: Opponents,
    breeding: Breeding,
    venue: Venue,
    seeds: np.random.SeedSequence,
    games: int,
    *,
    margin_weight: float = 0.0,
) -> Results:
    """Return the results of changed genomes minus the results of ``genome``, an array of one, (n_changed, n_games).

    `with_margins` computes the results. The opponents of the games are drawn by weight. All genomes play the same
    opponents with the same seeds.
    """
    opponent_seeds, deal_seeds = seeds.spawn(2)
    strategies = strategies_of(np.concatenate([genome, changed]), breeding)
    n_games = whole_rounds(games, venue.n_seats)
    drawn = len(strategies) + opponents.drawn(n_games, generator(opponent_seeds))
    play = partial(venue.play, Lineup.of(strategies, opponents.strategies))
    shares, margins = games_against(
        play, np.arange(len(strategies)), drawn, venue.n_seats, game_seeds(deal_seeds, n_games)
    )
    results = with_margins(shares, margins, margin_weight)
    differences: Results = results[1:] - results[0]
    return differences


def with_margins(shares: Results, margins: Results, margin_weight: float = 1.0) -> Results:
    """Return each game's share of the win plus ``margin_weight`` times tanh(margin / MARGIN_UNIT)."""
    return np.asarray(shares + margin_weight * np.tanh(margins / MARGIN_UNIT))


MAX_PRUNED_LOSS = 0.002
"""Maximum loss of win rate through pruning."""

PRUNING_GAMES = 64  # Games with each part removed alone.
CONFIRMING_GAMES = 640  # Games with all chosen parts removed together.


def prune(
    genome: Genomes, opponents: Opponents, breeding: Breeding, venue: Venue, seeds: np.random.SeedSequence
) -> tuple[Genomes, int]:
    """Remove parts without effect from a genome, an array of one. Return the genome and the number of games.

    1. Find the parts whose removal alone changes no result of PRUNING_GAMES games.
    2. Remove them all, if this loses at most MAX_PRUNED_LOSS in CONFIRMING_GAMES games.
    3. Otherwise remove every second of them, under the same condition. Otherwise remove nothing.

    `improve_lines` calls it.
    """
    single_stream, joint_stream = seeds.spawn(2)
    copies = breeding.genetics.without_one_part(genome, breeding)
    if not len(copies):
        return genome, 0
    differences = paired_differences(genome, copies, opponents, breeding, venue, single_stream, PRUNING_GAMES)
    n_games = differences.size
    unaffected = copies[~differences.any(axis=1)]
    if not len(unaffected):
        return genome, n_games
    # Of two equal rules, each can be removed alone, but not both. Removing every second part leaves one of them.
    for removed in (unaffected, unaffected[::2]):
        pruned = merge_changes(genome, removed)
        difference = paired_differences(genome, pruned, opponents, breeding, venue, joint_stream, CONFIRMING_GAMES)
        n_games += difference.size
        if difference.mean() >= -MAX_PRUNED_LOSS:
            return pruned, n_games
    return genome, n_games
