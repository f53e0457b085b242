"""Progress bars and threads of the functions of this package."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from evodom.tasks import Workers


@contextmanager
def threads() -> Iterator[Workers]:
    """Return a thread for each processor."""
    n = os.cpu_count() or 1
    with ThreadPoolExecutor(n) as executor:
        yield Workers(executor, n)


def progress_bar(unit: str, total: int | None = None, *, show: bool) -> Any:
    """Return a progress bar on stderr, or in a notebook; a bar that is not shown unless ``show``."""
    from tqdm.auto import tqdm

    return tqdm(total=total, unit=f" {unit}", disable=not show)
