"""What changed over the generations of a run: its summaries, what its best buy, its champions against each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.asking import SITUATIONS, buy_counts
from evodom.dominion.strategies.model import Strategies

BEST_SHARE = 0.25
"""The share of a generation, best first, that is asked what it buys."""

COINS = range(2, 9)
"""The coins with which it is asked."""

N_GAMES, N_TRIES = 8, 4
"""In how many games each strategy is asked, and how often the same thing: the means are of many strategies."""

SUMMARY = ("best_points", "rounds", "winner_vp", "ended_on_piles", "cut", "diversity")
"""The entries of a generation's summary that a report has of every generation."""


@dataclass(frozen=True, slots=True)
class Wants:
    """What the best quarter of a generation buys: the share of its buys with COINS, each as often, by situation and
    card; means over the strategies that get into the situation at all, and 0 if none does."""

    generation: int
    shares: dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class HallOfFame:
    """Champions of some generations against each other.

    ``wins[i][j]`` is the share of its games that the champion of ``generations[i]`` wins with that of
    ``generations[j]`` in all other seats; None for one against itself, which is par.
    """

    generations: list[int]
    wins: list[list[float | None]]
    n_games: int


def summary_of(index: int, summary: dict[str, Any]) -> dict[str, Any]:
    """Return the entries of a generation's summary that a report has of every generation."""
    return {"generation": index} | {name: summary.get(name) for name in SUMMARY}


def best_quarter(ranked: Strategies) -> Strategies:
    """Return the first quarter of a generation's strategies, but at least one."""
    return ranked[: max(1, round(BEST_SHARE * len(ranked)))]


def wants(index: int, best: Strategies, kingdom: Kingdom, n_players: int) -> Wants:
    """Return what the best of generation ``index``, an array of STRATEGY records, buy on average."""
    counts = np.array(
        [buy_counts(each, kingdom, n_players, COINS, n_games=N_GAMES, n_tries=N_TRIES) for each in best], float
    )
    n_asked = counts.sum(axis=(2, 3))
    shares = counts.sum(axis=2) / np.maximum(n_asked, 1.0)[:, :, None]
    means = shares.sum(axis=0) / np.maximum((n_asked > 0.0).sum(axis=0), 1)[:, None]
    return Wants(
        index,
        {
            situation.name: {name: float(mean[pile]) for pile, name in enumerate(kingdom.names)}
            for situation, mean in zip(SITUATIONS, means, strict=True)
        },
    )


def chosen(generations: Sequence[int], n: int) -> list[int]:
    """Return up to ``n`` of some generations, evenly spaced, the first and the last among them."""
    places = np.unique(np.linspace(0, len(generations) - 1, min(n, len(generations))).round())
    return [generations[int(place)] for place in places]
