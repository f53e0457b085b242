"""Time exact answers, and check that each takes no longer than its target.

    python benchmarks/exact.py [WORD ...]

With words, only the cases whose names contain one of them are timed. The first run fills the caches (the odds of a
throw, powers), as every run of a command does; the best of the repetitions is the one that other work on the machine
slowed down least. Times are CPU time. The exit code is 1 if the first run of a case misses its target.
"""

import gc
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from evodom.distribution import certain
from evodom.kernel_groups import load_groups
from evodom.risk import invade, smallest_army, success_table
from evodom.spire.engine.compiler import Setup
from evodom.spire.fights import Fight
from evodom.spire.map import generate
from evodom.spire.solver.solve import solve_fight

REPETITIONS = 7
LONG = 5.0
"""A case that takes longer than this, in seconds, is not repeated."""


class Case(NamedTuple):
    """A computation to time: its name, the seconds it may take, and the function that runs it."""

    name: str
    target: float
    run: Callable[[], object]


CULTIST = Setup(relics=())
NOB = Setup(enemies=certain(("Gremlin Nob",)), relics=())
FRESH_NOB = Setup(enemies=NOB.enemies, relics=(), hp=80, max_hp=80, deck={"Bash+": 1, "Strike": 5, "Defend": 4})
JAW_WORM = Setup(enemies=certain(("Jaw Worm",)), relics=())


def fight(setup: Setup, *, fractions: bool = False) -> object:
    """Build and solve a fight, on kernels that are compiled."""
    return solve_fight(Fight(setup), fractions=fractions).value


CASES = (
    Case("Cultist, fractions: 73,254 decisions", 4, lambda: fight(CULTIST, fractions=True)),
    Case("Gremlin Nob, fractions: 62,555 decisions", 10, lambda: fight(NOB, fractions=True)),
    Case("Gremlin Nob, 80 HP, Bash+, fractions: 181,798 decisions", 30, lambda: fight(FRESH_NOB, fractions=True)),
    Case("Jaw Worm, floats: 3,749,439 decisions", 1800, lambda: fight(JAW_WORM)),
    Case("Risk: table 100 x 100, floats", 0.05, lambda: success_table(100, (100,))),
    Case("Risk: all ends of 100 against 100, exact", 0.1, lambda: invade(100, (100,))),
    Case("Risk: 1,001 against 1,000, floats", 5, lambda: (invade(1001, (1000,)), smallest_army((1000,), 0.8))),
    Case("Risk: smallest army against 100 for 95 %, exact", 0.3, lambda: smallest_army((100,), 0.95)),
    Case("Act maps: 1,000 from their seeds", 1, lambda: [generate(seed) for seed in range(1000)]),
)


def main(words: list[str]) -> int:
    """Time the cases that ``words`` ask for; return 1 if one misses its target, else 0."""
    missed = False
    load_groups("solver")
    print(f"{'':50} {'target':>8} {'first':>8} {'best':>8}")
    for case in CASES:
        if words and not any(word.lower() in case.name.lower() for word in words):
            continue
        first = seconds(case.run)
        best = first if first > LONG else min(seconds(case.run) for _ in range(REPETITIONS))
        missed |= first > case.target
        verdict = "" if first <= case.target else "  missed"
        print(f"{case.name:50} {case.target:6.2f} s {first:6.3f} s {best:6.3f} s{verdict}", flush=True)
    return int(missed)


def seconds(run: Callable[[], object]) -> float:
    """Return the CPU seconds of one run, after collecting the garbage of earlier ones."""
    gc.collect()
    begin = time.process_time()
    run()
    return time.process_time() - begin


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
