"""Exact solving: the value of every state of a game, the best action, and the distribution of results.

`solve` works on any `Solvable` game in which no state can come back. Every state is solved once, after all states it
may lead to; the walk is depth first and keeps its own stack, so that long games meet no recursion limit. Values are
fractions (integers over one common denominator, reduced once per state, compared by cross-multiplication) or floats, as
`number` says.

The value of a game of one player is the most that player can expect. In a game of two players, who must gain what the
other loses (see `arithmetic`), it is what player 0 can expect when both play their best.

Ties: of actions with the same value the first in the game's order is best. In floats two values count as the same when
they differ by less than `TIE`, relative to values above 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, Generic, NamedTuple, TypeVar, cast, overload

from evodom.distribution import Distribution, Number, certain
from evodom.errors import EvodomError
from evodom.games import Policy, Solvable, rewards_of, starts_of
from evodom.games.contract import A, H
from evodom.solve import forward
from evodom.solve.arithmetic import ExactArithmetic, FloatArithmetic, payoff_of, reward_of, wants_low_of
from evodom.solve.limits import CHECK_EVERY, Limits, PrintWhenSlow, Progress, garbage_collection_off


class FixedPolicyGame(Generic[H, A]):
    """The game of one `player` of `game`, in which `policy` chooses for everybody; it pays what that player is paid."""

    n_players = 1

    def __init__(self, game: Solvable[H, A], policy: Policy[H, A], *, player: int = 0) -> None:
        self._game = game
        self._policy = policy
        self._seat = player
        self._rewards = rewards_of(game)
        self.outcomes = game.outcomes

    def starts(self) -> Distribution[H]:
        """Return the first states of the game; UsageError if it does not list them."""
        return starts_of(self._game)

    def player(self, state: H) -> int:
        """Return 0: there is one player."""
        return 0

    def actions(self, state: H) -> Sequence[A]:
        """Return the one action that the policy takes, or none if the game is over."""
        return (self._policy(state),) if self._game.actions(state) else ()

    def returns(self, state: H) -> Sequence[Number]:
        """Return what a state that is over pays the player."""
        return (self._game.returns(state)[self._seat],)

    def rewards(self, state: H, action: A) -> Sequence[Number]:
        """Return what an action pays the player at once."""
        return (self._rewards(state, action)[self._seat],) if self._rewards else (0,)


N = TypeVar("N", Fraction, float)

Value = Any
"""A value as it is kept: (numerator, denominator) in exact answers, a float otherwise."""

WAITING: Any = None
"""Stands for the value of a state whose outcomes are still being solved."""

Branches = list[tuple[Any, Distribution[Any]]]
"""The actions of a state, each with its outcomes."""


class Cyclic(EvodomError):
    """A state of the game can come back, so that there is no order in which its states could be solved."""


class ActionValue(NamedTuple, Generic[A, N]):
    """An action and the value of the game after it, if all play their best from there."""

    action: A
    value: N


class SolvedGame(Generic[H, A]):
    """A game and the values of its states, those that were not reached from the start when they are asked for."""

    def __init__(
        self, game: Solvable[H, A], start: Distribution[H], *, limits: Limits, progress: Progress | None
    ) -> None:
        self.game = game
        self.start = start
        self._limits = limits
        self._progress = progress
        self._payoff = payoff_of(game)
        self._reward = reward_of(game)
        self._wants_low = wants_low_of(game)
        self._values: dict[H, Value] = {}

    def __repr__(self) -> str:
        return f"{type(self).__name__}(value={self.value!r}, n_states={self.n_states})"

    @property
    def value(self) -> Any:
        """What can be expected from the start, when all play their best."""
        raise NotImplementedError

    @property
    def states(self) -> Iterable[H]:
        """The states that were solved, those that are over among them."""
        return self._values.keys()

    @property
    def n_states(self) -> int:
        """The number of states that were solved, those that are over among them."""
        return len(self._values)

    def _branches(self, state: H) -> Branches:
        outcomes = self.game.outcomes
        return [(action, outcomes(state, action)) for action in self.game.actions(state)]

    def _low(self, state: H) -> bool:
        """Return True if the player whose turn it is wants a low value."""
        return self._wants_low is not None and self._wants_low(state)


class Solution(SolvedGame[H, A], Generic[H, A, N]):
    """A solved game: values, the best policy, advice from any state, and the distribution of results.

    States that were not reached from the start are solved when they are asked for.
    """

    def __init__(
        self,
        game: Solvable[H, A],
        start: Distribution[H],
        *,
        number: type[N],
        limits: Limits,
        progress: Progress | None,
    ) -> None:
        super().__init__(game, start, limits=limits, progress=progress)
        self.number: type[N] = number
        self.exact = number is Fraction
        self._arithmetic: Any = ExactArithmetic() if number is Fraction else FloatArithmetic()
        self._solve_from([state for state, _ in start])

    @property
    def value(self) -> N:
        """What can be expected from the start, when all play their best."""
        return self._as_number(self._arithmetic.mean(self.start.pairs, self.start.total, self._values))

    def value_of(self, state: H) -> N:
        """Return what can be expected from `state`, when all play their best."""
        self._solve_from([state])
        return self._as_number(self._values[state])

    def values(self) -> dict[H, N]:
        """Return the value of every state that was solved."""
        return {state: self._as_number(value) for state, value in self._values.items()}

    def step(self, state: H) -> tuple[ActionValue[A, N], ...]:
        """Return every action of `state` with its value, the best first; empty if the game is over.

        Actions of equal value stand in the game's order.
        """
        self._solve_from([state])
        branches = self._branches(state)
        if not branches:
            return ()
        worth = self._worth(state, branches)
        low = self._low(state)
        first = self._arithmetic.pick(worth, low)
        choices = [
            ActionValue(action, self._as_number(value)) for (action, _), value in zip(branches, worth, strict=True)
        ]
        order = sorted(range(len(choices)), key=lambda i: (i != first, choices[i].value * (1 if low else -1)))
        return tuple(choices[i] for i in order)

    def policy(self, state: H) -> A:
        """Return the best action of `state`."""
        self._solve_from([state])
        branches = self._branches(state)
        return cast(A, branches[self._arithmetic.pick(self._worth(state, branches), self._low(state))][0])

    def results(self) -> Distribution[Any]:
        """Return the distribution of what player 0 is paid from the start, when all play their best."""
        return forward.results(self.game, self.policy, self.start, tail=0, exact=self.exact)

    def _solve_from(self, roots: Iterable[H]) -> None:
        """Solve the states of `roots` and all states they may lead to."""
        try:
            with garbage_collection_off():
                self._walk(roots)
        except BaseException:
            for state in [state for state, value in self._values.items() if value is WAITING]:
                del self._values[state]
            raise

    def _walk(self, roots: Iterable[H]) -> None:
        """Solve depth first, each state after all states it may lead to.

        A state on the stack is either new, or it has its branches and waits for the states above it on the stack. Only
        such states have the value `WAITING`, so that meeting one means that a state can come back.
        """
        values, branches_of = self._values, self._branches
        progress = self._progress or PrintWhenSlow()
        stack: list[tuple[H, Branches | None]] = [(state, None) for state in roots]
        n_looks = 0
        while stack:
            n_looks += 1
            if not n_looks % CHECK_EVERY:
                self._limits.check(len(values))
                progress(len(values))
            state, branches = stack.pop()
            if branches is None:
                if state in values:
                    continue
                branches = branches_of(state)
                above = [(s, None) for _, outcomes in branches for s, _ in outcomes.pairs if s not in values]
                if above:
                    values[state] = WAITING
                    stack.append((state, branches))
                    stack.extend(above)
                    continue
            values[state] = self._checked_value(state, branches)
        self._limits.check(len(values))

    def _checked_value(self, state: H, branches: Branches) -> Value:
        """Return the value of a state, or raise `Cyclic` if one of its outcomes is still waiting."""
        try:
            value = self._evaluate(state, branches)
        except TypeError:
            if all(self._values[s] is not WAITING for _, outcomes in branches for s, _ in outcomes.pairs):
                raise
            value = WAITING
        if value is WAITING:
            raise Cyclic("a state of this game can come back: evodom.solve.cycles.enclose bounds its value")
        return value

    def _evaluate(self, state: H, branches: Branches) -> Value:
        """Return the value of a state whose outcomes all have values."""
        if not branches:
            return self._arithmetic.of(self._payoff(state))
        worth = self._worth(state, branches)
        if len(worth) == 1:
            return worth[0]
        return self._arithmetic.least(worth) if self._low(state) else self._arithmetic.greatest(worth)

    def _worth(self, state: H, branches: Branches) -> list[Value]:
        """Return the value of each action."""
        mean, values = self._arithmetic.mean, self._values
        worth = [mean(outcomes.pairs, outcomes.total, values) for _, outcomes in branches]
        if self._reward is None:
            return worth
        add, reward = self._arithmetic.add, self._reward
        paid = [reward(state, action) for action, _ in branches]
        return [add(value, extra) if extra else value for value, extra in zip(worth, paid, strict=True)]

    def _as_number(self, value: Value) -> N:
        return cast(N, self._arithmetic.as_number(value))


@overload
def solve(
    game: Solvable[H, A],
    start: H | Distribution[H] | None = None,
    *,
    number: type[Fraction] = ...,
    limits: Limits | None = ...,
    progress: Progress | None = ...,
) -> Solution[H, A, Fraction]: ...
@overload
def solve(
    game: Solvable[H, A],
    start: H | Distribution[H] | None = None,
    *,
    number: type[float],
    limits: Limits | None = ...,
    progress: Progress | None = ...,
) -> Solution[H, A, float]: ...
def solve(
    game: Solvable[H, A],
    start: H | Distribution[H] | None = None,
    *,
    number: type[Any] = Fraction,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Solution[H, A, Any]:
    """Solve `game` from `start`: a state, a distribution of states, or the game's own `starts()` if it is not given.

    `number` is `Fraction` for exact values (payoffs must then be int or Fraction) or `float`, which is several times
    faster. `progress` is called every few thousand states with their number; without it, what takes more than a few
    seconds prints a line on stderr (`silent` prints none). Raises `TooLarge` beyond `limits`, `Cyclic` if a state can
    come back, and UsageError for a game that has no value (see `payoffs`).
    """
    begin = first_states(game, start)
    return Solution(game, begin, number=number, limits=limits or Limits(), progress=progress)


def evaluate(
    game: Solvable[H, A],
    policy: Policy[H, A],
    start: H | Distribution[H] | None = None,
    *,
    number: type[Any] = Fraction,
    **options: Any,
) -> Solution[H, A, Any]:
    """Return what player 0 is paid if all play by `policy`: the solution of the game in which it makes all choices.

    In a game of several players the policy plays every seat, so that it meets itself. A policy that looks at
    `game.player(state)` can play differently in each seat. The options are those of `solve`.
    """
    return solve(FixedPolicyGame(game, policy), start, number=number, **options)


def first_states(game: object, start: H | Distribution[H] | None) -> Distribution[H]:
    """Return the states to solve from: `start` as a distribution, or what the game itself lists."""
    if start is None:
        return starts_of(game)
    return start if isinstance(start, Distribution) else certain(start)
