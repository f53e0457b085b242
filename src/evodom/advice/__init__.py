"""Advice on ten cards: evolve and train strategies for them, compare, and describe the best for a player.

    with open_runs(request, seed, root=folder, overwrite=False, workers=workers) as runs:
        n = evolve(runs, workers, n_generations=20, ...)
        advice = find_advice(venue, runs, n, games)

A `Request` names the kingdom and the table. `find_advice` plays its games in a `matches.Venue` and returns an `Advice`.
"""

from typing import TYPE_CHECKING

from evodom._lazy import attach

if TYPE_CHECKING:
    from evodom.advice.ablation import Trial as Trial, final_deck as final_deck, refine as refine, trials as trials
    from evodom.advice.finding import Advice as Advice, find_advice as find_advice, estimated_games as estimated_games
    from evodom.advice.runs import (
        Request as Request,
        check_runs as check_runs,
        default_key as default_key,
        evolve as evolve,
        open_runs as open_runs,
    )


__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "ablation": "Trial trials final_deck refine",
        "finding": "Advice find_advice estimated_games",
        "runs": "Request check_runs default_key evolve open_runs",
    },
)

# The effort of a request, by default and at most. Reading these constants does not import NumPy.

DEFAULT_MINUTES = 1.0
LEAST_MINUTES, MOST_MINUTES = 0.05, 1440.0

DEFAULT_GAMES = 10_000
MAX_GAMES = 1_000_000
"""Largest number of games of a figure."""

DEFAULT_STRATEGIES = 128
"""Strategies in a generation."""

LEARNED_GAMES = 60_000
"""Games of learning when generations are the limit."""

LEAST_LEARNED, MOST_LEARNED = 2_000, 100_000_000
MOST_GENERATIONS = 9999
