"""Playing games: one game by given policies, step by step or to its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Generic, NamedTuple

from evodom.distribution import Number
from evodom.errors import EvodomError, UsageError
from evodom.games.contract import A, Game, Policy, S, rewards_of

if TYPE_CHECKING:
    from numpy.random import Generator as Rng

MAX_ACTIONS = 1_000_000
"""A game with more actions than this is taken to go on for ever."""


class Transition(NamedTuple, Generic[S, A]):
    """One action of a game: the state it was taken in, and the state it led to."""

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
    """Play one game and yield it action by action.

    `policies` is one policy for all players, or a sequence with one for each. Chance draws from `rng`, and `start`
    replaces the first state that `game.start(rng)` would draw. Raises EvodomError after `max_actions` actions.
    """
    chosen = _a_policy_for_each_player(game, policies)
    state = game.start(rng) if start is None else start
    for _ in range(max_actions):
        if not game.actions(state):
            return
        action = chosen[game.player(state)](state)
        after = game.sample(state, action, rng)
        yield Transition(state, action, after)
        state = after
    if game.actions(state):
        raise EvodomError(f"the game has not ended after {max_actions:,} actions; allow more, or change the policies")


def play(
    game: Game[S, A],
    policies: Policy[S, A] | Sequence[Policy[S, A]],
    rng: Rng,
    *,
    start: S | None = None,
    max_actions: int = MAX_ACTIONS,
) -> tuple[Number, ...]:
    """Play one game to its end and return what it paid each player, rewards on the way included.

    The arguments are those of `steps`.
    """
    rewards = rewards_of(game)
    state = game.start(rng) if start is None else start
    paid: list[Number] = [0] * game.n_players
    for step in steps(game, policies, rng, start=state, max_actions=max_actions):
        state = step.after
        if rewards:
            paid = [a + b for a, b in zip(paid, rewards(step.state, step.action), strict=True)]
    return tuple(a + b for a, b in zip(paid, game.returns(state), strict=True))


def random_policy(game: Game[S, A], rng: Rng) -> Callable[[S], A]:
    """Return the policy that takes any legal action with the same probability, drawn from `rng`.

    `rng` must not be the generator that the game's chance draws from.
    """

    def policy(state: S) -> A:
        actions = game.actions(state)
        return actions[int(rng.integers(len(actions)))]

    return policy


def _a_policy_for_each_player(
    game: Game[S, A], policies: Policy[S, A] | Sequence[Policy[S, A]]
) -> Sequence[Policy[S, A]]:
    if callable(policies):
        return (policies,) * game.n_players
    if len(policies) != game.n_players:
        raise UsageError(
            f"a game of {game.n_players} players needs one policy, or one for each player, got {len(policies)}"
        )
    return policies
