"""Solve a game exactly: the value of every state, the best action, and the distribution of results.

`solve` needs a `Solvable` game whose states do not recur. It solves every state once, after all its successors. The
search is depth first with an explicit stack, because long games would exceed Python's recursion limit. `number_type`
selects floats or exact fractions.

The value of a game of one player is the maximum expected payoff. A game of two players must be constant-sum (see
`arithmetic`). Its value is player 0's expected payoff under optimal play of both.

Ties: if several actions have the best value, `policy` returns the first of them in the game's order. Floats within
`TIE_TOLERANCE` of each other are equal.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, Generic, NamedTuple, TypeVar, cast, overload

from evodom.distribution import Distribution, Number, certain, weighted
from evodom.errors import EvodomError
from evodom.games import Policy, Solvable, returns_of, rewards_of, starts_of
from evodom.games.contract import A, H
from evodom.solving.arithmetic import ExactArithmetic, FloatArithmetic, minimises_of, payoff_of, reward_of
from evodom.solving.limits import CHECK_EVERY, Limits, PrintWhenSlow, Progress, garbage_collection_off


class FixedPolicyGame(Generic[H, A]):
    """A game of one player: `game` with every action chosen by `policy`. It pays the payoff of `player`."""

    n_players = 1

    def __init__(self, game: Solvable[H, A], policy: Policy[H, A], *, player: int = 0) -> None:
        self._game = game
        self._policy = policy
        self._seat = player
        self._returns = returns_of(game)
        self._rewards = rewards_of(game)
        self.outcomes = game.outcomes

    def starts(self) -> Distribution[H]:
        """Return the first states of the game. Raise UsageError if it does not list them."""
        return starts_of(self._game)

    def player(self, state: H) -> int:
        """Return 0: there is one player."""
        return 0

    def actions(self, state: H) -> Sequence[A]:
        """Return the action of the policy, or none if the game is over."""
        return (self._policy(state),) if self._game.actions(state) else ()

    def returns(self, state: H) -> Sequence[Number]:
        """Return the player's payoff in a final state."""
        return (self._returns(state)[self._seat],)

    def rewards(self, state: H, action: A) -> Sequence[Number]:
        """Return the player's reward for an action."""
        return (self._rewards(state, action)[self._seat],) if self._rewards else (0,)


N = TypeVar("N", Fraction, float)

Value = Any
"""A stored value: (numerator, denominator) in exact solutions, a float otherwise."""

WAITING: Any = None
"""Placeholder for the value of a state whose outcomes are still being solved."""

Branches = list[tuple[Any, Distribution[Any]]]
"""The actions of a state, each with its outcomes."""


class Cyclic(EvodomError):
    """A state of the game can recur. Its value would depend on itself."""


class ActionValue(NamedTuple, Generic[A, N]):
    """An action and its value under optimal play afterwards."""

    action: A
    value: N


class Solution(Generic[H, A, N]):
    """A solved game: values, the best policy, the values of all actions, and the distribution of results.

    States not reached from the start are solved on request.
    """

    def __init__(
        self,
        game: Solvable[H, A],
        start: Distribution[H],
        *,
        number_type: type[N],
        limits: Limits,
        progress: Progress | None,
    ) -> None:
        self.game = game
        self.start = start
        self._limits = limits
        self._progress = progress
        self._payoff = payoff_of(game)
        self._reward = reward_of(game)
        self._minimises_in = minimises_of(game)
        self._values: dict[H, Value] = {}
        self.number_type: type[N] = number_type
        self.exact = number_type is Fraction
        self._arithmetic: Any = ExactArithmetic() if number_type is Fraction else FloatArithmetic()
        self._solve_from([state for state, _ in start])

    def __repr__(self) -> str:
        return f"{type(self).__name__}(value={self.value!r}, n_states={self.n_states})"

    @property
    def n_states(self) -> int:
        """The number of solved states, final ones included."""
        return len(self._values)

    @property
    def value(self) -> N:
        """Player 0's expected payoff from the start under optimal play."""
        return self._as_number(self._arithmetic.mean(self.start.pairs, self.start.total, self._values))

    def value_of(self, state: H) -> N:
        """Return player 0's expected payoff from `state` under optimal play."""
        self._solve_from([state])
        return self._as_number(self._values[state])

    def values(self) -> dict[H, N]:
        """Return the value of every solved state."""
        return {state: self._as_number(value) for state, value in self._values.items()}

    def action_values(self, state: H) -> tuple[ActionValue[A, N], ...]:
        """Return every action of `state` with its value, the best first; empty if the game is over.

        Other actions of equal value keep the game's order.
        """
        self._solve_from([state])
        branches = self._branches(state)
        if not branches:
            return ()
        action_values = self._action_values(state, branches)
        low = self._minimises(state)
        first = self._arithmetic.pick_best(action_values, low)
        choices = [
            ActionValue(action, self._as_number(value))
            for (action, _), value in zip(branches, action_values, strict=True)
        ]
        order = sorted(range(len(choices)), key=lambda i: (i != first, choices[i].value * (1 if low else -1)))
        return tuple(choices[i] for i in order)

    def policy(self, state: H) -> A:
        """Return the best action of `state`."""
        self._solve_from([state])
        branches = self._branches(state)
        best = self._arithmetic.pick_best(self._action_values(state, branches), self._minimises(state))
        return cast(A, branches[best][0])

    def results(self) -> Distribution[Any]:
        """Return the distribution of player 0's payoff from the start under optimal play."""
        found: dict[Any, Any] = defaultdict(int)
        mass: dict[tuple[H, Any], Any] = {
            (state, 0): share for state, share in (self.start if self.exact else self.start.to_float())
        }
        while mass:
            later: dict[tuple[H, Any], Any] = defaultdict(int)
            for (state, paid), share in mass.items():
                if not self.game.actions(state):
                    found[paid + self._payoff(state)] += share
                    continue
                action = self.policy(state)
                total = paid + (self._reward(state, action) if self._reward else 0)
                outcomes = self.game.outcomes(state, action)
                for after, weight in outcomes if self.exact else outcomes.to_float():
                    later[after, total] += share * weight
            mass = later
        return weighted(found).merge()

    def _solve_from(self, roots: Iterable[H]) -> None:
        """Solve the states of `roots` and all their successors."""
        try:
            with garbage_collection_off():
                self._walk(roots)
        except BaseException:
            for state in [state for state, value in self._values.items() if value is WAITING]:
                del self._values[state]
            raise

    def _walk(self, roots: Iterable[H]) -> None:
        """Solve depth first, each state after all its successors.

        A new state is on the stack without branches. A waiting state is on the stack with its branches, below its
        unsolved outcomes. Only waiting states have the value `WAITING`. If an outcome has this value, it can recur.
        """
        values, branches_of = self._values, self._branches
        progress = self._progress or PrintWhenSlow()
        stack: list[tuple[H, Branches | None]] = [(state, None) for state in roots]
        n_steps = 0
        while stack:
            n_steps += 1
            if not n_steps % CHECK_EVERY:
                self._limits.check(len(values))
                progress(len(values))
            state, branches = stack.pop()
            if branches is None:
                if state in values:
                    continue
                branches = branches_of(state)
                unsolved = [(s, None) for _, outcomes in branches for s, _ in outcomes.pairs if s not in values]
                if unsolved:
                    values[state] = WAITING
                    stack.append((state, branches))
                    stack.extend(unsolved)
                    continue
            values[state] = self._checked_value(state, branches)
        self._limits.check(len(values))

    def _checked_value(self, state: H, branches: Branches) -> Value:
        """Return the value of a state. Raise `Cyclic` if one of its outcomes is still waiting."""
        try:
            value = self._evaluate(state, branches)
        except TypeError:
            if all(self._values[s] is not WAITING for _, outcomes in branches for s, _ in outcomes.pairs):
                raise
            value = WAITING
        if value is WAITING:
            raise Cyclic(
                "a state of this game can come back, so the game cannot be solved: "
                "count the turns in the state, and limit them"
            )
        return value

    def _branches(self, state: H) -> Branches:
        outcomes = self.game.outcomes
        return [(action, outcomes(state, action)) for action in self.game.actions(state)]

    def _minimises(self, state: H) -> bool:
        """Return True if the player to move minimises the value."""
        return self._minimises_in is not None and self._minimises_in(state)

    def _evaluate(self, state: H, branches: Branches) -> Value:
        """Return the value of a state whose outcomes all have values."""
        if not branches:
            return self._arithmetic.from_number(self._payoff(state))
        action_values = self._action_values(state, branches)
        if len(action_values) == 1:
            return action_values[0]
        best_of = self._arithmetic.least if self._minimises(state) else self._arithmetic.greatest
        return best_of(action_values)

    def _action_values(self, state: H, branches: Branches) -> list[Value]:
        """Return the value of each action."""
        mean, values = self._arithmetic.mean, self._values
        action_values = [mean(outcomes.pairs, outcomes.total, values) for _, outcomes in branches]
        if self._reward is None:
            return action_values
        add, reward = self._arithmetic.add, self._reward
        paid = [reward(state, action) for action, _ in branches]
        return [add(value, extra) if extra else value for value, extra in zip(action_values, paid, strict=True)]

    def _as_number(self, value: Value) -> N:
        return cast(N, self._arithmetic.as_number(value))


@overload
def solve(
    game: Solvable[H, A],
    start: H | Distribution[H] | None = None,
    *,
    number_type: type[Fraction] = ...,
    limits: Limits | None = ...,
    progress: Progress | None = ...,
) -> Solution[H, A, Fraction]: ...
@overload
def solve(
    game: Solvable[H, A],
    start: H | Distribution[H] | None = None,
    *,
    number_type: type[float],
    limits: Limits | None = ...,
    progress: Progress | None = ...,
) -> Solution[H, A, float]: ...
def solve(
    game: Solvable[H, A],
    start: H | Distribution[H] | None = None,
    *,
    number_type: type[Any] = Fraction,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Solution[H, A, Any]:
    """Solve `game` from `start`.

    Args:
        start: a state or a distribution of states; by default the game's `starts()`.
        number_type: `Fraction` for exact values (payoffs must be int or Fraction), or `float`, several times faster.
        limits: the number of states and the memory allowed.
        progress: called every few thousand steps with the number of states. By default a line is printed on stderr
            every few seconds; `no_progress` prints none.

    Raises:
        TooLarge: the game exceeds `limits`.
        Cyclic: a state can recur.
        UsageError: the game has no value (see `arithmetic`).
    """
    starts = first_states(game, start)
    return Solution(game, starts, number_type=number_type, limits=limits or Limits(), progress=progress)


def evaluate(
    game: Solvable[H, A],
    policy: Policy[H, A],
    start: H | Distribution[H] | None = None,
    *,
    number_type: type[Any] = Fraction,
    **options: Any,
) -> Solution[H, A, Any]:
    """Evaluate a policy: return the `Solution` of the game with all choices made by `policy`, paid to player 0.

    In a game of several players the policy plays every seat. It can read `game.player(state)` to differ by seat. The
    options are those of `solve`.
    """
    return solve(FixedPolicyGame(game, policy), start, number_type=number_type, **options)


def first_states(game: object, start: H | Distribution[H] | None) -> Distribution[H]:
    """Return `start` as a distribution of states; by default the game's `starts()`."""
    if start is None:
        return starts_of(game)
    return start if isinstance(start, Distribution) else certain(start)
