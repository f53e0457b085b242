"""`select`: the choice of any strategy for the pending Decision."""

from collections.abc import Callable
from typing import Any

import numba

from evodom.dominion.engine.rules import Rules
from evodom.dominion.engine.state import State
from evodom.dominion.strategies.model import Strategy
from evodom.dominion.strategies.registry import MODELS
from evodom.kernel import kernel


def _otherwise(kind: int, own: Callable[..., Any], others: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that asks ``own`` for a strategy of this kind, and ``others`` for any other."""

    def chosen(rules: Rules, state: State, strategy: Strategy) -> Any:
        if strategy.kind == kind:
            return own(rules, state, strategy)
        return others(rules, state, strategy)

    # It becomes part of what calls it. As a kernel of its own it would be optimised once more, with all it calls, and
    # `select` would take three times as long to compile.
    inlined: Callable[..., Any] = numba.njit(inline="always")(chosen)
    return inlined


def _by_kind() -> Callable[..., Any]:
    """Return the models' kernels joined into one function, as comparisons one after the other.

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
