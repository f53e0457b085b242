"""Write to memory by its address. A kernel then need not receive the memory as an argument."""

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba.core import types, typing
from numba.core.base import BaseContext
from numba.core.typing import Signature
from numba.extending import intrinsic

from evodom.jit.kernel import COMPILED


def _store(context: typing.Context, address: types.Type, index: types.Type, number: types.Type) -> Any:
    """Write an int64 to an array of int64, given the address of the array."""

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
    ) -> Any:
        array, position, value = arguments
        place = builder.gep(builder.inttoptr(array, ir.IntType(64).as_pointer()), [position])
        builder.store(value, place)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), generate


def _store_uncompiled(address: int, index: int, number: int) -> None:
    ctypes.c_int64.from_address(int(address) + 8 * int(index)).value = int(number)


store_number: Callable[..., None] = intrinsic(_store) if COMPILED else _store_uncompiled
"""Write an int64 to an array of int64: ``store_number(address, index, number)``. Bounds are not checked."""
