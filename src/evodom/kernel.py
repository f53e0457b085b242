"""Compiled functions: the ``@kernel`` decorator, where its cache lives, and the kernels' random stream.

A kernel works on plain NumPy records and numbers, raises nothing, allocates nothing in loops and releases the GIL.
Numba stamps its cache with the time of one file, so an edit in another module, or another setting of
``NUMBA_BOUNDSCHECK``, would go unnoticed. Here the cache folder itself is named after everything that matters: the
sources of all kernels, the versions of Numba and NumPy, and the flags.
"""

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numba.core.config
import numpy as np
from platformdirs import user_cache_path

config: Any = numba.core.config
"""Numba's settings, read from the environment when it is imported."""

Function = TypeVar("Function", bound=Callable[..., Any])

KERNEL_SOURCES = (
    "kernel.py",
    "solve",
    "dominion",
    "matches/batch.py",
    "matches/census.py",
    "matches/published/kernels.py",
)
"""Files and folders of the package that hold kernels or the constants compiled into them."""

KEPT_CACHES = 4
"""How many caches stay on disk, newest first: one for each of a few versions and flags."""

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_LOW_32 = np.uint64(0xFFFFFFFF)
_S11, _S27, _S30, _S31, _S32 = (np.uint64(shift) for shift in (11, 27, 30, 31, 32))
_FLOAT_STEP = 2.0**-53


def _fingerprint() -> str:
    """Hash all that decides what the compiled code is."""
    digest = hashlib.sha256()
    package = Path(__file__).parent
    for source in KERNEL_SOURCES:
        path = package / source
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(file.read_bytes())
    digest.update(f"{numba.__version__} {np.__version__} {config.BOUNDSCHECK} {config.OPT}".encode())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Return the folder in which every version has its cache."""
    return user_cache_path("evodom") / "kernels"


def _open_cache() -> Path | None:
    """Make and return the folder of this version's cache, or None where none can be written."""
    root = cache_folder()
    folder = root / _fingerprint()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        caches = sorted(root.iterdir(), key=lambda cache: cache.stat().st_mtime, reverse=True)
    except OSError:
        return None
    for cache in caches[KEPT_CACHES:]:
        shutil.rmtree(cache, ignore_errors=True)
    return folder if os.access(folder, os.W_OK) else None


COMPILED = not config.DISABLE_JIT
"""False under NUMBA_DISABLE_JIT=1, where kernels run as plain Python."""

_CACHE = _open_cache() if COMPILED else None


OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    # Nobody calls a kernel as a C function, and a wrapper for each would be a fifth of all compiling.
    "no_cfunc_wrapper": True,
}
"""How kernels are compiled."""


def kernel(function: Function) -> Function:
    """Compile ``function`` with Numba on its first call, or load it from the cache."""
    if not COMPILED:
        # Unsigned arithmetic wraps around on purpose; only plain NumPy warns about it.
        wrapped: Function = np.errstate(over="ignore")(function)
        return wrapped
    before = config.CACHE_DIR
    config.CACHE_DIR = str(_CACHE or "")
    try:
        compile_it: Any = numba.njit(cache=_CACHE is not None, **OPTIONS)
        compiled: Function = compile_it(function)
    finally:
        config.CACHE_DIR = before
    return compiled


def can_cache() -> bool:
    """Tell whether compiled kernels are kept for the next start."""
    return _CACHE is not None


def needs_compiling(name: str) -> bool:
    """Tell whether the kernels behind ``name`` have yet to be compiled on this machine."""
    return COMPILED and not (_CACHE is not None and (_CACHE / f"{name}.compiled").exists())


def mark_compiled(name: str) -> None:
    """Remember that the kernels behind ``name`` lie in the cache."""
    if _CACHE is not None:
        (_CACHE / f"{name}.compiled").touch()


@kernel
def next_word(state: Any) -> Any:
    """Advance ``state.rng`` (uint64) and return 64 random bits.

    SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators"): one addition makes the next
    state, so that a processor works on several draws at once.
    """
    word = state.rng + _GOLDEN
    state.rng = word
    word = (word ^ (word >> _S30)) * _MIX_1
    word = (word ^ (word >> _S27)) * _MIX_2
    return word ^ (word >> _S31)


@kernel
def random_below(state: Any, n: Any) -> Any:
    """Return an integer in [0, n), 1 <= n < 2**32, exactly uniform (Lemire 2019, multiplication with rejection)."""
    bound = np.uint64(n)
    product = (next_word(state) >> _S32) * bound
    if (product & _LOW_32) < bound:
        threshold = (_LOW_32 - bound + np.uint64(1)) % bound
        while (product & _LOW_32) < threshold:
            product = (next_word(state) >> _S32) * bound
    return np.int64(product >> _S32)


@kernel
def random_float(state: Any) -> Any:
    """Return a float64 in [0, 1) with 53 random bits."""
    return np.float64(next_word(state) >> _S11) * _FLOAT_STEP
