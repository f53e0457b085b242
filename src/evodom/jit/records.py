"""Kernels for records seen as rows of 64-bit words: a position is copied by its words, whatever its fields are."""

from typing import Any

from evodom.jit.kernel import lean_kernel


@lean_kernel
def copy_words(target: Any, place: Any, source: Any, row: Any) -> None:
    """Copy row `row` of `source` to row `place` of `target`."""
    for word in range(target.shape[1]):
        target[place, word] = source[row, word]
