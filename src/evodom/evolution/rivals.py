"""The rivals of a generation, and the weights of opponents by the champion's losses."""

from functools import partial

import numpy as np

from evodom.dominion.strategies.base import Genomes
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.record import strategies_of
from evodom.evolution.local_search import Opponents
from evodom.evolution.options import Options
from evodom.matches.agents import named_rivals
from evodom.matches.seating import game_seeds, whole_rounds
from evodom.matches.tournament import shares_against_copies
from evodom.matches.venue import Venue
from evodom.tasks import Workers

WEIGHING_GAMES = 32
"""Games of the champion against each opponent that determine the opponents' weights."""


def rival_strategies(hall: Genomes, options: Options) -> Lineup:
    """Return the rivals of a generation: the named rivals, then the hall of fame."""
    named = named_rivals(options.rivals or (), options.guests, options.kingdom)
    return Lineup.of(named, strategies_of(hall, options))


def weighted_opponents(
    champion: Genomes, opponents: Lineup, options: Options, workers: Workers | None, stream: np.random.SeedSequence
) -> Opponents:
    """Return opponents, each weighted by a champion's losses against it. ``champion`` is an array of one genome.

    One further loss keeps all weights above 0.
    """
    players = Lineup.of(strategies_of(champion, options), opponents)
    play = partial(Venue(options.kingdom, options.players, workers=workers).play, players)
    seeds = game_seeds(stream, len(opponents), whole_rounds(WEIGHING_GAMES, options.players))
    shares = shares_against_copies(play, np.zeros(1, int), np.arange(1, len(players)), options.players, seeds)
    losses = 1.0 - shares.mean(axis=2)[0] + 1.0 / WEIGHING_GAMES
    return Opponents(opponents, losses / losses.sum())
