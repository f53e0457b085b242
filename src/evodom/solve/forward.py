"""Follow a policy forward: the distribution of player 0's payoff, and the expected visits of each state.

Probability moves from the first states on, one action at a time. Games that may go on for ever are followed until
little probability is left. A policy that never ends the game raises an error.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from evodom.distribution import Distribution, weighted
from evodom.errors import EvodomError
from evodom.games import Policy, Solvable
from evodom.games.contract import A, H
from evodom.solve.arithmetic import payoff_of, reward_of

TAIL = 1e-9
"""Default of `tail`: unfinished games are dropped once their probability is at most this."""

MAX_ACTIONS = 100_000
"""Actions after which a game counts as endless."""

K = TypeVar("K", bound=Hashable)

Move = tuple[Any, list[tuple[Any, Any]]]
"""The reward of an action, and the next states with their probabilities."""


def results(
    game: Solvable[H, A], policy: Policy[H, A], start: Distribution[H], *, tail: float = TAIL, exact: bool = False
) -> Distribution[Any]:
    """Return the distribution of player 0's payoff, rewards included, if all players follow `policy`.

    Games that are not over when at most `tail` of the probability is left are dropped. The rest is scaled to sum to 1.
    With `exact`, exact probabilities stay fractions; otherwise they are floats.
    """
    move, payoff = _moves(game, policy, exact=exact), payoff_of(game)
    found: dict[Any, Any] = defaultdict(int)

    def propagate(node: tuple[H, Any], share: Any) -> list[tuple[tuple[H, Any], Any]]:
        state, paid = node
        move_here = move(state)
        if move_here is None:
            found[paid + payoff(state)] += share
            return []
        return [((after, paid + move_here[0]), weight) for after, weight in move_here[1]]

    _propagate_all({(state, 0): share for state, share in (start if exact else start.to_float())}, propagate, tail)
    return weighted(found).merge()


def visits(game: Solvable[H, A], policy: Policy[H, A], start: Distribution[H], *, tail: float = TAIL) -> dict[H, float]:
    """Return the expected visits per game of each state that is not over, if all players follow `policy`."""
    move = _moves(game, policy)
    found: dict[H, float] = defaultdict(float)

    def propagate(state: H, share: float) -> list[tuple[H, float]]:
        move_here = move(state)
        if move_here is None:
            return []
        found[state] += share
        return move_here[1]

    _propagate_all({state: float(share) for state, share in start}, propagate, tail)
    return dict(found)


def _propagate_all(mass: dict[K, Any], propagate: Callable[[K, Any], list[tuple[K, Any]]], tail: float) -> None:
    """Move all probability on, one action at a time, until at most `tail` is left.

    `mass` maps nodes to probabilities. `propagate(node, probability)` returns the next nodes, each with its share.
    """
    for _ in range(MAX_ACTIONS):
        if not mass or (tail and sum(mass.values()) <= tail):
            return
        later: dict[K, Any] = defaultdict(int)
        for node, share in mass.items():
            for after, weight in propagate(node, share):
                later[after] += share * weight
        mass = later
    raise EvodomError(
        f"this policy does not end the game: after {MAX_ACTIONS:,} actions {float(sum(mass.values())):.3g} of it go on"
    )


def _moves(game: Solvable[H, A], policy: Policy[H, A], *, exact: bool = False) -> Callable[[H], Move | None]:
    """Return a cached function that maps a state to the policy's `Move`, or to None if the game is over."""
    known: dict[H, Move | None] = {}
    reward = reward_of(game)

    def move(state: H) -> Move | None:
        if state not in known:
            known[state] = None
            if game.actions(state):
                action = policy(state)
                outcomes = game.outcomes(state, action)
                after = list(outcomes if exact else outcomes.to_float())
                known[state] = (reward(state, action) if reward else 0, after)
        return known[state]

    return move
