"""Streams, messages, progress and threads that several commands share."""

from __future__ import annotations

import json
import re
import secrets
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

import click

if TYPE_CHECKING:
    from tqdm import tqdm

    from evodom.dominion.kingdom import Kingdom
    from evodom.presentation.document import Document
    from evodom.tasks import Tasks, Workers


def chosen_seed(seed: int | None) -> int:
    """Return the seed the user gave, or a random one that is short enough to type."""
    return secrets.randbelow(2**32) if seed is None else seed


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream is a terminal. Missing and closed streams are not."""
    return stream is not None and not stream.closed and stream.isatty()


def can_print(text: str) -> bool:
    """Return whether stdout's encoding has all characters of a text."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def command_line(*words: str, data_dir: Path | None) -> str:
    """Return a command quoted for a shell, with --data-dir if a folder was given explicitly."""
    where = ("--data-dir", str(data_dir)) if data_dir else ()
    return shlex.join((*words, *where))


def ensure_compiled(*names: str, quiet: bool) -> None:
    """Compile the groups of kernels (`jit.groups`) that this machine's cache lacks. Print them on stderr."""
    from evodom.jit.cache import cache_folder, can_cache, problem
    from evodom.jit.groups import GROUPS, compile_groups, compile_text, groups_to_compile, load_groups

    if missing := groups_to_compile(*names):
        line = f"{compile_text(*missing)} ..."
        if not can_cache():
            text = ", ".join(GROUPS[name].text for name in missing)
            where = cache_folder() or "The home directory is unknown, and a cache"
            line = f"Compiling {text}; {where} cannot be written, so this repeats at every start."
        if not quiet:
            click.echo(line, err=True)
        with progress_bar(quiet=quiet, total=100, bar_format="{percentage:3.0f}%|{bar}| {elapsed}") as bar:
            compile_groups(*missing, show=lambda share: bar.update(round(100 * share) - bar.n))
        if (why := problem()) and not quiet:
            _warn_once(f"{cache_folder()} cannot be written ({why}): compiled code is not kept.")
    load_groups(*(name for name in names if GROUPS[name].is_timed))


def compile_for(players: Iterable[Any], *kingdoms: Kingdom, groups: Sequence[str] = (), quiet: bool) -> None:
    """Compile the engine of Dominion, the kernels of the players, and other ``groups``.

    ``players`` have a ``strategy``, a record of STRATEGY, an agent, or None for a person.
    """
    from evodom.dominion.kingdom import engine_groups
    from evodom.dominion.strategies.registry import was_learned
    from evodom.matches.agents import PythonAgent

    strategies = [player.strategy for player in players if player.strategy is not None]
    agents = [strategy for strategy in strategies if isinstance(strategy, PythonAgent)]
    records = [strategy for strategy in strategies if not isinstance(strategy, PythonAgent)]
    names = engine_groups(*kingdoms)
    names += ["networks"] if any(map(was_learned, records)) else []
    names += ["thinking"] if any(agent.is_searching for agent in agents) else []
    ensure_compiled(*names, *groups, quiet=quiet)


@cache
def _warn_once(text: str) -> None:
    """Print a message on stderr, once per process."""
    click.echo(text, err=True)


def note_unusable_network(*, quiet: bool) -> None:
    """Print on stderr why the shipped network cannot be used. The command continues without it."""
    from evodom.learning.general import why_unusable

    if not quiet and (why := why_unusable()):
        click.echo(f"Note: {why}", err=True)


@contextmanager
def workers(jobs: int, tasks: Tasks | None = None) -> Iterator[Workers]:
    """Start the threads that share the games of a command, and its ``tasks``; stop them at the end."""
    from concurrent.futures import ThreadPoolExecutor

    from evodom.tasks import Tasks, Workers

    with ThreadPoolExecutor(jobs) as executor, tasks or Tasks() as entered:
        yield Workers(executor, jobs, entered)


def progress_bar(*, quiet: bool, **how: Any) -> tqdm[NoReturn]:
    """Return a tqdm bar on stderr, hidden unless stderr is a terminal. ``how`` are further arguments of tqdm."""
    from tqdm import tqdm

    return tqdm(leave=False, disable=quiet or not is_terminal(sys.stderr), **how)


@contextmanager
def progress(
    total: int | None, *, quiet: bool, python: bool = False, unit: str = "games"
) -> Iterator[Callable[[int], None]]:
    """Show a progress bar of games, or of another ``unit``; yield the function that adds to it.

    With agents in ``python`` also print the speed at the end, in games per second.
    """
    began, played = time.monotonic(), 0
    with progress_bar(quiet=quiet, total=total, unit=f" {unit}", unit_scale=total is None or total >= 1000) as bar:

        def on_games(n: int) -> None:
            nonlocal played
            played += n
            bar.update(n)

        yield on_games
    if python and not quiet:
        speed = played / max(time.monotonic() - began, 1e-9)
        click.echo(f"{played:,} games with agents in Python, {speed:,.0f} games/s.", err=True)


@contextmanager
def solving(*, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Show the number of solved states; yield the function that updates it."""
    with progress_bar(quiet=quiet, unit=" states", unit_scale=True) as bar:

        def on_states(n_states: int) -> None:
            bar.update(n_states - bar.n)

        yield on_states


def write_report(document: Document, html: Path | None, folder: Path | None, *, quiet: bool) -> None:
    """Write a document as a page, and its tables into a folder, if they are given. Print their paths on stderr."""
    from evodom.files import write_output
    from evodom.presentation import page
    from evodom.presentation.csv_tables import write_tables

    if html is not None:
        write_output(html, page.render(document))
        if not quiet:
            click.echo(f"Page: {html}", err=True)
    if folder is not None:
        tables = write_tables(document, folder)
        if not quiet:
            click.echo(f"Tables: {len(tables)} files in {folder}", err=True)


def print_report(document: Document, to_json: Callable[[], dict[str, Any]], *, as_json: bool) -> None:
    """Print a document as text or as the JSON of ``to_json``."""
    from evodom.presentation.text import SPARKS, render

    shown = json.dumps(to_json(), indent=2, allow_nan=False) if as_json else None
    click.echo(shown or render(document, block_characters=can_print(SPARKS)))


def write_picture(svg: str, file: Path, *, quiet: bool = False) -> None:
    """Save the SVG of a page as a picture, and print its path on stderr."""
    from evodom.presentation.picture import save_picture

    save_picture(svg, file)
    if not quiet:
        click.echo(f"Picture: {file}", err=True)


class NegativeNumbers(click.Command):
    """A command with numbers as arguments: `-5` is a number, not an unknown option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with_value = {name for option in self.params for name in option.opts if not getattr(option, "is_flag", True)}
        before = ["", *args]
        isolated = [(i, word) for i, word in enumerate(args) if before[i] not in with_value]
        values = [i for i, word in isolated if re.fullmatch(r"[^-].*|-\d.*|-", word, re.DOTALL)]
        if "--" not in args:
            rest = [word for i, word in enumerate(args) if i not in values]
            args = [*rest, "--", *(args[i] for i in values)]
        return super().parse_args(ctx, args)
