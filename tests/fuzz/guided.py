"""Fuzz the readers for minutes, guided by coverage: what reaches a line that nothing reached before is mutated further.

    python -m tests.fuzz.guided --minutes 10 [--reader NAME ...] [--seed N]

What a reader stumbles over is written into its corpus (tests/data/fuzz/NAME/found-...), and the exit code is 1. Rename
it to read-... or refuse-... once that is mended: the suite then looks at it in every run.
"""

import argparse
import hashlib
import random
import sys
import time
import traceback
from types import FrameType
from typing import Any

from tests.fuzz.mutations import mutated
from tests.fuzz.readers import CORPUS, READERS, Reader

LONGEST = 200_000
"""Bytes of the longest content that is kept for further mutations."""

SLOW = 5.0
"""Seconds that no content may take."""


class Coverage:
    """Which lines of evodom have been reached."""

    def __init__(self) -> None:
        self.lines: set[tuple[str, int]] = set()

    def __enter__(self) -> "Coverage":
        sys.settrace(self._call)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def _call(self, frame: FrameType, event: str, argument: Any) -> Any:
        return self._line if "/evodom/" in frame.f_code.co_filename else None

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:
        self.lines.add((frame.f_code.co_filename, frame.f_lineno))
        return self._line


def fuzz(reader: Reader, seconds: float, rng: random.Random) -> list[str]:
    """Fuzz a reader for some time and return what it stumbled over, one line each."""
    pool = [path.read_bytes() for path in reader.corpus]
    coverage, found, n, ends = Coverage(), dict[str, str](), 0, time.monotonic() + seconds
    for content in pool:
        with coverage:
            reader.is_read(content)
    while time.monotonic() < ends:
        content, before, began = mutated(rng.choice(pool), pool, rng), len(coverage.lines), time.monotonic()
        n += 1
        try:
            with coverage:
                reader.is_read(content)
            if time.monotonic() - began > SLOW:
                raise TimeoutError(f"took {time.monotonic() - began:.1f} s")
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{where.filename}:{where.lineno}"
            if place not in found:
                found[place] = (
                    f"{reader.name}: {type(error).__name__}: {str(error)[:200]} ({place}): {_keep(reader, content)}"
                )
                print(found[place], flush=True)
        if len(coverage.lines) > before and len(content) <= LONGEST:
            pool.append(content)
    print(f"{reader.name}: {n} contents, {len(pool)} kept, {len(coverage.lines)} lines, {len(found)} found", flush=True)
    return list(found.values())


def _keep(reader: Reader, content: bytes) -> str:
    path = CORPUS / reader.name / f"found-{hashlib.sha256(content).hexdigest()[:12]}"
    path.write_bytes(content)
    return str(path)


def main() -> int:
    parser = argparse.ArgumentParser(description="Fuzz the readers of files, guided by coverage.")
    parser.add_argument("--minutes", type=float, default=5.0, help="time in all (default: %(default)s)")
    parser.add_argument("--reader", action="append", choices=[reader.name for reader in READERS], help="(default: all)")
    parser.add_argument("--seed", type=int, default=None)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    chosen = [reader for reader in READERS if not given.reader or reader.name in given.reader]
    found = [line for reader in chosen for line in fuzz(reader, 60.0 * given.minutes / len(chosen), rng)]
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
