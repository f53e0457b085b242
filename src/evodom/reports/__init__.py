"""Reports on saved runs: measured figures as data. `evodom.presentation.documents` turns them into documents."""

DEFAULT_GAMES = 4000
"""Default number of games of a win rate. Its interval is then about 1.3 points to each side, and a report takes a few
seconds. Curves and matrices have a quarter of the games, and twice the interval."""

BEST_RESPONSE_GAMES = 20_000
"""Training games of the network that learns to beat the champion."""

FIGHTS_DIVISOR = 10
"""Divisor of the number of games in reports on trainings for fights."""

MATCHES = "matches"
"""Key of a run's metadata for the results of its reports' matches."""
