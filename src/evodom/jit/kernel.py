"""Compile functions with Numba: the ``@kernel`` decorators, and random streams for kernels.

A kernel works on plain NumPy records and numbers, raises nothing, allocates nothing in loops and releases the GIL.
Kernels are cached on disk (`jit.cache`).
"""

import warnings
from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
import numpy.typing as npt

from evodom.jit.cache import KernelCache, config, is_saved, save
from evodom.jit.linking import CAN_LINK_PARTS, IS_TESTED, NEWEST_NUMBA, Kernel

Streams = npt.NDArray[np.uint64]
"""An array of random streams. The state of each is one word."""

Function = TypeVar("Function", bound=Callable[..., Any])

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_LOW_32 = np.uint64(0xFFFFFFFF)
_S11, _S27, _S30, _S31, _S32 = (np.uint64(shift) for shift in (11, 27, 30, 31, 32))
_FLOAT_STEP = 2.0**-53


COMPILED = not config.DISABLE_JIT
"""False with NUMBA_DISABLE_JIT=1: kernels then run as plain Python."""


def _warn_of_numba() -> None:
    """Warn that this version of Numba is untested: once per cache, or in each process without a cache."""
    if not is_saved(_WARNED):
        newest = ".".join(map(str, NEWEST_NUMBA))
        text = f"evodom was tested with Numba up to {newest}: with {numba.__version__} its first start is slower"
        warnings.warn(text, RuntimeWarning, stacklevel=3)
        save(_WARNED, b"")


_WARNED = "numba-warning"
"""File of the cache that records that the warning was shown."""

OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    # No kernel is called as a C function. The wrappers would take a fifth of the compile time.
    "no_cfunc_wrapper": True,
    # Reference counts take a tenth of the compile time, and up to a fifth of the run time with arrays in tuples.
    "_nrt": False,
}
"""Numba's options for all kernels."""


def kernel(function: Function) -> Function:
    """Compile ``function`` with Numba on its first call, or load it from the cache.

    The function must not create arrays (see `allocating_kernel`). A closure is never cached, because all closures of a
    function have the same name in machine code.
    """
    return _compiled(function, OPTIONS)


def allocating_kernel(function: Function) -> Function:
    """Compile a function like `kernel`, but with reference counts. It may create arrays, and must not return them."""
    return _compiled(function, OPTIONS | {"_nrt": True})


def cold_kernel(function: Function) -> Function:
    """Compile a rarely called function that is never inlined into its callers. Otherwise as `kernel`.

    Inlined code that rarely runs slows down the rest of a hot kernel.
    """
    compiled = _compiled(function, OPTIONS)
    if isinstance(compiled, Kernel):
        compiled.is_cold = True
    return compiled


def _compiled(function: Function, options: dict[str, Any]) -> Function:
    if not COMPILED:
        # Unsigned arithmetic wraps around on purpose. Only plain NumPy warns about it.
        wrapped: Function = np.errstate(over="ignore")(function)
        return wrapped
    compiled: Any = Kernel(function, options) if CAN_LINK_PARTS else numba.njit(**options)(function)
    if function.__closure__ is None:
        if isinstance(compiled, Kernel):
            compiled.enable_caching()
        else:
            compiled._cache = KernelCache(compiled)
    result: Function = compiled
    return result


def precompile(function: Callable[..., object], *arguments: object) -> None:
    """Lower a kernel for the types of these arguments and cache the result for other processes."""
    if isinstance(function, Kernel):
        function.precompile(*arguments)


if COMPILED and not IS_TESTED:
    _warn_of_numba()


@kernel
def next_word(streams: Streams, index: int) -> Any:
    """Advance the random stream ``streams[index]`` and return 64 random bits.

    The generator is SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators"). The
    next state is the state plus a constant. So a processor computes several draws in parallel.
    """
    word = streams[index] + _GOLDEN
    streams[index] = word
    word = (word ^ (word >> _S30)) * _MIX_1
    word = (word ^ (word >> _S27)) * _MIX_2
    return word ^ (word >> _S31)


@kernel
def random_below(streams: Streams, index: int, n: int) -> Any:
    """Return an exactly uniform integer in [0, n) from ``streams[index]``, with 1 <= n < 2**32.

    The method is multiplication with rejection (Lemire 2019).
    """
    bound = np.uint64(n)
    product = (next_word(streams, index) >> _S32) * bound
    if (product & _LOW_32) < bound:
        threshold = (_LOW_32 - bound + np.uint64(1)) % bound
        while (product & _LOW_32) < threshold:
            product = (next_word(streams, index) >> _S32) * bound
    return np.int64(product >> _S32)


@kernel
def random_float(streams: Streams, index: int) -> Any:
    """Return a float64 from ``streams[index]`` in [0, 1) with 53 random bits."""
    return np.float64(next_word(streams, index) >> _S11) * _FLOAT_STEP


Words = npt.NDArray[np.uint64]
"""Records of equal size as 64-bit words, (n_records, n_words)."""

_FIRST = np.uint64(0x9E3779B97F4A7C15)
_MULTIPLY = np.uint64(0xBF58476D1CE4E5B9)
_SHIFT = np.uint64(29)


@kernel
def key_of(words: Words, row: int) -> Any:
    """Return a 64-bit hash of a row."""
    key = _FIRST
    for word in range(words.shape[1]):
        key = (key ^ words[row, word]) * _MULTIPLY
        key ^= key >> _SHIFT
    return key


@kernel
def copy_words(target: Words, place: int, source: Words, row: int) -> None:
    """Copy row `row` of `source` to row `place` of `target`."""
    for word in range(target.shape[1]):
        target[place, word] = source[row, word]
