"""`evodom match`: one table of strategies, many games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click
from msgspec.structs import replace

from evodom.cli.common import chosen_seed, command_line, progress, warm_up, warm_up_thinking, workers
from evodom.cli.entrants import EntrantName, chosen_entrants
from evodom.cli.options import CommonArguments, KingdomArguments, kingdom_option, takes
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
    """The options of a match."""

    games: Annotated[
        int,
        option("--games", "Play so many games, everybody in each seat equally often.", ge=1, le=MAX_GAMES),
    ] = 10_000
    players: (
        Annotated[
            int,
            option(
                "--players",
                "Seats at the table: copies of the last STRATEGY take those that are left.",
                ge=2,
                le=6,
                default_text="one for each STRATEGY",
            ),
        ]
        | None
    ) = None


class ContestArguments(KingdomArguments, frozen=True, kw_only=True):
    """The options of a match and of a tournament: the kingdom, and a file for the table."""

    kingdom: Annotated[str, kingdom_option("that of the runs, else First Game")] | None = None
    csv_file: (
        Annotated[Path, option("--csv", "Write the table to a file.", type=click.Path(dir_okay=False, path_type=Path))]
        | None
    ) = None


@click.command(short_help="Play many games at one table of strategies.")
@click.argument("names", type=EntrantName(), nargs=-1, required=True, metavar="STRATEGY...")
@takes(MatchOptions, "options")
@takes(ContestArguments, "contest")
@takes(CommonArguments, "common")
def match(names: tuple[str, ...], options: MatchOptions, contest: ContestArguments, common: CommonArguments) -> None:
    """Play many games at one table, a seat for each STRATEGY, and tell who wins how often.

    A STRATEGY is the champion of a run (demo), its second best (demo:2), the champion of a generation (demo@50), a
    baseline (evodom strategies lists them), a strategy file (mine.toml), the network of all kingdoms (network, or
    network:0.5s to let it think half a second a decision), or an agent of your own in Python (./mine.py, mine.py:name,
    module:name: docs/agents.md). One named several times takes several seats, and its
    copies are counted together: evodom match demo big-money big-money big-money, or in short evodom match demo
    big-money --players 4
    """
    from evodom.presentation.documents.tournament import Contest

    names, seed = _seated(names, options.players), chosen_seed(common.seed)
    entered = entrants_of(names, contest, common, seed)
    result = _play(entered, options.games, seed, common)
    words = ["match", *names, *arguments(replace(options, players=None))]
    command = command_to_repeat(words, contest, common, seed)
    found = Contest("", entered.kingdom, len(entered.entrants), seed, CONFIDENCE, result, command)
    print_contest(found, contest.csv_file, as_json=common.as_json)


def entrants_of(names: tuple[str, ...], contest: ContestArguments, common: CommonArguments, seed: int) -> Entrants:
    """Return the entrants of a contest; refuse a file that could not be written."""
    from evodom.presentation.tables import check_file
    from evodom.runs import data_dir

    root, first_edition = data_dir(common.data_dir), contest.first_edition
    entered = chosen_entrants(names, root=root, kingdom=contest.kingdom, seed=seed, first_edition=first_edition)
    check_file(contest.csv_file)
    return entered


def command_to_repeat(words: list[str], contest: ContestArguments, common: CommonArguments, seed: int) -> str:
    """Return the command that repeats a contest."""
    shared = arguments(replace(contest, csv_file=None))
    return command_line("evodom", *words, *shared, "--seed", str(seed), data_dir=common.data_dir)


def print_contest(contest: Contest, csv_file: Path | None, *, as_json: bool) -> None:
    """Print a contest as text or as JSON, and write its table to a file if one is given."""
    from evodom.presentation.documents.tournament import contest_document
    from evodom.presentation.tables import write_table
    from evodom.presentation.text import render

    document = contest_document(contest)
    if csv_file:
        write_table(document, "standings", csv_file)
    click.echo(json.dumps(contest.to_json(), indent=2, allow_nan=False) if as_json else render(document))


def _seated(names: tuple[str, ...], players: int | None) -> tuple[str, ...]:
    """Return a name for each seat, the last one repeated up to the number of players."""
    if players and len(names) > players:
        raise UsageError(f"--players is {players}, and got {len(names)} strategies. Leave some out.")
    seated = names + names[-1:] * ((players or 0) - len(names))
    if len(seated) not in SEATS:
        raise UsageError(
            f"a table has 2 to 6 seats, and got {len(names)} strategies. Name one for each seat, or say --players."
        )
    return seated


def _play(entered: Entrants, games: int, seed: int, common: CommonArguments) -> TournamentResult:
    """Play the games, with progress on stderr."""
    warm_up(entered.entrants, quiet=common.quiet)
    if entered.has_thinkers:
        warm_up_thinking(quiet=common.quiet)
    from evodom.matches.streams import Use
    from evodom.matches.tournament import play_match
    from evodom.matches.venue import Venue

    n_seats, python = len(entered.entrants), entered.has_agents
    with workers(common.jobs) as threads, progress(games, quiet=common.quiet, python=python) as on_games:
        venue = Venue(entered.kingdom, n_seats, seed, Use.TOURNAMENT, threads, on_games)
        return play_match(venue, entered.entrants, n_games=games, confidence=CONFIDENCE)
