"""Loops over rows of numbers, written for a processor's vectors: for kernels in which such a loop is most of the work.

Numba makes vectors of a loop over an array, but keeps what it adds up in memory, and compares the bounds of each row.
Here a row lies in vectors of LANES numbers that stay in registers while other rows go by. Nothing looks at bounds:
whoever calls sees to it that the rows are there.
"""

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

LANES = 16
"""Numbers in a vector; a processor whose registers are shorter takes several."""

WORD = 64
"""Bits of a mask, and numbers that are compared with 0 at once."""

_FLOAT, _BYTE, _INT, _LANE = ir.FloatType(), ir.IntType(8), ir.IntType(64), ir.IntType(32)
_TRUE = ir.IntType(1)(1)

Vectors = list[Any]
"""A row of float32, in vectors."""


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
        nothing = ir.Constant(ir.VectorType(_FLOAT, lanes), [0.0] * lanes)
        return [cgutils.alloca_once_value(self.builder, nothing) for _ in range(0, n_numbers, lanes)]

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
        kind = vectors[0].type
        first = self.builder.insert_element(ir.Constant(kind, ir.Undefined), number, _LANE(0))
        spread = self._shuffled(first, [0] * LANES)
        return [self.builder.fmul(spread, vector) for vector in vectors]

    def where_positive(self, tested: Vectors, vectors: Vectors) -> Vectors:
        """Return the numbers of a row for which those of ``tested`` are above 0, and 0 for the others."""
        nothing = ir.Constant(tested[0].type, [0.0] * LANES)
        return [
            self.builder.select(self.builder.fcmp_ordered(">", test, nothing), vector, nothing)
            for test, vector in zip(tested, vectors, strict=True)
        ]

    def total(self, vectors: Vectors, n_sums: int) -> Any:
        """Return the sum of a row, summed in ``n_sums`` sums side by side, and those two by two."""
        [room] = self.room(n_sums, n_sums)
        for vector in vectors:
            for lane in range(0, LANES, n_sums):
                self.add_to([room], [self._shuffled(vector, list(range(lane, lane + n_sums)))])
        sums = [self.builder.extract_element(self.builder.load(room), _LANE(place)) for place in range(n_sums)]
        while len(sums) > 1:
            sums = [self.builder.fadd(*pair) for pair in zip(sums[::2], sums[1::2], strict=True)]
        return sums[0]

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

    def _places(self, numbers: Any, start: Any, width: int) -> list[Any]:
        kind = ir.VectorType(_FLOAT, LANES).as_pointer()
        return [
            self.builder.bitcast(self.builder.gep(numbers, [self.plus(start, lane)]), kind)
            for lane in range(0, width, LANES)
        ]

    def _shuffled(self, vector: Any, lanes: list[int]) -> Any:
        order = ir.Constant(ir.VectorType(_LANE, len(lanes)), lanes)
        return self.builder.shuffle_vector(vector, ir.Constant(vector.type, ir.Undefined), order)


def written(write: Callable[..., object]) -> Any:
    """Return what kernels call in place of a loop, with arrays and integers, and get nothing from.

    ``write`` writes it: it is given a Writer, and each argument as `Writer.arguments` has it.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        writer = Writer(context, builder, signature.args, arguments)
        write(writer, *writer.arguments)
        return context.get_dummy_value()

    def call(_: Any, *kinds: Any) -> Any:
        """Call the loop; with arrays whose numbers do not lie side by side nobody may."""
        if any(isinstance(kind, types.Array) and kind.layout != "C" for kind in kinds):
            return None
        given = [kind if isinstance(kind, types.Array) else types.int64 for kind in kinds]
        return types.void(*given), generate

    # Numba asks how many arguments there are, and it knows no `*kinds`.
    call.__signature__ = inspect.signature(write)  # type: ignore[attr-defined]
    return intrinsic(call)
