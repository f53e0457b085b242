"""Exact answers: the value of every state of a game, the best action, and what comes of playing it.

`solve` works on any `Game` that lists its outcomes and in which no state comes back. Every state is looked at once,
after all it may lead to (a depth-first walk with a stack of its own, so that long games are no deeper for Python than
short ones). Values are fractions (integers over one common denominator, reduced once per state, compared by
cross-multiplication) or floats, as `number` says.

Ties: of actions with the same value the one that comes first in `Game.actions` is best. In floats two values count as
the same when they differ by less than `TIE` (relative to values above 1).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, Generic, NamedTuple, TypeVar, cast, overload

from evodom.distribution import Distribution, certain
from evodom.errors import EvodomError
from evodom.game import A, Game, Policy, S
from evodom.solve import forward
from evodom.solve.arithmetic import Exact, Floats
from evodom.solve.limits import WATCHED, Limits, Progress, no_collecting

N = TypeVar("N", Fraction, float)

Value = Any
"""A value as it is kept: (numerator, denominator) in exact answers, a float otherwise."""

WAITING: Any = None
"""The value of a state whose outcomes are being solved."""

Branches = list[tuple[Any, Distribution[Any]]]
"""The actions of a state, each with its outcomes."""


class Cyclic(EvodomError):
    """A state of the game can come back, so that no order of solving exists."""


class Choice(NamedTuple, Generic[A, N]):
    """An action and the value of the game if it is taken and all play is best from there."""

    action: A
    value: N


class Solution(Generic[S, A, N]):
    """A solved game: values, the best policy, advice from any state, and the distribution of results.

    States that were not reached from the start are solved when they are asked for.
    """

    def __init__(
        self,
        game: Game[S, A],
        start: Distribution[S],
        *,
        number: type[N],
        limits: Limits,
        progress: Progress | None,
    ) -> None:
        self.game = game
        self.start = start
        self.number: type[N] = number
        self.exact = number is Fraction
        self._limits = limits
        self._progress = progress
        self._arithmetic: Any = Exact() if number is Fraction else Floats()
        self._reward = getattr(game, "reward", None)
        self._actor = getattr(game, "actor", None)
        self._values: dict[S, Value] = {}
        self._close([state for state, _ in start])

    @property
    def value(self) -> N:
        """The expected payoff from the start, all play being best."""
        return self._as_number(self._arithmetic.mean(self.start.pairs, self.start.total, self._values))

    @property
    def states(self) -> Iterable[S]:
        """The states that were solved, those that are over among them."""
        return self._values.keys()

    @property
    def n_states(self) -> int:
        """The number of states that were solved, those that are over among them."""
        return len(self._values)

    def value_of(self, state: S) -> N:
        """Return the expected payoff from `state`, all play being best."""
        self._close([state])
        return self._as_number(self._values[state])

    def values(self) -> dict[S, N]:
        """Return the value of every state that was solved."""
        return {state: self._as_number(value) for state, value in self._values.items()}

    def step(self, state: S) -> tuple[Choice[A, N], ...]:
        """Return every action of `state` with its value, the best first; empty if the game is over.

        Actions of equal value stand in the game's order.
        """
        self._close([state])
        branches = self._branches(state)
        if not branches:
            return ()
        worth = self._worth(state, branches)
        low = self._low(state)
        first = self._arithmetic.pick(worth, low)
        choices = [Choice(action, self._as_number(value)) for (action, _), value in zip(branches, worth, strict=True)]
        order = sorted(range(len(choices)), key=lambda i: (i != first, choices[i].value * (1 if low else -1)))
        return tuple(choices[i] for i in order)

    def policy(self, state: S) -> A:
        """Return the best action of `state`."""
        self._close([state])
        branches = self._branches(state)
        return cast(A, branches[self._arithmetic.pick(self._worth(state, branches), self._low(state))][0])

    def results(self) -> Distribution[Any]:
        """Return the distribution of what the game pays from the start, all play being best."""
        return forward.results(self.game, self.policy, self.start, tail=0, exact=self.exact)

    def _close(self, roots: Iterable[S]) -> None:
        """Solve the states of `roots` and all they may lead to."""
        try:
            with no_collecting():
                self._walk(roots)
        except BaseException:
            for state in [state for state, value in self._values.items() if value is WAITING]:
                del self._values[state]
            raise

    def _walk(self, roots: Iterable[S]) -> None:
        """Solve depth first, each state after all it may lead to.

        A state on the stack is either to be looked at, or has its branches and waits for what lies above it. Only such
        states have `WAITING` for a value, so that whoever meets one has come back to where the game has been.
        """
        values, branches_of = self._values, self._branches
        stack: list[tuple[S, Branches | None]] = [(state, None) for state in roots]
        n_looks = 0
        while stack:
            n_looks += 1
            if not n_looks % WATCHED:
                self._watch()
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
            values[state] = self._settled(state, branches)
        self._limits.check(len(values))

    def _settled(self, state: S, branches: Branches) -> Value:
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

    def _branches(self, state: S) -> Branches:
        outcomes = self.game.outcomes
        return [(action, outcomes(state, action)) for action in self.game.actions(state)]

    def _evaluate(self, state: S, branches: Branches) -> Value:
        """Return the value of a state whose outcomes all have values."""
        if not branches:
            return self._arithmetic.of(self.game.payoff(state))
        worth = self._worth(state, branches)
        if len(worth) == 1:
            return worth[0]
        return self._arithmetic.least(worth) if self._low(state) else self._arithmetic.greatest(worth)

    def _worth(self, state: S, branches: Branches) -> list[Value]:
        """Return the value of each action."""
        mean, values = self._arithmetic.mean, self._values
        worth = [mean(outcomes.pairs, outcomes.total, values) for _, outcomes in branches]
        if self._reward is None:
            return worth
        add, reward = self._arithmetic.add, self._reward
        return [add(value, reward(state, action)) for value, (action, _) in zip(worth, branches, strict=True)]

    def _low(self, state: S) -> bool:
        """Tell whether whoever chooses in `state` wants a low value."""
        return self._actor is not None and bool(self._actor(state))

    def _watch(self) -> None:
        self._limits.check(len(self._values))
        if self._progress:
            self._progress(len(self._values))

    def _as_number(self, value: Value) -> N:
        return cast(N, self._arithmetic.as_number(value))


@overload
def solve(
    game: Game[S, A],
    start: S | Distribution[S],
    *,
    number: type[Fraction] = ...,
    limits: Limits | None = ...,
    progress: Progress | None = ...,
) -> Solution[S, A, Fraction]: ...
@overload
def solve(
    game: Game[S, A],
    start: S | Distribution[S],
    *,
    number: type[float],
    limits: Limits | None = ...,
    progress: Progress | None = ...,
) -> Solution[S, A, float]: ...
def solve(
    game: Game[S, A],
    start: S | Distribution[S],
    *,
    number: type[Any] = Fraction,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Solution[S, A, Any]:
    """Solve `game` from `start`, a state or a distribution of states.

    `number` is `Fraction` for exact values (payoffs must then be int or Fraction) or `float`, which is several times
    faster. `progress` is called every few thousand states with the number solved. Raises `TooLarge` beyond `limits`
    and `Cyclic` if a state can come back.
    """
    begin = start if isinstance(start, Distribution) else certain(start)
    return Solution(game, begin, number=number, limits=limits or Limits(), progress=progress)


def evaluate(
    game: Game[S, A], policy: Policy[S, A], start: S | Distribution[S], *, number: type[Any] = Fraction, **options: Any
) -> Solution[S, A, Any]:
    """Return what `policy` is worth: the solution of the game in which nothing but its choices can be made."""
    return solve(Following(game, policy), start, number=number, **options)


class Following(Generic[S, A]):
    """A game in which a given policy makes all choices."""

    def __init__(self, game: Game[S, A], policy: Policy[S, A]) -> None:
        self._game = game
        self._policy = policy
        self.outcomes = game.outcomes
        self.payoff = game.payoff
        for verb in ("reward", "sample"):
            if hasattr(game, verb):
                setattr(self, verb, getattr(game, verb))

    def actions(self, state: S) -> Sequence[A]:
        """Return what the policy does, and nothing if the game is over."""
        return (self._policy(state),) if self._game.actions(state) else ()
