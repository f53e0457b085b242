"""Limits of solving: how many states and how much memory it may take; and progress reports."""

from __future__ import annotations

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
"""The limits are checked and progress is reported whenever so many more states have been looked at."""

DEFAULT_STATES = 5_000_000
"""States that solving may look at unless `Limits` allow more: 6 GiB of memory, where a state takes 1.2 KB."""

SLOW = 5.0
"""Seconds of solving after which the number of states is printed, and between two such lines."""

Progress = Callable[[int], None]
"""Called with the number of states looked at so far."""


def silent(n_states: int) -> None:
    """Report nothing: the `progress` of callers that want no lines on stderr."""


class PrintWhenSlow:
    """Print the number of states to stderr every `SLOW` seconds. This is the default of `progress`."""

    def __init__(self) -> None:
        self._began = self._printed = time.monotonic()

    def __call__(self, n_states: int) -> None:
        now = time.monotonic()
        if now - self._printed < SLOW or sys.stderr is None:
            return
        self._printed = now
        memory = _gigabytes(resident_memory())
        print(f"solving: {n_states:,} states in {now - self._began:.0f} s, {memory} of memory", file=sys.stderr)


class TooLarge(EvodomError):
    """The game has more states than the limits allow; the text says how many were seen."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How far solving may go: a number of states, and bytes of resident memory of this process (None: no limit).

    By default these are `DEFAULT_STATES` and three quarters of the machine's memory.
    """

    states: int | None = DEFAULT_STATES
    memory: int | None = field(default_factory=lambda: physical_memory() * 3 // 4 or None)

    def check(self, n_states: int) -> None:
        """Raise `TooLarge` if `n_states` or the memory of the process is more than allowed."""
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
    """Switch off Python's search for cyclic garbage for the time of a block.

    Solving makes none, and looking for it among millions of states takes a third of the time.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def resident_memory() -> int:
    """Return the bytes of memory this process holds: its peak where the system tells no more, 0 if it tells nothing."""
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
    """Return the bytes of memory of the machine, 0 if the system does not tell."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 0


def _gigabytes(n_bytes: int) -> str:
    return f"{n_bytes / 2**30:.1f} GiB"
