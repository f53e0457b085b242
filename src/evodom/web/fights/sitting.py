"""The fights of a site: begun from a form, kept in memory, each used by one request at a time."""

import asyncio
import json
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Lock

import numpy as np

from evodom.errors import EvodomError, UsageError
from evodom.kernel import can_cache, mark_compiled, needs_compiling
from evodom.play.fight import FightTable
from evodom.spire.engine.moves import END
from evodom.spire.fights import Fight, fight_from_toml
from evodom.spire.search.player import Budget
from evodom.web.exchange import Conflict, Missing, NotReady, number, text
from evodom.web.fights.seeing import Json, figures, position
from evodom.web.site import Site

MOST_FIGHTS = 12
"""Fights that are kept: the one that was looked at longest ago leaves for a new one."""

MOST_MOVES = 600
MOST_SIMULATIONS = 100_000
SIMULATIONS = 1000

MOST_ROWS = 100_000
"""The rows of the solver's graph: a few seconds, in which no other fight is searched."""

ENDED = "end the turn"
"""What is noted when a turn ends. The engine itself counts turns only where a card or an enemy asks for them."""

LARGEST_SEED = 2**53 - 1

TEXTS = {"enemies": "Cultist", "deck": "", "relics": "", "potions": ""}
NUMBERS = {"ascension": (0, 20), "hp": (1, 999), "max_hp": (1, 999)}
FIELDS = (*TEXTS, *NUMBERS, "payoff", "seed")


def fight_of_form(form: Json) -> Fight:
    """Return the fight that a form describes, in names as people type them; raises UsageError, in one line."""
    lines = []
    for name, usual in TEXTS.items():
        words = text(form, name, usual, longest=600).strip() or usual
        if words:
            lines.append(f"{name} = {json.dumps(words)}")
    for name, (least, most) in NUMBERS.items():
        if form.get(name) is not None:
            lines.append(f"{name} = {number(form, name, least, most)}")
    payoff = text(form, "payoff", "hp")
    lines += ["[payoff]", f"kind = {json.dumps(payoff)}"]
    return fight_from_toml("\n".join(lines).replace("\x7f", ""), name="the fight")


class Seat:
    """One fight: its table, and what was said of the position of now. ``at`` counts all that changed."""

    def __init__(self, name: str, form: Json, seed: int) -> None:
        self.name, self.form, self.seed = name, form, seed
        self.lock = Lock()
        self.table = FightTable(fight_of_form(form), np.random.default_rng(seed), Budget(SIMULATIONS))
        self.at = 0
        self.simulations = 0
        self._said: list[str] = []
        self._advice: Json = {}
        self.shown = self.look()
        """What the page showed last: all that is told while the fight is searched."""

    def look(self) -> Json:
        """Return all that the page shows."""
        facts = {"name": self.name, "title": self.table.fight.text, "form": self.form, "seed": self.seed, "at": self.at}
        shown = {"turn": 1 + self._said.count(ENDED), "log": self._said[-8:], "searched": self.simulations}
        return facts | position(self.table) | shown | self._advice

    def play(self, move: int) -> None:
        """Make a move."""
        if self.table.n_played >= MOST_MOVES:
            raise UsageError(f"{MOST_MOVES} moves have been made. Take some back, or begin another fight.")
        self._note(self.table.text(move) if move in self._legal() else "")
        self.table.play(move)
        self._changed()

    def undo(self, n: int) -> None:
        """Take moves back; 0 goes back to the start."""
        n = n or self.table.n_played
        self.table.back(n)
        del self._said[max(0, len(self._said) - n) :]
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
        self._advice |= {"proven": [{"move": move, "worth": round(value, 4)} for move, value in found]}

    def find_line(self, simulations: int) -> None:
        """Find the best line up to the next random event."""
        steps = self.table.find_line(simulations)
        self._advice |= {"line": [{"text": one.text, "worth": round(one.value, 3)} for one in steps]}

    def play_line(self) -> None:
        """Play the best line that was found."""
        if "line" not in self._advice:
            raise UsageError("there is no line to play: find one first.")
        for said in self.table.play_line():
            self._note(said)
        self._changed()

    def _legal(self) -> list[int]:
        return [*self.table.moves(), *([END] if self.table.can_end() else [])]

    def _note(self, said: str) -> None:
        if not said:
            raise UsageError("that cannot be played now.")
        self._said.append(said)

    def _changed(self) -> None:
        self.at += 1
        self.simulations, self._advice = 0, {}


class Fights:
    """The fights of a site: a part of it. Compiled code is loaded when the first one begins."""

    def __init__(self, site: Site) -> None:
        self._seats: dict[str, Seat] = {}
        self._lock = Lock()
        self._slow = ThreadPoolExecutor(1, "fights")
        self._ready = False
        self._doing = self._problem = ""

    def close(self) -> None:
        """Let go of what is being searched."""
        self._slow.shutdown(wait=False, cancel_futures=True)

    def get_ready(self) -> None:
        """Have compiled what fights need, in a thread; raises NotReady until it is."""
        with self._lock:
            if self._ready:
                return
            if self._problem:
                raise EvodomError(self._problem)
            if not self._doing:
                self._doing = _doing()
                self._slow.submit(self._compile)
            raise NotReady(f"{self._doing} ...")

    def begin(self, form: Json) -> Seat:
        """Begin a fight."""
        self.get_ready()
        seed = secrets.randbelow(2**32) if form.get("seed") is None else number(form, "seed", 0, LARGEST_SEED)
        seat = Seat(secrets.token_hex(8), form | {"seed": None}, seed)
        with self._lock:
            while len(self._seats) >= MOST_FIGHTS:
                del self._seats[next(iter(self._seats))]
            self._seats[seat.name] = seat
        return seat

    def seats(self) -> list[Seat]:
        """Return the fights that are kept, the last one looked at first."""
        with self._lock:
            return list(self._seats.values())[::-1]

    def seat(self, name: str) -> Seat:
        """Return a fight, now the last one looked at; raises Missing if it is no longer kept."""
        with self._lock:
            if name not in self._seats:
                raise Missing("this fight is no longer kept: begin it again.")
            self._seats[name] = self._seats.pop(name)
            return self._seats[name]

    def look(self, name: str) -> Json:
        """Return what a fight shows; while it is searched, what it showed before."""
        return self.seat(name).shown

    def do(self, name: str, at: int, act: Callable[[Seat], object], *, patient: bool = False) -> Json:
        """Do something at a fight as it was at ``at``, and return what it shows then.

        Unless ``patient``, raises NotReady for one that is being searched: no thread is to wait for that.
        """
        seat = self.seat(name)
        if not seat.lock.acquire(blocking=patient):
            raise NotReady("this fight is being searched ...")
        try:
            if at != seat.at:
                raise Conflict("this fight has gone on in another window.")
            act(seat)
            seat.shown = seat.look()
            return seat.shown
        finally:
            seat.lock.release()

    async def slowly(self, name: str, at: int, act: Callable[[Seat], object]) -> Json:
        """Do at a fight what may take seconds: one thing at a time, so that games never wait for it."""
        task = partial(self.do, name, at, act, patient=True)
        return await asyncio.get_running_loop().run_in_executor(self._slow, task)

    def _compile(self) -> None:
        from evodom.spire.search.compiling import compile_fights
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
