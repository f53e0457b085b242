"""The fault list: ways to break the rules, the strategies and the matches on purpose, each of which a test must catch.

    python -m tests.mutants              # all of them; exit code 1 if one survives
    python -m tests.mutants throne pass  # those whose description has one of these words

For each fault the sources are copied, one place is changed, and a quick part of the suite runs against the copy,
uncompiled unless the fault says otherwise. The old text has to occur exactly once in its file, so that a row whose code
has changed is noticed. The weekly workflow runs the list.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src"

LIMIT = 900
"""Seconds after which a run counts as caught: a fault may make games endless."""

TESTS_FAILED = 1
"""The exit code of pytest that means a failed test; any other but 0 means that the run itself went wrong."""


@dataclass(frozen=True)
class Mutant:
    """One fault: in `file`, `old` becomes `new`; `what` it breaks; the tests that have to catch it."""

    file: str
    old: str
    new: str
    what: str
    tests: tuple[str, ...]
    compiled: bool = False
    """Run the tests compiled: for faults that take many games to show."""


ENGINE = ("tests/dominion", "-m", "uncompiled")

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "evodom/dominion/engine/turn.py",
        "    state.buys -= 1\n",
        "",
        "a buy costs no Buy",
        ENGINE,
    ),
    Mutant(
        "evodom/dominion/engine/state.py",
        "    if state.cards[SUPPLY, pile] == 0:\n        state.n_empty += 1\n",
        "",
        "an emptied pile is not counted as empty",
        ENGINE,
    ),
    Mutant(
        "evodom/dominion/engine/turn.py",
        "difference = state.turns[other] - state.turns[seat]",
        "difference = state.turns[seat] - state.turns[other]",
        "a tie goes to who took more turns",
        ("tests/dominion", "tests/matches", "-m", "uncompiled"),
    ),
    Mutant(
        "evodom/kernel.py",
        "while (product & _LOW_32) < threshold:",
        "while False:",
        "random numbers below n are not rejected where they must be",
        ("tests/test_kernel.py", "-m", "uncompiled"),
    ),
)


def main(words: Sequence[str]) -> int:
    """Try the faults that have one of the words in their description, or all; return the exit code."""
    chosen = [mutant for mutant in MUTANTS if not words or any(word in mutant.what for word in words)]
    begin = time.perf_counter()
    with ThreadPoolExecutor(os.cpu_count() or 1) as executor:
        verdicts = list(executor.map(tell, chosen))
    survivors = [mutant.what for mutant, caught in zip(chosen, verdicts, strict=True) if not caught]
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} caught in {time.perf_counter() - begin:.0f} s")
    return 1 if survivors else 0


def tell(mutant: Mutant) -> bool:
    """Try a fault, print what came of it, and return whether it was caught."""
    begin = time.perf_counter()
    caught, by = is_caught(mutant)
    print(
        f"{'caught  ' if caught else 'SURVIVED'} {time.perf_counter() - begin:4.0f} s  {mutant.what}  {by}", flush=True
    )
    return caught


def is_caught(mutant: Mutant) -> tuple[bool, str]:
    """Return whether the tests fail on a copy of the sources with the fault, and which test did."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "src"
        shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("__pycache__"))
        break_file(copy / mutant.file, mutant.old, mutant.new)
        try:
            done = run_tests(mutant, copy)
        except subprocess.TimeoutExpired:
            return True, "(endless)"
    if done.returncode not in (0, TESTS_FAILED):
        raise RuntimeError(
            f"the tests for '{mutant.what}' could not be run:\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        )
    failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED ")]
    return done.returncode == TESTS_FAILED, "".join(failed[:1]).partition(" - ")[0]


def break_file(path: Path, old: str, new: str) -> None:
    """Replace the one place where a file has a text."""
    text = path.read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise ValueError(f"{path.name} has {text.count(old)} places with {old!r}; a fault needs exactly one.")
    path.write_text(text.replace(old, new), encoding="utf-8")


def run_tests(mutant: Mutant, sources: Path) -> subprocess.CompletedProcess[str]:
    """Run the tests of a fault until the first fails, against these sources, with an empty cache of kernels."""
    # The path comes before that of an installed evodom; make sure that it did.
    code = (
        "import sys, pytest, evodom; "
        f"assert evodom.__file__.startswith({str(sources)!r}), evodom.__file__; "
        "sys.exit(pytest.main(sys.argv[1:]))"
    )
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join((str(sources), str(ROOT), os.environ.get("PYTHONPATH", ""))),
        "XDG_CACHE_HOME": str(sources.parent / "cache"),
        "NUMBA_DISABLE_JIT": "0" if mutant.compiled else "1",
    }
    options = ("--exitfirst", "--numprocesses=0", "-p", "no:cacheprovider", "-rf", "--tb=no")
    return subprocess.run(
        [sys.executable, "-c", code, *options, *mutant.tests],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
