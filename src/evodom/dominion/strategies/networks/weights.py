"""Where a record finds its network: an address, at which the weights stay as long as the process runs.

A record has room for some numbers, not for a network of 180 kB: a population of records would be copied with it. The
address never leaves the process: saved runs hold the weights themselves.

Most are kept for good: a command ends soon. Those of games that a server reads or begins are lent: they leave the
memory with the games.
"""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from weakref import WeakValueDictionary

import numba
import numpy as np
from numba.core import types
from numba.extending import intrinsic

from evodom.dominion.strategies.base import Strategy
from evodom.dominion.strategies.networks.layers import N_WEIGHTS, Weights, copied
from evodom.jit.kernel import COMPILED, kernel

LARGEST = 1e4
"""No weight of a network in play comes near; with these no sum overflows."""

_kept: dict[bytes, Weights] = {}


def keep(weights: Weights) -> int:
    """Keep a copy of a network's weights for good and return its address; equal weights are kept once.

    Within `lending` they are lent.
    """
    content = weights.tobytes()
    loans = _loans.get()
    if loans is not None:
        if content not in loans:
            loans[content] = Loan(content)
        return loans[content].address
    if content not in _kept:
        _kept[content] = _laid_out(content)
    return int(_kept[content].ctypes.data)


class Loan:
    """A network's weights, the same as ``content``, that lie at an ``address`` as long as somebody holds this."""

    __slots__ = ("__weakref__", "address", "content", "weights")

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.weights = _kept[content] if content in _kept else _laid_out(content)
        self.address = int(self.weights.ctypes.data)
        _lent[self.address] = self


_lent: WeakValueDictionary[int, Loan] = WeakValueDictionary()

_loans: ContextVar[dict[bytes, Loan] | None] = ContextVar("loans", default=None)
"""What was lent in this block of `lending`, by content; None outside of one."""


@contextmanager
def lending() -> Iterator[None]:
    """Lend all networks that are to be kept while the block lasts.

    Afterwards there are only those whose loan somebody has taken with `loan_of` and holds.
    """
    outside = _loans.set({})
    try:
        yield
    finally:
        _loans.reset(outside)


def loan_of(strategy: Any) -> Loan | None:
    """Return what holds the weights of a strategy's record, for whoever plays it; None if they need no holding."""
    if not isinstance(strategy, np.void):
        return None
    return _lent.get(int(strategy["network"]))


def lend(weights: Weights) -> Loan:
    """Copy a network's weights to an address, for as long as what is returned is held by who plays from there."""
    return Loan(weights.tobytes())


def _laid_out(content: bytes) -> Weights:
    """Return a network's weights as kernels read them, which nobody changes."""
    weights = copied(np.frombuffer(content, "<f4"))
    weights.flags.writeable = False
    return weights


def are_sound(weights: Weights) -> bool:
    """Tell whether kernels may trust weights that were read from a file: as many as a network has, none too large."""
    return weights.shape == (N_WEIGHTS,) and weights.dtype == np.float32 and bool((np.abs(weights) <= LARGEST).all())


def weights_at(address: int) -> Weights:
    """Return the weights at an address that `keep` or `lend` has given, (N_WEIGHTS,) float32."""
    loan = _lent.get(address)
    if loan is not None:
        return loan.weights
    return next(weights for weights in list(_kept.values()) if weights.ctypes.data == address)


def content_at(address: int) -> bytes:
    """Return the weights at an address as bytes: the same object for as long as they lie there."""
    loan = _lent.get(address)
    if loan is not None:
        return loan.content
    return next(content for content, weights in list(_kept.items()) if weights.ctypes.data == address)


def weights_of(strategy: Strategy) -> Weights:
    """Return a copy of the weights of a learned strategy, (N_WEIGHTS,) float32, which may be changed."""
    return copied(weights_at(int(strategy["network"])))


def with_weights(strategy: Strategy, weights: Weights) -> Strategy:
    """Return a learned strategy with other weights, which are kept."""
    changed = strategy.copy()
    changed["network"] = keep(weights)
    return changed


if COMPILED:

    def _pointer_type(typing_context: Any, address: Any) -> Any:
        """Return an address as a pointer to float32."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

        pointer: Any = types.CPointer(types.float32)  # type: ignore[attr-defined]
        return pointer(types.uint64), generate

    _pointer: Any = intrinsic(_pointer_type)

else:

    def _pointer(address: int) -> Any:
        """Return an address as a pointer to float32."""
        return ctypes.cast(int(address), ctypes.POINTER(ctypes.c_float))


@kernel
def array_at(address: int) -> Any:
    """Return the N_WEIGHTS float32 that lie at an address."""
    return numba.carray(_pointer(np.uint64(address)), (N_WEIGHTS,))
