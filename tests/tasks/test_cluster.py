"""Tasks on the workers of a dask cluster: a real scheduler and real workers, on this machine."""

import os
import sys

import pytest

from evodom.errors import EvodomError, UsageError
from evodom.tasks import Tasks
from evodom.tasks.cluster import cluster
from tests.cli.program import run_program
from tests.saved import contents
from tests.tasks import jobs

distributed = pytest.importorskip(
    "distributed", reason="dask.distributed is not installed: pip install evodom[cluster]"
)


def started(n_workers, *, processes=False):
    """Return a scheduler with workers of one thread each, in threads of this process unless ``processes``."""
    where = {"protocol": "tcp", "host": "127.0.0.1", "dashboard_address": "127.0.0.1:0", "silence_logs": 60}
    return distributed.LocalCluster(n_workers=n_workers, threads_per_worker=1, processes=processes, **where)


@pytest.fixture(scope="module")
def address():
    with started(2) as local:
        yield local.scheduler_address


@pytest.mark.full
def test_an_island_run_on_a_cluster_is_that_of_one_process(address, tmp_path):
    asked = (
        "--islands", "2", "--migrate-every", "1", "--ngen", "2", "--nstrat", "8", "--halving-games", "1", "--seed", "5",
    )  # fmt: skip
    for key, where in (("here", ("--jobs", "1")), ("there", ("--cluster", address))):
        result = run_program("evolve", key, *asked, *where, EVODOM_DATA_DIR=str(tmp_path))
        assert result.exit_code == 0, result.stderr

    assert contents(tmp_path, "there") == contents(tmp_path, "here")


def test_the_executor_of_a_client_runs_tasks_and_their_errors_are_raised(address):
    with distributed.Client(address, set_as_default=False) as client:
        tasks = Tasks(client.get_executor(pure=False))
        assert tasks.map(jobs.late, [b"30", b"1", b"2"]) == [b"30", b"1", b"2"]
        with pytest.raises(EvodomError, match=r"^no: 7$"):
            tasks.map(jobs.refused, [b"7"])


@pytest.mark.full
def test_a_task_whose_worker_is_killed_runs_on_another(tmp_path):
    given = [os.fsencode(tmp_path / "flag")] * 3
    with started(2, processes=True) as local, Tasks(lambda: cluster(local.scheduler_address)) as tasks:
        assert tasks.map(jobs.deadly_once, given) == [b"survived"] * 3


@pytest.mark.parametrize("address", ["", "host:8786", "tcp://host", "http://host:8786", "tcp://a b:1"])
def test_other_texts_than_addresses_are_refused(address):
    with pytest.raises(UsageError, match="Allowed: the address of a scheduler, as tcp://host:8786"), cluster(address):
        pass


def test_a_scheduler_without_workers_or_that_does_not_answer_is_refused(monkeypatch):
    monkeypatch.setattr("evodom.tasks.cluster.TIMEOUT_S", 0.5)
    without = r"has no workers. Start some: dask worker tcp://127"
    with started(0) as empty, pytest.raises(EvodomError, match=without), cluster(empty.scheduler_address):
        pass
    with pytest.raises(EvodomError, match=r"no scheduler answers at tcp://127.0.0.1:9"), cluster("tcp://127.0.0.1:9"):
        pass


def test_without_dask_its_installation_is_advised(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(EvodomError, match=r"pip install \"evodom\[cluster\]\""), cluster("tcp://127.0.0.1:9"):
        pass
