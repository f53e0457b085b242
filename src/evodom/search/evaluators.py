"""Evaluators of new positions of a tree in Python.

An evaluator is a function of (game, state, rng). It returns the expected future payoff to each player, or a
`LeafEvaluation` with priors of the actions too. It is called with states that are not over, and draws from `rng` only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

from evodom.distribution import Number
from evodom.errors import EvodomError, UsageError
from evodom.games import Game, Policy, Solvable, is_over, returns_of, rewards_of
from evodom.games.play import MAX_ACTIONS
from evodom.search.options import Values

if TYPE_CHECKING:
    from numpy.random import Generator as Rng

    from evodom.solve import Solution


@dataclass(frozen=True)
class LeafEvaluation:
    """The values of a position, one for each player, and the priors of its actions.

    `priors` are weights of at least 0, one for each of the game's `actions(state)` in that order; None for equal ones.
    """

    values: Sequence[Number]
    priors: Sequence[Number] | None = None


AnyGame = Game[Any, Any] | Solvable[Any, Any]

Policies = Policy[Any, Any] | Sequence[Policy[Any, Any]] | None
"""One policy for all players, one for each, or None to draw actions with equal probability."""

Evaluator = Callable[[Any, Any, "Rng"], Sequence[Number] | LeafEvaluation]


def playout_evaluator(policy: Policies = None, n: int = 1, *, max_actions: int = MAX_ACTIONS) -> Evaluator:
    """Return the evaluator that plays to the end `n` times and returns the mean payoffs.

    `policy` is one policy for all players or a sequence with one for each; without it all actions are equally likely.
    The evaluator raises EvodomError for a game that goes on after `max_actions` actions.
    """
    if n < 1:
        raise UsageError(f"a position must be played out at least 1 time, got {n}")

    def evaluate(game: AnyGame, state: object, rng: Rng) -> Values:
        choose = _chooser(game, policy, rng)
        ends = [_play_out(game, state, choose, rng, max_actions) for _ in range(n)]
        return tuple(sum(paid) / n for paid in zip(*ends, strict=True))

    return evaluate


def exact_evaluator(solution: Solution[Any, Any, Any]) -> Evaluator:
    """Return the evaluator that reads the values from the solution of the game."""
    total = _total_of(solution)

    def evaluate(game: AnyGame, state: object, rng: Rng) -> Values:
        return values_of(float(solution.value_of(state)), total)

    return evaluate


def values_of_solution(solution: Solution[Any, Any, Any], value: Number) -> Values:
    """Return the values of all players, given player 0's `value` in a solution."""
    return values_of(float(value), _total_of(solution))


def values_of(value: float, total: float | None) -> Values:
    """Return the values of one player, or of two who share `total`."""
    return (value,) if total is None else (value, total - value)


def evaluate_leaf(evaluator: Evaluator, game: AnyGame, state: object, rng: Rng) -> LeafEvaluation:
    """Evaluate a state. Raise UsageError for an invalid result of the evaluator."""
    found = evaluator(game, state, rng)
    answer = found if isinstance(found, LeafEvaluation) else LeafEvaluation(found)
    if len(answer.values) != game.n_players or not all(map(isfinite, answer.values)):
        raise UsageError(f"an evaluator must return {game.n_players} finite values, one a player, got {answer.values}")
    if (priors := answer.priors) is not None:
        n_actions = len(game.actions(state))
        usable = len(priors) == n_actions and all(isfinite(p) and p >= 0 for p in priors) and sum(priors) > 0
        if not usable:
            raise UsageError(f"an evaluator must return {n_actions} priors of at least 0, one a move, got {priors}")
    return answer


def sampler_of(game: AnyGame) -> Callable[[Any, Any, Rng], Any]:
    """Return the function that draws an outcome of an action: the game's `sample`, or a draw from its `outcomes`."""
    if hasattr(game, "sample"):
        sample: Callable[[Any, Any, Rng], Any] = game.sample
        return sample
    return lambda state, action, rng: game.outcomes(state, action).sample(rng)


def _chooser(game: AnyGame, policy: Policies, rng: Rng) -> Callable[[Any, Sequence[Any]], Any]:
    """Return the function that chooses one of the legal actions of a state."""
    if policy is None:
        return lambda state, actions: actions[int(rng.integers(len(actions)))]
    if callable(policy):
        return lambda state, actions: policy(state)
    if len(policy) != game.n_players:
        raise UsageError(f"rollouts need one policy, or one for each of {game.n_players} players, got {len(policy)}")
    return lambda state, actions: policy[game.player(state)](state)


def _play_out(game: AnyGame, state: object, choose: Callable[..., Any], rng: Rng, max_actions: int) -> list[float]:
    """Play a game to its end and return the payoff of each player."""
    sample, rewards = sampler_of(game), rewards_of(game)
    paid = [0.0] * game.n_players
    for _ in range(max_actions):
        actions = game.actions(state)
        if not actions:
            return [before + float(more) for before, more in zip(paid, returns_of(game)(state), strict=True)]
        action = choose(state, actions)
        if rewards:
            paid = [before + float(more) for before, more in zip(paid, rewards(state, action), strict=True)]
        state = sample(state, action, rng)
    raise EvodomError(f"a rollout has not ended after {max_actions:,} actions; allow more, or give a policy that ends")


def _total_of(solution: Solution[Any, Any, Any]) -> float | None:
    """Return the sum of both players' payoffs in a solved game; None for a game of one player."""
    game = solution.game
    if game.n_players == 1:
        return None
    return float(sum(game.returns(next(state for state in solution.states if is_over(game, state)))))
