"""How much a test does: all of it compiled, and less in the runs that repeat a part of the suite.

Plain Python is a hundred times slower than compiled kernels. Bounds checks cost little, but look for one kind of fault
only, and the same games have just been played without them.
"""

import os
from typing import TypeVar

from evodom.jit.kernel import COMPILED

CHECKS_BOUNDS = os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0")

N = TypeVar("N")


def effort(compiled: N, bounds_checks: N, plain: N) -> N:
    """Return the one of three numbers for the run that this is."""
    if not COMPILED:
        return plain
    return bounds_checks if CHECKS_BOUNDS else compiled
