"""`evodom match` and `evodom tournament`: strategies of any origin at one table, or against each other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click
from msgspec.structs import replace

from evodom.cli.common import chosen_seed, command_line, compile_for, progress, workers
from evodom.cli.options import (
    CommonArguments,
    EntrantName,
    KingdomArguments,
    OutputFile,
    Overwrite,
    chosen_entrants,
    kingdom_option,
    takes,
)
from evodom.errors import UsageError
from evodom.options import OptionStruct, arguments, option

if TYPE_CHECKING:
    from evodom.entrants import Entrants
    from evodom.matches.tournament import TournamentResult
    from evodom.presentation.documents.tournament import Contest


SEATS = range(2, 7)
MAX_GAMES = 1_000_000
CONFIDENCE = 0.95


class MatchOptions(OptionStruct, frozen=True, kw_only=True):
    """Options of a match."""

    games: Annotated[
        int,
        option("--games", "Number of games. Each strategy plays every seat equally often.", ge=1, le=MAX_GAMES),
    ] = 10_000
    players: (
        Annotated[
            int,
            option(
                "--players",
                "Seats at the table. Copies of the last STRATEGY fill the remaining seats.",
                ge=2,
                le=6,
                default_text="as in the runs; without runs a seat per STRATEGY",
            ),
        ]
        | None
    ) = None


class ContestArguments(KingdomArguments, frozen=True, kw_only=True):
    """Options of matches and tournaments: the kingdom, and a file for the table."""

    kingdom: Annotated[str | None, kingdom_option("that of the runs, else First Game")] = None
    csv_file: Annotated[Path | None, option("--csv", "Write the table to a file.", type=OutputFile())] = None
    overwrite: Overwrite = False


@click.command()
@click.argument("names", type=EntrantName(), nargs=-1, required=True, metavar="STRATEGY...")
@takes(MatchOptions, "options")
@takes(ContestArguments, "contest")
@takes(CommonArguments, "common")
def match(names: tuple[str, ...], options: MatchOptions, contest: ContestArguments, common: CommonArguments) -> None:
    """Play many games at a table with a seat for each STRATEGY, and print the win rates.

    A STRATEGY is the champion of a run (demo), its second best (demo:2), the champion of a generation (demo@50), a
    baseline (evodom strategies lists them), a strategy file (mine.toml), the network of all kingdoms (network, or
    network:0.5s for half a second of search per decision), or a Python agent (./mine.py, mine.py:name,
    module:name: docs/guide/agents.md). A STRATEGY that is named
    several times takes several seats, and its copies are counted together: evodom match demo big-money big-money
    big-money, or in short evodom match demo big-money --players 4. The table has the size that the runs were made for.
    """
    from evodom.presentation.documents.tournament import Contest

    _check_seats(names, options.players)
    seed = chosen_seed(common.seed)
    entered = entrants_of(names, contest, common, seed).seated(options.players)
    result = _play_match(entered, options.games, seed, common)
    command = command_to_repeat(["match", *names, *arguments(options)], contest, common, seed)
    n_seats = len(entered.entrants)
    note = entered.size_note(n_seats, "match")
    found = Contest("", entered.kingdom, n_seats, seed, CONFIDENCE, result, command, note)
    print_contest(found, contest.csv_file, as_json=common.as_json)


def entrants_of(names: tuple[str, ...], contest: ContestArguments, common: CommonArguments, seed: int) -> Entrants:
    """Return the entrants."""
    return chosen_entrants(names, contest, store=common.store, kingdom=contest.kingdom, seed=seed)


def command_to_repeat(words: list[str], contest: ContestArguments, common: CommonArguments, seed: int) -> str:
    """Return the command that repeats a contest."""
    shared = arguments(replace(contest, csv_file=None, overwrite=False))
    return command_line("evodom", *words, *shared, "--seed", str(seed), data_dir=common.data_dir)


def print_contest(contest: Contest, csv_file: Path | None, *, as_json: bool) -> None:
    """Print a contest as text or as JSON, and write its table to a file if one is given."""
    from evodom.presentation.csv_tables import write_table
    from evodom.presentation.documents.tournament import contest_document
    from evodom.presentation.text import render

    document = contest_document(contest)
    if csv_file:
        write_table(document, "standings", csv_file)
    click.echo(json.dumps(contest.to_json(), indent=2, allow_nan=False) if as_json else render(document))


def _check_seats(names: tuple[str, ...], players: int | None) -> None:
    """Raise UsageError unless the number of strategies fits a table."""
    if players and len(names) > players:
        raise UsageError(f"--players is {players}, and {len(names)} strategies are given. Leave some out.")
    if (players or len(names)) not in SEATS:
        raise UsageError(
            f"a table has 2 to 6 seats, and {len(names)} strategies are given. Name one per seat, or give --players."
        )


def _play_match(entered: Entrants, games: int, seed: int, common: CommonArguments) -> TournamentResult:
    """Play the games, with progress on stderr."""
    compile_for(entered.entrants, entered.kingdom, quiet=common.quiet)
    from evodom.matches.seating import Use
    from evodom.matches.tournament import play_match
    from evodom.matches.venue import Venue

    n_seats, python = len(entered.entrants), entered.has_agents
    with workers(common.jobs) as threads, progress(games, quiet=common.quiet, python=python) as on_games:
        venue = Venue(entered.kingdom, n_seats, seed, Use.TOURNAMENT, threads, on_games)
        return play_match(venue, entered.entrants, n_games=games, confidence=CONFIDENCE)


FORMATS = ("round-robin", "duels", "elimination")
MOST_ENTRANTS = 64
DEFAULT_PLAYERS = 4


class TournamentOptions(OptionStruct, frozen=True, kw_only=True):
    """Options of a tournament."""

    format: Annotated[
        str, option("--format", "Pairing: all tables, all tables of two, or elimination in rounds.", choices=FORMATS)
    ] = FORMATS[0]
    players: (
        Annotated[
            int,
            option(
                "--players",
                "Players at a table.",
                ge=2,
                le=6,
                default_text="those of the runs; without runs 4, or the number of strategies if smaller",
            ),
        ]
        | None
    ) = None
    confidence: Annotated[
        float,
        option(
            "--confidence",
            "Probability that the order is right, and coverage of the intervals.",
            ge=0.5,
            le=0.9999,
        ),
    ] = 0.95
    games: (
        Annotated[
            int,
            option(
                "--games",
                "Number of games in all, whether or not the order is clear.",
                ge=1,
                le=MAX_GAMES,
            ),
        ]
        | None
    ) = None
    match_games: (
        Annotated[
            int,
            option(
                "--match-games",
                "Games of each match of an elimination.",
                ge=1,
                le=MAX_GAMES,
                default_text="1000",
            ),
        ]
        | None
    ) = None
    max_games: (
        Annotated[
            int,
            option(
                "--max-games",
                "Limit of the number of games until the order is clear.",
                ge=1,
                le=MAX_GAMES,
                default_text="200000",
            ),
        ]
        | None
    ) = None


@click.command()
@click.argument("names", type=EntrantName(), nargs=-1, required=True, metavar="STRATEGY...")
@takes(TournamentOptions, "options")
@takes(ContestArguments, "contest")
@takes(CommonArguments, "common")
def tournament(
    names: tuple[str, ...], options: TournamentOptions, contest: ContestArguments, common: CommonArguments
) -> None:
    """Play a tournament of strategies and print the order, ratings, and pairwise results.

    A STRATEGY is the champion of a run (demo), its second best (demo:2), the champion of a generation (demo@50), a
    baseline (evodom strategies lists them), a strategy file (mine.toml), the network of all kingdoms (network, or
    network:0.5s for half a second of search per decision), or a Python agent (./mine.py, mine.py:name,
    module:name: docs/guide/agents.md).

    round-robin plays all tables and duels all tables of two, until a sequential test confirms the order. In
    elimination the weakest leave after every round, as in evolution.
    """
    from evodom.presentation.documents.tournament import Contest

    seed = chosen_seed(common.seed)
    entered = entrants_of(names, contest, common, seed)
    players = _players(entered, options)
    _check(entered, options)
    result = _play_tournament(entered, players, seed, options, common)
    command = command_to_repeat(["tournament", *names, *arguments(options)], contest, common, seed)
    note = entered.size_note(players, "tournament")
    found = Contest(options.format, entered.kingdom, players, seed, options.confidence, result, command, note)
    print_contest(found, contest.csv_file, as_json=common.as_json)


def _players(entered: Entrants, options: TournamentOptions) -> int:
    """Return the number of players at a table."""
    if options.format == "duels":
        if options.players not in (None, 2):
            raise UsageError(
                f"--format duels has tables of two, and --players is {options.players}. Leave --players out."
            )
        return 2
    evolved_for = None if options.players else entered.players
    return int(options.players or evolved_for or min(DEFAULT_PLAYERS, len(entered.entrants)))


def _check(entered: Entrants, options: TournamentOptions) -> None:
    """Raise UsageError for entrants and options that do not go together."""
    n = len(entered.entrants)
    if not 2 <= n <= MOST_ENTRANTS:
        raise UsageError(f"a tournament needs 2 to {MOST_ENTRANTS} strategies, got {n}.")
    first: dict[tuple[str, ...], str] = {}
    for entrant in entered.entrants:
        if entrant.origin in first:
            same = first[entrant.origin]
            which = f"'{same}' is entered twice" if same == entrant.name else f"'{same}' and '{entrant.name}' are equal"
            raise UsageError(f"{which}. Enter each strategy once.")
        first[entrant.origin] = entrant.name
    if options.format == "elimination" and (options.games or options.max_games):
        flag = "--games" if options.games else "--max-games"
        raise UsageError(f"{flag} does not go with --format elimination. Give --match-games instead.")
    if options.match_games and options.format != "elimination":
        raise UsageError(f"--match-games does not go with --format {options.format}. Give --games instead.")
    if options.games and options.max_games:
        raise UsageError("--games and --max-games both set the number of games. Give one of them.")


def _play_tournament(
    entered: Entrants, players: int, seed: int, options: TournamentOptions, common: CommonArguments
) -> TournamentResult:
    """Play the tournament, with progress on stderr."""
    compile_for(entered.entrants, entered.kingdom, quiet=common.quiet)
    from evodom.matches import tournament as tournaments
    from evodom.matches.seating import Use
    from evodom.matches.venue import Venue

    games, most = options.games, options.max_games or tournaments.MOST_GAMES
    is_elimination = options.format == "elimination"
    with (
        workers(common.jobs) as threads,
        progress(None if is_elimination else games or most, quiet=common.quiet, python=entered.has_agents) as on_games,
    ):
        venue = Venue(entered.kingdom, players, seed, Use.TOURNAMENT, threads, on_games)
        entrants, confidence = entered.entrants, options.confidence
        if is_elimination:
            n_games = options.match_games or tournaments.MATCH_GAMES
            return tournaments.play_elimination(venue, entrants, match_games=n_games, confidence=confidence)
        return tournaments.play_round_robin(venue, entrants, n_games=games, most_games=most, confidence=confidence)
