"""Rivals: the strategies outside a population that the better half of it races against."""

import numpy as np

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import baseline_records, fitting_baselines
from evodom.evolution.halving import race_tables, runner_shares
from evodom.matches.batch import play_games

N_RIVALS = 4
"""So many of the strongest baselines are rivals."""

GAMES = 96
"""Games of each baseline against copies of each other, to see which are the strongest."""

SEED = 0


def strongest_baselines(kingdom: Kingdom, players: int, n: int = N_RIVALS) -> tuple[str, ...]:
    """Return the names of the ``n`` strongest baselines of a kingdom, best first.

    Each plays against copies of each other, always the same games; the share of the wins decides.
    """
    names = [name for name in fitting_baselines(kingdom) if name != "random"]
    records, everybody = baseline_records(names, kingdom), np.arange(len(names))
    seeds = np.random.SeedSequence(SEED).generate_state(len(names) * GAMES, np.uint64)
    tables = race_tables(everybody, everybody, players, GAMES)
    results = play_games(kingdom.rules(players), records, tables, np.tile(seeds, len(names)))
    shares = runner_shares(results, players, GAMES).reshape(len(names), -1).mean(axis=1)
    return tuple(names[index] for index in np.argsort(-shares, kind="stable")[:n])
