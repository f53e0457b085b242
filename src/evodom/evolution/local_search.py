"""Local search on match results: change a genome a little, play, keep the change if it wins more.

A round draws changed copies of a genome. All play the same opponents with common random numbers. After each stage the
best continue with more games (successive halving). The best changes are also tried together. The best copy replaces the
genome if its paired difference of win rates is clearly positive.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from evodom.dominion.strategies.base import Genomes
from evodom.dominion.strategies.breeding import Breeding
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.operators import merge_changes
from evodom.dominion.strategies.record import strategies_of
from evodom.evolution.ranking import HalvingStage, Opponents, Results, successive_halving
from evodom.matches.seating import game_seeds, generator, whole_rounds
from evodom.matches.tournament import Order, games_against
from evodom.matches.venue import Venue

MIN_Z = 0.5
"""A change is accepted if the mean paired difference exceeds this many standard errors."""


SHORT_ROUND = (HalvingStage(20, 24), HalvingStage(6, 72), HalvingStage(1, 216))
LONG_ROUND = (HalvingStage(30, 32), HalvingStage(8, 128), HalvingStage(2, 768))
"""Stages of a round. The games of a candidate are divided among the opponents."""

MARGIN_UNIT = 20.0
"""In all stages but the last, a margin of ``m`` victory points adds tanh(m / MARGIN_UNIT) to the result of a game."""

N_MERGED = (2, 3)
"""The last stage has two further candidates. They merge the changes of the best two, and of the best three."""

PART_COST = 0.001
"""Win rate that a change must gain for each rule, limit or condition that it adds. This keeps lists short."""

TWO_CHANGES_SHARE = 0.4
"""Share of the candidates with two changes. Some pairs of changes improve a genome, and neither does alone."""


@dataclass(frozen=True, slots=True)
class SearchRound:
    """The result of a round: the genome (an array of one), whether it changed, its gain in win rate, and the games."""

    genome: Genomes
    accepted: bool
    gain: float
    n_games: int


def changed_copies(genome: Genomes, n: int, breeding: Breeding, rng: np.random.Generator) -> Genomes:
    """Return up to ``n`` different copies of a genome, an array of one, with one or two small changes each."""
    change_slightly = breeding.genetics.change_slightly
    changed = change_slightly(np.repeat(genome, n), breeding, rng)
    twice = rng.random(n) < TWO_CHANGES_SHARE
    changed[twice] = change_slightly(changed[twice], breeding, rng)
    different: Genomes = np.unique(changed[changed != genome[0]])
    return different


def search_round(
    genome: Genomes,
    opponents: Opponents,
    breeding: Breeding,
    venue: Venue,
    seeds: np.random.SeedSequence,
    stages: Sequence[HalvingStage] = SHORT_ROUND,
) -> SearchRound:
    """Play one round from ``genome``, an array of one, and return the better genome.

    Earlier stages score wins and margins of victory points. The last stage scores only wins. In the last stage,
    candidates that merge the best changes join the best candidates.
    """
    changed = changed_copies(genome, stages[0].n_candidates, breeding, generator(seeds.spawn(1)[0]))
    if not len(changed):
        return SearchRound(genome, False, 0.0, 0)

    def play_stage(places: Order, games: int) -> Results:
        return paired_differences(
            genome, changed[places], opponents, breeding, venue, seeds.spawn(1)[0], games, margin_weight=1.0
        )

    halving = successive_halving(len(changed), stages[:-1], play_stage)
    finalists = with_merged(genome, changed[halving.order], stages[-1].n_candidates, breeding)
    final = paired_differences(genome, finalists, opponents, breeding, venue, seeds.spawn(1)[0], stages[-1].games)
    # Only games of the last stage count. Earlier results are too good: they selected these candidates.
    gains, errors = final.mean(axis=1), final.std(axis=1) / np.sqrt(final.shape[1])
    costs = np.array([n_parts(one, breeding) for one in np.split(finalists, len(finalists))]) - n_parts(
        genome, breeding
    )
    net_gains = gains - PART_COST * costs
    best = int(net_gains.argmax())
    accepted = bool(net_gains[best] > max(MIN_Z * errors[best], 0.0))
    # The genome itself plays all stages, too.
    n_games = halving.n_games + sum(stage.games for stage in stages) + final.size
    return SearchRound(finalists[best : best + 1] if accepted else genome, accepted, float(gains[best]), n_games)


def with_merged(genome: Genomes, ranked: Genomes, n: int, breeding: Breeding) -> Genomes:
    """Return the best ``n`` of the changed copies ``ranked``, and merges of the best changes, without duplicates."""
    merge = breeding.genetics.merge
    merged = [merge(genome, ranked[:size]) for size in N_MERGED if size <= len(ranked)]
    finalists = np.concatenate([ranked[:n], *merged])
    _, first = np.unique(finalists, return_index=True)
    return finalists[np.sort(first)]


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
