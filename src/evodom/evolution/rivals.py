"""Rivals: the strategies outside a population that the better half of it races against."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.record import STRATEGY
from evodom.dominion.strategies.scripted import baseline, fitting_baselines
from evodom.matches.copies import shares_against_copies
from evodom.matches.streams import Use, game_seeds
from evodom.matches.venue import Venue

N_RIVALS = 4
"""So many of the strongest baselines are rivals."""

GAMES = 96
"""Games of each baseline against copies of each other, to see which are the strongest."""

SEED = 0


def baseline_records(names: Sequence[str], kingdom: Kingdom) -> npt.NDArray[Any]:
    """Return baselines by name as an array of STRATEGY records."""
    records = np.zeros(len(names), STRATEGY)
    for index, name in enumerate(names):
        records[index] = baseline(name, kingdom)
    return records


def strongest_baselines(kingdom: Kingdom, players: int, n: int = N_RIVALS) -> tuple[str, ...]:
    """Return the names of the ``n`` strongest baselines of a kingdom, best first.

    Each plays against copies of each other, always the same games; the share of the wins decides.
    """
    names = [name for name in fitting_baselines(kingdom) if name != "random"]
    records, everybody = baseline_records(names, kingdom), np.arange(len(names))
    venue = Venue(kingdom, players, SEED, Use.BASELINES)
    luck = game_seeds(venue.stream(), len(names), GAMES)
    shares = shares_against_copies(partial(venue.play, records), everybody, everybody, players, luck).mean(axis=(1, 2))
    return tuple(names[index] for index in np.argsort(-shares, kind="stable")[:n])
