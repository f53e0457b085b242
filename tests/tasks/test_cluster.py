"""Tasks done by the workers of a dask cluster: a real scheduler and real workers, on this machine."""

import json
import sys

import pytest

from evodom.errors import EvodomError, UsageError
from evodom.tasks.cluster import RULES, SOURCES, Cluster, check_same, difference, process_versions
from tests.cli.program import run_program
from tests.learning.fights.test_run import FIGHT
from tests.saved import contents
from tests.tasks import jobs

distributed = pytest.importorskip(
    "distributed", reason="dask.distributed is not installed: pip install evodom[cluster]"
)


def started(n_workers):
    """Return a scheduler with workers of one thread each, all in threads of this process, which is quick to start."""
    where = {"protocol": "tcp", "host": "127.0.0.1", "dashboard_address": "127.0.0.1:0", "silence_logs": False}
    return distributed.LocalCluster(n_workers=n_workers, threads_per_worker=1, processes=False, **where)


@pytest.fixture(scope="module")
def local():
    with started(2) as cluster:
        yield cluster


def test_results_come_in_the_order_of_the_jobs_and_errors_are_raised(local):
    finished = []
    with Cluster(local.scheduler_address) as cluster:
        assert cluster.n == 2
        assert cluster.map(jobs.late, [b"30", b"1", b"2"], finished.append) == [b"30", b"1", b"2"]
        assert cluster.map(jobs.shout, []) == []
    assert sorted(finished) == [0, 1, 2]
    assert finished[0] != 0

    with Cluster(local.scheduler_address) as cluster, pytest.raises(EvodomError, match=r"^no: 7$"):
        cluster.map(jobs.refused, [b"7"])


def test_an_island_run_on_a_cluster_is_that_of_one_process(local, tmp_path):
    asked = (
        "--islands", "2", "--migrate-every", "1", "--ngen", "2", "--nstrat", "8", "--halving-games", "1", "--seed", "5",
    )  # fmt: skip
    address = ("--cluster", local.scheduler_address)

    for key, where in (("here", ("--jobs", "1")), ("there", address)):
        result = run_program("evolve", key, *asked, *where, EVODOM_DATA_DIR=str(tmp_path))
        assert result.exit_code == 0, result.stderr

    assert contents(tmp_path, "there") == contents(tmp_path, "here")


def test_a_tournament_on_a_cluster_is_that_of_one_process(local):
    asked = ("tournament", "big-money", "big-money-smithy", "random", "--games", "9000", "--seed", "4", "--json")

    here, there = (run_program(*asked, *where) for where in ((), ("--cluster", local.scheduler_address)))

    assert there.exit_code == 0, there.stderr
    assert json.loads(there.stdout) == json.loads(here.stdout)


def test_a_training_for_fights_on_a_cluster_is_that_of_one_process(local, tmp_path):
    fight = tmp_path / "fight.toml"
    fight.write_text(FIGHT)
    asked = ("--fight", str(fight), "--iterations", "2", "--iteration-games", "6", "--simulations", "6")
    address = ("--cluster", local.scheduler_address)

    for key, where in (("here", ("--jobs", "2")), ("there", address)):
        words = ("spire", "train", key, *asked, "--evaluation-games", "2", "--seed", "1", *where)
        result = run_program(*words, EVODOM_DATA_DIR=str(tmp_path))
        assert result.exit_code == 0, result.stderr

    assert contents(tmp_path, "there") == contents(tmp_path, "here")


def test_a_cluster_has_to_have_something_to_do(local):
    result = run_program("evolve", "demo", "--cluster", local.scheduler_address)

    assert result.exit_code == 2
    assert "--islands 8" in result.stderr


@pytest.mark.parametrize("address", ["", "host:8786", "tcp://host", "http://host:8786", "tcp://a b:1"])
def test_what_is_no_address_is_refused(address):
    with pytest.raises(UsageError, match="Allowed: the address of a scheduler, as tcp://host:8786"):
        Cluster(address)


def test_a_scheduler_without_workers_or_that_does_not_answer_is_refused(monkeypatch):
    without = r"has no workers. Start some: dask worker tcp://127"
    with started(0) as empty, pytest.raises(EvodomError, match=without):
        Cluster(empty.scheduler_address)
    monkeypatch.setattr("evodom.tasks.cluster.CONNECT_S", 0.2)
    with pytest.raises(EvodomError, match=r"no scheduler answers at tcp://127.0.0.1:9"):
        Cluster("tcp://127.0.0.1:9")


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"Python": "3.99"}, "worker A has Python 3.99, and here is Python 3."),
        ({"evodom": "0.0.1"}, "worker A has evodom 0.0.1, and here is evodom "),
        ({"Numba": "none"}, "worker A has no Numba, and here is Numba "),
        ({RULES: "other"}, "worker A has other rules of the games. Start the scheduler and all workers from one env"),
        ({SOURCES: "other"}, "worker A has other sources of evodom. Start "),
    ],
)
def test_who_would_not_compute_the_same_is_told_in_a_line(changed, told):
    assert difference("worker A", process_versions() | changed, process_versions()).startswith(told)


def test_who_is_alike_is_not_told():
    assert difference("worker A", dict(process_versions()), process_versions()) is None


def test_a_worker_that_came_later_and_is_not_alike_does_nothing(local, monkeypatch):
    with Cluster(local.scheduler_address) as cluster:
        ours = process_versions() | {"evodom": "9.9.9"}
        monkeypatch.setattr("evodom.tasks.cluster.check_same", lambda who, _: check_same(who, ours))
        with pytest.raises(EvodomError, match=r"^worker tcp://.* has evodom 0.*, and here is evodom 9\.9\.9"):
            cluster.map(jobs.shout, [b"a"])


def test_where_dask_is_not_installed_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(EvodomError, match=r"pip install \"evodom\[cluster\]\", or in a clone"):
        Cluster("tcp://127.0.0.1:9")
