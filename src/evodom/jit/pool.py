"""Run tasks that compile kernels, in a pool of processes, one for each processor.

A task is a function, given as "module:function". It compiles kernels, or loads them from the cache. A finished task
writes a *mark* into the cache: a list of its files. A task counts as compiled while each of these files exists and its
kernel still has the same key.
"""

import gc
import json
import os
import subprocess
import sys
from collections import deque
from importlib import import_module
from queue import SimpleQueue
from threading import Thread

from evodom.jit import cache
from evodom.jit.cache import CACHES, is_saved, remove_old_files, save, write_error
from evodom.jit.kernel import COMPILED
from evodom.jit.keys import NoKeyError
from evodom.subprocesses import python_command, python_environment


def is_compiled(task: str) -> bool:
    """Return True if the files in the mark of a task have the right keys and sizes.

    Other damage is found when a file is loaded. Without a cache folder, tasks count as compiled only if the JIT is off.
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

    The mark lists the files of all kernels that this process has used. It includes those of earlier tasks, because this
    task may need them too. It leaves out kernels of other packages: another process may not be able to import them.
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
    helpers = [helper for _ in range(min(n_processors(), len(tasks)) - 1) if (helper := _start())]
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
    code = "from evodom.jit.pool import _serve; _serve()"
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


def n_processors() -> int:
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
