"""Linked kernels: one part for each, machine code only for calls from Python, and a shared cache."""

import os
import subprocess
import sys

import numba
import numpy as np
import pytest
from numba.core.errors import TypingError

from evodom.dominion.effects.ops import EventKind, Zone
from evodom.dominion.engine.events import write_event
from evodom.dominion.engine.state import STATE
from evodom.jit import kernel as kernels
from evodom.jit.kernel import COMPILED, kernel, precompile
from evodom.jit.linking import CAN_LINK_PARTS, Kernel, widen

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


@kernel
def triple(n):
    return 3 * n


@kernel
def low_word(word):
    return word & np.uint64(0xFFFFFFFF)


@kernel
def low_of_sum(word):
    return low_word(word + np.uint64(1))


@kernel
def half(n):
    return n / 2


@kernel
def half_of_quotient(n, divisor):
    return half(n // divisor)


def test_a_kernel_called_with_all_signed_integers_and_constants_is_lowered_once():
    seven = 7

    @kernel
    def triple_of_each(small, large):  # a closure: never cached
        return triple(small) + triple(large) + triple(seven) + triple(-2)

    assert triple_of_each(np.int32(5), np.int64(2**40)) == 15 + 3 * 2**40 + 21 - 6
    assert len(triple._parts) == 1


def test_arguments_keep_their_values_and_types_in_calls_between_kernels():
    kinds = [half.typeof_pyval(value) for value in (0.5, np.zeros(3, np.int32), np.uint8(1), True)]

    assert low_of_sum(np.uint64(2**64 - 1)) == 0, "unsigned words stay unsigned"
    assert low_of_sum(np.uint64(2**63)) == 1
    assert half(3) == half_of_quotient(np.int32(7), 2) == 1.5
    assert [widen(kind) for kind in kinds] == kinds

    assert CAN_LINK_PARTS
    assert isinstance(triple, Kernel)


MODULE = """
from evodom.jit.kernel import kernel

FACTOR = 3

@kernel
def inner(n):
    '''Return a product.'''
    return n * FACTOR

@kernel
def middle(n):
    return inner(n)

@kernel
def other(n):
    return n + 1

@kernel
def outer(n):
    return middle(n) + other(n)
"""

PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
from evodom.jit import cache
saved, save = [], cache.save
cache.save = lambda name, content: saved.append(name.split("-")[0]) or save(name, content)
from some_kernels import outer
print(outer(2), *saved)
"""


@pytest.mark.full
def test_other_processes_compile_exactly_what_an_edit_concerns(tmp_path):
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path), "HOME": str(tmp_path)}

    def run(source: str) -> str:
        (tmp_path / "some_kernels.py").write_text(source)
        command = [sys.executable, "-B", "-c", PROGRAM, tmp_path]
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.strip()

    assert run(MODULE) == "9 inner middle other outer"
    assert run(MODULE.replace("Return a product.", "Multiply.\n").replace("FACTOR\n", "FACTOR  # product\n")) == "9"
    assert run(MODULE.replace("FACTOR = 3", "FACTOR = 4")) == "11 inner middle outer"

    for file in (*tmp_path.rglob("inner*.part"), *tmp_path.rglob("outer*.code")):
        file.unlink()
    assert run(MODULE.replace("FACTOR = 3", "FACTOR = 4")) == "11 inner outer", "parts of different processes fit"


def test_errors_name_the_function_and_the_line():
    @kernel
    def adds_text(n):
        return n + "text"

    with pytest.raises(TypingError, match=r"(?s)add\(int64.*test_linking.py.*adds_text"):
        adds_text(1)


def test_uncompiled_functions_need_no_precompiling():
    precompile(lambda n: n, 1)


# Another version of Numba.

UNTESTED = """
import warnings
import numba
numba.__version__, numba.version_info = "0.99.0", numba.version_info._replace(short=(0, 99))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    from evodom.jit.kernel import random_below
    from evodom.jit.linking import CAN_LINK_PARTS
print(CAN_LINK_PARTS, [str(each.message) for each in caught if "evodom" in str(each.message)])
"""

DRAWS = """
import numba
import numpy as np
streams = np.array([7, 8], np.uint64)
print([int(random_below(streams, i % 2, 1000)) for i in range(20)])
"""

GAMES = """
import hashlib
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline_records
from evodom.matches.simulate import play_games
records = baseline_records(("random", "big-money"), FIRST_GAME)
tables = np.tile(np.array([0, 1], np.int32), (50, 1))
results = play_games(FIRST_GAME.rules(2), records, tables, np.arange(50, dtype=np.uint64))
print(hashlib.sha256(results.tobytes()).hexdigest())
"""


def run_untested(code: str, cache: str) -> tuple[str, list[str]]:
    """Run a program with a Numba that says it is newer; return its first line of output, and the others."""
    environment = os.environ | {"XDG_CACHE_HOME": cache, "LOCALAPPDATA": cache, "HOME": cache}
    done = subprocess.run([sys.executable, "-c", UNTESTED + code], env=environment, check=True, capture_output=True)
    first, *others = done.stdout.decode().splitlines()
    return first, others


def output_here(code: str, capsys) -> list[str]:
    exec(code, {"random_below": kernels.random_below})
    return capsys.readouterr().out.splitlines()


@pytest.mark.full
def test_a_newer_numba_gives_equal_results_and_one_warning(tmp_path, capsys):
    code = DRAWS + GAMES

    warned, results = run_untested(code, str(tmp_path))

    assert warned.startswith("False ['evodom was tested with Numba up to 0.68: with 0.99.0")
    assert results == output_here(code, capsys)
    assert list(tmp_path.rglob("numba-warning")), "so that it warns once"


def test_plain_numba_writes_events_of_enum_members_and_of_narrow_integers():
    state, log = np.zeros(1, STATE)[0], np.zeros(8, np.int64)
    state.log = log.ctypes.data

    numba.njit(write_event.py_func)(state, EventKind.DRAW, 0, 3, np.int32(2), Zone.DECK, Zone.HAND, 1)

    assert log.tolist() == [EventKind.DRAW, 0, 3, 2, Zone.DECK, Zone.HAND, 1, 0]
