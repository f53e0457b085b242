"""Dispatch tables: kernels called by number, compiled or loaded at their first call."""

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


TABLE = DispatchTable("evodom.test_dispatch", [total, product, failing], THREE)
call = TABLE.call


@kernel
def both(one, two, three):
    return call(0, one, two, three) + 1000 * call(1, one, two, three)


def caller_of(table):
    """Return a kernel that calls the kernels of a table by number."""
    call = table.call

    @kernel
    def by_number(number, one, two, three):
        return call(number, one, two, three)

    return by_number


def test_a_call_selects_the_kernel_by_number():
    assert both(*records(2, 3, 4)) == 9 + 1000 * 24
    assert [caller_of(TABLE)(number, *records(5, 6, 7)) for number in (0, 1)] == [18, 210]


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_a_kernel_is_compiled_at_its_first_call_and_no_other():
    table = DispatchTable("evodom.test_dispatch.lazy", [total, product], THREE)

    assert not table._addresses[:2].any()
    assert caller_of(table)(1, *records(2, 3, 4)) == 24
    assert table._addresses[0] == 0 != table._addresses[1]


def test_kernels_may_be_named_and_loaded_before_their_first_call():
    table = DispatchTable("evodom.test_dispatch.named", [f"{__name__}:total", f"{__name__}:product"], THREE)
    table.load(0)

    assert [caller_of(table)(number, *records(2, 3, 4)) for number in (0, 1)] == [9, 24]


def test_errors_of_a_kernel_reach_the_caller():
    """The run with bounds checks needs this."""
    with pytest.raises(ValueError, match="no"):
        caller_of(TABLE)(2, *records(1, 0, 0))


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_a_kernel_that_cannot_be_compiled_is_an_error(monkeypatch):
    table = DispatchTable("evodom.test_dispatch.missing", [total], THREE)
    calling = caller_of(table)
    monkeypatch.setattr(table, "kernels", [None])
    monkeypatch.setattr(sys, "unraisablehook", lambda details: None)

    with pytest.raises(RuntimeError, match="could not be loaded"):
        calling(0, *records(2, 3, 4))


@pytest.mark.full
@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_networks_and_mechanics_are_compiled_when_they_are_needed():
    code = """
import numpy as np
from evodom.dominion.engine.expansions import run_mechanic
from evodom.dominion.kingdom import FIRST_GAME, parse_kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.models.networks.model import select_by_network
from evodom.dominion.strategies.models.networks.layers import N_WEIGHTS
from evodom.dominion.strategies.models.networks.model import network_strategy
from evodom.matches.simulate import play_games
network = network_strategy(np.zeros(N_WEIGHTS, np.float32), FIRST_GAME)
others = parse_kingdom("Bazaar,Caravan,Fishing Village,Lookout,Sailor,Smugglers,Tactician,Treasury,Warehouse,Wharf")
n_compiled = []
plain = baseline("big-money", FIRST_GAME)
for player, kingdom in ((plain, FIRST_GAME), (network, FIRST_GAME), (baseline("big-money", others), others)):
    play_games(kingdom.rules(2), [player, player], np.array([[0, 1]], np.int32), np.zeros(1, np.uint64))
    n_compiled.append((len(select_by_network.overloads), len(run_mechanic.overloads)))
print(n_compiled)
"""
    made = subprocess.run([sys.executable, "-c", code], env=os.environ, check=True, capture_output=True, text=True)

    assert made.stdout.strip() == "[(0, 0), (1, 0), (1, 1)]"
