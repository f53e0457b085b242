"""Play many games between strategies: venues, tournaments, ratings and intervals. Evolution and reports use it.

A `Venue` plays games in one kingdom with a number of seats and a seed. Players are records of strategies, or agents
written in Python. A `Tally` sums the results. `simulate` plays games of strategies to their ends in one compiled call;
`batch` plays games in step with a caller.
"""

from collections.abc import Sized
from typing import TYPE_CHECKING

from evodom._lazy import attach
from evodom.errors import UsageError

if TYPE_CHECKING:
    from evodom.matches.agents import Entrant as Entrant, PythonAgent as PythonAgent
    from evodom.matches.loading import as_agent as as_agent, load_agent as load_agent
    from evodom.matches.policies import PolicyAgent as PolicyAgent, as_policy as as_policy
    from evodom.matches.tournament import strongest_baselines as strongest_baselines, wins_against as wins_against
    from evodom.matches.results import (
        Games as Games,
        Standing as Standing,
        Tally as Tally,
        seat_shares as seat_shares,
        standing as standing,
        summarize_games as summarize_games,
        win_share as win_share,
    )
    from evodom.matches.seating import Purpose as Purpose, Use as Use
    from evodom.matches.tournament import (
        TournamentResult as TournamentResult,
        play_elimination as play_elimination,
        play_match as play_match,
        play_round_robin as play_round_robin,
    )
    from evodom.matches.venue import Venue as Venue
    from evodom.statistics import Share as Share
    from evodom.tasks import Workers as Workers


__getattr__, __dir__ = attach(__name__)


MAX_RIVALS = 64
"""Maximum number of rivals (opponents by name) of a run. Reading 64 networks from a saved run takes 0.1 s."""


def check_rivals(*named: Sized) -> None:
    """Raise UsageError if a list has more than MAX_RIVALS rivals."""
    n = max(map(len, named))
    if n > MAX_RIVALS:
        raise UsageError(f"there are {n:,} rivals. Allowed: at most {MAX_RIVALS}.")
