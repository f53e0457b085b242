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
    quiet_option,
    seed_option,
    warm_up,
    workers,
)
from evodom.cli.entrants import EntrantName, chosen_field, field_kingdom_option
from evodom.cli.outcome import Page, check_csv, match_text, named, progress, write_csv
from evodom.errors import UsageError

if TYPE_CHECKING:
    from evodom.entrants import Field
    from evodom.matches.tournament import Outcome

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
@field_kingdom_option
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
    baseline (evodom strategies lists them) or a strategy file (mine.toml). One named several times takes several
    seats, and its copies are counted together: evodom match demo big-money big-money big-money
    """
    from evodom import store

    if len(names) not in SEATS:
        raise UsageError(f"a table has 2 to 6 seats, and got {len(names)} strategies. Name one for each seat.")
    given["seed"] = chosen_seed(given["seed"])
    field = chosen_field(
        names,
        root=store.data_dir(data_dir),
        kingdom=given["kingdom"],
        seed=given["seed"],
        first_edition=given["first_edition"],
    )
    check_csv(given["csv_file"])
    outcome = _play(field, given, quiet=quiet)
    page = _page(field, given, outcome, command_line(*_words(names, given), data_dir=data_dir))
    if given["csv_file"]:
        write_csv(given["csv_file"], page)
    click.echo(json.dumps(page.to_json(), indent=2, allow_nan=False) if as_json else match_text(page))


def _play(field: Field, given: dict[str, Any], *, quiet: bool) -> Outcome:
    """Play the games, with progress on stderr."""
    warm_up(quiet=quiet)
    from evodom.matches.tournament import Arena, play_match

    n_seats = len(field.entrants)
    with workers(given["jobs"]) as threads, progress(given["games"], quiet=quiet) as on_games:
        arena = Arena(field.kingdom, n_seats, given["seed"], threads, CONFIDENCE, on_games)
        return play_match(arena, field.entrants, n_games=given["games"])


def _page(field: Field, given: dict[str, Any], outcome: Outcome, command: str) -> Page:
    kingdom, players = field.kingdom, len(field.entrants)
    title = f"Match in {named(kingdom)}: {outcome.course.n_games:,} games of {players}, seed {given['seed']}"
    facts = {
        "kingdom": {"name": kingdom.name, "cards": list(kingdom.cards)},
        "players": players,
        "seed": given["seed"],
        "confidence": CONFIDENCE,
    }
    return Page(title, facts, outcome, command)


def _words(names: tuple[str, ...], given: dict[str, Any]) -> list[str]:
    """Return the command that repeats a match."""
    words = ["evodom", "match", *names, "--games", str(given["games"])]
    words += ["--kingdom", given["kingdom"]] if given["kingdom"] is not None else []
    words += ["--first-edition"] if given["first_edition"] else []
    return [*words, "--seed", str(given["seed"])]
