"""What changed over the generations of a run: its summaries, its preferences, its champions against each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.rules import N_PILES
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.record import EARLY, KIND_MENU, KIND_PREFERENCE, LATE

BEST_SHARE = 0.25
"""The share of a generation, best first, whose preferences are told."""

COINS = range(2, 9)
"""The coins with which the buys of graded preferences are told."""

TOLD = ("best_points", "rounds", "winner_vp", "ended_on_piles", "cut", "diversity")
"""The numbers of a summary that are told of every generation."""


@dataclass(frozen=True, slots=True)
class Wants:
    """What the best quarter of a generation wants, early and late: means by card.

    Of graded preferences, the share of its buys with COINS, each as often, while no limit is reached; of classic ones,
    the weights. Of menus, the share of them with a rule for the card; those know no phases, so that both are equal.
    """

    generation: int
    early: dict[str, float]
    late: dict[str, float]


@dataclass(frozen=True, slots=True)
class HallOfFame:
    """Champions of some generations against each other.

    ``wins[i][j]`` is the share of its games that the champion of ``generations[i]`` wins with that of
    ``generations[j]`` in all other seats; None for one against itself, which is par.
    """

    generations: list[int]
    wins: list[list[float | None]]
    n_games: int


def told(index: int, summary: dict[str, Any]) -> dict[str, Any]:
    """Return those entries of a generation's summary that a report tells of every generation."""
    return {"generation": index} | {name: summary.get(name) for name in TOLD}


def wants(index: int, ranked: npt.NDArray[Any], kingdom: Kingdom) -> Wants:
    """Return what the best quarter of a ranked generation wants; its strategies as STRATEGY records."""
    piles = kingdom.piles
    names = [card.name for card in piles]
    costs = np.full(N_PILES, np.inf)
    costs[: len(piles)] = [card.cost for card in piles]
    best = ranked[: max(1, round(BEST_SHARE * len(ranked)))]
    means = np.mean([_wanted(strategy, costs) for strategy in best], axis=0)
    early, late = (
        {name: float(weight) for name, weight in zip(names, means[phase], strict=False)} for phase in (EARLY, LATE)
    )
    return Wants(index, early, late)


def _wanted(strategy: Any, costs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return what a strategy wants by phase and pile: see `Wants`."""
    if strategy.kind == KIND_PREFERENCE:
        return _bought(strategy.weights, costs) if strategy.graded else np.asarray(strategy.weights)
    wanted = np.zeros(strategy.weights.shape)
    if strategy.kind == KIND_MENU:
        wanted[:, strategy.rules[: strategy.n_rules, 0]] = 1.0
    return wanted


def _bought(weights: npt.NDArray[np.float64], costs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return how often each pile is drawn, by its weight among those one can afford: the mean over COINS."""
    affordable = costs <= np.array(COINS)[:, None, None]
    had = np.where(affordable, weights, 0.0)
    total = had.sum(axis=-1, keepdims=True)
    shares: npt.NDArray[np.float64] = np.divide(had, total, out=np.zeros_like(had), where=total > 0.0).mean(axis=0)
    return shares


def chosen(generations: Sequence[int], n: int) -> list[int]:
    """Return up to ``n`` of some generations, evenly spaced, the first and the last among them."""
    places = np.unique(np.linspace(0, len(generations) - 1, min(n, len(generations))).round())
    return [generations[int(place)] for place in places]
