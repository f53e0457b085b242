"""`evodom runs`: list, show, export, import and delete saved runs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evodom.cli.common import RunKey, command_line, data_dir_option, is_terminal, json_option
from evodom.report.layout import columns

if TYPE_CHECKING:
    from evodom.store import Run, RunInfo

_MISSING = "-"


@click.group(invoke_without_command=True, short_help="List, show, export, import or delete saved runs.")
@data_dir_option
@json_option
@click.pass_context
def runs(ctx: click.Context, data_dir: Path | None, as_json: bool) -> None:
    """List the saved runs, or show, export, import or delete one.

    Without a command, all runs are listed. Each is one file, which export and import carry to another folder or
    another computer.
    """
    if ctx.invoked_subcommand is None:
        _print_list(data_dir, as_json)
        return
    # `evodom runs --data-dir D show demo` means the same as `evodom runs show demo --data-dir D`.
    ctx.default_map = {name: {"data_dir": data_dir, "as_json": as_json} for name in runs.commands}


@runs.command(short_help="Show the settings and figures of a run.")
@click.argument("key", type=RunKey())
@data_dir_option
@json_option
def show(key: str, data_dir: Path | None, as_json: bool) -> None:
    """Show with which settings, seed and versions run KEY was made, and figures of its first and last generation."""
    from evodom import store

    with store.Run.open(key, root=store.data_dir(data_dir)) as run:
        facts = _facts(run)
    click.echo(json.dumps(facts, indent=2) if as_json else _page(facts))


@runs.command("export")
@click.argument("key", type=RunKey())
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--overwrite", is_flag=True, help="Replace FILE if it exists.")
@data_dir_option
def export_(key: str, file: Path, overwrite: bool, data_dir: Path | None) -> None:
    """Write a copy of run KEY to FILE, for `evodom runs import`."""
    from evodom import store

    store.export_run(key, file, store.data_dir(data_dir), overwrite=overwrite)
    click.echo(f"Exported run '{key}' to {file}", err=True)


@runs.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--key", type=RunKey(), help="Save it under this key.  [default: the key it was exported from]")
@click.option("--overwrite", is_flag=True, help="Replace a saved run of that key.")
@data_dir_option
def import_(file: Path, key: str | None, overwrite: bool, data_dir: Path | None) -> None:
    """Check FILE, written by `evodom runs export`, and save it as a run."""
    from evodom import store
    from evodom.entrants import check_run

    key = store.import_run(file, key, root=store.data_dir(data_dir), overwrite=overwrite, check=check_run)
    click.echo(f"Imported run '{key}' from {file}", err=True)


@runs.command()
@click.argument("key", type=RunKey())
@click.option("--yes", is_flag=True, help="Delete without asking.")
@data_dir_option
def delete(key: str, yes: bool, data_dir: Path | None) -> None:
    """Delete run KEY for good, after asking."""
    from evodom import store
    from evodom.errors import UsageError

    root = store.data_dir(data_dir)
    if not yes and key in store.known_keys(root):
        if not is_terminal(sys.stdin):
            raise UsageError(f"deleting run '{key}' needs a yes, and there is no terminal to ask on. Add --yes")
        click.confirm(f"Delete run '{key}' for good?", abort=True, err=True)
    store.delete_run(key, root)
    click.echo(f"Deleted run '{key}'", err=True)


def _print_list(data_dir: Path | None, as_json: bool) -> None:
    from evodom import store

    root = store.data_dir(data_dir)
    infos = store.list_runs(root)
    if as_json:
        click.echo(json.dumps([vars(info) | {"modified": info.modified.isoformat()} for info in infos], indent=2))
    elif infos:
        header = ("key", "generations", "strategies", "players", "kingdom", "seed", "last changed")
        click.echo("\n".join(columns([header, *map(_row, infos)], left=(0, 4, 6))))
    else:
        start = command_line("evodom", "evolve", "demo", data_dir=data_dir)
        click.echo(f"No runs in {root}. Start one with: {start}", err=True)
    for info in infos:
        if info.problem and not as_json:
            click.echo(f"{info.key}: {info.problem}", err=True)


def _row(info: RunInfo) -> tuple[str, ...]:
    changed = f"{info.modified.astimezone():%Y-%m-%d %H:%M}"
    if info.problem:
        return (info.key, "unreadable", *[_MISSING] * 4, changed)
    options = _entry(info.meta, "options")
    figures = (info.n_generations, options.get("n_strategies"), options.get("players"))
    return (info.key, *map(_text, (*figures, _kingdom(options), info.meta.get("seed"))), changed)


def _entry(meta: dict[str, Any], name: str) -> dict[str, Any]:
    """Return an entry of `meta`; empty if it is missing or (in a file of another version) not a JSON object."""
    value = meta.get(name)
    return value if isinstance(value, dict) else {}


def _kingdom(options: dict[str, Any]) -> Any:
    return options.get("kingdom_name") or ("custom" if options.get("kingdom") else None)


def _facts(run: Run) -> dict[str, Any]:
    summaries = run.summaries()
    return {
        "key": run.key,
        "path": str(run.path),
        "n_generations": len(summaries),
        "meta": run.meta,
        "first": summaries[0] if summaries else None,
        "last": summaries[-1] if summaries else None,
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
        ("generations", str(facts["n_generations"])),
    ]
    parts = [columns(head, left=(0, 1))]
    if options := _entry(meta, "options"):
        rows = columns([(_text(name), _text(value)) for name, value in options.items()], left=(0, 1))
        parts.append(["Options", *(f"  {row}" for row in rows)])
    if facts["last"] is not None:
        first, last = facts["first"], facts["last"]
        figures = [(_text(name), _text(first.get(name)), _text(value)) for name, value in last.items()]
        parts.append(columns([("Generation", "0", str(facts["n_generations"] - 1)), *figures]))
    return "\n\n".join(map("\n".join, parts))


def _text(value: Any) -> str:
    """Return any value read from a file as one line without control characters."""
    if value is None:
        return _MISSING
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in str(value))
