"""A game in which a given policy makes all choices, so that chance is all that is left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from evodom.distribution import Distribution, Number
from evodom.games import Policy, Solvable, rewards_of, starts_of
from evodom.games.contract import A, H


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
