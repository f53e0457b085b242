"""The games that are being played: each in memory and in its file, one request after the other.

A game is what its file says: it is read when a page first asks for it, written after every choice and again once the
others have answered, and read anew if another program (`evodom play`) has written it since. So it outlives a reload, a
closed tab, and the server.
"""

import asyncio
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from evodom.dominion.game import PASS_NAME
from evodom.errors import RunError, UsageError, short
from evodom.sessions.dominion import GameSetup, Match, take
from evodom.sessions.files import read_game, write_game
from evodom.sessions.slots import Slot, check_name, games_folder, kept_slot, new_slot
from evodom.tasks import Workers
from evodom.web.dominion_view import Json, seen
from evodom.web.exchange import Conflict, Full, Missing, NotReady
from evodom.web.site import Site

MOST_IN_MEMORY = 64
"""Games that nobody has looked at for longest leave the memory first; they stay in their files."""

MOST_SAVED = 2000
"""So many games may lie in the folder before the page begins no other."""

PATIENCE = 0.6
"""Seconds after which a page is told that the others are still thinking; it asks again then."""

T = TypeVar("T")


class Table:
    """One game. What is done with it is done in a thread, and in order."""

    def __init__(self, slot: Slot, workers: Workers, is_closing: Callable[[], bool]) -> None:
        self.slot = slot
        self.lock = asyncio.Lock()
        self.used = time.monotonic()
        self.news: list[str] = []
        """What to tell the page with the next answer: what could not be chosen, what was taken back."""
        self._workers, self._is_closing = workers, is_closing
        self._match: Match | None = None
        self._stamp = (0, 0)
        self._snapshot: Json | None = None

    # What a page asks for. Each of these is called while nothing else is done with the game.

    def look(self, seat: int | None, *, whole_log: bool = False) -> Json:
        """Return what the person at ``seat`` sees, or what everybody sees."""
        match = self._up_to_date()
        self._let_others_play(match)
        return self._shown(match, seat, whole_log=whole_log)

    def begin(self, setup: GameSetup) -> Json:
        """Begin a game in a place that is claimed for it."""
        try:
            self._match = Match(setup, workers=self._workers)
            self._save(self._match)
        except BaseException:
            self.slot.release()
            raise
        return self.look(None)

    def choose(self, seat: int, at: int, names: list[str]) -> Json:
        """Take the choices of the person at ``seat``, whose page has seen ``at`` choices."""
        match = self._for_move(seat, at)
        known = {PASS_NAME, *match.setup.kingdom.names}
        if unknown := next((name for name in names if name not in known), None):
            raise UsageError(f"{short(unknown)} is no card of this game.")
        match.mark()
        taken = take(match, names)
        if len(match.choices) == at:
            raise UsageError(taken.notes[0] if taken.notes else "nothing was chosen.")
        self.news = taken.notes
        return self._go_on(match, seat)

    def switch_treasures(self, seat: int, at: int, choice: str) -> Json:
        """Have the Treasures of the person at ``seat`` played in the other way."""
        match = self._for_move(seat, at)
        match.mark()
        match.choose(choice)
        return self._go_on(match, seat)

    def undo(self, seat: int, at: int) -> Json:
        """Take back what was chosen last, by whom ever."""
        match = self._up_to_date()
        self._check_at(match, at)
        back = match.undo()
        self.news = [back.text if back else "There is nothing to take back."]
        return self._go_on(match, seat)

    def with_copy(self, work: Callable[[Match], T]) -> T:
        """Return what is found in the game, which nothing changes meanwhile."""
        match = self._up_to_date()
        self._let_others_play(match)
        return work(match)

    def snapshot(self) -> Json | None:
        """Return what could be seen while the others were playing."""
        return self._snapshot

    # How it is done.

    def _for_move(self, seat: int, at: int) -> Match:
        match = self._up_to_date()
        self._let_others_play(match)
        self._check_at(match, at)
        if match.decision is None:
            raise Conflict("the game is over.")
        if match.decision.seat != seat:
            raise Conflict(f"it is {match.setup.names[match.decision.seat]} who has to choose now.")
        return match

    def _check_at(self, match: Match, at: int) -> None:
        if len(match.choices) != at:
            raise Conflict("this game has gone on in another window.")

    def _go_on(self, match: Match, seat: int) -> Json:
        """Save what was chosen, and let the others play; before that where they take their time."""
        if match.has_agents:
            self._save(match)
        self._let_others_play(match)
        self._save(match)
        return self._shown(match, seat)

    def _let_others_play(self, match: Match) -> None:
        """Let the strategies play; what those answered that think is saved, and that the game is over.

        Nobody is to think the same over once more.
        """
        before, last = (len(match.answers), match.game.is_over), time.monotonic()

        def each() -> None:
            nonlocal last
            if match.has_agents and self._is_closing():
                raise NotReady("the server is being stopped.")
            if time.monotonic() - last > PATIENCE / 2:
                last = time.monotonic()
                self._snapshot = seen(match, _only(match)) | {"waiting": True}

        match.play_on(each)
        self._snapshot = None
        if (len(match.answers), match.game.is_over) != before:
            self._save(match)

    def _shown(self, match: Match, seat: int | None, *, whole_log: bool = False) -> Json:
        """Return what is shown: the own cards only to who is asked, or plays alone with strategies."""
        decision = match.decision
        may_look = seat is not None and (seat == _only(match) or (decision is not None and decision.seat == seat))
        news, self.news = self.news, []
        told = seen(match, seat if may_look else _only(match), whole_log=whole_log)
        return told | {"name": self.slot.name, "news": news, "waiting": False}

    def _up_to_date(self) -> Match:
        """Return the match as its file has it."""
        stamp = self._stamp_now()
        if self._match is None or stamp != self._stamp:
            self._match = read_game(self.slot.path, self._workers)
            self._stamp = stamp
        return self._match

    def _save(self, match: Match) -> None:
        write_game(self.slot.path, match)
        self._stamp = self._stamp_now()

    def _stamp_now(self) -> tuple[int, int]:
        try:
            found = os.stat(self.slot.path)
        except OSError as error:
            raise Missing(f"the game '{self.slot.name}' is no longer there.") from error
        return found.st_mtime_ns, found.st_size


def _only(match: Match) -> int | None:
    """Return the seat of the person who plays alone with strategies; None if several share the screen."""
    return match.setup.seat if len(match.setup.people) == 1 else None


class Tables:
    """All games of a site: a part of it."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self._tables: dict[Path, Table] = {}
        self._tasks: set[asyncio.Task[Json]] = set()
        self._pool = ThreadPoolExecutor(site.n_processors, "thinking")
        self.workers = Workers(self._pool, site.n_processors)

    def close(self) -> None:
        """Stop the threads in which opponents think."""
        self._pool.shutdown(cancel_futures=True)

    async def begin(self, name: str, setup: GameSetup) -> Json:
        """Begin a game under a name, or the next free one called so."""
        slot = await self.site.quickly(partial(self._claimed, name))
        table = self._remember(slot)
        return await self._in_turn(table, partial(table.begin, setup)) or {
            "name": slot.name,
            "waiting": True,
            "early": True,
        }

    async def do(self, name: str, work: Callable[[Table], Json]) -> Json:
        """Do something with a game once all that was asked before is done; returns what can be seen.

        If that takes longer than a person likes to wait for, what can be seen meanwhile, marked as ``waiting``.
        """
        table = self.table(name)
        found = await self._in_turn(table, partial(work, table))
        return found or (table.snapshot() or {"waiting": True, "early": True}) | {"name": table.slot.name}

    async def of_match(self, name: str, work: Callable[[Match], T]) -> T:
        """Return what is found in a game, which nothing changes meanwhile."""
        table = self.table(name)
        async with table.lock:
            return await self.site.quickly(partial(table.with_copy, work))

    def table(self, name: str) -> Table:
        """Return the game of a name; raises Missing if there is none, UsageError for what is no name."""
        slot = kept_slot(check_name(name), self.site.root)
        if slot is None:
            raise Missing(f"no game named '{name}' is saved.")
        return self._remember(slot)

    def _remember(self, slot: Slot) -> Table:
        if slot.path not in self._tables:
            self._forget_oldest()
            self._tables[slot.path] = Table(slot, self.workers, self.site.closing.is_set)
        table = self._tables[slot.path]
        table.used = time.monotonic()
        return table

    def _forget_oldest(self) -> None:
        while len(self._tables) >= MOST_IN_MEMORY:
            idle = [table for table in self._tables.values() if not table.lock.locked()]
            if not idle:
                raise NotReady("too many games are played at once")
            del self._tables[min(idle, key=lambda table: table.used).slot.path]

    def _claimed(self, name: str) -> Slot:
        folder = games_folder(self.site.root)
        try:
            n_saved = sum(1 for _ in folder.glob("*.json"))
        except OSError as error:
            raise RunError(f"{folder} cannot be read: {error.strerror or error}.") from error
        if n_saved >= MOST_SAVED:
            raise Full(f"{n_saved:,} games are saved, and no more are begun. Delete some in {folder}.")
        return new_slot(name, self.site.root).claimed()

    async def _in_turn(self, table: Table, work: Callable[[], Json]) -> Json | None:
        """Do something in the game's turn; returns None if it takes longer, and it is gone on with."""
        task = asyncio.create_task(self._locked(table, work))
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        done, _ = await asyncio.wait({task}, timeout=PATIENCE)
        return task.result() if done else None

    async def _locked(self, table: Table, work: Callable[[], Json]) -> Json:
        async with table.lock:
            return await self.site.quickly(work)

    def _ended(self, task: asyncio.Task[Json]) -> None:
        """Let go of a task; what went wrong in one that nobody waits for shows when the page asks again."""
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()
