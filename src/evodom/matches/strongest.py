"""Find the strongest baselines of a kingdom: among those that teach the rivals of what evolves or learns."""

from collections.abc import Sequence
from functools import cache, partial

import numpy as np

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import baseline_records, fitting_baselines
from evodom.dominion.strategies.buy_lists.handwritten import HANDWRITTEN
from evodom.matches.copies import shares_against_copies
from evodom.matches.streams import Use, game_seeds
from evodom.matches.venue import Venue

N_RIVALS = 4
"""How many of the strongest teachers are rivals."""

GAMES = 96
"""Games of each baseline against copies of each other one, to find the strongest."""

SEED = 0


def strongest_baselines(
    kingdom: Kingdom, players: int, n: int = N_RIVALS, among: Sequence[str] = tuple(HANDWRITTEN)
) -> tuple[str, ...]:
    """Return the names of the ``n`` strongest of some baselines that fit a kingdom, best first."""
    return ranked_baselines(kingdom, players, tuple(among))[:n]


@cache  # the runs of advice, and what it measures after them, ask for the same
def ranked_baselines(kingdom: Kingdom, players: int, among: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of some baselines that fit a kingdom, best first.

    Each plays against copies of each other one, always with the same seeds; the mean share of the wins decides.
    """
    names = [name for name in fitting_baselines(kingdom) if name in among]
    records, everybody = baseline_records(names, kingdom), np.arange(len(names))
    venue = Venue(kingdom, players, SEED, Use.BASELINES)
    seeds = game_seeds(venue.stream(), len(names), GAMES)
    shares = shares_against_copies(partial(venue.play, records), everybody, everybody, players, seeds).mean(axis=(1, 2))
    return tuple(names[index] for index in np.argsort(-shares, kind="stable"))
