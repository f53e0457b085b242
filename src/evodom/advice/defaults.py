"""How much a question for advice asks for by default, and at most; read without waiting for NumPy."""

DEFAULT_MINUTES = 1.0
LEAST_MINUTES, MOST_MINUTES = 0.05, 1440.0

DEFAULT_GAMES = 10_000
MAX_GAMES = 1_000_000
"""Games of each figure."""

DEFAULT_STRATEGIES = 128
"""Strategies in a generation."""

LEARNED_GAMES = 60_000
"""Games of the learners where generations say when to stop."""

LEAST_LEARNED, MOST_LEARNED = 2_000, 100_000_000
MOST_GENERATIONS = 9999
