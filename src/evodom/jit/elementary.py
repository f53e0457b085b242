"""The exponential and the logarithm, for kernels: those of the C library differ in the last digit between machines.

Each is told twice, in plain NumPy and for a processor's vectors, and to the last bit the result is the same. The
polynomials are those of `expf` and `logf` in the Cephes library (Moshier 1992), right to seven digits.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from llvmlite import ir

from evodom.jit.kernel import COMPILED
from evodom.jit.vectors import NUMBER, Numbers, Vectors, Writer, written

LEAST_POWER = -87.0
"""Lower powers of e count as this one: what they come to would be no normal float32."""

LOG2_E, LN_2_HIGH, LN_2_LOW = 1.44269504, 0.693359375, -2.12194440e-4
"""The logarithm of 2 is in two parts: the first has so few digits that its product with a power of two is exact."""

ROUNDER = 1.5 * 2.0**23
"""Added to a float32 and taken away again, it leaves the nearest integer."""

EXP = (1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1)
LOG = (
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
"""The factors of a polynomial, from that of the highest power: of e to a small power, and of the logarithm near 1."""

ROOT_OF_HALF = 0.70710677


def exp_plainly(powers: Numbers) -> Numbers:
    """Return e to the power of each number, at most 88."""
    powers = np.maximum(powers, np.float32(LEAST_POWER))
    twos = (powers * np.float32(LOG2_E) + np.float32(ROUNDER)) - np.float32(ROUNDER)
    rest = (powers - twos * np.float32(LN_2_HIGH)) - twos * np.float32(LN_2_LOW)
    found = (_polynomial(EXP, rest) * (rest * rest) + rest) + np.float32(1.0)
    scaled: Numbers = np.ldexp(found, twos.astype(np.int32))
    return scaled


def write_exp(write: Writer, powers: Vectors) -> Vectors:
    """Write what `exp_plainly` does."""
    row = _rows(write, powers)
    powers = write.where(write.are_above(LEAST_POWER, powers), powers, LEAST_POWER)
    twos = write.subtract(write.add(write.multiply(powers, row(LOG2_E)), row(ROUNDER)), row(ROUNDER))
    rest = write.subtract(powers, write.multiply(twos, row(LN_2_HIGH)))
    rest = write.subtract(rest, write.multiply(twos, row(LN_2_LOW)))
    found = write.multiply(_write_polynomial(write, EXP, rest), write.multiply(rest, rest))
    return write.ldexp(write.add(write.add(found, rest), row(1.0)), twos)


def log_plainly(numbers: Numbers) -> Numbers:
    """Return the natural logarithm of each number, which is positive and not denormal."""
    part, twos = np.frexp(numbers)
    is_high = part > np.float32(ROOT_OF_HALF)
    power = twos.astype(np.float32) - np.where(is_high, np.float32(0.0), np.float32(1.0))
    rest = np.where(is_high, part, part + part) - np.float32(1.0)
    square = rest * rest
    found = _polynomial(LOG, rest) * (rest * square) + power * np.float32(LN_2_LOW)
    total: Numbers = (rest + (found - square * np.float32(0.5))) + power * np.float32(LN_2_HIGH)
    return total


def write_log(write: Writer, numbers: Vectors) -> Vectors:
    """Write what `log_plainly` does."""
    row = _rows(write, numbers)
    part, twos = write.frexp(numbers)
    is_high = write.are_above(ROOT_OF_HALF, part)
    power = write.subtract(twos, write.where(is_high, row(0.0), 1.0))
    rest = write.subtract(write.where(is_high, part, write.add(part, part)), row(1.0))
    square = write.multiply(rest, rest)
    found = write.multiply(_write_polynomial(write, LOG, rest), write.multiply(rest, square))
    found = write.add(found, write.multiply(power, row(LN_2_LOW)))
    found = write.add(rest, write.subtract(found, write.multiply(square, row(0.5))))
    return write.add(found, write.multiply(power, row(LN_2_HIGH)))


def _polynomial(factors: Sequence[float], rest: Numbers) -> Numbers:
    found: Numbers = np.full_like(rest, factors[0])
    for factor in factors[1:]:
        found = found * rest + np.float32(factor)
    return found


def _write_polynomial(write: Writer, factors: Sequence[float], rest: Vectors) -> Vectors:
    row = _rows(write, rest)
    found = row(factors[0])
    for factor in factors[1:]:
        found = write.add(write.multiply(found, rest), row(factor))
    return found


def _rows(write: Writer, like: Vectors) -> Callable[[float], Vectors]:
    """Return what makes a row of one constant, as long as another."""
    return lambda number: write.row_of(number, like)


def _write_exp(write: Writer, power: ir.Value) -> Any:
    return write.first(write_exp(write, write.every(power)))


def _write_log(write: Writer, number: ir.Value) -> Any:
    return write.first(write_log(write, write.every(number)))


def _of_one(function: Callable[[Numbers], Numbers]) -> Callable[[Any], Any]:
    """Return a function of a row as one of a number."""
    return lambda number: function(np.array([number], np.float32))[0]


exp: Any = written(_write_exp, returns=NUMBER) if COMPILED else _of_one(exp_plainly)
log: Any = written(_write_log, returns=NUMBER) if COMPILED else _of_one(log_plainly)
"""For kernels: the exponential and the logarithm of one number, as float32."""
