"""Evolve the longest run that is allowed, 9,999 generations of 512 strategies, and measure what it costs to keep it.

    python benchmarks/endurance.py FOLDER              evolve the run in FOLDER (about 8 processor minutes), and measure
    python benchmarks/endurance.py FOLDER --generations 400   a shorter one
    python benchmarks/endurance.py FOLDER --unplayed   go on with the run in FOLDER without games, ranked at random
    python benchmarks/endurance.py FOLDER --measure    only measure the commands on the run there

Every generation is played, bred and saved as in any run, but with the fewest games: tables of six, one game a match and
no race. That changes how strong the strategies are, and neither memory nor the file. With --unplayed they are bred and
saved as in any run, and nothing is played: for reports and resuming it is the same file, sooner. Printed are the memory
of the process and the size of the file on the way, and the seconds of the commands: of the wall clock, and of
processors.
"""

import argparse
import os
import resource
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from evodom.dominion.strategies.registry import genetics_of
from evodom.evolution import runs as running
from evodom.evolution.algorithm import Evolution
from evodom.evolution.emitters import ORIGINS
from evodom.evolution.options import Options
from evodom.evolution.runs import carry_on, start
from evodom.runs import Generation, Run, RunStore
from evodom.runs.lifecycle import RunMonitor
from evodom.tasks import Workers

KEY = "endurance"

CHEAPEST = {"n_strategies": 512, "players": 6, "games": 1, "race": 0}

STEPS = 10
"""How often memory and file are looked at."""


def memory() -> float:
    """Return the memory that this process has now, in MB (Linux), or its peak elsewhere."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def evolve(root: Path, n_generations: int) -> None:
    """Evolve the run and print memory and file on the way."""
    options = Options(n_generations=n_generations, **CHEAPEST)
    with ThreadPoolExecutor(1) as executor:
        workers = Workers(executor, 1)
        with start(KEY, options, 1, store=RunStore(root), overwrite=True, workers=workers) as run:
            go_on(run, workers, n_generations)


def go_on_unplayed(root: Path, n_generations: int) -> None:
    """Go on with a run without playing."""
    running.evaluate = unplayed
    with ThreadPoolExecutor(1) as executor, RunStore(root).open(KEY, write=True) as run:
        print(f"{run.n_generations} generations were played")
        go_on(run, Workers(executor, 1), n_generations)


def unplayed(evolution: Evolution, workers: Workers) -> Generation:
    """Return the current generation as `evaluate` does, but ranked at random."""
    ranking = np.random.default_rng(evolution.index).permutation(len(evolution.ask())).astype(np.int32)
    figures = {"best_points": 2.5, "games": 680, "rounds": 20.25, "winner_vp": 31.5, "ended_on_piles": 0.5, "cut": 0.0}
    figures |= {"diversity": genetics_of(evolution.options.model).diversity(evolution.ask())}
    return Generation(evolution.index, evolution.ask(), ranking, figures, {ORIGINS: evolution.origins})


def go_on(run: Run, workers: Workers, n_generations: int) -> None:
    """Evolve a run to its end and print memory and file on the way."""
    print("generation  memory, MB  file, kB  bytes a generation since the line before", flush=True)
    step, before = max(1, n_generations // STEPS), (run.n_generations, size(run))

    def on_generation(generation: Generation) -> None:
        nonlocal before
        n = generation.index + 1
        if n % step == 0 or n == n_generations:
            now = (run.n_generations, size(run))
            growth = (now[1] - before[1]) / max(1, now[0] - before[0])
            print(f"{n:10}  {memory():10.0f}  {now[1] / 1000:8.0f}  {growth:8.0f}", flush=True)
            before = now

    carry_on(run, workers, RunMonitor(on_generation=on_generation))


def size(run: Run) -> int:
    """Return the size of a run's file in bytes."""
    return run.path.stat().st_size


def measure(root: Path) -> None:
    """Print how long the commands take that read the whole run, or go on with it."""
    with RunStore(root).open(KEY, write=True) as run:
        n = run.n_generations
        run.set_meta(matches={}, attacks={})  # what reports of before have saved
        print(f"{n} generations, {size(run)} bytes, {size(run) / n:.0f} a generation")
    for name, words in {
        "report --best-response-games 0": ("report", KEY, "--best-response-games", "0"),
        "the same again": ("report", KEY, "--best-response-games", "0"),
        "report --html, after it": (
            "report",
            KEY,
            "--best-response-games",
            "0",
            "--html",
            str(root / "report.html"),
            "-o",
        ),
        "report, and the learner": ("report", KEY),
        "report, again": ("report", KEY),
        "runs show": ("runs", "show", KEY),
        "strategies": ("strategies", KEY, "--raw"),
        "resume, nothing left": ("evolve", KEY, "--resume"),
        "export": ("runs", "export", KEY, str(root / "export.evodom"), "--overwrite"),
        "import (checks all)": ("runs", "import", str(root / "export.evodom"), "--key", "imported", "--overwrite"),
    }.items():
        command = [sys.executable, "-m", "evodom", *words, "--data-dir", str(root)]
        began, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        wall, now = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
        problem = f"  {done.stderr.strip()}" if done.returncode else ""
        print(f"{name:24} {wall:6.1f} s, {seconds:6.1f} s of processors{problem}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--generations", type=int, default=9999)
    parser.add_argument("--unplayed", action="store_true")
    parser.add_argument("--measure", action="store_true")
    asked = parser.parse_args()
    if asked.unplayed:
        go_on_unplayed(asked.folder, asked.ngen)
    elif not asked.measure:
        evolve(asked.folder, asked.ngen)
    measure(asked.folder)


if __name__ == "__main__":
    main()
