"""Cache compiled kernels in files, named by their keys (`jit.keys`) and the types of their arguments.

Each file begins with a hash of its name and its content. A damaged file, or the file of another kernel, counts as
missing and is written again. After a failed write nothing more is saved, and `write_error` returns the reason. The
folder has a subfolder for each set of versions, flags and processor. Time limits (`work_time`) exclude compilation.
"""

import hashlib
import os
import pickle
import re
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numba.core.config
import numpy as np
from numba.core import event
from numba.core.base import BaseContext
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys
from numba.core.serialize import dumps
from platformdirs import user_cache_path

from evodom.budget import work_time
from evodom.files import replace_file
from evodom.jit.keys import NoKeyError, cache_key

config: Any = numba.core.config
"""Numba's settings, read from the environment when it is imported."""

MAX_FOLDERS = 8
"""Maximum number of subfolders. The least recently used are deleted."""

MAX_BYTES = 500_000_000
"""Maximum size of a subfolder. A larger one is reduced to half of this size. The least recently used files go first."""

_DIGEST_SIZE = 16

_write_errors: list[str] = []


def write_error() -> str:
    """Return why a file of the cache could not be written, "" without a failure."""
    return _write_errors[0] if _write_errors else ""


def can_cache() -> bool:
    """Return True if compiled kernels are cached for the next start."""
    return FOLDER is not None


def cache_folder() -> Path | None:
    """Return the folder with the caches of all versions, None if the user has no home folder."""
    try:
        folder = user_cache_path("evodom") / "kernels"
    except RuntimeError:
        return None
    return folder if folder.is_absolute() else None


def environment_hash() -> str:
    """Return a hash of the inputs of the compiler other than the kernel: versions, flags and processor."""
    versions = sys.implementation.cache_tag, numba.__version__, llvmlite.__version__, np.__version__
    processor = cpu_target.target_context.codegen().magic_tuple()
    inputs = f"{versions} {config.BOUNDSCHECK} {config.OPT} {processor}"
    return hashlib.sha256(inputs.encode()).hexdigest()[:16]


def _open_folder() -> Path | None:
    """Create and return the subfolder of this environment. Return None if it is not writable."""
    root = cache_folder()
    if root is None:
        return None
    folder = root / environment_hash()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    except OSError:
        return None
    with suppress(OSError):  # another process may be deleting the same subfolders
        caches = sorted(root.iterdir(), key=lambda cache: cache.stat().st_mtime, reverse=True)
        for cache in caches[MAX_FOLDERS:]:
            shutil.rmtree(cache, ignore_errors=True)
    return folder if os.access(folder, os.W_OK) else None


FOLDER = None if config.DISABLE_JIT else _open_folder()
"""The subfolder of this environment, None if compiled kernels are not cached."""


def save(name: str, content: bytes) -> None:
    """Write a file of the cache. After the first failure do nothing."""
    if FOLDER is not None and not write_error():
        try:
            replace_file(FOLDER / name, content)
        except OSError as error:
            _write_errors.append(str(error.strerror or error))


def is_saved(name: str, size: int = 0) -> bool:
    """Return True if the cache has a file of this size. Size 0 accepts any size."""
    try:
        return FOLDER is not None and (FOLDER / name).stat().st_size in ({size} if size else range(1 << 62))
    except OSError:
        return False


def remove_old_files(folder: Path) -> None:
    """Reduce a folder above MAX_BYTES to half of that. The least recently used files are deleted first."""
    with suppress(OSError):
        files = sorted((stat.st_mtime, stat.st_size, path) for path in folder.iterdir() if (stat := path.stat()))
        total = sum(size for _, size, _ in files)
        for _, size, path in files if total > MAX_BYTES else ():
            if total <= MAX_BYTES // 2:
                break
            path.unlink()
            total -= size


class KernelCache(NullCache):
    """The files of a kernel, one for each combination of types of arguments.

    ``rebuild`` makes a compiled kernel from a file's content. ``suffix`` is the suffix of the files. Numba calls
    `load_overload` and `save_overload`.
    """

    def __init__(self, kernel: Any, suffix: str = "code", rebuild: Callable[..., Any] = CompileResult._rebuild) -> None:
        self.kernel, self._suffix, self._rebuild = kernel, suffix, rebuild
        self.used: dict[str, int] = {}
        """The name and the size of each file that this process read or wrote."""
        self.name = f"{kernel.py_func.__module__}:{kernel.py_func.__qualname__}"
        if suffix == "code":
            CACHES[self.name] = self

    @property
    def cache_path(self) -> str:
        """The folder, for Numba's messages."""
        return str(FOLDER)

    @property
    def stem(self) -> str:
        """The start of the kernel's file names. Raises NoKeyError."""
        name = re.sub(r"\W+", "-", self.kernel.py_func.__name__)
        return f"{name}-{cache_key(self.kernel)}"

    def load_overload(self, sig: object, target_context: BaseContext) -> Any:
        """Return the compiled kernel for the types of arguments, None if it is not cached."""
        # Compiled code needs Numba's symbols. Numba itself calls `refresh` here, which also imports the compiler.
        rtsys.initialize(target_context)
        try:
            path = (FOLDER or Path(os.devnull)) / self._name(sig)
            content = path.read_bytes()
            if content[:_DIGEST_SIZE] != _digest(path.name.encode() + content[_DIGEST_SIZE:]):
                return None
            os.utime(path)
            parts = pickle.loads(content[_DIGEST_SIZE:])
        except (OSError, NoKeyError, ImportError, AttributeError):  # a class of an argument may have moved
            return None
        self.used[path.name] = len(content)
        return self._rebuild(target_context, *parts)

    def save_overload(self, sig: object, cres: Any) -> None:
        """Save the compiled kernel for the types of arguments, unless it contains addresses."""
        if cres.library.has_dynamic_globals:
            return
        with suppress(NoKeyError):
            name, content = self._name(sig), dumps(cres._reduce())
            self.used[name] = _DIGEST_SIZE + len(content)
            save(name, _digest(name.encode() + content) + content)

    def file(self, sig: object) -> str:
        """Return the name of the file for the types of arguments, "" if the kernel has no key."""
        try:
            return self._name(sig)
        except NoKeyError:
            return ""

    def _name(self, sig: object) -> str:
        return f"{self.stem}-{_digest(str(sig).encode()).hex()[:12]}.{self._suffix}"


CACHES: dict[str, KernelCache] = {}
"""The caches of kernels by "module:name"."""


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST_SIZE).digest()


class _CompileTime(event.Listener):
    """Pauses `work_time` while Numba compiles a function. One thread compiles at a time, so pauses never overlap."""

    def on_start(self, event: event.Event) -> None:
        work_time.pause()

    def on_end(self, event: event.Event) -> None:
        work_time.resume()


event.register("numba:compile", _CompileTime())
