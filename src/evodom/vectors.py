"""Loops over rows of numbers, written for a processor's vectors: for kernels in which such a loop is most of the work.

Numba makes vectors of a loop over an array, but keeps what it adds up in memory, and compares the bounds of each row.
Here a row lies in vectors of LANES numbers that stay in registers while other rows go by. Nothing looks at bounds:
whoever calls sees to it that the rows are there.
"""

from collections.abc import Callable, Sequence
from functools import partial, reduce
from inspect import signature
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from evodom.kernel import COMPILED

LANES = 16
"""Numbers in a vector; a processor whose registers are shorter takes several."""

WORD = 64
"""Bits of a mask, and numbers that are compared with 0 at once."""

_FLOAT, _BYTE, _INT, _LANE = ir.FloatType(), ir.IntType(8), ir.IntType(64), ir.IntType(32)
_TRUE = ir.IntType(1)(1)
_VECTOR, _WHOLE = ir.VectorType(_FLOAT, LANES), ir.VectorType(_LANE, LANES)

NUMBER = types.float32

Vectors = list[Any]
"""A row of float32, in vectors."""

Tests = list[Any]
"""Of each number of a row whether something holds."""

Numbers = npt.NDArray[np.float32]

LEAST_POWER = -87.0
"""e to the power of this is the smallest that `exp` comes to: lower powers count as this one."""

_LOG2_E, _LN_2_HIGH, _LN_2_LOW = 1.44269504, 0.693359375, -2.12194440e-4
_ROUNDER = 1.5 * 2.0**23
"""Added to a float32 and taken away again, it leaves the nearest integer."""

_POWERS = (1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1)
"""e to a small power as a polynomial, from the seventh power down to the square: Moshier's Cephes library, `expf`."""


def exp_plainly(powers: Numbers) -> Numbers:
    """Return e to the power of each number, at most 88, to seven digits; the same bits on every machine."""
    one, rounder = np.float32(1.0), np.float32(_ROUNDER)
    powers = np.maximum(powers, np.float32(LEAST_POWER))
    twos = (powers * np.float32(_LOG2_E) + rounder) - rounder
    rest = (powers - twos * np.float32(_LN_2_HIGH)) - twos * np.float32(_LN_2_LOW)
    found: Numbers = np.full_like(rest, _POWERS[0])
    for factor in _POWERS[1:]:
        found = found * rest + np.float32(factor)
    found = (found * (rest * rest) + rest) + one
    found *= ((twos.astype(np.int32) + 127) << 23).view(np.float32)
    return found


_LOGS = (
    7.0376836292e-2,
    -1.1514610310e-1,
    1.1676998740e-1,
    -1.2420140846e-1,
    1.4249322787e-1,
    -1.6668057665e-1,
    2.0000714765e-1,
    -2.4999993993e-1,
    3.3333331174e-1,
)
"""The logarithm near 1 as a polynomial, from the eleventh power down to the third: the same library, `logf`."""

_ROOT_OF_HALF = 0.70710677
_HALF_BITS, _FRACTION_BITS = 0x3F000000, 0x007FFFFF
"""A float32 of one half as an integer, and the bits of its fraction."""


def log_plainly(numbers: Numbers) -> Numbers:
    """Return the natural logarithm of positive numbers that are not denormal, to seven digits, everywhere the same."""
    bits = numbers.view(np.int32)
    twos = (bits >> 23) - 126
    part = ((bits & _FRACTION_BITS) | _HALF_BITS).view(np.float32)
    is_low = part < np.float32(_ROOT_OF_HALF)
    exponent = np.where(is_low, twos - 1, twos).astype(np.float32)
    rest = np.where(is_low, part + part, part) - np.float32(1.0)
    found: Numbers = np.full_like(rest, _LOGS[0])
    for factor in _LOGS[1:]:
        found = found * rest + np.float32(factor)
    square = rest * rest
    found = found * (rest * square) + exponent * np.float32(_LN_2_LOW)
    return (rest + (found - square * np.float32(0.5))) + exponent * np.float32(_LN_2_HIGH)


def total_plainly(numbers: Numbers) -> np.float32:
    """Return the sum of a row: its vectors one after the other, then the halves of what is left, down to one number."""
    left = reduce(np.add, numbers.reshape(-1, LANES))
    while len(left) > 1:
        left = left[: len(left) // 2] + left[len(left) // 2 :]
    return np.float32(left[0])


class Writer:
    """Writes the intermediate code of a loop. Of ``arguments``, what kernels call it with, arrays are their data."""

    zero = _INT(0)

    def __init__(self, context: Any, builder: Any, kinds: Sequence[Any], arguments: Sequence[Any]) -> None:
        self.builder = builder
        self.arguments = [
            context.make_array(kind)(context, builder, value).data if isinstance(kind, types.Array) else value
            for kind, value in zip(kinds, arguments, strict=True)
        ]

    def load(self, numbers: Any, start: Any, width: int) -> Vectors:
        """Return ``width`` float32 from number ``start`` of an array."""
        return [self.builder.load(place, align=4) for place in self._places(numbers, start, width)]

    def store(self, numbers: Any, start: Any, vectors: Vectors) -> None:
        """Write vectors from number ``start`` of an array."""
        for place, vector in zip(self._places(numbers, start, LANES * len(vectors)), vectors, strict=True):
            self.builder.store(vector, place, align=4)

    def load_one(self, numbers: Any, index: Any) -> Any:
        """Return a number of an array."""
        return self.builder.load(self.builder.gep(numbers, [index]))

    def add_to_one(self, numbers: Any, index: Any, number: Any) -> None:
        """Add to a number of an array."""
        place = self.builder.gep(numbers, [index])
        self.builder.store(self.builder.fadd(self.builder.load(place), number), place)

    def room(self, n_numbers: int, lanes: int = LANES) -> list[Any]:
        """Return room for a row of numbers, all 0, that stays in registers while a loop adds to it."""
        return [cgutils.alloca_once_value(self.builder, _all(0.0, lanes)) for _ in range(0, n_numbers, lanes)]

    def add_to(self, room: list[Any], vectors: Vectors) -> None:
        """Add vectors to what is in a room."""
        for place, vector in zip(room, vectors, strict=True):
            self.builder.store(self.builder.fadd(self.builder.load(place), vector), place)

    def content(self, room: list[Any]) -> Vectors:
        """Return what is in a room."""
        return [self.builder.load(place) for place in room]

    def add(self, one: Vectors, other: Vectors) -> Vectors:
        """Return the sums of two rows."""
        return [self.builder.fadd(*pair) for pair in zip(one, other, strict=True)]

    def multiply(self, one: Vectors, other: Vectors) -> Vectors:
        """Return the products of two rows, number by number."""
        return [self.builder.fmul(*pair) for pair in zip(one, other, strict=True)]

    def scale(self, number: Any, vectors: Vectors) -> Vectors:
        """Return a row times a number."""
        return self.multiply([self._spread(number)] * len(vectors), vectors)

    def lower(self, number: Any, vectors: Vectors) -> Vectors:
        """Return a row with a number taken away from each of its numbers."""
        return self._subtract(vectors, [self._spread(number)] * len(vectors))

    def exp(self, vectors: Vectors) -> Vectors:
        """Return what `exp_plainly` does of each number of a row, to the last bit."""
        builder, n = self.builder, len(vectors)
        vectors = self.where(
            [builder.fcmp_ordered(">", one, _all(LEAST_POWER)) for one in vectors], vectors, LEAST_POWER
        )
        rounder = [_all(_ROUNDER)] * n
        twos = self._subtract(self.add(self._times(_LOG2_E, vectors), rounder), rounder)
        rest = self._subtract(vectors, self._times(_LN_2_HIGH, twos))
        rest = self._subtract(rest, self._times(_LN_2_LOW, twos))
        found = self.add(self.multiply(self._polynomial(_POWERS, rest), self.multiply(rest, rest)), rest)
        return self.multiply(self.add(found, [_all(1.0)] * n), [self._power_of_two(one) for one in twos])

    def log(self, vectors: Vectors) -> Vectors:
        """Return what `log_plainly` does of each number of a row, to the last bit."""
        builder = self.builder
        bits = [builder.bitcast(one, _WHOLE) for one in vectors]
        twos = [builder.sub(builder.ashr(one, _all_whole(23)), _all_whole(126)) for one in bits]
        parts = [builder.or_(builder.and_(one, _all_whole(_FRACTION_BITS)), _all_whole(_HALF_BITS)) for one in bits]
        part = [builder.bitcast(one, _VECTOR) for one in parts]
        is_low = [builder.fcmp_ordered("<", one, _all(_ROOT_OF_HALF)) for one in part]
        lower = [builder.sub(one, _all_whole(1)) for one in twos]
        exponent = [builder.sitofp(one, _VECTOR) for one in self.where(is_low, lower, twos)]
        rest = self._subtract(self.where(is_low, self.add(part, part), part), [_all(1.0)] * len(part))
        square = self.multiply(rest, rest)
        found = self.multiply(self._polynomial(_LOGS, rest), self.multiply(rest, square))
        found = self._subtract(self.add(found, self._times(_LN_2_LOW, exponent)), self._times(0.5, square))
        return self.add(self.add(rest, found), self._times(_LN_2_HIGH, exponent))

    def are_positive(self, vectors: Vectors) -> Tests:
        """Tell which numbers of a row are above 0."""
        return [self.builder.fcmp_ordered(">", vector, _all(0.0)) for vector in vectors]

    def are_in(self, mask: Any, n_vectors: int) -> Tests:
        """Tell which places of a row stand in a mask."""
        bits = ir.VectorType(ir.IntType(1), LANES)
        shifted = [self.builder.lshr(mask, _INT(LANES * number)) for number in range(n_vectors)]
        return [self.builder.bitcast(self.builder.trunc(one, ir.IntType(LANES)), bits) for one in shifted]

    def first(self, vectors: Vectors) -> Any:
        """Return the first number of a row."""
        return self.builder.extract_element(vectors[0], _LANE(0))

    def every(self, number: Any) -> Vectors:
        """Return a vector of one number, over and over."""
        return [self._spread(number)]

    def where(self, tests: Tests, vectors: Vectors, otherwise: float | Vectors = 0.0) -> Vectors:
        """Return a row where tests hold, and elsewhere a number or another row."""
        others = otherwise if isinstance(otherwise, list) else [_all(otherwise)] * len(vectors)
        return [self.builder.select(*each) for each in zip(tests, vectors, others, strict=True)]

    def highest(self, vectors: Vectors) -> Any:
        """Return the highest number of a row."""
        return self._folded(vectors, self._higher)

    def total(self, vectors: Vectors) -> Any:
        """Return what `total_plainly` does of a row, to the last bit."""
        return self._folded(vectors, self.builder.fadd)

    def plus(self, number: Any, other: int) -> Any:
        """Return an integer plus a constant."""
        return self.builder.add(number, _INT(other))

    def row_start(self, first: Any, index: Any, width: int) -> Any:
        """Return where row ``index`` of a table begins that begins at ``first``."""
        return self.builder.add(first, self.builder.mul(index, _INT(width)))

    def each_bit(self, mask: Any, write: Callable[[Any], object]) -> None:
        """Have ``write`` write what is done for each bit of a mask, from the lowest; it is given the bit's number."""
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

    def each_not_zero(self, bytes_: Any, n: int, write: Callable[[Any], object]) -> None:
        """Have ``write`` write what is done for each of ``n`` int8 that is not 0, in order; it is given its number.

        ``n`` is at least WORD: so many are looked at together.
        """
        assert n >= WORD, "no word of numbers"
        for start in range(0, n, WORD):
            # The last word reaches back over numbers that were looked at already, and are left out.
            again = max(start + WORD - n, 0)
            place = self.builder.gep(bytes_, [_INT(start - again)])
            word = self.builder.bitcast(place, ir.VectorType(_BYTE, WORD).as_pointer())
            nothing = ir.Constant(ir.VectorType(_BYTE, WORD), [0] * WORD)
            mask = self.builder.bitcast(self.builder.icmp_signed("!=", self.builder.load(word, align=1), nothing), _INT)
            self.each_bit(self.builder.lshr(mask, _INT(again)), partial(self._write_for, write, start))

    def _write_for(self, write: Callable[[Any], object], start: int, bit: Any) -> None:
        write(self.plus(bit, start))

    def to_float(self, number: Any) -> Any:
        """Return an integer as a float32."""
        return self.builder.sitofp(number, _FLOAT)

    def product(self, one: Any, other: Any) -> Any:
        """Return the product of two float32."""
        return self.builder.fmul(one, other)

    def inverse(self, number: Any) -> Any:
        """Return 1 divided by a float32."""
        return self.builder.fdiv(_FLOAT(1.0), number)

    def _subtract(self, one: Vectors, other: Vectors) -> Vectors:
        return [self.builder.fsub(*pair) for pair in zip(one, other, strict=True)]

    def _folded(self, vectors: Vectors, one_of: Callable[[Any, Any], Any]) -> Any:
        """Return what a row comes to, vector after vector, then the halves of what is left, down to one number."""
        folded = reduce(one_of, vectors)
        left = LANES // 2
        while left:
            halves = [self._shuffled(folded, list(range(first, first + left))) for first in (0, left)]
            folded = one_of(*halves)
            left //= 2
        return self.builder.extract_element(folded, _LANE(0))

    def _times(self, number: float, vectors: Vectors) -> Vectors:
        return [self.builder.fmul(vector, _all(number)) for vector in vectors]

    def _polynomial(self, factors: Sequence[float], rest: Vectors) -> Vectors:
        """Return a polynomial of each number, whose factors are given from that of the highest power."""
        found = [_all(factors[0])] * len(rest)
        for factor in factors[1:]:
            found = self.add(self.multiply(found, rest), [_all(factor)] * len(rest))
        return found

    def _higher(self, one: Any, other: Any) -> Any:
        return self.builder.select(self.builder.fcmp_ordered(">", one, other), one, other)

    def _power_of_two(self, vector: Any) -> Any:
        """Return 2 to the power of each whole number, from -126 to 127, by writing the exponents of float32."""
        exponents = self.builder.add(self.builder.fptosi(vector, _WHOLE), _all_whole(127))
        return self.builder.bitcast(self.builder.shl(exponents, _all_whole(23)), _VECTOR)

    def _spread(self, number: Any) -> Any:
        first = self.builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), number, _LANE(0))
        return self._shuffled(first, [0] * LANES)

    def _places(self, numbers: Any, start: Any, width: int) -> list[Any]:
        return [
            self.builder.bitcast(self.builder.gep(numbers, [self.plus(start, lane)]), _VECTOR.as_pointer())
            for lane in range(0, width, LANES)
        ]

    def _shuffled(self, vector: Any, lanes: list[int]) -> Any:
        order = ir.Constant(ir.VectorType(_LANE, len(lanes)), lanes)
        return self.builder.shuffle_vector(vector, ir.Constant(vector.type, ir.Undefined), order)


def _all(number: float, lanes: int = LANES) -> Any:
    """Return a vector of one number, over and over."""
    return ir.Constant(ir.VectorType(_FLOAT, lanes), [number] * lanes)


def _all_whole(number: int) -> Any:
    """Return a vector of one int32, over and over."""
    return ir.Constant(_WHOLE, [number] * LANES)


def written(write: Callable[..., object], *, returns: Any = types.void) -> Any:
    """Return what kernels call in place of a loop, with arrays, integers and numbers.

    ``write`` writes it: it is given a Writer, and each argument as `Writer.arguments` has it. Kernels get what
    it ``returns``: nothing, or a NUMBER.
    """

    def generate(context: Any, builder: Any, called: Any, arguments: Any) -> Any:
        writer = Writer(context, builder, called.args, arguments)
        found = write(writer, *writer.arguments)
        return context.get_dummy_value() if found is None else found

    def call(_: Any, *kinds: Any) -> Any:
        """Call the loop; with arrays whose numbers do not lie side by side nobody may."""
        if any(isinstance(kind, types.Array) and kind.layout != "C" for kind in kinds):
            return None
        return returns(*map(_given, kinds)), generate

    # Numba asks how many arguments there are, and it knows no `*kinds`.
    call.__signature__ = signature(write)  # type: ignore[attr-defined]
    return intrinsic(call)


def _given(kind: Any) -> Any:
    """Return as what a loop is given an argument of a kind: numbers as float32."""
    if isinstance(kind, types.Array):
        return kind
    return NUMBER if isinstance(kind, types.Float) else types.int64


def _write_exp(write: Writer, number: Any) -> Any:
    return write.first(write.exp(write.every(number)))


def _write_log(write: Writer, number: Any) -> Any:
    return write.first(write.log(write.every(number)))


def _of_one(function: Callable[[Numbers], Numbers]) -> Callable[[Any], Any]:
    """Return a function of a row as one of a number."""
    return lambda number: function(np.array([number], np.float32))[0]


exp: Any = written(_write_exp, returns=NUMBER) if COMPILED else _of_one(exp_plainly)
log: Any = written(_write_log, returns=NUMBER) if COMPILED else _of_one(log_plainly)
"""For kernels: e to the power of a number from -87 to 88, and the logarithm of a positive one, as float32.

Those of the C library differ in the last digit from machine to machine."""
