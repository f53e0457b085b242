"""`evodom compare`: run `evolve` or `train` with several settings over the same seeds, and compare the results.

A file of settings names options of the command without their dashes. It becomes arguments, which the command parses.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import click
from msgspec import Meta, Struct

from evodom.cli import INTERRUPTED
from evodom.cli.common import command_line, print_report, write_report
from evodom.cli.options import CommonArguments, CsvFolder, RunArguments, RunKey, cluster_option, html_option, takes
from evodom.cli.run_commands import CreatesRun, RunCommand
from evodom.errors import UsageError, did_you_mean, errors_at, short
from evodom.files import check_output, parse_toml, plain_name, read_text
from evodom.options import OptionStruct, Seed, checked_seeds, option, specs_of
from evodom.reading import convert
from evodom.runs.names import LONGEST_SETTING, check_part, is_key

_KEEP = "Choose another file, or delete it. --overwrite replaces it too, but starts the comparison from the beginning."

_OWN_OPTIONS = {*specs_of(RunArguments), "cluster", "minutes", "help"}
"""Parameters that a file cannot have: those of `compare` itself, and a limit of time, which depends on the machine."""


class CompareFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of settings. The keys of ``common`` and of the settings are long options of ``command``."""

    command: Literal["evolve", "train"]
    seeds: Annotated[tuple[Seed, ...], Meta(min_length=2, max_length=20)]
    settings: Annotated[
        dict[str, dict[str, Any]],
        Meta(min_length=2, max_length=8, extra={"allowed": "2 to 8 tables of options, one for each setting"}),
    ]
    common: dict[str, Any] = {}


class ComparisonOptions(OptionStruct, frozen=True, kw_only=True):
    """Options of a comparison and its files."""

    key: Annotated[
        str | None, option("--key", "Key of the saved comparison.", default_text="the name of the file", type=RunKey())
    ] = None
    games: Annotated[
        int,
        option(
            "--games", "Games at each point of a learning curve, against copies of each opponent.", ge=10, le=100_000
        ),
    ] = 400
    cluster: Annotated[str | None, cluster_option("compute the runs")] = None
    html: Annotated[Path | None, html_option("comparison", _KEEP)] = None
    csv: CsvFolder = None
    overwrite: Annotated[
        bool, option("-o --overwrite", "Replace the saved comparison, and existing files.", is_eager=True)
    ] = False


@click.command()
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE.toml")
@takes(ComparisonOptions, "options")
@takes(CommonArguments, "common", "jobs", "data_dir", "as_json", "quiet")
@click.pass_context
def compare(ctx: click.Context, /, file: Path, options: ComparisonOptions, common: CommonArguments) -> None:
    """Compare settings of `evodom evolve` or `evodom train` over the same seeds.

    FILE.toml has the command, the seeds, common options, and a table of options for each setting
    (docs/guide/compare.md). Each process of --jobs computes whole runs.

    The report has the final win rate of each setting against held-out baselines, as a mean over the seeds. It also has
    an exact test of each difference, and learning curves. The runs are saved in one file; evodom report
    KEY:SETTING-SEED shows one.

    The same command continues a stopped comparison. Finished runs are not repeated.
    """
    for table in sorted(options.csv.glob("*.csv"))[:1] if options.csv else []:
        check_output(table, overwrite=options.overwrite, advice=_KEEP)
    content, commands = read_settings(file, common)
    from evodom.api.compare import compute_comparison
    from evodom.comparison.plan import ComparisonPlan

    with errors_at(str(file)):
        settings = {
            name: {seed: command.new("run", seed) for seed in content.seeds} for name, command in commands.items()
        }
        for name, command in commands.items():
            command.compile(settings[name][content.seeds[0]])
        plan = ComparisonPlan.of(content.command, settings, options.games)
    key = options.key or (file.stem if is_key(file.stem) else plain_name(file.stem, "comparison", 64))
    store = common.store
    store.remove_leftovers()
    try:
        found = compute_comparison(
            key,
            plan,
            store=store,
            jobs=common.jobs,
            cluster_address=options.cluster,
            overwrite=options.overwrite,
            quiet=common.quiet,
        )
    except KeyboardInterrupt:
        chosen = ("--key", options.key) if options.key else ()
        again = command_line("evodom", "compare", str(file), *chosen, data_dir=common.data_dir)
        with store.open(key) as run:
            n_saved = f"{len(run.parts)} of {len(plan.runs)} runs are saved"
        click.echo(f"Stopped; {n_saved}. Continue with: {again}", err=True)
        ctx.exit(INTERRUPTED)
    document = found.document()
    write_report(document, options.html, options.csv, quiet=common.quiet)
    if common.as_json or not common.quiet:
        print_report(document, found.to_dict, as_json=common.as_json)


def read_settings(file: Path, common: CommonArguments) -> tuple[CompareFile, dict[str, RunCommand[Any]]]:
    """Return the content of a file of settings and each setting's command. Raise UsageError for an invalid file."""
    text = read_text(file, "a file of settings", "TOML", 1_000_000)
    content = convert(parse_toml(text, str(file)), CompareFile, source=str(file))
    with errors_at(str(file)):
        checked_seeds(content.seeds, 2, 20)
        for name in content.settings:
            check_part(name, "setting", LONGEST_SETTING)
    return content, _prepared(content, file, common)


def _prepared(content: CompareFile, file: Path, common: CommonArguments) -> dict[str, RunCommand[Any]]:
    """Return the command of each setting. Raise UsageError for options that it refuses."""
    from evodom.cli import cli

    command = cli.get_command(click.Context(cli), content.command)
    assert isinstance(command, CreatesRun)
    shared = ["--quiet"] * common.quiet + ([f"--data-dir={common.data_dir}"] if common.data_dir else [])
    found = {}
    for name, table in content.settings.items():
        where = f"{file}, setting {name}"
        words = [*shared, *_arguments(content.common | table, command, where)]
        try:
            found[name] = command.prepared(command.make_context(content.command, ["run", *words]))
        except click.UsageError as error:
            raise UsageError(f"{where}: {error.format_message()}") from None
        except UsageError as error:
            raise UsageError(f"{where}: {error}") from None
    return found


def _arguments(table: dict[str, Any], command: click.Command, where: str) -> Iterator[str]:
    """Yield the arguments of a table of options. Raise UsageError for an unknown option, or a value of another kind."""
    known = {
        param.opts[-1].removeprefix("--"): param
        for param in command.params
        if isinstance(param, click.Option) and param.name not in _OWN_OPTIONS
    }
    for name, value in table.items():
        if name not in known:
            near = did_you_mean(name, known)
            raise UsageError(
                f"{where}: {short(name)} is unknown. Allowed: {', '.join(known)}.{f' {near}' * bool(near)}"
            )
        param, flag = known[name], f"--{name}"
        if param.is_flag:
            if not isinstance(value, bool):
                raise UsageError(f"{where}: {name} is {short(value)}. Allowed: true or false.")
            yield from [flag] * value
            continue
        values = value if isinstance(value, list) else [value]
        if any(isinstance(each, bool) or not isinstance(each, str | int | float) for each in values):
            raise UsageError(f"{where}: {name} is {short(value)}. Allowed: a text, a number, or a list of these.")
        yield from (f"{flag}={each}" for each in (values if param.multiple else [",".join(map(str, values))]))
