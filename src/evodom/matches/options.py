"""The options of matches and tournaments: number of games, size of tables, format. They import no NumPy."""

from typing import Annotated

from evodom.options import OptionStruct, option

MAX_GAMES = 1_000_000

ROUND_ROBIN, DUELS, ELIMINATION = "round-robin", "duels", "elimination"
FORMATS = (ROUND_ROBIN, DUELS, ELIMINATION)

MOST_GAMES = 200_000
"""Maximum number of games of a round robin, even if the order is not clear."""

MATCH_GAMES = 1000
"""Games of a match of an elimination tournament, by default."""

_MATCH = "Seats at the table. Copies of the last STRATEGY fill the remaining seats."
_RUNS_OR_STRATEGIES = "those of the runs; without runs 4, or the number of strategies if smaller"

Seats = Annotated[
    int, option("--players", _MATCH, ge=2, le=6, default_text="as in the runs; without runs a seat per STRATEGY")
]
Players = Annotated[int, option("--players", "Players at a table.", ge=2, le=6, default_text=_RUNS_OR_STRATEGIES)]
Games = Annotated[
    int, option("--games", "Number of games in all, whether or not the order is clear.", ge=1, le=MAX_GAMES)
]
MatchGames = Annotated[
    int, option("--match-games", "Games of each match of an elimination.", ge=1, le=MAX_GAMES, default_text="1000")
]
Limit = Annotated[
    int,
    option(
        "--max-games",
        "Limit of the number of games until the order is clear.",
        ge=1,
        le=MAX_GAMES,
        default_text="200000",
    ),
]
"""Types of options that may be missing."""


class MatchOptions(OptionStruct, frozen=True, kw_only=True):
    """Options of a match."""

    games: Annotated[
        int,
        option("--games", "Number of games. Each strategy plays every seat equally often.", ge=1, le=MAX_GAMES),
    ] = 10_000
    players: Seats | None = None


class TournamentOptions(OptionStruct, frozen=True, kw_only=True):
    """Options of a tournament."""

    format: Annotated[
        str, option("--format", "Pairing: all tables, all tables of two, or elimination in rounds.", choices=FORMATS)
    ] = ROUND_ROBIN
    players: Players | None = None
    confidence: Annotated[
        float,
        option(
            "--confidence", "Probability that the order is right, and coverage of the intervals.", ge=0.5, le=0.9999
        ),
    ] = 0.95
    games: Games | None = None
    match_games: MatchGames | None = None
    max_games: Limit | None = None
