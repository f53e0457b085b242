"""What is compiled beforehand is all that learning needs."""

import pytest

from evodom.jit.kernel import COMPILED
from evodom.learning.ppo import add_gradient, compile_gradient, compile_recording
from evodom.learning.rollouts import record_games
from evodom.runs.lifecycle import RunMonitor
from tests.learning.small import RUNS, begun


@pytest.mark.skipif(not COMPILED, reason="in plain Python nothing is compiled")
def test_a_run_compiles_nothing_that_was_not_compiled_beforehand(tmp_path):
    compile_gradient()
    compile_recording()
    before = [list(kernel.signatures) for kernel in (record_games, add_gradient)]

    with begun("demo", tmp_path, games=24) as run:
        RUNS.carry_on(run, None, RunMonitor())

    assert [list(kernel.signatures) for kernel in (record_games, add_gradient)] == before
    assert [len(signatures) for signatures in before] == [1, 1]
