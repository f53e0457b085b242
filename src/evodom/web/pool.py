"""Pools of sessions (games, fights): each is kept in memory and in its file, and handles one request at a time.

The file is authoritative. It is read on a page's first request, written after every change, and read again if another
program changed it. A session therefore survives a reload, a closed tab and a restart of the server.
"""

import asyncio
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

from evodom.errors import RunError
from evodom.sessions.files import ChangedElsewhere, Session, SessionFolder, SessionKind, Slot, check_name, write_session
from evodom.web.site import Conflict, Full, Json, Missing, NotReady, Site

PATIENCE = 0.6
"""Seconds after which a request is answered with the last snapshot. The page then repeats it."""

S = TypeVar("S", bound=Session)
T = TypeVar("T")


class Seat(ABC, Generic[S]):
    """One session of the server. Its methods run in threads, one after the other."""

    def __init__(self, slot: Slot) -> None:
        self.slot = slot
        self.lock = asyncio.Lock()
        self.used = time.monotonic()
        self.snapshot: Json | None = None
        """The JSON that is shown during slow work."""
        self._session: S | None = None
        self._stamp = (0, 0)

    @abstractmethod
    def read(self) -> S:
        """Return the session that the file contains."""

    @abstractmethod
    def shown(self) -> Json:
        """Return the JSON of a session that was just started."""

    @property
    def session(self) -> S:
        """The session, read again if its file changed."""
        stamp = self._stamp_now()
        if self._session is None or stamp != self._stamp:
            self._session = self.read()
            self._stamp = stamp
        return self._session

    def session_at(self, at: int) -> S:
        """Return the session. Raises Conflict if ``at``, the state that the page shows, is not the current one."""
        session = self.session
        if session.at != at:
            raise self._gone_on()
        return session

    def begin(self, make: Callable[[], S]) -> Json:
        """Start a session in the claimed slot and save it. Release the slot on failure."""
        try:
            self._session = make()
            self.save()
        except BaseException:
            self.slot.release()
            raise
        return self.shown()

    def save(self) -> None:
        """Write the session to its file. On failure, drop the unsaved changes.

        Raises Conflict if another program has changed the file since it was read.
        """
        assert self._session is not None
        try:
            write_session(self.slot.path, self._session)
        except ChangedElsewhere:
            self._session = None
            raise self._gone_on() from None
        except RunError:
            self._session = None
            raise
        self._stamp = self._stamp_now()

    def _gone_on(self) -> Conflict:
        return Conflict(f"this {self.slot.kind.noun} has gone on in another window.")

    def _stamp_now(self) -> tuple[int, int]:
        try:
            found = os.stat(self.slot.path)
        except OSError as error:
            raise Missing(f"the {self.slot.kind.noun} '{self.slot.name}' is no longer there.") from error
        return found.st_mtime_ns, found.st_size


A = TypeVar("A", bound=Seat)  # type: ignore[type-arg] # a seat of any kind of session


class SessionPool(ABC, Generic[A, S]):
    """All sessions of a kind. The least recently used leave the memory, but stay in their files."""

    kind: SessionKind
    most_in_memory: int
    most_saved: int
    patience: float | None = None
    """Seconds after which a request is answered with the snapshot. None: wait for the result."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self._seats: dict[Path, A] = {}
        self._tasks: set[asyncio.Task[Json]] = set()

    def close(self) -> None:
        """Release threads and other resources."""

    @property
    def folder(self) -> SessionFolder:
        """The saved sessions."""
        return SessionFolder(self.kind, self.site.store.root)

    @abstractmethod
    def make_seat(self, slot: Slot) -> A:
        """Return the seat of a slot."""

    def check_ready(self) -> None:
        """Raise an error until sessions of this kind can be played."""

    async def begin(self, name: str, make: Callable[[], S]) -> Json:
        """Start a session under a name, or under the next free one."""
        self.check_ready()
        slot = await self.site.quickly(partial(self._claimed, name))
        seat = self._remember(slot)
        return await self._in_turn(seat, partial(seat.begin, make))

    async def do(self, name: str, work: Callable[[A], Json]) -> Json:
        """Return the result of work on a session, after all earlier work on it."""
        seat = self.seat(name)
        return await self._in_turn(seat, partial(work, seat))

    async def look_into(self, name: str, work: Callable[[A], T]) -> T:
        """Return the result of reading a session under its lock. It waits without limit of time."""
        seat = self.seat(name)
        async with seat.lock:
            return await self.site.quickly(partial(work, seat))

    def seat(self, name: str) -> A:
        """Return the seat of a name. Raises Missing if there is none, UsageError for an invalid name."""
        self.check_ready()
        slot = self.folder.kept_slot(check_name(name, self.kind))
        if slot is None:
            raise Missing(f"no {self.kind.noun} named '{name}' is saved.")
        return self._remember(slot)

    def _remember(self, slot: Slot) -> A:
        if slot.path not in self._seats:
            self._forget_oldest()
            self._seats[slot.path] = self.make_seat(slot)
        seat = self._seats[slot.path]
        seat.used = time.monotonic()
        return seat

    def _forget_oldest(self) -> None:
        while len(self._seats) >= self.most_in_memory:
            idle = [seat for seat in self._seats.values() if not seat.lock.locked()]
            if not idle:
                raise NotReady(f"too many {self.kind.noun}s are in play")
            del self._seats[min(idle, key=lambda seat: seat.used).slot.path]

    def _claimed(self, name: str) -> Slot:
        folder = self.folder
        if (n_saved := folder.n_files()) >= self.most_saved:
            noun = self.kind.noun
            raise Full(f"{n_saved:,} {noun}s are saved, and no more are begun. Delete some in {folder.path}.")
        return folder.new_slot(name).claimed()

    async def _in_turn(self, seat: A, work: Callable[[], Json]) -> Json:
        """Return the result of work after earlier work. After ``patience`` seconds return the snapshot instead."""
        task = asyncio.create_task(self._locked(seat, work))
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        done, _ = await asyncio.wait({task}, timeout=self.patience)
        if done:
            return task.result()
        return (seat.snapshot or {"waiting": True, "early": True}) | {"name": seat.slot.name}

    async def _locked(self, seat: A, work: Callable[[], Json]) -> Json:
        async with seat.lock:
            return await self.site.quickly(work)

    def _ended(self, task: "asyncio.Task[Json]") -> None:
        """Drop a task and retrieve its error. Otherwise asyncio logs an error that no request waits for."""
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()
