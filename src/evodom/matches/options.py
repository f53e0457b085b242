"""The options of matches and tournaments: number of games, size of tables, format. They import no NumPy."""

from typing import Annotated

from evodom.options import OptionStruct, option

MAX_GAMES = 1_000_000

ROUND_ROBIN, DUELS, ELIMINATION = "round-robin", "duels", "elimination"
FORMATS = (ROUND_ROBIN, DUELS, ELIMINATION)

GAMES_LIMIT = 200_000
"""Maximum number of games of a round robin, even if the order is not clear."""

MATCH_GAMES = 1000
"""Default number of games of a match in an elimination."""


class MatchOptions(OptionStruct, frozen=True, kw_only=True):
    """Options of a match."""

    games: Annotated[
        int, option("--games", "Number of games. Each strategy plays every seat equally often.", ge=1, le=MAX_GAMES)
    ] = 10_000
    players: Annotated[
        int | None,
        option(
            "--players",
            "Seats at the table. Copies of the last STRATEGY fill the remaining seats.",
            ge=2,
            le=6,
            default_text="as in the runs; without runs a seat per STRATEGY",
        ),
    ] = None


class TournamentOptions(OptionStruct, frozen=True, kw_only=True):
    """Options of a tournament."""

    format: Annotated[
        str, option("--format", "Pairing: all tables, all tables of two, or elimination in rounds.", choices=FORMATS)
    ] = ROUND_ROBIN
    players: Annotated[
        int | None,
        option(
            "--players",
            "Players at a table.",
            ge=2,
            le=6,
            default_text="those of the runs; without runs 4, or the number of strategies if smaller",
        ),
    ] = None
    confidence: Annotated[
        float,
        option(
            "--confidence", "Probability that the order is right, and coverage of the intervals.", ge=0.5, le=0.9999
        ),
    ] = 0.95
    games: Annotated[
        int | None, option("--games", "Number of games in all, whether or not the order is clear.", ge=1, le=MAX_GAMES)
    ] = None
    match_games: Annotated[
        int | None,
        option(
            "--match-games", "Games of each match of an elimination.", ge=1, le=MAX_GAMES, default_text=f"{MATCH_GAMES}"
        ),
    ] = None
    max_games: Annotated[
        int | None,
        option(
            "--max-games",
            "Limit of the number of games until the order is clear.",
            ge=1,
            le=MAX_GAMES,
            default_text=f"{GAMES_LIMIT}",
        ),
    ] = None
