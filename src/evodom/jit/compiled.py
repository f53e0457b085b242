"""The files in which compiled kernels are kept: read only as they were written, done without where they cannot be.

Numba keeps an index and data files for each function, and trusts them: a damaged one ends the program, or is run. Here
each file begins with a hash of what follows. One that is damaged counts as missing, so that it is made anew; one that
cannot be written is left out, and `problem` says why.
"""

import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core import caching
from numba.core.typing import Signature

_INDEX_METHODS = ("_load_index", "_save_index", "_load_data", "_save_data", "_open_for_write", "_dump", "_data_path")
_DIGEST_SIZE = 16

_problems: list[str] = []

CAN_CHECK = all(hasattr(caching.IndexDataCacheFile, name) for name in _INDEX_METHODS)
"""Whether this version of Numba has the methods that are replaced here."""


def problem() -> str:
    """Return why compiled kernels could not be kept, "" if they could."""
    return _problems[0] if _problems else ""


def _note(error: Exception) -> None:
    _problems.append(str(getattr(error, "strerror", None) or error))


class HashedFiles(caching.IndexDataCacheFile):
    """The index and the data files of a kernel, each with a hash of its content in front."""

    def _load_index(self) -> Any:
        """Return which data file has which signature; nothing for an index that is missing, damaged or stale."""
        try:
            stamp, overloads = self._read(self._index_path)
        except (OSError, ValueError):
            return {}
        return overloads if stamp == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: object) -> None:
        self._write(self._index_path, ((self._version, self._source_stamp), overloads))

    def _load_data(self, name: str) -> Any:
        """Return the content of a data file; None, as for a missing one, for a damaged one."""
        try:
            return self._read(self._data_path(name))
        except ValueError:
            return None

    def _save_data(self, name: str, data: object) -> None:
        self._write(self._data_path(name), data)

    def _read(self, path: str) -> Any:
        """Return the content of a file; raises ValueError if it is not what was written."""
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
    """What is kept of a compiled kernel, in no folder but the one that `kernel` names."""

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
        """Keep what was compiled for a signature, if the disk lets us; the first refusal is the last attempt."""
        if problem():
            return
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _note(error)


def cache_of(function: Callable[..., object], kind: type[KernelCache] = KernelCache) -> Any:
    """Return the cache of a function; one that keeps nothing where the folder cannot be used."""
    try:
        return kind(function)
    except (OSError, RuntimeError) as error:  # Numba says RuntimeError where it finds no place
        _note(error)
        return caching.NullCache()


def touch(path: Path) -> None:
    """Make an empty file, or note why that cannot be done."""
    try:
        path.touch()
    except OSError as error:
        _note(error)
