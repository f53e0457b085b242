"""`Solver`: solve a fight, a turn or positions exactly with the compiled kernels.

Open it to change the contents of a solution. `building` builds the graph of positions, `sweep` has the kernels.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from evodom.distribution import Distribution
from evodom.errors import EvodomError
from evodom.search.estimate import ActionEstimate
from evodom.spire.engine import layout as at
from evodom.spire.engine.compiler import Setup
from evodom.spire.engine.game import SpireFight, State
from evodom.spire.engine.moves import END, hp_left
from evodom.spire.fights.fight import GUARANTEED, HP, TURNS, Payoff
from evodom.spire.solver.answer import ExactFigures, Results, SolvedFight, SolverLimits
from evodom.spire.solver.building import FightGraph, Progress
from evodom.spire.solver.dominance import shortcuts_of_fight, shortcuts_of_positions
from evodom.spire.solver.exact import ExactGraph, NoFractions
from evodom.spire.solver.graph import Criterion
from evodom.spire.solver.sweep import TIE_TOLERANCE, WAITING, propagate, sweep, topological_order

INITIAL_ERROR_BOUND = 1e-10
"""First error bound that is tried for a graph with cycles: absolute for values up to 1, relative for larger values. The
bound is quadrupled until a sweep proves it.
"""

MAX_SWEEPS = 20_000
"""Maximum number of sweeps over a graph with cycles. After that solving fails."""

CONVERGED_CHANGE = 1e-13
"""Values have converged if no value changes by more than this in a sweep."""

MAX_UNFINISHED = 1e-9
"""Maximum probability of fights still in cycles. The results omit these fights."""

MAX_PROPAGATIONS = 2_000
"""Maximum number of passes that propagate probability through cycles."""

Choice = TypeVar("Choice")


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
        self.game = game
        self._shortcuts_of_fight = shortcuts_of_fight(game)
        self._max_hp, self._payoff = game.rules.max_hp, payoff or Payoff()
        self._is_worst_case = self._payoff.kind == GUARANTEED
        self._tie = self._payoff.tie or (HP if self._is_worst_case else None)
        self._max_hp_gain = int(game.record.change[at.C_FIGHT_END_MAX_HP])
        self._graph = FightGraph(game, limits or SolverLimits(), progress)
        self._graph.use(self._shortcuts_of_fight)
        self._n_ordered, self._error = 0, 0.0

    @property
    def hp_independent(self) -> bool:
        """Whether a chance node represents all HP."""
        return bool(self._graph.workspace.hp_independent)

    def solve(self) -> SolvedFight:
        """Solve the fight from its start. Raise `FightTooLarge` beyond the limits."""
        found = SolvedFight.empty(is_worst_case=self._is_worst_case, fractions=self._fractions)
        for group, probability in self._graph.group_probabilities().items():
            for root in self._graph.explored_starts(group):
                found.add(probability, self._solutions([[root]])[0])
        found.effort = self._graph.effort
        return found

    def solve_position(self, state: State) -> SolvedFight:
        """Solve an unfinished position, with the value of each legal move. Raise `FightTooLarge` beyond the limits."""
        ((moves, roots),) = self._graph_of([state])
        (found,) = self._solutions([roots])
        found.moves = self._ranked(found, moves, roots)
        found.state, found.effort = state, self._graph.effort
        return found

    def solve_starts(self, starts: Distribution[State]) -> SolvedFight:
        """Solve the fight from a distribution of initial states. Raise `FightTooLarge` beyond the limits."""
        found = SolvedFight.empty(is_worst_case=self._is_worst_case, fractions=self._fractions)
        graphs = self._graph_of([state for state, _ in starts])
        for (_, probability), part in zip(starts, self._solutions([roots for _, roots in graphs]), strict=True):
            found.add(Fraction(probability), part)
        found.effort = self._graph.effort
        return found

    def solve_turn(self, state: State) -> SolvedFight:
        """Solve the start of a turn, with the value of each plan. Raise `FightTooLarge` beyond the limits.

        Of plans with equal outcomes keep the shortest.
        """
        self._clear([state])
        plans: dict[bytes, tuple[int, tuple[int, ...]]] = {}
        for plan, before in self._plans(state):
            root = self._graph.add_move_root(before, plan[-1])
            edges = np.sort(self._graph.edges_of_root(root), order=["target", "hp_loss", "probability"])
            plans.setdefault(edges.tobytes(), (root, plan))
        self._graph.explore()
        roots = [root for root, _ in plans.values()]
        (found,) = self._solutions([roots])
        found.plans = self._ranked(found, [plan for _, plan in plans.values()], roots)
        found.state, found.effort = state, self._graph.effort
        return found

    def move_estimates(self, state: State) -> list[ActionEstimate[int]]:
        """Return the legal moves of an unfinished position with their values, best first.

        Raise `FightTooLarge` beyond the limits.
        """
        ((moves, roots),) = self._graph_of([state])
        self._solve(roots)
        values = self._values(roots)
        deaths = [self._results(root).death for root in roots]
        return [
            ActionEstimate(moves[index], 0, values[index], loss_probability=deaths[index], exact=True)
            for index in self._order(roots, values)
        ]

    def move_values(self, states: Sequence[State]) -> list[dict[int, float]]:
        """Return the value of every legal move of several positions. Raise `FightTooLarge` if their common graph is
        too large.
        """
        found = self._graph_of(states)
        self._solve([root for _, roots in found for root in roots])
        return [dict(zip(moves, self._values(roots), strict=True)) for moves, roots in found]

    # Positions and plans.

    def _ranked(self, found: SolvedFight, choices: Sequence[Choice], roots: list[int]) -> list[tuple[Choice, float]]:
        """Return pairs of a choice (a move or a plan) and the value of its root, best first.

        Also sort the exact values of the choices in `found` like this.
        """
        values = [float(value) for value in found.exact.choices] if found.exact else self._values(roots)
        order = self._order(roots, values)
        if found.exact:
            found.exact.choices = [found.exact.choices[index] for index in order]
        return [(choices[index], values[index]) for index in order]

    def _order(self, roots: list[int], values: list[float]) -> list[int]:
        """Return the indices of roots, the highest value first, between equal values the highest tie value first."""
        if not self._tie:
            return sorted(range(len(roots)), key=lambda index: -values[index])
        ties = [self._graph.solution.tie.values[self._place(root)] for root in roots]
        return sorted(range(len(roots)), key=lambda index: (-round(values[index], 8), -ties[index]))

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

    def _graph_of(self, states: Sequence[State]) -> list[tuple[list[int], list[int]]]:
        """Build the graph of positions. Return the legal moves of each, and a root for each move."""
        self._clear(states)
        found = []
        for state in states:
            moves = self.game.actions(state)
            found.append((moves, [self._graph.add_move_root(state, move) for move in moves]))
        self._graph.explore()
        return found

    def _clear(self, states: Sequence[State]) -> None:
        """Remove the graph, and use the simplifications that are valid from some positions."""
        self._graph.clear()
        self._graph.workspace.n_moves = 0
        self._graph.use(shortcuts_of_positions(self._shortcuts_of_fight, np.frombuffer(b"".join(states), at.FIGHT)))

    # Solutions.

    def _solutions(self, groups: list[list[int]]) -> list[SolvedFight]:
        """Solve the graph below groups of roots. Return a solution for each group, that of its best root."""
        roots = [root for group in groups for root in group]
        upper_bounds: list[float | None] = [None] * len(groups)
        if self._has_upper_bound:
            self._solve(roots, late_is_won=True)
            upper_bounds = [max(self._values(group)) for group in groups]
        self._solve(roots)
        exact = self._exact(groups) if self._fractions and not self._is_worst_case else None
        found = []
        for n, group in enumerate(groups):
            values, figures = self._values(group), exact[n] if exact else None
            best = group[self._order(group, values)[0]]
            part = SolvedFight(is_worst_case=self._is_worst_case, error=self._error, upper_bound=upper_bounds[n])
            part.value, part.exact = float(figures.value) if figures else max(values), figures
            part.results = figures.results() if figures else self._results(best)
            part.turns = -self._graph.solution.tie.values[self._place(best)] if self._tie == TURNS else None
            found.append(part)
        return found

    def _exact(self, groups: list[list[int]]) -> list[ExactFigures] | None:
        """Return the exact figures of groups of solved roots.

        Return None if the values have no fractions, or if the error of the floats may exceed TIE_TOLERANCE.
        """
        if self._error > TIE_TOLERANCE:
            return None
        roots = [root for group in groups for root in group]
        try:
            graph = ExactGraph(self._graph, self._n_ordered)
            values = graph.solve(roots)
        except NoFractions:
            return None
        found = [self._exact_figures(graph, group, values) for group in groups]
        found[0].n_decisions = graph.n_decisions(roots)  # of all groups together
        return found

    def _exact_figures(self, graph: ExactGraph, roots: list[int], values: dict[int, Fraction]) -> ExactFigures:
        best = roots[self._order(roots, [float(values[root]) for root in roots])[0]]
        found = ExactFigures(value=values[best], choices=[values[root] for root in roots])
        for (end, hp), probability in graph.end_probabilities(best).items():
            over, left = self._end(end, hp)
            found.by_hp[left] = found.by_hp.get(left, Fraction(0)) + probability
            found.death += probability * (over in (at.LOST, at.LATE))
        return found

    def _place(self, root: int) -> int:
        """Return the place of a root in the arrays of values."""
        return int(self._graph.solution.offsets[root] + self._graph.arrays().chance_nodes["hp"][root] - 1)

    def _values(self, roots: list[int]) -> list[float]:
        """Return the values of roots."""
        return [float(self._graph.solution.main.values[self._place(root)]) + 0.0 for root in roots]  # no -0.0

    @property
    def _has_upper_bound(self) -> bool:
        """Whether to bound the value without the turn limit. The bound is valid only if no rule reads the HP."""
        return self.hp_independent and self.game.setup.max_turns is not None and not self._is_worst_case

    # Values.

    def _solve(self, roots: list[int], *, late_is_won: bool = False) -> None:
        """Compute the values of all chance nodes below the roots."""
        graph, old = self._graph, self._graph.solution
        main = self._criterion(self._payoff, old.main.values, late_is_won=late_is_won)
        none = main._replace(values=np.zeros(0))
        graph.solution = old._replace(main=main, tie=none, is_worst_case=self._is_worst_case)
        graph.solution.marks[:] = 0
        self._n_ordered, n_cycle_edges = topological_order(np.array(roots, np.int32), graph.arrays(), graph.solution)
        if self._sweep(everything=True) and n_cycle_edges:
            self._solve_cycles()
        if self._tie and not late_is_won:
            self._solve_ties()

    def _solve_ties(self) -> None:
        """Compute the tie values of all ordered chance nodes, whose values are final."""
        solution = self._graph.solution
        self._graph.reserve(solution.main.values.nbytes)
        values, payoff = np.zeros_like(solution.main.values), replace(self._payoff, kind=HP)
        tie = self._criterion(payoff, values, late_is_won=False)
        if self._tie == TURNS:
            tie = Criterion(values, np.zeros_like(tie.payoffs), 0.0, 1.0)
        self._graph.solution = solution._replace(tie=tie)
        for number in range(MAX_PROPAGATIONS):
            if self._sweep(everything=not number) <= TIE_TOLERANCE:
                return
        raise EvodomError("the fewest turns of a fight whose positions repeat do not converge; end it with --turns 10")

    def _sweep(self, *, everything: bool = False) -> float:
        """Update chance nodes: everything, or those with a changed successor. Return the largest change of a value."""
        if everything:
            self._graph.solution.marks[:] = WAITING
        return float(sweep(self._n_ordered, self._graph.arrays(), self._graph.solution))

    def _solve_cycles(self) -> None:
        """Sweep over the ordered nodes until the values converge, then prove an error bound.

        Sweeps that begin at 0 give lower bounds. Values are upper bounds if a sweep raises none of them. So add a
        margin to the converged values, and quadruple the margin until the sums are upper bounds.
        """
        values, margin = self._graph.solution.main.values, INITIAL_ERROR_BOUND
        for _ in range(MAX_SWEEPS):
            if self._sweep() > CONVERGED_CHANGE:
                continue
            lower = values.copy()
            if not self._sweep():
                return
            upper = lower + margin * np.maximum(1.0, lower)
            values[:] = upper
            self._sweep(everything=True)
            is_proven = bool((values <= upper).all())
            values[:] = lower
            if is_proven:
                self._error = max(self._error, margin * float(max(1.0, lower.max())))
                return
            margin *= 4
            self._sweep(everything=True)
        raise EvodomError("the values of a fight whose positions repeat do not converge; end it with --turns 10")

    def _results(self, root: int) -> Results:
        """Return the results of optimal play from a root."""
        graph = self._graph
        graph.reserve(graph.solution.main.values.nbytes)
        end_probability = np.zeros_like(graph.solution.main.payoffs)
        reach_probability = np.zeros(len(graph.solution.main.values))
        reach_probability[self._place(root)] = 1.0
        solution = graph.solution._replace(reach_probability=reach_probability, end_probability=end_probability)
        for _ in range(MAX_PROPAGATIONS):
            if propagate(self._n_ordered, graph.arrays(), solution) <= MAX_UNFINISHED:
                break
        found = Results()
        for end, hp in np.argwhere(end_probability > 0).tolist():
            probability = float(end_probability[end, hp])
            over, left = self._end(end, hp)
            found.by_hp[left] += probability
            found.death += probability * (over in (at.LOST, at.LATE))
        return found

    def _end(self, end: int, hp: int) -> tuple[int, int]:
        """Return how the fight ended at an end of the graph (`fight.over`), and the HP left. End 0 is death."""
        if not end:
            return at.LOST, 0
        if not self.hp_independent:
            record = self._graph.arrays().ends[end - 1]
            return int(record.over), int(record.left)
        return end, int(self._hp_left[end, hp])

    @cached_property
    def _hp_left(self) -> npt.NDArray[np.int64]:
        """HP left after relics have healed, by how the fight ended and the HP at its end."""
        fight, found = np.zeros(1, at.FIGHT)[0], np.zeros((at.LATE + 1, self._max_hp + 1), np.int64)
        fight.max_hp[0] = self._max_hp + self._max_hp_gain  # as at the end of the fight
        for over in (at.WON, at.FLED):
            for hp in range(1, self._max_hp + 1):
                fight.over, fight.hp[0] = over, hp
                found[over, hp] = hp_left(self.game.record, fight)
        return found

    def _criterion(self, payoff: Payoff, values: npt.NDArray[np.float64], *, late_is_won: bool) -> Criterion:
        """Return a payoff as a criterion, and set all values to 0.

        With `late_is_won`, a fight that exceeds its turn limit pays as if it were won with at most its HP.
        """
        values[:] = 0.0
        hp_payoff, win_payoff, potion_price, max_hp_payoff = payoff.prices(self._max_hp)
        if not self.hp_independent:
            ends = self._graph.arrays().ends[: self._graph.workspace.n_ends]
            survived = np.isin(ends["over"], (at.WON, at.FLED))
            payoffs = hp_payoff * ends["left"] + win_payoff * survived
            payoffs = np.append(0.0, payoffs + max_hp_payoff * ends["gained"] * survived)
            return Criterion(values, np.column_stack((np.zeros(len(payoffs)), payoffs)), potion_price, 0.0)
        payoffs = np.zeros((at.LATE + 1, self._max_hp + 1))
        for over in (at.WON, at.FLED):
            payoffs[over, 1:] = hp_payoff * self._hp_left[over, 1:] + win_payoff
            payoffs[over, 1:] += max_hp_payoff * self._max_hp_gain
        if late_is_won:
            payoffs[at.LATE] = np.maximum.accumulate(payoffs[at.WON])
        return Criterion(values, payoffs, potion_price, 0.0)


def compile_solver() -> None:
    """Compile the kernels of the solver, or load them from the cache, by solving a tiny fight."""
    game = SpireFight(Setup(deck={"Strike": 1}, enemy_hp=(1,)))
    solver = Solver(game)
    solver.solve()
    solver.move_values([game.start(np.random.default_rng(1))])
