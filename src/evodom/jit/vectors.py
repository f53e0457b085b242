"""Generate loops over rows of float32 as LLVM vector code, for kernels that spend most of their time in such loops.

Numba vectorises a loop over an array, but keeps sums in memory and checks the bounds of each row. Here a row is a list
of vectors of LANES numbers, which stay in registers during a loop. Bounds are not checked: callers must pass rows that
exist.

A loop is a function of a builder. `LoopBuilder` writes the code of the loop. `NumpyBuilder` computes the loop without
compilation. Both give the same bits.
"""

from collections.abc import Callable, Sequence
from functools import partial, reduce
from inspect import signature
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba.core import cgutils, types, typing
from numba.core.base import BaseContext
from numba.core.typing import Signature
from numba.extending import intrinsic

from evodom.jit.kernel import COMPILED

LANES = 16
"""Numbers in a vector. A processor with shorter registers uses several registers."""

WORD = 64
"""Number of bits in a mask. `each_not_zero` makes a mask of this number of comparisons at a time."""

_FLOAT, _BYTE, _INT, _LANE = ir.FloatType(), ir.IntType(8), ir.IntType(64), ir.IntType(32)
_TRUE = ir.IntType(1)(1)
_VECTOR, _INT_VECTOR = ir.VectorType(_FLOAT, LANES), ir.VectorType(_LANE, LANES)

_MANTISSA = 0x007FFFFF
"""Mask of the mantissa of a float32."""

_HALF = 0x3F000000
"""Bits of the float32 0.5."""

NUMBER = types.float32
"""Numba's type of a number that a loop returns."""

Vectors = list[Any]
"""A row of float32, as vectors."""

Tests = list[Any]
"""The result of a comparison for each number of a row, as vectors of bits."""

Numbers = npt.NDArray[np.float32]


class LoopBuilder:
    """Builder of the LLVM code of a loop. ``arguments`` are those of the loop: numbers, and pointers to arrays."""

    zero = _INT(0)

    def __init__(
        self, context: BaseContext, builder: ir.IRBuilder, kinds: Sequence[Any], arguments: Sequence[Any]
    ) -> None:
        self.builder = builder
        self.arguments = [
            context.make_array(kind)(context, builder, value).data if isinstance(kind, types.Array) else value
            for kind, value in zip(kinds, arguments, strict=True)
        ]

    def load(self, numbers: ir.Value, start: ir.Value, width: int) -> Vectors:
        """Return ``width`` float32 of an array, from index ``start``."""
        return [self.builder.load(place, align=4) for place in self._places(numbers, start, width)]

    def store(self, numbers: ir.Value, start: ir.Value, vectors: Vectors) -> None:
        """Write vectors to an array, from index ``start``."""
        for place, vector in zip(self._places(numbers, start, LANES * len(vectors)), vectors, strict=True):
            self.builder.store(vector, place, align=4)

    def load_one(self, numbers: ir.Value, index: ir.Value) -> Any:
        """Return a number of an array."""
        return self.builder.load(self.builder.gep(numbers, [index]))

    def add_to_one(self, numbers: ir.Value, index: ir.Value, number: ir.Value) -> None:
        """Add to a number of an array."""
        place = self.builder.gep(numbers, [index])
        self.builder.store(self.builder.fadd(self.builder.load(place), number), place)

    def accumulator(self, n_numbers: int) -> list[Any]:
        """Return an accumulator for a row of numbers, initially 0. It stays in registers during a loop."""
        return [cgutils.alloca_once_value(self.builder, _all(0.0)) for _ in range(0, n_numbers, LANES)]

    def add_to(self, accumulator: list[Any], vectors: Vectors) -> None:
        """Add vectors to an accumulator."""
        for place, vector in zip(accumulator, vectors, strict=True):
            self.builder.store(self.builder.fadd(self.builder.load(place), vector), place)

    def read_accumulator(self, accumulator: list[Any]) -> Vectors:
        """Return the vectors of an accumulator."""
        return [self.builder.load(place) for place in accumulator]

    def joined(self, one: Vectors, other: Vectors) -> Vectors:
        """Return a row with the numbers of two rows."""
        return one + other

    def add(self, one: Vectors, other: Vectors) -> Vectors:
        """Return the sums of two rows."""
        return [self.builder.fadd(*pair) for pair in zip(one, other, strict=True)]

    def subtract(self, one: Vectors, other: Vectors) -> Vectors:
        """Return the difference of two rows."""
        return [self.builder.fsub(*pair) for pair in zip(one, other, strict=True)]

    def multiply(self, one: Vectors, other: Vectors) -> Vectors:
        """Return the products of two rows, number by number."""
        return [self.builder.fmul(*pair) for pair in zip(one, other, strict=True)]

    def scale(self, number: ir.Value, vectors: Vectors) -> Vectors:
        """Return a row times a number."""
        return self.multiply([self._spread(number)] * len(vectors), vectors)

    def subtract_number(self, vectors: Vectors, number: ir.Value) -> Vectors:
        """Return a row minus a number."""
        return self.subtract(vectors, [self._spread(number)] * len(vectors))

    def frexp(self, vectors: Vectors) -> tuple[Vectors, Vectors]:
        """Return the fractions in [0.5, 1) and the exponents of 2 of positive numbers, both as float32."""
        bits = [self.builder.bitcast(vector, _INT_VECTOR) for vector in vectors]
        powers = [self.builder.sub(self.builder.ashr(one, _all_int(23)), _all_int(126)) for one in bits]
        digits = [self.builder.and_(one, _all_int(_MANTISSA)) for one in bits]
        parts = [self._as_floats(self.builder.or_(one, _all_int(_HALF))) for one in digits]
        return parts, [self.builder.sitofp(one, _VECTOR) for one in powers]

    def ldexp(self, vectors: Vectors, powers: Vectors) -> Vectors:
        """Return numbers times 2 ** ``powers``. Powers are whole numbers from -126 to 127."""
        whole = [self.builder.add(self.builder.fptosi(power, _INT_VECTOR), _all_int(127)) for power in powers]
        return self.multiply(vectors, [self._as_floats(self.builder.shl(one, _all_int(23))) for one in whole])

    def are_above(self, number: float, vectors: Vectors) -> Tests:
        """Return for each number of a row whether it is above a constant."""
        return [self.builder.fcmp_ordered(">", vector, _all(number)) for vector in vectors]

    def are_in(self, mask: ir.Value, n_vectors: int) -> Tests:
        """Return, for each number of a row, whether the bit of the same index is set in a mask."""
        bits = ir.VectorType(ir.IntType(1), LANES)
        shifted = [self.builder.lshr(mask, _INT(LANES * number)) for number in range(n_vectors)]
        return [self.builder.bitcast(self.builder.trunc(one, ir.IntType(LANES)), bits) for one in shifted]

    def row_of(self, number: float, like: Vectors) -> Vectors:
        """Return a row of a constant with the length of ``like``."""
        return [_all(number)] * len(like)

    def first(self, vectors: Vectors) -> Any:
        """Return the first number of a row."""
        return self.builder.extract_element(vectors[0], _LANE(0))

    def every(self, number: ir.Value) -> Vectors:
        """Return a row of one vector, with a number in all lanes."""
        return [self._spread(number)]

    def where(self, tests: Tests, vectors: Vectors, otherwise: float | Vectors = 0.0) -> Vectors:
        """Return ``vectors`` where ``tests`` hold, ``otherwise`` elsewhere."""
        others = otherwise if isinstance(otherwise, list) else [_all(otherwise)] * len(vectors)
        return [self.builder.select(*each) for each in zip(tests, vectors, others, strict=True)]

    def highest(self, vectors: Vectors) -> Any:
        """Return the highest number of a row."""
        return self._folded(vectors, self._higher)

    def total(self, vectors: Vectors) -> Any:
        """Return the sum of a row. Add its vectors in order, then the halves of the result, down to one number."""
        return self._folded(vectors, self.builder.fadd)

    def plus(self, number: ir.Value, other: int) -> Any:
        """Return an integer plus a constant."""
        return self.builder.add(number, _INT(other))

    def row_start(self, first: ir.Value, index: ir.Value, width: int) -> Any:
        """Return the start of row ``index`` of a table that starts at ``first``."""
        return self.builder.add(first, self.builder.mul(index, _INT(width)))

    def each_bit(self, mask: ir.Value, write: Callable[[Any], object]) -> None:
        """Write a loop over the set bits of a mask, from the lowest. ``write(bit)`` writes its body."""
        left = cgutils.alloca_once_value(self.builder, mask)
        begin, body, end = (self.builder.append_basic_block(name) for name in ("bits", "bit", "done"))
        self.builder.branch(begin)
        self.builder.position_at_end(begin)
        bits = self.builder.load(left)
        self.builder.cbranch(self.builder.icmp_unsigned("!=", bits, _INT(0)), body, end)
        self.builder.position_at_end(body)
        self.builder.store(self.builder.and_(bits, self.builder.sub(bits, _INT(1))), left)
        write(self.builder.cttz(bits, _TRUE))
        self.builder.branch(begin)
        self.builder.position_at_end(end)

    def each_not_zero(self, bytes_: ir.Value, n: int, write: Callable[[Any], object]) -> None:
        """Write a loop over the indices of the nonzero numbers among ``n`` int8. ``write(index)`` writes its body.

        ``n`` is at least WORD, the numbers compared in one step.
        """
        assert n >= WORD, "no word of numbers"
        for start in range(0, n, WORD):
            # The last word overlaps the word before. The shift drops the numbers that were visited already.
            n_visited = max(start + WORD - n, 0)
            place = self.builder.gep(bytes_, [_INT(start - n_visited)])
            word = self.builder.bitcast(place, ir.VectorType(_BYTE, WORD).as_pointer())
            nothing = ir.Constant(ir.VectorType(_BYTE, WORD), [0] * WORD)
            mask = self.builder.bitcast(self.builder.icmp_signed("!=", self.builder.load(word, align=1), nothing), _INT)
            self.each_bit(self.builder.lshr(mask, _INT(n_visited)), partial(self._write_for, write, start))

    def _write_for(self, write: Callable[[Any], object], start: int, bit: ir.Value) -> None:
        write(self.plus(bit, start))

    def to_float(self, number: ir.Value) -> Any:
        """Return an integer as a float32."""
        return self.builder.sitofp(number, _FLOAT)

    def product(self, one: ir.Value, other: ir.Value) -> Any:
        """Return the product of two float32."""
        return self.builder.fmul(one, other)

    def inverse(self, number: ir.Value) -> Any:
        """Return 1 divided by a float32."""
        return self.builder.fdiv(_FLOAT(1.0), number)

    def _folded(self, vectors: Vectors, one_of: Callable[[Any, Any], Any]) -> Any:
        """Reduce a row. Combine its vectors in order, then the halves of the result, down to one number."""
        folded = reduce(one_of, vectors)
        left = LANES // 2
        while left:
            halves = [self._shuffled(folded, list(range(first, first + left))) for first in (0, left)]
            folded = one_of(*halves)
            left //= 2
        return self.builder.extract_element(folded, _LANE(0))

    def _higher(self, one: ir.Value, other: ir.Value) -> Any:
        return self.builder.select(self.builder.fcmp_ordered(">", one, other), one, other)

    def _as_floats(self, bits: ir.Value) -> Any:
        return self.builder.bitcast(bits, _VECTOR)

    def _spread(self, number: ir.Value) -> Any:
        first = self.builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), number, _LANE(0))
        return self._shuffled(first, [0] * LANES)

    def _places(self, numbers: ir.Value, start: ir.Value, width: int) -> list[Any]:
        return [
            self.builder.bitcast(self.builder.gep(numbers, [self.plus(start, lane)]), _VECTOR.as_pointer())
            for lane in range(0, width, LANES)
        ]

    def _shuffled(self, vector: ir.Value, lanes: list[int]) -> Any:
        order = ir.Constant(ir.VectorType(_LANE, len(lanes)), lanes)
        return self.builder.shuffle_vector(vector, ir.Constant(vector.type, ir.Undefined), order)


class NumpyBuilder:
    """Builder that computes a loop with NumPy. It has the methods of `LoopBuilder`; a row is an array of float32."""

    zero = 0

    def load(self, numbers: Numbers, start: int, width: int) -> Numbers:
        return numbers[start : start + width].copy()

    def store(self, numbers: Numbers, start: int, row: Numbers) -> None:
        numbers[start : start + len(row)] = row

    def load_one(self, numbers: Numbers, index: int) -> Any:
        return numbers[index]

    def add_to_one(self, numbers: Numbers, index: int, number: np.float32) -> None:
        numbers[index] += number

    def accumulator(self, n_numbers: int) -> Numbers:
        return np.zeros(n_numbers, np.float32)

    def add_to(self, accumulator: Numbers, row: Numbers) -> None:
        accumulator += row

    def read_accumulator(self, accumulator: Numbers) -> Numbers:
        return accumulator

    def joined(self, one: Numbers, other: Numbers) -> Numbers:
        return np.concatenate([one, other])

    def add(self, one: Numbers, other: Numbers) -> Numbers:
        return one + other

    def subtract(self, one: Numbers, other: Numbers) -> Numbers:
        return one - other

    def multiply(self, one: Numbers, other: Numbers) -> Numbers:
        return one * other

    def scale(self, number: float, row: Numbers) -> Numbers:
        return np.float32(number) * row

    def subtract_number(self, row: Numbers, number: np.float32) -> Numbers:
        return row - number

    def frexp(self, row: Numbers) -> tuple[Numbers, Numbers]:
        parts, powers = np.frexp(row)
        return parts, powers.astype(np.float32)

    def ldexp(self, row: Numbers, powers: Numbers) -> Numbers:
        return np.ldexp(row, powers.astype(np.int32)).astype(np.float32)

    def are_above(self, number: float, row: Numbers) -> npt.NDArray[np.bool_]:
        return row > np.float32(number)

    def are_in(self, mask: int, n_vectors: int) -> npt.NDArray[np.bool_]:
        return np.array([int(mask) >> place & 1 for place in range(n_vectors * LANES)], np.bool_)

    def row_of(self, number: float, like: Numbers) -> Numbers:
        return np.full_like(like, number)

    def first(self, row: Numbers) -> Any:
        return row[0]

    def every(self, number: float) -> Numbers:
        return np.full(LANES, number, np.float32)

    def where(
        self, tests: npt.NDArray[np.bool_], row: Numbers, otherwise: "float | Numbers" = 0.0
    ) -> npt.NDArray[np.float32]:
        return np.where(tests, row, np.asarray(otherwise, np.float32))

    def highest(self, row: Numbers) -> Any:
        return row.max()

    def total(self, row: Numbers) -> Any:
        left = reduce(np.add, row.reshape(-1, LANES))
        while len(left) > 1:
            left = left[: len(left) // 2] + left[len(left) // 2 :]
        return left[0]

    def plus(self, number: int, other: int) -> int:
        return number + other

    def row_start(self, first: int, index: int, width: int) -> int:
        return int(first) + int(index) * width

    def each_bit(self, mask: int, write: Callable[[int], object]) -> None:
        for bit in range(int(mask).bit_length()):
            if int(mask) >> bit & 1:
                write(bit)

    def each_not_zero(self, bytes_: npt.NDArray[np.int8], n: int, write: Callable[[int], object]) -> None:
        for index in np.flatnonzero(bytes_[:n]):
            write(int(index))

    def to_float(self, number: int) -> np.float32:
        return np.float32(number)

    def product(self, one: np.float32, other: np.float32) -> np.float32:
        return one * other

    def inverse(self, number: np.float32) -> np.float32:
        return np.float32(1.0) / number


def _all(number: float, lanes: int = LANES) -> Any:
    """Return a constant vector of a number."""
    return ir.Constant(ir.VectorType(_FLOAT, lanes), [number] * lanes)


def _all_int(number: int) -> Any:
    """Return a constant vector of an int32."""
    return ir.Constant(_INT_VECTOR, [number] * LANES)


def simd_kernel(write: Callable[..., object], *, returns: types.Type = types.void) -> Any:
    """Return an intrinsic that runs a loop. Kernels call it with arrays and numbers.

    ``write(builder, *builder.arguments)`` generates the loop. ``returns`` is the type of its result: void or NUMBER.
    Without compilation return `in_numpy(write)`.
    """
    if not COMPILED:
        return in_numpy(write)

    def generate(context: BaseContext, builder: ir.IRBuilder, called: Signature, arguments: Sequence[ir.Value]) -> Any:
        writer = LoopBuilder(context, builder, called.args, arguments)
        found = write(writer, *writer.arguments)
        return context.get_dummy_value() if found is None else found

    def call(_: typing.Context, *kinds: types.Type) -> Any:
        """Return the signature and the code of the call. Return None if an array is not contiguous."""
        if any(isinstance(kind, types.Array) and kind.layout != "C" for kind in kinds):
            return None
        return returns(*map(_argument_type, kinds)), generate

    # Numba inspects the number of parameters and does not support `*kinds`.
    call.__signature__ = signature(write)  # type: ignore[attr-defined]
    return intrinsic(call)


def in_numpy(write: Callable[..., object]) -> Callable[..., Any]:
    """Return a function that computes a loop with NumPy."""
    return partial(write, NumpyBuilder())


def _argument_type(kind: types.Type) -> Any:
    """Return the type of a loop's argument: floats become float32, integers int64."""
    if isinstance(kind, types.Array):
        return kind
    return NUMBER if isinstance(kind, types.Float) else types.int64


MIN_POWER = -87.0
"""Minimum power of e. Lower powers are raised to it, because their results would be no normal float32."""

LOG2_E = 1.44269504
"""log2(e)."""

LN_2_HIGH = 0.693359375
"""The first digits of ln(2). There are few, so that the product with an exponent is exact."""

LN_2_LOW = -2.12194440e-4
"""ln(2) - LN_2_HIGH."""

ROUNDER = 1.5 * 2.0**23
"""Adding it to a float32 and subtracting it again rounds to the nearest integer."""

EXP_FACTORS = (1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1)
"""Coefficients of a polynomial for exp near 0, from the highest power."""

LOG_FACTORS = (
    7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
    2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
)  # fmt: skip
"""Coefficients of a polynomial for log near 1, from the highest power."""

ROOT_OF_HALF = 0.70710677


def write_exp(builder: LoopBuilder, powers: Vectors) -> Vectors:
    """Write e to the power of each number. Powers are at most 88."""
    row = _rows(builder, powers)
    powers = builder.where(builder.are_above(MIN_POWER, powers), powers, MIN_POWER)
    twos = builder.subtract(builder.add(builder.multiply(powers, row(LOG2_E)), row(ROUNDER)), row(ROUNDER))
    rest = builder.subtract(powers, builder.multiply(twos, row(LN_2_HIGH)))
    rest = builder.subtract(rest, builder.multiply(twos, row(LN_2_LOW)))
    found = builder.multiply(_write_polynomial(builder, EXP_FACTORS, rest), builder.multiply(rest, rest))
    return builder.ldexp(builder.add(builder.add(found, rest), row(1.0)), twos)


def write_log(builder: LoopBuilder, numbers: Vectors) -> Vectors:
    """Write the natural logarithm of each number. Numbers are positive and not denormal."""
    row = _rows(builder, numbers)
    part, twos = builder.frexp(numbers)
    is_high = builder.are_above(ROOT_OF_HALF, part)
    power = builder.subtract(twos, builder.where(is_high, row(0.0), 1.0))
    rest = builder.subtract(builder.where(is_high, part, builder.add(part, part)), row(1.0))
    square = builder.multiply(rest, rest)
    found = builder.multiply(_write_polynomial(builder, LOG_FACTORS, rest), builder.multiply(rest, square))
    found = builder.add(found, builder.multiply(power, row(LN_2_LOW)))
    found = builder.add(rest, builder.subtract(found, builder.multiply(square, row(0.5))))
    return builder.add(found, builder.multiply(power, row(LN_2_HIGH)))


def _write_polynomial(builder: LoopBuilder, factors: Sequence[float], rest: Vectors) -> Vectors:
    row = _rows(builder, rest)
    found = row(factors[0])
    for factor in factors[1:]:
        found = builder.add(builder.multiply(found, rest), row(factor))
    return found


def _rows(builder: LoopBuilder, like: Vectors) -> Callable[[float], Vectors]:
    """Return a function that makes a row of a constant with the length of ``like``."""
    return lambda number: builder.row_of(number, like)


def _write_exp(builder: LoopBuilder, power: ir.Value) -> Any:
    return builder.first(write_exp(builder, builder.every(power)))


def _write_log(builder: LoopBuilder, number: ir.Value) -> Any:
    return builder.first(write_log(builder, builder.every(number)))


# For kernels: the exponential and the logarithm of one number, as float32.
exp: Any = simd_kernel(_write_exp, returns=NUMBER)
log: Any = simd_kernel(_write_log, returns=NUMBER)
