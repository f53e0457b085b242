"""Compiled games: the kernels that a game registers so that `evodom.search.tree` can search it in machine code.

A game registers one kernel for each `GameKernel` below, under the dtype of its rules. Generic kernels call the
`GameKernel`. At compile time the type of the first argument selects the game's kernel, at no cost at run time. Games
need different dtypes: give the rules a field that names the game if two dtypes would be equal.

    legal(rules, state, actions) -> n         write the numbers of the legal actions to `actions`; return their number
    step(rules, state, action, chance)        apply an action; change `chance.stream` only if chance decides something
    is_over(rules, state) -> bool             return True if no action is legal any more
    evaluate(rules, workspace, node)          set value and priors of a new node (`evodom.search.tree`)
    prepare_root(rules, workspace, root, n)   optional: prepare a search of `n` simulations

The state is a record of whole words of 64 bits: the tree hashes and copies words. `chance` is a record with a field
`stream` of one uint64. The game has one player.
"""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numba import from_dtype
from numba.core import sigutils
from numba.core.registry import CPUDispatcher

from evodom.jit.kernel import COMPILED, lean_kernel


class GameRecord(Protocol):
    """A record of a game, such as its rules: its dtype identifies the game."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the record."""


class GameKernel(CPUDispatcher):
    """A kernel that each game implements. The dtype of its first argument, the rules, selects the implementation."""

    def __init__(self, name: str, default: Callable[..., Any] | None = None) -> None:
        super().__init__(_stand_in, targetoptions={"nopython": True})
        self._name, self._default = name, default
        self._by_dtype: dict[np.dtype[Any], Any] = {}
        self._by_type: dict[Any, Any] = {}

    def register(self, dtype: np.dtype[Any], kernel: Callable[..., Any]) -> None:
        """Add the kernel of a game. Raises ValueError if another kernel is registered for its rules."""
        if self._by_dtype.setdefault(dtype, kernel) is not kernel:
            raise ValueError(f"{self._name} has a kernel for rules of this dtype: add a field that names the game")
        if COMPILED:
            self._by_type[from_dtype(dtype)] = kernel

    def __call__(self, rules: GameRecord, *arguments: object) -> Any:
        """Call the kernel of the game from Python."""
        kernel = self._by_dtype.get(rules.dtype, self._default)
        if kernel is None:
            raise TypeError(f"no game has registered {self._name} for rules of dtype {rules.dtype}")
        return kernel(rules, *arguments)

    def key_inputs(self) -> tuple[Any, ...]:
        """Return what the cache key of a caller covers."""
        return self._name, self._default, self._by_dtype

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return Numba's call template of the game's kernel."""
        return self._kernel_for(args[0]).get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        """Return the machine code of the game's kernel for a signature."""
        arguments, _ = sigutils.normalize_signature(sig)
        return self._kernel_for(arguments[0]).get_overload(sig)

    def _kernel_for(self, rules: Any) -> Any:
        kernel = self._by_type.get(rules, self._default)
        if kernel is None:
            raise TypeError(f"no game has registered {self._name} for rules of type {rules}")
        return kernel


def _stand_in(rules: GameRecord, *arguments: object) -> None:
    """Give Numba's dispatcher a function; it is never called."""


@lean_kernel
def _prepare_nothing(rules: GameRecord, workspace: object, root: int, n_simulations: int) -> None:
    """Prepare nothing."""


legal = GameKernel("legal")
step = GameKernel("step")
is_over = GameKernel("is_over")
evaluate = GameKernel("evaluate")
prepare_root = GameKernel("prepare_root", _prepare_nothing)
