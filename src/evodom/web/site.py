"""What the parts of the page share: where games and runs are saved, threads to work in, and whether it is ready."""

import asyncio
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any, Protocol, TypeVar, cast

from starlette.requests import Request

N_QUICK = 4
"""Threads for what is answered at once. They wait for each other in Python, and for nobody in compiled code."""

T = TypeVar("T")


class SitePart(Protocol):
    """What a part of the page keeps between requests; `close` is called once the server stops."""

    def __init__(self, site: "Site") -> None: ...

    def close(self) -> None:
        """Finish what is being saved, and stop the rest."""


P = TypeVar("P", bound=SitePart)


class Site:
    """One running server. ``root`` is the folder of saved runs and games.

    ``prepare`` compiles what is missing; it is called in a thread while pages are served already, and tells with its
    argument what it is doing.
    """

    def __init__(self, root: Path, prepare: Callable[[Callable[[str], None]], None] | None = None) -> None:
        self.root = root
        self.doing = "Starting"
        """What the server is doing before it is ready, as a phrase; "" once it is."""
        self.since = time.monotonic()
        """When it began to do that."""
        self.problem = ""
        """Why it cannot become ready; "" as long as it can."""
        self.closing = Event()
        """Set once the server stops: what takes long looks at it and ends."""
        self.quick = ThreadPoolExecutor(N_QUICK, "quick")
        self.slow = ThreadPoolExecutor(2, "slow")
        """Threads for what takes seconds: advice, reviews. They never keep a move waiting."""
        self.n_processors = os.cpu_count() or 1
        self._prepare = prepare
        self._parts: dict[type, SitePart] = {}

    @property
    def is_ready(self) -> bool:
        """True once everything is compiled."""
        return not self.doing

    def part(self, kind: type[P]) -> P:
        """Return the one object of a class, which is made when it is first asked for."""
        if kind not in self._parts:
            self._parts[kind] = kind(self)
        return cast(P, self._parts[kind])

    def get_ready(self) -> None:
        """Compile what is missing; a failure is kept in ``problem``."""
        try:
            if self._prepare:
                self._prepare(self._tell)
            self.doing = ""
        except Exception as error:  # whatever it is, the page has to say it
            self.problem = f"the engine could not be compiled: {error}"

    def close(self) -> None:
        """Finish what is being saved, and stop the threads."""
        self.closing.set()
        self.quick.shutdown(cancel_futures=True)
        self.slow.shutdown(cancel_futures=True)
        for part in self._parts.values():
            part.close()

    async def quickly(self, task: Callable[[], T]) -> T:
        """Return what a task returns that takes milliseconds, done in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self.quick, task)

    async def slowly(self, task: Callable[[], T]) -> T:
        """Return what a task returns that takes a second or more, done in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self.slow, task)

    def _tell(self, what: str) -> None:
        self.doing, self.since = what, time.monotonic()


def site_of(request: Request) -> Site:
    """Return the site that a request is for."""
    site: Any = request.app.state.site
    assert isinstance(site, Site)
    return site
