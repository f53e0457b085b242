"""`evodom report`: what a saved run came to."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evodom.cli.common import (
    RunKey,
    data_dir_option,
    jobs_option,
    json_option,
    quiet_option,
    seed_option,
    warm_up,
    workers,
)

if TYPE_CHECKING:
    from evodom.report.contents import Entries, Report

DEFAULT_GAMES = 4000
"""Enough for intervals of about 1.3 points either way, and for a report within a few seconds."""


@click.command(short_help="Tell what a run has found.")
@click.argument("key", type=RunKey())
@click.option(
    "--games",
    type=click.IntRange(1000, 1_000_000),
    default=DEFAULT_GAMES,
    show_default=True,
    help="Play this many games for each figure.",
)
@seed_option
@jobs_option
@quiet_option
@json_option
@data_dir_option
def report(
    key: str, games: int, seed: int | None, jobs: int, quiet: bool, as_json: bool, data_dir: Path | None
) -> None:
    """Tell what run KEY has found: its progress, its champion, and games against baselines.

    Everything is computed from the saved generations and from freshly played games. Without --seed those follow from
    the run's own seed.
    """
    from evodom import store
    from evodom.report.contents import read_entries
    from evodom.report.layout import BLOCKS
    from evodom.report.text import render

    with store.Run.open(key, root=store.data_dir(data_dir)) as run:
        entries = read_entries(run)
    found = _measure(entries, games=games, seed=seed, jobs=jobs, quiet=quiet)
    if as_json:
        click.echo(json.dumps(found.to_json(), indent=2, allow_nan=False))
    else:
        click.echo(render(found, blocks=_can_print(BLOCKS)))


def _measure(entries: Entries, *, games: int, seed: int | None, jobs: int, quiet: bool) -> Report:
    """Play the games of the report, with progress on stderr where that is a terminal."""
    from tqdm import tqdm

    from evodom.report.contents import make_report

    warm_up(quiet=quiet)
    hide = quiet or not sys.stderr.isatty()
    total = games * entries.n_figures
    with workers(jobs) as threads, tqdm(total=total, unit=" games", unit_scale=True, leave=False, disable=hide) as bar:
        return make_report(entries, games=games, seed=seed, workers=threads, on_games=bar.update)


def _can_print(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
