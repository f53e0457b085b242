"""`evodom runs`: list, show, export, import and delete saved runs."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evodom.api.progress import is_terminal
from evodom.cli import Group
from evodom.cli.common import command_line
from evodom.cli.options import CommonArguments, RunKey, takes
from evodom.errors import UsageError, printable
from evodom.presentation.format import MISSING, clipped
from evodom.presentation.text import WIDTH, aligned_columns, term_lines

if TYPE_CHECKING:
    from evodom.matches.entrants import Answer
    from evodom.runs import Run, RunInfo

# Maximum numbers of characters in the list of runs, and of the name of a setting or a figure.
_LONGEST_NAME, _LONGEST_KINGDOM, _LONGEST_SEED = 30, 24, 20

# Maximum numbers of characters: a figure in the table with two generations, and a value below the table.
_LONGEST_FIGURE, _LONGEST_VALUE = 18, 400

_MAX_VALUES = 12
"""Maximum length of a list whose values are printed."""


@click.group(cls=Group, invoke_without_command=True)
@takes(CommonArguments, "common", "data_dir", "as_json")
@click.pass_context
def runs(ctx: click.Context, /, common: CommonArguments) -> None:
    """List the saved runs, or show, export, import or delete one.

    Without a command, list all runs. An answer of evodom advise is one run with parts. Each run is a file; export and
    import copy it to another folder or computer.
    """
    if ctx.invoked_subcommand is None:
        _print_list(common)
        return
    # `evodom runs --data-dir D show demo` means the same as `evodom runs show demo --data-dir D`.
    ctx.default_map = {name: {"data_dir": common.data_dir, "as_json": common.as_json} for name in runs.commands}


@runs.command(short_help="Show the settings and figures of a run.")
@click.argument("key", type=RunKey(parts=True))
@takes(CommonArguments, "common", "data_dir", "as_json")
def show(key: str, common: CommonArguments) -> None:
    """Show the settings, seed and versions of run KEY, and figures of its first and last generation.

    For an answer of evodom advise, list its parts, such as KEY:network.
    """
    from evodom.matches.entrants import find_answer

    store = common.store
    if answer := find_answer(key, store):
        _show_answer(answer, store.describe(key), as_json=common.as_json)
        return
    with store.open(key) as run:
        facts = _facts(run)
    click.echo(json.dumps(facts, indent=2) if common.as_json else _page(facts))


@runs.command("export")
@click.argument("key", type=RunKey())
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-o", "--overwrite", is_flag=True, help="Replace FILE if it exists.")
@takes(CommonArguments, "common", "data_dir")
def export_(key: str, file: Path, overwrite: bool, common: CommonArguments) -> None:
    """Write a copy of run KEY to FILE, for `evodom runs import`."""

    common.store.export_file(key, file, overwrite=overwrite)
    click.echo(f"Exported run '{key}' to {file}", err=True)


@runs.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--key", type=RunKey(), help="Key of the imported run.  [default: the key it was exported from]")
@click.option("-o", "--overwrite", is_flag=True, help="Replace the saved run of that key.")
@takes(CommonArguments, "common", "data_dir")
def import_(file: Path, key: str | None, overwrite: bool, common: CommonArguments) -> None:
    """Check FILE, written by `evodom runs export`, and save it as a run."""
    from evodom.matches.entrants import check_run

    key = common.store.import_file(file, key, overwrite=overwrite, check=check_run)
    click.echo(f"Imported run '{key}' from {file}", err=True)


@runs.command()
@click.argument("key", type=RunKey())
@click.option("--yes", is_flag=True, help="Delete without confirmation.")
@takes(CommonArguments, "common", "data_dir")
def delete(key: str, yes: bool, common: CommonArguments) -> None:
    """Delete run KEY permanently, after a confirmation."""
    store = common.store
    if not yes and key in store:
        if not is_terminal(sys.stdin):
            raise UsageError(f"deleting run '{key}' needs a confirmation, and stdin is not a terminal. Add --yes")
        click.confirm(f"Delete run '{key}' permanently?", abort=True, err=True)
    store.delete(key)
    click.echo(f"Deleted run '{key}'", err=True)


def _print_list(common: CommonArguments) -> None:

    infos = common.store.infos()
    if common.as_json:
        click.echo(json.dumps(list(map(_info_json, infos)), indent=2))
    elif infos:
        click.echo("\n".join(_table(infos)))
    else:
        start = command_line("evodom", "evolve", "demo", data_dir=common.data_dir)
        click.echo(f"No runs in {common.store.root}. Start with: {start}", err=True)
    for info in infos:
        if info.problem and not common.as_json:
            click.echo(f"{info.key}: {info.problem}", err=True)


def _info_json(info: RunInfo) -> dict[str, Any]:
    parts = {name: _info_json(part) for name, part in info.parts.items()}
    return vars(info) | {"modified": info.modified.isoformat(), "parts": parts}


def _show_answer(answer: Answer, info: RunInfo, *, as_json: bool) -> None:
    """Print an answer and the runs that are its parts."""
    facts = {
        "answer": answer.key,
        "kingdom": list(answer.kingdom.cards),
        "players": answer.players,
        "plays": answer.best,
        "list": answer.plan is not None,
    }
    if as_json:
        click.echo(json.dumps(facts | {"parts": [info.parts[part].key for part in answer.parts]}, indent=2))
        return
    texts = {name: _text(value) for name, value in facts.items() if name != "list"}
    texts["list"] = f"evodom strategies {answer.key}" if answer.plan is not None else "none is saved"
    rows = [
        ("part", "generations"),
        *((info.parts[part].key, str(info.parts[part].n_generations)) for part in answer.parts),
    ]
    click.echo("\n".join([*term_lines(texts), "", *aligned_columns(rows)]))


def _table(infos: list[RunInfo]) -> list[str]:
    """Return the lines of the list. Columns are left out until the lines fit the terminal.

    Keys are never cut, because users type them: a long key is printed on a line above its row.
    """
    rows = [_HEADER, *map(_row, infos)]
    width = max(WIDTH, shutil.get_terminal_size().columns) if is_terminal(sys.stdout) else WIDTH
    for dropped in ((), ("strategies",), ("strategies", "seed"), ("strategies", "seed", "kingdom")):
        shown = [place for place, name in enumerate(_HEADER) if name not in dropped]
        left = [shown.index(place) for place in (0, 4, 6) if place in shown]
        cells = [["" if len(row[0]) > _LONGEST_KEY else row[0], *(row[place] for place in shown[1:])] for row in rows]
        lines = aligned_columns(cells, left=left)
        if max(map(len, lines)) <= width:
            break
    long_keys = ([row[0]] if len(row[0]) > _LONGEST_KEY else [] for row in rows)
    return [part for key, line in zip(long_keys, lines, strict=True) for part in (*key, line)]


_HEADER = ("key", "generations", "strategies", "players", "kingdom", "seed", "last changed")

_LONGEST_KEY = 32
"""Maximum number of characters of a key in its column."""


def _row(info: RunInfo) -> tuple[str, ...]:
    changed = f"{info.modified.astimezone():%Y-%m-%d %H:%M}"
    if info.problem:
        return (info.key, "unreadable", *[MISSING] * 4, changed)
    options = _entry(info.meta, "options")
    evolved = info.parts.get("buy-list", info)
    figures = (evolved.n_generations * _round_length(options), options.get("n_strategies"), options.get("players"))
    kingdom = clipped(_text(_kingdom(options)), _LONGEST_KINGDOM)
    return (info.key, *map(_text, figures), kingdom, clipped(_text(info.meta.get("seed")), _LONGEST_SEED), changed)


def _round_length(options: dict[str, Any]) -> int:
    """Return the number of generations per saved generation: more than 1 with islands."""
    islands, length = options.get("islands"), options.get("migrate_every")
    return length if type(islands) is int and islands > 1 and type(length) is int else 1


def _entry(meta: dict[str, Any], name: str) -> dict[str, Any]:
    """Return an entry of `meta`; empty if it is missing or (in a file of another version) not a JSON object."""
    value = meta.get(name)
    return value if isinstance(value, dict) else {}


def _kingdom(options: dict[str, Any]) -> Any:
    return options.get("kingdom_name") or ("custom" if options.get("kingdom") else None)


def _facts(run: Run) -> dict[str, Any]:
    from evodom.reports import MATCHES
    from evodom.runs import shown_settings

    n, meta = run.n_generations, run.meta
    if options := _entry(meta, "options"):
        meta = meta | {"options": shown_settings(options)}
    meta = {name: value for name, value in meta.items() if name != MATCHES}
    return {
        "key": run.key,
        "path": str(run.path),
        "n_generations": n,
        "meta": meta,
        "first": run.generation(0).to_json() if n else None,
        "last": run.last().to_json() if n else None,
    }


def _page(facts: dict[str, Any]) -> str:
    """Return the text of `show`: a few facts, the options, and the first and last generation side by side."""
    meta = facts["meta"]
    versions = [f"{name} {version}" for name, version in _entry(meta, "versions").items()]
    head = [
        ("run", facts["key"]),
        ("file", _text(facts["path"])),
        ("created", _text(meta.get("created"))),
        ("seed", _text(meta.get("seed"))),
        ("versions", _text(versions or meta.get("evodom_version"))),
        ("rules", _text(meta.get("rules"))),
    ]
    options, n_saved = _entry(meta, "options"), facts["n_generations"]
    length = _round_length(options)
    head.append(("generations", str(n_saved * length)))
    if length > 1:
        head.append(("rounds", f"{n_saved} of {length} generations each"))
    parts = [term_lines(dict(head))]
    if options:
        texts = {clipped(_text(name), _LONGEST_NAME): _text(value) for name, value in options.items()}
        parts.append(["Options", *term_lines(texts, indent=2)])
    if facts["last"] is not None:
        unit = "Generation" if length == 1 else "Round"
        parts += _generations(facts["first"], facts["last"], n_saved - 1, unit)
    return "\n\n".join(map("\n".join, parts))


def _generations(first: dict[str, Any], last: dict[str, Any], number: int, unit: str) -> Iterator[list[str]]:
    """Yield the figures of the first and the last generation side by side, then longer values."""
    texts = {name: (_value_text(first.get(name)), _value_text(value)) for name, value in last.items()}
    short = {name: pair for name, pair in texts.items() if max(map(len, pair)) <= _LONGEST_FIGURE}
    rows = [(clipped(_text(name), _LONGEST_NAME), *pair) for name, pair in short.items()]
    yield aligned_columns([(unit, "0", str(number)), *rows])
    if longer := {clipped(_text(name), _LONGEST_NAME): pair[1] for name, pair in texts.items() if name not in short}:
        yield [f"{unit} {number}", *term_lines(longer, indent=2)]


def _value_text(value: Any) -> str:
    """Return a value of a summary as text. Long lists are shortened to their length, first and last value."""
    if isinstance(value, dict):
        return ", ".join(f"{_text(name)} {_value_text(one)}" for name, one in value.items())
    if isinstance(value, list):
        nested = any(isinstance(one, list | dict) for one in value)
        if nested or len(value) > _MAX_VALUES:
            return f"{len(value)} values" + ("" if nested else f", {_text(value[0])} to {_text(value[-1])}")
    return clipped(_text(value), _LONGEST_VALUE)


def _text(value: Any) -> str:
    """Return any value read from a file as one line without control characters."""
    if value is None:
        return MISSING
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return printable(str(value))
