"""Measure how work grows with workers, and what it costs to give a task to one.

    python benchmarks/scaling.py                 processes and a dask cluster on this machine, 1, 2 and 4 workers
    python benchmarks/scaling.py --workers 1 2   other numbers
    python benchmarks/scaling.py --cluster tcp://host:8786    a running cluster

Coordination: tasks that do nothing, with little and much to carry, by the wall clock, one alone and many together.
Work: islands that evolve for some rounds. Where others use the machine too, rates by the wall clock are too low, and
those by processor seconds are right; "this one's" are the seconds of the process that gives out the tasks, which ranks
the best of all islands, packs and saves.
"""

import argparse
import os
import struct
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

from evodom.evolution.history import games_of
from evodom.evolution.islands import evolve_island
from evodom.evolution.options import Options
from evodom.evolution.runs import carry_on, start
from evodom.kernel_groups import load_groups
from evodom.runs import RunStore
from evodom.tasks import OnDone, Processes, Task, Tasks, Workers, do_nothing
from evodom.tasks.cluster import cluster

SIZES = {"nothing": 0, "an island of 128 (11 kB)": 11_264}

N_TASKS = 200

ISLANDS = Options(islands=8, migrate_every=5, n_generations=10, n_strategies=32, players=2)


@contextmanager
def dask_cluster(n: int) -> Iterator[Executor]:
    """Start a scheduler and ``n`` workers in processes, and connect to them."""
    from distributed import LocalCluster

    how = {"n_workers": n, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": 50}
    with LocalCluster(**how) as local, cluster(local.scheduler_address) as executor:
        yield executor


def echo(job: bytes) -> bytes:
    """Return the bytes of a task."""
    return job


def coordination(name: str, tasks: Tasks) -> None:
    """Print what a task costs that does nothing."""
    tasks.map(echo, [b""] * 8)
    for what, size in SIZES.items():
        jobs = [bytes([number % 256]) * size for number in range(N_TASKS)]
        began = time.perf_counter()
        tasks.map(echo, jobs)
        together = (time.perf_counter() - began) / len(jobs)
        began = time.perf_counter()
        for job in jobs[:20]:
            tasks.map(echo, [job])
        alone = (time.perf_counter() - began) / 20
        print(
            f"  {name:20} {what:30} {1000 * together:6.2f} ms a task of many, {1000 * alone:6.2f} ms one alone",
            flush=True,
        )


class Timed(Tasks):
    """Tasks of an executor, with the sum of their processor seconds."""

    processor = 0.0

    def map(self, task: Task, jobs: Sequence[bytes], on_done: OnDone = do_nothing) -> list[bytes]:
        if task is not evolve_island:
            return super().map(task, jobs, on_done)
        done = super().map(evolve_timed, jobs, on_done)
        self.processor += sum(struct.unpack("d", result[:8])[0] for result in done)
        return [result[8:] for result in done]


def work(name: str, tasks: Timed, *, is_here: bool = False) -> None:
    """Print how many games a second islands play, by the wall clock and by processors, and what the rest costs."""
    with ThreadPoolExecutor(1) as threads, tempfile.TemporaryDirectory() as folder:
        workers = Workers(threads, 1, tasks)
        began, used = time.perf_counter(), time.process_time()
        with start("demo", ISLANDS, 1, store=RunStore(folder), overwrite=True, workers=workers) as run:
            carry_on(run, workers)
            seconds, used = time.perf_counter() - began, time.process_time() - used
            n_games = sum(games_of(each.summary) for each in run)
    used -= tasks.processor if is_here else 0.0
    print(
        f"  {name:20} {n_games / seconds:9,.0f} games/s, {n_games / tasks.processor:9,.0f} a processor second of the "
        f"workers; {seconds:5.1f} s, {tasks.processor:5.1f} s of the workers' processors, {used:4.2f} s of this one's",
        flush=True,
    )


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
    load_groups("games")
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; {N_TASKS} tasks; {ISLANDS.islands} islands")
    started = {"that cluster": partial(cluster, asked.cluster)} if asked.cluster else {}
    for n in [] if asked.cluster else asked.workers:
        started |= {f"{n} processes": partial(Processes, n), f"dask, {n} workers": partial(dask_cluster, n)}
    if not asked.cluster:
        coordination("here", Tasks())
        work("here", Timed(), is_here=True)
    for name, executor in started.items():
        with Timed(executor) as tasks:
            coordination(name, tasks)
            work(name, tasks)


if __name__ == "__main__":
    main()
