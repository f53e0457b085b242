"""Read text files with limits, parse untrusted JSON and TOML, and replace files in one step.

Also read and write networks: files of numbers, each with a `FileFormat` and a fingerprint of its cards and features.
"""

import json
import os
import re
import sys
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from functools import partial
from itertools import count, islice
from math import inf
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn
from zlib import crc32

from evodom.errors import MAX_WORD_LENGTH, EvodomError, RunError, UsageError, one_line
from evodom.formats import FileFormat

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vector = npt.NDArray[np.float32]

MAX_DEPTH = 64
"""Maximum depth of nested lists and objects. Files of evodom have less than a fifth of it."""

MAX_LISTED = 1000
"""Maximum number of files of a folder that are compared with a misspelt name."""

MIN_INTEGER, MAX_INTEGER = -(2**63), 2**64 - 1
"""The range of integers in a file: those of 64 bits. Larger integers overflow floats and NumPy arrays."""

LARGEST_FLOAT = sys.float_info.max

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
"""An escaped surrogate: a code point that is a character only as part of a pair."""

_TOO_LARGE = "an integer has more than 64 bits"
_TOO_DEEP = f"it is nested deeper than {MAX_DEPTH}"


def read_text(path: Path | str, what: str, form: str, max_bytes: int) -> str:
    """Return the text of a file of at most `max_bytes` bytes. Raises UsageError that says `what` is text in `form`."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            content = file.read(max_bytes + 1)
    except (OSError, ValueError) as error:  # a name with a null character is a ValueError
        near = f" {near}" if isinstance(error, FileNotFoundError) and (near := near_file(path)) else ""
        raise UsageError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.{near}") from error
    if len(content) > max_bytes:
        raise UsageError(f"{path} is too large for {what}: more than {max_bytes:,} bytes.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is no text in UTF-8. {what.capitalize()} is {form}.") from error


def near_file(path: Path | str, ending: str = "") -> str:
    """Return a question that suggests the file of the most similar name in a path's folder; "" if none is similar.

    The name has the ``ending``, which the path may lack.
    """
    try:
        files = list(islice(Path(path).parent.glob(f"*{ending}"), MAX_LISTED))
    except (OSError, ValueError):
        return ""
    names = {file.name: file for file in files} | {file.name.removesuffix(ending): file for file in files}
    near = get_close_matches(Path(path).name[:MAX_WORD_LENGTH], names, n=1)
    return f"Did you mean {names[near[0]]}?" if near else ""


def modified_at(path: Path) -> datetime:
    """Return the time of a file's last change; the first or last time of `datetime` for others. Raises OSError."""
    seconds = path.stat().st_mtime
    earliest, latest = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
    if not earliest.timestamp() < seconds < latest.timestamp() - 1:
        return earliest if seconds < 0 else latest
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)


def parse_json(text: str) -> Any:
    """Return the value of an untrusted JSON text. Raise ValueError, in one line, for invalid JSON.

    Also refused: NaN, infinity, numbers that overflow to infinity, integers of more than 64 bits, single surrogates,
    and data nested deeper than MAX_DEPTH.
    """
    value = _loaded(partial(json.loads, parse_constant=_reject_constant), text)
    _check(value, LARGEST_FLOAT)
    if not text.isascii() or _SURROGATE.search(text):
        _check_characters(value)
    return value


def parse_toml(text: str, name: str) -> dict[str, Any]:
    """Return the table of an untrusted TOML text. Raise UsageError, prefixed with ``name``, for invalid TOML.

    Data nested deeper than MAX_DEPTH and integers of more than 64 bits are also refused.
    """
    try:
        _check_dotted_keys(text)
        table: dict[str, Any] = _loaded(tomllib.loads, text)
        _check(table, inf)
    except ValueError as error:
        raise UsageError(f"{name} is not TOML: {one_line(error, 200)}.") from None
    return table


def _loaded(load: Callable[[str], Any], text: str) -> Any:
    """Return the data that a parser finds in a text. Raise ValueError, in words without advice on Python's limits."""
    try:
        return load(text)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    except ValueError as error:
        if type(error) is ValueError:  # Python reads no integer of more than 4300 digits
            raise ValueError(_TOO_LARGE) from None
        raise


_TOML_TOKEN = re.compile(
    r'"""(?:[^\\]|\\.?)*?(?:"""|\Z)|"(?:[^"\\\n]|\\.?)*"?'
    r"|'''.*?(?:'''|\Z)|'[^'\n]*'?|#[^\n]*|[\w-]+|[ \t]+|.",
    re.DOTALL,
)
"""A token of TOML. It fits any text, so that no letter is read twice."""


def _check_dotted_keys(text: str) -> None:
    """Raise ValueError for a key of more than MAX_DEPTH parts. Python reads keys in quadratic time."""
    n_dots = 0
    for token in _TOML_TOKEN.findall(text):
        if token == ".":
            n_dots += 1
            if n_dots > MAX_DEPTH:
                raise ValueError(_TOO_DEEP)
        elif not (token[0] in "\"' \t-_" or token[0].isalnum()):
            n_dots = 0


def toml_value(value: object) -> str:
    """Return a str, number, bool, list or mapping as TOML in one line.

    Floats have enough digits to be read back unchanged.
    """
    match value:
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case bool():
            return str(value).lower()
        case float():
            return repr(float(value))
        case Integral():
            return str(int(value))
        case Mapping():
            inner = ", ".join(f"{toml_value(key)} = {toml_value(one)}" for key, one in value.items())
            return f"{{ {inner} }}" if inner else "{}"
        case list() | tuple():
            return f"[{', '.join(map(toml_value, value))}]"
    raise TypeError(f"TOML has no {type(value).__name__}")


def _check(value: Any, largest: float) -> None:
    """Raise ValueError if data is nested deeper than MAX_DEPTH, or contains a number out of range.

    Integers range from MIN_INTEGER to MAX_INTEGER, floats from -``largest`` to ``largest``. An infinite ``largest``
    also allows NaN.
    """
    level = [value]
    for depth in count():
        inner: list[Any] = []
        has_containers = False
        for one in level:  # a plain loop, because it is fast: reports read the summaries of long runs
            kind = type(one)
            if kind is int:
                if not MIN_INTEGER <= one <= MAX_INTEGER:
                    raise ValueError(_TOO_LARGE)
            elif kind is float:
                if not -largest <= one <= largest and largest < inf:
                    raise ValueError("a number is too large")
            elif kind is list or kind is dict:
                has_containers = True
                inner.extend(one.values() if kind is dict else one)
        if not has_containers:
            return
        if depth == MAX_DEPTH:
            raise ValueError(_TOO_DEEP)
        level = inner


def _check_characters(value: Any) -> None:
    """Raise ValueError for texts with surrogates, which cannot be encoded."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("a text has half a character, a surrogate") from None


class _NotANumber(ValueError):
    """NaN or an infinity, which JSON does not have."""


def _reject_constant(word: str) -> NoReturn:
    raise _NotANumber(f"{word} is no number of JSON")


_RESERVED = re.compile("con|prn|aux|nul|com[1-9]|lpt[1-9]", re.IGNORECASE)
"""The names of devices on Windows. There no file can have such a name, with any suffix."""


def plain_name(text: str, default: str, max_length: int) -> str:
    """Return a valid name with the letters and digits of a text: "./mine.py" becomes "mine-py".

    ``default`` replaces an empty name, and begins one that Windows reserves.
    """
    name = "-".join(re.findall(r"[A-Za-z0-9]+", text))[:max_length].strip("-") or default
    return f"{default}-{name}" if _RESERVED.fullmatch(name) else name


def check_new_name(name: str, known: Iterable[str], what: str, default: str) -> None:
    """Raise UsageError if a new name is no name of a new file on every system. The names in ``known`` are accepted.

    Refused are names that Windows reserves, and names that differ only in case from a known one. ``what`` is the noun
    in the message, ``default`` begins the suggestion.
    """
    same = [one for one in known if one.casefold() == name.casefold()]
    if name in same:
        return
    if _RESERVED.fullmatch(name):
        raise UsageError(
            f"a {what} cannot be '{name}': Windows reserves it. Try: {plain_name(name, default, len(name))}"
        )
    if same:
        raise UsageError(f"a {what} cannot be '{name}': it differs only in case from '{same[0]}'. Choose another.")


REPLACE = "Replace it with --overwrite, or choose another file."


def check_output(path: Path, *, overwrite: bool, advice: str = REPLACE) -> None:
    """Raise UsageError for a file that exists, unless `overwrite`, or that cannot be written.

    Call it before a long computation. A device or a pipe does not count as a file that exists.
    """
    folder = path.absolute().parent
    if not folder.is_dir():
        raise UsageError(f"{path} cannot be written: there is no folder {folder}. Create it, or choose another file.")
    if path.is_dir():
        raise UsageError(f"{path} is a folder. Name a file.")
    if path.is_file() and not overwrite:
        raise UsageError(f"{path} exists. {advice}")
    if not os.access(path if path.exists() and not path.is_file() else folder, os.W_OK):
        raise UsageError(f"{path} cannot be written: permission denied. Choose another file.")


def write_output(path: Path, content: str | bytes) -> None:
    """Write a file that the user named, as `replace_file` does. Raise RunError with its name on failure."""
    try:
        replace_file(path, content)
    except (OSError, ValueError) as error:  # a name with a null character is a ValueError
        reason = getattr(error, "strerror", None) or error
        raise RunError(f"{path} cannot be written: {reason}. Choose another file.") from error


def replace_file(path: Path, content: str | bytes) -> None:
    """Write a file in one step: at any moment it has either the old or the new content. Raises OSError.

    Anything but a regular file, such as a pipe, is written directly. Text is UTF-8, with the line endings it has.
    """
    path = Path(os.path.realpath(path))
    data = content.encode() if isinstance(content, str) else content
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    with replacing(path) as file:
        file.write(data)


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Yield a new file in the folder of ``path``. At the end of the block it replaces ``path``.

    The permissions stay. After a failure the new file is deleted. Raises OSError with the name ``path``.
    """
    partial = path.with_name(f".{path.name}.{next(_PARTIALS)}.{MACHINE}.{os.getpid()}.partial")  # as in _PARTIAL
    try:
        partial.unlink(missing_ok=True)  # left by a killed process with this number
        with partial.open("xb") as file:  # never through a link
            yield file
        if path.exists():
            partial.chmod(path.stat().st_mode)
        os.replace(partial, path)
    except BaseException as error:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        if isinstance(error, OSError):
            error.filename, error.filename2 = str(path), None
        raise


@contextmanager
def folder_lock(folder: Path, *, wait: bool = True) -> Iterator[None]:
    """Lock a folder against other threads and processes that use this function. Raises OSError.

    Without ``wait``, raises BlockingIOError if the folder is locked. The end of a process removes its locks.
    """
    if sys.platform == "win32":
        import msvcrt  # Windows locks no folders

        with (folder / ".lock").open("ab") as file:
            try:
                msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
            except OSError as error:
                raise BlockingIOError(error.errno, f"{folder} is locked") from error
            yield
        return
    import fcntl

    opened = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        yield
    finally:
        os.close(opened)


_PARTIALS = count()

MACHINE = f"{crc32(b'' if sys.platform == 'win32' else os.fsencode(os.uname().nodename)):08x}"
"""A hash of the name of this machine or container. Other machines may write to the same folder."""

_PARTIAL = re.compile(r"\..+\.([0-9a-f]{8})\.([0-9]{1,9})\.partial")
"""The name of an unfinished file of `replacing`, with the hash of its machine and the ID of its process."""

_MAX_WRITING_SECONDS = 24 * 3600
"""Maximum time since the last change of an unfinished file of another machine. Older files are left over."""


def remove_partials(folder: Path) -> None:
    """Remove the unfinished files of `replacing` in a folder, unless their process is running.

    Call it before this process writes: a killed process may have had its number, as in a container.
    """
    for path in folder.glob(".*.partial"):
        found = _PARTIAL.fullmatch(path.name)
        with suppress(OSError):
            if found and _is_left_over(path, found[1], int(found[2])):
                path.unlink()


def _is_left_over(path: Path, machine: str, pid: int) -> bool:
    """Return True if the process of an unfinished file has ended. Raises OSError."""
    if machine != MACHINE:
        return time.time() - path.lstat().st_mtime > _MAX_WRITING_SECONDS
    return pid == os.getpid() or not _is_running(pid)


def _is_running(pid: int) -> bool:
    """Return True if a process is running, and always on Windows, where this check would end it."""
    if os.name == "nt":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True


NETWORK = FileFormat("network", 2)


class Unusable(EvodomError):
    """The file of a network is missing, damaged, or of another version. The message is the reason."""


def shipped_numbers(package: str, name: str, fingerprint: str) -> "Vector":
    """Return the numbers of a file in a package (see `read_numbers`)."""
    from importlib.resources import as_file, files

    source = files(package) / name
    if not source.is_file():
        raise Unusable(f"this version has no file {name}")
    with as_file(source) as path:
        return read_numbers(path, fingerprint)


def read_numbers(path: Path, fingerprint: str) -> "Vector":
    """Return the numbers of a file, float32; raise Unusable if it is damaged or has another fingerprint."""
    from io import BytesIO
    from zipfile import BadZipFile

    import numpy as np

    try:
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as content:
            stamp = {name: content[name].item() for name in NETWORK.stamp("") if name in content}
            numbers = np.asarray(content["numbers"].astype(np.float32))
        NETWORK.check(path.name, stamp, fingerprint)
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        raise Unusable(f"{path.name} is damaged") from None
    except RunError as error:
        raise Unusable(str(error).rstrip(".")) from None
    return numbers


def write_numbers(path: Path, numbers: "Vector", fingerprint: str) -> None:
    """Write numbers to a file in one step, as float16."""
    from io import BytesIO

    import numpy as np

    content = BytesIO()
    np.savez(content, numbers=numbers.astype(np.float16), **NETWORK.stamp(fingerprint))
    replace_file(path, content.getvalue())
