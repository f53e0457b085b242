"""`Solver`: solve a fight, a turn or positions exactly with the compiled kernels.

Open it to change the contents of a solution or the calls of the kernels.
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
from evodom.search.estimate import ActionEstimate
from evodom.spire.engine import layout as at
from evodom.spire.engine.chance import LIST_ALL_BUT_DRAWS
from evodom.spire.engine.game import SpireFight, State
from evodom.spire.engine.moves import END, hp_left
from evodom.spire.engine.rules import Setup
from evodom.spire.fights.fight import Payoff
from evodom.spire.solver import graph as g
from evodom.spire.solver import values as v
from evodom.spire.solver.answer import Effort, ExactFigures, GraphSize, Results, SolvedFight, SolverLimits
from evodom.spire.solver.dominance import Shortcuts, new_workspace, shortcuts_of_fight, shortcuts_of_positions
from evodom.spire.solver.exact import ExactGraph, NoFractions
from evodom.spire.solver.graph import FightTooLarge, Graph, SolutionArrays, SolverArrays, SolverWorkspace, StartArrays

MOVES_PER_CALL = 300_000
"""Moves played between two calls of `progress`."""

ALL_STARTS = 1 << 30

FIRST_ERROR_BOUND = 1e-10
"""First error bound tried for a graph with cycles, relative to values above 1. It is quadrupled until proven."""

MAX_SWEEPS = 20_000
"""Maximum number of sweeps over a graph with cycles. Solving fails after them."""

CONVERGED_CHANGE = 1e-13
"""Maximum change of a value in a sweep at which the values have converged."""

MAX_UNFINISHED = 1e-9
"""Maximum probability of unfinished fights that the results omit."""

MAX_PASSES = 2_000
"""Maximum number of passes that propagate probability through cycles."""

Progress = Callable[[GraphSize], None]
"""Callback that receives the size of the graph."""

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
        """Prepare to solve a fight.

        Args:
            progress: called with the size of the graph after each MOVES_PER_CALL moves.
            fractions: whether to compute exact figures, where they exist.
        """
        self._fractions = fractions
        limits = limits or SolverLimits()
        self.game, self._progress = game, progress
        self._shortcuts_of_fight = shortcuts_of_fight(game)
        self._max_hp = game.rules.max_hp
        self._hp_payoff, self._win_payoff, self._potion_price, self._max_hp_payoff = (payoff or Payoff()).prices(
            game.rules.max_hp
        )
        self._max_hp_gain = int(game.record.change[at.C_FIGHT_END_MAX_HP])
        self._graph = Graph(self._max_hp, limits.memory, limits.chance_nodes)
        self._workspace: SolverWorkspace = new_workspace(game)
        self._use(self._shortcuts_of_fight)
        self._dice: Any = np.zeros(1, at.DICE)[0]
        self._start_tape = np.zeros(1, at.DICE)
        self._dice.mode = self._start_tape[0].mode = LIST_ALL_BUT_DRAWS
        self._enemy_rows, self._known_hp = np.zeros((2, at.MAX_ENEMIES), np.int32)
        self._payoffs = self._end_probability = np.zeros((5, self._max_hp + 1))
        self._hp_buffers = tuple(np.zeros(self._max_hp + 1) for _ in range(3))
        self._before_start = np.zeros(g.N_WORDS, np.uint64)
        self._n_ordered = 0
        self._error = 0.0
        self._effort = Effort()

    # Public methods.

    def solve(self) -> SolvedFight:
        """Solve the fight from its start. Raise `FightTooLarge` beyond the limits."""
        found = self._empty_solution()
        for group, probability in self._group_probabilities().items():
            for root in self._start_roots(group):
                found.add(probability, self._solutions([[root]])[0])
        found.effort = self._effort
        return found

    def solve_position(self, state: State) -> SolvedFight:
        """Solve an unfinished position, with the value of each legal move. Raise `FightTooLarge` beyond the limits."""
        ((moves, roots),) = self._graph_of([state])
        (found,) = self._solutions([roots])
        found.moves = self._rank(found, moves, roots)
        found.state, found.effort = state, self._effort
        return found

    def solve_starts(self, starts: Distribution[State]) -> SolvedFight:
        """Solve the fight from a distribution of initial states. Raise `FightTooLarge` beyond the limits."""
        found = self._empty_solution()
        graphs = self._graph_of([state for state, _ in starts])
        for (_, probability), part in zip(starts, self._solutions([roots for _, roots in graphs]), strict=True):
            found.add(Fraction(probability), part)
        found.effort = self._effort
        return found

    def solve_turn(self, state: State) -> SolvedFight:
        """Solve the start of a turn, with the value of each plan. Raise `FightTooLarge` beyond the limits.

        Of plans with equal outcomes keep the shortest.
        """
        self._clear([state])
        plans: dict[bytes, tuple[int, tuple[int, ...]]] = {}
        for plan, before in self._plans(state):
            root = self._root_of(before, plan[-1])
            branch = self._graph.chance_nodes["first_branch"][root]
            decision = self._graph.decisions[self._graph.branches["decision"][branch]]
            edges = self._graph.edges[decision.first_edge : decision.first_edge + decision.n_edges].copy()
            plans.setdefault(np.sort(edges, order=["target", "hp_loss", "probability"]).tobytes(), (root, plan))
        self._explore()
        roots = [root for root, _ in plans.values()]
        (found,) = self._solutions([roots])
        found.plans = self._rank(found, [plan for _, plan in plans.values()], roots)
        found.state, found.effort = state, self._effort
        return found

    def _empty_solution(self) -> SolvedFight:
        """Return a solution of value 0, the start of the sum over the parts of a fight."""
        upper_bound = 0.0 if self._has_upper_bound else None
        return SolvedFight(upper_bound=upper_bound, exact=ExactFigures() if self._fractions else None)

    def _rank(self, found: SolvedFight, choices: Sequence[C], roots: list[int]) -> list[tuple[C, float]]:
        """Pair each choice (a move or a plan) with the value of its root, best first.

        Sort `found.exact.choices` in the same order.
        """
        values = [float(value) for value in found.exact.choices] if found.exact else self._values(roots)
        order = sorted(range(len(roots)), key=lambda index: -values[index])
        if found.exact:
            found.exact.choices = [found.exact.choices[index] for index in order]
        return [(choices[index], values[index]) for index in order]

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

    def move_estimates(self, state: State) -> list[ActionEstimate[int]]:
        """Return the legal moves of an unfinished position with their values, best first.

        Raise `FightTooLarge` beyond the limits.
        """
        ((moves, roots),) = self._graph_of([state])
        self._solve(roots)
        values = self._values(roots)
        deaths = [self._results(root).death for root in roots]
        found = zip(moves, values, deaths, strict=True)
        return sorted(
            (ActionEstimate(move, 0, value, loss_probability=death, exact=True) for move, value, death in found),
            key=lambda estimate: -estimate.value,
        )

    def move_values(self, states: Sequence[State]) -> list[dict[int, float]]:
        """Return the value of every legal move of several positions. Raise `FightTooLarge` if their common graph is
        too large.
        """
        found = self._graph_of(states)
        self._solve([root for _, roots in found for root in roots])
        return [dict(zip(moves, self._values(roots), strict=True)) for moves, roots in found]

    def _graph_of(self, states: Sequence[State]) -> list[tuple[list[int], list[int]]]:
        """Build the graph of positions. Return the legal moves of each, and a root for each move."""
        self._clear(states)
        found = [self._roots_of(state) for state in states]
        self._explore()
        return found

    def _clear(self, states: Sequence[State]) -> None:
        """Remove the graph, and use the simplifications that are valid from some positions."""
        self._graph.clear(self._workspace)
        positions = np.frombuffer(b"".join(states), at.FIGHT)
        self._use(shortcuts_of_positions(self._shortcuts_of_fight, positions))

    def _use(self, shortcuts: Shortcuts) -> None:
        """Use simplifications for the next graph."""
        self.hp_independent = shortcuts.hp_independent
        for name, is_valid in shortcuts._asdict().items():
            setattr(self._workspace, name, is_valid)

    def _roots_of(self, state: State) -> tuple[list[int], list[int]]:
        """Return the legal moves of a position, and a root for each."""
        moves = self.game.actions(state)
        return moves, [self._root_of(state, move) for move in moves]

    def _root_of(self, state: State, move: int) -> int:
        """Return a new root for a move of a position."""
        fight = np.frombuffer(bytearray(state), at.FIGHT)[0]
        hp = int(fight.hp[0]) if self.hp_independent else 1
        if self.hp_independent:
            fight.hp[0] = g.PLACEHOLDER_HP
        self._graph.words[0] = np.frombuffer(fight.tobytes(), np.uint64)
        return self._add_root(v.ADD_MOVE_ROOT, hp, move=move)

    def _solutions(self, groups: list[list[int]]) -> list[SolvedFight]:
        """Solve the graph below groups of roots. Return the solution of the best root of each group."""
        roots = [root for group in groups for root in group]
        upper_bounds: list[float | None] = [None] * len(groups)
        if self._has_upper_bound:
            self._solve(roots, late_pays=True)
            upper_bounds = [max(self._values(group)) for group in groups]
        self._solve(roots)
        exact = self._exact(groups) if self._fractions else None
        found = []
        for n, group in enumerate(groups):
            values, figures = self._values(group), exact[n] if exact else None
            results = figures.results() if figures else self._results(group[int(np.argmax(values))])
            value = float(figures.value) if figures else max(values)
            bound = upper_bounds[n]
            found.append(SolvedFight(value=value, results=results, error=self._error, upper_bound=bound, exact=figures))
        return found

    def _exact(self, groups: list[list[int]]) -> list[ExactFigures] | None:
        """Return the exact figures of groups of solved roots; None if there are no fractions."""
        if self._error > v.TIE_TOLERANCE:
            return None
        roots = [root for group in groups for root in group]
        try:
            graph = ExactGraph(self._graph, self._workspace, self._payoffs, self._potion_price, self._n_ordered)
            values = graph.solve(roots)
        except NoFractions:
            return None
        found = [self._exact_figures(graph, group, values) for group in groups]
        found[0].n_decisions = graph.n_decisions(roots)  # of all groups together
        return found

    def _exact_figures(self, graph: ExactGraph, roots: list[int], values: dict[int, Fraction]) -> ExactFigures:
        best = max(roots, key=lambda root: values[root])
        found = ExactFigures(value=values[best], choices=[values[root] for root in roots])
        for (end, hp), probability in graph.end_probabilities(best).items():
            over, left = self._end(end, hp) if end else (at.LOST, 0)
            found.by_hp[left] = found.by_hp.get(left, Fraction(0)) + probability
            found.death += probability * (over in (at.LOST, at.LATE))
        return found

    def _values(self, roots: list[int]) -> list[float]:
        """Return the values of roots."""
        graph = self._graph
        return [float(graph.values[graph.offsets[root] + graph.chance_nodes["hp"][root] - 1]) for root in roots]

    def prepare(self) -> None:
        """Compile the solver's kernels, or load them from the cache, by exploring an empty graph."""
        self._run(v.EXPLORE)

    # The graph.

    def _group_probabilities(self) -> dict[int, float]:
        """Return the probabilities of the groups of enemies. In a plain fight, merge groups that differ in order."""
        rules = self.game.rules
        first_of_key: dict[tuple[int, ...], int] = {}
        found: dict[int, float] = {}
        for group, weight in enumerate(rules.group_weights):
            is_unordered = self._workspace.is_plain and not self.game.setup.enemy_hp
            key = tuple(sorted(rules.groups[group].tolist())) if is_unordered else (group,)
            first = first_of_key.setdefault(key, group)
            found[first] = found.get(first, 0.0) + float(weight) / float(rules.group_weights.sum())
        return found

    @property
    def _has_upper_bound(self) -> bool:
        """Whether to bound the value without the turn limit. The bound is valid only if no rule reads the HP."""
        return self.hp_independent and self.game.setup.max_turns is not None

    def _start_roots(self, group: int) -> Iterator[int]:
        """Build the graph of a group of enemies and yield its root.

        If the graph exceeds the memory limit, build the graphs of parts of the initial states one after the other, and
        yield a root for each. The value of the group is the sum of the roots' values. After a failure, the next part
        has an eighth of the initial states, or one if even the root of all of them was too large.
        """
        fight, known_hp = self.game.prepare(group)
        self._enemy_rows[:], self._known_hp[:] = self.game.rules.groups[group], known_hp
        self._start_tape[0].length = 0
        self._before_start = np.frombuffer(fight.tobytes(), np.uint64)
        n = ALL_STARTS
        while True:
            before = self._start_tape.copy()
            self._graph.clear(self._workspace)
            try:
                root = self._add_root(v.ADD_FIGHT_ROOT, self.game.rules.hp if self.hp_independent else 1, n=n)
                n = int(self._graph.chance_nodes["n_branches"][root])
                self._explore()
            except FightTooLarge:
                n = n // 8 if n < ALL_STARTS else 1
                if not n:
                    raise
                self._start_tape[:] = before
                continue
            yield root
            if not self._workspace.has_more_starts:
                return

    def _add_root(self, task: int, hp: int, *, n: int = 0, move: int = 0) -> int:
        """Create a root with a task of the kernels. Return its number."""
        workspace, before = self._workspace, self._start_tape.copy()
        first_branch, first_edge = int(workspace.n_branches), int(workspace.n_edges)
        while (code := int(self._run(task, n, move, hp))) != g.DONE:
            self._enlarge(code)
            self._start_tape[:] = before
            workspace.n_branches = first_branch
            if task == v.ADD_MOVE_ROOT:
                workspace.n_edges = first_edge
        return int(workspace.n_chance_nodes) - 1

    def _explore(self) -> None:
        """Expand all chance nodes below the roots, and allocate their values."""
        while (code := int(self._run(v.EXPLORE, MOVES_PER_CALL))) != g.DONE:
            if code != g.UNFINISHED:
                self._enlarge(code)
            if self._progress:
                self._progress(self._size())
        self._graph.allocate_values(int(self._workspace.n_chance_nodes))
        self._add_effort()

    def _size(self) -> GraphSize:
        """Return the size of the graph so far."""
        n = int(self._workspace.n_chance_nodes)
        n_expanded = int(np.count_nonzero(self._graph.chance_nodes["n_branches"][:n]))
        return GraphSize(n, n - n_expanded, self._graph.n_bytes)

    def _enlarge(self, code: int) -> None:
        """Enlarge the arrays that were full, by return code. Raise an error if the fight cannot be solved."""
        if code == g.TAPE_OVERFLOW:
            raise EvodomError(f"a move with more than {at.N_DICE} random events cannot be listed; leave cards out")
        if code == g.FIGHT_OVERFLOW:
            raise EvodomError("the queue of effects of this fight overflows; leave cards or relics out")
        if code == g.PILE_TOO_LARGE:
            raise FightTooLarge(f"piles of more than {g.MAX_PILE} cards, which this fight can create")
        self._graph.grow(code, self._workspace)

    def _add_effort(self) -> None:
        """Add the size of the graph to the effort."""
        workspace, graph, effort = self._workspace, self._graph, self._effort
        nodes = graph.chance_nodes[: workspace.n_chance_nodes]
        # Branches are stored node by node: in this order, the nodes' branches are a prefix of `branches`.
        reached = nodes[np.argsort(nodes["first_branch"], kind="stable")]
        reached = reached[reached["n_branches"] > 0]
        branch_hp = np.repeat(reached["hp"], reached["n_branches"])
        decision_hp = np.zeros(workspace.n_decisions, np.int16)
        np.maximum.at(decision_hp, graph.branches["decision"][: len(branch_hp)], branch_hp)
        effort.chance_nodes += len(reached)
        effort.decisions += len(decision_hp)
        effort.states += int(nodes["hp"].sum(dtype=np.int64)) + int(decision_hp.sum(dtype=np.int64))
        effort.moves = int(workspace.n_moves)
        effort.memory = graph.peak_bytes

    # Values.

    def _solve(self, roots: list[int], *, late_pays: bool = False) -> None:
        """Compute the values of all chance nodes below the roots."""
        workspace, graph = self._workspace, self._graph
        self._payoffs = self._end_payoffs(late_pays=late_pays)
        graph.values[:] = 0.0
        graph.marks[:] = 0
        workspace.n_cycle_edges, n = 0, 0
        for root in roots:
            n = int(self._run(v.ORDER, n, root))
        self._n_ordered = n
        change = self._run(v.SWEEP, n)
        if workspace.n_cycle_edges and change:
            self._solve_cycles(n)

    def _solve_cycles(self, n: int) -> None:
        """Sweep over the first `n` ordered nodes until the values converge, then prove an error bound.

        Values from sweeps that began at 0 are lower bounds. Values that a sweep does not raise are upper bounds. So add
        a margin to the converged values, and quadruple it until a sweep raises none of them.
        """
        values, margin = self._graph.values, FIRST_ERROR_BOUND
        for _ in range(MAX_SWEEPS):
            if self._run(v.SWEEP, n) > CONVERGED_CHANGE:
                continue
            lower = values.copy()
            if not self._run(v.SWEEP, n):
                return
            upper = lower + margin * np.maximum(1.0, lower)
            values[:] = upper
            self._run(v.SWEEP, n)
            is_proven = bool((values <= upper).all())
            values[:] = lower
            if is_proven:
                self._error = max(self._error, margin * float(max(1.0, lower.max())))
                return
            margin *= 4
        raise EvodomError("the values of a fight whose positions repeat do not converge; end it with --turns 10")

    def _results(self, root: int) -> Results:
        """Return the results of optimal play from a root."""
        graph = self._graph
        graph.allocate_probabilities()
        self._end_probability = np.zeros_like(self._payoffs)
        graph.reach_probability[graph.offsets[root] + graph.chance_nodes["hp"][root] - 1] = 1.0
        for _ in range(MAX_PASSES):
            if self._run(v.PROPAGATE, self._n_ordered) <= MAX_UNFINISHED:
                break
        found = Results()
        for end, hp in np.argwhere(self._end_probability > 0).tolist():
            probability = float(self._end_probability[end, hp])
            over, left = self._end(end, hp) if end else (at.LOST, 0)
            found.by_hp[left] += probability
            found.death += probability * (over in (at.LOST, at.LATE))
        return found

    def _end(self, end: int, hp: int) -> tuple[int, int]:
        """Return how the fight ended at an end of the graph (`fight.over`), and the HP left."""
        if not self.hp_independent:
            record = self._graph.ends[end - 1]
            return int(record.over), int(record.left)
        return end, int(self._hp_left[end, hp])

    @cached_property
    def _hp_left(self) -> npt.NDArray[np.int64]:
        """HP left after relics have healed, by how the fight ended and the HP at its end."""
        fight, found = np.zeros(1, at.FIGHT)[0], np.zeros((at.LATE + 1, self._max_hp + 1), np.int64)
        fight.max_hp[0] = self.game.rules.max_hp + self._max_hp_gain  # as at the end of the fight
        for over in (at.WON, at.FLED):
            for hp in range(1, self._max_hp + 1):
                fight.over, fight.hp[0] = over, hp
                found[over, hp] = hp_left(self.game.record, fight)
        return found

    def _end_payoffs(self, *, late_pays: bool) -> npt.NDArray[np.float64]:
        """Return the payoffs of the graph's ends by HP. With `late_pays`, late ends pay as if won in time."""
        if not self.hp_independent:
            ends = self._graph.ends[: self._workspace.n_ends]
            survived = np.isin(ends["over"], (at.WON, at.FLED))
            payoffs = self._hp_payoff * ends["left"] + self._win_payoff * survived
            payoffs = np.append(0.0, payoffs + self._max_hp_payoff * ends["gained"] * survived)
            return np.column_stack((np.zeros(len(payoffs)), payoffs))
        payoffs = np.zeros((at.LATE + 1, self._max_hp + 1))
        for over in (at.WON, at.FLED):
            payoffs[over, 1:] = self._hp_payoff * self._hp_left[over, 1:] + self._win_payoff
            payoffs[over, 1:] += self._max_hp_payoff * self._max_hp_gain
        if late_pays:
            payoffs[at.LATE] = np.maximum.accumulate(payoffs[at.WON])
        return payoffs

    def _run(self, task: int, n: int = 0, move_or_root: int = 0, hp: int = 0) -> float:
        """Run a task of the kernels (see `values.run_task`)."""
        graph = self._graph
        if task == v.ADD_FIGHT_ROOT:
            graph.words[0] = self._before_start
        best, plan_values, node_values = self._hp_buffers
        solution = SolutionArrays(
            graph.values, graph.offsets, graph.order, graph.marks, graph.stack, self._payoffs,
            best, plan_values, node_values, graph.reach_probability, self._end_probability,
        )  # fmt: skip
        start = StartArrays(self._enemy_rows, self._known_hp, self._start_tape[0])
        arrays = SolverArrays(start, graph.buffers(), graph.arrays(), solution, self._workspace, self._dice)
        return float(v.run_task(task, n, move_or_root, hp, self._potion_price, self.game.record, arrays))


def compile_solver() -> None:
    """Compile the kernels of the solver, or load them from the cache."""
    Solver(SpireFight(Setup())).prepare()
