"""The opponents of a generation and their weights: named rivals, the hall of fame, lines and the shipped network."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from evodom.dominion.strategies.base import Genomes
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.networks.model import network_record
from evodom.dominion.strategies.record import Strategy, strategies_of
from evodom.evolution.options import MIXED, Options
from evodom.learning.general import preferred_weights
from evodom.matches.guests import named_rivals
from evodom.matches.seating import game_seeds, whole_rounds
from evodom.matches.tournament import Order, shares_against_copies
from evodom.matches.venue import Venue
from evodom.tasks import Workers

WEIGHING_GAMES = 32
"""Games of the champion against each opponent that determine the opponents' weights."""

NETWORK_SHARE = 0.05
"""Share of the games against the shipped network, if it can be used in the kingdom."""


@dataclass(frozen=True)
class Opponents:
    """Opponents with the weights of their results, (n,), which sum to 1.

    The last ``n_fixed`` keep their weights if others are left out.
    """

    strategies: Lineup
    weights: npt.NDArray[np.float64]
    n_fixed: int = 0

    def without(self, numbers: "Sequence[int] | int") -> "Opponents":
        """Return the opponents without some of those whose weights are not fixed."""
        others = np.setdiff1d(np.arange(len(self.weights)), numbers)
        weights, n_free = self.weights[others], len(others) - self.n_fixed
        weights[:n_free] *= (1.0 - weights[n_free:].sum()) / max(weights[:n_free].sum(), 1e-9)
        return Opponents(self.strategies.some(others), weights / max(weights.sum(), 1e-9), self.n_fixed)

    def drawn(self, n_games: int, rng: np.random.Generator) -> Order:
        """Return the number of the opponent of each game, in random order.

        Each opponent has its weight's share of the games, rounded up or down (systematic sampling).
        """
        points = (np.arange(n_games) + rng.random()) / n_games
        numbers = np.searchsorted(np.cumsum(self.weights), points, side="right")
        return rng.permutation(np.minimum(numbers, len(self.weights) - 1))


def rival_strategies(hall: Genomes, options: Options) -> Lineup:
    """Return the rivals of a generation: the named rivals, then the hall of fame. Without a race there are none."""
    if not options.race:
        return Lineup(strategies_of(hall[:0], options))
    named = named_rivals(options.rivals or (), options.guests, options.kingdom)
    return Lineup.of(named, strategies_of(hall, options))


def shipped_network(options: Options) -> list[Strategy]:
    """Return the shipped network in a list. The list is empty if it is not an opponent."""
    weights = preferred_weights(options.kingdom) if options.start == MIXED and options.race else None
    return [] if weights is None else [network_record(weights, options.kingdom)]


def weighted_opponents(
    champion: Genomes, others: Lineup, options: Options, workers: Workers | None, stream: np.random.SeedSequence
) -> Opponents:
    """Return opponents, each weighted by a champion's losses against it. ``champion`` is an array of one genome.

    Return no opponents if there are no ``others``. One further loss keeps all weights above 0. The shipped network
    follows the others, with the weight NETWORK_SHARE.
    """
    if not len(others):
        return Opponents(others, np.zeros(0))
    shares = champion_shares(champion, others, WEIGHING_GAMES, options, workers, stream)
    losses = 1.0 - shares.mean(axis=1) + 1.0 / WEIGHING_GAMES
    weights = losses / losses.sum()
    network = shipped_network(options)
    if network:
        weights = np.append((1.0 - NETWORK_SHARE) * weights, NETWORK_SHARE)
    return Opponents(Lineup.of(others, network), weights, len(network))


def champion_shares(
    champion: Genomes, others: Lineup, n: int, options: Options, workers: Workers | None, stream: np.random.SeedSequence
) -> npt.NDArray[np.float64]:
    """Return a champion's share of the win in each game, (n_others, n_games), against copies of each other strategy.

    ``n_games`` is ``n``, rounded up to whole rounds of seats.
    """
    players = Lineup.of(strategies_of(champion, options), others)
    play = partial(Venue(options.kingdom, options.players, workers=workers).play, players)
    seeds = game_seeds(stream, len(others), whole_rounds(n, options.players))
    shares = shares_against_copies(play, np.zeros(1, int), np.arange(1, len(players)), options.players, seeds)
    return np.asarray(shares[0])
