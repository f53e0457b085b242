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
from evodom.spire.engine.layout import DICE, FIGHT, FLED, LATE, WON
from evodom.spire.engine.moves import hp_left
from evodom.spire.fights.fight import Payoff
from evodom.spire.rows import effects as e
from evodom.spire.search.player import prices
from evodom.spire.solver import layout as lay
from evodom.spire.solver.graph import Graph, TooLarge
from evodom.spire.solver.layout import PLENTY, WORK
from evodom.spire.solver import tasks
from evodom.spire.solver.tasks import work_on

AT_ONCE = 500_000
"""Moves between two looks at the limits."""

Progress = Callable[[int], None]


class Solver:
    def __init__(self, game: SpireFight, payoff: Payoff | None = None, *, memory: int | None = None) -> None:
        self.game = game
        self.payoff = payoff or Payoff()
        self.free = not reads_hp(game)
        self.most_hp = game.rules.max_hp if self.free else 1
        self.graph = Graph(self.most_hp, memory)
        self._work: Any = np.zeros(1, WORK)[0]
        self._dice: Any = np.zeros(1, DICE)[0]
        self._opening: Any = np.zeros(1, DICE)[0]
        self._dice.listing = self._opening.listing = BEFORE_DRAWS
        self._known = np.zeros(at.MAX_ENEMIES, np.int32)
        self._group = np.zeros(at.MAX_ENEMIES, np.int32)
        self._ends = np.zeros((5, self.most_hp + 1))
        self._results = np.zeros((5, self.most_hp + 1))
        n = self.most_hp + 1
        self._sums = np.zeros(n), np.zeros(n), np.zeros(n)
        self._prepare()
        self.graph.clear(self._work)
        self._n = 0

    def _prepare(self) -> None:
        work, rules = self._work, self.game.rules
        work.free = self.free
        work.dominates = self.free and _dominates(self.game)
        work.exhumes = any(card.name.startswith("Exhume") for card in rules.kinds)
        work.mark = MARKS.index(rules.setup.burning)
        for n in range(lay.MAX_PILE + 1):
            work.ways[n] = [comb(n, k) for k in range(lay.MAX_DRAWN + 1)]

    def _do(self, task: int, n: int = 0, hp: int = 0) -> float:
        graph = self.graph
        plan = (
            graph.values, graph.firsts, graph.order, graph.marks, graph.stack, self._ends, *self._sums, graph.mass,
            self._results,
        )  # fmt: skip
        return float(
            work_on(
                task, n, hp, prices(self.payoff, self.game.rules.max_hp)[2], self.game.record,
                (self._group, self._known), graph.room(), graph.arrays(), plan, self._work, self._dice, self._opening,
            )
        )  # fmt: skip

    def _until_done(self, task: int, n: int, hp: int = 0) -> None:
        while True:
            ended = int(self._do(task, n, hp))
            if ended == lay.DONE:
                return
            if ended != lay.MORE:
                self.graph.grow(ended, self._work)
                if task == tasks.BEGIN_FIGHT: self._opening.n = 0
                if task != tasks.EXPLORE: self._work.n_hands = 0

    def value(self, late_pays=False) -> float:
        total = 0.0
        weights = self.game.rules.group_weights
        for g, w in enumerate(weights):
            self._start(g)
            self._until_done(tasks.BEGIN_FIGHT, 10**9, self.game.rules.hp if self.free else 1)
            root = int(self._work.n_rows) - 1
            self._until_done(tasks.EXPLORE, AT_ONCE)
            total += w * self._solve([root])[0]
            self.root = root
        return total / weights.sum()

    def _start(self, group):
        game = self.game
        self.graph.clear(self._work)
        fight = np.zeros(1, FIGHT)[0]
        for place, relic in enumerate(game.rules.counted):
            fight.counters[place] = game.setup.counters.get(relic, 0)
        fight.pen_nib = game.setup.counters.get("Pen Nib", 0)
        self._known[:] = 0
        self._group[:] = game.rules.groups[group]
        for filled, given in zip(np.flatnonzero(self._group), game.setup.enemy_hp, strict=False):
            self._known[filled] = given or 0
        self._opening.n = 0
        self.graph.words[0] = np.frombuffer(fight.tobytes(), np.uint64)

    def _solve(self, roots):
        work, graph = self._work, self.graph
        n_rows = int(work.n_rows)
        graph.plan_of(n_rows, int(graph.rows["hp"][:n_rows].astype(np.int64).sum()))
        self._set_ends()
        work.n_back = 0
        n = 0
        for root in roots:
            n = int(self._do(tasks.ORDER, n, root))
        self.n_ordered = n
        self.n_sweeps = 0
        while True:
            change = self._do(tasks.SWEEP, n)
            self.n_sweeps += 1
            if not work.n_back or change < 1e-13:
                break
        return [graph.values[graph.firsts[r] + graph.rows["hp"][r] - 1] for r in roots]

    def _set_ends(self, late_pays=False):
        price = prices(self.payoff, self.game.rules.max_hp)
        fight = np.zeros(1, FIGHT)[0]
        fight.max_hp[0] = self.game.rules.max_hp
        if self.free:
            self._ends = np.zeros((5, self.most_hp + 1))
            for over in (WON, FLED):
                for hp in range(1, self.most_hp + 1):
                    fight.over, fight.hp[0] = over, hp
                    self._ends[over, hp] = price[0] * int(hp_left(self.game.record, fight)) + price[1]
            if late_pays: self._ends[LATE] = self._ends[WON]
        else:
            n = int(self._work.n_ends)
            ends = self.graph.ends[:n]
            self._ends = np.zeros((n, 2))
            won = ends["over"] == WON
            self._ends[:, 1] = price[0] * ends["left"] + price[1] * (won | (ends["over"] == FLED)) + price[3] * ends["gained"] * won


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
