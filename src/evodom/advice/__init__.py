"""Advice on ten cards: evolve and train strategies for them, compare, and describe the best for a player.

    request = Request(kingdom, 2, key="ask", n_strategies=128)
    advice = find_advice(Question(request, seed=1, minutes=5.0), store=store, workers=workers).advice

A `Question` has the kingdom, the number of players and the effort. `search.find_advice` has eight steps. `stages` has
the time and the games of each.
"""

from typing import TYPE_CHECKING

from evodom._lazy import attach

if TYPE_CHECKING:
    from evodom.advice.figures import Advice as Advice
    from evodom.advice.runs import Request as Request
    from evodom.advice.search import Question as Question, find_advice as find_advice


__getattr__, __dir__ = attach(__name__)

# The defaults and bounds of a request's effort. Reading these constants does not import NumPy.

DEFAULT_MINUTES = 1.0
MIN_MINUTES, MAX_MINUTES = 0.05, 1440.0

DEFAULT_GAMES = 10_000
MAX_GAMES = 1_000_000
"""Maximum number of games of a win rate."""

DEFAULT_STRATEGIES = 128
"""Number of strategies in a generation."""

LEARNED_GAMES = 60_000
"""Number of games of learning if generations are the limit."""

MIN_LEARNED_GAMES, MAX_LEARNED_GAMES = 2_000, 100_000_000
MAX_GENERATIONS = 9999
