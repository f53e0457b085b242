"""The fights of a site: each in memory and in its file, used by one request at a time.

A fight is what its file says: it is read when a page first asks for it, written after every move, and read anew if
another program has written it since. So it outlives a reload, a closed tab, and the server.
"""

import asyncio
import os
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Lock

import numpy as np

from evodom.errors import EvodomError, RunError, UsageError
from evodom.jit.kernel import can_cache, mark_compiled, needs_compiling
from evodom.sessions.fight import FightTable
from evodom.sessions.slots import Slot, check_name, plain
from evodom.spire.embedding.hypernetwork import shipped
from evodom.spire.engine.moves import END, FIRST_CHOICE
from evodom.spire.play.searcher import FightSearchOptions
from evodom.web.exchange import Compiling, Conflict, Full, Missing, NotReady, number
from evodom.web.fights.form import LARGEST_SEED, Json, fight_of_form
from evodom.web.fights.saved import MOST_MOVES, Course, fights_folder, read_fight, unusable, write_fight
from evodom.web.fights.seeing import figures, position
from evodom.web.site import Site

MOST_IN_MEMORY = 12
"""Fights that nobody has looked at for longest leave the memory first; they stay in their files."""

MOST_SAVED = 1000
"""So many fights may lie in the folder before the page begins no other."""

MOST_SIMULATIONS = 100_000
SIMULATIONS = 1000

MOST_ROWS = 100_000
"""The rows of the solver's graph: a few seconds, in which no other fight is searched."""

ENDED = "end the turn"
"""What is noted when a turn ends. The engine itself counts turns only where a card or an enemy asks for them."""


class Seat:
    """One fight: its table, and what was said of the position of now.

    The luck of a move is drawn from the seed and the number of the move, and never from what a search draws from: the
    same moves bring the same, also after others were taken back, and when the fight is read from its file.
    """

    def __init__(self, slot: Slot, course: Course) -> None:
        self.slot, self.course = slot, course
        self.lock = Lock()
        rng = np.random.default_rng(course.seed)
        budget = FightSearchOptions(SIMULATIONS, network=shipped())
        self.table = FightTable(fight_of_form(course.form), rng, budget, luck=self._luck)
        self.simulations = 0
        self.stamp = (0, 0)
        """When the file was written, as this seat knows it, and its size."""
        self._said: list[str] = []
        self._advice: Json = {}
        self._replay()
        self.shown = self.look()
        """What the page showed last: all that is told while the fight is searched."""

    def look(self) -> Json:
        """Return all that the page shows; the seed only to who gave it, or once the fight is over."""
        course, may_know = self.course, self.course.given or self.table.over
        facts = {"name": self.slot.name, "title": self.table.fight.text, "form": course.form, "at": course.at}
        facts |= {"seed": course.seed if may_know else None}
        shown = {"turn": self.turn, "log": list(self._said), "searched": self.simulations}
        return facts | position(self.table) | shown | self._advice

    @property
    def turn(self) -> int:
        """The number of the turn."""
        return 1 + self._said.count(ENDED)

    def play(self, move: int) -> None:
        """Make a move."""
        if self.table.n_played >= MOST_MOVES:
            raise UsageError(f"{MOST_MOVES} moves have been made. Take some back, or begin another fight.")
        if move not in self._legal():
            raise UsageError("that cannot be played now.")
        self._play(move)
        self._changed()

    def undo(self, n: int) -> None:
        """Take moves back; 0 goes back to the start."""
        n = n or self.table.n_played
        self.table.back(n)
        del self._said[-n:], self.course.moves[-n:]
        self._changed()

    def weigh(self, simulations: int) -> None:
        """Search a little more, and tell what every move is worth."""
        found = self.table.figures(simulations)
        self.simulations += simulations
        self._advice |= {"figures": figures(found)}

    def prove(self) -> None:
        """Tell what every move is proven to be worth, where that is not too much."""
        try:
            found = self.table.proven(MOST_ROWS)
        except UsageError as error:
            raise UsageError("this position is too large for the solver: search it instead.") from error
        self._advice |= {"proven": [{"move": one.action, "worth": round(one.value, 4)} for one in found]}

    def find_line(self, simulations: int) -> None:
        """Find the best line up to the next random event."""
        steps = self.table.find_line(simulations)
        told = [{"move": one.move, "text": one.text, "worth": round(one.value, 3)} for one in steps]
        self._advice |= {"line": told}

    def play_line(self) -> None:
        """Play the best line that was found, as far as moves may still be made."""
        if "line" not in self._advice:
            raise UsageError("there is no line to play: find one first.")
        for step in self._advice["line"][: MOST_MOVES - self.table.n_played]:
            self._play(step["move"])
        self._changed()

    def save(self) -> None:
        """Write the fight to its file; raises RunError where that cannot be."""
        write_fight(self.slot.path, self.course, self.table.fight.text, self._stage(), over=self.table.over)
        self.stamp = stamp_of(self.slot)

    def _luck(self, n_played: int) -> np.random.Generator:
        return np.random.default_rng(np.random.SeedSequence(self.course.seed, spawn_key=(n_played,)))

    def _play(self, move: int) -> None:
        name, said = self.table.game.action_name(move), self.table.text(move)
        self.table.play(move)
        self.course.moves.append(name)
        self._said.append(name if move >= FIRST_CHOICE else said)

    def _replay(self) -> None:
        """Make the moves of the course; raises ValueError for one that cannot be made there."""
        moves, self.course.moves = self.course.moves, []
        for number_of, name in enumerate(moves, 1):
            names = {self.table.game.action_name(move): move for move in reversed(self._legal())}
            if name not in names:
                raise ValueError(f"move {number_of} is not possible there")
            self._play(names[name])

    def _legal(self) -> list[int]:
        return [] if self.table.over else [*self.table.moves(), *([END] if self.table.can_end() else [])]

    def _stage(self) -> str:
        shown = position(self.table)
        return str(shown["end"]) if self.table.over else f"Turn {self.turn}, {shown['you']['hp']} HP"

    def _changed(self) -> None:
        self.course.at += 1
        self.simulations, self._advice = 0, {}


def read_seat(slot: Slot) -> Seat:
    """Return the fight of a file; raises RunError if it is damaged, or was fought under other rules."""
    stamp = stamp_of(slot)
    course = read_fight(slot.path)
    try:
        seat = Seat(slot, course)
    except (ValueError, EvodomError) as error:  # UsageError among them: a form that makes no fight
        raise unusable(slot.path, str(error)) from error
    seat.stamp = stamp
    return seat


def stamp_of(slot: Slot) -> tuple[int, int]:
    """Return when the file of a fight was written, and its size; raises Missing if there is none."""
    try:
        found = os.stat(slot.path)
    except OSError as error:
        raise Missing(f"no fight named '{slot.name}' is saved: begin it again.") from error
    return found.st_mtime_ns, found.st_size


class Fights:
    """The fights of a site: a part of it. Compiled code is loaded when the first one begins."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._seats: dict[Path, Seat] = {}
        self._lock = Lock()
        self._slow = ThreadPoolExecutor(1, "fights")
        self._ready = False
        self._doing = self._problem = ""
        self._since = 0.0

    def close(self) -> None:
        """Let go of what is being searched."""
        self._slow.shutdown(wait=False, cancel_futures=True)

    def get_ready(self) -> None:
        """Have compiled what fights need, in a thread; raises Compiling until it is."""
        with self._lock:
            if self._ready:
                return
            if self._problem:
                raise EvodomError(self._problem)
            if not self._doing:
                self._doing, self._since = _doing(), time.monotonic()
                self._slow.submit(self._compile)
            raise Compiling(self._doing, self._since)

    def begin(self, form: Json) -> Seat:
        """Begin a fight, and save it under the name of whom it is against, or the next free one called so."""
        self.get_ready()
        given = form.get("seed") is not None
        seed = number(form, "seed", 0, LARGEST_SEED) if given else secrets.randbelow(2**32)
        kept = {key: value for key, value in form.items() if key != "seed"}
        title = fight_of_form(kept).text
        slot = self._claimed(plain(title.partition(",")[0]).lower())
        try:
            seat = Seat(slot, Course(kept, seed, given))
            seat.save()
        except BaseException:
            slot.release()
            raise
        with self._lock:
            self._remember(seat)
        return seat

    def look(self, name: str) -> Json:
        """Return what a fight shows; while it is searched, what it showed before."""
        return self._seat(name).shown

    def do(self, name: str, at: int, act: Callable[[Seat], object], *, patient: bool = False) -> Json:
        """Do something at a fight as it was at ``at``, and return what it shows then; what has changed is saved.

        Unless ``patient``, raises NotReady for one that is being searched: no thread is to wait for that.
        """
        seat = self._seat(name)
        if not seat.lock.acquire(blocking=patient):
            raise NotReady("this fight is being searched ...")
        try:
            if at != seat.course.at or stamp_of(seat.slot) != seat.stamp:
                raise Conflict("this fight has gone on in another window.")
            self._act(seat, act)
            return seat.shown
        finally:
            seat.lock.release()

    async def slowly(self, name: str, at: int, act: Callable[[Seat], object]) -> Json:
        """Do at a fight what may take seconds: one thing at a time, so that games never wait for it."""
        task = partial(self.do, name, at, act, patient=True)
        return await asyncio.get_running_loop().run_in_executor(self._slow, task)

    def _act(self, seat: Seat, act: Callable[[Seat], object]) -> None:
        """Do something at a fight and save it; one that cannot be saved is again what its file says."""
        at = seat.course.at
        act(seat)
        try:
            if seat.course.at != at:
                seat.save()
        except RunError:
            with self._lock:
                self._seats.pop(seat.slot.path, None)
            raise
        seat.shown = seat.look()

    def _seat(self, name: str) -> Seat:
        """Return a fight as its file has it, now the last one looked at; raises Missing if there is none."""
        self.get_ready()
        slot = Slot(fights_folder(self._site.root) / f"{check_name(name)}.json")
        with self._lock:
            stamp, known = stamp_of(slot), self._seats.get(slot.path)
            if known and (known.lock.locked() or known.stamp == stamp):
                self._seats[slot.path] = self._seats.pop(slot.path)
                return known
            self._seats.pop(slot.path, None)
            return self._remember(read_seat(slot))

    def _remember(self, seat: Seat) -> Seat:
        """Keep a fight in memory; those that nobody has looked at for longest leave it, unless they are searched."""
        idle = [path for path, one in self._seats.items() if not one.lock.locked()]
        for path in idle[: max(0, len(self._seats) + 1 - MOST_IN_MEMORY)]:
            del self._seats[path]
        self._seats[seat.slot.path] = seat
        return seat

    def _claimed(self, name: str) -> Slot:
        folder = fights_folder(self._site.root)
        try:
            n_saved = sum(1 for _ in folder.glob("*.json"))
        except OSError as error:
            raise RunError(f"{folder} cannot be read: {error.strerror or error}.") from error
        if n_saved >= MOST_SAVED:
            raise Full(f"{n_saved:,} fights are saved, and no more are begun. Delete some in {folder}.")
        return Slot(folder / f"{name}.json").claimed()

    def _compile(self) -> None:
        from evodom.spire.play.searcher import compile_fights
        from evodom.spire.solver.compiling import compile_solver

        try:
            for name, task in (("fights", compile_fights), ("solver", compile_solver)):
                task()
                if can_cache():
                    mark_compiled(name)
        except Exception as error:  # the page has to say it
            self._problem = f"fights cannot be compiled: {error}"
            return
        self._ready = True


def _doing() -> str:
    missing = needs_compiling("fights") or needs_compiling("solver")
    return "Compiling the fights, once for this version (about a minute)" if missing else "Loading the fights"
