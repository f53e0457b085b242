"""Cache compiled kernels in files with checksums. Damaged files are ignored; a folder that is not writable is skipped.

Numba writes an index and data files for each function and trusts them: a damaged file can crash the program or be
executed. Here each file begins with a hash of its content. A damaged file counts as missing and is written again. After
a failed write nothing more is saved, and `problem` returns the reason.

A mark says that something is compiled. It lists the files of the cache, and is valid while none of them is missing or
shorter. While kernels are compiled, `work_time` stands still.
"""

import hashlib
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core import caching, event
from numba.core.typing import Signature

from evodom.budget import work_time
from evodom.files import replace_file

_INDEX_METHODS = ("_load_index", "_save_index", "_load_data", "_save_data", "_open_for_write", "_dump", "_data_path")
_DIGEST_SIZE = 16

_problems: list[str] = []

CAN_CHECK = all(hasattr(caching.IndexDataCacheFile, name) for name in _INDEX_METHODS)
"""True if this version of Numba has the methods that `HashedFiles` overrides."""


def problem() -> str:
    """Return the reason why compiled kernels could not be saved, "" without a problem."""
    return _problems[0] if _problems else ""


def _note(error: Exception) -> None:
    _problems.append(str(getattr(error, "strerror", None) or error))


class HashedFiles(caching.IndexDataCacheFile):
    """The index and the data files of a kernel, each preceded by a hash of its content."""

    def _load_index(self) -> Any:
        """Return the data file of each signature; {} for an index that is missing, damaged or stale."""
        try:
            stamp, overloads = self._read(self._index_path)
        except (OSError, ValueError):
            return {}
        return overloads if stamp == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: object) -> None:
        self._write(self._index_path, ((self._version, self._source_stamp), overloads))

    def _load_data(self, name: str) -> Any:
        """Return the content of a data file, None if it is damaged."""
        try:
            return self._read(self._data_path(name))
        except ValueError:
            return None

    def _save_data(self, name: str, data: object) -> None:
        self._write(self._data_path(name), data)

    def _read(self, path: str) -> Any:
        """Return the unpickled content of a file. Raise ValueError if its hash differs."""
        with open(path, "rb") as file:
            digest, content = file.read(_DIGEST_SIZE), file.read()
        if digest != _digest(content):
            raise ValueError(path)
        return pickle.loads(content)

    def _write(self, path: str, value: object) -> None:
        content = self._dump(value)
        with self._open_for_write(path) as file:
            file.write(_digest(content) + content)


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST_SIZE).digest()


class KernelImpl(caching.CompileResultCacheImpl):
    """Numba's serialisation of a compiled kernel. Its only folder is Numba's CACHE_DIR, as set by `kernel`."""

    _locator_classes = [  # noqa: RUF012  # Numba's own; the name has changed
        getattr(caching, name)
        for name in ("UserProvidedCacheLocator", "_UserProvidedCacheLocator")
        if hasattr(caching, name)
    ]


class KernelCache(caching.FunctionCache):
    """The cache of a compiled kernel."""

    _impl_class = KernelImpl

    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__(function)
        if CAN_CHECK:
            stamp = self._impl.locator.get_source_stamp()
            self._cache_file = HashedFiles(self._cache_path, self._impl.filename_base, stamp)

    def save_overload(self, sig: Signature, data: object) -> None:
        """Save the compiled code of a signature. After the first OSError nothing more is saved."""
        if problem():
            return
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _note(error)


def cache_of(function: Callable[..., object], kind: type[KernelCache] = KernelCache) -> Any:
    """Return the cache of a function. If its folder is unusable, note the problem and return a cache without effect."""
    try:
        return kind(function)
    except (OSError, RuntimeError) as error:  # Numba raises RuntimeError if it finds no folder
        _note(error)
        return caching.NullCache()


def write_mark(path: Path) -> None:
    """Write a mark, with the name and the size of each file in the cache. If that fails, note the problem."""
    try:
        replace_file(path, json.dumps(_sizes(path.parent)))
    except OSError as error:
        _note(error)


def is_marked(path: Path) -> bool:
    """Return True if a mark exists, and each file that it lists still has at least the listed size.

    An index grows with new signatures. Damage that keeps the size is found when a file is loaded.
    """
    try:
        listed: dict[str, int] = json.loads(path.read_bytes())
        sizes = _sizes(path.parent)
        return all(sizes.get(name, -1) >= size for name, size in listed.items())
    except (OSError, ValueError, AttributeError, TypeError):
        return False


def _sizes(folder: Path) -> dict[str, int]:
    """Return the size of each file in the folders of a cache, by "folder/name"."""
    return {file.relative_to(folder).as_posix(): file.stat().st_size for file in folder.glob("*/*")}


class _CompileTime(event.Listener):
    """Pauses `work_time` while Numba compiles a function. Numba's lock admits one thread."""

    def on_start(self, event: event.Event) -> None:
        work_time.pause()

    def on_end(self, event: event.Event) -> None:
        work_time.resume()


event.register("numba:compile", _CompileTime())
