"""Matches: strategies of any origin at tables, played and counted; tournaments, ratings and intervals.

A `Venue` is where games are played: a kingdom, a number of seats and a seed. It plays records of strategies and agents
written in Python; a `Tally` counts what was played. Tournaments, evolution, advice and reports all sit on these.
"""

from typing import TYPE_CHECKING

from evodom._lazy import exports

if TYPE_CHECKING:
    from evodom.matches.agents import PythonAgent
    from evodom.matches.copies import wins_against
    from evodom.matches.entrant import Entrant
    from evodom.matches.games import Games, Tally
    from evodom.matches.loading import as_agent, load_agent
    from evodom.matches.standings import Standing, course, seat_shares, standing, win_share
    from evodom.matches.streams import Figure, Use
    from evodom.matches.strongest import strongest_baselines
    from evodom.matches.tournament import TournamentResult, play_elimination, play_match, play_round_robin
    from evodom.matches.venue import Venue
    from evodom.matches.workers import Workers
    from evodom.statistics import IntervalEstimate, Share, mean_interval, wilson

__all__ = [
    "Entrant",
    "Figure",
    "Games",
    "IntervalEstimate",
    "PythonAgent",
    "Share",
    "Standing",
    "Tally",
    "TournamentResult",
    "Use",
    "Venue",
    "Workers",
    "as_agent",
    "course",
    "load_agent",
    "mean_interval",
    "play_elimination",
    "play_match",
    "play_round_robin",
    "seat_shares",
    "standing",
    "strongest_baselines",
    "wilson",
    "win_share",
    "wins_against",
]

__getattr__ = exports(
    __name__,
    {
        "agents": ("PythonAgent",),
        "copies": ("wins_against",),
        "entrant": ("Entrant",),
        "games": ("Games", "Tally"),
        ".statistics": ("IntervalEstimate", "Share", "mean_interval", "wilson"),
        "loading": ("as_agent", "load_agent"),
        "standings": ("Standing", "course", "seat_shares", "standing", "win_share"),
        "streams": ("Figure", "Use"),
        "strongest": ("strongest_baselines",),
        "tournament": ("TournamentResult", "play_elimination", "play_match", "play_round_robin"),
        "venue": ("Venue",),
        "workers": ("Workers",),
    },
)
