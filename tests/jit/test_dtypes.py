"""A record's dtype follows from the fields of its Protocol class."""

from typing import Annotated, Protocol

import numpy as np
import numpy.typing as npt

from evodom.jit.dtypes import record_dtype


class Declared(Protocol):
    n: int
    long: Annotated[int, "<i8"]
    weight: float
    counts: Annotated[npt.NDArray[np.signedinteger], 3]
    table: Annotated[npt.NDArray[np.signedinteger], "<i2", (2, 4)]
    shares: Annotated[npt.NDArray[np.float64], 2]
    key: Annotated[npt.NDArray[np.uint64], 1]
    bits: Annotated[npt.NDArray[np.int8], 2]
    other: Annotated[list[np.float64], 2]  # an alias with the number as its last argument, as NDArray of NumPy 2.5


def test_fields_have_their_types_and_shapes_in_order():
    assert record_dtype(Declared, "<i4").descr == [
        ("n", "<i4"),
        ("long", "<i8"),
        ("weight", "<f8"),
        ("counts", "<i4", (3,)),
        ("table", "<i2", (2, 4)),
        ("shares", "<f8", (2,)),
        ("key", "<u8", (1,)),
        ("bits", "|i1", (2,)),
        ("other", "<f8", (2,)),
    ]


def test_a_record_is_padded_to_a_multiple_of_a_unit():
    packed, padded = record_dtype(Declared, "<i4"), record_dtype(Declared, "<i4", unit=64)

    assert padded.descr == [*packed.descr, ("padding", "|i1", (padded.itemsize - packed.itemsize,))]
    assert (padded.itemsize, record_dtype(Declared, "<i4", unit=1)) == (128, packed)
