"""Start threads, compile kernels and show messages and progress bars, for this package and for the commands.

Messages and bars appear on stderr unless ``quiet``. Bars appear only in a terminal or a notebook.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

import click

if TYPE_CHECKING:
    from tqdm import tqdm

    from evodom.dominion.kingdom import Kingdom
    from evodom.tasks import Tasks, Workers


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream is a terminal. Missing and closed streams are not."""
    return stream is not None and not stream.closed and stream.isatty()


def ensure_compiled(*names: str, quiet: bool) -> None:
    """Compile the groups of kernels that are not in the cache. Print their names, or log them if ``quiet``."""
    from evodom.jit.cache import cache_folder, can_cache, write_error
    from evodom.kernel_groups import GROUPS, compile_groups, compile_text, groups_to_compile, load_groups

    if missing := groups_to_compile(*names):
        line = f"{compile_text(*missing)} ..."
        if not can_cache():
            text = ", ".join(GROUPS[name].description for name in missing)
            where = cache_folder() or "The home directory is unknown, and a cache"
            line = f"Compiling {text}; {where} cannot be written, so this repeats at every start."
        if quiet:
            logging.getLogger("evodom").info(line)
        else:
            click.echo(line, err=True)
        with progress_bar(quiet=quiet, total=100, bar_format="{percentage:3.0f}%|{bar}| {elapsed}") as bar:
            compile_groups(*missing, show=lambda share: bar.update(round(100 * share) - bar.n))
        if (why := write_error()) and not quiet:
            _warn_once(f"{cache_folder()} cannot be written ({why}): compiled code is not kept.")
    load_groups(*(name for name in names if GROUPS[name].has_time_limit))


def compile_for(players: Iterable[Any], *kingdoms: Kingdom, groups: Sequence[str] = (), quiet: bool) -> None:
    """Compile the engine of Dominion, the kernels of the players, and other ``groups``.

    The ``strategy`` of a player is a record of STRATEGY, an agent, a mixture, or None for a person.
    """
    from evodom.dominion.kingdom import engine_groups
    from evodom.dominion.strategies.registry import was_learned
    from evodom.matches.agents import PythonAgent
    from evodom.matches.mixtures import Mixture

    strategies = [player.strategy for player in players if player.strategy is not None]
    agents = [strategy for strategy in strategies if isinstance(strategy, PythonAgent)]
    records = [strategy for strategy in strategies if not isinstance(strategy, PythonAgent | Mixture)]
    names = engine_groups(*kingdoms)
    names += ["networks"] if any(map(was_learned, records)) else []
    names += ["search"] if any(agent.is_searching for agent in agents) else []
    ensure_compiled(*dict.fromkeys((*names, *groups)), quiet=quiet)


@cache
def _warn_once(text: str) -> None:
    """Print a message on stderr, once per process."""
    click.echo(text, err=True)


def note_unusable_network(*, quiet: bool) -> None:
    """Print on stderr why the shipped network cannot be used. The caller continues without it."""
    from evodom.dominion.strategies.models.networks.shipped import why_unusable

    if not quiet and (why := why_unusable()):
        click.echo(f"Note: {why}", err=True)


@contextmanager
def workers(jobs: int | None = None, tasks: Tasks | None = None) -> Iterator[Workers]:
    """Start threads that share games, by default one for each processor. Start ``tasks``, too. Stop all at the end."""
    from concurrent.futures import ThreadPoolExecutor

    from evodom.tasks import Tasks, Workers

    n = jobs or os.cpu_count() or 1
    with ThreadPoolExecutor(n) as executor, tasks or Tasks() as entered:
        yield Workers(executor, n, entered)


def progress_bar(*, quiet: bool, **arguments: Any) -> tqdm[NoReturn]:
    """Return a tqdm bar on stderr, hidden unless in a terminal or a notebook. ``arguments`` are those of tqdm."""
    from tqdm.auto import tqdm

    is_shown = not quiet and (is_terminal(sys.stderr) or "ipykernel" in sys.modules)
    return tqdm(leave=False, disable=not is_shown, **arguments)


@contextmanager
def progress(
    total: int | None, *, quiet: bool, has_agents: bool = False, unit: str = "games"
) -> Iterator[Callable[[int], None]]:
    """Show a progress bar of games, or of another ``unit``. Yield the function that advances the bar.

    With ``has_agents`` also print the number of games per second at the end.
    """
    began, played = time.monotonic(), 0
    with progress_bar(quiet=quiet, total=total, unit=f" {unit}", unit_scale=total is None or total >= 1000) as bar:

        def on_games(n: int) -> None:
            nonlocal played
            played += n
            bar.update(n)

        yield on_games
    if has_agents and not quiet:
        speed = played / max(time.monotonic() - began, 1e-9)
        click.echo(f"{played:,} games with agents in Python, {speed:,.0f} games/s.", err=True)
