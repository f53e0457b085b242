"""What changed over the generations of a run: its summaries, and its champions against each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

SUMMARY = ("race_wins", "best_points", "rounds", "winner_vp", "ended_on_piles", "cut", "diversity")
"""The entries of a generation's summary that a report has of every generation."""


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


def chosen(generations: Sequence[int], n: int) -> list[int]:
    """Return up to ``n`` of some generations, evenly spaced, the first and the last among them."""
    places = np.unique(np.linspace(0, len(generations) - 1, min(n, len(generations))).round())
    return [generations[int(place)] for place in places]
