"""Dispatch tables: call one of several kernels by number. Each is compiled or loaded at its first call.

A kernel is normally linked into each of its callers (`linking`). For a choice of kernels, such as the models of
strategies, every caller would contain all of them, although most games need one or two. A large kernel, such as the
engine of fights, would be optimised once per caller. With a `DispatchTable`, callers read the address of the machine
code from an array. The linker resolves the array by name, so that callers can be cached on disk. If an address is still
0, compiled code calls back into Python, which compiles or loads the kernel.
"""

import ctypes
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
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

    All kernels take three or four records or numbers and return an int64. Each of ``signatures`` has the dtypes of
    these arguments. Kernels are compiled for a signature when a call first has its records. A kernel may be given as
    "module:name", so that it can call the callers of the table. ``name`` is the symbol of the table for the linker.
    """

    def __init__(self, name: str, kernels: Sequence[Any], *signatures: Sequence[np.dtype[Any]]) -> None:
        self.name = name
        self.call: Callable[..., Any] = lambda number, *given: self.kernel(number)(*given)
        """Call a kernel with its number and its arguments: from kernels, and from Python if nothing is compiled."""
        self.kernels, self.signatures = list(kernels), signatures
        if COMPILED:
            self.kinds = [tuple(map(from_dtype, given)) for given in signatures]
            self._load = ctypes.CFUNCTYPE(None, ctypes.c_int64)(self._load_in_call)
            self._addresses = np.zeros(len(kernels) * len(signatures) + 1, np.uint64)
            self._addresses[-1] = ctypes.cast(self._load, ctypes.c_void_p).value or 0
            binding.add_symbol(name, self._addresses.ctypes.data)
            self.call = _calling(self)

    def __len__(self) -> int:
        return len(self.kernels)

    def key_inputs(self) -> tuple[Any, ...]:
        """Return what the cache key of a caller covers. Callers contain no code of the kernels."""
        return self.name, len(self.kernels), self.signatures

    def kernel(self, number: int) -> Any:
        """Return a kernel. Import it if it was given by its name."""
        if isinstance(self.kernels[number], str):
            module, name = self.kernels[number].split(":")
            self.kernels[number] = getattr(import_module(module), name)
        return self.kernels[number]

    def load(self, number: int) -> None:
        """Compile a kernel, or load it from the cache, unless it is loaded already.

        ``number`` is that of the kernel, plus the number of kernels for each signature before that of the call.
        """
        if COMPILED and self._addresses[number] == 0:
            kernel, kinds = self.kernel(number % len(self)), self.kinds[number // len(self)]
            kernel.compile(kinds)
            made = kernel.overloads[kinds]
            assert made.signature.return_type == types.int64, f"{kernel} returns {made.signature.return_type}"
            self._addresses[number] = made.library.get_pointer_to_function(made.fndesc.llvm_func_name)

    def _load_in_call(self, number: int) -> None:
        """Load a kernel for compiled code. After Ctrl-C its address stays 0: the call fails without a traceback."""
        with suppress(KeyboardInterrupt):
            self.load(number)


def _calling(table: DispatchTable) -> Callable[..., Any]:
    """Return the intrinsic that kernels use to call a kernel of a table."""
    word = ir.IntType(64)

    def generate(
        first: int, context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
    ) -> Any:
        """Write the call. ``first`` is the number of the first kernel of its signature."""
        given = arguments[1:]
        number = builder.add(arguments[0], word(first))
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

    def chosen(*given: types.Type) -> Any:
        """Return the signature whose records are given, and what writes the call."""
        for index, kinds in enumerate(table.kinds):
            records = [(kind, one) for kind, one in zip(kinds, given, strict=True) if isinstance(kind, types.Record)]
            if len(table.kinds) == 1 or all(kind == one for kind, one in records):
                return types.int64(types.int64, *kinds), partial(generate, len(table) * index)
        return None

    def with_three(
        typing_context: typing.Context, number: types.Type, first: types.Type, second: types.Type, third: types.Type
    ) -> Any:
        """Call the kernel of a number."""
        return chosen(first, second, third)

    def with_four(
        typing_context: typing.Context,
        number: types.Type,
        first: types.Type,
        second: types.Type,
        third: types.Type,
        fourth: types.Type,
    ) -> Any:
        """Call the kernel of a number."""
        return chosen(first, second, third, fourth)

    calling: Callable[..., Any] = intrinsic(with_three if len(table.kinds[0]) == 3 else with_four)
    return calling
