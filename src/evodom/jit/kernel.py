"""Compile functions with Numba: the ``@kernel`` decorators, their cache, and random streams for kernels.

A kernel works on plain NumPy records and numbers, raises nothing, allocates nothing in loops and releases the GIL.
Numba stamps its cache with the time of one file. An edit in another module, or another setting of
``NUMBA_BOUNDSCHECK``, would go unnoticed. Here the name of the cache folder is a hash of all inputs of the compiler:
the sources of all kernels, the versions of Python, Numba and NumPy, the flags and the processor.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import numba
import numba.core.config
import numpy as np
import numpy.typing as npt
from numba.core.registry import cpu_target
from platformdirs import user_cache_path

from evodom.jit.cache import cache_of, is_marked, problem, write_mark
from evodom.jit.linking import CAN_LINK_PARTS, IS_TESTED, NEWEST_NUMBA, Kernel
from evodom.subprocesses import python_command, python_environment

config: Any = numba.core.config
"""Numba's settings, read from the environment when it is imported."""

Streams = npt.NDArray[np.uint64]
"""States of random streams, one word each."""

Function = TypeVar("Function", bound=Callable[..., Any])

KERNEL_SOURCES = (
    "jit",
    "learning/rollouts.py",
    "learning/fights/gradient.py",
    "learning/ppo.py",
    "games/compiled.py",
    "search/selection.py",
    "search/tree.py",
    "solve",
    "dominion",
    "matches/simulate.py",
    "spire/engine",
    "spire/content",
    "spire/play",
    "spire/solver/expand.py",
    "spire/solver/explore.py",
    "spire/solver/graph.py",
    "spire/solver/dominance.py",
    "spire/solver/table.py",
    "spire/solver/values.py",
)
"""Files and folders of the package with kernels, or with constants that are compiled into kernels."""

KEPT_CACHES = 8
"""Number of caches kept on disk, the newest: one for each version, set of flags and processor."""

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_LOW_32 = np.uint64(0xFFFFFFFF)
_S11, _S27, _S30, _S31, _S32 = (np.uint64(shift) for shift in (11, 27, 30, 31, 32))
_FLOAT_STEP = 2.0**-53


def fingerprint() -> str:
    """Return a hash of all inputs of the compiler: sources, versions, flags and processor."""
    digest = hashlib.sha256()
    package = Path(__file__).parents[1]
    for source in KERNEL_SOURCES:
        path = package / source
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(file.read_bytes())
    versions = f"{sys.implementation.cache_tag} {numba.__version__} {np.__version__}"
    processor = cpu_target.target_context.codegen().magic_tuple()  # as in the keys of Numba's index files
    digest.update(f"{versions} {config.BOUNDSCHECK} {config.OPT} {processor}".encode())
    return digest.hexdigest()[:16]


def cache_folder() -> Path | None:
    """Return the folder with the caches of all versions, None if the user has no home folder."""
    try:
        folder = user_cache_path("evodom") / "kernels"
    except RuntimeError:
        return None
    return folder if folder.is_absolute() else None


def _open_cache() -> Path | None:
    """Create and return the cache folder of this version. Return None if it is not writable."""
    root = cache_folder()
    if root is None:
        return None
    folder = root / fingerprint()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    except OSError:
        return None
    with suppress(OSError):  # another process may be deleting the same
        caches = sorted(root.iterdir(), key=lambda cache: cache.stat().st_mtime, reverse=True)
        for cache in caches[KEPT_CACHES:]:
            shutil.rmtree(cache, ignore_errors=True)
    return folder if os.access(folder, os.W_OK) else None


COMPILED = not config.DISABLE_JIT
"""False under NUMBA_DISABLE_JIT=1, where kernels run as plain Python."""

_CACHE = _open_cache() if COMPILED else None


def _warn_of_numba() -> None:
    """Warn that this version of Numba is untested: once per cache, or in each process without a cache."""
    if needs_compiling("numba-warning"):
        newest = ".".join(map(str, NEWEST_NUMBA))
        text = f"evodom was tested with Numba up to {newest}: with {numba.__version__} its first start is slower"
        warnings.warn(text, RuntimeWarning, stacklevel=3)
        mark_compiled("numba-warning")


OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    # No kernel is called as a C function. The wrappers would take a fifth of the compile time.
    "no_cfunc_wrapper": True,
}
"""Numba's options for all kernels."""


def kernel(function: Function) -> Function:
    """Compile ``function`` with Numba on its first call, or load it from the cache.

    A closure is never cached: Numba cannot distinguish it from other closures of the same function.
    """
    return _compiled(function, OPTIONS)


def lean_kernel(function: Function) -> Function:
    """Compile a function that neither allocates nor returns arrays, without reference counting. Otherwise as `kernel`.

    With arrays in tuples, reference counting costs up to a fifth of the run time.
    """
    return _compiled(function, OPTIONS | {"_nrt": False})


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
    before = config.CACHE_DIR
    config.CACHE_DIR = str(_CACHE or "")
    try:
        compiled: Any = Kernel(function, options) if CAN_LINK_PARTS else numba.njit(**options)(function)
        if _CACHE is not None and function.__closure__ is None:
            if isinstance(compiled, Kernel):
                compiled.enable_caching()
            else:
                compiled._cache = cache_of(function)
    finally:
        config.CACHE_DIR = before
    result: Function = compiled
    return result


def can_cache() -> bool:
    """Return True if compiled kernels are cached for the next start."""
    return _CACHE is not None


def cache_problem() -> str:
    """Return the reason why compiled kernels could not be saved, "" without a problem or without a cache."""
    return problem()


def needs_compiling(name: str) -> bool:
    """Return True unless ``name``, such as a group of kernels, is marked as compiled and no file of it is missing."""
    return COMPILED and not (_CACHE is not None and is_marked(_CACHE / f"{name}.compiled"))


def mark_compiled(name: str) -> None:
    """Mark ``name`` as compiled in the cache, unless kernels could not be saved."""
    if _CACHE is not None and not problem():
        write_mark(_CACHE / f"{name}.compiled")


def precompile(function: Callable[..., object], *arguments: object) -> None:
    """Lower a kernel for the types of these arguments and cache the result for other processes."""
    if isinstance(function, Kernel):
        function.precompile(*arguments)


def compile_in_parallel(first: Callable[[], None], second: Callable[[], None]) -> None:
    """Call two functions that compile kernels, the second in another process if possible.

    The other process only fills the cache. Without a second processor or a cache, or if that process fails, ``second``
    is called here. The other process always ends with this one.
    """
    helper = _start(second) if _CACHE is not None and not problem() and _n_processors() > 1 else None
    try:
        first()
        if helper is None or helper.wait() != 0:
            second()
    finally:
        if helper is not None:
            helper.kill()
            helper.communicate()


_END_WITH_PARENT = (
    "import os, threading; threading.Thread(target=lambda: (os.read(0, 1), os._exit(1)), daemon=True).start()"
)
"""First statement of the other process. Its stdin is a pipe without data that closes when this process ends."""


def _start(task: Callable[[], None]) -> "subprocess.Popen[bytes] | None":
    """Start a process that calls a function of a module. Return None if it cannot be started."""
    code = f"{_END_WITH_PARENT}; from {task.__module__} import {task.__name__} as task; task()"
    quiet = subprocess.DEVNULL
    try:
        return subprocess.Popen(
            python_command("-c", code),
            env=python_environment(),
            stdin=subprocess.PIPE,
            stdout=quiet,
            stderr=quiet,
        )
    except OSError:
        return None


def _n_processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


if COMPILED and not IS_TESTED:
    _warn_of_numba()


@kernel
def next_word(streams: Streams, index: int) -> Any:
    """Advance ``streams[index]``, one of an array of uint64, and return 64 random bits.

    SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators"). One addition makes the next
    state, so that a processor computes several draws in parallel.
    """
    word = streams[index] + _GOLDEN
    streams[index] = word
    word = (word ^ (word >> _S30)) * _MIX_1
    word = (word ^ (word >> _S27)) * _MIX_2
    return word ^ (word >> _S31)


@kernel
def random_below(streams: Streams, index: int, n: int) -> Any:
    """Return an integer in [0, n), 1 <= n < 2**32, drawn from ``streams[index]``.

    It is exactly uniform (Lemire 2019, multiplication with rejection).
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
"""Records of equal size as 64-bit words: (records, words per record)."""

_FIRST = np.uint64(0x9E3779B97F4A7C15)
_MULTIPLY = np.uint64(0xBF58476D1CE4E5B9)
_SHIFT = np.uint64(29)


@lean_kernel
def key_of(words: Words, row: int) -> Any:
    """Return a 64-bit hash of a row."""
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
