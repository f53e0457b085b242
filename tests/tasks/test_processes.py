"""Tasks done here and in processes: results in order, deaths survived, errors told."""

import os
import subprocess
import sys
import time

import numpy as np
import pytest

from evodom.errors import EvodomError
from evodom.tasks import ProcessExecutor, SerialExecutor, pack, unpack
from tests.tasks import jobs


@pytest.fixture(scope="module")
def processes():
    with ProcessExecutor(2) as started:
        yield started


def test_results_come_in_the_order_of_the_jobs(processes):
    given = [b"30", b"1", b"2"]
    finished: list[int] = []

    assert processes.map(jobs.late, given, finished.append) == given == SerialExecutor().map(jobs.late, given)
    assert sorted(finished) == [0, 1, 2]
    assert finished[0] != 0


def test_a_process_that_dies_is_replaced_and_its_task_done_again(processes, tmp_path):
    flag = tmp_path / "flag"

    assert processes.map(jobs.deadly_once, [os.fsencode(flag)] * 3) == [b"survived"] * 3
    assert flag.exists()


def test_processes_that_keep_dying_are_told_in_a_line(processes, monkeypatch):
    monkeypatch.setattr("evodom.tasks.MAX_PROCESS_DEATHS", 1)

    with pytest.raises(EvodomError, match=r"died 1 times. Is there enough memory"):
        processes.map(jobs.deadly, [b""])
    assert processes.map(jobs.shout, [b"again"]) == [b"AGAIN"]


@pytest.mark.parametrize("executor", ["here", "processes"])
def test_what_a_task_raises_is_raised(executor, processes):
    with pytest.raises(EvodomError, match=r"^no: 7$"):
        (SerialExecutor() if executor == "here" else processes).map(jobs.refused, [b"7"])


PARENT = """
import os
from evodom.tasks import ProcessExecutor
from tests.tasks import jobs
if __name__ == "__main__":
    with ProcessExecutor(1) as processes:
        processes.map(jobs.shout, [b""])
        print(*processes._pool._processes, flush=True)
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
