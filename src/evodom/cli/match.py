"""`evodom match`: one table of strategies, many games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evodom.cli.common import (
    chosen_seed,
    command_line,
    data_dir_option,
    first_edition_option,
    jobs_option,
    json_option,
    progress,
    quiet_option,
    seed_option,
    warm_up,
    warm_up_thinking,
    workers,
)
from evodom.cli.entrants import EntrantName, chosen_entrants, shared_kingdom_option
from evodom.errors import UsageError

if TYPE_CHECKING:
    from evodom.entrants import Entrants
    from evodom.matches.tournament import TournamentResult

SEATS = range(2, 7)
DEFAULT_GAMES = 10_000
MAX_GAMES = 1_000_000
CONFIDENCE = 0.95


@click.command(short_help="Play many games at one table of strategies.")
@click.argument("names", type=EntrantName(), nargs=-1, required=True, metavar="STRATEGY...")
@click.option(
    "--games",
    type=click.IntRange(1, MAX_GAMES),
    default=DEFAULT_GAMES,
    show_default=True,
    help="Play so many games, everybody in each seat equally often.",
)
@click.option(
    "--players",
    type=click.IntRange(2, 6),
    help="Seats at the table: copies of the last STRATEGY take those that are left.  [default: one for each STRATEGY]",
)
@shared_kingdom_option
@first_edition_option
@click.option("--csv", "csv_file", type=click.Path(dir_okay=False, path_type=Path), help="Write the table to a file.")
@seed_option
@jobs_option
@json_option
@quiet_option
@data_dir_option
def match(names: tuple[str, ...], quiet: bool, as_json: bool, data_dir: Path | None, **given: Any) -> None:
    """Play many games at one table, a seat for each STRATEGY, and tell who wins how often.

    A STRATEGY is the champion of a run (demo), its second best (demo:2), the champion of a generation (demo@50), a
    baseline (evodom strategies lists them), a strategy file (mine.toml), the network of all kingdoms (network, or
    network:0.5s to let it think half a second a decision), or an agent of your own in Python (./mine.py, mine.py:name,
    module:name: docs/agents.md). One named several times takes several seats, and its
    copies are counted together: evodom match demo big-money big-money big-money, or in short evodom match demo
    big-money --players 4
    """
    from evodom import runs as store
    from evodom.presentation.documents.tournament import Contest, contest_document
    from evodom.presentation.tables import check_file, write_table
    from evodom.presentation.text import render

    names = _seated(names, given["players"])
    given["seed"] = chosen_seed(given["seed"])
    entered = chosen_entrants(
        names,
        root=store.data_dir(data_dir),
        kingdom=given["kingdom"],
        seed=given["seed"],
        first_edition=given["first_edition"],
    )
    check_file(given["csv_file"])
    result = _play(entered, given, quiet=quiet)
    command = command_line(*_words(names, given), data_dir=data_dir)
    contest = Contest("", entered.kingdom, len(entered.entrants), given["seed"], CONFIDENCE, result, command)
    if given["csv_file"]:
        write_table(contest_document(contest), "standings", given["csv_file"])
    shown = json.dumps(contest.to_json(), indent=2, allow_nan=False) if as_json else render(contest_document(contest))
    click.echo(shown)


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


def _play(entered: Entrants, given: dict[str, Any], *, quiet: bool) -> TournamentResult:
    """Play the games, with progress on stderr."""
    warm_up(entered.entrants, quiet=quiet)
    if entered.has_thinkers:
        warm_up_thinking(quiet=quiet)
    from evodom.matches.streams import Use
    from evodom.matches.tournament import play_match
    from evodom.matches.venue import Venue

    n_seats, python = len(entered.entrants), entered.has_agents
    with workers(given["jobs"]) as threads, progress(given["games"], quiet=quiet, python=python) as on_games:
        venue = Venue(entered.kingdom, n_seats, given["seed"], Use.TOURNAMENT, threads, on_games)
        return play_match(venue, entered.entrants, n_games=given["games"], confidence=CONFIDENCE)


def _words(names: tuple[str, ...], given: dict[str, Any]) -> list[str]:
    """Return the command that repeats a match."""
    words = ["evodom", "match", *names, "--games", str(given["games"])]
    words += ["--kingdom", given["kingdom"]] if given["kingdom"] is not None else []
    words += ["--first-edition"] if given["first_edition"] else []
    return [*words, "--seed", str(given["seed"])]
