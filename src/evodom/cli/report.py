"""`evodom report`: measure and print the report of a saved run."""

from pathlib import Path
from typing import Annotated

import click

from evodom.api.progress import ensure_compiled, note_unusable_network, progress, workers
from evodom.cli.common import command_line, print_report, write_report
from evodom.cli.options import CommonArguments, CsvFolder, Overwrite, RunKey, html_option, takes
from evodom.files import check_output
from evodom.options import OptionStruct, option
from evodom.reports import BEST_RESPONSE_GAMES, DEFAULT_GAMES


class ReportOptions(OptionStruct, frozen=True, kw_only=True):
    """The options of a report, and its files."""

    games: Annotated[
        int,
        option(
            "--evaluation-games", "Games for each win rate; a tenth for trainings of fights.", ge=1000, le=1_000_000
        ),
    ] = DEFAULT_GAMES
    best_response_games: Annotated[
        int,
        option(
            "--best-response-games GAMES",
            "Train a network against the champion for this many games and report its win rate, which is saved with the "
            "run. 0 skips this.",
            ge=0,
            le=100_000_000,
        ),
    ] = BEST_RESPONSE_GAMES
    html: Annotated[Path | None, html_option("report")] = None
    csv: CsvFolder = None
    overwrite: Overwrite = False


@click.command()
@click.argument("key", type=RunKey(parts=True))
@takes(ReportOptions, "options")
@takes(CommonArguments, "common")
def report(key: str, options: ReportOptions, common: CommonArguments) -> None:
    """Report the results of run KEY, or of the part of an answer of evodom advise with its best strategy.

    The report shows the strength of the generations, the champion's purchases, and the course of games turn by turn. It
    has the win rates of the best strategies against baselines such as Big Money, and the win rate of a network trained
    to beat the champion. --html writes a page with charts.

    Win rates are measured in new games. The same run, --evaluation-games and --seed give the same report.
    """
    from evodom.matches.entrants import find_answer

    for table in sorted(options.csv.glob("*.csv"))[:1] if options.csv else []:
        check_output(table, overwrite=options.overwrite)
    store = common.store
    store.check_saved(key)
    if answer := find_answer(key, store):
        key = answer.best_part
    from evodom.presentation.documents.saved_run import report_document
    from evodom.reports.saved_run import ReportRequest, read_saved_run

    def command(seed: int) -> str:
        words = ["evodom", "report", key, "--evaluation-games", str(options.games), "--seed", str(seed)]
        n_games = options.best_response_games
        words += ["--best-response-games", str(n_games)] if n_games != BEST_RESPONSE_GAMES else []
        return command_line(*words, data_dir=common.data_dir)

    in_full = bool(common.as_json or options.html or options.csv)
    request = ReportRequest(key, store, options.games, options.best_response_games, command, common.seed, in_full)
    prepared = read_saved_run(request)
    note_unusable_network(quiet=common.quiet or not prepared.trains_best_response)
    ensure_compiled(*prepared.groups, quiet=common.quiet)
    with (
        workers(common.jobs) as threads,
        progress(prepared.n_games, quiet=common.quiet or not prepared.n_games) as on_games,
    ):
        found = prepared.measure(threads, on_games)
    document = report_document(found)
    write_report(document, options.html, options.csv, quiet=common.quiet)
    print_report(document, found.to_json, as_json=common.as_json)
