"""What tasks are given and return, as bytes: a JSON object and arrays, with nothing pickled."""

import io
import json
import zipfile
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.files import parse_json

Arrays = dict[str, npt.NDArray[Any]]

_FACTS = "facts"


def pack(facts: dict[str, Any], **arrays: npt.NDArray[Any]) -> bytes:
    """Return a JSON object and arrays, of numbers or of records of numbers, as bytes; the same give the same bytes.

    >>> unpack(pack({"seed": 7}, places=np.arange(3)))
    ({'seed': 7}, {'places': array([0, 1, 2])})
    """
    buffer = io.BytesIO()
    # Written here and not by `np.savez`, which notes the time.
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(zipfile.ZipInfo(_FACTS), json.dumps(facts))
        for name, array in arrays.items():
            with archive.open(zipfile.ZipInfo(name), "w") as entry:
                np.lib.format.write_array(entry, array, allow_pickle=False)
    return buffer.getvalue()


def unpack(packed: bytes) -> tuple[dict[str, Any], Arrays]:
    """Return the JSON object and the arrays of `pack`; raises ValueError for bytes that it did not make."""
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            facts = parse_json(archive.read(_FACTS).decode())
            names = [name for name in archive.namelist() if name != _FACTS]
            arrays = {name: _array(archive.read(name)) for name in names}
    except (zipfile.BadZipFile, KeyError, EOFError) as error:
        raise ValueError(f"these bytes are no task: {error}") from error
    return facts, arrays


def _array(text: bytes) -> npt.NDArray[Any]:
    array: npt.NDArray[Any] = np.lib.format.read_array(io.BytesIO(text), allow_pickle=False)
    return array
