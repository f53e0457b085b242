"""Records as rows of 64-bit words: a hash of a row, and copies of rows."""

from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.jit.kernel import lean_kernel

Words = npt.NDArray[np.uint64]
"""Records of one size as words, (n, words of a record)."""

_FIRST = np.uint64(0x9E3779B97F4A7C15)
_MULTIPLY = np.uint64(0xBF58476D1CE4E5B9)
_SHIFT = np.uint64(29)


@lean_kernel
def key_of(words: Words, row: int) -> Any:
    """Return a hash of 64 bits of a row."""
    key = _FIRST
    for word in range(words.shape[1]):
        key = (key ^ words[row, word]) * _MULTIPLY
        key ^= key >> _SHIFT
    return key


@lean_kernel
def copy_words(target: Words, place: int, source: Words, row: int) -> None:
    """Copy row `row` of `source` to row `place` of `target`."""
    for word in range(target.shape[1]):
        target[place, word] = source[row, word]
