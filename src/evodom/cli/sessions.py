"""Shared by `evodom play` and `evodom spire play`: the console, the list of saved sessions, and the exit code."""

from __future__ import annotations

import json
import os
import shutil
import sys
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from evodom.api.progress import is_terminal
from evodom.cli import INTERRUPTED
from evodom.cli.common import can_print, command_line
from evodom.cli.options import CommonArguments, RunKey
from evodom.errors import EvodomError, printable
from evodom.options import option
from evodom.presentation.format import clipped
from evodom.presentation.text import SPARK_BLOCKS, WIDTH, aligned_columns

if TYPE_CHECKING:
    from evodom.sessions.files import SavedSession, SessionFolder
    from evodom.terminal.console import Console, Size, Terminal


class SessionName(RunKey):
    """The name of a saved session."""

    name = "name"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name. Raises UsageError if it is not valid."""
        from evodom.sessions.files import check_name

        return check_name(value)


class SessionArguments(CommonArguments, frozen=True, kw_only=True):
    """Options of commands that play saved sessions."""

    save_name: Annotated[
        str | None,
        option(
            "--save NAME",
            "Name of the saved session.",
            default_text="that of the opponent or enemies, with a number if it is taken",
            type=SessionName(),
        ),
    ] = None
    overwrite: Annotated[bool, option("-o --overwrite", "Replace the saved session of this name.")] = False
    listing: Annotated[bool, option("--list", "List the saved sessions.")] = False
    going_on: Annotated[
        bool, option("--continue", "Continue the saved session of this name, or the last session played.")
    ] = False


def tail(data_dir: Path | None) -> str:
    """Return the end of commands about a session: --data-dir, or nothing."""
    return f" {command_line(data_dir=data_dir)}" if data_dir else ""


def list_sessions(folder: SessionFolder, *, as_json: bool, start: str) -> None:
    """Print the saved sessions, the last one played first; ``start`` is the command that begins one."""
    found, kind = folder.saved(), folder.kind
    if as_json:
        click.echo(json.dumps([_facts(one) for one in found], indent=2))
        return
    if not found:
        click.echo(f"No {kind.noun}s in {folder.path}. Start with: {start}", err=True)
        return
    head = (kind.noun, "stage", "last played", "against" if kind.noun == "fight" else "players")
    lines = aligned_columns([head, *map(_row, found)], left=(0, 1, 2, 3))
    click.echo("\n".join(clipped(line, WIDTH) for line in lines))
    click.echo(f"Continue: {kind.command} NAME --continue{folder.tail}", err=True)


def _row(one: SavedSession) -> tuple[str, str, str, str]:
    return one.name, one.stage, f"{one.modified.astimezone():%Y-%m-%d %H:%M}", one.title or ", ".join(one.players)


def _facts(one: SavedSession) -> dict[str, object]:
    facts: dict[str, object] = {"name": one.name, "modified": one.modified.isoformat()}
    is_fight = one.slot.kind.noun == "fight"
    facts |= {"title": one.title, "stage": one.stage} if is_fight else {"players": one.players, "turn": one.turn}
    return facts | {"over": one.over, "problem": one.problem}


def run_terminal(terminal: Terminal[Any]) -> None:
    """Play a session to its end. Exit with 130 after Ctrl-C, and with 1 if it could not be saved."""
    from evodom.terminal.console import SessionEnd

    outcome = terminal.run()
    if terminal.is_lost:
        click.get_current_context().exit(EvodomError.exit_code)
    if outcome is SessionEnd.INTERRUPTED:
        click.get_current_context().exit(INTERRUPTED)


def make_console() -> Console:
    """Return the console of this terminal. If stdout is no terminal, or a dumb one, it writes plain lines only.

    Characters that the encoding of the terminal lacks are replaced.
    """
    from evodom.terminal.console import Console

    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    capable = is_terminal(sys.stdout) and os.environ.get("TERM") != "dumb"
    colour = capable and not os.environ.get("NO_COLOR")
    if capable:
        with suppress(ImportError):
            import readline  # noqa: F401  # makes input() edit lines and remember them
    clear = click.clear if capable else None
    return Console(
        read_line, print, colour=colour, clear=clear, measure=_size, has_block_characters=can_print(SPARK_BLOCKS)
    )


def _size() -> Size:
    """Return the size of the terminal, or the default size if stdout is no terminal."""
    from evodom.terminal.console import Size

    return Size(*shutil.get_terminal_size()) if is_terminal(sys.stdout) else Size()


def read_line(prompt: str) -> str:
    """Return the next line with printable characters only. Echo a line from a pipe, as a terminal would."""
    line = printable(" ".join(input(prompt).split()))
    if not is_terminal(sys.stdin):
        print(line)
    return line
