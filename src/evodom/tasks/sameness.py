"""Would another process compute the same: what it has to have in common with this one, so that results are equal.

NumPy and Numba count because a stream of random numbers may change with the one and arithmetic with the other.
"""

import hashlib
import sys
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path

from evodom import __version__
from evodom.errors import EvodomError

Traits = dict[str, str]
"""What a process is like, by words that an error can use."""

MISSING = "none"

RULES = "other rules of the games"
PROGRAM = "other sources of evodom"

ADVICE = "Start the scheduler and all workers from one environment, with this evodom."


@cache
def traits() -> Traits:
    """Return what this process is like; what it lacks is MISSING."""
    found = {"Python": ".".join(map(str, sys.version_info[:2])), "evodom": __version__}
    for name, module in (("NumPy", "numpy"), ("Numba", "numba")):
        try:
            found[name] = import_module(module).__version__
        except ImportError:
            return found | {name: MISSING}
    from evodom.jit.kernel import KERNEL_SOURCES

    package = Path(__file__).parent.parent
    return found | {
        RULES: _digest(package, (package / source for source in KERNEL_SOURCES)),
        PROGRAM: _digest(package, [package]),
    }


def difference(who: str, theirs: Traits, ours: Traits) -> str | None:
    """Return in one line why a process would not compute the same; None if it would."""
    for name, value in ours.items():
        other = theirs.get(name, MISSING)
        if other == value:
            continue
        if name in (RULES, PROGRAM):
            return f"{who} has {name}. {ADVICE}"
        has = f"no {name}" if other == MISSING else f"{name} {other}"
        return f"{who} has {has}, and here is {name} {value}. {ADVICE}"
    return None


def check_same(who: str, ours: Traits) -> None:
    """Raise EvodomError unless this process is like another one."""
    if why := difference(who, traits(), ours):
        raise EvodomError(why)


def _digest(package: Path, sources: Iterable[Path]) -> str:
    """Hash the files of some files and folders, and what they are called."""
    digest = hashlib.sha256()
    for source in sources:
        for file in sorted(source.rglob("*")) if source.is_dir() else [source]:
            if file.is_file() and file.suffix != ".pyc":
                digest.update(f"{file.relative_to(package).as_posix()}\0".encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
