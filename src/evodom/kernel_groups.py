"""Groups of kernels that commands compile at their first start.

A group has tasks: functions that compile kernels, or load them from the cache (`jit.pool`). Tasks are given as
"module:function", so that this module imports no game.
"""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

from evodom.jit import cache
from evodom.jit.cache import can_cache, save, write_error
from evodom.jit.pool import is_compiled, n_processors, run_task, run_tasks


@dataclass(frozen=True)
class KernelGroup:
    """A group of kernels.

    ``description`` is for users. The keys of ``tasks`` are the tasks, "module:function". The values are their expected
    CPU seconds at 3 GHz.
    """

    description: str
    tasks: Mapping[str, float]
    has_time_limit: bool = False
    """True if callers of the kernels have time limits. Commands then load the kernels before they begin."""


_SIMULATE = "evodom.matches.simulate"
_SPIRE_ENGINE = {"evodom.spire.engine.game:compile_engine": 10.0}

GROUPS = {
    "games": KernelGroup(
        "the engine",
        {
            f"{_SIMULATE}:compile_games": 8.0,
            f"{_SIMULATE}:compile_buy_lists": 9.0,
            f"{_SIMULATE}:compile_preferences": 5.0,
        },
    ),
    "expansions": KernelGroup(
        "other sets of cards", {f"{_SIMULATE}:compile_answers": 8.0, f"{_SIMULATE}:compile_mechanics": 5.0}
    ),
    "single games": KernelGroup("games one by one", {f"{_SIMULATE}:compile_others": 2.0}),
    "networks": KernelGroup("networks", {f"{_SIMULATE}:compile_networks": 5.0}),
    "imitation": KernelGroup(
        "imitation of strategies",
        {"evodom.matches.gains:compile_gains": 2.0, f"{_SIMULATE}:compile_networks": 5.0},
    ),
    "search": KernelGroup("the search", {"evodom.matches.playout_search:compile_playouts": 7.0}, has_time_limit=True),
    "learning": KernelGroup(
        "learning", {"evodom.learning.ppo:compile_gradient": 4.0, "evodom.learning.ppo:compile_recording": 7.0}
    ),
    "fights": KernelGroup("fights", {"evodom.spire.play.searcher:compile_search": 10.0} | _SPIRE_ENGINE),
    "solver": KernelGroup("the solver of fights", {"evodom.spire.solver.solver:compile_solver": 13.0} | _SPIRE_ENGINE),
    "fight-learning": KernelGroup("learning from fights", {"evodom.learning.fights.learner:compile_gradient": 2.0}),
}
"""All groups by name. Python steps through "single games": games with people, and games shown in reports."""


_PACE = "pace"
"""File of the cache with the duration of the last compilation divided by `_expected_seconds`."""

_MIN_PACE, _MAX_PACE = 0.05, 50.0


def groups_to_compile(*names: str) -> list[str]:
    """Return the groups that are not yet compiled on this machine."""
    return [name for name in names if not all(map(is_compiled, GROUPS[name].tasks))]


def compile_groups(*names: str, show: Callable[[float], object] | None = None) -> None:
    """Compile the kernels of groups on all processors. Without a cache, compile them in this process.

    ``show`` receives the share of the expected time, five times a second: at most 0.99, and 1 at the end. Without a
    cache it is not called.
    """
    if not can_cache() or write_error():
        load_groups(*names)
    elif missing := [task for task in _tasks_of(names) if not is_compiled(task)]:
        began, seconds = time.monotonic(), _expected_seconds(missing)
        with _showing(show, seconds * _pace()):
            run_tasks(missing)
        save(_PACE, str((time.monotonic() - began) / seconds).encode())


@contextmanager
def _showing(show: Callable[[float], object] | None, seconds: float) -> Iterator[None]:
    """Call ``show`` with the share of the expected ``seconds`` while the block runs, and with 1 at its end."""
    if show is None:
        yield
        return
    ended, began = Event(), time.monotonic()

    def repeat() -> None:
        while not ended.wait(0.2):
            show(min((time.monotonic() - began) / seconds, 0.99))

    thread = Thread(target=repeat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
    show(1.0)


def compile_text(*names: str) -> str:
    """Return a line for users: the groups to compile, and the expected time at the last pace of this machine."""
    seconds = _pace() * _expected_seconds([task for task in _tasks_of(names) if not is_compiled(task)])
    step = 10 if seconds >= 30 else 5 if seconds >= 10 else 1
    about, texts = max(round(seconds / step), 1) * step, ", ".join(GROUPS[name].description for name in names)
    return f"Compiling {texts}, once for this version (about {about} s)"


def _tasks_of(names: Sequence[str]) -> list[str]:
    """Return the tasks of groups, the longest first."""
    seconds = {task: n for name in names for task, n in GROUPS[name].tasks.items()}
    return sorted(seconds, key=lambda task: -seconds[task])


def _expected_seconds(tasks: Sequence[str]) -> float:
    """Return the expected time of tasks on all processors of this machine, at 3 GHz."""
    seconds = {task: n for group in GROUPS.values() for task, n in group.tasks.items()}
    longest = max((seconds[task] for task in tasks), default=0.0)
    return max(sum(seconds[task] for task in tasks) / n_processors(), longest, 0.1)


def _pace() -> float:
    """Return the pace in the cache; 1 if it is missing or invalid."""
    try:
        pace = float((cache.FOLDER or Path(os.devnull)).joinpath(_PACE).read_bytes())
    except (OSError, ValueError):
        return 1.0
    return pace if _MIN_PACE <= pace <= _MAX_PACE else 1.0


def load_groups(*names: str) -> None:
    """Compile the kernels of groups, or load them from the cache, in this process."""
    for task in dict.fromkeys(task for name in names for task in GROUPS[name].tasks):
        run_task(task)
