"""Run pure tasks on any `concurrent.futures.Executor`: processes of this machine, workers of a cluster, others.

A task is a function of a module from bytes to bytes. Its result depends on its argument alone. It may therefore run
anywhere, and more than once. `Tasks` returns the results in the order of the jobs, and repeats jobs that were lost with
a process or a machine. `pack` and `unpack` convert a JSON object and arrays to bytes.

>>> from evodom.tasks import Tasks
>>> Tasks().map(bytes.upper, [b"one", b"two"])
[b'ONE', b'TWO']
"""

import hashlib
import io
import json
import os
import signal
import sys
import threading
import traceback
import zipfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field
from functools import cache, partial, wraps
from importlib.metadata import version
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypeVar

from evodom.errors import EvodomError
from evodom.files import parse_json
from evodom.subprocesses import safe_spawning

if TYPE_CHECKING:
    import numpy.typing as npt

T = TypeVar("T")

Task: TypeAlias = "Callable[[bytes], bytes]"
"""A function that is importable by name. Its result depends on its argument alone."""

OnDone: TypeAlias = "Callable[[int], object]"
"""Callback that receives the number of a finished job."""


OnResult: TypeAlias = "Callable[[int, bytes], object]"
"""Callback that receives the number of a finished job, and its result."""


def do_nothing(number: int, result: bytes = b"") -> None:
    """Do nothing: the default of `OnDone` and `OnResult`."""


MAX_LOSSES = 5
"""Maximum number of losses in one `Tasks.map`. Then it raises EvodomError, because the cause must be permanent."""


class Tasks:
    """Runs tasks on an executor, or in this process without one. Use it as a context manager.

    ``executor`` is an executor, or a function that starts one and returns its context manager. A started executor is
    closed at the end, and replaced when jobs are lost with a worker. The lost jobs run again.
    """

    def __init__(self, executor: Executor | Callable[[], AbstractContextManager[Executor]] | None = None) -> None:
        self._start = partial(nullcontext, executor) if isinstance(executor, Executor) else executor
        self._opened = ExitStack()
        self._executor: Executor | None = None

    def __enter__(self) -> Self:
        if self._start is not None:
            self._executor = self._opened.enter_context(self._start())
        return self

    def __exit__(self, *_: object) -> None:
        self._executor = None
        self._opened.close()

    def map(self, task: Task, jobs: Sequence[bytes], on_result: OnResult = do_nothing) -> list[bytes]:
        """Run a task for each job and return the results in the order of the jobs.

        ``on_result`` is called when a job finishes, in any order. Raise the error of a task, or EvodomError after
        MAX_LOSSES losses.
        """
        done: dict[int, bytes] = {}
        losses = 0
        while len(done) < len(jobs):
            loss = self._run_missing(task, jobs, done, on_result)
            losses += loss is not None
            if losses == MAX_LOSSES:
                raise EvodomError(
                    f"workers were lost {losses} times, the last time by {type(loss).__name__} ({str(loss)[:200]}). "
                    "They may lack memory, or have another version of evodom. Use a smaller --jobs, or other workers."
                )
        return [done[number] for number in range(len(jobs))]

    def _run_missing(
        self, task: Task, jobs: Sequence[bytes], done: dict[int, bytes], on_result: OnResult
    ) -> Exception | None:
        """Run the jobs that are not in `done`. Return an error of the executor if jobs were lost, else None."""
        missing = [number for number in range(len(jobs)) if number not in done]
        executor = self._executor or self.__enter__()._executor  # started again after a loss
        if executor is None:
            for number in missing:
                done[number] = task(jobs[number])
                on_result(number, done[number])
            return None
        loss: Exception | None = None
        futures: dict[Future[_Attempt], int] = {}
        try:
            try:
                for number in missing:
                    futures[executor.submit(attempt, task, jobs[number], process_versions())] = number
            except Exception as error:  # a broken executor accepts no jobs
                loss = error
            for future in as_completed(futures):
                try:
                    result, failure = future.result()
                except Exception as error:  # errors of tasks are returned
                    loss = error
                    continue
                if failure is not None:
                    raise failure
                done[futures[future]] = result
                on_result(futures[future], result)
        except BaseException:
            for future in futures:
                future.cancel()
            self.__exit__()
            raise
        if loss is not None:
            self.__exit__()
        return loss


_Attempt: TypeAlias = "tuple[bytes, Exception | None]"


def attempt(task: Task, job: bytes, versions: str) -> _Attempt:
    """Run a task on a worker. Return its result, and its error instead of raising it.

    A future therefore has an error only if the worker or the executor fails. A worker of other ``versions`` than the
    caller's would compute other results, and returns an error.
    """
    try:
        if process_versions() != versions:
            raise EvodomError(
                f"a worker has {process_versions()}, and here is {versions}. Start all from one environment."
            )
        return task(job), None
    except Exception as error:
        if not isinstance(error, EvodomError):
            error.add_note(traceback.format_exc())  # pickling drops the traceback
        return b"", error


@cache
def process_versions() -> str:
    """Return what results depend on: the versions of Python, evodom, NumPy and Numba, and a hash of the sources."""
    digest, package = hashlib.sha256(), Path(__file__).parent.parent
    for file in sorted(package.rglob("*")):
        if file.is_file() and file.suffix != ".pyc":
            digest.update(f"{file.relative_to(package).as_posix()}\0".encode() + file.read_bytes())
    versions = ", ".join(f"{name} {version(name)}" for name in ("evodom", "numpy", "numba"))
    return f"Python {sys.version_info[0]}.{sys.version_info[1]}, {versions}, sources {digest.hexdigest()[:12]}"


MIN_GAMES_PER_THREAD = 16
"""Minimum number of games for each thread."""


@dataclass(frozen=True, slots=True)
class Workers:
    """A pool of ``n`` threads, and ``tasks`` for work that leaves this process."""

    executor: ThreadPoolExecutor
    n: int
    tasks: Tasks = field(default_factory=Tasks)


def map_chunks(task: Callable[[int, int], object], n: int, workers: Workers | None) -> None:
    """Call ``task(first, end)`` for consecutive ranges that cover [0, ``n``): at most one per thread of ``workers``."""
    n_chunks = min(workers.n, n // MIN_GAMES_PER_THREAD) if workers else 1
    if workers is None or n_chunks < 2:
        task(0, n)
        return
    edges = [n * chunk // n_chunks for chunk in range(n_chunks + 1)]
    list(workers.executor.map(task, edges[:-1], edges[1:]))


class Processes(ProcessPoolExecutor):
    """A pool of ``n`` processes that end with this one, even if it is killed.

    Only bytes and the names of functions are sent to the processes. The first argument of each call is a task.
    """

    def __init__(self, n: int) -> None:
        # A fork of this process would inherit the locks of its threads, but not the threads. So on Linux all processes
        # are forked from a server without threads, which imports the module of the first task.
        self._context = get_context("forkserver" if sys.platform == "linux" else "spawn")
        pipe_end, self._lifeline = self._context.Pipe(duplex=False)
        with safe_spawning():
            super().__init__(n, self._context, _initialise_process, (pipe_end,))

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Schedule a call, and start a process if all are busy."""
        self._context.set_forkserver_preload([getattr(args[0], "__module__", None) or __name__])
        with safe_spawning():
            return super().submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all processes immediately: closing the pipe ends them, even in the middle of a task."""
        self._lifeline.close()
        super().shutdown(wait, cancel_futures=cancel_futures)


def _initialise_process(pipe_end: Connection) -> None:
    """Prepare a process: ignore Ctrl-C, which its parent handles, and end with the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, args=(pipe_end,), daemon=True).start()


def _exit_with_parent(pipe_end: Connection) -> None:
    try:
        pipe_end.recv_bytes()
    except (EOFError, OSError):
        os._exit(1)


Arrays: TypeAlias = "dict[str, npt.NDArray[Any]]"

Content: TypeAlias = "tuple[dict[str, Any], Arrays]"
"""A JSON object and arrays."""

_FACTS = "facts"


def pack(facts: dict[str, Any], **arrays: "npt.NDArray[Any]") -> bytes:
    """Return a JSON object and arrays of numbers or records as bytes. Equal content gives equal bytes.

    >>> import numpy as np
    >>> unpack(pack({"seed": 7}, places=np.arange(3)))
    ({'seed': 7}, {'places': array([0, 1, 2])})
    """
    from numpy.lib.format import write_array

    buffer = io.BytesIO()
    # Not by `np.savez`, which writes the time into the archive.
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(zipfile.ZipInfo(_FACTS), json.dumps(facts))
        for name, array in arrays.items():
            with archive.open(zipfile.ZipInfo(name), "w") as entry:
                write_array(entry, array, allow_pickle=False)
    return buffer.getvalue()


def unpack(packed: bytes) -> Content:
    """Return the JSON object and the arrays from the bytes of `pack`. Raise ValueError for other bytes."""
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            facts = parse_json(archive.read(_FACTS).decode())
            names = [name for name in archive.namelist() if name != _FACTS]
            arrays = {name: _array(archive.read(name)) for name in names}
    except (zipfile.BadZipFile, KeyError, EOFError) as error:
        raise ValueError(f"these bytes are no task: {error}") from error
    return facts, arrays


def packed_task(function: Callable[[dict[str, Any], Arrays], Content]) -> Task:
    """Decorate a function of a module as a task. It takes and returns a JSON object and arrays."""

    @wraps(function)
    def task(job: bytes) -> bytes:
        facts, arrays = function(*unpack(job))
        return pack(facts, **arrays)

    return task


def run_tasks(tasks: Tasks, task: Task, jobs: Iterable[Content], on_done: OnDone = do_nothing) -> list[Content]:
    """Run a `packed_task` for each JSON object with arrays. Return the results in the order of the jobs."""
    packed = [pack(facts, **arrays) for facts, arrays in jobs]
    return [unpack(result) for result in tasks.map(task, packed, lambda number, result: on_done(number))]


def _array(text: bytes) -> "npt.NDArray[Any]":
    from numpy.lib.format import read_array

    array: npt.NDArray[Any] = read_array(io.BytesIO(text), allow_pickle=False)
    return array
