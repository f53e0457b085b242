"""`select`: the choice of any strategy for the pending Decision."""

from typing import Any

from evodom.dominion.engine.rules import RULES, Rules
from evodom.dominion.engine.state import STATE, State
from evodom.dominion.strategies.lineup import LineupArrays
from evodom.dominion.strategies.models.networks.layers import WEIGHTS
from evodom.dominion.strategies.record import STRATEGY, Strategy
from evodom.dominion.strategies.registry import all_models, model_index
from evodom.jit.dispatch import DispatchTable
from evodom.jit.kernel import kernel

CHOOSERS = DispatchTable("evodom.choosers", [model.select for model in all_models()], (RULES, STATE, STRATEGY, WEIGHTS))
"""The models' kernels. The column ``kind`` of a strategy's record is an index into this table."""

_call = CHOOSERS.call


@kernel
def select(rules: Rules, state: State, lineup: LineupArrays, number: int) -> Any:
    """Return the pile that strategy ``number`` chooses for the pending Decision, or PASS.

    Random numbers are from the decider's stream.
    """
    strategy: Strategy = lineup.records[number]
    return _call(strategy.kind, rules, state, strategy, lineup.networks[strategy.network])


def load_model(name: str) -> None:
    """Compile a model's kernel or load it from the cache. Without this call the first choice does it."""
    CHOOSERS.load(model_index(name))
