"""Teachers: the best of many buy lists drawn at random, which a network imitates before it learns by itself."""

from functools import partial

import numpy as np
import numpy.typing as npt

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.breeding import Breeding
from evodom.dominion.strategies.model import Strategies
from evodom.dominion.strategies.record import strategies_of
from evodom.dominion.strategies.registry import genetics_of
from evodom.matches.streams import generator
from evodom.matches.tournament import run_tournament
from evodom.matches.venue import Venue

MODEL = "buy-list"

N_DRAWN = 384
N_BEST = 8
GAMES = 2


def teachers(venue: Venue, sequence: np.random.SeedSequence) -> Strategies:
    """Return buy lists, best first: the best of many, and for each kingdom card the best that buys it.

    What is random follows from ``sequence``.
    """
    drawing, ranking = sequence.spawn(2)
    breeding = Breeding(model=MODEL, kingdom=venue.kingdom)
    genomes = genetics_of(MODEL).random(N_DRAWN, breeding, generator(drawing))
    lists = strategies_of(genomes, breeding)
    order, _ = run_tournament(len(lists), venue.n_seats, GAMES, ranking, partial(venue.play, lists))
    return lists[_chosen(order, _buyers(lists, venue.kingdom), venue.kingdom)]


def _buyers(lists: Strategies, kingdom: Kingdom) -> npt.NDArray[np.bool_]:
    """Return which lists have a rule for each pile, (n_lists, n_piles)."""
    piles = lists["rules"][..., 0]
    return np.stack([(piles == pile).any(axis=1) for pile in range(len(kingdom.piles))], axis=1)


def _chosen(order: npt.NDArray[np.signedinteger], buys: npt.NDArray[np.bool_], kingdom: Kingdom) -> list[int]:
    """Return the numbers of the best lists, and of the best that buys each kingdom card."""
    chosen = dict.fromkeys(int(number) for number in order[:N_BEST])
    for card in kingdom.cards:
        pile = kingdom.pile(card)
        chosen |= dict.fromkeys([int(number) for number in order if buys[number, pile]][:1])
    return list(chosen)
