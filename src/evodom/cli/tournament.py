"""`evodom tournament`: strategies of any origin against each other, until the order is clear."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evodom.cli.common import (
    Number,
    chosen_seed,
    cluster_option,
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

FORMATS = ("round-robin", "duels", "elimination")
MOST_ENTRANTS = 64
DEFAULT_PLAYERS = 4
MAX_GAMES = 1_000_000


@click.command(short_help="Rank strategies: runs, baselines and files.")
@click.argument("names", type=EntrantName(), nargs=-1, required=True, metavar="STRATEGY...")
@click.option("--format", type=click.Choice(FORMATS), default=FORMATS[0], show_default=True, help="Who meets whom.")
@click.option(
    "--players",
    type=click.IntRange(2, 6),
    help="Players at a table.  [default: as the runs were evolved; without runs 4, or all if there are fewer]",
)
@click.option(
    "--confidence",
    type=Number(0.5, 0.9999),
    default=0.95,
    show_default=True,
    help="Play until the order is right with this probability; all intervals have it too.",
)
@click.option(
    "--games",
    type=click.IntRange(1, MAX_GAMES),
    help="Play so many games, the order clear or not; in elimination so many a match (by default 1000).",
)
@click.option(
    "--max-games",
    type=click.IntRange(1, MAX_GAMES),
    help="Play at most so many games for the order to become clear.  [default: 200000]",
)
@shared_kingdom_option
@first_edition_option
@click.option("--csv", "csv_file", type=click.Path(dir_okay=False, path_type=Path), help="Write the tables to a file.")
@seed_option
@jobs_option
@cluster_option
@json_option
@quiet_option
@data_dir_option
def tournament(names: tuple[str, ...], quiet: bool, as_json: bool, data_dir: Path | None, **given: Any) -> None:
    """Play a tournament of strategies and tell the order, ratings, and who beats whom.

    A STRATEGY is the champion of a run (demo), its second best (demo:2), the champion of a generation (demo@50), a
    baseline (evodom strategies lists them), a strategy file (mine.toml), the network of all kingdoms (network, or
    network:0.5s to let it think half a second a decision), or an agent of your own in Python (./mine.py, mine.py:name,
    module:name: docs/agents.md).

    round-robin plays all tables, duels all tables of two, until the order is clear: a sequential test that holds at
    every look. In elimination the weakest leave after every round, as in evolution.
    """
    from evodom import runs as store
    from evodom.presentation.documents.tournament import Contest, contest_document
    from evodom.presentation.tables import check_file, write_table
    from evodom.presentation.text import render

    given["seed"] = chosen_seed(given["seed"])
    entered = chosen_entrants(
        names,
        root=store.data_dir(data_dir),
        kingdom=given["kingdom"],
        seed=given["seed"],
        first_edition=given["first_edition"],
    )
    players = _players(entered, given)
    _check(entered, given)
    check_file(given["csv_file"])
    result = _play(entered, players, given, quiet=quiet)
    command = command_line(*_words(names, given), data_dir=data_dir)
    contest = Contest(given["format"], entered.kingdom, players, given["seed"], given["confidence"], result, command)
    if given["csv_file"]:
        write_table(contest_document(contest), "standings", given["csv_file"])
    shown = json.dumps(contest.to_json(), indent=2, allow_nan=False) if as_json else render(contest_document(contest))
    click.echo(shown)


def _players(entered: Entrants, given: dict[str, Any]) -> int:
    """Return how many sit at a table."""
    if given["format"] == "duels":
        if given["players"] not in (None, 2):
            raise UsageError(f"--format duels has tables of two, and --players is {given['players']}. Leave one out.")
        return 2
    evolved_for = None if given["players"] else entered.players
    return int(given["players"] or evolved_for or min(DEFAULT_PLAYERS, len(entered.entrants)))


def _check(entered: Entrants, given: dict[str, Any]) -> None:
    """Refuse entrants and options that make no tournament."""
    n = len(entered.entrants)
    if not 2 <= n <= MOST_ENTRANTS:
        raise UsageError(f"a tournament needs 2 to {MOST_ENTRANTS} strategies, and got {n}.")
    first: dict[tuple[str, ...], str] = {}
    for entrant in entered.entrants:
        if entrant.origin in first:
            same = first[entrant.origin]
            which = (
                f"'{same}' is entered twice" if same == entrant.name else f"'{same}' and '{entrant.name}' are the same"
            )
            raise UsageError(f"{which}: no number of games tells them apart. Leave one out.")
        first[entrant.origin] = entrant.name
    if given["max_games"] and given["format"] == "elimination":
        raise UsageError("--max-games is for playing until the order is clear. For elimination, say --games.")
    if given["games"] and given["max_games"]:
        raise UsageError("--games plays so many, and --max-games until the order is clear. Leave one out.")


def _play(entered: Entrants, players: int, given: dict[str, Any], *, quiet: bool) -> TournamentResult:
    """Play the tournament, with progress on stderr."""
    warm_up(entered.entrants, quiet=quiet)
    if entered.has_thinkers:
        warm_up_thinking(quiet=quiet)
    from evodom.matches import tournament as tournaments
    from evodom.matches.streams import Use
    from evodom.matches.venue import Venue

    games, most = given["games"], given["max_games"] or tournaments.MOST_GAMES
    is_elimination = given["format"] == "elimination"
    with (
        workers(given["jobs"], cluster=given["cluster"]) as threads,
        progress(None if is_elimination else games or most, quiet=quiet, python=entered.has_agents) as on_games,
    ):
        venue = Venue(entered.kingdom, players, given["seed"], Use.TOURNAMENT, threads, on_games)
        entrants, confidence = entered.entrants, given["confidence"]
        if is_elimination:
            n_games = games or tournaments.MATCH_GAMES
            return tournaments.play_elimination(venue, entrants, match_games=n_games, confidence=confidence)
        return tournaments.play_round_robin(venue, entrants, n_games=games, most_games=most, confidence=confidence)


def _words(names: tuple[str, ...], given: dict[str, Any]) -> list[str]:
    """Return the command that repeats a tournament."""
    words = ["evodom", "tournament", *names]
    words += ["--format", given["format"]] if given["format"] != FORMATS[0] else []
    words += ["--players", str(given["players"])] if given["players"] else []
    words += ["--confidence", f"{given['confidence']:g}"] if given["confidence"] != 0.95 else []
    words += ["--games", str(given["games"])] if given["games"] else []
    words += ["--max-games", str(given["max_games"])] if given["max_games"] else []
    words += ["--kingdom", given["kingdom"]] if given["kingdom"] is not None else []
    words += ["--first-edition"] if given["first_edition"] else []
    return [*words, "--seed", str(given["seed"])]
