"""Local search on match results: change a genome a little, play, keep the change if it wins more.

A round draws changed copies of a genome (`proposals`). All play the same opponents with common random numbers. After
each stage the best continue with more games (successive halving). The best changes are also tried together. The best
copy replaces the genome if its paired difference of win rates is clearly positive.
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
from evodom.evolution.proposals import Proposals, Success
from evodom.evolution.ranking import HalvingStage, Opponents, Results, successive_halving
from evodom.matches.seating import game_seeds, generator, whole_rounds
from evodom.matches.tournament import Order, games_against
from evodom.matches.venue import Venue

MIN_Z = 0.5
"""A change is accepted if the mean paired difference exceeds this many standard errors."""


SHORT_ROUND = (HalvingStage(40, 8), HalvingStage(14, 24), HalvingStage(5, 72), HalvingStage(1, 216))
LONG_ROUND = (HalvingStage(60, 8), HalvingStage(24, 32), HalvingStage(8, 128), HalvingStage(2, 768))
"""Stages of a round. The games of a candidate are divided among the opponents."""

ROUND_GAMES = 1200
"""Number of games of local search in a generation for each of `Options.search_rounds`."""

NO_EFFECT = -1.0
"""Result of each game of a stage in which a copy plays all games like the genome. Such copies rank last."""

MARGIN_UNIT = 20.0
"""In all stages but the last, a margin of ``m`` victory points adds tanh(m / MARGIN_UNIT) to the result of a game."""

N_MERGED = (2, 3)
"""The last stage has two further candidates. They merge the changes of the best two, and of the best three."""

PART_COST = 0.001
"""Win rate that a change must gain for each rule, limit or condition that it adds. This keeps lists short."""


@dataclass(frozen=True, slots=True)
class SearchRound:
    """The result of a round.

    Attributes:
        genome: the genome, changed or not, an array of one.
        gain: its gain in win rate in the last stage. It is 0 without a change.
        n_games: the number of games.
        successes: the success of each change of the model in this round, by name.
    """

    genome: Genomes
    gain: float
    n_games: int
    successes: dict[str, Success]

    @property
    def accepted(self) -> bool:
        """True if the genome changed."""
        return self.gain > 0.0


def search_round(
    genome: Genomes,
    opponents: Opponents,
    proposals: Proposals,
    venue: Venue,
    seeds: np.random.SeedSequence,
    stages: Sequence[HalvingStage] = SHORT_ROUND,
) -> SearchRound:
    """Play one round from ``genome``, an array of one, and return the better genome.

    Earlier stages score wins and margins of victory points. The last stage scores only wins, and is left out if no copy
    is better so far. In the last stage, candidates that merge the best changes join the best candidates.
    """
    breeding = proposals.breeding
    copies = proposals.draw(genome, stages[0].n_candidates, generator(seeds.spawn(1)[0]))

    def play_stage(places: Order, games: int) -> Results:
        found = paired_differences(
            genome, copies.genomes[places], opponents, breeding, venue, seeds.spawn(1)[0], games, margin_weight=1.0
        )
        found[~found.any(axis=1)] = NO_EFFECT
        return found

    if not len(copies.genomes):
        return SearchRound(genome, 0.0, 0, proposals.successes_of(copies, np.zeros(0, np.intp), 0.0))
    halving = successive_halving(len(copies.genomes), stages[:-1], play_stage)
    better = halving.order[halving.means[halving.order] > 0]
    # The genome itself plays all stages, too.
    n_games = halving.n_games + sum(stage.games for stage in stages[:-1])
    if not len(better):
        return SearchRound(genome, 0.0, n_games, proposals.successes_of(copies, better, 0.0))
    finalists, groups = with_merged(genome, copies.genomes, better, stages[-1].n_candidates, breeding)
    final = paired_differences(genome, finalists, opponents, breeding, venue, seeds.spawn(1)[0], stages[-1].games)
    n_games += stages[-1].games + final.size
    # Only games of the last stage count. Earlier results are too good: they selected these candidates.
    gains, errors = final.mean(axis=1), final.std(axis=1) / np.sqrt(final.shape[1])
    sizes = np.array([n_parts(one, breeding) for one in np.split(finalists, len(finalists))])
    net_gains = gains - PART_COST * (sizes - n_parts(genome, breeding))
    best = int(net_gains.argmax())
    is_better = net_gains[best] > max(MIN_Z * errors[best], 0.0) and gains[best] > 0
    gain = float(gains[best]) if is_better else 0.0
    found = finalists[best : best + 1] if is_better else genome
    return SearchRound(found, gain, n_games, proposals.successes_of(copies, groups[best], gain))


def with_merged(
    genome: Genomes, copies: Genomes, order: Order, n: int, breeding: Breeding
) -> tuple[Genomes, list[Order]]:
    """Return the best ``n`` copies, and merges of the best changes, without duplicates.

    ``order`` has the indices of the copies, best first. The second result has the indices of the copies that each
    genome is made of.
    """
    groups = [order[place : place + 1] for place in range(min(n, len(order)))]
    groups += [order[:size] for size in N_MERGED if size <= len(order)]
    merged = [breeding.genetics.merge(genome, copies[group]) if len(group) > 1 else copies[group] for group in groups]
    finalists = np.concatenate(merged)
    _, first = np.unique(finalists, return_index=True)
    first.sort()
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
