"""Read and write the networks of the package. Each file has a fingerprint of the rules it was trained with."""

import os
from importlib.resources import as_file, files
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from evodom.errors import EvodomError

Vector = npt.NDArray[np.float32]


class Unusable(EvodomError):
    """The file of a network is missing, damaged, or has another fingerprint; the text is the reason."""


class OtherFingerprint(Unusable):
    """The network of a file was trained with other rules, columns or features than these."""


def shipped_numbers(package: str, name: str, fingerprint: str) -> Vector:
    """Return the numbers of a file of a package, as `read_numbers` does."""
    source = files(package) / name
    if not source.is_file():
        raise Unusable(f"this version has no file {name}")
    with as_file(source) as path:
        return read_numbers(path, fingerprint)


def read_numbers(path: Path, fingerprint: str) -> Vector:
    """Return the numbers of a file, float32; raise Unusable if it is damaged or has another fingerprint."""
    try:
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as content:
            found = str(content["fingerprint"])
            numbers = np.asarray(content["general"].astype(np.float32))
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        raise Unusable(f"{path.name} is damaged") from None
    if found != fingerprint:
        raise OtherFingerprint(f"{path.name} was trained with other rules")
    return numbers


def write_numbers(path: Path, numbers: Vector, fingerprint: str) -> None:
    """Write numbers to a file in one step, half as exactly as they were trained."""
    partial = path.with_suffix(".partial.npz")
    np.savez(partial, general=numbers.astype(np.float16), fingerprint=np.array(fingerprint))
    os.replace(partial, path)
