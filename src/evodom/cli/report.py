"""`evodom report`: what a saved run came to."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evodom.cli.common import (
    RunKey,
    can_print,
    command_line,
    data_dir_option,
    is_terminal,
    jobs_option,
    json_option,
    note_unusable_network,
    quiet_option,
    seed_option,
    warm_up,
    warm_up_learning,
    workers,
)
from evodom.errors import RunError, UsageError
from evodom.files import replace_text
from evodom.reports import ATTACK_GAMES, DEFAULT_GAMES, FIGHTS_SHARE

if TYPE_CHECKING:
    from evodom.matches.venue import Venue
    from evodom.presentation.document import Document
    from evodom.reports.cached import Attack
    from evodom.runs import Run


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
    "--attack",
    "attack_games",
    type=click.IntRange(0, 100_000_000),
    default=ATTACK_GAMES,
    show_default=True,
    metavar="GAMES",
    help="Set a learner on the champion for so many games and tell what it reaches, which is saved with the run; 0: do "
    "without.",
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
def report(key: str, html: Path | None, csv: Path | None, overwrite: bool, as_json: bool, **given: Any) -> None:
    """Tell what run KEY has found.

    The report says how strategies grew stronger over the generations, what the last generation's champion buys, how
    often the best win against baselines such as Big Money, what a learner reaches that is set on the champion, and how
    their games go turn by turn. --html tells more, with pictures: write it to a file and open that in a browser.

    Win rates come from new games, played for the report: more --games make them more exact, and take longer. The same
    run, --games and --seed give the same report. Without --seed, the seed of the run itself is used.
    """
    from evodom import runs as store
    from evodom.answers import real_key

    check_targets(html, csv, overwrite=overwrite)
    key = real_key(key, store.data_dir(given["data_dir"]))
    store.check_saved(key, store.data_dir(given["data_dir"]))
    from evodom.learning.fights import is_for_fights
    from evodom.learning.run import is_learned
    from evodom.presentation import page
    from evodom.presentation.tables import write_tables
    from evodom.presentation.text import SPARKS, render

    with store.Run.open(key, root=store.data_dir(given["data_dir"])) as run:
        of_fights = is_for_fights(run)
        if of_fights or is_learned(run):
            measure = (_fights if of_fights else _learned)(run, given)
        else:
            measure = _evolved(run, given, in_full=bool(as_json or html or csv))
    found = measure()
    if html is not None:
        _write_page(html, page.render(found.document), quiet=given["quiet"])
    if csv is not None:
        files = write_tables(found.document, csv)
        if not given["quiet"]:
            click.echo(f"{len(files)} tables are in {csv}.", err=True)
    shown = json.dumps(found.to_json(), indent=2, allow_nan=False) if as_json else None
    click.echo(shown or render(found.document, blocks=can_print(SPARKS)))


@dataclass(frozen=True)
class _Measured:
    """The result of a report: its data, and its document."""

    to_json: Callable[[], dict[str, Any]]
    document: Document


def _evolved(run: Run, given: dict[str, Any], *, in_full: bool) -> Callable[[], _Measured]:
    """Read what the report of a run of evolution needs; only its text is in short."""
    from evodom.presentation.documents.evolved import evolved_document
    from evodom.reports.cached import Matches, save_matches
    from evodom.reports.evolved import make_report, read_entries
    from evodom.runs import data_dir

    entries, games, key = read_entries(run, in_full=in_full), given["games"], run.key
    options, seed = entries.options, _seed(entries.facts["seed"], given)

    def measure() -> _Measured:
        from evodom.dominion.strategies import probe
        from evodom.matches.simulate import compile_census

        if given["attack_games"]:
            note_unusable_network(options.kingdom, quiet=given["quiet"])
        (warm_up_learning if given["attack_games"] else warm_up)(quiet=given["quiet"])
        compile_census()
        probe.warm_up()
        with _venue(options, seed, entries.n_games(games), given) as venue:
            attack = _attack(key, entries.best[0], venue, given)
            matches = Matches(venue, entries.matches)
            found = make_report(entries, matches, command=_command(key, seed, given), games=games, attack=attack)
            save_matches(key, data_dir(given["data_dir"]), matches)
            return _Measured(found.to_json, evolved_document(found))

    return measure


def _learned(run: Run, given: dict[str, Any]) -> Callable[[], _Measured]:
    """Read what the report of a run of learning needs."""
    from evodom.learning.run import options_of
    from evodom.presentation.documents.learned import learned_document
    from evodom.reports.learned import make_learned_report, n_games_of, read_course
    from evodom.runs import seed_of

    options, course, games, key = options_of(run), read_course(run), given["games"], run.key
    seed = _seed(seed_of(run), given)

    def measure() -> _Measured:
        from evodom.matches.simulate import compile_census

        warm_up_learning(quiet=given["quiet"])
        compile_census()
        with _venue(options, seed, n_games_of(options, games), given) as venue:
            attack = _attack(key, course.champion, venue, given)
            command = _command(key, seed, given)
            found = make_learned_report(course, venue, command=command, games=games, attack=attack)
            return _Measured(found.to_json, learned_document(found))

    return measure


def _fights(run: Run, given: dict[str, Any]) -> Callable[[], _Measured]:
    """Read what the report of a training for fights needs; a fight takes as long as some games of Dominion."""
    from evodom import runs as store
    from evodom.cli.common import warm_up_fights, warm_up_solver
    from evodom.learning.fights.run import check_run, fights_of
    from evodom.presentation.documents.fights import fights_document
    from evodom.reports.fights import make_fight_report

    check_run(run)
    names, key, seed = [fight.text for fight in fights_of(run)], run.key, _seed(store.seed_of(run), given)
    games = max(given["games"] // FIGHTS_SHARE, 2)

    def measure() -> _Measured:
        warm_up_fights(quiet=given["quiet"])
        warm_up_solver(quiet=given["quiet"])
        how = {"command": _command(key, seed, given), "games": games, "seed": seed, "n_threads": given["jobs"]}
        with store.Run.open(key, root=store.data_dir(given["data_dir"])) as run:
            found = make_fight_report(run, names, **how)
            return _Measured(found.to_json, fights_document(found))

    return measure


def _seed(own: int, given: dict[str, Any]) -> int:
    return own if given["seed"] is None else int(given["seed"])


def _command(key: str, seed: int, given: dict[str, Any]) -> str:
    """Return the command that makes the same report again."""
    words = ["evodom", "report", key, "--games", str(given["games"]), "--seed", str(seed)]
    words += ["--attack", str(given["attack_games"])] if given["attack_games"] != ATTACK_GAMES else []
    return command_line(*words, data_dir=given["data_dir"])


@contextmanager
def _venue(options: Any, seed: int, n_games: int, given: dict[str, Any]) -> Iterator[Venue]:
    """Give the table of a report, with progress on stderr where that is a terminal."""
    from tqdm import tqdm

    from evodom.matches.streams import Use
    from evodom.matches.venue import Venue
    from evodom.reports.cached import n_games_of

    hide = given["quiet"] or not is_terminal(sys.stderr)
    total = n_games + n_games_of(given["attack_games"], options.players, given["games"])
    with (
        workers(given["jobs"]) as threads,
        tqdm(total=total, unit=" games", unit_scale=True, leave=False, disable=hide) as bar,
    ):
        yield Venue(options.kingdom, options.players, seed, Use.REPORT, threads, bar.update)


def _attack(key: str, champion: Any, venue: Venue, given: dict[str, Any]) -> Attack | None:
    """Return what a learner reaches against the champion, None if nobody is to be set on it."""
    from evodom.reports.cached import attacked
    from evodom.runs import data_dir

    return attacked(key, data_dir(given["data_dir"]), champion, venue, given["attack_games"], given["games"])


def check_targets(html: Path | None, csv: Path | None, *, overwrite: bool) -> None:
    """Raise UsageError if something stands where a page or tables are to be written; before any game is played."""
    for target in (html, next(iter(sorted(csv.glob("*.csv"))), None) if csv else None):
        if target is not None and not overwrite and target.exists():
            raise UsageError(f"{target} exists. Replace it with --overwrite, or choose another place.")
    if html is not None and not html.absolute().parent.is_dir():
        raise UsageError(f"there is no folder {html.absolute().parent} to write {html.name} to. Make it first.")


def _write_page(html: Path, text: str, *, quiet: bool) -> None:
    """Write a page, and say so on stderr."""
    try:
        replace_text(html, text)
    except OSError as error:
        raise RunError(f"cannot write {html}: {error.strerror}. Choose another file.") from error
    if not quiet:
        click.echo(f"The page is in {html}: open it in a browser.", err=True)
