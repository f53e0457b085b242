"""`select`: the choice of any strategy for the pending Decision."""

from collections.abc import Callable
from typing import Any

from numba import njit
from numba.extending import overload

from evodom.dominion.engine.rules import Rules
from evodom.dominion.engine.state import State
from evodom.dominion.strategies.model import Strategy
from evodom.dominion.strategies.registry import MODELS
from evodom.kernel import OPTIONS, kernel

_KERNELS: tuple[Any, ...] = tuple(model.parts.select for model in MODELS)


def _by_kind(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the choice of the kernel of a strategy's model: what runs where nothing is compiled."""
    return _KERNELS[strategy.kind](rules, state, strategy)


def _chain(kind: int) -> Callable[..., Any]:
    """Return a function that asks the kernel of ``kind``, or of a later one, as one comparison after the other.

    Numba cannot index a table of kernels. This is what it compiles in place of `_by_kind`, as part of `select` itself,
    so that `select` and its place in the cache are like those of any kernel.
    """
    own = _KERNELS[kind]
    is_last = kind + 2 == len(_KERNELS)
    others: Any = _KERNELS[kind + 1] if is_last else njit(**OPTIONS)(_chain(kind + 1))

    def chosen(rules: Rules, state: State, strategy: Strategy) -> Any:
        if strategy.kind == kind:
            return own(rules, state, strategy)
        return others(rules, state, strategy)

    return chosen


@overload(_by_kind)
def _compiled_by_kind(rules: Rules, state: State, strategy: Strategy) -> Callable[..., Any]:
    return _chain(0)


@kernel
def select(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the pile a strategy chooses for the pending Decision, or PASS; draws from the state's random stream."""
    return _by_kind(rules, state, strategy)
