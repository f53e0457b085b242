"""`select`: the choice of any strategy for the pending Decision."""

from collections.abc import Callable
from typing import Any

from evodom.dominion.engine.rules import Rules
from evodom.dominion.engine.state import State
from evodom.dominion.strategies.model import Strategy
from evodom.dominion.strategies.registry import MODELS
from evodom.kernel import kernel


def _otherwise(kind: int, own: Callable[..., Any], others: Callable[..., Any]) -> Callable[..., Any]:
    """Return the kernel that asks ``own`` for a strategy of this kind, and ``others`` for any other."""

    @kernel
    def chosen(rules: Rules, state: State, strategy: Strategy) -> Any:
        if strategy.kind == kind:
            return own(rules, state, strategy)
        return others(rules, state, strategy)

    return chosen


def _by_kind() -> Callable[..., Any]:
    """Return the models' kernels joined into one, as comparisons one after the other.

    Compiled code cannot look a kernel up in a table.
    """
    *kernels, joined = [model.parts.select for model in MODELS]
    for kind, own in reversed(list(enumerate(kernels))):
        joined = _otherwise(kind, own, joined)
    return joined


_select_by_kind = _by_kind()


@kernel
def select(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the pile a strategy chooses for the pending Decision, or PASS; draws from the decider's stream."""
    return _select_by_kind(rules, state, strategy)
