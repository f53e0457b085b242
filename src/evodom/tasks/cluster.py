"""Run tasks on the workers of a dask.distributed cluster (`Cluster`).

Dask pickles the data that it sends. For safety, it gets only functions of modules (sent by name), bytes and texts.
Scheduler and workers are dask's: `dask scheduler` and `dask worker`, from an environment with this version of evodom
(docs/guide/cluster.md).

A worker must compute the same results as this process, so its `process_versions` must be equal. The versions of NumPy
and Numba count: random streams may differ between versions of NumPy, arithmetic between versions of Numba.
"""

import hashlib
import logging
import queue
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, Self

from evodom import __version__
from evodom.errors import EvodomError, UsageError, install_advice
from evodom.tasks import OnDone, Task, do_nothing

ProcessVersions = dict[str, str]
"""Versions and source digests of a process. The keys are the words of error messages."""

MISSING = "none"

RULES = "other rules of the games"
SOURCES = "other sources of evodom"

ADVICE = "Start the scheduler and all workers from one environment, with this evodom."


@cache
def process_versions() -> ProcessVersions:
    """Return the traits of this process. A package that is not installed has the version MISSING."""
    found = {"Python": ".".join(map(str, sys.version_info[:2])), "evodom": __version__}
    for name, module in (("NumPy", "numpy"), ("Numba", "numba")):
        try:
            found[name] = import_module(module).__version__
        except ImportError:
            return found | {name: MISSING}
    from evodom.jit.kernel import KERNEL_SOURCES

    package = Path(__file__).parent.parent
    return found | {
        RULES: _digest(package, (package / source for source in KERNEL_SOURCES)),
        SOURCES: _digest(package, [package]),
    }


def difference(who: str, theirs: ProcessVersions, ours: ProcessVersions) -> str | None:
    """Return the first difference between the traits of two processes as one line; None if they are equal."""
    for name, value in ours.items():
        other = theirs.get(name, MISSING)
        if other == value:
            continue
        if name in (RULES, SOURCES):
            return f"{who} has {name}. {ADVICE}"
        has = f"no {name}" if other == MISSING else f"{name} {other}"
        return f"{who} has {has}, and here is {name} {value}. {ADVICE}"
    return None


def check_same(who: str, ours: ProcessVersions) -> None:
    """Raise EvodomError unless this process has the traits `ours`. `who` names this process in the message."""
    if why := difference(who, process_versions(), ours):
        raise EvodomError(why)


def _digest(package: Path, sources: Iterable[Path]) -> str:
    """Return a hash of the names and the contents of all files in `sources`, files and folders."""
    digest = hashlib.sha256()
    for source in sources:
        for file in sorted(source.rglob("*")) if source.is_dir() else [source]:
            if file.is_file() and file.suffix != ".pyc":
                digest.update(f"{file.relative_to(package).as_posix()}\0".encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


ADDRESS = re.compile(r"(?:tcp|tls)://[^\s/:]+:[0-9]{1,5}")

CONNECT_S = 10.0
"""Timeout in seconds to connect to a scheduler."""

RECONNECT_S = 120.0
"""Seconds to wait for a lost scheduler or lost workers before EvodomError is raised."""

POLL_S = 1.0

SAVED = "Saved generations stay. Continue with --resume when scheduler and workers are running."


class _SchedulerLost(Exception):
    """The connection to the scheduler is lost, and with it the state of all jobs."""


class _Future(Protocol):
    """A future of dask."""

    status: str

    def result(self) -> bytes: ...

    def exception(self) -> Exception: ...


class Cluster:
    """Runs tasks on the workers of a scheduler. Use it as a context manager.

    If a worker dies, other workers repeat its tasks. If the scheduler dies, the tasks continue when a scheduler with
    workers is available at its address again, within ``reconnect_s`` seconds. A worker may join at any time. Raises
    EvodomError if there is no scheduler, no worker, or one with other `process_versions`.
    """

    is_remote = True

    def __init__(self, address: str, *, reconnect_s: float = RECONNECT_S) -> None:
        if not ADDRESS.fullmatch(address):
            raise UsageError(f"--cluster is '{address}'. Allowed: the address of a scheduler, as tcp://host:8786.")
        self.address = address
        self._reconnect_s = reconnect_s
        self._client = self._connected(CONNECT_S)
        self.n = 0
        try:
            self._check()
        except BaseException as error:
            self._close()
            raise self._unreachable() if isinstance(error, _SchedulerLost) else error from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def map(self, task: Task, jobs: Sequence[bytes], on_done: OnDone = do_nothing) -> list[bytes]:
        """Run a task for each job and return the results in the order of the jobs."""
        done: dict[int, bytes] = {}
        while len(done) < len(jobs):
            with suppress(_SchedulerLost):
                self._run_jobs(task, jobs, done, on_done)
                continue
            self._reconnect()
        return [done[number] for number in range(len(jobs))]

    def _run_jobs(self, task: Task, jobs: Sequence[bytes], done: dict[int, bytes], on_done: OnDone) -> None:
        """Run the jobs that are not in `done`. Raise _Lost if the scheduler is lost."""
        finished: queue.SimpleQueue[Any] = queue.SimpleQueue()
        left = [number for number in range(len(jobs)) if number not in done]
        arguments = [task] * len(left), [jobs[number] for number in left], [process_versions()] * len(left)
        futures = dict(zip(_checked_call(self._client.map, do, *arguments, pure=False), left, strict=True))
        for future in futures:
            future.add_done_callback(finished.put)
        waited_since = time.monotonic()
        while futures:
            try:
                future = finished.get(timeout=POLL_S)
            except queue.Empty:
                if self._count():
                    waited_since = time.monotonic()
                self._check_timeout(waited_since)
                continue
            number = futures.pop(future)
            done[number] = self._result(future)
            waited_since = time.monotonic()
            on_done(number)

    def _result(self, future: _Future) -> bytes:
        """Return the result of a task, or raise its error."""
        if future.status == "finished":
            result: bytes = _checked_call(future.result)
            return result
        if future.status != "error":
            raise _SchedulerLost
        error = future.exception()
        if isinstance(error, EvodomError):
            raise error
        if isinstance(error, ImportError) or "ModuleNotFoundError" in str(error):
            raise EvodomError(f"a worker of {self.address} lacks a module: {error}. {ADVICE}") from error
        if type(error).__name__ == "KilledWorker":
            raise EvodomError(
                f"workers of {self.address} keep dying at one task. Have they enough memory? {SAVED}"
            ) from error
        raise error

    def _count(self) -> int:
        """Return the number of threads of all workers. Raise _Lost without a scheduler."""
        self.n = sum(_checked_call(self._client.nthreads).values())
        return self.n

    def _check(self) -> None:
        """Raise EvodomError unless there are workers and all have equal traits; _Lost without a scheduler."""
        without_evodom = {"Python": process_versions()["Python"]}  # assumed of a process without evodom
        who = f"the scheduler at {self.address}"
        try:
            found = {who: _checked_call(self._client.run_on_scheduler, process_versions)}
        except RuntimeError:  # dask's error if it cannot unpickle the function
            found = {who: without_evodom}
        workers = _checked_call(self._client.run, process_versions, on_error="return")
        found |= {
            f"worker {name}": without_evodom if isinstance(one, Exception) else one for name, one in workers.items()
        }
        for each, theirs in found.items():
            if why := difference(each, theirs, process_versions()):
                raise EvodomError(why)
        if not self._count():
            raise EvodomError(f"{who} has no workers. Start some: dask worker {self.address} --nthreads 1")

    def _connected(self, timeout: float) -> Any:
        """Return a client of the scheduler. Raise EvodomError if it cannot be reached."""
        try:
            from distributed import Client
        except ImportError as error:
            raise EvodomError(
                f"--cluster needs dask.distributed, not installed: {install_advice('cluster')}"
            ) from error
        _hush()
        try:
            return Client(self.address, timeout=timeout, set_as_default=False)
        except (OSError, ValueError) as error:
            raise self._unreachable() from error

    def _unreachable(self) -> EvodomError:
        return EvodomError(
            f"no scheduler answers at {self.address}. Start one with: dask scheduler; or look at address and firewall."
        )

    def _reconnect(self) -> None:
        """Reconnect to a scheduler with workers at the address. Raise EvodomError after ``reconnect_s`` seconds."""
        since = time.monotonic()
        while True:
            self._close()
            with suppress(EvodomError, _SchedulerLost):
                self._client = self._connected(min(CONNECT_S, self._reconnect_s))
                if self._count():
                    break
            self._check_timeout(since)
            time.sleep(POLL_S)
        self._check()

    def _check_timeout(self, since: float) -> None:
        if time.monotonic() - since > self._reconnect_s:
            raise EvodomError(
                f"for {self._reconnect_s:.0f} s there was no scheduler, or no worker, at {self.address}. {SAVED}"
            )

    def _close(self) -> None:
        with suppress(Exception):  # errors of a broken connection do not matter
            self._client.close(timeout=1)


def _hush() -> None:
    """Silence dask's log messages and warnings. The errors of this module replace them."""
    for name in logging.root.manager.loggerDict:
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    warnings.filterwarnings("ignore", module="distributed")


def _checked_call(function: Callable[..., Any], *arguments: object, **options: object) -> Any:
    """Call a function of dask. Raise _Lost if it finds no scheduler."""
    from concurrent.futures import CancelledError

    from distributed.client import ClosedClientError

    try:
        return function(*arguments, **options)
    except (OSError, TimeoutError, CancelledError, ClosedClientError) as error:
        raise _SchedulerLost from error


def do(task: Task, job: bytes, ours: ProcessVersions) -> bytes:
    """Run a task on a worker. Raise EvodomError if its traits differ: it may have joined after the first check."""
    from distributed import get_worker

    check_same(f"worker {get_worker().address}", ours)
    return task(job)
