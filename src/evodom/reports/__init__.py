"""Reports on saved runs: measured figures as data. `evodom.presentation.documents` turns them into documents."""

DEFAULT_GAMES = 4000
"""Enough for intervals of about 1.3 points either way (curves and matrices have a quarter of the games, and twice the
interval), and for a report within a few seconds."""

ATTACK_GAMES = 20_000
"""Games of the learner that is set on the champion."""

FIGHTS_SHARE = 10
"""A training for fights plays so many times fewer."""

MATCHES = "matches"
"""Where a run's meta has what matches of its reports came to."""
