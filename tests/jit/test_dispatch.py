"""Kernels that are called by number: made when they are first called, found again by callers out of the cache."""

import os
import subprocess
import sys

import numpy as np
import pytest

from evodom.jit.dispatch import DispatchTable
from evodom.jit.kernel import COMPILED, kernel

NUMBER = np.dtype((np.record, [("n", "<i8")]))
THREE = (NUMBER, NUMBER, NUMBER)


@kernel
def total(one, two, three):
    return one.n + two.n + three.n


@kernel
def product(one, two, three):
    return one.n * two.n * three.n


@kernel
def failing(one, two, three):
    if one.n > 0:
        raise ValueError("no")
    return one.n


def records(*numbers):
    made = np.zeros(len(numbers), NUMBER)
    made["n"] = numbers
    return tuple(made)


TABLE = DispatchTable("evodom.test_separate", [total, product, failing], THREE)
call = TABLE.call


@kernel
def both(one, two, three):
    return call(0, one, two, three) + 1000 * call(1, one, two, three)


@kernel
def one_by_number(number, one, two, three):
    return call(number, one, two, three)


def test_the_kernel_of_the_number_is_called():
    assert both(*records(2, 3, 4)) == 9 + 1000 * 24
    assert [one_by_number(number, *records(5, 6, 7)) for number in (0, 1)] == [18, 210]


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_a_kernel_is_made_when_it_is_first_called_and_no_other():
    table = DispatchTable("evodom.test_separate.lazy", [total, product], THREE)
    ask = table.call

    @kernel
    def asking(number, one, two, three):
        return ask(number, one, two, three)

    assert not table._addresses[:2].any()
    assert asking(1, *records(2, 3, 4)) == 24
    assert table._addresses[0] == 0 != table._addresses[1]


def test_a_kernel_that_was_loaded_is_called_all_the_same():
    table = DispatchTable("evodom.test_separate.loaded", [total, product], THREE)
    table.load(0)
    ask = table.call

    @kernel
    def asking(one, two, three):
        return ask(0, one, two, three)

    assert asking(*records(2, 3, 4)) == 9


def test_what_a_kernel_raises_reaches_the_caller():
    """As an index out of bounds is to do in the run that looks for those."""
    with pytest.raises(ValueError, match="no"):
        one_by_number(2, *records(1, 0, 0))


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_a_kernel_that_cannot_be_made_is_an_error_and_no_crash(monkeypatch):
    table = DispatchTable("evodom.test_separate.missing", [total], THREE)
    ask = table.call

    @kernel
    def asking(one, two, three):
        return ask(0, one, two, three)

    monkeypatch.setattr(table, "_kernels", [None])
    monkeypatch.setattr(sys, "unraisablehook", lambda told: None)

    with pytest.raises(RuntimeError, match="could not be loaded"):
        asking(*records(2, 3, 4))


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_networks_are_not_compiled_before_one_sits_down():
    code = """
import numpy as np
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.networks.model import select_by_network
from evodom.dominion.strategies.record import STRATEGY, blank_strategies
from evodom.dominion.strategies.networks.layers import N_WEIGHTS
from evodom.dominion.strategies.networks.model import keep
from evodom.matches.simulate import play_games
network = blank_strategies(1, "network", FIRST_GAME)[0]
network["network"] = keep(np.zeros(N_WEIGHTS, np.float32))
told = []
for player in (baseline("big-money", FIRST_GAME), network):
    strategies = np.zeros(2, STRATEGY)
    strategies[:] = player
    play_games(FIRST_GAME.rules(2), strategies, np.array([[0, 1]], np.int32), np.zeros(1, np.uint64))
    told.append(len(select_by_network.overloads))
print(told)
"""
    made = subprocess.run([sys.executable, "-c", code], env=os.environ, check=True, capture_output=True, text=True)

    assert made.stdout.strip() == "[0, 1]"
