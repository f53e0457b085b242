"""Limit the states and the memory of solving, and report its progress."""

import gc
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from evodom.errors import EvodomError

CHECK_EVERY = 1 << 12
"""Steps of the search between two checks of the limits. Each check also calls `progress`."""

DEFAULT_STATES = 5_000_000
"""Default limit of states: about 6 GB of memory at 1.2 KB a state."""

PRINT_EVERY_S = 5.0
"""Seconds before the first line of progress, and between two lines."""

Progress = Callable[[int], None]
"""Callback that receives the number of states visited."""


def no_progress(n_states: int) -> None:
    """Report nothing. Pass it as `progress` to print no lines on stderr."""


class PrintWhenSlow:
    """Print the number of states to stderr every PRINT_EVERY_S seconds. This is the default of `progress`."""

    def __init__(self) -> None:
        self._began = self._printed = time.monotonic()

    def __call__(self, n_states: int) -> None:
        now = time.monotonic()
        if now - self._printed < PRINT_EVERY_S or sys.stderr is None:
            return
        self._printed = now
        memory = _gigabytes(resident_memory())
        print(f"solving: {n_states:,} states in {now - self._began:.0f} s, {memory} of memory", file=sys.stderr)


class TooLarge(EvodomError):
    """The game has more states, or needs more memory, than the limits allow. The message states the limit."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Limits of solving: a number of states, and bytes of resident memory of this process (None: no limit).

    The defaults are DEFAULT_STATES and three quarters of the machine's memory.
    """

    states: int | None = DEFAULT_STATES
    memory: int | None = field(default_factory=lambda: physical_memory() * 3 // 4 or None)

    def check(self, n_states: int) -> None:
        """Raise `TooLarge` if `n_states` or the memory of the process exceeds its limit."""
        if self.states is not None and n_states > self.states:
            raise TooLarge(
                f"more than {self.states:,} states, the number allowed: allow more (limits=Limits(states=...) from "
                "Python), or solve a smaller game. If the game can grow without end, limit its turns"
            )
        if self.memory is not None and (used := resident_memory()) > self.memory:
            raise TooLarge(
                f"{n_states:,} states take {_gigabytes(used)} of memory, and {_gigabytes(self.memory)} are allowed: "
                "allow more (limits=Limits(memory=...) from Python), or solve a smaller game"
            )


@contextmanager
def garbage_collection_off() -> Iterator[None]:
    """Disable Python's cyclic garbage collector inside a block.

    Solving makes no cyclic garbage. With millions of states, the collector would take a third of the time.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def resident_memory() -> int:
    """Return the resident memory of this process in bytes. Without /proc return its peak; return 0 if unknown."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        pass
    try:
        from resource import RUSAGE_SELF, getrusage
    except ImportError:
        return 0
    return getrusage(RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def physical_memory() -> int:
    """Return the memory of the machine in bytes, 0 if unknown."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 0


def _gigabytes(n_bytes: int) -> str:
    return f"{n_bytes / 2**30:.1f} GiB"
