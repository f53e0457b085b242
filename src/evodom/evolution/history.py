"""Statistics of generations: a row for each generation, with fitness, diversity, and the share of each origin.

`evaluate` saves the statistics with each generation. `history_row` makes a row of a table from them. A list of rows is
an argument of `pandas.DataFrame`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.strategies.base import Genomes
from evodom.evolution.emitters import KINDS, Origins
from evodom.evolution.options import Options

BEST, MEAN, DIVERSITY, SHARES = "best_fitness", "mean_fitness", "diversity", "origin_shares"
"""Keys of a summary: the highest and the mean fitness, the diversity, and the share of each kind of origins."""

GAME_COUNTS = ("games", "race_games", "search_games", "island_games")
"""Keys of a summary with numbers of games."""

COLUMNS = {"best": BEST, "mean": MEAN, "wins": "held_out_wins", DIVERSITY: DIVERSITY}
"""Columns of `history_row`, each with its key of a summary."""


def population_statistics(
    genomes: Genomes, origins: Origins, fitness: npt.NDArray[np.float64], options: Options
) -> dict[str, Any]:
    """Return the statistics of a population. Operators without a function `diversity` give no diversity."""
    kinds = origins["kind"].tolist()
    measure = getattr(options.genetics, "diversity", None)
    found = {BEST: float(fitness.max()), MEAN: float(fitness.mean())}
    found |= {} if measure is None else {DIVERSITY: measure(genomes)}
    return found | {SHARES: {kind: kinds.count(kind) / len(kinds) for kind in KINDS}}


def games_of(summary: Mapping[str, Any]) -> int:
    """Return the number of games of a generation from its summary."""
    return sum(int(summary.get(name, 0)) for name in GAME_COUNTS)


def history_row(index: int, summary: Mapping[str, Any], round_length: int = 1) -> dict[str, Any]:
    """Return the statistics of a saved generation as a flat row. With islands a row is a round.

    - "generation": its number, from 1; the last of the round with islands.
    - "best" and "mean": the highest and the mean fitness. Fitness is the win rate in the race; without a race it is
      the share of the opponents beaten in the tournament. Opponents change, so generations cannot be compared.
    - "wins": the champion's win rate against held-out baselines, the same in all generations.
    - "diversity": the mean difference of two genomes.
    - "elite", "improved", "clone", "child", "new": the share of genomes with this kind of origin (`emitters`).
    - "games": the number of games.

    Statistics that the summary lacks are absent.
    """
    row: dict[str, Any] = {"generation": (index + 1) * round_length}
    row |= {name: summary[key] for name, key in COLUMNS.items() if key in summary}
    row |= summary.get(SHARES, {}) | ({"games": games_of(summary)} if "games" in summary else {})
    return row
