"""Advice on ten cards: evolve strategies for them, compare, and say the best in a player's words.

    with open_runs(request, seed, root=folder, overwrite=False, workers=workers) as runs:
        n = evolve(runs, workers, n_generations=20, ...)
        advice = find_advice(venue, runs, n, games)

A `Request` names the kingdom and the table; `find_advice` measures in a `matches.Venue` and returns an `Advice`.
"""

from typing import TYPE_CHECKING

from evodom._lazy import exports

if TYPE_CHECKING:
    from evodom.advice.ablation import Trial, trials
    from evodom.advice.figures import final_deck
    from evodom.advice.finding import Advice, find_advice, most_games
    from evodom.advice.refine import refined
    from evodom.advice.search import Request, check_runs, default_key, evolve, open_runs

__all__ = [
    "Advice",
    "Request",
    "Trial",
    "check_runs",
    "default_key",
    "evolve",
    "final_deck",
    "find_advice",
    "most_games",
    "open_runs",
    "refined",
    "trials",
]

__getattr__ = exports(
    __name__,
    {
        "ablation": ("Trial", "trials"),
        "figures": ("final_deck",),
        "finding": ("Advice", "find_advice", "most_games"),
        "refine": ("refined",),
        "search": ("Request", "check_runs", "default_key", "evolve", "open_runs"),
    },
)
