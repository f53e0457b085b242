"""Local search on match results: change a genome a little, play, keep the change if it wins more.

A round draws changed copies of a genome. All play the same opponents with common random numbers. After each stage the
best continue with more games (successive halving). The best copy replaces the genome if its paired difference of win
rates is clearly positive.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from evodom.dominion.strategies.base import Genomes
from evodom.dominion.strategies.breeding import Breeding
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.operators import merge_changes
from evodom.dominion.strategies.record import strategies_of
from evodom.dominion.strategies.registry import genetics_of
from evodom.evolution.halving import HalvingStage, Results, successive_halving
from evodom.matches.seating import game_seeds, generator, whole_rounds
from evodom.matches.tournament import Order, shares_against_copies
from evodom.matches.venue import Venue

MIN_Z = 0.5
"""A change is accepted if the mean paired difference exceeds this many standard errors."""


STAGES = (HalvingStage(20, 32), HalvingStage(6, 96), HalvingStage(2, 400))
"""The stages of a round. The games of a candidate are divided among the opponents."""

PART_COST = 0.001
"""A change that adds a rule, a limit or a condition has to gain this much more win rate. Short lists are readable."""

TWO_CHANGES_SHARE = 0.4
"""Share of the candidates with two changes. Some improvements consist of two cards."""


@dataclass(frozen=True)
class Opponents:
    """Opponents with the weights of their results, (n,), which sum to 1."""

    strategies: Lineup
    weights: npt.NDArray[np.float64]

    def without(self, number: int) -> "Opponents":
        """Return the opponents without one of them."""
        others = np.arange(len(self.weights)) != number
        weights = self.weights[others]
        return Opponents(self.strategies.some(others), weights / max(weights.sum(), 1e-9))


@dataclass(frozen=True, slots=True)
class SearchRound:
    """The result of a round: the genome (an array of one), whether it changed, the gain in win rate, the games."""

    genome: Genomes
    accepted: bool
    gain: float
    n_games: int


def changed_copies(genome: Genomes, n: int, breeding: Breeding, rng: np.random.Generator) -> Genomes:
    """Return up to ``n`` different copies of a genome, an array of one, with one or two small changes each."""
    vary = genetics_of(breeding.model).vary
    changed = vary(np.repeat(genome, n), breeding, rng)
    twice = rng.random(n) < TWO_CHANGES_SHARE
    changed[twice] = vary(changed[twice], breeding, rng)
    different: Genomes = np.unique(changed[changed != genome[0]])
    return different


def search_round(
    genome: Genomes,
    opponents: Opponents,
    breeding: Breeding,
    venue: Venue,
    sequence: np.random.SeedSequence,
    stages: Sequence[HalvingStage] = STAGES,
) -> SearchRound:
    """Play one round from ``genome``, an array of one, and return the better genome."""
    changed = changed_copies(genome, stages[0].n_candidates, breeding, generator(sequence.spawn(1)[0]))
    if not len(changed):
        return SearchRound(genome, False, 0.0, 0)

    def play_stage(places: Order, stage: HalvingStage) -> tuple[Results, int]:
        stream = sequence.spawn(1)[0]
        differences, n = paired_differences(genome, changed[places], opponents, breeding, venue, stream, stage.games)
        return differences[:, None], n

    halving = successive_halving(len(changed), stages, play_stage)
    differences = halving.last[0, 0]
    # The last stage alone: the games before have selected the candidates, so their results are too good.
    gain, error = float(differences.mean()), float(differences.std() / np.sqrt(len(differences)))
    best = changed[halving.order[:1]]
    net_gain = gain - PART_COST * (n_parts(best, breeding) - n_parts(genome, breeding))
    accepted = net_gain > MIN_Z * error and net_gain > 0.0
    return SearchRound(best if accepted else genome, accepted, gain, halving.n_games)


def n_parts(genome: Genomes, breeding: Breeding) -> int:
    """Return the number of parts of a genome, an array of one, that could be removed."""
    return len(genetics_of(breeding.model).without_one_part(genome, breeding))


def paired_differences(
    genome: Genomes,
    changed: Genomes,
    opponents: Opponents,
    breeding: Breeding,
    venue: Venue,
    sequence: np.random.SeedSequence,
    games: int,
) -> tuple[npt.NDArray[np.float64], int]:
    """Return the results of changed genomes minus those of ``genome``, (n_changed, n_games), and the games played.

    A result is the weighted mean of one game against each opponent. All genomes play the same seeds. ``games`` are the
    games of each genome, divided among the opponents.
    """
    strategies = strategies_of(np.concatenate([genome, changed]), breeding)
    n_opponents = len(opponents.strategies)
    players = Lineup.of(strategies, opponents.strategies)
    seeds = game_seeds(sequence, n_opponents, whole_rounds(-(-games // n_opponents), venue.n_seats))
    numbers = np.arange(len(players))
    shares = shares_against_copies(
        partial(venue.play, players), numbers[: len(strategies)], numbers[len(strategies) :], venue.n_seats, seeds
    )
    weighted = np.tensordot(shares, opponents.weights, axes=([1], [0]))
    return weighted[1:] - weighted[0], shares.size


MAX_PRUNED_LOSS = 0.002
"""Largest loss of win rate through pruning."""

PRUNING_GAMES, CONFIRMING_GAMES = 64, 640
"""Games of each removal alone, and of all removals together."""


def prune(
    genome: Genomes, opponents: Opponents, breeding: Breeding, venue: Venue, sequence: np.random.SeedSequence
) -> tuple[Genomes, int]:
    """Remove parts without effect from a genome, an array of one. Return it and the games played.

    A part has no effect if its removal alone changes no result of PRUNING_GAMES games. All such parts are removed, or
    every second, if the genome without them loses at most MAX_PRUNED_LOSS.
    """
    single_stream, joint_stream = sequence.spawn(2)
    copies = genetics_of(breeding.model).without_one_part(genome, breeding)
    if not len(copies):
        return genome, 0
    differences, n_games = paired_differences(genome, copies, opponents, breeding, venue, single_stream, PRUNING_GAMES)
    unaffected = copies[~differences.any(axis=1)]
    if not len(unaffected):
        return genome, n_games
    # Two parts may cover each other, such as two equal rules: then half of the removals are tried.
    for removed in (unaffected, unaffected[::2]):
        pruned = merge_changes(genome, removed)
        difference, n = paired_differences(genome, pruned, opponents, breeding, venue, joint_stream, CONFIRMING_GAMES)
        n_games += n
        if difference.mean() >= -MAX_PRUNED_LOSS:
            return pruned, n_games
    return genome, n_games
