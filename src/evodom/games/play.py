"""Play one game with given policies, step by step (`steps`) or to its end (`play`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Generic, NamedTuple

from evodom.distribution import Number
from evodom.errors import EvodomError, UsageError
from evodom.games.contract import A, Game, Policy, S, returns_of, rewards_of

if TYPE_CHECKING:
    from numpy.random import Generator as Rng

MAX_ACTIONS = 1_000_000
"""Default limit of actions per game."""


class Transition(NamedTuple, Generic[S, A]):
    """One action of a game, with the states before and after it."""

    state: S
    action: A
    after: S


def steps(
    game: Game[S, A],
    policies: Policy[S, A] | Sequence[Policy[S, A]],
    rng: Rng,
    *,
    start: S | None = None,
    max_actions: int = MAX_ACTIONS,
) -> Iterator[Transition[S, A]]:
    """Play one game and yield a `Transition` for each action.

    `policies` is one policy for all players, or a sequence with one for each. Chance draws from `rng`. `start` replaces
    the first state that `game.start(rng)` would draw. Raises EvodomError if the game exceeds `max_actions`.
    """
    chosen = _policies_by_player(game, policies)
    state = game.start(rng) if start is None else start
    for _ in range(max_actions):
        if not game.actions(state):
            return
        action = chosen[game.player(state)](state)
        after = game.sample(state, action, rng)
        yield Transition(state, action, after)
        state = after
    if game.actions(state):
        raise EvodomError(f"the game has not ended after {max_actions:,} actions. Raise max_actions")


def play(
    game: Game[S, A],
    policies: Policy[S, A] | Sequence[Policy[S, A]],
    rng: Rng,
    *,
    start: S | None = None,
    max_actions: int = MAX_ACTIONS,
) -> tuple[Number, ...]:
    """Play one game to its end and return each player's payoff, rewards included.

    The arguments are those of `steps`.
    """
    rewards = rewards_of(game)
    state = game.start(rng) if start is None else start
    paid: list[Number] = [0] * game.n_players
    for step in steps(game, policies, rng, start=state, max_actions=max_actions):
        state = step.after
        if rewards:
            paid = [a + b for a, b in zip(paid, rewards(step.state, step.action), strict=True)]
    return tuple(a + b for a, b in zip(paid, returns_of(game)(state), strict=True))


def random_policy(game: Game[S, A], rng: Rng) -> Callable[[S], A]:
    """Return the policy that draws a legal action uniformly from `rng`.

    `rng` must not be the generator of the game's chance.
    """

    def policy(state: S) -> A:
        actions = game.actions(state)
        return actions[int(rng.integers(len(actions)))]

    return policy


def _policies_by_player(game: Game[S, A], policies: Policy[S, A] | Sequence[Policy[S, A]]) -> Sequence[Policy[S, A]]:
    if callable(policies):
        return (policies,) * game.n_players
    if len(policies) != game.n_players:
        raise UsageError(
            f"a game of {game.n_players} players needs one policy, or one for each player, got {len(policies)}"
        )
    return policies
