"""Advice on ten cards: evolve and train strategies for them, compare, and describe the best for a player.

    request = Request(kingdom, 2, key="ask", n_strategies=128)
    advice = find_advice(Question(request, seed=1, minutes=5.0), store=store, workers=workers).advice

A `Question` has the kingdom, the table and the effort. `search.find_advice` has eight steps; `stages` has their effort.
"""

from typing import TYPE_CHECKING

from evodom._lazy import attach

if TYPE_CHECKING:
    from evodom.advice.figures import Advice as Advice
    from evodom.advice.runs import Request as Request
    from evodom.advice.search import Question as Question, find_advice as find_advice


__getattr__, __dir__ = attach(__name__)

# The effort of a request, by default and at most. Reading these constants does not import NumPy.

DEFAULT_MINUTES = 1.0
LEAST_MINUTES, MOST_MINUTES = 0.05, 1440.0

DEFAULT_GAMES = 10_000
MAX_GAMES = 1_000_000
"""Largest number of games of a win rate."""

DEFAULT_STRATEGIES = 128
"""Strategies in a generation."""

LEARNED_GAMES = 60_000
"""Games of learning when generations are the limit."""

LEAST_LEARNED, MOST_LEARNED = 2_000, 100_000_000
MOST_GENERATIONS = 9999
