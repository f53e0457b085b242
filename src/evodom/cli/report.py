"""`evodom report`: what a saved run came to."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evodom.cli.common import (
    RunKey,
    can_print,
    command_line,
    data_dir_option,
    is_terminal,
    jobs_option,
    json_option,
    quiet_option,
    seed_option,
    warm_up,
    workers,
)
from evodom.errors import RunError, UsageError
from evodom.files import replace_text

if TYPE_CHECKING:
    from evodom.report.contents import Entries, Report

DEFAULT_GAMES = 4000
"""Enough for intervals of about 1.3 points either way (curves and matrices have a quarter of the games, and twice the
interval), and for a report within a few seconds."""

FIGHTS_SHARE = 10
"""A training for fights plays so many times fewer."""


@click.command(short_help="Tell what a run has found.")
@click.argument("key", type=RunKey())
@click.option(
    "--games",
    type=click.IntRange(1000, 1_000_000),
    default=DEFAULT_GAMES,
    show_default=True,
    help="Games played for each win rate; of a training for fights a tenth as many.",
)
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the report as one page with pictures, which opens offline.",
)
@click.option(
    "--csv",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the tables into this folder, one file each.",
)
@click.option("-o", "--overwrite", is_flag=True, help="Replace a file or tables that exist.")
@seed_option
@jobs_option
@quiet_option
@json_option
@data_dir_option
def report(
    key: str,
    games: int,
    html: Path | None,
    csv: Path | None,
    overwrite: bool,
    seed: int | None,
    jobs: int,
    quiet: bool,
    as_json: bool,
    data_dir: Path | None,
) -> None:
    """Tell what run KEY has found.

    The report says how strategies grew stronger over the generations, what the last generation's champion buys, how
    often the best win against baselines such as Big Money, and how their games go turn by turn. --html tells more, with
    pictures: write it to a file and open that in a browser.

    Win rates come from new games, played for the report: more --games make them more exact, and take longer. The same
    run, --games and --seed give the same report. Without --seed, the seed of the run itself is used.
    """
    from evodom import store
    from evodom.learning.fights.run import is_for_fights
    from evodom.learning.run import is_learned
    from evodom.report.contents import read_entries
    from evodom.report.layout import BLOCKS
    from evodom.report.text import render

    check_targets(html, csv, overwrite=overwrite)
    with store.Run.open(key, root=store.data_dir(data_dir)) as run:
        of_fights = is_for_fights(run)
        saved = store.seed_of(run) if is_learned(run) or of_fights else None
        entries = read_entries(run) if saved is None else None
    if entries is None:
        seed = saved if seed is None else seed
        if of_fights:
            _tell_fights(
                key, html, csv, games=games, seed=seed or 0, jobs=jobs, quiet=quiet, as_json=as_json, root=data_dir
            )
            return
        _tell_learned(
            key, html, csv, games=games, seed=seed or 0, jobs=jobs, quiet=quiet, as_json=as_json, root=data_dir
        )
        return
    seed = entries.facts["seed"] if seed is None else seed
    command = command_line("evodom", "report", key, "--games", str(games), "--seed", str(seed), data_dir=data_dir)
    found = _measure(entries, command, games=games, seed=seed, jobs=jobs, quiet=quiet)
    _write(found, html, csv, quiet=quiet)
    if as_json:
        click.echo(json.dumps(found.to_json(), indent=2, allow_nan=False))
    else:
        click.echo(render(found, blocks=can_print(BLOCKS)))


def _tell_learned(
    key: str,
    html: Path | None,
    csv: Path | None,
    *,
    games: int,
    seed: int,
    jobs: int,
    quiet: bool,
    as_json: bool,
    root: Path | None,
) -> None:
    """Tell what a run of learning has found."""
    from evodom import store
    from evodom.learning.run import options_of
    from evodom.matches.streams import Use
    from evodom.matches.venue import Venue
    from evodom.report.learned import make_learned_report
    from evodom.report.learned_page import learned_page
    from evodom.report.learned_text import render_learned

    if csv is not None:
        raise UsageError(f"--csv has no tables for '{key}', which was trained. Take --json or --html.")
    command = command_line("evodom", "report", key, "--games", str(games), "--seed", str(seed), data_dir=root)
    warm_up(quiet=quiet)
    with store.Run.open(key, root=store.data_dir(root)) as run, workers(jobs) as threads:
        options = options_of(run)
        venue = Venue(options.kingdom, options.players, seed, Use.REPORT, threads)
        found = make_learned_report(run, venue, command=command, games=games)
    if html is not None:
        _write_page(html, learned_page(found), quiet=quiet)
    click.echo(json.dumps(found.to_json(), indent=2, allow_nan=False) if as_json else render_learned(found))


def _tell_fights(
    key: str,
    html: Path | None,
    csv: Path | None,
    *,
    games: int,
    seed: int,
    jobs: int,
    quiet: bool,
    as_json: bool,
    root: Path | None,
) -> None:
    """Tell what a training for fights has found; a fight takes as long as some games of Dominion."""
    from evodom import store
    from evodom.cli.common import warm_up_fights, warm_up_solver
    from evodom.cli.spire_fight import describe
    from evodom.learning.fights.run import check_run, fights_of
    from evodom.report.fights import make_fight_report
    from evodom.report.fights_page import fights_page, render_fights

    if csv is not None:
        raise UsageError(f"--csv has no tables for '{key}', which was trained for fights. Take --json or --html.")
    command = command_line("evodom", "report", key, "--games", str(games), "--seed", str(seed), data_dir=root)
    with store.Run.open(key, root=store.data_dir(root)) as run:
        check_run(run)
        warm_up_fights(quiet=quiet)
        warm_up_solver(quiet=quiet)
        names = [describe(fight) for fight in fights_of(run)]
        n = max(games // FIGHTS_SHARE, 2)
        found = make_fight_report(run, names, command=command, games=n, seed=seed, n_threads=jobs)
    if html is not None:
        _write_page(html, fights_page(found), quiet=quiet)
    click.echo(json.dumps(found.to_json(), indent=2, allow_nan=False) if as_json else render_fights(found))


def check_targets(html: Path | None, csv: Path | None, *, overwrite: bool) -> None:
    """Raise UsageError if something stands where a page or tables are to be written; before any game is played."""
    for target in (html, csv / "progress.csv" if csv else None):
        if target is not None and not overwrite and target.exists():
            raise UsageError(f"{target} exists. Replace it with --overwrite, or choose another place.")
    if html is not None and not html.absolute().parent.is_dir():
        raise UsageError(f"there is no folder {html.absolute().parent} to write {html.name} to. Make it first.")


def _write(found: Report, html: Path | None, csv: Path | None, *, quiet: bool) -> None:
    """Write the page and the tables that were asked for, and say so on stderr."""
    from evodom.report.page import page
    from evodom.report.tables import write_tables

    if html is not None:
        _write_page(html, page(found), quiet=quiet)
    files = write_tables(found, csv) if csv is not None else []
    if files and not quiet:
        click.echo(f"{len(files)} tables are in {csv}.", err=True)


def _write_page(html: Path, text: str, *, quiet: bool) -> None:
    """Write a page, and say so on stderr."""
    try:
        replace_text(html, text)
    except OSError as error:
        raise RunError(f"cannot write {html}: {error.strerror}. Choose another file.") from error
    if not quiet:
        click.echo(f"The page is in {html}: open it in a browser.", err=True)


def _measure(entries: Entries, command: str, *, games: int, seed: int, jobs: int, quiet: bool) -> Report:
    """Play the games of the report, with progress on stderr where that is a terminal."""
    from tqdm import tqdm

    from evodom.dominion.strategies import asking
    from evodom.matches import census
    from evodom.matches.streams import Use
    from evodom.matches.venue import Venue
    from evodom.report.contents import make_report

    warm_up(quiet=quiet)
    census.warm_up()
    asking.warm_up()
    hide = quiet or not is_terminal(sys.stderr)
    total = entries.n_games(games)
    with workers(jobs) as threads, tqdm(total=total, unit=" games", unit_scale=True, leave=False, disable=hide) as bar:
        options = entries.options
        venue = Venue(options.kingdom, options.players, seed, Use.REPORT, threads, bar.update)
        return make_report(entries, venue, command=command, games=games)
