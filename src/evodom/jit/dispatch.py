"""Dispatch tables: call one of several kernels by number. Each kernel is compiled or loaded at its first call.

A kernel is normally linked into each of its callers (`linking`). A caller that chooses among several kernels would then
contain all of them: one for each model of strategies, although most games need one or two. A large kernel, such as the
engine of fights, would be optimised once per caller. With a `DispatchTable`, callers read the address of the machine
code from an array. The linker resolves the array by name, so that callers can be cached on disk. While an address is 0,
compiled code calls back into Python, which compiles or loads the kernel.
"""

import ctypes
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import from_dtype
from numba.core import cgutils, types, typing
from numba.core.base import BaseContext
from numba.core.typing import Signature
from numba.extending import intrinsic

from evodom.jit.kernel import COMPILED


class DispatchTable:
    """Addresses of the machine code of several kernels, by number.

    All kernels take three or four records or numbers, with the dtypes of ``signature``, and return an int64. A kernel
    given as "module:name" is imported at its first call. It may therefore use this table itself. ``name`` is the symbol
    of the table for the linker.
    """

    def __init__(self, name: str, kernels: Sequence[Any], signature: Sequence[np.dtype[Any]]) -> None:
        self.name = name
        self.call: Callable[..., Any] = lambda number, *given: self.kernel(number)(*given)
        """Call kernel ``number`` with its arguments. Kernels call this; Python only if nothing is compiled."""
        self.kernels, self.signature = list(kernels), signature
        if COMPILED:
            self.kinds = tuple(map(from_dtype, signature))
            self._load = ctypes.CFUNCTYPE(None, ctypes.c_int64)(self._load_in_call)
            self._addresses = np.zeros(len(kernels) + 1, np.uint64)
            self._addresses[-1] = ctypes.cast(self._load, ctypes.c_void_p).value or 0
            binding.add_symbol(name, self._addresses.ctypes.data)
            self.call = _calling(self)

    def __len__(self) -> int:
        return len(self.kernels)

    def key_inputs(self) -> tuple[Any, ...]:
        """Return the inputs of a caller's cache key. Callers contain no code of the kernels."""
        return self.name, len(self.kernels), self.signature

    def kernel(self, number: int) -> Any:
        """Return a kernel. Import it if it was given by its name."""
        if isinstance(self.kernels[number], str):
            module, name = self.kernels[number].split(":")
            self.kernels[number] = getattr(import_module(module), name)
        return self.kernels[number]

    def load(self, number: int) -> None:
        """Compile a kernel, or load it from the cache, unless it is loaded already."""
        if COMPILED and self._addresses[number] == 0:
            kernel = self.kernel(number)
            kernel.compile(self.kinds)
            made = kernel.overloads[self.kinds]
            assert made.signature.return_type == types.int64, f"{kernel} returns {made.signature.return_type}"
            self._addresses[number] = made.library.get_pointer_to_function(made.fndesc.llvm_func_name)

    def _load_in_call(self, number: int) -> None:
        """Load a kernel for compiled code. After Ctrl-C its address stays 0: the call fails without a traceback."""
        with suppress(KeyboardInterrupt):
            self.load(number)


def _calling(table: DispatchTable) -> Callable[..., Any]:
    """Return the intrinsic through which kernels call the kernels of a table."""
    word = ir.IntType(64)

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
    ) -> Any:
        """Write the call."""
        number, *given = arguments
        kinds = signature.args[1:]
        addresses = ir.ArrayType(word, len(table._addresses))
        cells = builder.module.globals.get(table.name) or ir.GlobalVariable(builder.module, addresses, table.name)

        def at(place: ir.Value, function_type: ir.FunctionType) -> Any:
            address = builder.load(builder.gep(cells, [word(0), place]))
            return builder.inttoptr(address, function_type.as_pointer())

        function_type = context.call_conv.get_function_type(signature.return_type, kinds)
        with cgutils.if_unlikely(builder, cgutils.is_null(builder, at(number, function_type))):
            builder.call(at(word(len(table._addresses) - 1), ir.FunctionType(ir.VoidType(), [word])), [number])
            with cgutils.if_unlikely(builder, cgutils.is_null(builder, at(number, function_type))):
                context.call_conv.return_user_exc(builder, RuntimeError, ("a kernel could not be loaded",))
        function = at(number, function_type)
        status, result = context.call_conv.call_function(builder, function, signature.return_type, kinds, given)
        with cgutils.if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return result

    typed = types.int64(types.int64, *table.kinds)

    def with_three(
        typing_context: typing.Context, number: types.Type, first: types.Type, second: types.Type, third: types.Type
    ) -> Any:
        """Call the kernel of a number."""
        return typed, generate

    def with_four(
        typing_context: typing.Context,
        number: types.Type,
        first: types.Type,
        second: types.Type,
        third: types.Type,
        fourth: types.Type,
    ) -> Any:
        """Call the kernel of a number."""
        return typed, generate

    calling: Callable[..., Any] = intrinsic(with_three if len(table.kinds) == 3 else with_four)
    return calling
