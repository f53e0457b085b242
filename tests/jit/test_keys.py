"""Cache keys of kernels: they change with all inputs of the compiler, and with nothing else."""

import sys
from types import ModuleType

import pytest

from evodom.dominion.engine.resolve import resolve_effect
from evodom.dominion.engine.turn import ENGINE, clean_up
from evodom.dominion.playouts import run_playouts
from evodom.jit.kernel import COMPILED
from evodom.jit.keys import NoKeyError, _Keys, cache_key
from evodom.learning.rollouts import record_games
from evodom.matches.simulate import census_slice, play_slice
from tests.effort import effort

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is cached")

SOURCE = '''
from enum import IntEnum
import numpy as np
from numba import types
from numba.extending import intrinsic
from evodom.jit.kernel import cold_kernel, kernel

FACTOR = 3
TABLE, WORD, DTYPE = np.array([1, 2]), np.uint64(7), np.dtype([("n", "<i8")])
PAIR = (1, (2.0, "text"))
UNUSED = 1

class Op(IntEnum):
    DRAW = 1
    BUY = 2

def step():
    return 1

@intrinsic
def increased(context, number):
    def generate(context, builder, signature, arguments):
        return builder.add(arguments[0], arguments[0].type(step()))
    return types.int64(types.int64), generate

@kernel
def inner(n, shift=2):
    """Return a product."""
    return n * FACTOR + shift

@kernel
def outer(n):  # a comment
    return inner(n) + 1

@kernel
def with_values(n):
    return TABLE[n] + np.zeros(1, DTYPE)[0].n + PAIR[0]

@kernel
def with_enum(n):
    return n + Op.DRAW

@kernel
def with_intrinsic(n):
    return increased(n) + WORD

@cold_kernel
def cold(n):
    return n

@kernel
def unused_by_others(n):
    return n
'''

NAMES = ("inner", "outer", "with_values", "with_enum", "with_intrinsic", "cold", "unused_by_others")


def keys_of(source: str) -> dict[str, str]:
    """Return the keys of the kernels of a module."""
    module = ModuleType("some_kernels")
    exec(compile(source, "some_kernels.py", "exec"), module.__dict__)
    return {name: cache_key(getattr(module, name)) for name in NAMES}


EDITS = {
    "docstring": ('"""Return a product."""', '"""Return something else."""', ""),
    "no docstring": ('    """Return a product."""\n', "", "" if sys.version_info < (3, 14) else "inner outer"),
    "comment": ("# a comment", "", ""),
    "line numbers": ("FACTOR = 3", "\n\n\nFACTOR = 3", ""),
    "unused constant": ("UNUSED = 1", "UNUSED = 2", ""),
    "constant": ("FACTOR = 3", "FACTOR = 4", "inner outer"),
    "type of a constant": ("FACTOR = 3", "FACTOR = 3.0", "inner outer"),
    "callee": ("* FACTOR", "- FACTOR", "inner outer"),
    "default value": ("shift=2", "shift=3", "inner outer"),
    "caller": ("inner(n) + 1", "inner(n) + 2", "outer"),
    "array": ("[1, 2]", "[1, 3]", "with_values"),
    "dtype": ('"n", "<i8"', '"n", "<i4"', "with_values"),
    "tuple": ("(2.0, ", "(2.5, ", "with_values"),
    "member of an enum": ("DRAW = 1", "DRAW = 3", "with_enum"),
    "other member of an enum": ("BUY = 2", "BUY = 3", ""),
    "word": ("np.uint64(7)", "np.uint64(8)", "with_intrinsic"),
    "type of a word": ("np.uint64(7)", "np.int64(7)", "with_intrinsic"),
    "intrinsic": ("builder.add", "builder.sub", "with_intrinsic"),
    "function of an intrinsic": ("return 1", "return 2", "with_intrinsic"),
    "decorator": ("@cold_kernel", "@kernel", "cold"),
}


@pytest.mark.parametrize(("old", "new", "changed"), EDITS.values(), ids=EDITS)
def test_an_edit_changes_the_keys_of_exactly_the_kernels_that_depend_on_it(old, new, changed):
    assert SOURCE.count(old) == 1
    before, after = keys_of(SOURCE), keys_of(SOURCE.replace(old, new))

    assert [name for name in NAMES if before[name] != after[name]] == changed.split()
    assert len(set(before.values())) == len(NAMES)


def test_functions_that_call_each_other_have_keys():
    def even(n):
        return n == 0 or odd(n - 1)

    def odd(n):
        return n != 0 and even(n - 1)

    assert cache_key(even) == cache_key(even) != cache_key(odd)


def test_a_value_without_a_fixed_text_has_no_key():
    something = object()

    with pytest.raises(NoKeyError):
        cache_key(lambda: something)


def fresh_key(kernel) -> tuple[str, list]:
    """Return the key of a kernel, and all objects whose keys it covers."""
    keys = _Keys()
    return keys.identity(kernel, frozenset()), [value for value, _ in keys._computed.values()]


def test_the_key_of_an_entry_covers_every_kernel_that_it_reaches(monkeypatch):
    (engine,) = ENGINE.kernels
    before, covered = fresh_key(engine)
    reached, waiting = {}, [engine]
    while waiting:
        kernel = waiting.pop()
        reached[kernel.py_func.__name__] = kernel
        found = [kernel.py_func.__globals__.get(name) for name in kernel.py_func.__code__.co_names]
        waiting += [one for one in found if hasattr(one, "py_func") and one.py_func.__name__ not in reached]

    assert len(reached) > 50
    assert {"resolve_effect", clean_up.__name__, "draw", "next_word"} <= set(reached)
    for kernel in list(reached.values())[:: effort(1, 10, 10)]:
        code = kernel.py_func.__code__
        with monkeypatch.context() as patch:
            patch.setattr(kernel.py_func, "__code__", code.replace(co_consts=(*code.co_consts, "changed")))
            assert fresh_key(engine)[0] != before, kernel
    assert fresh_key(engine)[0] == before
    assert not [value for value in covered if "spire" in str(getattr(value, "__module__", ""))]


@pytest.mark.parametrize("entry", [play_slice, census_slice, run_playouts, record_games])
def test_no_entry_contains_the_engine(entry):
    assert not any(value is resolve_effect for value in fresh_key(entry)[1])
