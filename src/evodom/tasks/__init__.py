"""Run pure tasks in this process, in processes of this machine, or on the workers of a cluster.

A task is a function of a module from bytes to bytes. Its result depends on its argument alone. It may therefore run
anywhere, and more than once. An `Executor` returns the results in the order of the jobs, and repeats jobs that were
lost with a process or a machine. `pack` and `unpack` convert a JSON object and arrays to bytes.

>>> from evodom.tasks import SerialExecutor
>>> SerialExecutor().map(bytes.upper, [b"one", b"two"])
[b'ONE', b'TWO']
"""

import io
import json
import os
import signal
import threading
import zipfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import wraps
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeAlias

from evodom.errors import EvodomError
from evodom.files import parse_json
from evodom.subprocesses import safe_spawning

if TYPE_CHECKING:
    import numpy.typing as npt

Task: TypeAlias = "Callable[[bytes], bytes]"
"""A function that is importable by name. Its result depends on its argument alone."""

OnDone: TypeAlias = "Callable[[int], object]"
"""Callback that receives the number of a finished job."""


def do_nothing(number: int) -> None:
    """Do nothing: the default of `on_done`."""


class Executor(Protocol):
    """Runs tasks, about ``n`` of them in parallel."""

    @property
    def n(self) -> int: ...

    @property
    def is_remote(self) -> bool:
        """True if tasks run on other machines. Callers then send smaller work, too: not only islands."""
        ...

    def map(self, task: Task, jobs: Sequence[bytes], on_done: OnDone = do_nothing) -> list[bytes]:
        """Run a task for each job and return the results in the order of the jobs.

        ``on_done`` is called when a job finishes, in any order. Raises the error of a task, or EvodomError if no
        process or worker is left.
        """
        ...


class SerialExecutor:
    """Runs tasks one after the other, in this process."""

    n = 1
    is_remote = False

    def map(self, task: Task, jobs: Sequence[bytes], on_done: OnDone = do_nothing) -> list[bytes]:
        """Run a task for each job and return the results in the order of the jobs."""
        results = []
        for number, job in enumerate(jobs):
            results.append(task(job))
            on_done(number)
        return results


MIN_GAMES_PER_THREAD = 16
"""Least number of games for each thread."""


@dataclass(frozen=True, slots=True)
class Workers:
    """A pool of ``n`` threads, and the executor ``tasks`` for whole tasks."""

    executor: ThreadPoolExecutor
    n: int
    tasks: Executor = field(default_factory=SerialExecutor)


def map_chunks(task: Callable[[int, int], object], n: int, workers: Workers | None) -> None:
    """Call ``task(first, end)`` for consecutive ranges that cover [0, ``n``): at most one per thread of ``workers``."""
    n_chunks = min(workers.n, n // MIN_GAMES_PER_THREAD) if workers else 1
    if workers is None or n_chunks < 2:
        task(0, n)
        return
    edges = [n * chunk // n_chunks for chunk in range(n_chunks + 1)]
    list(workers.executor.map(task, edges[:-1], edges[1:]))


MAX_PROCESS_DEATHS = 5
"""Deaths of processes in one `map` after which it raises EvodomError: the cause is then permanent."""


class ProcessExecutor:
    """Runs tasks in ``n`` processes, started at the first task. Use it as a context manager.

    Only bytes and the name of the function are sent to the processes. A process that dies is replaced, and its task is
    repeated. All processes end with this one, even if it is killed.
    """

    is_remote = False

    def __init__(self, n: int) -> None:
        self.n = n
        self._pool: ProcessPoolExecutor | None = None
        self._lifeline: Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def map(self, task: Task, jobs: Sequence[bytes], on_done: OnDone = do_nothing) -> list[bytes]:
        """Run a task for each job and return the results in the order of the jobs."""
        done: dict[int, bytes] = {}
        deaths = 0
        while len(done) < len(jobs):
            try:
                self._run_jobs(task, jobs, done, on_done)
            except BrokenProcessPool:
                self._stop()
                deaths += 1
                if deaths == MAX_PROCESS_DEATHS:
                    raise EvodomError(
                        f"worker processes died {deaths} times. Is there enough memory? Use a smaller --jobs."
                    ) from None
            except BaseException:
                self._stop()
                raise
        return [done[number] for number in range(len(jobs))]

    def _run_jobs(self, task: Task, jobs: Sequence[bytes], done: dict[int, bytes], on_done: OnDone) -> None:
        """Run the jobs that are not in `done`."""
        with safe_spawning():  # the pool starts a process when it is made, others when jobs are submitted
            pool = self._start_pool()
            numbers = {pool.submit(task, job): number for number, job in enumerate(jobs) if number not in done}
        for future in as_completed(numbers):
            done[numbers[future]] = future.result()
            on_done(numbers[future])

    def _start_pool(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # Spawned: a forked process would inherit the locks of threads, but not the threads.
            context = get_context("spawn")
            pipe_end, self._lifeline = context.Pipe(duplex=False)
            self._pool = ProcessPoolExecutor(self.n, context, _initialise_process, (pipe_end,))
        return self._pool

    def _stop(self) -> None:
        """End all processes immediately: closing the pipe ends them, even in the middle of a task."""
        if self._pool is not None and self._lifeline is not None:
            self._lifeline.close()
            self._pool.shutdown(wait=True, cancel_futures=True)
        self._pool = self._lifeline = None


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


def run_tasks(tasks: Executor, task: Task, jobs: Iterable[Content], on_done: OnDone = do_nothing) -> list[Content]:
    """Run a `packed_task` for each JSON object with arrays. Return the results in the order of the jobs."""
    return [unpack(result) for result in tasks.map(task, [pack(facts, **arrays) for facts, arrays in jobs], on_done)]


def _array(text: bytes) -> "npt.NDArray[Any]":
    from numpy.lib.format import read_array

    array: npt.NDArray[Any] = read_array(io.BytesIO(text), allow_pickle=False)
    return array
