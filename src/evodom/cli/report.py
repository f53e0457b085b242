"""`evodom report`: what a saved run came to."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evodom.cli.common import (
    RunKey,
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
    help="Games played for each win rate.",
)
@seed_option
@jobs_option
@quiet_option
@json_option
@data_dir_option
def report(
    key: str, games: int, seed: int | None, jobs: int, quiet: bool, as_json: bool, data_dir: Path | None
) -> None:
    """Tell what run KEY has found.

    The report says how strategies grew stronger over the generations, what the last generation's champion buys, how
    often the best win against baselines such as Big Money, and how their games end.

    Win rates come from new games, played for the report: more --games make them more exact, and take longer. The same
    run, --games and --seed give the same report. Without --seed, the seed of the run itself is used.
    """
    from evodom import store
    from evodom.report.contents import read_entries
    from evodom.report.layout import BLOCKS
    from evodom.report.text import render

    with store.Run.open(key, root=store.data_dir(data_dir)) as run:
        entries = read_entries(run)
    seed = entries.facts["seed"] if seed is None else seed
    command = command_line("evodom", "report", key, "--games", str(games), "--seed", str(seed), data_dir=data_dir)
    found = _measure(entries, command, games=games, seed=seed, jobs=jobs, quiet=quiet)
    if as_json:
        click.echo(json.dumps(found.to_json(), indent=2, allow_nan=False))
    else:
        click.echo(render(found, blocks=_can_print(BLOCKS)))


def _measure(entries: Entries, command: str, *, games: int, seed: int, jobs: int, quiet: bool) -> Report:
    """Play the games of the report, with progress on stderr where that is a terminal."""
    from tqdm import tqdm

    from evodom.report.contents import make_report

    warm_up(quiet=quiet)
    hide = quiet or not is_terminal(sys.stderr)
    total = games * entries.n_figures
    with workers(jobs) as threads, tqdm(total=total, unit=" games", unit_scale=True, leave=False, disable=hide) as bar:
        return make_report(entries, command=command, games=games, seed=seed, workers=threads, on_games=bar.update)


def _can_print(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
