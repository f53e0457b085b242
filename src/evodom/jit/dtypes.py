"""Make the dtype of a record from the annotations of its Protocol class. Numba is not imported."""

from typing import Any, get_args, get_type_hints

import numpy as np

_DTYPES = {int: "", float: "<f8", np.signedinteger: "", np.float64: "<f8", np.uint64: "<u8"}


def record_dtype(declared: type, integer: str) -> "np.dtype[np.void]":
    """Return the dtype of the records declared by a Protocol class.

    A field is annotated `int`, `float` or, if it is an array, `Annotated[NDArray[...], shape]`. Integers have the dtype
    `integer` unless a string in `Annotated` names another. A nested record has its dtype in `Annotated`.
    """
    fields: list[Any] = []
    for name, hint in get_type_hints(declared, include_extras=True).items():
        base, *more = get_args(hint) if hasattr(hint, "__metadata__") else (hint,)
        number = get_args(get_args(base)[1])[0] if get_args(base) else base
        dtype = next((one for one in more if isinstance(one, str | np.dtype)), _DTYPES.get(number) or integer)
        fields.append((name, dtype, *(one for one in more if one is not dtype)))
    return np.dtype((np.record, fields))
