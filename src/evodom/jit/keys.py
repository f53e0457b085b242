"""Cache keys of kernels. Kernels with the same key are compiled to the same code by the same versions and flags.

Numba compiles the bytecode of a function. So a key is a hash of the bytecode, its constants and its names. Docstrings,
comments and line numbers do not change the key. The key also covers all values named in the bytecode:

| Reference | Part of the key |
|---|---|
| number, string, tuple, dtype, array | the value |
| enum, module | the members that the function names |
| kernel, intrinsic, Python function, class | its key |
| function or class of NumPy, Numba, llvmlite or Python | its name |
"""

import sys
from collections.abc import Iterator
from dis import opmap
from enum import Enum, EnumType
from functools import partial
from hashlib import blake2b
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.core.types import Type

Names = frozenset[str]

_EXTERNAL = {"numpy", "numba", "llvmlite", *sys.stdlib_module_names}
"""Packages whose versions are inputs of the compiler. Only the names of their functions are part of a key."""

_ATOMS = {type(None), type(...), bool, int, float, complex, str, bytes}
"""Types of values whose ``repr`` is part of a key."""

_HAS_DOCSTRING = 0x4000000
"""Flag of code whose first constant is a docstring (Python 3.14 on). Earlier, the constant is a docstring or None."""

_LOAD_GLOBAL, _EXTENDED_ARG = opmap["LOAD_GLOBAL"], opmap["EXTENDED_ARG"]


class NoKeyError(TypeError):
    """A kernel depends on a value that has no key. The kernel is then not cached."""


def cache_key(value: object) -> str:
    """Return the key of a kernel, or of anything that a kernel may refer to. Raises NoKeyError."""
    return _digest(_KEYS.identity(value, frozenset()))


class _Keys:
    """The keys of functions, kernels and classes, each computed once.

    Functions may call each other in a cycle: f calls g, and g calls f. Inside g, the key of f is not yet known. There f
    is replaced by "cycle" and a distance, the number of keys begun since f. The key of g then depends on where the
    cycle was entered, and is not kept.

    ``_depths`` has the objects whose keys are being computed. ``_lowest_depth`` is the lowest depth to which a "cycle"
    refers. A key is kept if this is not below its own depth.
    """

    def __init__(self) -> None:
        self._computed: dict[int, tuple[object, str]] = {}  # the object is kept: its id is not used again
        self._depths: dict[int, int] = {}
        self._lowest_depth = sys.maxsize

    def identity(self, value: Any, names: Names) -> str:
        """Return a text that identifies a value. ``names`` are all names in the code that refers to it.

        The order of the tests matters where types overlap: an Enum is an int, a kernel has ``__wrapped__`` and so on.
        """
        if type(value) in _ATOMS:
            return f"{value!r}"
        if id(value) in self._computed:
            return self._computed[id(value)][1]
        if isinstance(value, FunctionType) and hasattr(value, "__wrapped__"):
            return self.identity(value.__wrapped__, names)
        if isinstance(value, Enum):
            return f"{type(value).__qualname__}.{value.name}={value.value!r}"
        if isinstance(value, np.ndarray | np.void):
            return f"array {value.dtype!r} {value.shape} {_digest(value.tobytes())}"
        if isinstance(value, int | float | str | np.generic):
            return f"{type(value).__name__} {value!r}"
        if isinstance(value, list | tuple):
            return f"{type(value).__name__}({','.join(self.identity(each, names) for each in value)})"
        if isinstance(value, dict):
            return self.identity(list(value.items()), names)
        if isinstance(value, set | frozenset):
            return f"set({sorted(self.identity(each, names) for each in value)})"
        if isinstance(value, np.dtype):
            return f"dtype {value!r} {value.itemsize}"
        if isinstance(value, CodeType):
            return self._code(value)
        if isinstance(value, Type):
            return f"type {value}"
        if hasattr(type(value), "key_inputs"):
            return self._key(value)
        if isinstance(value, ModuleType | EnumType):
            if _is_external(value):
                return value.__name__
            return self.identity({name: getattr(value, name) for name in sorted(names) if hasattr(value, name)}, names)
        if isinstance(value, BuiltinFunctionType):
            return f"{value.__module__}.{value.__qualname__}"
        if isinstance(value, Dispatcher | FunctionType | MethodType | partial | type) or hasattr(value, "_defn"):
            if not isinstance(value, Dispatcher | partial) and not hasattr(value, "_defn") and _is_external(value):
                return f"{value.__module__}.{value.__qualname__}"
            return self._key(value)
        if _is_external(type(value)) or not hasattr(value, "__dict__"):
            if " at 0x" in (text := repr(value)):
                raise NoKeyError(f"{text} has no key")
            return text
        return self._key(value)

    def _key(self, value: object) -> str:
        """Return the hash of the values that `_inputs` yields for an object."""
        if id(value) in self._depths:
            depth = self._depths[id(value)]
            self._lowest_depth = min(self._lowest_depth, depth)
            return f"cycle {len(self._depths) - depth}"
        depth = self._depths[id(value)] = len(self._depths)
        outer, self._lowest_depth = self._lowest_depth, sys.maxsize
        names = frozenset(_names(value.__code__)) if isinstance(value, FunctionType) else frozenset[str]()
        try:
            key = _digest("\n".join(self.identity(part, names) for part in _inputs(value)))
        finally:
            del self._depths[id(value)]
        if self._lowest_depth >= depth:
            self._computed[id(value)] = value, key
            self._lowest_depth = outer
        else:
            self._lowest_depth = min(self._lowest_depth, outer)
        return key

    def _code(self, code: CodeType) -> str:
        consts = code.co_consts
        is_function = not code.co_name.startswith("<")
        if code.co_flags & _HAS_DOCSTRING or (sys.version_info < (3, 14) and is_function and consts):
            consts = (None, *consts[1:])
        flags = code.co_flags & ~_HAS_DOCSTRING
        counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, flags
        names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
        return f"{code.co_code.hex()} {code.co_exceptiontable!r} {counts} {names} {self.identity(consts, frozenset())}"


_KEYS = _Keys()


def _inputs(value: Any) -> Iterator[Any]:
    """Yield the values that the key of an object covers. A class may define them with a method ``key_inputs``."""
    if hasattr(type(value), "key_inputs"):
        yield value.key_inputs()
    elif isinstance(value, Dispatcher):
        yield from ("kernel", value.py_func, sorted(value.targetoptions.items()))
    elif isinstance(value, partial):
        yield from ("partial", value.func, value.args, value.keywords)
    elif isinstance(value, MethodType):
        yield from ("method", value.__func__, value.__self__)
    elif isinstance(value, FunctionType):
        yield from ("function", value.__module__, value.__qualname__, value.__code__, value.__defaults__)
        yield value.__kwdefaults__
        yield from (value.__globals__.get(name) for name in sorted(_globals(value.__code__)))
        yield from (cell.cell_contents for cell in value.__closure__ or ())
    elif isinstance(value, type):
        yield from ("class", value.__module__, value.__qualname__, value.__bases__)
        for name, each in sorted(vars(value).items()):
            if isinstance(part := _unwrapped(each), FunctionType) or not name.startswith(("__", "_abc_")):
                yield name, part
    elif hasattr(value, "_defn"):
        yield from ("intrinsic", value._defn)
    else:
        yield from ("object", type(value), vars(value))


def _unwrapped(value: Any) -> Any:
    """Return the function of a static method, a class method or a property."""
    return getattr(value, "__func__", None) or getattr(value, "fget", None) or value


def _names(code: CodeType) -> Iterator[str]:
    """Yield all names of globals and attributes in a function and its inner functions."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)


def _globals(code: CodeType) -> set[str]:
    """Return the names of the globals of a function."""
    found, operations, arguments = set(), code.co_code[::2], code.co_code[1::2]
    place = operations.find(_LOAD_GLOBAL)
    while place >= 0:
        high = arguments[place - 1] << 8 if place and operations[place - 1] == _EXTENDED_ARG else 0
        found.add(code.co_names[(high | arguments[place]) >> 1])
        place = operations.find(_LOAD_GLOBAL, place + 1)
    return found.union(*(_globals(inner) for inner in code.co_consts if isinstance(inner, CodeType)))


def _is_external(value: Any) -> bool:
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None) or "builtins"
    return name.partition(".")[0] in _EXTERNAL


def _digest(content: str | bytes) -> str:
    return blake2b(content.encode() if isinstance(content, str) else content, digest_size=12).hexdigest()
