"""A real cluster on this machine: dask's scheduler and workers in processes, which are killed, join late, differ."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

import evodom
from evodom.errors import EvodomError
from evodom.tasks.cluster import Cluster
from tests.cli.program import run_program
from tests.saved import contents
from tests.tasks import jobs

pytest.importorskip("distributed", reason="dask.distributed is not installed: pip install evodom[cluster]")

# tests/tasks/test_cluster.py guards the same with a scheduler and workers in threads of the process.
pytestmark = pytest.mark.slow

PACKAGE = Path(evodom.__file__).parent
HERE = os.pathsep.join(filter(None, sys.path))


class Processes:
    """A scheduler and workers as a user starts them."""

    def __init__(self, opened: ExitStack) -> None:
        self._opened = opened
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"

    def scheduler(self):
        return self._start("scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard")

    def worker(self, path=HERE):
        asked = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
        return self._start("worker", self.address, *asked, path=path)

    def _start(self, *words, path=HERE):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        environment = os.environ | {"PYTHONPATH": path}
        process = subprocess.Popen([sys.executable, "-P", "-m", "dask", *words], env=environment, **quiet)
        self._opened.callback(process.wait)
        self._opened.callback(process.kill)
        return process


@pytest.fixture
def processes():
    with ExitStack() as opened:
        yield Processes(opened)


def connected(processes, n_workers, **options):
    """Return the cluster once it has so many workers."""
    deadline = time.monotonic() + 60
    while True:
        try:
            cluster = Cluster(processes.address, **options)
            if cluster.n == n_workers:
                return cluster
            cluster.__exit__()
        except EvodomError:
            pass
        assert time.monotonic() < deadline
        time.sleep(0.1)


ASKED = (
    "--islands", "6", "--migrate-every", "4", "--ngen", "8", "--nstrat", "32", "--halving-games", "2", "--seed", "5",
)  # fmt: skip


def started(root, *words):
    """Start a run on its own and return its process."""
    command = [sys.executable, "-P", "-m", "evodom", "evolve", "there", *words]
    environment = os.environ | {"PYTHONPATH": HERE, "EVODOM_DATA_DIR": str(root)}
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_a_run_whose_workers_die_and_join_is_the_same(processes, tmp_path):
    run_program("evolve", "here", *ASKED, "--jobs", "1", EVODOM_DATA_DIR=str(tmp_path))
    processes.scheduler()
    workers = [processes.worker() for _ in range(3)]
    connected(processes, 3).__exit__()

    run = started(tmp_path, *ASKED, "--cluster", processes.address)
    time.sleep(3.0)
    for worker in workers[:2]:
        worker.send_signal(signal.SIGKILL)
        time.sleep(0.5)
    processes.worker()
    _, errors = run.communicate(timeout=120)

    assert run.returncode == 0, errors
    assert contents(tmp_path, "there") == contents(tmp_path, "here")


def test_a_run_outlives_its_scheduler_and_one_killed_itself_is_resumed(processes, tmp_path):
    run_program("evolve", "here", *ASKED, "--jobs", "1", EVODOM_DATA_DIR=str(tmp_path))
    scheduler, worker = processes.scheduler(), processes.worker()
    connected(processes, 1).__exit__()

    run = started(tmp_path, *ASKED, "--cluster", processes.address)
    while not (tmp_path / "runs" / "there.sqlite").exists():
        assert run.poll() is None, run.stderr.read()
        time.sleep(0.01)
    run.send_signal(signal.SIGKILL)
    run.communicate()
    run = started(tmp_path, "--resume", "--cluster", processes.address)
    time.sleep(2.5)
    scheduler.kill()
    worker.kill()
    scheduler.wait()
    processes.scheduler()
    processes.worker()
    _, errors = run.communicate(timeout=120)

    assert run.returncode == 0, errors
    assert contents(tmp_path, "there") == contents(tmp_path, "here")


def test_tasks_of_a_scheduler_that_came_back_are_done_again(processes):
    scheduler, worker = processes.scheduler(), processes.worker()
    done = []

    def trouble():
        while len(done) < 2:
            time.sleep(0.05)
        scheduler.kill()
        worker.kill()
        scheduler.wait()
        processes.scheduler()
        processes.worker()

    with connected(processes, 1, reconnect_s=60) as cluster:
        meanwhile = threading.Thread(target=trouble)
        meanwhile.start()
        given = [b"%d" % (50 + number) for number in range(6)]
        assert cluster.map(jobs.late, given, done.append) == given
        meanwhile.join()


@pytest.mark.parametrize("gone", ["scheduler", "worker"])
def test_without_a_scheduler_or_workers_the_work_ends_in_a_line(processes, gone):
    started = {"scheduler": processes.scheduler(), "worker": processes.worker()}
    with connected(processes, 1, reconnect_s=3) as cluster:
        started[gone].kill()
        with pytest.raises(EvodomError, match=r"for 3 s there was no scheduler, or no worker, at tcp://.*--resume"):
            cluster.map(jobs.late, [b"500"])


def test_a_task_that_kills_its_workers_ends_in_a_line(processes):
    processes.scheduler()
    for _ in range(5):
        processes.worker()
    with connected(processes, 5) as cluster, pytest.raises(EvodomError, match="keep dying at one task"):
        cluster.map(jobs.deadly, [b""])


OTHER_PYTHON = (
    "import types\nfrom evodom.tasks import cluster\ncluster.sys = types.SimpleNamespace(version_info=(3, 99))\n"
)
NO_NUMBA = "import sys\nsys.modules['numba'] = None\n"
NO_EVODOM = "import sys\nsys.modules['evodom'] = None\n"


def differing(folder, how):
    """Return the path of modules for a worker that differs in a way."""
    folder.mkdir()
    if how in ("version", "rules"):
        copy = folder / "evodom"
        copy.mkdir()
        for file in PACKAGE.rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts:
                place = copy / file.relative_to(PACKAGE)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(file.read_bytes())
        changed = copy / ("__init__.py" if how == "version" else "dominion/cards/base.py")
        text = changed.read_text()
        changed.write_text(text.replace('__version__ = "', '__version__ = "9.') if how == "version" else f"{text}\n")
    else:
        site = {"python": OTHER_PYTHON, "numba": NO_NUMBA, "evodom": NO_EVODOM}[how]
        (folder / "sitecustomize.py").write_text(site)
    return f"{folder}{os.pathsep}{HERE}"


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("python", "has Python 3.99, and here is Python 3."),
        ("version", "has evodom 9."),
        ("rules", "has other rules of the games. Start"),
        ("numba", "has no Numba, and here is Numba"),
        ("evodom", "has no evodom, and here is evodom"),
    ],
)
def test_a_worker_that_differs_is_refused_before_work_and_when_it_joins_late(processes, tmp_path, how, told):
    processes.scheduler()
    alike = processes.worker()
    with connected(processes, 1, reconnect_s=5) as cluster:
        other = processes.worker(differing(tmp_path / "other", how))
        while cluster._count() < 2:
            assert other.poll() is None
            time.sleep(0.1)

        asked = ("--islands", "2", "--ngen", "10", "--nstrat", "8")
        result = run_program("evolve", "demo", *asked, "--cluster", processes.address, EVODOM_DATA_DIR=str(tmp_path))
        assert result.exit_code == 1
        assert told in result.stderr
        assert result.stderr.count("\n") == 1
        assert not (tmp_path / "runs" / "demo.sqlite").exists()

        alike.kill()
        late = "for 5 s there was no scheduler, or no worker" if how == "evodom" else told  # dask ends such a worker
        with pytest.raises(EvodomError, match=late):
            cluster.map(jobs.late, [b"1"])
