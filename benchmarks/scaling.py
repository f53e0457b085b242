"""Measure how work grows with workers, and what it costs to give a task to one.

    python benchmarks/scaling.py                 processes and a dask cluster on this machine, 1, 2 and 4 workers
    python benchmarks/scaling.py --workers 1 2   other numbers
    python benchmarks/scaling.py --cluster tcp://host:8786    a cluster that is there already

Coordination: tasks that do nothing, with little and much to carry, by the wall clock, one alone and many together.
Work: islands that evolve for some rounds. Where others use the machine too, rates by the wall clock are too low, and
those by processor seconds are right; "this one's" are the seconds of the process that gives out the tasks, which ranks
the best of all islands, packs and saves. Self-play: an iteration of `spire train` with its default settings, whole and
in pieces, in processor seconds of this process.
"""

import argparse
import os
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

from evodom.errors import EvodomError
from evodom.evolution.algorithm import games_of
from evodom.evolution.islands import evolve_island
from evodom.evolution.options import Options
from evodom.evolution.runs import carry_on, start
from evodom.jit.groups import compile_group
from evodom.learning.fights import FightOptions
from evodom.learning.fights.training import FightTraining, play_in_pieces
from evodom.tasks import Executor, OnDone, ProcessExecutor, SerialExecutor, Task, Workers, do_nothing
from evodom.tasks.cluster import Cluster

SIZES = {"nothing": 0, "an island of 128 (11 kB)": 11_264, "2,048 games' results (1.1 MB)": 1_138_688}

N_TASKS = 200

ISLANDS = Options(islands=8, migrate_every=5, n_generations=10, n_strategies=32, players=2)

FIGHT = 'enemies = "Gremlin Nob"\nrelics = []\n'

PORT = 18_787


@contextmanager
def dask_cluster(n: int) -> Iterator[Executor]:
    """Start a scheduler and ``n`` workers as a user would, and connect to them."""
    address = f"tcp://127.0.0.1:{PORT}"
    where = ("--host", "127.0.0.1", "--no-dashboard")
    commands = [("scheduler", "--port", str(PORT), *where)]
    commands += [("worker", address, "--nthreads", "1", "--no-nanny", *where)] * n
    with ExitStack() as opened:
        for words in commands:
            process = subprocess.Popen(
                [sys.executable, "-m", "dask", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            opened.callback(process.wait)
            opened.callback(process.terminate)
        yield opened.enter_context(connected(address, n))


def connected(address: str, n: int) -> Cluster:
    """Return the cluster once all its workers are there."""
    deadline = time.monotonic() + 60
    while True:
        try:
            cluster = Cluster(address)
            if cluster.n >= n:
                return cluster
            cluster.__exit__()
        except EvodomError:
            if time.monotonic() > deadline:
                raise
        time.sleep(0.2)


def echo(job: bytes) -> bytes:
    """Return what a task was given."""
    return job


def coordination(name: str, executor: Executor) -> None:
    """Print what a task costs that does nothing."""
    executor.map(echo, [b""] * 8)
    for what, size in SIZES.items():
        jobs = [bytes([number % 256]) * size for number in range(N_TASKS if size < 1e6 else N_TASKS // 4)]
        began = time.perf_counter()
        executor.map(echo, jobs)
        together = (time.perf_counter() - began) / len(jobs)
        began = time.perf_counter()
        for job in jobs[:20]:
            executor.map(echo, [job])
        alone = (time.perf_counter() - began) / 20
        print(
            f"  {name:20} {what:30} {1000 * together:6.2f} ms a task of many, {1000 * alone:6.2f} ms one alone",
            flush=True,
        )


def work(name: str, executor: Executor) -> None:
    """Print how many games a second islands play, by the wall clock and by processors, and what the rest costs."""
    timed = Timed(executor)
    with ThreadPoolExecutor(1) as threads, tempfile.TemporaryDirectory() as folder:
        workers = Workers(threads, 1, timed)
        executor.map(echo, [b""] * 2 * executor.n)  # every worker has started
        began, used = time.perf_counter(), time.process_time()
        with start("demo", ISLANDS, 1, root=Path(folder), overwrite=True, workers=workers) as run:
            carry_on(run, workers)
            seconds, used = time.perf_counter() - began, time.process_time() - used
            n_games = sum(map(games_of, run))
    used -= timed.processor if isinstance(executor, SerialExecutor) else 0.0
    print(
        f"  {name:20} {n_games / seconds:9,.0f} games/s, {n_games / timed.processor:9,.0f} a processor second of the "
        f"workers; {seconds:5.1f} s, {timed.processor:5.1f} s of the workers' processors, {used:4.2f} s of this one's",
        flush=True,
    )


def self_play() -> None:
    """Print what it costs to play an iteration of a training for fights in pieces."""
    training = FightTraining(FightOptions((FIGHT,)), 1)
    network, sent = training.first(), Weighed()
    for iteration in (1, 10):  # the first ones play positions out, the later ones ask the network
        training.play(iteration, network, games=range(1))  # compiled
        used = time.process_time()
        whole = training.play(iteration, network)
        one_go = time.process_time() - used
        used = time.process_time()
        play_in_pieces(sent, training, iteration, network)
        pieces = time.process_time() - used
        used = time.process_time()
        training.learn(iteration, network, None, whole.experience, None)
        learned = time.process_time() - used
        print(
            f"  iteration {iteration}: {one_go:.2f} s in one go, {pieces:.2f} s in {sent.n_jobs} pieces, each "
            f"{sent.there / 1000:.0f} kB there and {sent.back / 1000:.0f} kB back; to learn from it {learned:.2f} s",
            flush=True,
        )


class Weighed(SerialExecutor):
    """Does tasks here, and notes how many bytes they would carry."""

    n_jobs, there, back = 0, 0.0, 0.0

    def map(self, task: Task, jobs: Sequence[bytes], on_done: OnDone = do_nothing) -> list[bytes]:
        results = super().map(task, jobs, on_done)
        self.n_jobs = len(jobs)
        self.there, self.back = (sum(map(len, each)) / len(jobs) for each in (jobs, results))
        return results


class Timed:
    """An executor that sums up the processor seconds of its tasks."""

    is_remote = False  # only the islands are sent

    def __init__(self, executor: Executor) -> None:
        self.n, self._executor, self.processor = executor.n, executor, 0.0

    def map(self, task: Task, jobs: Sequence[bytes], on_done: OnDone) -> list[bytes]:
        assert task is evolve_island
        done = self._executor.map(evolve_timed, jobs, on_done)
        self.processor += sum(struct.unpack("d", result[:8])[0] for result in done)
        return [result[8:] for result in done]


def evolve_timed(job: bytes) -> bytes:
    """Evolve an island, and put in front of the result the processor seconds that it took."""
    began = time.process_time()
    result = evolve_island(job)
    return struct.pack("d", time.process_time() - began) + result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--cluster")
    asked = parser.parse_args()
    compile_group("games")
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; {N_TASKS} tasks; {ISLANDS.islands} islands")
    if asked.cluster:
        with Cluster(asked.cluster) as cluster:
            coordination("that cluster", cluster)
            work(f"{cluster.n} workers", cluster)
        return
    self_play()
    coordination("here", SerialExecutor())
    work("here", SerialExecutor())
    for n in asked.workers:
        for name, started in ((f"{n} processes", ProcessExecutor(n)), (f"dask, {n} workers", dask_cluster(n))):
            with started as executor:
                coordination(name, executor)
                work(name, executor)


if __name__ == "__main__":
    main()
