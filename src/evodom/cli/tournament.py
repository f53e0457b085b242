"""`evodom match` and `evodom tournament`: strategies of any origin at one table, or against each other."""

from pathlib import Path
from typing import Annotated

import click

from evodom.cli.common import command_line, print_report
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
from evodom.matches.options import MatchOptions, TournamentOptions
from evodom.options import arguments, chosen_seed, option, specs_of


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

    A STRATEGY is the champion of a run (demo), its second best (demo:2), the champion of a generation (demo@50), the
    mixture of the lines of a run (demo:mixture), a baseline (evodom strategies lists them), a strategy file
    (mine.toml), the network of all kingdoms (network, or network:0.5s for half a second of search per decision), or a
    Python agent (./mine.py, mine.py:name, module:name: docs/guide/agents.md). A STRATEGY that is named
    several times takes several seats, and its copies are counted together: evodom match demo big-money big-money
    big-money, or in short evodom match demo big-money --players 4. The table has the size that the runs were made for.
    """
    _contest("match", names, options, contest, common)


def _contest(
    command: str,
    names: tuple[str, ...],
    options: MatchOptions | TournamentOptions,
    contest: ContestArguments,
    common: CommonArguments,
) -> None:
    """Play a contest. Print it as text or as JSON, and write its table to a file if one is given."""
    from evodom.api.contests import play_contest
    from evodom.files import write_output
    from evodom.presentation.csv_tables import tables

    seed = chosen_seed(common.seed)
    entered = chosen_entrants(names, contest, store=common.store, kingdom=contest.kingdom, seed=seed)
    shared = arguments(contest, *specs_of(KingdomArguments))
    words = ["evodom", command, *names, *arguments(options), *shared, "--seed", str(seed)]
    repeat = command_line(*words, data_dir=common.data_dir)
    found = play_contest(entered, options, seed, jobs=common.jobs, quiet=common.quiet, command=repeat)
    document = found.document()
    if contest.csv_file:
        write_output(contest.csv_file, tables(document, separator=" ")["standings"])
    print_report(document, found.contest.to_json, as_json=common.as_json)


@click.command()
@click.argument("names", type=EntrantName(), nargs=-1, required=True, metavar="STRATEGY...")
@takes(TournamentOptions, "options")
@takes(ContestArguments, "contest")
@takes(CommonArguments, "common")
def tournament(
    names: tuple[str, ...], options: TournamentOptions, contest: ContestArguments, common: CommonArguments
) -> None:
    """Play a tournament of strategies and print the order, ratings, and pairwise results.

    A STRATEGY is the champion of a run (demo), its second best (demo:2), the champion of a generation (demo@50), the
    mixture of the lines of a run (demo:mixture), a baseline (evodom strategies lists them), a strategy file
    (mine.toml), the network of all kingdoms (network, or network:0.5s for half a second of search per decision), or a
    Python agent (./mine.py, mine.py:name, module:name: docs/guide/agents.md).

    round-robin plays all tables and duels all tables of two, until a sequential test confirms the order. In
    elimination the weakest leave after every round, as in evolution.
    """
    _contest("tournament", names, options, contest, common)
