"""Networks that come with the package: their numbers in a file, with a text that says what they rest on."""

import os
from importlib.resources import as_file, files
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float32]


def shipped_numbers(package: str, name: str, fingerprint: str) -> Vector | None:
    """Return the numbers of a file of a package, as `read_numbers` does; None where there is no such file."""
    source = files(package) / name
    if not source.is_file():
        return None
    with as_file(source) as path:
        return read_numbers(path, fingerprint)


def read_numbers(path: Path, fingerprint: str) -> Vector | None:
    """Return the numbers of a file, float32; None if it is damaged, or rests on something else."""
    try:
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as content:
            if str(content["fingerprint"]) != fingerprint:
                return None
            return np.asarray(content["general"].astype(np.float32))
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return None


def write_numbers(path: Path, numbers: Vector, fingerprint: str) -> None:
    """Write numbers to a file in one step, half as exactly as they were trained."""
    partial = path.with_suffix(".partial.npz")
    np.savez(partial, general=numbers.astype(np.float16), fingerprint=np.array(fingerprint))
    os.replace(partial, path)
