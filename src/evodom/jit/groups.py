"""Groups of kernels that commands compile at their first start.

A group has tasks: functions that compile kernels, or load them from the cache. Tasks are given as "module:function", so
that this module imports no game. All missing tasks of a command share a pool of processes, one for each processor. A
finished task writes a *mark* into the cache: a list of its files. A task counts as compiled while each of these files
exists and its kernel still has the same key.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread

from evodom.jit import cache
from evodom.jit.cache import CACHES, can_cache, is_saved, remove_old_files, save, write_error
from evodom.jit.kernel import COMPILED
from evodom.jit.keys import NoKeyError
from evodom.subprocesses import python_command, python_environment


@dataclass(frozen=True)
class KernelGroup:
    """A group of kernels.

    ``description`` is for users. ``tasks`` has the expected CPU seconds at 3 GHz of each task "module:function".
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
    "thinking": KernelGroup("the search", {"evodom.matches.playout_search:compile_playouts": 7.0}, has_time_limit=True),
    "learning": KernelGroup(
        "learning", {"evodom.learning.ppo:compile_gradient": 4.0, "evodom.learning.ppo:compile_recording": 7.0}
    ),
    "fights": KernelGroup("fights", {"evodom.spire.play.searcher:compile_search": 10.0} | _SPIRE_ENGINE),
    "solver": KernelGroup("the solver of fights", {"evodom.spire.solver.solver:compile_solver": 13.0} | _SPIRE_ENGINE),
    "fight-learning": KernelGroup("learning from fights", {"evodom.learning.fights.learner:compile_gradient": 2.0}),
}
"""All groups by name. "single games" are games that Python steps through: of people, reports and samples."""


_PACE = "pace"
"""File of the cache with the duration of the last compilation, divided by the expected time (`_seconds`)."""

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
        began, seconds = time.monotonic(), _seconds(missing)
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
    seconds = _pace() * _seconds([task for task in _tasks_of(names) if not is_compiled(task)])
    step = 10 if seconds >= 30 else 5 if seconds >= 10 else 1
    about, texts = max(round(seconds / step), 1) * step, ", ".join(GROUPS[name].description for name in names)
    return f"Compiling {texts}, once for this version (about {about} s)"


def _tasks_of(names: Sequence[str]) -> list[str]:
    """Return the tasks of groups, the longest first."""
    seconds = {task: n for name in names for task, n in GROUPS[name].tasks.items()}
    return sorted(seconds, key=lambda task: -seconds[task])


def _seconds(tasks: Sequence[str]) -> float:
    """Return the expected time of tasks on all processors of this machine, at 3 GHz."""
    seconds = {task: n for group in GROUPS.values() for task, n in group.tasks.items()}
    longest = max((seconds[task] for task in tasks), default=0.0)
    return max(sum(seconds[task] for task in tasks) / _n_processors(), longest, 0.1)


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


def is_compiled(task: str) -> bool:
    """Return True if the files in the mark of a task have the right keys and sizes. Without JIT return True.

    Other damage is found when a file is loaded.
    """
    if cache.FOLDER is None:
        return not COMPILED
    try:
        marked: dict[str, dict[str, int]] = json.loads((cache.FOLDER / _mark(task)).read_bytes())
        return bool(marked) and all(
            file.startswith(f"{_cache(kernel).stem}-") and is_saved(file, size)
            for kernel, files in marked.items()
            for file, size in files.items()
        )
    except (OSError, ValueError, AttributeError, TypeError, KeyError, ImportError, NoKeyError):
        return False


def run_task(task: str) -> None:
    """Run a task in this process. Then write its mark, unless it has a valid mark.

    The mark lists the files of all kernels that this process has used, also in earlier tasks, which this task may need.
    It leaves out kernels of other packages, because another process may not be able to import them.
    """
    module, function = task.split(":")
    gc.disable()  # the compiler makes many objects and few cycles: collecting takes a twelfth of the time
    try:
        getattr(import_module(module), function)()
    finally:
        gc.enable()
    if cache.FOLDER is None or write_error() or is_compiled(task):
        return
    package = module.partition(".")[0]
    if kernels := {name: files.used for name, files in CACHES.items() if files.used and name.startswith(f"{package}.")}:
        save(_mark(task), json.dumps(kernels).encode())
        remove_old_files(cache.FOLDER)


def run_tasks(tasks: list[str]) -> None:
    """Run tasks in this process and in helper processes, one process for each processor. Helpers only fill the cache.

    If a helper fails or cannot be started, this process runs its task. Helpers always end with this process.
    """
    waiting = deque(tasks)
    helpers = [helper for _ in range(min(_n_processors(), len(tasks)) - 1) if (helper := _start())]
    threads = [Thread(target=_feed, args=(helper, waiting), daemon=True) for helper in helpers]
    try:
        for thread in threads:
            thread.start()
        _run_all(waiting)
        for thread in threads:
            thread.join()
        _run_all(waiting)
    finally:
        for helper in helpers:
            helper.kill()
            helper.communicate()


def _run_all(waiting: deque[str]) -> None:
    while (task := _next(waiting)) is not None:
        run_task(task)


def _feed(helper: subprocess.Popen[str], waiting: deque[str]) -> None:
    """Give tasks to a helper process until no task waits. If the helper ends during a task, put the task back."""
    assert helper.stdin is not None
    assert helper.stdout is not None
    while (task := _next(waiting)) is not None:
        try:
            print(task, file=helper.stdin, flush=True)
            done = helper.stdout.readline()
        except (OSError, ValueError):
            done = ""
        if not done:
            waiting.append(task)
            return


def _next(waiting: deque[str]) -> str | None:
    try:
        return waiting.popleft()
    except IndexError:
        return None


def _start() -> subprocess.Popen[str] | None:
    """Start a process that runs tasks (`_serve`). Return None if it cannot be started."""
    code = "from evodom.jit.groups import _serve; _serve()"
    command, pipe = python_command("-c", code), subprocess.PIPE
    try:
        return subprocess.Popen(
            command, env=python_environment(), stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
        )
    except OSError:
        return None


def _serve() -> None:
    """Run the tasks named on stdin. Write a line after each. End when stdin closes: then the parent has ended."""
    tasks: SimpleQueue[str] = SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            tasks.put(line.strip())
        os._exit(1)

    Thread(target=read, daemon=True).start()
    while True:
        run_task(tasks.get())
        print("done", flush=True)


def _n_processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _cache(kernel: str) -> cache.KernelCache:
    """Return the cache of the kernel at "module:name"."""
    import_module(kernel.split(":")[0])
    return CACHES[kernel]


def _mark(task: str) -> str:
    return f"{task.replace(':', '.')}.compiled"
