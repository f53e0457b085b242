"""Matches and tournaments: `play_match`, `tournament`.

Users pass *players*, of the type `Contestant`. They become *entrants*, which have *standings* at the end.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evodom.api.progress import compile_for, progress, workers
from evodom.api.results import Figure, ReportedResult, bars
from evodom.api.strategies import Contestant, entrants_of
from evodom.dominion.kingdom import Kingdom
from evodom.errors import UsageError
from evodom.matches import tournament as tournaments
from evodom.matches.entrants import Entrants
from evodom.matches.options import DUELS, ELIMINATION, GAMES_LIMIT, MATCH_GAMES, MatchOptions, TournamentOptions
from evodom.matches.results import Standing
from evodom.matches.seating import Use
from evodom.matches.venue import Venue
from evodom.options import checked_seed
from evodom.presentation.charts import estimate_bar
from evodom.presentation.document import Document
from evodom.presentation.documents.tournament import Contest, contest_document
from evodom.presentation.format import percent
from evodom.statistics import DEFAULT_CONFIDENCE

MAX_ENTRANTS = 64
SEATS = range(2, 7)
DEFAULT_PLAYERS = 4


@dataclass(frozen=True, repr=False)
class ContestResult(ReportedResult):
    """The result of a match or a tournament. ``standings`` are the entrants, best first."""

    contest: Contest

    @property
    def standings(self) -> Sequence[Standing]:
        """The entrants with win rates, VP and places, best first."""
        return self.contest.result.standings

    @property
    def win_rates(self) -> dict[str, float]:
        """The share of games won by each entrant; a win shared by k counts 1/k."""
        return {standing.name: standing.win.share for standing in self.standings}

    def to_dict(self) -> dict[str, Any]:
        """Return the settings and all figures as JSON types."""
        return {key: value for key, value in self.contest.to_json().items() if key != "command"}

    def document(self) -> Document:
        """Return the tables that the command prints."""
        return contest_document(self.contest)

    def plot(self) -> Figure:
        """Return the win rates as bars with 95 % intervals."""
        rows = [estimate_bar(one.name, one.win) for one in self.standings]
        return bars(self.contest.title, rows, self.standings[0].chance_level)

    def _summary(self) -> str:
        wins = ", ".join(f"{one.name} {percent(one.win.share)} %" for one in self.standings)
        return f"{wins}; {self.contest.result.summary.n_games:,} games"


def play_match(
    *players: Contestant,
    kingdom: Kingdom | str | None = None,
    n_games: int = 10_000,
    n_seats: int | None = None,
    seed: int = 0,
    progress: bool = False,
) -> ContestResult:
    """Play games at one table with a seat for each player.

    >>> play_match("big-money-smithy", "big-money", kingdom="First Game", n_games=2000, seed=1)
    <ContestResult: big-money-smithy 70.7 %, big-money 29.3 %; 2,000 games>

    Args:
        players: 2 to 6 players. A player that is given several times has several seats.
        kingdom: a Kingdom or a text as for ``--kingdom``; by default that of the runs, else First Game.
        n_games: number of games, rounded up so that each player has every seat equally often.
        n_seats: size of the table, by default that of the runs. Copies of the last player fill it.
        seed: seed of the games.
        progress: show a progress bar.

    Raises UsageError for bad arguments and AgentError for a function that fails.
    """
    options = MatchOptions(games=n_games, players=n_seats)
    return play_contest(entrants_of(players, kingdom), options, seed, quiet=not progress)


def tournament(
    *players: Contestant,
    kingdom: Kingdom | str | None = None,
    n_games: int = 2_000,
    n_seats: int | None = None,
    seed: int = 0,
    progress: bool = False,
) -> ContestResult:
    """Play a round robin: at least ``n_games`` games in all, at tables of ``n_seats``. See `play_match`.

    By default tables have the size for which the players' saved runs were made, else 2 seats.
    """
    entered = entrants_of(players, kingdom)
    options = TournamentOptions(games=n_games, players=n_seats or entered.players or 2)
    return play_contest(entered, options, seed, quiet=not progress)


def play_contest(
    entered: Entrants,
    options: MatchOptions | TournamentOptions,
    seed: int,
    *,
    jobs: int | None = None,
    quiet: bool,
    command: str = "",
) -> ContestResult:
    """Compile the kernels of the entrants, and play a match or a tournament with progress.

    ``command`` is the command that repeats the contest.
    """
    seed = checked_seed(seed)
    n_seats, games = _seats_and_games(entered, options)
    compile_for(entered.entrants, entered.kingdom, quiet=quiet)
    with workers(jobs) as threads, progress(games, quiet=quiet, has_agents=entered.has_agents) as on_games:
        venue = Venue(entered.kingdom, n_seats, seed, Use.TOURNAMENT, threads, on_games)
        return ContestResult(_play(entered, options, venue, command))


def _play(entered: Entrants, options: MatchOptions | TournamentOptions, venue: Venue, command: str = "") -> Contest:
    """Play a match or a tournament at a venue. The format of a match is ""."""
    if isinstance(options, MatchOptions):
        form, confidence, entered = "", DEFAULT_CONFIDENCE, entered.seated(options.players)
        result = tournaments.play_match(venue, entered.entrants, n_games=options.games)
    else:
        form, confidence = options.format, options.confidence
        if form == ELIMINATION:
            n_games = options.match_games or MATCH_GAMES
            result = tournaments.play_elimination(venue, entered.entrants, match_games=n_games, confidence=confidence)
        else:
            most = options.max_games or GAMES_LIMIT
            result = tournaments.play_round_robin(
                venue, entered.entrants, n_games=options.games, most_games=most, confidence=confidence
            )
    note = entered.size_note(venue.n_seats, "tournament" if form else "match")
    return Contest(form, entered.kingdom, venue.n_seats, venue.seed, confidence, result, command, note)


def _seats_and_games(entered: Entrants, options: MatchOptions | TournamentOptions) -> tuple[int, int | None]:
    """Return the seats at a table and the maximum number of games, or None if that is unknown.

    Raise UsageError for entrants and options that do not go together.
    """
    n, players = len(entered.entrants), options.players
    if isinstance(options, MatchOptions):
        if players and n > players:
            raise UsageError(f"--players is {players}, and {n} strategies are given. Leave some out.")
        if (players or n) not in SEATS:
            raise UsageError(
                f"a table has 2 to 6 seats, and {n} strategies are given. Name one per seat, or give --players."
            )
        return len(entered.seated(players).entrants), options.games
    if options.format == DUELS and players not in (None, 2):
        raise UsageError(f"--format duels has tables of two, and --players is {players}. Leave --players out.")
    if not 2 <= n <= MAX_ENTRANTS:
        raise UsageError(f"a tournament needs 2 to {MAX_ENTRANTS} strategies, got {n}.")
    first: dict[tuple[str, ...], str] = {}
    for entrant in entered.entrants:
        if entrant.origin in first:
            same = first[entrant.origin]
            which = f"'{same}' is entered twice" if same == entrant.name else f"'{same}' and '{entrant.name}' are equal"
            raise UsageError(f"{which}. Enter each strategy once.")
        first[entrant.origin] = entrant.name
    is_elimination = options.format == ELIMINATION
    if is_elimination and (options.games or options.max_games):
        flag = "--games" if options.games else "--max-games"
        raise UsageError(f"{flag} does not go with --format elimination. Give --match-games instead.")
    if options.match_games and not is_elimination:
        raise UsageError(f"--match-games does not go with --format {options.format}. Give --games instead.")
    if options.games and options.max_games:
        raise UsageError("--games and --max-games both set the number of games. Give one of them.")
    n_seats = 2 if options.format == DUELS else players or entered.players or min(DEFAULT_PLAYERS, n)
    return n_seats, None if is_elimination else options.games or options.max_games or GAMES_LIMIT
