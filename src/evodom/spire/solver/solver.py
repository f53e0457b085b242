"""Solve fights exactly: the face of the compiled solver."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.errors import EvodomError
from evodom.spire.engine import layout as at
from evodom.spire.engine.dice import BEFORE_DRAWS
from evodom.spire.engine.game import MARKS, SpireFight, State
from evodom.spire.engine.layout import DICE, FIGHT, FLED, LATE, PLAYING, WON
from evodom.spire.engine.moves import hp_left
from evodom.spire.fights.fight import Payoff
from evodom.spire.rows import effects as e
from evodom.spire.rows.relics import RELICS
from evodom.spire.search.player import prices
from evodom.spire.solver import layout as lay
from evodom.spire.solver.layout import FRAME, LEAF, NODE, OUTCOME, PLENTY, ROW, WORK
from evodom.spire.solver.walk import walk

AT_ONCE = 2_000_000
"""Moves between two looks at the limits."""

MARGIN = 12

Progress = Callable[[int], None]


class TooLarge(EvodomError):
    """A fight needs more positions or memory than is allowed."""


class NeverEnds(EvodomError):
    """A fight may go on for ever, so that it cannot be solved without a limit of turns."""


@dataclass(frozen=True)
class Counts:
    """What solving took: `positions` are draws with the HP at them, `decisions` turns with the HP, `moves` plays."""

    positions: int
    draws: int
    decisions: int
    moves: int
    memory: int


class Solver:
    """Solves positions of one fight; what was solved is kept from one to the next."""

    def __init__(
        self,
        game: SpireFight,
        payoff: Payoff | None = None,
        *,
        memory: int | None = None,
        late_pays: bool = False,
        margin: int = MARGIN,
    ) -> None:
        self.game = game
        self.payoff = payoff or Payoff()
        self._memory = memory
        self.free = not reads_hp(game)
        self._most_hp = game.rules.max_hp if self.free else 1
        self._work: Any = np.zeros(1, WORK)[0]
        self._prepare(late_pays, margin)
        self._dice: Any = np.zeros(1, DICE)[0]
        self._opening: Any = np.zeros(1, DICE)[0]
        self._dice.listing = self._opening.listing = BEFORE_DRAWS
        self._frames = np.zeros(lay.MAX_DEPTH, FRAME)
        self._ends, self._most = self._final()
        self._rooms()

    def _prepare(self, late_pays: bool, margin: int) -> None:
        work, rules = self._work, self.game.rules
        work.free, work.late_pays, work.margin = self.free, late_pays, margin
        work.dominates = self.free and _dominates(self.game)
        work.exhumes = any(card.name.startswith("Exhume") for card in rules.kinds)
        work.mark = MARKS.index(rules.setup.burning)
        work.prices[:] = prices(self.payoff, rules.max_hp)
        work.depth = -1
        for n in range(lay.MAX_PILE + 1):
            work.ways[n] = [comb(n, k) for k in range(lay.MAX_DRAWN + 1)]

    def _final(self) -> tuple[Any, Any]:
        """Return what each end of a fight pays by HP, (5, n) float64, and the most that each HP can still pay."""
        n = self._most_hp + 1
        ends = np.zeros((5, n))
        fight = np.zeros(1, FIGHT)[0]
        fight.max_hp[0] = self.game.rules.max_hp
        for over in (WON, FLED):
            for hp in range(1, n):
                fight.over, fight.hp[0] = over, hp
                left = int(hp_left(self.game.record, fight))
                ends[over, hp] = self._work.prices[0] * left + self._work.prices[1]
        if not self.free:
            return ends, np.full(n, 1e300)
        return ends, np.maximum.accumulate(ends.max(axis=0))

    def _rooms(self) -> None:
        n = self._most_hp + 1
        self._words = np.zeros((4096, lay.N_WORDS), np.uint64)
        self._outcomes = np.zeros(4096, OUTCOME)
        self._leaves = np.zeros(4096, LEAF)
        self._own = np.zeros((1024, lay.N_WORDS), np.uint64)
        self._nodes = np.zeros(1024, NODE)
        self._slots = np.zeros((4096, 2), np.int64)
        self._rows = np.zeros(1 << 12, ROW)
        self._index = np.full(1 << 13, at.NONE, np.int32)
        self._values = np.zeros(1 << 16)
        self._best = np.zeros((lay.MAX_DEPTH, n))
        self._sums = np.zeros((lay.MAX_DEPTH, n))

    def _arrays(self) -> tuple[Any, ...]:
        states, own = self._words.view(FIGHT)[:, 0], self._own.view(FIGHT)[:, 0]
        return (
            self._words, states, self._outcomes, self._leaves, self._own, own, self._nodes, self._slots,
            self._rows, self._index, self._values, self._best, self._sums,
        )  # fmt: skip

    @property
    def memory(self) -> int:
        """The bytes of what is kept of solved positions."""
        work = self._work
        return int(work.n_rows * (ROW.itemsize + 8) + work.n_values * 8)

    @property
    def counts(self) -> Counts:
        work = self._work
        return Counts(int(work.n_values), int(work.n_rows), int(work.n_decisions), int(work.n_plays), self.memory)

    def value(self, progress: Progress | None = None) -> float:
        """Return what can be expected of the fight from its start."""
        weights = self.game.rules.group_weights
        total = 0.0
        for group, weight in enumerate(weights):
            total += float(weight) * self._value_of_group(group, progress)
        return total / float(weights.sum())

    def _value_of_group(self, group: int, progress: Progress | None) -> float:
        game = self.game
        fight = np.zeros(1, FIGHT)[0]
        for place, relic in enumerate(game.rules.counted):
            fight.counters[place] = game.setup.counters.get(relic, 0)
        fight.pen_nib = game.setup.counters.get("Pen Nib", 0)
        known = np.zeros(at.MAX_ENEMIES, np.int32)
        rows = game.rules.groups[group]
        for filled, given in zip(np.flatnonzero(rows), game.setup.enemy_hp, strict=False):
            known[filled] = given or 0
        self._opening.n = 0
        return self._solve(lay.STARTING, fight, game.rules.hp, (rows, known), progress)

    def _solve(self, kind: int, fight: Any, hp: int, start: Any, progress: Progress | None) -> float:
        work = self._work
        hp = hp if self.free else 1
        work.depth, work.top, work.n_leaves = -1, 1, 0
        self._words[0] = np.frombuffer(fight.tobytes(), np.uint64)
        self._frames[0] = np.zeros(1, FRAME)[0]
        root = self._frames[0]
        root["kind"], root["row"], root["lo"], root["hi"], root["top"] = kind, at.NONE, hp, hp, 1
        work.depth = 0
        while True:
            ended = walk(
                self.game.record, self._frames, self._arrays(), start, self._ends, self._most, work,
                self._dice, self._opening, AT_ONCE,
            )  # fmt: skip
            if progress:
                progress(int(work.n_decisions))
            if ended == lay.DONE:
                return float(self._best[0, hp])
            if ended != lay.MORE:
                self._make_room(ended)

    def _make_room(self, ended: int) -> None:
        if ended == lay.NO_ROWS:
            self._rows = _doubled(self._rows)
            self._index = np.full(4 * len(self._rows), at.NONE, np.int32)
            self._work.n_indexed = 0
        elif ended == lay.NO_VALUES:
            self._values = _doubled(self._values)
        elif ended == lay.NO_ROOM:
            self._words, self._outcomes = _doubled(self._words), _doubled(self._outcomes)
        elif ended == lay.NO_LEAVES:
            self._leaves = _doubled(self._leaves)
        elif ended == lay.NO_NODES:
            self._own, self._nodes = _doubled(self._own), _doubled(self._nodes)
            self._slots = np.zeros((2 * len(self._slots), 2), np.int64)
        elif ended in (lay.COMES_BACK, lay.TOO_DEEP):
            raise NeverEnds("this fight may go on for ever")
        elif ended == lay.TOO_RANDOM:
            raise EvodomError("too random")
        elif ended == lay.SPILLED:
            raise EvodomError("spilled")
        else:
            raise AssertionError(ended)


def _doubled(array: Any) -> Any:
    more = np.zeros((2 * len(array), *array.shape[1:]), array.dtype)
    more[: len(array)] = array
    return more


def reads_hp(game: SpireFight) -> bool:
    """Tell whether anything during the fight depends on the player's HP or gives some back."""
    rules = game.rules
    change = game.record.change
    return bool(
        rules.heals
        or rules.feed
        or any(rules.juice)
        or change[at.CHANGE["skull"]]
        or change[at.CHANGE["tail"]]
        or (game.record.lines[:, at.OP] == e.OP_ACTIVATE).any()
    )


def _dominates(game: SpireFight) -> bool:
    """Tell whether less HP of a single enemy is always at least as good for the player."""
    record = game.record
    alone = (game.rules.groups > 0).sum(axis=1).max() == 1 and not record.children.any()
    return bool(alone and not record.change[at.CHANGE["last_heal_low"]])
