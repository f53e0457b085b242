"""How much a test does: the whole volume with ``--full``, a tenth of it on every change, and little in plain Python."""

from typing import TypeVar

from evodom.jit.kernel import COMPILED

is_full = False
"""Set by ``--full`` before test modules are imported."""

N = TypeVar("N")


def effort(full: N, quick: N, plain: N) -> N:
    """Return one of three values: for ``--full``, for other compiled runs, or for plain Python (100 times slower)."""
    if not COMPILED:
        return plain
    return full if is_full else quick
