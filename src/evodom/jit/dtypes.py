"""Make the dtype of a record from the annotations of its Protocol class. Numba is not imported."""

from typing import Any, Protocol, Self, get_args, get_type_hints

import numpy as np


class Record(Protocol):
    """A record of NumPy with named fields. A subclass declares the type and the shape of each field."""

    def __getitem__(self, field: str) -> Any:
        """Return a field."""

    def __setitem__(self, field: str, value: object) -> None:
        """Set a field."""

    def copy(self) -> Self:
        """Return a copy."""

    def tobytes(self) -> bytes:
        """Return the bytes of the record."""


def record_dtype(declared: type, integer: str, unit: int = 1) -> "np.dtype[np.void]":
    """Return the dtype of the records declared by a Protocol class.

    The annotation of a field is `int`, `float` or, for an array, `Annotated[NDArray[...], shape]`. The dtype of a field
    is the string or the dtype in `Annotated`. Without one, `int` and arrays of any integer type have the dtype
    ``integer``, and an array of a concrete type such as `np.int64` has that type.
    The field `padding` makes the size a multiple of `unit` bytes if it is not.
    """
    fields: list[Any] = []
    for name, hint in get_type_hints(declared, include_extras=True).items():
        base, *more = get_args(hint) if hasattr(hint, "__metadata__") else (hint,)
        number = base
        while get_args(number):  # the innermost argument is the type; the nesting depends on the version of NumPy
            number = get_args(number)[-1]
        dtype = next((one for one in more if isinstance(one, str | np.dtype)), None)
        default = integer if number in (int, np.signedinteger) else number
        fields.append((name, default if dtype is None else dtype, *(one for one in more if one is not dtype)))
    if n_bytes := -np.dtype(fields).itemsize % unit:
        fields.append(("padding", "|i1", n_bytes))
    return np.dtype((np.record, fields))
