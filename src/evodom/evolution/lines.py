"""Lines, the genomes of a generation that local search improves, and epochs, the generations with the same lines.

The *lines* are the first genomes of each generation (`n_lines`). They improve during an epoch. The next epoch begins
with the champion and new lines.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.record import strategies_of
from evodom.evolution.halving import race_against
from evodom.evolution.local_search import prune, search_round
from evodom.evolution.options import Options
from evodom.evolution.origins import NEW
from evodom.evolution.ranking import n_raced
from evodom.evolution.rivals import WEIGHING_GAMES, rival_strategies, weighted_opponents
from evodom.matches.seating import SEARCHING, generation_stream, whole_rounds
from evodom.matches.venue import Venue
from evodom.tasks import Workers

if TYPE_CHECKING:
    from evodom.evolution.algorithm import Evolution

HALL_EVERY = 10
"""The champion of every HALL_EVERY-th generation enters the hall of fame."""

EPOCH_LENGTH = 12
"""Number of generations of an epoch."""

FIRST_LINES, LATER_LINES = 8, 3
"""Number of lines in the first epoch, and in each later epoch. The champion is one of them."""

NEW_LINE_GAMES = 2
"""New lines are chosen by successive halving. The first stage has this number of games per rival."""

SEARCH_FIGURES = SEARCH_GAMES, *_ = ("search_games", "search_rounds", "search_accepted", "search_gain")
"""Entries of a summary about local search: games, rounds, accepted changes, and the total win rate that they gained."""


def enters_hall(index: int) -> bool:
    """Return whether the champion of a generation enters the hall of fame."""
    return index % HALL_EVERY == HALL_EVERY - 1


def n_lines(index: int, options: Options) -> int:
    """Return the number of lines of a generation: its first genomes, which local search improves.

    The first line is the champion of the generation before. The others begin as strong genomes of the first generation,
    in later epochs as strong new genomes.
    """
    if not options.search_rounds or not index:
        return 0
    n = FIRST_LINES if index < EPOCH_LENGTH else LATER_LINES
    return min(n, options.n_clones, n_raced(options.n_strategies, options))


def begins_epoch(index: int, options: Options) -> bool:
    """Return whether a generation begins an epoch after the first. New genomes then become lines."""
    return index > 0 and index % EPOCH_LENGTH == 0 and n_lines(index, options) > 1


def place_new_lines(evolution: Evolution, workers: Workers | None) -> int:
    """Choose new genomes by successive halving against the rivals, swap them with the lines, and return the games.

    The first line, the champion, keeps its place.
    """
    options, genomes = evolution.options, evolution.ask()
    n = n_lines(evolution.index, options)
    new = np.array([number for number, (kind, *_) in enumerate(evolution.origins) if kind == NEW and number >= n])
    strategies, rivals = strategies_of(genomes, options), rival_strategies(evolution.hall, options)
    if not len(new) or not len(rivals):
        return 0
    play = partial(Venue(options.kingdom, options.players, workers=workers).play, Lineup.of(strategies, rivals))
    rival_indices = np.arange(len(strategies), len(strategies) + len(rivals))
    # A grandchild of the generation's stream, independent of the children that `improve_lines` uses.
    stream = generation_stream(evolution.seed, evolution.index, SEARCHING).spawn(1)[0].spawn(1)[0]
    race = race_against(new, rival_indices, options.players, NEW_LINE_GAMES, stream, play)
    for line, number in enumerate(new[race.order][: n - 1], 1):
        evolution.swap(line, int(number))
    return race.n_games


def improve_lines(evolution: Evolution, workers: Workers | None) -> dict[str, Any]:
    """Improve the lines of the current generation by local search and return SEARCH_FIGURES, {} without lines.

    The opponents of a line are the named rivals, the hall of fame and the other lines. An epoch begins with new lines.
    Lines are pruned in generations whose champion enters the hall of fame.
    """
    options, n = evolution.options, n_lines(evolution.index, evolution.options)
    if not n:
        return {}
    games = place_new_lines(evolution, workers) if begins_epoch(evolution.index, options) else 0
    venue = Venue(options.kingdom, options.players, workers=workers)
    stream = generation_stream(evolution.seed, evolution.index, SEARCHING)
    lines = evolution.ask()[:n].copy()
    rivals = rival_strategies(evolution.hall, options)
    all_opponents = weighted_opponents(
        lines[:1], Lineup.of(rivals, strategies_of(lines, options)), options, workers, stream.spawn(1)[0]
    )
    games += len(all_opponents.strategies) * whole_rounds(WEIGHING_GAMES, options.players)
    rounds = accepted = 0
    gain = 0.0
    for line in range(n):
        opponents = all_opponents.without(len(rivals) + line)
        if not len(opponents.strategies):
            continue
        for _ in range(options.search_rounds):
            genome = evolution.ask()[line : line + 1]
            found = search_round(genome, opponents, options, venue, stream.spawn(1)[0])
            games, rounds = games + found.n_games, rounds + 1
            if found.accepted:
                evolution.improve(line, found.genome)
                accepted, gain = accepted + 1, gain + found.gain
        if enters_hall(evolution.index):
            pruned, n_games = prune(evolution.ask()[line : line + 1], opponents, options, venue, stream.spawn(1)[0])
            evolution.improve(line, pruned)
            games += n_games
    return dict(zip(SEARCH_FIGURES, (games, rounds, accepted, gain), strict=True))
