"""Bound the values of games whose states can recur: `solve_bounds` returns an interval for every value.

`solve` refuses games whose states recur. `solve_bounds` finds the strongly connected components of the states, here
called loops (Gabow 2000, "Path-based depth-first search for strong and biconnected components"). It solves one loop
after the other, and states outside of loops as `solve` does. Only loops being explored keep their outcomes in memory.

A loop is solved by sweeps over its states (value iteration), from below and from above:

- Signs: all returns and rewards of player 0 must have one sign, and endless play must earn nothing more.
- Lower bounds: the value, as a distance from zero, is the limit of the values of play limited to n actions. These
  values rise with n. Sweeps that begin at zero therefore never exceed the limit.
- Upper bounds: values that no state's update can raise are at least as large as all those limits (optimistic value
  iteration: Hartmanns and Kaminski 2020).
- Rounding: float errors would accumulate in a loop. Each update is scaled away from the value by more than its error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple

import numpy as np

from evodom.distribution import Distribution
from evodom.errors import EvodomError, UsageError
from evodom.games import Policy, Solvable
from evodom.games.contract import A, H
from evodom.solve import forward
from evodom.solve.arithmetic import Interval
from evodom.solve.limits import CHECK_EVERY, Limits, PrintWhenSlow, Progress, garbage_collection_off
from evodom.solve.solution import Branches, FixedPolicyGame, SolvedGame, first_states
from evodom.solve.sweeps import fall, rise

TOLERANCE = 1e-10
"""Target width of the interval of one loop, relative to values above 1."""

MAX_SWEEPS = 200_000
"""Maximum number of sweeps of a loop. If its values still rise then, `NotConverged` is raised."""

_MAX_PROOF_SWEEPS = 60
"""Maximum number of sweeps to prove one guess of an upper bound."""

_EPSILON = 2.0**-52
"""Twice the unit roundoff of float64."""

_MAX_GUESS_DISTANCE = 1e-3
"""Relative distance from the lower bound at which guesses of an upper bound end."""


class NotConverged(EvodomError):
    """The values of a loop do not converge. Perhaps play cannot leave it and costs accumulate for ever."""


class ActionBounds(NamedTuple, Generic[A]):
    """An action and the bounds of its value under optimal play afterwards."""

    action: A
    value: Interval


@dataclass(frozen=True)
class _Loop:
    """The states of a loop as flat arrays (see `sweeps`). `near` and `far` are constants from outside the loop."""

    first_action: Any
    first_edge: Any
    targets: Any
    weights: Any
    near: Any
    far: Any
    rounding: Any
    greatest: Any

    def below(self) -> Any:
        """Return the arguments of the kernels for lower bounds."""
        return self._with(self.near, 1 - self.rounding)

    def above(self, *, rounding: float = 1.0) -> Any:
        """Return the arguments of the kernels for upper bounds."""
        return self._with(self.far, 1 + rounding * self.rounding)

    def _with(self, constants: Any, factors: Any) -> Any:
        return self.first_action, self.first_edge, self.targets, self.weights, constants, factors, self.greatest


class BoundedSolution(SolvedGame[H, A]):
    """A solved game: an interval for every value, a policy, bounds of all actions, and the distribution of results.

    States not reached from the start are solved on request. Bounds are stored as distances from zero: the lower bound
    of every state in `_values`, the upper bound in `_far` if it differs.
    """

    def __init__(
        self,
        game: Solvable[H, A],
        start: Distribution[H],
        *,
        tolerance: float,
        limits: Limits,
        progress: Progress | None,
    ) -> None:
        super().__init__(game, start, limits=limits, progress=progress)
        self.tolerance = tolerance
        self.n_loops = 0
        self.n_looping = 0
        self.largest_loop = 0
        self.n_rounded = 0
        self._sign = 0
        self._far: dict[H, float] = {}
        # The best action of states in loops. The first of the best values may be wrong there: staying in the loop may
        # have the same value as leaving it, but only leaving realises the value.
        self._chosen: dict[H, int] = {}
        self._solve_from([state for state, _ in start])

    @property
    def value(self) -> Interval:
        """The bounds of player 0's expected payoff from the start under optimal play."""
        return self._interval(*self._mean(self.start))

    def value_of(self, state: H) -> Interval:
        """Return the bounds of player 0's expected payoff from `state` under optimal play."""
        self._solve_from([state])
        near: float = self._values[state]
        return self._interval(near, self._far.get(state, near))

    def action_values(self, state: H) -> tuple[ActionBounds[A], ...]:
        """Return every action of `state` with the bounds of its value, the best first; empty if the game is over.

        Values within the tolerance are equal; the first such action in the game's order is best. In a loop the best
        action is one that eventually realises the value, not one that only preserves it.
        """
        self._solve_from([state])
        branches = self._branches(state)
        if not branches:
            return ()
        options = [
            ActionBounds(action, self._interval(*self._distances_of(state, action, after)))
            for action, after in branches
        ]
        low = -1.0 if self._minimises(state) else 1.0
        values = [low * option.value.middle for option in options]
        best = max(values)
        slack = self.tolerance * max(1.0, abs(best))
        first = self._chosen.get(state, next(i for i, value in enumerate(values) if best - value <= slack))
        return tuple(options[i] for i in sorted(range(len(values)), key=lambda i: (i != first, -values[i])))

    def policy(self, state: H) -> A:
        """Return the best action of `state`."""
        return self.action_values(state)[0].action

    def results(self, *, tail: float = forward.TAIL) -> Distribution[Any]:
        """Return the distribution of player 0's payoff from the start under optimal play.

        Endless games are followed until at most `tail` of the probability is left. The rest is scaled to sum to 1.
        """
        return forward.results(self.game, self.policy, self.start, tail=tail)

    def _solve_from(self, roots: Iterable[H]) -> None:
        """Solve the states of `roots` and all their successors."""
        with garbage_collection_off():
            for root in roots:
                if root not in self._values:
                    self._explore(root)
        self._limits.check(len(self._values))

    def _explore(self, root: H) -> None:
        """Search depth first from `root` and solve every loop when the search leaves it."""
        solved, progress = self._values, self._progress or PrintWhenSlow()
        numbers: dict[H, int] = {}
        states: list[H] = []
        kept: list[Branches] = []
        heads: list[int] = []
        path: list[tuple[int, Iterator[H]]] = []

        def enter(state: H) -> None:
            numbers[state] = len(states)
            n_seen = len(solved) + len(states)
            if not n_seen % CHECK_EVERY:
                self._limits.check(n_seen)
                progress(n_seen)
            branches = self._branches(state)
            heads.append(len(states))
            path.append((len(states), (after for _, outcomes in branches for after, _ in outcomes.pairs)))
            states.append(state)
            kept.append(branches)

        enter(root)
        while path:
            number, successors = path[-1]
            for state in successors:
                if state in solved:
                    continue
                if state not in numbers:
                    enter(state)
                    break
                while heads[-1] > numbers[state]:
                    heads.pop()
            else:
                path.pop()
                if heads[-1] == number:
                    heads.pop()
                    self._solve(states[number:], kept[number:])
                    for state in states[number:]:
                        del numbers[state]
                    del states[number:], kept[number:]

    def _solve(self, states: list[H], kept: list[Branches]) -> None:
        """Solve a loop, or a single state that cannot recur."""
        if len(states) > 1 or any(s == states[0] for _, outcomes in kept[0] for s, _ in outcomes.pairs):
            self._solve_loop(states, kept)
        else:
            self._keep(states[0], *self._evaluate(states[0], kept[0]))

    def _evaluate(self, state: H, branches: Branches) -> tuple[float, float]:
        """Return both bounds of a state, as distances from zero. All its outcomes must have bounds."""
        if not branches:
            paid = self._distance(self._payoff(state))
            return paid, paid
        distances = [self._distances_of(state, action, outcomes) for action, outcomes in branches]
        best = max if self._wants_distance(state) else min
        return best(near for near, _ in distances), best(far for _, far in distances)

    def _distances_of(self, state: H, action: A, outcomes: Distribution[H]) -> tuple[float, float]:
        near, far = self._mean(outcomes)
        paid = self._distance(self._reward(state, action)) if self._reward else 0.0
        return near + paid, far + paid

    def _mean(self, outcomes: Distribution[H]) -> tuple[float, float]:
        near, far, total = self._values, self._far, outcomes.total
        low = sum([weight * near[state] for state, weight in outcomes.pairs]) / total
        if not far:
            return low, low
        return low, sum([weight * far.get(state, near[state]) for state, weight in outcomes.pairs]) / total

    def _distance(self, paid: Any) -> float:
        """Return the distance of a payoff or reward from zero. Raise UsageError if an earlier one had another sign."""
        if not paid:
            return 0.0
        sign = 1 if paid > 0 else -1
        if self._sign not in (0, sign):
            raise UsageError(
                "a game whose states come back needs returns and rewards of player 0 that are all at least 0, or "
                f"all at most 0. Got {paid} after values of the other sign. Add one number to all returns; of two "
                "players, to those of both: (1, -1) and (-1, 1) become (2, 0) and (0, 2)"
            )
        self._sign = sign
        return abs(float(paid))

    def _wants_distance(self, state: H) -> bool:
        """Return True if the player to move maximises the distance from zero."""
        return (self._sign >= 0) != self._minimises(state)

    def _keep(self, state: H, near: float, far: float) -> None:
        self._values[state] = near
        if far > near:
            self._far[state] = far

    def _interval(self, near: float, far: float) -> Interval:
        return Interval(-far, -near) if self._sign < 0 else Interval(near, far)

    def _solve_loop(self, states: list[H], kept: list[Branches]) -> None:
        """Compute the bounds of all states of a loop."""
        loop = self._flatten(states, kept)
        near, chosen = np.zeros(len(states)), np.full(len(states), -1)
        self._rise(loop.below(), near, chosen, self.tolerance)
        far = self._bound(loop, near, chosen)
        self.n_loops += 1
        self.n_looping += len(states)
        self.largest_loop = max(self.largest_loop, len(states))
        for i, state in enumerate(states):
            self._keep(state, float(near[i]), float(far[i]))
            if loop.greatest[i] and chosen[i] >= 0:
                self._chosen[state] = int(chosen[i])

    def _bound(self, loop: _Loop, near: Any, chosen: Any) -> Any:
        """Return upper bounds: a guess slightly above `near` that sweeps have proved. Improves `near` in place."""
        goal, above, unused = self.tolerance / 4, self.tolerance / 2, np.empty_like(chosen)
        least = 8 * float(max(loop.rounding.max(), _EPSILON))  # rounding alone raises values by less
        while above < _MAX_GUESS_DISTANCE:
            self._rise(loop.below(), near, chosen, goal)
            far = near.copy()
            self._rise(loop.above(), far, unused, goal)
            far += above * np.maximum(1, far)
            for _ in range(_MAX_PROOF_SWEEPS):
                if not fall(far, loop.above()):
                    return far
            goal, above = (max(least, goal / 16), above) if goal > least else (goal, 16 * above)
        # Play may stay in the loop at random for ever at no cost. These bounds hold only without rounding errors.
        self.n_rounded += 1
        far = near.copy()
        self._rise(loop.above(rounding=0), far, unused, least)
        return far + self.tolerance / 2 * np.maximum(1, far)

    def _rise(self, arrays: Any, values: Any, chosen: Any, goal: float) -> None:
        if rise(values, chosen, goal, MAX_SWEEPS, arrays) > goal:
            raise NotConverged(
                f"the values of {len(values):,} states that lead to one another do not settle: perhaps there is no way "
                "out of them. Let the game end, or limit its turns"
            )

    def _flatten(self, states: list[H], kept: list[Branches]) -> _Loop:
        number = {state: i for i, state in enumerate(states)}
        solved, far_of, reward = self._values, self._far, self._reward
        first_action, first_edge = [0], [0]
        targets: list[int] = []
        weights: list[float] = []
        nears, fars, rounding = [], [], []
        for state, branches in zip(states, kept, strict=True):
            for action, outcomes in branches:
                near = far = self._distance(reward(state, action)) if reward else 0.0
                for after, weight in outcomes.pairs:
                    share = weight / outcomes.total
                    if (known := solved.get(after)) is None:
                        targets.append(number[after])
                        weights.append(share)
                    else:
                        near += share * known
                        far += share * far_of.get(after, known)
                nears.append(near)
                fars.append(far)
                rounding.append(_EPSILON * (len(outcomes.pairs) + 3) if far or len(outcomes.pairs) > 1 else 0.0)
                first_edge.append(len(targets))
            first_action.append(len(nears))
        greatest = [self._wants_distance(state) for state in states]
        return _Loop(
            first_action=np.array(first_action, np.int64),
            first_edge=np.array(first_edge, np.int64),
            targets=np.array(targets, np.int64),
            weights=np.array(weights, float),
            near=np.array(nears, float),
            far=np.array(fars, float),
            rounding=np.array(rounding, float),
            greatest=np.array(greatest, bool),
        )


def solve_bounds(
    game: Solvable[H, A],
    start: H | Distribution[H] | None = None,
    *,
    tolerance: float = TOLERANCE,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> BoundedSolution[H, A]:
    """Solve `game`, whose states may recur, from `start`.

    All returns and rewards of player 0 must be at least 0, or all at most 0. Endless play earns nothing more.

    Args:
        start: a state or a distribution of states; by default the game's `starts()`.
        tolerance: the target width that one loop adds to the interval, relative to values above 1.
        limits: as for `solve`.
        progress: as for `solve`.

    Raises:
        UsageError: the returns and rewards have both signs, or the game has more than two players.
        TooLarge: the game exceeds `limits`.
        Unsettled: the values of a loop do not converge.
    """
    begin = first_states(game, start)
    return BoundedSolution(game, begin, tolerance=tolerance, limits=limits or Limits(), progress=progress)


def evaluate_bounds(
    game: Solvable[H, A], policy: Policy[H, A], start: H | Distribution[H] | None = None, **options: Any
) -> BoundedSolution[H, A]:
    """Return bounds of player 0's payoff if all players follow `policy`. The options are those of `solve_bounds`."""
    return solve_bounds(FixedPolicyGame(game, policy), start, **options)
