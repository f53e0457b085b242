"""`Solver`: solve a fight, a turn or positions exactly on the compiled engine.

Open it to change what a solution contains or how the kernels are called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from evodom.distribution import Distribution
from evodom.errors import EvodomError
from evodom.search.options import ActionEstimate
from evodom.spire.engine import layout as at
from evodom.spire.engine.chance import BEFORE_DRAWS
from evodom.spire.engine.game import SpireFight, State
from evodom.spire.engine.moves import END, hp_left
from evodom.spire.engine.rules import Setup
from evodom.spire.fights.fight import Payoff
from evodom.spire.solver import graph as g
from evodom.spire.solver.answer import Effort, ExactFigures, Results, SolvedFight, SolverLimits
from evodom.spire.solver.dominance import reads_hp, solver_record
from evodom.spire.solver.exact import ExactGraph, NoFractions
from evodom.spire.solver.graph import FightStart, FightTooLarge, Graph, SolverArrays, SolverRecord, ValueArrays
from evodom.spire.solver.values import BEGIN_FIGHT, BEGIN_MOVE, EXPLORE, FOLLOW, ORDER, SLACK, SWEEP, work_on

AT_ONCE = 300_000
"""Moves played between two calls of `progress`."""

ALL = 1 << 30

TOLERANCE = 1e-10
"""First error bound tried for a graph with cycles, relative to values above 1. It grows fourfold until it is proven."""

SWEEPS = 20_000
"""Maximum number of sweeps over a graph with cycles; then solving fails."""

SETTLED = 1e-13
"""Maximum change of a value in a sweep after which values count as converged."""

TAIL = 1e-9
"""Probability of unfinished fights that the results may omit."""

PASSES = 2_000
"""Maximum number of passes that propagate probability through cycles."""

Progress = Callable[[int], None]

C = TypeVar("C")


class Solver:
    """Solver of one fight, or of positions of it."""

    def __init__(
        self,
        game: SpireFight,
        payoff: Payoff | None = None,
        limits: SolverLimits | None = None,
        progress: Progress | None = None,
        *,
        fractions: bool = False,
    ) -> None:
        """Prepare to solve a fight. `fractions` requests exact figures, where they exist.

        `progress` is called with the number of moves played so far.
        """
        self._fractions = fractions
        limits = limits or SolverLimits()
        self.game, self._progress = game, progress
        self.free = not reads_hp(game)
        self._most_hp = game.rules.max_hp if self.free else 1
        self._prices = (payoff or Payoff()).prices(game.rules.max_hp)
        self._graph = Graph(self._most_hp, limits.memory, limits.rows)
        self._work: SolverRecord = solver_record(game, free=self.free)
        self._dice: Any = np.zeros(1, at.DICE)[0]
        self._openings = np.zeros(1, at.DICE)
        self._dice.listing = self._openings[0].listing = BEFORE_DRAWS
        self._start = np.zeros(at.MAX_ENEMIES, np.int32), np.zeros(at.MAX_ENEMIES, np.int32)
        self._ends = self._results = np.zeros((5, self._most_hp + 1))
        self._sums = tuple(np.zeros(self._most_hp + 1) for _ in range(3))
        self._empty = np.zeros(g.N_WORDS, np.uint64)
        self._n_ordered = 0
        self._error = 0.0
        self._effort = Effort()

    # Public methods.

    def fight(self) -> SolvedFight:
        """Solve the fight from its start. Raise `FightTooLarge` beyond the limits."""
        found = self._nothing()
        for group, chance in self._groups().items():
            for root in self._starts(group):
                found.add(chance, self._solved([[root]])[0])
        found.effort = self._effort
        return found

    def position(self, state: State) -> SolvedFight:
        """Solve an unfinished position, with the value of each legal move. Raise `FightTooLarge` beyond the limits."""
        ((moves, roots),) = self._graph_of([state])
        (found,) = self._solved([roots])
        found.moves = self._ranked(found, moves, roots)
        found.start, found.effort = state, self._effort
        return found

    def starts(self, starts: Distribution[State]) -> SolvedFight:
        """Solve the fight from a distribution of initial states. Raise `FightTooLarge` beyond the limits."""
        found = self._nothing()
        graphs = self._graph_of([state for state, _ in starts])
        for (_, share), part in zip(starts, self._solved([roots for _, roots in graphs]), strict=True):
            found.add(Fraction(share), part)
        found.effort = self._effort
        return found

    def turn(self, state: State) -> SolvedFight:
        """Solve the start of a turn, with the value of each plan. Raise `FightTooLarge` beyond the limits.

        A plan is a sequence of moves up to the next random event or the end of the turn. Of plans with equal outcomes
        the shortest is kept.
        """
        self._graph.clear(self._work)
        plans: dict[bytes, tuple[int, tuple[int, ...]]] = {}
        for plan, before in self._plans(state):
            root = self._root_of(before, plan[-1])
            turn = self._graph.turns[self._graph.hands["turn"][self._graph.rows["hand"][root]]]
            edges = self._graph.edges[turn.edge : turn.edge + turn.n].copy()
            plans.setdefault(np.sort(edges, order=["target", "loss", "weight"]).tobytes(), (root, plan))
        self._explore()
        roots = [root for root, _ in plans.values()]
        (found,) = self._solved([roots])
        found.plans = self._ranked(found, [plan for _, plan in plans.values()], roots)
        found.start, found.effort = state, self._effort
        return found

    def _nothing(self) -> SolvedFight:
        """Return an empty result, to which the parts of a fight are added."""
        at_most = 0.0 if self._bounds_late else None
        return SolvedFight(at_most=at_most, exact=ExactFigures() if self._fractions else None)

    def _ranked(self, found: SolvedFight, choices: Sequence[C], roots: list[int]) -> list[tuple[C, float]]:
        """Return choices, each with a root, and their values, best first. Sort the fractions alike."""
        values = [float(value) for value in found.exact.choices] if found.exact else self._values(roots)
        order = sorted(range(len(roots)), key=lambda place: -values[place])
        if found.exact:
            found.exact.choices = [found.exact.choices[place] for place in order]
        return [(choices[place], values[place]) for place in order]

    def _plans(self, state: State) -> Iterator[tuple[tuple[int, ...], State]]:
        """Yield the plans of a turn, shortest first, each with the position before its last move."""
        level: dict[State, tuple[int, ...]] = {state: ()}
        seen = {state}
        while level:
            following: dict[State, tuple[int, ...]] = {}
            for before, moves in level.items():
                for move in self.game.actions(before):
                    ends = move == END and not self.game.view(before).choosing
                    after = () if ends else tuple(self.game.outcomes(before, move).pairs)
                    if len(after) == 1 and not self.game.view(after[0][0]).over:
                        if after[0][0] not in seen:
                            seen.add(after[0][0])
                            following[after[0][0]] = (*moves, move)
                    else:
                        yield (*moves, move), before
            level = following

    def moves(self, state: State) -> list[ActionEstimate[int]]:
        """Return the legal moves of an unfinished position, best first. Raise `FightTooLarge` beyond the limits."""
        ((moves, roots),) = self._graph_of([state])
        self._solve(roots)
        values = self._values(roots)
        deaths = [self._follow(root).death for root in roots]
        found = zip(moves, values, deaths, strict=True)
        return sorted(
            (ActionEstimate(move, 0, value, loss=death, exact=True) for move, value, death in found),
            key=lambda one: -one.value,
        )

    def positions(self, states: Sequence[State]) -> list[dict[int, float]]:
        """Return the value of every legal move of several positions. One graph serves all; raise `FightTooLarge` if it
        is too large.
        """
        found = self._graph_of(states)
        self._solve([root for _, roots in found for root in roots])
        return [dict(zip(moves, self._values(roots), strict=True)) for moves, roots in found]

    def _graph_of(self, states: Sequence[State]) -> list[tuple[list[int], list[int]]]:
        """Build the graph of positions. Return the legal moves of each, and a root for each move."""
        self._graph.clear(self._work)
        found = [self._roots_of(state) for state in states]
        self._explore()
        return found

    def _roots_of(self, state: State) -> tuple[list[int], list[int]]:
        """Return the legal moves of a position, and a root for each."""
        moves = self.game.actions(state)
        return moves, [self._root_of(state, move) for move in moves]

    def _root_of(self, state: State, move: int) -> int:
        """Return a new root for a move of a position."""
        fight = np.frombuffer(bytearray(state), at.FIGHT)[0]
        hp = int(fight.hp[0]) if self.free else 1
        if self.free:
            fight.hp[0] = g.PLENTY
        self._graph.words[0] = np.frombuffer(fight.tobytes(), np.uint64)
        return self._begin(BEGIN_MOVE, move, hp)

    def _solved(self, groups: list[list[int]]) -> list[SolvedFight]:
        """Solve the graph below groups of roots. In each group the best root is chosen."""
        roots = [root for group in groups for root in group]
        most: list[float | None] = [None] * len(groups)
        if self._bounds_late:
            self._solve(roots, late_pays=True)
            most = [max(self._values(group)) for group in groups]
        self._solve(roots)
        exact = self._exact(groups) if self._fractions else None
        found = []
        for place, (group, at_most) in enumerate(zip(groups, most, strict=True)):
            values, figures = self._values(group), exact[place] if exact else None
            results = figures.results() if figures else self._follow(group[int(np.argmax(values))])
            value = float(figures.value) if figures else max(values)
            found.append(SolvedFight(value=value, results=results, error=self._error, at_most=at_most, exact=figures))
        return found

    def _exact(self, groups: list[list[int]]) -> list[ExactFigures] | None:
        """Return the exact figures of groups of solved roots; None if there are no fractions."""
        if self._error > SLACK:
            return None
        roots = [root for group in groups for root in group]
        try:
            graph = ExactGraph(self._graph, self._work, self._ends, self._prices[2], self._n_ordered)
            values = graph.solve(roots)
        except NoFractions:
            return None
        found = [self._exact_figures(graph, group, values) for group in groups]
        found[0].decisions = graph.n_decisions(roots)  # total of all groups
        return found

    def _exact_figures(self, graph: ExactGraph, roots: list[int], values: dict[int, Fraction]) -> ExactFigures:
        best = max(roots, key=lambda root: values[root])
        found = ExactFigures(value=values[best], choices=[values[root] for root in roots])
        for (end, hp), share in graph.follow(best).items():
            over, left = self._end(end, hp) if end else (at.LOST, 0)
            found.by_hp[left] = found.by_hp.get(left, Fraction(0)) + share
            found.death += share * (over in (at.LOST, at.LATE))
        return found

    def _values(self, roots: list[int]) -> list[float]:
        """Return the values of roots."""
        graph = self._graph
        return [float(graph.values[graph.firsts[root] + graph.rows["hp"][root] - 1]) for root in roots]

    def prepare(self) -> None:
        """Compile the kernel of the solver, or load it from the cache, by exploring an empty graph."""
        self._do(EXPLORE)

    # The graph.

    def _groups(self) -> dict[int, float]:
        """Return groups of enemies and their probabilities. In a plain fight the order of enemies is irrelevant."""
        rules = self.game.rules
        firsts: dict[tuple[int, ...], int] = {}
        found: dict[int, float] = {}
        for group, weight in enumerate(rules.group_weights):
            same = self._work.plain and not self.game.setup.enemy_hp
            key = tuple(sorted(rules.groups[group].tolist())) if same else (group,)
            first = firsts.setdefault(key, group)
            found[first] = found.get(first, 0.0) + float(weight) / float(rules.group_weights.sum())
        return found

    @property
    def _bounds_late(self) -> bool:
        """Whether the value without the limit of turns can be bounded: the player must not heal during the fight."""
        return self.free and self.game.setup.max_turns is not None

    def _starts(self, group: int) -> Iterator[int]:
        """Build the graph of a group of enemies and yield its root; several roots if memory allows only part of the
        starts.

        The value of the group is the sum of the roots' values.
        """
        self._set_start(group)
        n = ALL
        while True:
            before = self._openings.copy()
            self._graph.clear(self._work)
            try:
                root = self._begin(BEGIN_FIGHT, n, self.game.rules.hp if self.free else 1)
                n = int(self._graph.rows["n_hands"][root])
                self._explore()
            except FightTooLarge:
                n = n // 8 if n < ALL else 1
                if not n:
                    raise
                self._openings[:] = before
                continue
            yield root
            if not self._work.more:
                return

    def _set_start(self, group: int) -> None:
        """Set the group of enemies and the empty record of the fight."""
        fight, known = self.game.prepare(group)
        self._start[0][:], self._start[1][:] = self.game.rules.groups[group], known
        self._openings[0].n = 0
        self._empty = np.frombuffer(fight.tobytes(), np.uint64)

    def _begin(self, task: int, n: int, hp: int) -> int:
        """Create a root and return it."""
        work, before = self._work, self._openings.copy()
        first_hand, first_edge = int(work.n_hands), int(work.n_edges)
        while (ended := int(self._do(task, n, hp))) != g.DONE:
            self._make_room(ended)
            self._openings[:] = before
            work.n_hands = first_hand
            if task == BEGIN_MOVE:
                work.n_edges = first_edge
        return int(work.n_rows) - 1

    def _explore(self) -> None:
        """Expand all reachable rows and allocate their values."""
        while (ended := int(self._do(EXPLORE, AT_ONCE))) != g.DONE:
            if ended != g.MORE:
                self._make_room(ended)
            if self._progress:
                self._progress(int(self._work.n_plays))
        self._graph.plan(int(self._work.n_rows))
        self._count()

    def _make_room(self, ended: int) -> None:
        if ended == g.TOO_RANDOM:
            raise EvodomError(f"a move with more than {at.N_DICE} random events cannot be listed; leave cards out")
        if ended == g.SPILLED:
            raise EvodomError("more happens in this fight at once than there is room for; leave cards or relics out")
        if ended == g.TOO_MANY:
            raise FightTooLarge(f"piles of more than {g.MAX_PILE} cards, which this fight can create")
        self._graph.grow(ended, self._work)

    def _count(self) -> None:
        """Add the size of the graph to the effort."""
        work, graph, effort = self._work, self._graph, self._effort
        rows = graph.rows[: work.n_rows]
        turns = np.zeros(work.n_turns, np.int16)
        reached = rows[np.argsort(rows["hand"], kind="stable")]
        reached = reached[reached["n_hands"] > 0]
        hands = np.repeat(reached["hp"], reached["n_hands"])
        np.maximum.at(turns, graph.hands["turn"][: len(hands)], hands)
        effort.rows += len(reached)
        effort.turns += len(turns)
        effort.states += int(rows["hp"].sum(dtype=np.int64)) + int(turns.sum(dtype=np.int64))
        effort.moves = int(work.n_plays)
        effort.memory = graph.largest

    # Its values.

    def _solve(self, roots: list[int], *, late_pays: bool = False) -> None:
        """Solve the rows below the roots."""
        work, graph = self._work, self._graph
        self._ends = self._paid(late_pays=late_pays)
        graph.values[:] = 0.0
        graph.marks[:] = 0
        work.n_back, n = 0, 0
        for root in roots:
            n = int(self._do(ORDER, n, root))
        self._n_ordered = n
        change = self._do(SWEEP, n)
        if work.n_back and change:
            self._settle(n)

    def _settle(self, n: int) -> None:
        """Sweep until the values of a graph with cycles converge, and prove an error bound.

        Values that no sweep raises are upper bounds. Values found by sweeps from 0 are lower bounds.
        """
        values, above = self._graph.values, TOLERANCE
        for _ in range(SWEEPS):
            if self._do(SWEEP, n) > SETTLED:
                continue
            near = values.copy()
            if not self._do(SWEEP, n):
                return
            far = values[:] = near + above * np.maximum(1.0, near)
            far = far.copy()
            self._do(SWEEP, n)
            proven = bool((values <= far).all())
            values[:] = near
            if proven:
                self._error = max(self._error, above * float(max(1.0, near.max())))
                return
            above *= 4
        raise EvodomError("the values of positions that come back do not settle; --turns 10 ends the fight")

    def _follow(self, root: int) -> Results:
        """Return the results of optimal play from a root."""
        graph = self._graph
        graph.plan_to_follow()
        self._results = np.zeros_like(self._ends)
        graph.mass[graph.firsts[root] + graph.rows["hp"][root] - 1] = 1.0
        for _ in range(PASSES):
            if self._do(FOLLOW, self._n_ordered) <= TAIL:
                break
        found = Results()
        for end, hp in np.argwhere(self._results > 0).tolist():
            share = float(self._results[end, hp])
            over, left = self._end(end, hp) if end else (at.LOST, 0)
            found.by_hp[left] += share
            found.death += share * (over in (at.LOST, at.LATE))
        return found

    def _end(self, end: int, hp: int) -> tuple[int, int]:
        """Return how the fight ended at an end of the graph, and the HP left."""
        if not self.free:
            known = self._graph.ends[end - 1]
            return int(known.over), int(known.left)
        return end, int(self._left[end, hp])

    @cached_property
    def _left(self) -> npt.NDArray[np.int64]:
        """HP left after a fight that was won or fled from, by how it ended and the HP at the end."""
        fight, found = np.zeros(1, at.FIGHT)[0], np.zeros((at.LATE + 1, self._most_hp + 1), np.int64)
        fight.max_hp[0] = self.game.rules.max_hp
        for over in (at.WON, at.FLED):
            for hp in range(1, self._most_hp + 1):
                fight.over, fight.hp[0] = over, hp
                found[over, hp] = hp_left(self.game.record, fight)
        return found

    def _paid(self, *, late_pays: bool) -> npt.NDArray[np.float64]:
        """Return the payoffs of the graph's ends by HP. With `late_pays` late ends pay as if won in time."""
        hp_price, win, _, gain = self._prices
        if not self.free:
            ends = self._graph.ends[: self._work.n_ends]
            won = ends["over"] == at.WON
            paid = hp_price * ends["left"] + win * (won | (ends["over"] == at.FLED)) + gain * ends["gained"] * won
            return np.column_stack((np.zeros(len(paid) + 1), np.append(0.0, paid)))
        paid = np.zeros((at.LATE + 1, self._most_hp + 1))
        for over in (at.WON, at.FLED):
            paid[over, 1:] = hp_price * self._left[over, 1:] + win
        if late_pays:
            paid[at.LATE] = np.maximum.accumulate(paid[at.WON])
        return paid

    def _do(self, task: int, n: int = 0, hp: int = 0) -> float:
        """Run a task of the kernels (see `values.work_on`)."""
        graph = self._graph
        if task == BEGIN_FIGHT:
            graph.words[0] = self._empty
        best, sums, total = self._sums
        plan = ValueArrays(
            graph.values, graph.firsts, graph.order, graph.marks, graph.stack, self._ends, best, sums, total,
            graph.mass, self._results,
        )  # fmt: skip
        start = FightStart(*self._start, self._openings[0])
        arrays = SolverArrays(start, graph.room(), graph.arrays(), plan, self._work, self._dice)
        return float(work_on(task, n, hp, self._prices[2], self.game.record, arrays))


def compile_solver() -> None:
    """Compile the kernels of the solver, or load them from the cache."""
    Solver(SpireFight(Setup())).prepare()
