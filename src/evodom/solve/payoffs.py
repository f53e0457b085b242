"""What a game pays, as the solvers count it: one number, which player 0 wants high and a second player wants low.

A game of one player has one payoff. In a game of two players the returns must add up to the same number in every state
that is over, and the rewards on the way to zero: then what one player gains the other loses, and player 0's payoff says
all. That is checked for every payment the solver looks at. Games of more players have no such value and are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isclose
from typing import Any

from evodom.distribution import Number
from evodom.errors import UsageError
from evodom.games import Solvable, rewards_of

ROUNDING = 1e-9
"""Sums of floats that differ by less, relatively, count as the same."""


def payoff_of(game: Solvable[Any, Any]) -> Callable[[Any], Any]:
    """Return the function that says what a state that is over pays player 0.

    Raises UsageError for a game of more than two players; the function does for one that is not zero-sum.
    """
    returns = game.returns
    if game.n_players == 1:
        return lambda state: returns(state)[0]
    if game.n_players > 2:
        raise UsageError(
            f"exact solving needs a game of one or two players, got {game.n_players}. "
            "Say what all play with evodom.solve.evaluate."
        )
    first_total: list[Number] = []

    def payoff(state: Any) -> Any:
        paid = returns(state)
        if not first_total:
            first_total.append(sum(paid))
        _check_same(first_total[0], sum(paid), "returns")
        return paid[0]

    return payoff


def reward_of(game: Solvable[Any, Any]) -> Callable[[Any, Any], Any] | None:
    """Return the function that says what an action pays player 0 at once; None if the game pays at its end only."""
    rewards = rewards_of(game)
    if rewards is None:
        return None
    given: Callable[[Any, Any], Sequence[Number]] = rewards
    if game.n_players == 1:
        return lambda state, action: given(state, action)[0]

    def reward(state: Any, action: Any) -> Any:
        paid = given(state, action)
        _check_same(0, sum(paid), "rewards")
        return paid[0]

    return reward


def wants_low_of(game: Solvable[Any, Any]) -> Callable[[Any], bool] | None:
    """Return the function that tells whether the player to move wants a low payoff; None with one player."""
    return None if game.n_players == 1 else lambda state: game.player(state) == 1


def _check_same(expected: Number, total: Number, what: str) -> None:
    if total != expected and not isclose(total, expected, rel_tol=ROUNDING, abs_tol=ROUNDING):
        raise UsageError(
            f"exact solving needs a game in which one player gains what the other loses, and its {what} add up to "
            f"{total} where {expected} is needed"
        )
