"""Limits of solving: how many states and how much memory it may take; and progress reports."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from evodom.errors import EvodomError

CHECK_EVERY = 1 << 12
"""The limits are checked and progress is reported whenever so many more states have been looked at."""

Progress = Callable[[int], None]
"""Called with the number of states solved so far."""


class TooLarge(EvodomError):
    """The game has more states than the limits allow; the text says how many were seen."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How far solving may go: a number of states, and bytes of resident memory of this process (None: no limit).

    By default it is three quarters of the machine's memory.
    """

    states: int | None = None
    memory: int | None = field(default_factory=lambda: physical_memory() * 3 // 4 or None)

    def check(self, n_states: int) -> None:
        """Raise `TooLarge` if `n_states` or the memory of the process is more than allowed."""
        if self.states is not None and n_states > self.states:
            raise TooLarge(f"more than {self.states:,} states, the number allowed: allow more, or solve a smaller game")
        if self.memory is not None and (used := resident_memory()) > self.memory:
            raise TooLarge(
                f"{n_states:,} states take {_gigabytes(used)} of memory, and {_gigabytes(self.memory)} are allowed: "
                "allow more, or solve a smaller game"
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
