"""Progress bars and threads of the functions of this package."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from evodom.jit.groups import compile_groups, compile_text, groups_to_compile
from evodom.tasks import Workers


@contextmanager
def threads() -> Iterator[Workers]:
    """Return a thread for each processor."""
    n = os.cpu_count() or 1
    with ThreadPoolExecutor(n) as executor:
        yield Workers(executor, n)


def compile_kernels(*names: str, bar: Any = None) -> None:
    """Compile the groups of kernels that this machine's cache lacks. Log them, and show them on a progress bar."""
    if missing := groups_to_compile(*names):
        text = compile_text(*missing)
        logging.getLogger("evodom").info(text)
        describe = bar.set_description if bar is not None else str
        describe(text)
        compile_groups(*missing)
        describe("")


def progress_bar(unit: str, total: int | None = None, *, show: bool) -> Any:
    """Return a progress bar on stderr, or in a notebook; a bar that is not shown unless ``show``."""
    from tqdm.auto import tqdm

    return tqdm(total=total, unit=f" {unit}", disable=not show)
