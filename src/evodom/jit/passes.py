"""Passes of Numba's compiler that make kernels compile faster. `jit.linking` uses them.

Numba looks up an implementation for each operation, by the types of its operands. For frequent operations,
`KernelLower` writes shorter LLVM code directly: arithmetic and comparisons of equal types, fields of records, and
elements of arrays in records. Numba writes all other operations. An index into an array of a record must not be
negative. With bounds checks a negative index raises IndexError.
"""

import operator
from collections import Counter
from collections.abc import Mapping
from enum import IntEnum
from typing import Any

from llvmlite import ir as llvm
from numba.core import cgutils, ir, lowering, typed_passes, types, untyped_passes
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import build_definitions
from numba.core.types.containers import BaseTuple
from numba.core.types.misc import unliteral
from numba.extending import intrinsic
from numba.np.arrayobj import get_itemsize, load_item, store_item

_OPERATIONS = {
    operator.add: "add", operator.sub: "sub", operator.mul: "mul", operator.and_: "and_", operator.or_: "or_",
    operator.xor: "xor", operator.lshift: "shl", operator.rshift: "ashr",
}  # fmt: skip
_COMPARISONS = {
    operator.eq: "==", operator.ne: "!=", operator.lt: "<", operator.le: "<=", operator.gt: ">", operator.ge: ">=",
}  # fmt: skip


def _chosen_by(comparison: Any) -> Any:
    """Return an intrinsic of two numbers that returns the second if ``comparison(second, first)``, else the first."""

    @intrinsic  # type: ignore[untyped-decorator]
    def chosen(typing_context: Any, first: types.Type, second: types.Type) -> Any:
        """Return one of two numbers."""
        kind = typing_context.unify_types(unliteral(first), unliteral(second))
        if not isinstance(kind, types.Integer | types.Float):
            return None

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            """Write the comparison and the choice."""
            left, right = arguments
            compare = _written_as(comparison, types.boolean(kind, kind))
            return builder.select(compare(builder, right, left), right, left)

        return kind(kind, kind), generate

    return chosen


_MAX_AND_MIN = {max: _chosen_by(operator.gt), min: _chosen_by(operator.lt)}
"""Intrinsics for the maximum and the minimum of two numbers. Numba compiles a function for each pair of types."""


@register_pass(mutates_CFG=False, analysis_only=False)
class FoldConstants(FunctionPass):
    """Replace members of enumerations by integers, and the maximum and minimum of two numbers by intrinsics.

    Also replace branches on ``bool(x)``, which Numba writes for ``if x``, by branches on ``x``.
    """

    _name = "fold_constants"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Change the statements of the function. Remove the assignments that only the old statements used."""
        blocks = state.func_ir.blocks.values()
        unused: set[str] = set()
        for block in blocks:
            values = {one.target.name: one.value for one in block.body if isinstance(one, ir.Assign)}
            block.body = [_folded(one, values, unused) for one in block.body]
        uses = Counter(variable.name for block in blocks for one in block.body for variable in one.list_vars())
        for block in blocks:
            block.body = [
                one
                for one in block.body
                if not (isinstance(one, ir.Assign) and one.target.name in unused and uses[one.target.name] == 1)
            ]
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


def _folded(statement: Any, values: Mapping[str, Any], unused: set[str]) -> Any:
    """Return the new form of a statement. Add the variables of its old form to ``unused``.

    ``values`` has the values that the block assigns, by variable.
    """
    if isinstance(statement, ir.Branch):
        call: Any = values.get(statement.cond.name)
        if getattr(call, "op", "") == "call" and getattr(values.get(call.func.name), "value", None) is bool:
            unused.update((statement.cond.name, call.func.name))
            return ir.Branch(call.args[0], statement.truebr, statement.falsebr, statement.loc)
    elif isinstance(statement, ir.Assign) and getattr(statement.value, "op", "") == "getattr":
        owner = statement.value.value.name
        kind = getattr(values.get(owner), "value", None)
        if isinstance(kind, type) and issubclass(kind, IntEnum):
            unused.add(owner)
            return ir.Assign(ir.Const(int(kind[statement.value.attr]), statement.loc), statement.target, statement.loc)
    elif isinstance(statement, ir.Assign) and getattr(statement.value, "op", "") == "call":
        function: Any = values.get(statement.value.func.name)
        if getattr(function, "value", None) in _MAX_AND_MIN and len(statement.value.args) == 2:
            function.value = _MAX_AND_MIN[function.value]
    return statement


@register_pass(mutates_CFG=True, analysis_only=False)
class Legalize(typed_passes.IRLegalization):
    """Numba's IRLegalization, which adds deletions of variables. Kernels without reference counts do not need it."""

    _name = "legalize_kernel"

    def run_pass(self, state: Any) -> bool:
        """Run Numba's pass if the kernel has reference counts."""
        return bool(state.flags.nrt and super().run_pass(state))


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerKernel(typed_passes.NativeLowering):
    """Numba's NativeLowering with `KernelLower`."""

    _name = "lower_kernel"

    @property
    def lowering_class(self) -> Any:
        """The class that writes the LLVM code."""
        return KernelLower


class KernelLower(lowering.Lower):
    """Write the LLVM code of a kernel, without information for debuggers."""

    def lower_function_body(self) -> Any:
        """Write the body. A cold kernel is never inlined."""
        if getattr(self.library, "is_cold", False):
            self.function.attributes.add("noinline")
        return super().lower_function_body()

    def alloca_lltype(self, name: str, kind: Any, datamodel: Any = None) -> Any:
        """Return a place on the stack for a variable."""
        return cgutils.alloca_once(self.builder, kind, name=name, zfill=False)

    def storevar(self, value: Any, name: str, argidx: "int | None" = None) -> None:
        """Store the value of a variable. Without reference counts, its former value is not read."""
        if self.context.enable_nrt or name in self._singly_assigned_vars:
            super().storevar(value, name, argidx)
        else:
            self.builder.store(value, self.getvar(name))

    def lower_expr(self, result: types.Type, expression: Any) -> Any:
        """Write an expression and return its value."""
        if expression.op == "getattr":
            owner = self.typeof(expression.value.name)
            if isinstance(owner, types.Record):
                return self._field(owner, self.loadvar(expression.value.name), expression.attr, result)
        return super().lower_expr(result, expression)

    def _field(self, owner: Any, record: Any, name: str, result: types.Type) -> Any:
        """Return a field of a record: a number, or an array that points into the record."""
        kind: Any = owner.typeof(name)
        is_array = isinstance(kind, types.NestedArray)
        of_data = self.context.get_data_type(kind.dtype if is_array else kind)
        pointer = cgutils.get_record_member(self.builder, record, owner.offset(name), of_data)
        if is_array:
            array = self.builder.insert_value(_constant_array(self.context, kind), pointer, _DATA)
            return self.context.cast(self.builder, array, kind, result)
        value = self.context.unpack_value(self.builder, kind, pointer, None if owner.aligned else 1)
        return self.context.cast(self.builder, value, kind, result)

    def lower_binop(self, result: types.Type, expression: Any, function: Any) -> Any:
        """Write an operation of two operands and return its value."""
        signature = self.fndesc.calltypes[expression]
        write = _written_as(function, signature)
        if write is None:
            return super().lower_binop(result, expression, function)
        operands = [
            self.context.cast(self.builder, self.loadvar(one.name), self.typeof(one.name), kind)
            for one, kind in zip((expression.lhs, expression.rhs), signature.args, strict=True)
        ]
        return self.context.cast(self.builder, write(self.builder, *operands), signature.return_type, result)

    def lower_getitem(self, result: types.Type, expression: Any, value: Any, index: Any, signature: Any) -> Any:
        """Return an element or a slice of an array."""
        array = self.typeof(value.name)
        pointer = self._element(array, value, index)
        if pointer is None:
            return super().lower_getitem(result, expression, value, index, signature)
        number = load_item(self.context, self.builder, array, pointer)
        return self.context.cast(self.builder, number, array.dtype, result)

    def lower_setitem(self, target: Any, index: Any, value: Any, signature: Any) -> Any:
        """Write an element or a slice of an array."""
        array = self.typeof(target.name)
        pointer = self._element(array, target, index)
        if pointer is None:
            return super().lower_setitem(target, index, value, signature)
        number = self.context.cast(self.builder, self.loadvar(value.name), self.typeof(value.name), array.dtype)
        return store_item(self.context, self.builder, array, number, pointer)

    def _element(self, array: types.Type, variable: Any, index: Any) -> Any:
        """Return a pointer to an element. Return None unless the index selects one number of an array in a record."""
        if not isinstance(array, types.NestedArray) or not isinstance(array.dtype, types.Number):
            return None
        kind = self.typeof(index.name)
        kinds = kind.types if isinstance(kind, BaseTuple) else (kind,)
        if len(kinds) != array.ndim or not all(isinstance(one, types.Integer) for one in kinds):
            return None
        given, place = self.loadvar(index.name), llvm.Constant(llvm.IntType(64), 0)
        for axis, (one, size) in enumerate(zip(kinds, array.shape, strict=True)):
            number = self.builder.extract_value(given, axis) if isinstance(kind, BaseTuple) else given
            number = self.context.cast(self.builder, number, one, types.intp)
            if self.context.enable_boundscheck:
                cgutils.do_boundscheck(self.context, self.builder, number, llvm.Constant(number.type, size), axis)
            place = number if axis == 0 else self.builder.add(self.builder.mul(place, number.type(size)), number)
        data = self.builder.extract_value(self.loadvar(variable.name), _DATA)
        return self.builder.gep(data, [place], inbounds=True)


def _written_as(function: Any, signature: Any) -> Any:
    """Return a function that writes an operation on two equal types. Return None if Numba must write the operation."""
    kind, other = signature.args
    is_float, is_signed = isinstance(kind, types.Float), kind in types.signed_domain
    if kind != other or not (is_float or isinstance(kind, types.Integer)):
        return None
    if (word := _COMPARISONS.get(function)) and signature.return_type == types.boolean:
        if is_float:
            compare = llvm.IRBuilder.fcmp_unordered if word == "!=" else llvm.IRBuilder.fcmp_ordered
        else:
            compare = llvm.IRBuilder.icmp_signed if is_signed else llvm.IRBuilder.icmp_unsigned
        return lambda builder, *operands: compare(builder, word, *operands)
    if function not in _OPERATIONS or signature.return_type != kind:
        return None
    name = "lshr" if function is operator.rshift and not is_signed else _OPERATIONS[function]
    return getattr(llvm.IRBuilder, f"f{name}" if is_float else name)


_DATA = 4
"""Index of the pointer to the data in Numba's structure of an array."""


def _constant_array(context: Any, kind: types.NestedArray) -> Any:
    """Return the structure of an array in a record, without its pointer to the data."""
    word, structure = llvm.IntType(64), context.get_value_type(kind)
    sizes = [llvm.Constant(llvm.ArrayType(word, kind.ndim), list(numbers)) for numbers in (kind.shape, kind.strides)]
    counts = [llvm.Constant(word, kind.nitems), llvm.Constant(word, get_itemsize(context, kind))]
    empty = [llvm.Constant(one, None) for one in structure.elements[:2]]
    return llvm.Constant(structure, [*empty, *counts, llvm.Constant(structure.elements[_DATA], None), *sizes])


KERNEL_PASSES = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    FoldConstants,
    untyped_passes.GenericRewrites,
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    Legalize,
    LowerKernel,
    typed_passes.NoPythonBackend,
)
"""The passes of kernels, in order."""
