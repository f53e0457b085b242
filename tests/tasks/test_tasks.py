"""Tasks run here and on executors: results in order, lost jobs repeated, errors raised."""

import os
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

import numpy as np
import pytest

from evodom import tasks as module
from evodom.errors import EvodomError
from evodom.tasks import MAX_LOSSES, Processes, Tasks, attempt, pack, unpack
from tests.tasks import jobs


class Losing(Executor):
    """Runs jobs in this process, and loses those with the numbers ``lost``, counted from 1, in the manner ``how``."""

    def __init__(self, how="failed", lost=()):
        self.how, self.lost, self.calls = how, lost, []

    def submit(self, fn, /, *arguments, **options):
        self.calls.append(arguments[1])
        future = Future()
        if len(self.calls) in self.lost:
            if self.how == "refused":
                raise BrokenExecutor
            if self.how == "cancelled":
                future.cancel()
                future.set_running_or_notify_cancel()
            else:
                future.set_exception(ConnectionError("the worker left"))
        else:
            future.set_result(fn(*arguments))
        return future


@pytest.mark.parametrize("how", ["refused", "cancelled", "failed"])
def test_jobs_that_an_executor_loses_run_again_on_it_and_only_those(how):
    executor, finished = Losing(how, {1, 3}), []

    with Tasks(executor) as tasks:
        assert tasks.map(jobs.shout, [b"a", b"b", b"c"], lambda *done: finished.append(done)) == [b"A", b"B", b"C"]

    assert sorted(finished) == [(0, b"A"), (1, b"B"), (2, b"C")]
    if how != "refused":
        assert executor.calls == [b"a", b"b", b"c", b"a", b"c"]


def test_an_executor_that_loses_all_jobs_is_given_up_in_a_line():
    executor = Losing(lost=range(99))
    with pytest.raises(
        EvodomError, match=f"^workers were lost {MAX_LOSSES} times, .*ConnectionError .the worker left.[^\n]*$"
    ):
        Tasks(executor).map(jobs.shout, [b"a"])


PROCESSES = partial(Processes, 2)


@pytest.fixture(scope="module")
def processes():
    with Tasks(PROCESSES) as started:
        yield started


def test_results_come_in_the_order_of_the_jobs(processes):
    given = [b"30", b"1", b"2"]
    finished: list[tuple[int, bytes]] = []

    assert (
        processes.map(jobs.late, given, lambda *done: finished.append(done)) == given == Tasks().map(jobs.late, given)
    )
    assert sorted(finished) == [*enumerate(given)]
    assert finished[0][0] != 0


@pytest.mark.parametrize("start", [PROCESSES, partial(ProcessPoolExecutor, 2, get_context("spawn"))])
def test_a_process_that_dies_is_replaced_and_its_task_runs_again(start, tmp_path):
    flag = tmp_path / "flag"

    with Tasks(start) as tasks:
        assert tasks.map(jobs.deadly_once, [os.fsencode(flag)] * 3) == [b"survived"] * 3
    assert flag.exists()


@pytest.mark.parametrize("tasks", [Tasks(), Tasks(Losing())])
def test_the_error_of_a_task_is_raised(tasks):
    with pytest.raises(EvodomError, match=r"^no: 7$"):
        tasks.map(jobs.refused, [b"7"])


def test_processes_run_tasks_after_an_error(processes):
    with pytest.raises(EvodomError, match=r"^no: 7$"):
        processes.map(jobs.refused, [b"7"])
    assert processes.map(jobs.shout, [b"again"]) == [b"AGAIN"]


def test_a_worker_with_other_versions_is_refused(monkeypatch):
    executor = Losing()
    monkeypatch.setattr(module, "attempt", lambda task, job, versions: attempt(task, job, "evodom 9.9"))
    with pytest.raises(EvodomError, match=r"^a worker has Python .*, and here is evodom 9\.9\. Start all from one env"):
        Tasks(executor).map(jobs.shout, [b"a"])


PARENT = """
import os
from evodom.tasks import Processes, Tasks
from tests.tasks import jobs
if __name__ == "__main__":
    with Processes(1) as pool:
        processes = Tasks(pool)
        processes.map(jobs.shout, [b""])
        print(*pool._processes, flush=True)
        processes.map(jobs.late, [b"6000"])
"""


@pytest.mark.skipif(os.name == "nt", reason="asks whether a process runs by a signal that would end it there")
def test_processes_end_with_the_one_that_started_them_though_it_was_killed(tmp_path):
    program = tmp_path / "parent.py"
    program.write_text(PARENT)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, text=True, env=environment) as parent:
        worker = int(parent.stdout.readline())
        parent.kill()

    deadline = time.monotonic() + 10
    while _is_running(worker):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_what_is_packed_is_unpacked_and_pickles_are_refused():
    records = np.zeros(2, np.dtype([("weight", "<f8"), ("places", "<i2", (3,))]))
    records["places"] = 5
    packed = pack({"seed": 2**63, "names": ["a"]}, records=records, none=records[:0])

    facts, arrays = unpack(packed)

    assert facts == {"seed": 2**63, "names": ["a"]}
    assert arrays["records"].dtype == records.dtype
    assert arrays["records"].tobytes() == records.tobytes()
    assert len(arrays["none"]) == 0
    assert pack(facts, **arrays) == packed

    with pytest.raises(ValueError, match="no task"):
        unpack(b"something else")
    with pytest.raises(ValueError, match="Object arrays"):
        pack({}, objects=np.array([object()]))
